package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// elt is ELT: the text of a number. go-mysql-server's fails for texts of more than 64 KiB.
type elt struct {
	Many
	typ sql.Type
}

func newElt(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) < 2 {
		return nil, sql.ErrInvalidArgumentNumber.New("ELT", "2 or more", len(args))
	}
	e := &elt{OverMany(args), types.LongText}
	for _, a := range args[1:] {
		if a.Resolved() && IsBinary(a.Type(ctx)) {
			e.typ = types.LongBlob
		}
	}
	return e, nil
}

func (e *elt) String() string {
	s := Scalar{Many: e.Many, Name: "elt"}
	return s.String()
}

// Type implements sql.Expression.
func (e *elt) Type(*sql.Context) sql.Type { return e.typ }

// IsNullable implements sql.Expression.
func (*elt) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (e *elt) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	c, n := sql.GetCoercibility(ctx, e.ChildExpressions[1])
	for _, a := range e.ChildExpressions[2:] {
		other, m := sql.GetCoercibility(ctx, a)
		c, n = sql.ResolveCoercibility(c, n, other, m)
	}
	return c, n
}

// WithChildren implements sql.Expression.
func (e *elt) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newElt(ctx, children...)
}

// Eval implements sql.Expression.
func (e *elt) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	at, err := e.ChildExpressions[0].Eval(ctx, row)
	if err != nil || at == nil {
		return nil, err
	}
	n, err := IntegerIn(ctx, at)
	if err != nil || n < 1 || n >= int64(len(e.ChildExpressions)) {
		return nil, err
	}
	v, err := e.ChildExpressions[n].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return ShownText(ctx, v)
}
