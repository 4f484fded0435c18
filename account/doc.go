// Package account holds what an account is: its privileges, its password and limits, and the
// statements that change them.
//
// An account or role is a row of go-mysql-server's grant tables. Its privileges are that row's
// privilege set, for which [Grants] is a form that can be compared and printed. Everything else
// that MySQL keeps of an account and the row has no field for is its [Policy], which lies in the
// row's attributes.
//
// [Parse] reads account statements: CREATE, ALTER, DROP and RENAME USER, CREATE and DROP ROLE,
// GRANT, REVOKE, SET PASSWORD, SET ROLE, SET DEFAULT ROLE, SHOW GRANTS and SHOW CREATE USER. The
// tree prints itself as a statement that can be run again, with a hash in the place of a password;
// that text is what the binary log gets.
//
// The package decides nothing about who may run a statement and changes no account. The server does
// both.
package account
