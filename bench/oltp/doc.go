// Package oltp drives short statements on narrow tables against any MySQL-compatible server: the
// workloads that sysbench's oltp_*.lua scripts made common, with the same tables, statements and
// mixes, so that either tool can load the tables the other one runs on.
//
//	point_select      one row by primary key
//	read_only         10 points, then four ranges of 100 rows: plain, SUM, ORDER BY, DISTINCT; in a transaction
//	read_write        read_only's statements, then write_only's; in a transaction
//	write_only        update of an indexed column, of a plain one, delete and insert of one row; in a transaction
//	update_index      UPDATE of the indexed column by primary key
//	update_non_index  UPDATE of a plain column by primary key
//	insert            INSERT with a generated key
//	delete            DELETE by primary key
//
// One goroutine with one connection is one thread. A deadlock or a lock wait timeout ends the
// transaction, which is counted as a retry; after a lost connection the thread connects again until
// the time is over, so that a run can go on across a restart. Latency is that of a transaction,
// from its first statement to the last answer.
//
// The client is made cheap, see package wire; it reports its own processor time per statement, and
// over a unix socket the server's too. BEGIN and COMMIT always travel as text.
package oltp
