package table

import (
	"bytes"
	"context"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Lookups finds the rows of many keys of an index together. The keys are values of its leading
// columns. They are sought in their order, so those of one leaf need one descent; and so are the
// rows behind the entries of a secondary index.
//
//	keys, ascending ──> records of the index, copied leaf by leaf
//	  clustered: they are the rows
//	  secondary: their clustered keys, ascending ──> rows, copied leaf by leaf
//	──> the version of each row that is visible, without a latch
type Lookups struct {
	s     Scan
	first bool

	items  []lookup
	order  []row.KeyRef
	of     []int32
	packed []byte // rows made of entries
}

// lookup is a record that was found.
type lookup struct {
	of       int32 // the number of its key
	settled  bool  // clustered: everybody sees it; secondary: everybody sees all changes of its page
	key, end int   // its key in the scan's arena
	rest     int   // secondary: where the clustered key begins
	row, to  int   // the clustered value in the arena; to == 0: there is none
}

// lookupBytes is how much Find keeps of what it finds.
const lookupBytes = 2 << 20

// Begin makes l look-ups in an index. first: one row of each key is enough. False: the rows of the
// table are not found this way.
func (l *Lookups) Begin(t *Table, tx *txn.Trx, o ScanOptions, first bool) bool {
	if t.parts != nil || t.svc.OnDamage != nil || o.Lock != None {
		return false
	}
	l.s.Restart(t, tx, o)
	l.first = first
	return true
}

// Close gives up what was found.
func (l *Lookups) Close() {
	l.s.Close()
	if cap(l.packed) > keepBytes {
		l.packed = nil
	}
}

// Rows are the rows that Find has found.
func (l *Lookups) Rows() *Rows { return &l.s.leaves.rows }

// Of is the number of the key of each of the rows. The rows of a key stand in the order of the
// index, and the keys in theirs.
func (l *Lookups) Of() []int32 { return l.of }

// Find finds the rows of keys, which ascend, and returns how many keys these are: all of them, or
// fewer where there are more rows than most, or they take too much memory; then there are none. The
// rows are valid until the next call.
func (l *Lookups) Find(ctx context.Context, keys [][]byte, most int) (n int, err error) {
	s := &l.s
	s.call = ctx
	if err := interrupted(ctx); err != nil {
		return 0, err
	}
	if !s.begun {
		if err := s.begin(ctx); err != nil {
			return 0, err
		}
		s.leaves.variable = s.t.layout.Variable(s.cols)
	}
	s.h.own = s.tx.ID()
	s.h.all = s.o.Fresh || s.tx.Savepoint() <= s.h.mark
	s.arena, l.items, l.of, l.packed = s.arena[:0], l.items[:0], l.of[:0], l.packed[:0]
	lv := &s.leaves
	lv.rows.Bytes, lv.rows.long, lv.mem, lv.held = lv.rows.Bytes[:0], nil, lv.mem[:0], 0
	for n < len(keys) {
		ok := false
		if n, ok, err = l.records(keys, n, most); !ok || err != nil {
			return n, err
		}
	}
	if s.ix.pos > 0 {
		if err := l.behind(); err != nil {
			return 0, err
		}
	}
	for i := range l.items {
		if lv.held >= mostHeld {
			lv.rows.Bytes, lv.rows.long, l.of = lv.rows.Bytes[:0], nil, l.of[:0]
			return int(l.items[i].of), nil
		}
		if err := l.show(&l.items[i]); err != nil {
			return 0, err
		}
	}
	l.count(keys)
	return n, nil
}

// records copies the records of keys from number at on, as far as one descent leads, and returns
// the number of the next key. False: there are too many records, of the next key at the latest.
func (l *Lookups) records(keys [][]byte, at, most int) (next int, ok bool, err error) {
	s := &l.s
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := s.ix.tree.Seek(m, keys[at], buffer.Shared)
	if err != nil {
		return 0, false, err
	}
	up := l.upLimit()
	for {
		for cur.Valid() && bytes.HasPrefix(cur.Key(), keys[at]) {
			if len(l.items) >= most || len(s.arena) >= lookupBytes {
				return at, false, nil
			}
			if l.take(&cur, int32(at), up) && l.first {
				break
			}
			if err := cur.Next(); err != nil {
				return 0, false, err
			}
		}
		if at++; at == len(keys) || !cur.Valid() {
			return len(keys), true, nil
		}
		if !cur.Ahead(keys[at]) {
			return at, true, nil
		}
	}
}

// upLimit is the transaction from which on changes may not be visible.
func (l *Lookups) upLimit() base.TrxID {
	if l.s.tx.Isolation() == txn.ReadUncommitted {
		return 0 // it sees changes before their entries are there: it always looks at the row
	}
	return l.s.h.view.UpLimit()
}

// take copies the cursor's record, unless nobody sees its row any more. certain: its row is
// visible.
func (l *Lookups) take(cur *btree.Cursor, of int32, up base.TrxID) (certain bool) {
	s := &l.s
	value := cur.Value()
	x := lookup{of: of, key: len(s.arena)}
	if s.ix.pos > 0 {
		if x.settled = writerOf(cur) < up; x.settled && value[0]&flagDeleted != 0 {
			return false
		}
	} else if h := parseHeader(value); h.trx < up && h.trx != s.h.own {
		if x.settled = true; h.deleted() {
			return false
		}
	}
	s.arena = append(s.arena, cur.Key()...)
	x.end = len(s.arena)
	if s.ix.pos == 0 {
		x.row = len(s.arena)
		s.arena = append(s.arena, value...)
		x.to = len(s.arena)
	}
	l.items = append(l.items, x)
	return x.settled
}

// behind copies the rows behind entries, but for those that the entries tell.
func (l *Lookups) behind() error {
	s := &l.s
	l.order = l.order[:0]
	for i := range l.items {
		x := &l.items[i]
		key, err := s.t.splitEntry(s.ix, s.arena[x.key:x.end])
		if err != nil {
			return err
		}
		if x.rest = x.end - len(key); !s.covering || !x.settled {
			l.order = append(l.order, row.NewKeyRef(key, i))
		}
	}
	row.SortKeys(l.order, l.clusteredKey)
	for at := 0; at < len(l.order); {
		var err error
		if at, err = l.fetch(at); err != nil {
			return err
		}
	}
	return nil
}

// clusteredKey is the one of an entry.
func (l *Lookups) clusteredKey(at int32) []byte {
	x := &l.items[at]
	return l.s.arena[x.rest:x.end]
}

// fetch copies the rows of l.order from number at on, as far as one descent leads, and returns the
// number of the next one.
func (l *Lookups) fetch(at int) (next int, err error) {
	s := &l.s
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := s.t.clustered().tree.Seek(m, l.clusteredKey(l.order[at].At), buffer.Shared)
	if err != nil {
		return 0, err
	}
	for cur.Valid() {
		x := &l.items[l.order[at].At]
		if cur.Exact(s.arena[x.rest:x.end]) {
			if err := s.t.checkValue(cur.Value()); err != nil {
				return 0, err
			}
			x.row = len(s.arena)
			s.arena = append(s.arena, cur.Value()...)
			x.to = len(s.arena)
		}
		if at++; at == len(l.order) || !cur.Ahead(l.clusteredKey(l.order[at].At)) {
			return at, nil
		}
	}
	return len(l.order), nil // the tree ends here
}

// show adds the visible version of a record's row, if there is one.
func (l *Lookups) show(x *lookup) (err error) {
	s := &l.s
	if n := len(l.of); l.first && n > 0 && l.of[n-1] == x.of {
		return nil
	}
	rows := &s.leaves.rows
	key := s.arena[x.key:x.end:x.end]
	switch {
	case x.settled && s.covering:
		err = l.unpack(key)
	case x.to == 0:
		return nil
	case s.ix.pos > 0:
		entry := key
		if key = s.arena[x.rest:x.end:x.end]; x.settled {
			entry = nil
		}
		err = s.takeVersion(key, s.arena[x.row:x.to:x.to], entry)
	case x.settled && !s.t.layout.Overflows(s.arena[x.row+headerLen:x.to], s.leaves.variable):
		rows.Bytes = append(rows.Bytes, s.arena[x.row+headerLen:x.to:x.to])
	default:
		err = s.takeVersion(key, s.arena[x.row:x.to:x.to], nil)
	}
	if len(rows.Bytes) > len(l.of) {
		l.of = append(l.of, x.of)
	}
	return err
}

// unpack adds a row of what an entry has of it.
func (l *Lookups) unpack(entry []byte) error {
	s := &l.s
	rows := &s.leaves.rows
	if len(s.cols) == 0 {
		rows.Bytes = append(rows.Bytes, nil)
		return nil
	}
	vals, err := s.decodeEntry(entry)
	if err != nil {
		return err
	}
	from := len(l.packed)
	l.packed = s.t.layout.Append(l.packed, vals[:len(s.t.cols)], nil)
	rows.Bytes = append(rows.Bytes, l.packed[from:len(l.packed):len(l.packed)])
	return nil
}

// count tells the transaction's counters of look-ups, as Scan.count does of one each.
func (l *Lookups) count(keys [][]byte) {
	s, c := &l.s, l.s.tx.Counts
	if c == nil || len(keys) == 0 {
		return
	}
	n := len(s.leaves.rows.Bytes)
	s.usedFor().add(Fetch, n)
	c.Add(txn.RowsRead, n)
	c.Add(txn.ReadKey, len(keys))
	if rest, err := row.SkipKey(keys[0], s.t.cols, s.ix.parts); !s.ix.unique || err != nil || len(rest) > 0 {
		c.Add(txn.ReadNext, n)
	}
}

// Size is about how many bytes l holds.
func (l *Lookups) Size() int {
	const perRow = 128 // of an item, a reference and a slice each
	return cap(l.s.arena) + cap(l.packed) + cap(l.s.leaves.mem) + perRow*cap(l.items)
}
