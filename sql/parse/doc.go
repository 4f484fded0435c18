// Package parse reads SQL texts into the trees of package ast. The grammar is MySQL 9.7's, the
// parser is written by hand: recursive descent for statements and clauses, precedence climbing for
// expressions.
//
// # Contract
//
// Parse reads a text once, from front to back, with at most two tokens of look-ahead, in time
// linear in its length. It either returns a tree or an *Error with MySQL's code, SQLSTATE and text.
// A syntax error (1064) names the first token that no statement with this beginning can have, as
// MySQL's own parser does; a method that meets a token it cannot use calls fail and must not have
// consumed a token that does not fit. Other errors that MySQL finds while it parses are raised with
// raise at the same point.
//
// What nests is bounded (see limits): expressions and clauses by maxHeight nodes (1436),
// parentheses by maxParens (3950), queries by maxQueries (1473). So the parser and every walk over
// its tree run in bounded stack. Memory is bounded by Options.MaxMemory (3170).
//
// Parse knows no catalog and no session beyond Options; nothing it returns depends on anything
// else, so trees can be kept by text, mode and character set.
//
// # Files
//
// parser.go holds tokens and look-ahead, error.go errors and limits, name.go names, literal.go
// constants, expr.go operators, primary.go operands, function.go, jsonfunction.go and window.go
// functions with a syntax of their own, datatype.go types, query.go, select.go, into.go and
// table.go queries, statement.go and create.go the choice of a statement by its first words.
// Definitions of tables stand in createtable.go and the files of its parts: columndef.go,
// keydef.go, tableoption.go, partition.go; stored programs in program.go and compound.go.
//
// # Adding a statement
//
// Write its methods in a file named like the file of its nodes (createtable.go). A method consumes
// exactly what it is named after and returns the node: start with the span of the first token, end
// with
//
//	n.Span = p.from(start)
//
// Use accept for optional words, expect for required ones, list and inParens for lists. Look at the
// next token with is, oneOf and peek; never try one reading and go back to try another. Group the
// statements that share a first word behind one method (create, alter, drop) and add that word to
// the switch in statement.go.
//
// Add texts to a file testdata/x.sql, one a line: every form, and every way to end too early or to
// go on too long. Then let MySQL judge them:
//
//	go test ./sql/parse -run TestVerdicts -mysql 'root@unix(/path/to/socket)/test'
//
// That writes testdata/x.golden. Without -mysql the test compares the parser with the golden, and
// checks that what was accepted prints back to an equal tree and that spans nest.
package parse
