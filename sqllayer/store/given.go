package store

import (
	"context"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// GivenColumn is a column of the target that the values of an INSERT name. Its value is the one
// that the statement has given it before, as it will be stored, or else its default.
type GivenColumn struct {
	Column  *sql.Column
	At      int // in the target's schema
	Default any
	row     *GivenRow // nil until the statement runs
}

var (
	_ ast.Injectable         = (*GivenColumn)(nil)
	_ sql.Expression         = (*GivenColumn)(nil)
	_ sql.CollationCoercible = (*GivenColumn)(nil)
)

// WithResolvedChildren implements ast.Injectable.
func (g *GivenColumn) WithResolvedChildren(context.Context, []any) (any, error) { return g, nil }

// Resolved implements sql.Expression.
func (*GivenColumn) Resolved() bool { return true }

func (g *GivenColumn) String() string { return g.Column.Name }

// Type implements sql.Expression.
func (g *GivenColumn) Type(*sql.Context) sql.Type { return g.Column.Type }

// IsNullable implements sql.Expression.
func (*GivenColumn) IsNullable(*sql.Context) bool { return true }

// Children implements sql.Expression.
func (*GivenColumn) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (g *GivenColumn) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(g, len(children), 0)
	}
	return g, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (g *GivenColumn) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if !types.IsText(g.Column.Type) {
		return sql.Collation_binary, 5
	}
	collation, _ := g.Column.Type.CollationCoercibility(ctx)
	return collation, 2
}

// Eval implements sql.Expression.
func (g *GivenColumn) Eval(*sql.Context, sql.Row) (any, error) {
	if g.row != nil {
		if v, ok := g.row.values[g.At]; ok {
			return v, nil
		}
	}
	return g.Default, nil
}

// GivenRow is a row of VALUES whose values are being computed, in the statement's order.
type GivenRow struct {
	schema sql.Schema
	storer Storer
	values map[int]any // by place in the schema, as they will be stored
}

// NewGivenRow makes a row of a target of which no column has a value yet.
func NewGivenRow(ctx *sql.Context, schema sql.Schema) *GivenRow {
	return &GivenRow{schema: schema, storer: NewStorer(ctx, true), values: make(map[int]any)}
}

// Of ties the column to the row.
func (g *GivenRow) Of(c *GivenColumn) *GivenColumn {
	tied := *c
	tied.row = g
	return &tied
}

// Keeping wraps the value for a column of the row: later values may read it.
func (g *GivenRow) Keeping(e sql.Expression, at int) sql.Expression {
	return &keptValue{One: operand.Over(e), row: g, at: at}
}

// keep notes a value as the column will store it. Whoever stores it tells what is lost.
func (g *GivenRow) keep(ctx *sql.Context, at int, from sql.Type, v any) {
	c := g.schema[at]
	inner := ctx.WithContext(ctx.Context)
	inner.Session = unheard{ctx.Session, operand.Mode(ctx), operand.Zone(ctx)}
	stored, err := g.storer.Given(inner, c, from, v)
	if err == nil && stored != nil {
		stored, _, err = c.Type.Convert(inner, stored)
	}
	switch {
	case err != nil:
		return
	case stored == nil && !c.Nullable:
		stored = c.Type.Zero()
	}
	g.values[at] = stored
}

// unheard is a session that no warning reaches.
type unheard struct {
	sql.Session
	mode *sql.SqlMode
	zone *time.Location
}

// Warn implements sql.Session.
func (unheard) Warn(*sql.Warning) {}

// SQLMode implements operand.Moded.
func (u unheard) SQLMode() *sql.SqlMode { return u.mode }

// Zone implements operand.Zoned.
func (u unheard) Zone() *time.Location { return u.zone }

// keptValue is a value of a row that later values may read.
type keptValue struct {
	operand.One
	row *GivenRow
	at  int
}

// Type implements sql.Expression.
func (e *keptValue) Type(ctx *sql.Context) sql.Type { return e.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (e *keptValue) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, e.Child)
}

// WithChildren implements sql.Expression.
func (e *keptValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *keptValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err == nil {
		e.row.keep(ctx, e.at, e.Child.Type(ctx), v)
	}
	return v, err
}
