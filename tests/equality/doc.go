// Package equality runs generated statements twice on one server, compiled and through
// go-mysql-server, each way on a database of its own with the same content, and compares everything
// a client can see: rows byte for byte, column descriptions, errors, counts, warnings, status
// flags, and the tables afterwards.
//
// Texts that look alike and mean different things, by their words or by what the session, the
// tables and the account are by now, are run in turn (meaning_test.go).
//
// Conditions over joins, subqueries and common tables are asked in several ways whose answers must
// agree: the oracles of oracle_test.go (make oracles).
//
// With -dsn 'root@tcp(host:port)/' the generated statements of TestBothWaysAreEqual,
// TestReadsAreEqual and TestWideStatements are compared with the answers of a MySQL 9.7 server
// instead (make equality-mysql): rows, columns, errors, counts, warnings. The differences of
// docs/differences.md are rules in mysql_test.go, or are not generated then.
//
// EMBER_SEED repeats or varies a run and EQUALITY_ROUNDS makes it longer.
package equality
