package bind

import (
	"strings"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// The query of an UPDATE or a DELETE: FROM and WHERE find the rows, and the items are the values that
// columns get. Key adds the keys of the rows themselves.

// KeyType is the type of the keys of rows: an index has at most 16 columns of 3,072 bytes together.
func KeyType() types.Type { return types.StringType(4096, types.Binary, types.Implicit, true) }

// Key adds the keys of a table's rows to the items, and returns the place of the item.
func (q *Query) Key(b *Base) (item int) {
	b.KeyID = b.First + len(b.Table.Names)
	q.Items = append(q.Items, Item{Expr: &fn.Column{ID: b.KeyID, Name: "key", T: KeyType()}, Name: "key"})
	return len(q.Items) - 1
}

// Base finds a base table of FROM by its name there, and by its schema if several have that name; nil:
// there is none, or it is another kind of table.
func (q *Query) Base(schema, alias string) (found *Base) {
	var look func(Source)
	look = func(s Source) {
		switch s := s.(type) {
		case *Base:
			if strings.EqualFold(s.Alias, alias) && (found == nil || s.Table.Def.Schema == schema) {
				found = s
			}
		case *Join:
			look(s.L)
			look(s.R)
		}
	}
	if q.From != nil {
		look(q.From)
	}
	return found
}
