// Package recovery is the way back to a consistent state: it learns from the redo log's indexes
// which pages need redo, lets the server open, and repeats the changes that had not reached their
// place: at once for a page somebody asks for, in the background for the rest.
//
// Steps, each a phase of the Timeline:
//
//	read     checkpoint files, torn pages repaired from the doublewrite area (pagefile.RepairTorn)
//	scan     the heads of the segments' page indexes are read, the segment in which the log ends is parsed (and any without an index): which pages
//	         need redo, and where the lists of their groups stand (index.go). Messages (drops of
//	         tablespaces, ids handed out, the binary log) are read by position
//	open     every page that enters the pool passes OnRead, which redoes it if it is pending: its lists are read, then its groups, from its own LSN on
//	         or from its last initialisation (demand.go)
//	redo     rounds (round.go): one sequential reading of the log by several lanes gathers the records of all pages that are pending. They are divided into
//	         parts, each as much as memory holds: the hot pages of the LRU list first, the others
//	         by age. The records of the first part stay in memory, those
//	         of the others are set aside in a file without a name (spill.go) until their turn. A
//	         part (pass.go) is redone in large reads on all cores. Pages
//	         that their records build from nothing are not read: they are built while their
//	         records are gathered, in the frames they will have (chains.go)
//	attach   pages that an earlier process has left in memory: Redo.Kept tells whether the log and the file make the same version. Their redo is pending
//	         until they were examined; then it is found to be there. Nothing waits for that: pages that clients do not ask for are examined last, slowly
//	undo     unfinished transactions are found by txn.System.Recover and undone in the background, once no page waits for its redo: not this room's work
//
// What the log says about pages on disk (redo.OpWritten) keeps pages out of the index whose newest
// version is there: what was written back before the crash costs nothing. Pages that change all the
// time are written once a segment (redo.Options.Hot), so that no page's redo is long.
//
// Memory: pages that are being built, and the lists of the others of a part, stand in free frames
// of the pool, lent (buffer.Recovery.Lend) for as long as pages do not need them: after a start
// nearly all are free, so that most rounds have few parts. A sixteenth of the free frames, and as
// many as the hot pages without redo take, stay with the pool; all, if the others are less than
// Options.Budget. Where there is less, the lists of a part take up to half of Options.Budget beside
// the pool, in memory that the next part uses again and the system has back when the round ends.
// The page index (32 bytes a page, 24 a page and segment) is bounded by Options.Budget, the blocks
// of the log kept for demands and those to be set aside by a quarter of it, each but at least one
// segment's index and one page's records. The segments' own lists, about half a percent of the log,
// are kept for demands if they fit an eighth of it; what was parsed at the start stays among the
// blocks kept, for the pages that are wanted first were changed last. Demands have few reads in
// flight, or they would hold up the reading of the log that makes them needless. So little memory
// costs a writing and a second reading of the records that are needed, in sequence, and not another
// reading of the log: that is left to a volume without room for twice as much, to one that fails,
// and to more than partMost parts. An index that does not fit is made of the oldest segments first,
// whose groups are then redone before the server opens; normally all fit. While Scan makes it, the
// heads of all segments (about 1 % of the log) are in memory, too; they go when the index has what
// they say, and the blocks kept go when the last page is redone.
//
// The log during redo: OldestDirty does not pass the floor, the start of the oldest segment that a
// pending page needs. After each part the redone pages are written, beside the next parts, which
// wait for that only when writers have used half of the log's room. The parts behind the hot one
// are in order of age, so the floor rises with them; a second crash finds less to do, and pages on
// disk as far as they had come. When writers have used half of the log's room, a round begins with
// the pages that keep the oldest segment.
//
// Cases, by what is found for a page (id, LSN on disk) and its groups:
//
//	page on disk            groups from the checkpoint on      decision
//	valid, LSN >= last end  any                                nothing: the change had reached the disk
//	valid, LSN <  last end  any                                apply those that end above the page's LSN
//	valid, LSN <  its end   one initialises the page           apply from there on
//	never written (zeros)   one initialises the page           build it from there on
//	never written (zeros)   none does                          corruption
//	bad checksum            one initialises the page           build it from there on
//	bad checksum            none does, or it was written since corruption, named with file, page and offset
//	file missing            space dropped later in the log     skip
//	file missing            not dropped                        error: missing file
//
// Damage of the log: an index that does not verify, or lists that lead to no group of the page, are
// told and made again by parsing the segment. A group that does not verify fails the start if it is
// met there (the log is known to go on behind it), else the pages that need it: reading one of them
// gives *base.CorruptError with file and offset, all others are redone. A page never appears with a
// part of its redo.
//
// Invariants:
//
//	(1) A page is redone under its X latch, completely, from one source; only then its bit in the
//	    index is cleared. Who looks at a page whose bit is set and that is in the pool sees the
//	    pool's OnRead first: no page is in the pool with its bit set when the server begins to
//	    answer.
//	(2) While a bit is set or a redone page is not yet written, no checkpoint passes the oldest of
//	    its groups (buffer.Recovery.SetFloor). A bit that a read has cleared counts until that
//	    read has ended (buffer.Recovery.WaitReads).
//	(3) A page with its bit set is not created anew without its redo: what had freed it may not be
//	    durable.
//	(4) Applying is idempotent by page LSN: a group is applied to a page only if the page's LSN is
//	    below the group's end.
//	(5) The index does not change but for the bits, which are atomic; neither does a pass once its
//	    lists are complete, until no read can look at it any more. OnRead takes no lock but that
//	    of the log blocks kept and, for damage, of rebuilding, both leaves: it is called under a
//	    page latch.
//	(6) A page that cannot be redone, though its bytes on disk verify, keeps its bit and the floor
//	    for ever, or the next life would take the old bytes for the page. Then the log runs out of
//	    room; so the engine refuses writes when Finish says so. A page whose bytes do not verify
//	    needs no such care.
package recovery
