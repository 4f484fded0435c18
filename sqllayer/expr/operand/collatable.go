package operand

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// Collatable is a number, a date or a document as the text behind which COLLATE stands.
type Collatable struct {
	One
	typ sql.Type
}

var _ sql.CollationCoercible = (*Collatable)(nil)

func init() {
	Register(sql.FunctionN{Name: CollatableOf, Fn: newCollatable})
}

// newCollatable makes a text of an operand of COLLATE that is none; e is the operand, and the second
// argument is the collation's name.
func newCollatable(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	e := args[0]
	if !e.Resolved() {
		return e, nil
	}
	name, err := args[1].Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	id, err := sql.ParseCollation("", fmt.Sprint(name), false)
	if err != nil {
		return e, nil // told where the collation is looked up
	}
	switch t := e.Type(ctx); {
	case t == types.Null, types.IsBit(t):
		return nil, mysql.NewSQLError(1253, "42000", "COLLATION '%s' is not valid for CHARACTER SET 'binary'", id.Name())
	case types.IsJSON(t):
		return &Collatable{Over(NewText(ctx, e, Anything)), types.CreateLongText(sql.Collation_utf8mb4_bin)}, nil
	case types.IsNumber(t), types.IsTime(t), types.IsTimespan(t):
		return &Collatable{Over(NewText(ctx, e, Anything)), types.CreateLongText(id)}, nil
	}
	return e, nil
}

// Type implements sql.Expression.
func (c *Collatable) Type(*sql.Context) sql.Type { return c.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (c *Collatable) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return c.typ.(sql.TypeWithCollation).Collation(), 2
}

// WithChildren implements sql.Expression.
func (c *Collatable) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *Collatable) Eval(ctx *sql.Context, row sql.Row) (any, error) { return c.Child.Eval(ctx, row) }
