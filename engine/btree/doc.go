// Package btree keeps byte keys in order: search, insert, delete, split, merge, scan; its redo; its checker.
// It knows nothing of transactions, schemas or SQL types. Keys compare with bytes.Compare.
//
// Where to read: format.go (the page), search.go and cursor.go (reading), split.go and merge.go (structure), redo.go (the log).
//
// A tree is a root page that never moves, inner pages and leaves; the leaves are a doubly linked list. One record form serves both: on an inner
// page the value is a child page and the key the shortest separator <= every key of the child and > all keys of the child before it.
// A record (key + value, MaxRecord) fits at least two to a page; longer values are the table room's affair (overflow pages).
//
// Every change is one redo op whose apply function is a pure function of (page, body); an insert compacts the page by itself where it must.
//
// Structure changes are content-neutral and stand in mini-transactions of their own: a writer that finds its leaf too full lets go, splits (makeRoom), and
// starts again. So SeekWrite hands out a leaf in which the coming insert cannot fail. A split leaves both halves the newest writer of the page, a merge the higher one.
//
// Latches. All latches are taken in preorder of the tree: parent before child, left before right; against it only by try.
//
//	readers    S hand over hand: the child is latched before the parent is released; Next latches the right leaf before it lets go of the left one
//	writers    the same, the leaf X
//	structure  the tree's smo mutex first: inner pages and links change only under it, so a way down stays true without latches; then X on what changes
//	Prev       tries the left leaf, and on failure lets go of its own and descends anew by key
//
// Invariants:
//
//	(1) Every key of a leaf lies within the separators above it; leaves are linked in key order; only leaves are linked.
//	(2) A page that leaves the tree is changed (retired) and freed in the same mini-transaction, so a saved position never finds it unchanged.
//	(3) An empty leaf may stand between a split and its insert, or until Merge; scans step over it.
//	(4) Before and after each mini-transaction the tree is whole.
//
// Contract:
//
//	type Tree struct{ Pool *buffer.Pool; Space base.SpaceID; Root base.PageNo; ID base.IndexID; ... }     // any number of them may stand for one tree
//	func Create(pool, space base.SpaceID, ids ...base.IndexID) (roots []base.PageNo, err error)            // enters the roots in the space
//	func Open(pool, space, root, id) *Tree
//	func (*Tree) Drop() error                                 // frees all pages and the root's entry in the space, in steps, restartable
//
//	func (*Tree) Seek(m *buffer.Mtr, key []byte, mode buffer.Mode) (Cursor, error)   // at the first record >= key; the leaf is latched in m with mode; First with nil
//	func (*Tree) SeekLast(m, key, mode) (Cursor, error)       // at the last record <= key (key nil: the last of the tree)
//	func (*Tree) SeekWrite(key []byte, need int) (*buffer.Mtr, Cursor, error)  // begins an Mtr; leaf X-latched; a record of need bytes (key + value) is certain to fit,
//	                                                          // or the value there to grow by need. The cursor is on key's record, else where it goes in (then it may stand
//	                                                          // behind the last record of its leaf: not Valid, the successor is PeekNext)
//	type Cursor: Valid() bool (on a record), Exact(key) bool, Key() []byte, Value() []byte  // alias the page: valid while the latch is held and the page unchanged
//	  Next() error / Prev() error     // to the neighbour record; across leaves; skips empty leaves
//	  PeekNext() (key []byte, ok bool, err error)   // key behind the current record, or behind the leaf's end; the right leaf stays latched, as the cursor's own is, until the cursor moves
//	  Page() buffer.Page
//	  SetWriter(trx)                  // newest writer of the page for the following changes (the higher one stays)
//	  Insert(key, val []byte)         // before the current record, the cursor then stands on it; REQUIRES: X latch, room
//	  SetValue(val []byte) bool       // false: does not fit, page unchanged (use SeekWrite with need)
//	  Patch(off int, b []byte)        // overwrite bytes inside the value
//	  PatchRun(patches []byte)        // of several values of the leaf, each from AppendPatch; Slot, To, Forward(key): its records
//	  Delete()                        // the cursor then stands on the successor, or behind the leaf's end
//	  Underfull() bool                // after Delete: worth a Merge
//	  Save(*Position); (*Tree) Restore(m, *Position, mode) (Cursor, same bool, error)   // by page + LSN, else by key
//	func (*Tree) Merge(key []byte) error      // if the leaf of key is under-filled, merge it with a neighbour and free a page; own mini-transactions
//	func (*Tree) Estimate(lo, hi []byte) (records float64, err error)    // few page reads; for the planner. Shape() (levels, about how many leaves)
//	func (*Tree) Check(fn func(key, val []byte) error) (Stats, error)   // slow whole-tree verifier: order, separators, links, levels, fill; Stats.Pages for space.Check;
//	                                                          // others go on meanwhile, fn runs without latches
//	func (*Tree) NewBulk(writer) *Bulk: Add(key, val), Finish()   // sorted load behind the last key: fills leaves to 15/16; for index build and rewrite
//	func Dump(w, page, keys bool), CheckPage(page), ViewPage(page) (View, error)   // for inspectors: pages read beside the pool
//	const MaxRecord, MaxKey
package btree
