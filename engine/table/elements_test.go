package table

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// elementList is the value of a column that lists numbers.
func elementList(numbers ...uint64) row.Value {
	c := row.Column{Type: row.TUint64, Nullable: true}
	parts := make([][]byte, len(numbers))
	for i, n := range numbers {
		parts[i] = row.AppendKeyPart(nil, c, row.KeyPart{}, row.UintValue(n))
	}
	return row.BytesValue(row.Sorted(parts))
}

func listTable() *Table {
	cols := []row.Column{{Type: row.TUint64}, {Type: row.TBlob, Elements: row.TUint64, Nullable: true}, {Type: row.TUint64}}
	parts := []row.KeyPart{{Column: 2}, {Column: 1}}
	return &Table{cols: cols, layout: row.NewLayout(cols), indexes: []*index{{list: -1}, {parts: parts, list: listed(cols, parts), pos: 1}}}
}

// listKeys are the keys of a row in the list's index, without the clustered key.
func listKeys(t *Table, vals []row.Value) (keys [][]byte) {
	ix := t.indexes[1]
	for e := ix.elements(vals); e.next(); {
		keys = append(keys, t.appendKey(nil, ix, vals, e.part))
	}
	return keys
}

func TestElementsHaveAnEntryEach(t *testing.T) {
	tab := listTable()
	for _, c := range []struct {
		list row.Value
		want int
	}{{elementList(3, 1, 3), 2}, {elementList(), 0}, {row.NullValue, 1}} {
		vals := []row.Value{row.UintValue(1), c.list, row.UintValue(7)}
		keys := listKeys(tab, vals)
		if len(keys) != c.want || !slices.IsSortedFunc(keys, bytes.Compare) {
			t.Errorf("list %x: keys %x, %d wanted", c.list.B, keys, c.want)
		}
		v := version{row: tab.layout.Append(nil, vals, nil)}
		for _, key := range keys {
			entry := append(slices.Clone(key), "pk"...)
			if ok, err := tab.produces(new(walk), tab.indexes[1], &v, entry, []byte("pk")); !ok || err != nil {
				t.Errorf("list %x does not produce %x: %v", c.list.B, entry, err)
			}
			if rest, err := tab.splitEntry(tab.indexes[1], entry); string(rest) != "pk" || err != nil {
				t.Errorf("behind the key of %x is %q: %v", entry, rest, err)
			}
		}
		other := []row.Value{row.UintValue(1), elementList(9), row.UintValue(7)}
		entry := append(listKeys(tab, other)[0], "pk"...)
		if ok, err := tab.produces(new(walk), tab.indexes[1], &v, entry, []byte("pk")); ok || err != nil {
			t.Errorf("list %x produces the entry of 9: %v", c.list.B, err)
		}
	}
}

func TestElementsThatStayKeepTheirEntries(t *testing.T) {
	tab := listTable()
	rowOf := func(list row.Value, n uint64) []row.Value {
		return []row.Value{row.UintValue(1), list, row.UintValue(n)}
	}
	for _, c := range []struct {
		old, new   []row.Value
		gone, came int
	}{
		{rowOf(elementList(1, 2, 3), 7), rowOf(elementList(2, 3, 4, 5), 7), 1, 2},
		{rowOf(elementList(1, 2), 7), rowOf(elementList(1, 2), 8), 2, 2},
		{rowOf(row.NullValue, 7), rowOf(elementList(1), 7), 1, 1},
		{rowOf(elementList(1), 7), rowOf(elementList(), 7), 1, 0},
		{rowOf(row.NullValue, 7), rowOf(row.NullValue, 7), 0, 0},
	} {
		w := new(work)
		gone, came := 0, 0
		tab.eachChange(w, tab.indexes[1], c.old, c.new, func([]byte) { gone++ })
		tab.eachChange(w, tab.indexes[1], c.new, c.old, func([]byte) { came++ })
		if gone != c.gone || came != c.came {
			t.Errorf("from %x to %x: %d entries go and %d come, %d and %d wanted", c.old[1].B, c.new[1].B, gone, came, c.gone, c.came)
		}
	}
}

// TestListsThroughHistory changes rows of a table with multi-valued indexes in transactions that
// commit, roll back, or give up half of a statement, beside a reader that keeps old versions.
func TestListsThroughHistory(t *testing.T) {
	for _, inPlace := range []int{0, 1000} {
		e, r := newEnv(t, 4000, inPlace), newRand(t)
		list := col(row.TBlob, true)
		list.Elements = row.TUint64
		tab := e.create(&catalog.Table{Name: "t", AutoInc: -1, Columns: named(col(row.TInt64, false), list, col(row.TInt64, true)), Indexes: []*catalog.Index{
			{Name: "PRIMARY", Clustered: true, Unique: true, Parts: parts(0)}, {Name: "k", Parts: parts(2, 1), Kind: catalog.MultiValued},
			{Name: "u", Unique: true, Parts: parts(1), Kind: catalog.MultiValued}}})
		committed := map[int][]uint64{} // nil: NULL
		for range 300 {
			now := maps.Clone(committed)
			reader := e.begin(txn.RepeatableRead)
			_ = e.rows(tab, reader, ScanOptions{})
			tx := e.begin(txn.RepeatableRead)
			for range 1 + r.IntN(6) {
				stepLists(t, tab, tx, r, now)
			}
			e.commit(reader)
			if r.IntN(3) == 0 {
				e.rollback(tx)
			} else {
				e.commit(tx)
				committed = now
			}
			if r.IntN(20) == 0 {
				wakePurge(e, tab)
				e.drain()
				e.check()
			}
		}
		wakePurge(e, tab)
		e.drain()
		e.check()
		entries := 0
		for _, l := range committed {
			if entries += len(slices.Compact(slices.Sorted(slices.Values(l)))); l == nil {
				entries++
			}
		}
		for ix := range 3 {
			want := entries
			if ix == 0 {
				want = len(committed)
			}
			require.Len(t, e.now(tab, ix), want)
		}
		e.do(func(tx *txn.Trx) {
			for id := range committed {
				require.NoError(t, tab.Delete(bg, tx, []row.Value{row.IntValue(int64(id)), row.NullValue, row.NullValue}))
			}
		})
		e.drain()
		e.requireEmpty(tab)
	}
}

// wakePurge commits a change, since the end of a reader wakes nobody.
func wakePurge(e *env, tab *Table) {
	vals := []row.Value{row.IntValue(1000), elementList(1 << 40), row.NullValue}
	e.do(func(tx *txn.Trx) { require.NoError(e.t, tab.Insert(bg, tx, vals)) })
	e.do(func(tx *txn.Trx) { require.NoError(e.t, tab.Delete(bg, tx, vals)) })
}

// stepLists changes one row of the table and of the model.
func stepLists(t *testing.T, tab *Table, tx *txn.Trx, r *rand.Rand, now map[int][]uint64) {
	id := r.IntN(30)
	var l []uint64
	if r.IntN(6) > 0 {
		l = []uint64{}
		for range r.IntN(5) {
			l = append(l, uint64(r.IntN(300)))
		}
		if r.IntN(15) == 0 { // so many that the list leaves the row
			for range 1500 {
				l = append(l, uint64(1000*id+r.IntN(1000)+1000))
			}
		}
	}
	value := row.NullValue
	if l != nil {
		value = elementList(l...)
	}
	vals := []row.Value{row.IntValue(int64(id)), value, row.IntValue(int64(r.IntN(3)))}
	taken := func() bool {
		for other, has := range now {
			if other != id && slices.ContainsFunc(l, func(n uint64) bool { return slices.Contains(has, n) }) {
				return true
			}
		}
		return false
	}
	_, there := now[id]
	tx.StartStatement()
	var err error
	switch {
	case there && r.IntN(3) == 0:
		require.NoError(t, tab.Delete(bg, tx, vals))
		delete(now, id)
		return
	case there:
		err = tab.Update(bg, tx, vals, vals)
	case r.IntN(2) == 0:
		_, err = tab.InsertRows(bg, tx, vals)
	default:
		err = tab.Insert(bg, tx, vals)
	}
	if there && errors.Is(err, base.ErrRowTooBig) {
		return
	}
	if taken() {
		var dup *DuplicateError
		require.ErrorAs(t, err, &dup)
		require.Equal(t, "u", dup.Index.Name)
		return
	}
	require.NoError(t, err)
	now[id] = l
}
