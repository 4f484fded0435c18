// Package differential compares the answers of emberd with answers recorded from MySQL 9.7,
// statement by statement, as a client sees them: column names, types and flags, values in the text
// and in the binary protocol, affected rows, last insert id, warning counts, error codes, SQLSTATEs
// and texts.
//
// A script (testdata/*.sql) is run on one connection in a database of its own. Statements end with
// a semicolon at the end of a line; a line "delimiter //" changes that. Comment lines between
// statements direct the runner for the next one:
//
//	-- differs: reason        the answer is known to differ; the golden holds both and the reason
//	-- sorted                 rows come in no defined order
//	-- mask: Create_time, ... the values of these columns are not compared
//	-- text                   do not repeat the statement in the binary protocol
//	-- params: [1, "a", null, {"bytes": "00ff"}, {"uint": "18446744073709551615"}]
//	                          run as prepared statement with these values
//	-- as: account            run by another account, which has no password, on a connection of its own without a database
//	-- anything else          a remark
//
// Columns are compared with their types, but for those of SHOW. Statements that read are run twice,
// by the text protocol and as prepared statements; what the second run answers is recorded only
// where it is not the same.
//
// The golden beside a script holds the statements and the answers. Record MySQL's part from a MySQL
// server with
//
//	go test ./tests/differential -rewrite -dsn 'root@unix(/path/to/socket)/'
//
// and Ember's part, kept only for statements marked with differs, without a server:
//
//	go test ./tests/differential -rewrite
//
// Scripts of random expressions in definitions are made with
//
//	EMBER_SEED=number go test ./tests/differential -run TestFormulas -formulas FILE
//
// A statement that is marked and answers like MySQL fails the test too: the mark is to be removed.
package differential
