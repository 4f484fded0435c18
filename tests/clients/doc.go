// Package clients runs what people connect with against a real server: the mysql command line
// client and mysqldump, go-sql-driver, PyMySQL, mysql2, Connector/J and sqlx. Each client's program
// lives in a folder of its own, takes the server from the environment and ends with an error at the
// first difference from what MySQL does; sqlx reads and sends the matrix's values only.
//
//	go test ./tests/clients                               a fresh emberd
//	go test ./tests/clients -host H -port P -socket S     any server, as root without a password
//
// The commands of the documentation's pages for newcomers and operators are run here, too.
//
// The clients are installed by install.sh into .cache/clients; a missing one fails the test.
//
// TestMatrix stores every type of column in every class of its values, has each driver read it and
// send it back, and compares both with what MySQL 9.7 has answered (testdata/matrix.golden.gz):
//
//	go test ./tests/clients -run TestMatrix -host H -port P -socket S -rewrite   records MySQL's answers
package clients
