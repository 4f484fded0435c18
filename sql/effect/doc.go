// Package effect tells from a statement's tree what running it does to the server: whether it
// changes something, ends the transaction, is about temporary tables only, may run while tables are
// locked. Nothing else decides such things, so that every way to run a statement (text, prepared,
// inside a program) gets the same answer.
//
// # Contract
//
// Of looks at the tree alone. It is what MySQL decides before it opens tables. What only the tables
// tell (whether the target of an INSERT is temporary, what a function in a SELECT changes) is
// decided where the rows are: see Targets, and the engine, which refuses changes while the server
// is read-only.
//
// The rules are MySQL 9.7's. testdata/kinds.golden holds its answers for each kind of statement.
package effect
