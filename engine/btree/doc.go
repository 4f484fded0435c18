// Package btree keeps byte keys in order: search, insert, delete, split, merge, scan; its redo; its checker.
// It knows nothing of transactions, schemas or SQL types. Keys compare with bytes.Compare.
//
// Page body (after the 32-byte header of pagefile): tree id u64, level u8 (0 = leaf), slot count u16, heap top u16, garbage bytes u16, prev u32, next u32, leftmost child u32 (inner), then the record heap growing up;
// the slot directory (u16 offsets in key order) grows down from the page end.
// A leaf record is keylen uvarint | vallen uvarint | key | value; an inner record is keylen uvarint | child u32 | key, where key is the shortest separator (suffix truncated) <= every key of the child.
// The root never moves: a root split pushes its content down.
// Key limit 3072 + suffix bytes; a record (key + value) fits at least two to a page; longer values are the table room's affair (overflow pages).
//
// Every change is one redo op whose apply function is a pure function of (page, body): insert-at-slot, delete-slot, set-value, patch-value (bytes within a value), init,
// split-move (tail of the page leaves), links, compact. See redo.go.
//
// Structure changes are content-neutral and stand in mini-transactions of their own: a writer that finds its leaf too full lets go, splits (MakeRoom), and starts again.
// So SeekWrite hands out a leaf in which the coming insert cannot fail.
//
// Latches: readers descend with S latches hand over hand (child latched before the parent is released). Writers do the same and latch the leaf X.
// Structure changes take the tree's smo mutex, descend with X latches, keeping those that may change, then go left to right. Latching right or down while holding is safe, left or up is not:
// Prev tries the left neighbour's latch and on failure lets go and finds its key again.
//
// Contract:
//
//	type Tree struct{ Pool *buffer.Pool; ID base.IndexID; Space base.SpaceID; Root base.PageNo; ... }
//	func Create(m *buffer.Mtr, space base.SpaceID, id base.IndexID) (root base.PageNo, err error)
//	func Open(pool, space, root, id) *Tree
//	func (*Tree) Drop() error                                 // frees all pages, in steps, restartable
//
//	func (*Tree) Seek(m *buffer.Mtr, key []byte, mode buffer.Mode) (Cursor, error)   // at the first record >= key; the leaf is latched in m with mode
//	func (*Tree) SeekLast(m, key, mode) (Cursor, error)       // at the last record <= key (key nil: the last of the tree); First with Seek(nil)
//	func (*Tree) SeekWrite(key []byte, need int) (*buffer.Mtr, Cursor, error)  // begins an Mtr; leaf X-latched; need more bytes (record size) certain to fit
//	type Cursor: Valid() bool (on a record), Exact(key) bool, Key() []byte, Value() []byte  // alias the page: valid while the latch is held
//	  Next() error / Prev() error     // to the neighbour record; across leaves; skips empty leaves
//	  PeekNext() (key []byte, ok bool, err error)   // key after the current position (successor), latching the right leaf S if it must
//	  Page() buffer.Page
//	  Insert(key, val []byte)         // before the current record; REQUIRES: X latch, room
//	  SetValue(val []byte) bool       // false: does not fit, page unchanged (use SeekWrite with need)
//	  Patch(off int, b []byte)        // overwrite bytes inside the value
//	  Delete()                        // the cursor then stands on the successor
//	  Save(*Position); (*Tree) Restore(m, *Position, mode) (Cursor, same bool, error)   // by page + LSN, else by key
//	func (*Tree) Merge(key []byte) error      // if the leaf of key is under-filled, merge it with a neighbour and free a page; own mini-transactions
//	func (*Tree) Estimate(lo, hi []byte) (records float64)    // few page reads; for the planner
//	func (*Tree) Check(fn func(key, val []byte) error) (Stats, error)   // slow whole-tree verifier: order, separators, links, levels, fill
//	func (*Tree) Bulk(...)                    // sorted load: fills leaves to 15/16 left to right; for index build and rewrite
package btree
