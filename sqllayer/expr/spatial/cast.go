package spatial

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// Error numbers of casts.
const (
	erInvalidCast    = 4032
	erWrongDirection = 4033
)

// casting is CAST to a kind of geometries.
type casting struct {
	operand.One
	to  string
	typ sql.Type
}

func init() {
	for _, k := range geometryKinds[1:] {
		to := strings.ToLower(k.name)
		operand.Register(sql.Function1{Name: operand.CastAs + to, Fn: func(_ *sql.Context, x sql.Expression) sql.Expression {
			return &casting{operand.Over(x), to, k.typ}
		}})
	}
}

// CastsTo tells whether there is a CAST to a kind of geometries of that name.
func CastsTo(name string) bool {
	return slices.ContainsFunc(geometryKinds[1:], func(k geometryKind) bool { return strings.EqualFold(k.name, name) })
}

func (c *casting) String() string { return "cast(" + c.Child.String() + " as " + c.to + ")" }

// Type implements sql.Expression.
func (c *casting) Type(*sql.Context) sql.Type { return c.typ }

// IsNullable implements sql.Expression.
func (c *casting) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (c *casting) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *casting) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	g, err := knownGeometry(ctx, "cast_as_"+c.to, v)
	if err != nil {
		return nil, err
	}
	out, err := geometry.Casts[c.to](g)
	var not *geometry.CastError
	if !errors.As(err, &not) {
		return out, err
	}
	code, state, more := erInvalidCast, "22S01", ""
	if not.Turns {
		code, state, more = erWrongDirection, "22S04", " A polygon ring is in the wrong direction."
	}
	return nil, mysql.NewSQLError(code, state, "Invalid cast from %s to %s.%s", shownKind(not.Part), strings.ToUpper(c.to), more)
}

var _ sql.Expression = (*casting)(nil)
