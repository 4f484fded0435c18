// Package history judges what concurrent clients did to lists, sets and registers, and what they
// were told, in the way of Elle (Kingsbury and Alvaro, 2020): every element is written once, so a
// read tells of each write whether it came before the read or after it. That is a graph of what
// must have been before what, and a cycle in it is something that the isolation levels of its
// transactions forbid.
//
//	list      elements are appended; a read returns them in order
//	set       elements are added; a read returns them in any order
//	register  a write replaces the element that its transaction has read under lock; a read returns the one
//
// Edges of the graph:
//
//	ww     b wrote behind a: the next element of a list, the next value of a register
//	wr     b read what a wrote
//	rw     a read, and did not see what b wrote
//	clock  a had ended before b began
//	own    a is an earlier moment of b's transaction
//
// A transaction is one or more moments (nodes), each somewhere within the interval that the client
// saw. So histories of several levels are judged together:
//
//	SERIALIZABLE      one: locks are held to the end
//	SNAPSHOT          its view, and behind it its commit; writes and locking reads are of rows that the view sees (innodb_snapshot_isolation)
//	REPEATABLE READ   its view, and behind it its commit: locking reads and what it sees of rows that it has changed belong to the commit
//	READ COMMITTED    the view of each statement, and behind them its commit
//
// Anomalies, by Adya's names. Write skew at SNAPSHOT and below, and a lost update at REPEATABLE
// READ and below, are no cycles of these moments: they are allowed.
//
//	G1a         an element was read whose transaction rolled back
//	G1b         a transaction was read that was not at its end: some of its elements and not others
//	G0          a cycle of ww
//	G1c         a cycle of ww and wr
//	G-single    a cycle with one rw: read skew, a lost update, a phantom, a lost commit
//	G2          a cycle with several rw: write skew
//	internal    a transaction did not see its own writes
//	order       two reads saw the elements of a list in different order, or two writes replaced the same value of a register
//
// A cycle is looked for in each strongly connected component (Tarjan), the worst kind first. With
// "clock" behind its name it needs the clock: without it the transactions could have run in another
// order.
package history
