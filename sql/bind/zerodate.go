package bind

import (
	"emberdb/engine/row"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// zeroDates makes WHERE find dates of zeros where it asks for NULL: a condition that holds for the
// whole of WHERE and says IS NULL of a DATE or DATETIME column which is never NULL.
func (s *scope) zeroDates(where []fn.Expr) error {
	for i, e := range where {
		call, ok := e.(*fn.Call)
		if !ok || call.Name != "isnull" || !s.holdsDates(columnID(call.Args[0])) {
			continue
		}
		t := call.Args[0].Type()
		v := types.NewVec(t.Kind, 1)
		v.I[0] = 0
		zero, err := fn.Compare("=", fn.Clone(call.Args[0]), fn.NewConst(v, t.Nullify(false)))
		if err != nil {
			return err
		}
		if where[i] = zero; t.Nullable { // the row itself may be missing
			where[i] = fn.Or(zero, e)
		}
	}
	return nil
}

// holdsDates tells a DATE or DATETIME column of the block's own base tables that is never NULL.
func (s *scope) holdsDates(id int) bool {
	for _, t := range s.tables {
		if i := id - t.first; t.base && i >= 0 && i < len(t.columns) {
			c := t.columns[i].origin.Column
			return c != nil && !c.Nullable && (c.Type == row.TDate || c.Type == row.TDateTime)
		}
	}
	return false
}
