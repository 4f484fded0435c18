package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	own "emberdb/sql/types"
)

// The character set of a text that is made of columns of several sets, where the library knows none.
// Source: MySQL's manual, "Collation Coercibility in Expressions".

// mixing are the functions that put texts together.
var mixing = map[string]bool{"concat": true, "concat_ws": true}

// ofColumns is the coercibility of columns.
const ofColumns = 2

// mixed is the collation of a text that a function makes of columns with different character sets;
// unspecified for any other text.
func mixed(ctx *sql.Context, name string, of []sql.Expression) (sql.CollationID, error) {
	var first, c sql.CollationID
	several := false
	for _, e := range of {
		if !e.Resolved() || OfSubquery(ctx, e) {
			return sql.Collation_Unspecified, nil
		}
		if !IsText(e.Type(ctx)) {
			if IsBinary(e.Type(ctx)) {
				return sql.Collation_Unspecified, nil
			}
			continue
		}
		other, n := sql.GetCoercibility(ctx, e)
		switch {
		case n < ofColumns || own.ReachOf(uint16(other)) == own.NoCharacters:
			return sql.Collation_Unspecified, nil
		case n > ofColumns:
			continue
		case first == sql.Collation_Unspecified:
			first, c = other, other
			continue
		case c.CharacterSet() == other.CharacterSet():
			continue
		}
		several = true
		a, b := own.ReachOf(uint16(c)), own.ReachOf(uint16(other))
		switch {
		case a < b:
			c = other
		case a == b && a != own.AllUnicode:
			return 0, illegalMix(name, c, other, len(of))
		}
	}
	if !several {
		return sql.Collation_Unspecified, nil
	}
	return c, nil
}

func illegalMix(name string, a, b sql.CollationID, operands int) error {
	if operands != 2 {
		return mysql.NewSQLError(1271, "HY000", "Illegal mix of collations for operation '%s'", name)
	}
	return mysql.NewSQLError(1267, "HY000", "Illegal mix of collations (%s,IMPLICIT) and (%s,IMPLICIT) for operation '%s'", a.Name(), b.Name(), name)
}

// Mixture is a text of a collation that follows from the columns it is made of.
type Mixture struct {
	Like
	typ sql.Type
}

// inMixture wraps a text of a collation.
func inMixture(ctx *sql.Context, e sql.Expression, c sql.CollationID) (sql.Expression, error) {
	t, ok := e.Type(ctx).(sql.StringType)
	if !ok {
		return e, nil
	}
	typ, err := types.CreateString(t.Type(), t.MaxCharacterLength(), c)
	if err != nil {
		return InCollation(ctx, e), nil
	}
	return &Mixture{LikeOf(e), typ}, nil
}

// Type implements sql.Expression.
func (m *Mixture) Type(*sql.Context) sql.Type { return m.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (m *Mixture) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return m.typ.(sql.StringType).Collation(), ofColumns
}

// WithChildren implements sql.Expression.
func (m *Mixture) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(m, children)
}

// Eval implements sql.Expression.
func (m *Mixture) Eval(ctx *sql.Context, row sql.Row) (any, error) { return m.Child.Eval(ctx, row) }
