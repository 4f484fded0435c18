// Package run executes the plan nodes that go-mysql-server runs otherwise than MySQL: changes under
// locks, bulk inserts, LOAD DATA, groups, DISTINCT, WITH RECURSIVE, triggers, SHOW.
//
// Builder is asked first for every node and leaves to go-mysql-server what it does not know.
// Rows are accounted by package memory.
package run
