// Package hotset names the pages that are hot on a server so that another server finds its own
// pages by the names. A replica brings the pages that are hot on its source into its pool, and is
// warm when it is promoted.
//
// # Names
//
// Page numbers mean nothing to a replica: it applies rows, and its trees split in other places. Both
// servers have the same rows under the same keys. So a hot page is named by table, index and keys: a
// Range says that the leaves which hold keys from First to Last are hot. Neighbouring hot leaves
// share one Range, so a hot part of a table of any size costs two keys. Inner pages have no names:
// who looks for a leaf reads them. Pages of long values have none, and leaves of a table without a
// primary key have none: its row ids differ between servers.
//
// A run of hot leaves is cut behind leaves whose key has a certain checksum, one in cutEvery. The
// cuts depend on keys alone, so a change at one place of a run leaves its other ranges as they are.
// Heat is the quarter of the LRU list in which the pages of a range stand in the mean, 0 the
// hottest.
//
// # From the source to the replica
//
// The source names the pages of its pool once every interval (engine.HotNamer). A page counts when
// two walks in a row have found it, but for the first walk: what passes through the pool is not hot.
// What changed since the last time becomes a Delta of parts. A new replica gets the whole set as the
// delta from nothing. A delta is limited in size. What does not fit comes with the next one, because
// the source applies the parts to its own copy, as each replica does.
//
// The parts are ignorable events that stand in no file, between the events of the binary log, and
// only for replicas that ask with the user variable @ember_hot_set (server/hotset.go). The account
// needs REPLICATION SLAVE, with which it reads the rows themselves.
//
// # On the replica
//
// Each last part starts a round (engine.BringHot): ranges become leaves by a walk over inner pages,
// leaves become an LRU list, and warm.Manager.Bring reads what is absent as a load at start does,
// beside queries and paced by them. A round takes free frames, and frames of pages that nobody has
// used since the round before. So it never displaces what the replica itself works with.
//
// # Format of a part
//
//	1 version   1 flags: 1 = forget what was known, 2 = the last part of a delta   .. entries
//	entry  1 kind: 0 index: schema, table, name      1 removed: first key
//	               2.. added or changed, heat is kind - 2: first key, last key
//	text   uvarint length, bytes
//	key    uvarint bytes shared with the key before it in the part, uvarint length of the rest, the rest
//
// First keys ascend strictly below an index.
//
// Invariants:
//
//	(1) Applying the parts of Delta(old, new) to old gives a set that follows new.
//	(2) A part from outside is checked before anything is kept: lengths, order, and the size of
//	    the set, which maxBytes bounds. A bad one leaves an error, and a set that only a whole
//	    delta repairs.
//	(3) Names that fit nothing on the replica bring nothing. A wrong set costs reads, within the
//	    pool's size and the pace of the load; it changes no row.
package hotset
