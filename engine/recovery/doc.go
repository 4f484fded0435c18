// Package recovery is the way back to a consistent state: it reads the redo log from the checkpoint, decides what each page and tablespace needs,
// and repeats the changes that had not reached their place.
//
// Steps, each a phase of the Timeline:
//
//	read     checkpoint files, torn pages repaired from the doublewrite area (pagefile.RepairTorn)
//	scan     log groups from the checkpoint on are parsed into chains: page -> its records in LSN order
//	redo     every page of the chains is read and its chain applied; a page that somebody asks for meanwhile, or that the load of the LRU list brings,
//	         is redone at once, because the chains are applied where a page enters the buffer pool (buffer.Options.OnRead)
//	undo     unfinished transactions are found by txn.System.Recover and undone in the background: not this room's work
//
// Memory is bounded: when the chains outgrow Options.Budget, the batch is applied before the scan goes on, and written when the pool is half dirty. The last batch
// (normally the only one) stays pending while the server already answers: Finish applies it in the background.
//
// Cases, by what is found for a page (id, LSN on disk) and its chain:
//
//	page on disk            chain                              decision
//	valid, LSN >= end       any                                nothing: the change had reached the disk
//	valid, LSN <  end       any                                apply the records whose group ends above the page's LSN
//	never written (zeros)   starts with OpInitPage             build it from the chain
//	never written (zeros)   starts otherwise                   corruption
//	bad checksum            starts with OpInitPage             build it from the chain
//	bad checksum            starts otherwise                   corruption, named with file, page and offset
//	file missing            space dropped later in the log     skip
//	file missing            not dropped                        error: missing file
//
// Invariants:
//
//	(1) A chain is applied under the page's X latch and taken off in the same step, so it is applied once and completely.
//	(2) While a chain is pending or a redone page is not yet written, no checkpoint passes the LSN the scan started from
//	    (buffer.Pool.SetRecoveryFloor), so that a second crash finds everything again. A chain that a read has taken off counts until that read has ended
//	    (buffer.Pool.WaitReads).
//	(3) No page is in the pool with a chain pending when the server begins to answer: a chain is taken where its page enters the pool, and Scan ends
//	    with a look at the pages that earlier batches left there.
//	(4) Applying is idempotent by page LSN: a group is applied to a page only if the page's LSN is below the group's end.
package recovery
