package invariants

// The ladder of mutexes and latches: a goroutine acquires one only while it holds none that stands
// behind it. docs/latches.md is made of this table, and builds with the tag `invariants` assert it
// at every acquisition (Mutex, RWMutex, Acquired).

// Rung is a place on the ladder, the outermost first.
type Rung int

// Class is the class of a mutex: a type without fields that names a rung.
type Class interface{ Rung() Rung }

// Row describes a rung.
type Row struct {
	Name    string
	Package string
	Many    bool // a goroutine may hold several, in an order of their own, which Note tells
	Note    string
}

// The rungs.
const (
	dictUse Rung = iota
	uniqueKey
	rowUndo
	treeShape
	dictCache
	dictIDs
	dataPage
	undoStreams
	undoPage
	binlogOrder
	txnTurns
	txnAll
	txnList
	redoAppend
	bufferFlush
	bufferLRU
	bufferTable
	bufferDropped
	purgeQueue
	lockGraph
	lockShard
	lockRuns
	lockTreeRuns
	lockOwner
	redoSegments
	binlogWriter
	binlogFiles
	binlogState
	rungs
)

// Ladder is the table.
var Ladder = [rungs]Row{
	dictUse:       {"definitions in use", "engine/dict", false, "shared by undo, purge and looks without a metadata lock; exclusive for a moment before trees and files are removed"},
	uniqueKey:     {"unique key stripe", "engine/table", false, "looking for a duplicate and inserting the entry are one step; no lock is waited for under it"},
	rowUndo:       {"undo stripe of a row", "engine/table", false, "the changes of a row are taken back one at a time"},
	treeShape:     {"tree structure (smo)", "engine/btree", false, "split and merge; striped over trees; held while waiting for log room, with no page latch"},
	dictCache:     {"definition cache", "engine/dict", false, "never held across I/O"},
	dictIDs:       {"object ids", "engine/dict", false, "held while ids are reserved"},
	dataPage:      {"page latch", "engine/buffer", true, "Of every space but the undo space. Trees are latched from root to leaf and from left to right, left and up only by try. A secondary leaf comes before the clustered tree, never the other way round. Overflow pages come next. Beside a tree page held exclusively they are latched only by try: a chain that nothing keeps may lead to any page. Space header and bitmap come last."},
	undoStreams:   {"undo streams", "engine/txn", false, "nested mini-transaction; never waits for log room"},
	undoPage:      {"undo page latch", "engine/buffer", true, "of the undo space: directory, pages of one stream from head to tail, space header, bitmap"},
	txnTurns:      {"turns of commits", "engine/txn", false, "places of commits that are in the binary log and not visible yet"},
	binlogOrder:   {"binary log order", "binlog", false, "from Order to Placed; nobody waits for a checkpoint meanwhile"},
	redoAppend:    {"redo append", "engine/redo", false, "never held across I/O"},
	bufferFlush:   {"flush list", "engine/buffer", false, "pages enter it inside redo's append"},
	bufferLRU:     {"LRU and free list", "engine/buffer", false, "with the flush list held only to move a page to another frame"},
	bufferTable:   {"page table shard", "engine/buffer", false, "only misses take it; never held across I/O"},
	bufferDropped: {"dropped tablespaces", "engine/buffer", false, "a leaf"},
	purgeQueue:    {"purge queue", "engine/txn", false, ""},
	lockGraph:     {"wait graph", "engine/lock", false, "taken under a page latch; nobody waits for a lock meanwhile"},
	lockShard:     {"lock table shard", "engine/lock", true, "two, in the order of their index"},
	lockRuns:      {"runs", "engine/lock", false, ""},
	lockTreeRuns:  {"runs of a tree", "engine/lock", false, ""},
	lockOwner:     {"locks of an owner", "engine/lock", false, ""},
	txnAll:        {"begun transactions", "engine/txn", false, ""},
	txnList:       {"active transactions and views", "engine/txn", false, "held while ids are reserved in redo"},
	redoSegments:  {"redo segments", "engine/redo", false, "a leaf of redo"},
	binlogWriter:  {"binary log writer", "binlog", false, "the open file"},
	binlogFiles:   {"binary log files", "binlog", false, "index and claims of readers"},
	binlogState:   {"binary log state", "binlog", false, "queue, limits, sets"},
}

// The classes.
type (
	DictUse       struct{}
	UniqueKey     struct{}
	RowUndo       struct{}
	TreeShape     struct{}
	DictCache     struct{}
	DictIDs       struct{}
	DataPage      struct{}
	UndoStreams   struct{}
	UndoPage      struct{}
	TxnTurns      struct{}
	BinlogOrder   struct{}
	RedoAppend    struct{}
	BufferFlush   struct{}
	BufferLRU     struct{}
	BufferTable   struct{}
	BufferDropped struct{}
	PurgeQueue    struct{}
	LockGraph     struct{}
	LockShard     struct{}
	LockRuns      struct{}
	LockTreeRuns  struct{}
	LockOwner     struct{}
	TxnAll        struct{}
	TxnList       struct{}
	RedoSegments  struct{}
	BinlogWriter  struct{}
	BinlogFiles   struct{}
	BinlogState   struct{}
)

func (DictUse) Rung() Rung       { return dictUse }
func (UniqueKey) Rung() Rung     { return uniqueKey }
func (RowUndo) Rung() Rung       { return rowUndo }
func (TreeShape) Rung() Rung     { return treeShape }
func (DictCache) Rung() Rung     { return dictCache }
func (DictIDs) Rung() Rung       { return dictIDs }
func (DataPage) Rung() Rung      { return dataPage }
func (UndoStreams) Rung() Rung   { return undoStreams }
func (UndoPage) Rung() Rung      { return undoPage }
func (TxnTurns) Rung() Rung      { return txnTurns }
func (BinlogOrder) Rung() Rung   { return binlogOrder }
func (RedoAppend) Rung() Rung    { return redoAppend }
func (BufferFlush) Rung() Rung   { return bufferFlush }
func (BufferLRU) Rung() Rung     { return bufferLRU }
func (BufferTable) Rung() Rung   { return bufferTable }
func (BufferDropped) Rung() Rung { return bufferDropped }
func (PurgeQueue) Rung() Rung    { return purgeQueue }
func (LockGraph) Rung() Rung     { return lockGraph }
func (LockShard) Rung() Rung     { return lockShard }
func (LockRuns) Rung() Rung      { return lockRuns }
func (LockTreeRuns) Rung() Rung  { return lockTreeRuns }
func (LockOwner) Rung() Rung     { return lockOwner }
func (TxnAll) Rung() Rung        { return txnAll }
func (TxnList) Rung() Rung       { return txnList }
func (RedoSegments) Rung() Rung  { return redoSegments }
func (BinlogWriter) Rung() Rung  { return binlogWriter }
func (BinlogFiles) Rung() Rung   { return binlogFiles }
func (BinlogState) Rung() Rung   { return binlogState }
