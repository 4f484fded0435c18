package table

import (
	"bytes"
	"slices"
	"testing"

	"emberdb/engine/row"
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
