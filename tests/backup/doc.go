// Package backup takes backups of real servers under load and looks at what becomes of them.
//
//	EMBER_SEED=7 go test ./tests/backup -rounds 10
//
// The load moves amounts between accounts and notes each move in the same transaction, on several
// connections, while tables are made, filled, altered and dropped. So every state of the server has
// one sum of all amounts and one sum of amounts and notes for each account, and each connection
// knows which of its transactions were acknowledged. A restored server must show a state like that,
// with all that was acknowledged before the backup ended and nothing that began behind its end;
// every page and tree of it is checked.
//
// The TPC-C-like load, with a client that changes definitions, is the second source: what is restored
// of it meets the benchmark's twelve conditions, has all that was acknowledged before, and equals a
// replica that was stopped at the same transaction. The -warehouses of it may be of full size.
//
// Backups, restores and servers that work on a directory whose pages are still in the backup are
// killed at random moments.
package backup
