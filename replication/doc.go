// Package replication makes a server follow another: it reads the source's binary log over the network and does the same here.
//
//	replica.go   the replica: connect, follow, wait and connect again; what SHOW REPLICA STATUS tells
//	stream.go    the connection on which the source sends its log
//	apply.go     events become transactions
//	rows.go      row events become statements        context.go   the session a statement of the log was run in
//	literal.go   values become SQL                 replay.go    BINLOG statements of a session: rows out of a script of mysqlbinlog
//
// There are no relay files. What the source sends is applied as it comes, by one session, in the order of the source's log; when the server ends, the
// source sends again what was not committed. The session is a connection to this server that nobody outside can make (server/replica.go), so what a
// replica does takes the way of every other client: definitions are written as the source's statements, rows as INSERT, UPDATE and DELETE of literals.
//
// Invariants:
//
//	(1) Each transaction of the source is one transaction here, with the source's GTID if this server's gtid_mode allows any.
//	(2) The place behind it in the source's log is stored by the same transaction of the engine (Target.Place). A crash therefore leaves both or none:
//	    nothing is applied twice and nothing is left out. By GTIDs the same holds of gtid_executed, also for statements about accounts; by position
//	    those store the place in a second transaction.
//	(3) A row that is not there, or is there already, stops the replica; it never guesses.
//	(4) Rows are written as they are: no trigger fires, checks of foreign keys are off where the source logged what they changed, no default replaces
//	    a zero, columns that the row computes are left to this server.
//
// What cannot be followed: CREATE TABLE ... SELECT of a source that logs it as one transaction is two here, the table's definition not in this server's
// log; row events with parts of JSON documents (binlog_row_value_options), XA transactions, and statements in character sets other than UTF-8 and
// latin1 stop the replica.
package replication
