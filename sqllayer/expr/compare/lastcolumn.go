package compare

import "github.com/dolthub/go-mysql-server/sql"

// lastColumn is the last column of a row. The row of a subquery begins with the columns of the
// queries around it.
type lastColumn struct{ typ sql.Type }

var _ sql.Expression = lastColumn{}
var _ sql.CollationCoercible = lastColumn{}

// Resolved implements sql.Expression.
func (lastColumn) Resolved() bool { return true }

func (lastColumn) String() string { return "last column" }

// Type implements sql.Expression.
func (l lastColumn) Type(*sql.Context) sql.Type { return l.typ }

// IsNullable implements sql.Expression.
func (lastColumn) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (l lastColumn) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return l.typ.CollationCoercibility(ctx)
}

// Children implements sql.Expression.
func (lastColumn) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (l lastColumn) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(l, len(children), 0)
	}
	return l, nil
}

// Eval implements sql.Expression.
func (lastColumn) Eval(_ *sql.Context, row sql.Row) (any, error) { return row[len(row)-1], nil }
