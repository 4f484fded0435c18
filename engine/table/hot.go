package table

import (
	"emberdb/engine/btree"
	"emberdb/internal/base"
)

// HotLeaves yields the leaves of an index that may hold keys of the spans: see btree.Tree.Leaves. A
// table without such an index, or whose rows are under row ids, has none.
func (t *Table) HotLeaves(index string, spans []btree.Span, yield func(id base.PageID, span int) bool) error {
	for _, ix := range t.indexes {
		if ix.def.Name == index && len(ix.def.Parts) > 0 && !ix.def.Building {
			return ix.tree.Leaves(spans, func(no base.PageNo, span int) bool { return yield(base.PageID{Space: t.def.Space, No: no}, span) })
		}
	}
	return nil
}
