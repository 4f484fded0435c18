// Package accounts compares what the server does with accounts with what MySQL 9.7 does: who may
// change them, what SHOW GRANTS and the grant tables tell, and what limits and password policies
// do.
//
// A script in testdata is a list of lines:
//
//	connect NAME USER [PASSWORD]   opens a session, in the place of one of the same name
//	change NAME USER [PASSWORD]    makes it one of that account with COM_CHANGE_USER
//	close NAME                     ends it
//	NAME> STATEMENT                runs it there; a session that is missing is opened for the account NAME
//	each A B C {                   repeats the lines up to } with each of the words in the place of {u}
//	~ REASON                       the next statement is refused here, where MySQL allows it or has other words
//
// Its golden file holds MySQL's answers. To record them again, run the tests with -mysql SOCKET
// -rewrite against a MySQL that has no accounts but its own.
package accounts
