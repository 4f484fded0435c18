package table

import (
	"fmt"
	"strings"
)

func (b *bank) dump(tag int) string {
	var s strings.Builder
	key := b.e.ik(b.t, 2, fmt.Sprint("tag", tag))
	ix := b.t.indexes[2]
	_ = b.t.eachRecord(bg, ix, func(entry, value []byte) error {
		if string(entry[:min(len(key), len(entry))]) != string(key) {
			return nil
		}
		pk, _ := b.t.splitEntry(ix, entry)
		val, ok, err := b.t.fetch(nil, pk)
		fmt.Fprintf(&s, "%x flags %d row %v %v", pk, value[0], ok, err)
		if ok {
			var w walk
			for v := newVersion(val); ; {
				vs := b.t.layout.Decode(v.row, nil)
				fmt.Fprintf(&s, " <- [trx %d %v undo %d:%d deleted %v: %s]", v.trx, b.e.txns.State(v.trx), v.ptr.Page(), v.ptr.Offset(), v.deleted(), show(vs))
				if ok, err := b.t.older(&w, &v); !ok || err != nil {
					fmt.Fprintf(&s, " end %v", err)
					break
				}
			}
		}
		s.WriteString("\n")
		return nil
	})
	return s.String()
}
