// Package rights compares who may run which statement with MySQL 9.7: each statement by each
// account, as a text, prepared by the client, prepared by the client and run, prepared and run by
// PREPARE and EXECUTE, and in a procedure that runs with the rights of who calls it.
//
// testdata/setup.sql makes the objects and the accounts, whose names all begin with w. A line of
// testdata/statements.sql is a statement; behind => stands what root runs to undo it after it has
// run. What changes rows is rolled back.
//
// testdata/answers.golden has MySQL's answers: for each statement the accounts by the code of the
// error, ok where there is none. Ways other than the text have a line only where they differ from
// it. A line that begins with ~ in statements.sql is the reason why the next statement may be
// refused here where MySQL allows it. To record the answers again, run the tests with -mysql SOCKET
// -rewrite against a throw-away MySQL started with --secure-file-priv.
package rights
