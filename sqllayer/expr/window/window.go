package window

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// The window functions that go-mysql-server does not know: CUME_DIST and NTH_VALUE, which it lacks, and
// aggregates that it knows only over groups.

func init() {
	planbuilder.IsWindowFunc = func(ctx *sql.Context, name string) (bool, error) {
		switch name {
		case "cume_dist", "nth_value", "bit_and", "bit_or", "bit_xor", "json_arrayagg", "json_objectagg":
			return true, nil
		}
		return planbuilder.IsMySQLWindowFuncName(ctx, name)
	}
	operand.Register(
		sql.Function0{Name: "cume_dist", Fn: func(*sql.Context) sql.Expression { return &windowed{name: "cume_dist"} }},
		sql.Function2{Name: "nth_value", Fn: func(_ *sql.Context, e, n sql.Expression) sql.Expression {
			return &windowed{name: "nth_value", child: e, nth: n}
		}},
	)
}

// windowed is a call of one of them.
type windowed struct {
	name   string
	child  sql.Expression // of NTH_VALUE; nil for CUME_DIST
	nth    sql.Expression
	window *sql.WindowDefinition
	id     sql.ColumnId
}

var (
	_ sql.FunctionExpression        = (*windowed)(nil)
	_ sql.WindowAggregation         = (*windowed)(nil)
	_ sql.WindowAdaptableExpression = (*windowed)(nil)
	_ sql.CollationCoercible        = (*windowed)(nil)
)

// Id implements sql.IdExpression.
func (w *windowed) Id() sql.ColumnId { return w.id }

// WithId implements sql.IdExpression.
func (w *windowed) WithId(id sql.ColumnId) sql.IdExpression {
	out := *w
	out.id = id
	return &out
}

// FunctionName implements sql.FunctionExpression.
func (w *windowed) FunctionName() string { return w.name }

// Description implements sql.FunctionExpression.
func (w *windowed) Description() string { return "MySQL's " + w.name }

// Window implements sql.WindowAggregation.
func (w *windowed) Window() *sql.WindowDefinition { return w.window }

// WithWindow implements sql.WindowAdaptableExpression.
func (w *windowed) WithWindow(_ *sql.Context, window *sql.WindowDefinition) sql.WindowAdaptableExpression {
	out := *w
	out.window = window
	return &out
}

// Resolved implements sql.Expression.
func (w *windowed) Resolved() bool { return expression.ExpressionsResolved(w.Children()...) }

func (w *windowed) String() string {
	var b strings.Builder
	b.WriteString(w.name + "(")
	if w.child != nil {
		b.WriteString(w.child.String() + ", " + w.nth.String())
	}
	b.WriteString(")")
	if w.window != nil {
		b.WriteString(" " + w.window.String())
	}
	return b.String()
}

// Type implements sql.Expression.
func (w *windowed) Type(ctx *sql.Context) sql.Type {
	if w.child != nil {
		return w.child.Type(ctx)
	}
	return types.Float64
}

// IsNullable implements sql.Expression.
func (w *windowed) IsNullable(*sql.Context) bool { return w.child != nil }

// CollationCoercibility implements sql.CollationCoercible.
func (w *windowed) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if w.child != nil {
		return sql.GetCoercibility(ctx, w.child)
	}
	return sql.Collation_binary, 5
}

// Eval implements sql.Expression.
func (w *windowed) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, sql.ErrWindowUnsupported.New(strings.ToUpper(w.name))
}

// Children implements sql.Expression.
func (w *windowed) Children() []sql.Expression {
	var out []sql.Expression
	if w.window != nil {
		out = w.window.ToExpressions()
	}
	if w.child != nil {
		out = append(out, w.child, w.nth)
	}
	return out
}

// WithChildren implements sql.Expression.
func (w *windowed) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(w.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(w, len(children), len(w.Children()))
	}
	out := *w
	if w.child != nil {
		n := len(children) - 2
		out.child, out.nth = children[n], children[n+1]
		children = children[:n]
	}
	if w.window != nil {
		window, err := w.window.FromExpressions(ctx, children)
		if err != nil {
			return nil, err
		}
		out.window = window
	}
	return &out, nil
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (w *windowed) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	order := w.window.OrderBy.ToExpressions()
	if w.child == nil {
		return &cumeDist{partition: partition{framer: aggregation.NewPeerGroupFramer(order)}}, nil
	}
	n, err := w.nth.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	at, _, err := types.Int64.Convert(ctx, n)
	nth, ok := at.(int64)
	if err != nil || !ok || nth < 1 {
		return nil, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to nth_value")
	}
	e, err := transform.Clone(ctx, w.child)
	if err != nil {
		return nil, err
	}
	f := &nthValue{e: e, nth: int(nth), partition: partition{framer: aggregation.NewPeerGroupFramer(order)}, toPeers: true}
	switch {
	case w.window.Frame != nil:
		f.toPeers = false
		f.framer, err = w.window.Frame.NewFramer(w.window)
	case len(order) == 0:
		f.framer = aggregation.NewPartitionFramer()
	}
	return f, err
}

// partition is what the functions share: where the rows at hand begin and end.
type partition struct {
	framer sql.WindowFramer
	all    sql.WindowInterval
}

// Dispose implements sql.WindowFunction.
func (*partition) Dispose(*sql.Context) {}

// StartPartition implements sql.WindowFunction.
func (p *partition) StartPartition(_ *sql.Context, all sql.WindowInterval, _ sql.WindowBuffer) error {
	p.all = all
	return nil
}

// DefaultFramer implements sql.WindowFunction.
func (p *partition) DefaultFramer() sql.WindowFramer { return p.framer }

// cumeDist is the part of the rows that come before the row or are its equals; its frame is the
// latter.
type cumeDist struct{ partition }

// WithWindow implements sql.WindowFunction.
func (c *cumeDist) WithWindow(*sql.Context, *sql.WindowDefinition) (sql.WindowFunction, error) {
	return c, nil
}

// Compute implements sql.WindowFunction.
func (c *cumeDist) Compute(_ *sql.Context, peers sql.WindowInterval, _ sql.WindowBuffer) (any, error) {
	return float64(peers.End-c.all.Start) / float64(c.all.End-c.all.Start), nil
}

// nthValue is the value of the frame's n-th row.
type nthValue struct {
	partition
	e       sql.Expression
	nth     int
	toPeers bool // the frame goes from the first row to the last of those equal to this one, which are what the framer gives
}

// WithWindow implements sql.WindowFunction.
func (v *nthValue) WithWindow(*sql.Context, *sql.WindowDefinition) (sql.WindowFunction, error) {
	return v, nil
}

// Compute implements sql.WindowFunction.
func (v *nthValue) Compute(ctx *sql.Context, frame sql.WindowInterval, rows sql.WindowBuffer) (any, error) {
	if v.toPeers {
		frame.Start = v.all.Start
	}
	if frame.Start+v.nth > frame.End {
		return nil, nil
	}
	return v.e.Eval(ctx, rows[frame.Start+v.nth-1])
}
