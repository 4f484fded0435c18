// Package btree keeps byte keys in order: search, insert, delete, split, merge, scan; its redo; its
// checker. It knows nothing of transactions, schemas or SQL types. Keys compare with bytes.Compare.
//
// Where to read: format.go (the page), search.go and cursor.go (reading), run.go (many records of
// one leaf), split.go and merge.go (structure), redo.go (the log).
//
// A tree is a root page that never moves, inner pages and leaves; the leaves are a doubly linked
// list. One record form serves both: on an inner page the value is a child page and the key the
// shortest separator <= every key of the child and > all keys of the child before it. A record (key
// + value, MaxRecord) fits at least two to a page; longer values are the table room's affair
// (overflow pages).
//
// Every change is one redo op whose apply function is a pure function of (page, body); an insert
// compacts the page by itself where it must.
//
// Structure changes are content-neutral and stand in mini-transactions of their own: a writer that
// finds its leaf too full lets go, splits (makeRoom), and starts again. So SeekWrite hands out a
// leaf in which the coming insert cannot fail. A split leaves both halves the newest writer of the
// page, a merge the higher one.
//
// Latches. All latches are taken in preorder of the tree: parent before child, left before right;
// against it only by try.
//
//	readers    S hand over hand: the child is latched before the parent is released; Next latches the right leaf before it lets go of the left one
//	writers    the same, the leaf X
//	structure  the tree's smo mutex first: inner pages and links change only under it, so a way down stays true without latches; then X on what changes
//	Prev       tries the left leaf, and on failure lets go of its own and descends anew by key
//
// Invariants:
//
//	(1) Every key of a leaf lies within the separators above it; leaves are linked in key order;
//	    only leaves are linked.
//	(2) A page that leaves the tree is changed (retired) and freed in the same mini-transaction,
//	    so a saved position never finds it unchanged.
//	(3) An empty leaf may stand between a split and its insert, or until Merge; scans step over
//	    it.
//	(4) Before and after each mini-transaction the tree is whole.
package btree
