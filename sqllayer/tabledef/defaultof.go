package tabledef

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/sqlerr"
)

// DefaultValue is the default of column i as DEFAULT(c) gives it: a clock time is none.
func (d *TableDef) DefaultValue(ctx *sql.Context, i int) (any, error) {
	c, t := &d.Def.Columns[i], d.Columns[i].Type
	switch {
	case c.HasDefault && c.Generated == "" && IsCurrentTime(CurrentTime(c.Default)):
		if c.Nullable {
			return nil, nil
		}
		return t.Zero(), nil
	case c.HasDefault && !c.Literal:
		return nil, sqlerr.NewError(erDefaultAsValue, "DEFAULT function cannot be used with default value expressions")
	case c.HasDefault:
		return d.literalDefault(ctx, i)
	case c.Generated == "" && d.Columns[i].AutoIncrement:
		return t.Zero(), nil
	case c.Generated != "" || !c.Nullable || c.Required:
		return nil, sqlerr.NewError(mysql.ERNoDefaultForField, "Field '%s' doesn't have a default value", c.Name)
	}
	return nil, nil
}

// InitialValue is what a column of a row that is being made has before it is given a value: its
// default, if that is the same for all rows.
func (d *TableDef) InitialValue(ctx *sql.Context, i int) any {
	v, err := d.DefaultValue(ctx, i)
	if c := &d.Def.Columns[i]; err != nil && !c.Nullable && c.Generated == "" {
		return d.Columns[i].Type.Zero()
	}
	return v
}

const erDefaultAsValue = 3773

func (d *TableDef) literalDefault(ctx *sql.Context, i int) (any, error) {
	c, t := &d.Def.Columns[i], d.Columns[i].Type
	text, ok := literalValue(ctx, c.Default, t, &c.Column)
	if !ok {
		return nil, nil
	}
	var given any = text
	if types.IsBit(t) {
		bits, err := strconv.ParseUint(strings.Trim(text, "b'"), 2, 64)
		if err != nil {
			return nil, err
		}
		given = bits
	}
	v, _, err := t.Convert(ctx, given)
	return v, err
}
