// Package engine opens, runs and closes the storage engine: lifecycle, commit order, background
// workers, DDL. It knows neither go-mysql-server nor sockets. The layers above use this package,
// engine/table, engine/txn (Trx, Isolation), engine/row and engine/catalog.
//
// Failure. An engine has one failed state, base.Failure, which log, files, pool and binary log
// share. Enter is its only way in, and a new start its only way out:
//
//	who enters   redo: a write or sync of a segment or checkpoint. pagefile: a write or sync of a tablespace, its folder or the doublewrite area.
//	             buffer: a page that could not be written, redo that could not be applied. binlog:
//	             a write or sync of a file or of the index.
//	             engine: a checkpoint that could not be taken; recovery that could not be finished
//	             (refuseWrites).
//	running      a commit is in the log as soon as Append has taken its group, at its place in the binary log; it is told when the group is durable
//	failed       Append takes no group. A commit that Append has refused gives its GTID and its place back, which nobody can take any more. A commit
//	             whose group is durable succeeds; any other that has been appended fails, and the
//	             next start decides. Writers get
//	             base.ErrFailed, nobody waits for room, pages or files, and reading goes on.
//
// Because the state is entered under the append mutex, no group follows a refused one: a GTID or a
// position that was given back is never logged.
//
// Tables without a primary key have a hidden row id: rows that were read carry it behind their last
// column, and Update and Delete want it there; Insert ignores it.
package engine
