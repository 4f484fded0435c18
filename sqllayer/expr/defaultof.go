package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
)

// DefaultOf is the function that DEFAULT(c) becomes: of the names of a column and of the tables it
// may be of.
const DefaultOf = "\x00default"

// ColumnDefault finds the column and its default; package sqllayer knows the tables.
var ColumnDefault func(ctx *sql.Context, names []string) (Default, error)

// Default is the default of a column.
type Default struct {
	operand.Many
	Value  any
	Typ    sql.Type
	Stored *row.Column // the column's storage
}

func init() {
	operand.Register(sql.FunctionN{Name: DefaultOf, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		names := make([]string, len(args))
		for i, a := range args {
			l, ok := a.(*expression.Literal)
			if !ok {
				return nil, sql.ErrFunctionNotFound.New(DefaultOf)
			}
			names[i], _ = l.Value().(string)
		}
		if len(names) < 3 {
			return nil, sql.ErrInvalidArgumentNumber.New(DefaultOf, 3, len(args))
		}
		d, err := ColumnDefault(ctx, names)
		return &d, err
	}})
}

// Type implements sql.Expression.
func (d *Default) Type(*sql.Context) sql.Type { return d.Typ }

// CollationCoercibility implements sql.CollationCoercible.
func (d *Default) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	c, _ := d.Typ.CollationCoercibility(ctx)
	return c, 2
}

func (d *Default) String() string { return "default" }

// WithChildren implements sql.Expression.
func (d *Default) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *Default) Eval(*sql.Context, sql.Row) (any, error) { return d.Value, nil }
