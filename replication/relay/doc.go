// Package relay keeps what a source has sent until it is applied: the relay log of one channel.
//
//	relay.go   the log: append, complete, sync, purge     open.go     what a start finds and keeps
//	group.go   where transactions begin and end           reader.go   follows the log for the applier
//
// The files are binary logs of version 4 that MySQL's tools read. Each begins so that it needs no
// other file:
//
//	format description of this server, Previous_gtids: what was received before
//	Rotate: where in the source's log the next event stands; the source's format description, if
//	one has come
//	the events as the source sent them, with the source's positions
//
// Every event has a checksum, also if the source sends none.
//
// One writer, the receiver, appends. A group is a transaction, or an event between transactions.
// Readers see whole groups only, so what was received of a transaction when the source went away is
// cut off, and nobody has applied a part of it.
//
// The log is a copy of what the source has, so nothing waits for a sync of it but the answer of a
// semi-synchronous replica (Sync). A file is synced when the next one begins. After a crash the
// newest file is read up to the last whole group, and the receiver asks the source for what
// follows. If less is left than was applied, the log begins anew behind what was applied.
//
// Invariants:
//
//	(1) The index names a run of files. All but the newest are synced and end with a whole group.
//	(2) Numbers of files are never used twice while positions in them are remembered: Open takes
//	    the least number.
//	(3) Received holds the GTIDs of the whole groups of all files since the log last began anew.
package relay
