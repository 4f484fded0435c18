// Package replication makes a server follow others: it reads their binary logs over the network and
// does the same here.
//
//	channel.go      one source: starts, stops and changes its threads    status.go     what SHOW REPLICA STATUS tells
//	source.go       what CHANGE REPLICATION SOURCE TO sets, TLS          until.go      where the applier stops by itself
//	receiver.go     the receiver: connects, writes the relay log         stream.go     the connection to the source
//	coordinator.go  the applier: reads the relay log, hands out          filter.go     CHANGE REPLICATION FILTER
//	sequence.go     commits in the source's order                        worker.go     a session that applies
//	apply.go        events become transactions                           query.go      statements of the log
//	rows.go         row events become statements                         branch.go     XA
//	packets.go      what the source sends, unpacked                      mariadb.go     a MariaDB source
//	variable.go     variables that a statement of the log uses
//	context.go      the session a statement of the log was run in        literal.go    values become SQL
//	fault.go        errors in MySQL's words                              sound.go      looks at bytes before they are parsed
//	replay.go       BINLOG statements of a session: rows out of a script of mysqlbinlog
//
// Package relay is the relay log between receiver and applier.
//
// A worker's session is a connection to this server that nobody outside can make
// (server/replica.go), so what a replica does takes the way of every other client: definitions are
// written as the source's statements, rows as INSERT, UPDATE and DELETE of literals.
//
// Invariants:
//
//	(1) Each transaction of the source is one transaction here, with the source's GTID if this
//	    server's gtid_mode allows any.
//	(2) The mark behind it, a place in the source's log and in the relay log, is stored by the
//	    same transaction of the engine (Session.Place). A crash therefore leaves both or none:
//	    nothing is applied twice and nothing is left out. Each worker has a row of its own for its
//	    mark; the newest of them counts, since (3).
//	(3) Transactions are committed in the source's order, whoever applies them: a worker's commit
//	    takes its place in the log when all before it have theirs (sequence). All of them share
//	    syncs.
//	(4) A row that is not there, or is there already, stops the applier; it never guesses, unless
//	    it is told to (replica_exec_mode, replica_skip_errors).
//	(5) Rows are written as they are: no trigger fires, checks of foreign keys are off where the
//	    source logged what they changed, no default replaces a zero, columns that the row computes
//	    are left to this server.
//	(6) Only whole transactions are applied: the applier sees nothing of one whose end has not
//	    been received.
//	(7) A mark belongs to the epoch of a source. CHANGE REPLICATION SOURCE TO with another place,
//	    and RESET REPLICA, begin an epoch, which makes marks of before void.
//
// The source waits for an answer under semi-synchronous replication until the relay log is synced
// behind the transaction.
//
// What cannot be followed: CREATE TABLE ... SELECT of a source that logs it as one transaction is
// two here, the table's definition not in this server's log; statements that were logged with random
// numbers, and statements or user variables in character sets other than UTF-8 and latin1 stop the
// applier.
// A decimal in a part of a document becomes a double, which has the same value and may have fewer
// zeros behind the point.
// Temporary tables that a source logs as statements are those of one worker: it needs
// replica_parallel_workers=1.
package replication
