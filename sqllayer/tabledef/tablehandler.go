package tabledef

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sqllayer/store"
)

// HandlerValue is the value of a part of the key.
type HandlerValue struct {
	Default bool
	Value   any
	Type    sql.Type
}

// StoreLoosely makes a value what a column stores.
func (d *TableDef) StoreLoosely(ctx *sql.Context, column int, v HandlerValue) (out row.Value, err error) {
	c, st := &d.Columns[column], store.NewStorer(ctx, true)
	value := v.Value
	switch {
	case !v.Default:
		value, err = st.Given(ctx, c, v.Type, value)
	case c.Default == nil:
		return row.NullValue, nil
	default:
		value, err = c.Default.Eval(ctx, nil)
	}
	if err != nil {
		return out, err
	}
	return d.Codecs[column].Encode(ctx, value)
}
