// Package transfer copies tables of one server into another one that serves clients. Both are
// reached by SQL alone: the copy is in the target's binary log, so its replicas get it as well.
//
// A copy has these steps:
//
//	choose   which tables of the source the patterns name, and their definitions
//	refuse   whatever the target lacks or has already is told before anything is made
//	stage    tables of other names are made in the target's schemas, with the rows and triggers
//	compare  the rows of each staged table are those of the source
//	publish  the staged tables are locked, foreign keys are verified, and one RENAME TABLE gives
//	         all of them their names
//	programs routines, views and events of whole schemas follow
//
// Invariants:
//
//	(1) No table of the target that was there before is written, altered or dropped.
//	(2) The tables get their names all at once or not at all, also if either process is killed.
//	(3) Staged tables have names that begin with StagedPrefix. Whoever holds the lock of lockName
//	    in the target owns all of them: what an interrupted copy has left is dropped by the next one.
//	(4) When the names are given, every foreign key of and to the tables holds.
//
// The source must not change meanwhile: it is a server that nobody else reaches.
package transfer
