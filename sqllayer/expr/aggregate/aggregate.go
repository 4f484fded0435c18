package aggregate

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
)

// sumDigits is what SUM adds to the digits before the point.
const sumDigits = 22

// Sum is SUM.
type Sum struct{ *aggregation.Sum }

// Avg is AVG.
type Avg struct{ *aggregation.Avg }

// Max is MAX. go-mysql-server does not know it for its own, else it would make a scan of the
// primary key of it, which has no row where MAX is NULL.
type Max struct{ *aggregation.Max }

// Min is MIN.
type Min struct{ *aggregation.Min }

func init() {
	operand.Register(
		sql.Function1{Name: "max", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			return &Max{aggregation.NewMax(byName(ctx, e))}
		}},
		sql.Function1{Name: "min", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			return &Min{aggregation.NewMin(byName(ctx, e))}
		}},
		sql.Function1{Name: "sum", Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Sum{aggregation.NewSum(e)} }},
		sql.Function1{Name: "avg", Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Avg{aggregation.NewAvg(e)} }},
	)
}

// byName makes an ENUM or SET a text, which MAX and MIN go by.
func byName(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e.Resolved() && operand.IsNamed(e.Type(ctx)) {
		return &operand.Member{One: operand.Over(e)}
	}
	return e
}

var (
	_ sql.Aggregation = (*Sum)(nil)
	_ sql.Aggregation = (*Avg)(nil)
	_ sql.Aggregation = (*Max)(nil)
	_ sql.Aggregation = (*Min)(nil)
)

// Type implements sql.Expression.
func (a *Sum) Type(ctx *sql.Context) sql.Type {
	s := operand.ShapeOf(ctx, a.Child)
	if s.Kind == operand.Double {
		return types.Float64
	}
	return operand.DecimalType(s.Digits+sumDigits, s.Scale)
}

// IsNullable implements sql.Expression.
func (a *Sum) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (a *Sum) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := a.Sum.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Sum{e.(*aggregation.Sum)}, nil
}

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Sum) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Sum{a.Sum.WithWindow(ctx, w).(*aggregation.Sum)}
}

// WithId implements sql.IdExpression.
func (a *Sum) WithId(id sql.ColumnId) sql.IdExpression {
	return &Sum{a.Sum.WithId(id).(*aggregation.Sum)}
}

// NewBuffer implements sql.Aggregation.
func (a *Sum) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	return newTotal(ctx, a.Child, false)
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *Sum) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	return newWindowTotal(ctx, a.Child, a.Window(), false)
}

// Type implements sql.Expression.
func (a *Avg) Type(ctx *sql.Context) sql.Type {
	s := operand.ShapeOf(ctx, a.Child)
	if s.Kind == operand.Double {
		return types.Float64
	}
	return operand.DecimalType(s.Digits, s.Scale+numbers.DivisionScale(ctx))
}

// IsNullable implements sql.Expression.
func (a *Avg) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (a *Avg) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := a.Avg.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Avg{e.(*aggregation.Avg)}, nil
}

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Avg) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Avg{a.Avg.WithWindow(ctx, w).(*aggregation.Avg)}
}

// WithId implements sql.IdExpression.
func (a *Avg) WithId(id sql.ColumnId) sql.IdExpression {
	return &Avg{a.Avg.WithId(id).(*aggregation.Avg)}
}

// NewBuffer implements sql.Aggregation.
func (a *Avg) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	return newTotal(ctx, a.Child, true)
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *Avg) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	return newWindowTotal(ctx, a.Child, a.Window(), true)
}

// EndOf tells whether an expression is the greatest or least value of a column.
func EndOf(e sql.Expression) (of *expression.GetField, greatest bool) {
	switch e := e.(type) {
	case *Max:
		of, _ = e.Child.(*expression.GetField)
		return of, true
	case *Min:
		of, _ = e.Child.(*expression.GetField)
	}
	return of, false
}

// WithChildren implements sql.Expression.
func (a *Max) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := a.Max.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Max{e.(*aggregation.Max)}, nil
}

// IsNullable implements sql.Expression.
func (a *Max) IsNullable(*sql.Context) bool { return true }

// IsNullable implements sql.Expression.
func (a *Min) IsNullable(*sql.Context) bool { return true }

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Max) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Max{a.Max.WithWindow(ctx, w).(*aggregation.Max)}
}

// WithId implements sql.IdExpression.
func (a *Max) WithId(id sql.ColumnId) sql.IdExpression {
	return &Max{a.Max.WithId(id).(*aggregation.Max)}
}

// WithChildren implements sql.Expression.
func (a *Min) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := a.Min.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Min{e.(*aggregation.Min)}, nil
}

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Min) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Min{a.Min.WithWindow(ctx, w).(*aggregation.Min)}
}

// WithId implements sql.IdExpression.
func (a *Min) WithId(id sql.ColumnId) sql.IdExpression {
	return &Min{a.Min.WithId(id).(*aggregation.Min)}
}

// NewBuffer implements sql.Aggregation.
func (a *Max) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	child, err := transform.Clone(ctx, operand.Comparing(ctx, a.Child))
	if err != nil {
		return nil, err
	}
	return aggregation.NewMaxBuffer(child), nil
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *Max) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	child, err := transform.Clone(ctx, operand.Comparing(ctx, a.Child))
	if err != nil {
		return nil, err
	}
	return aggregation.NewMaxAgg(child).WithWindow(ctx, a.Window())
}

// NewBuffer implements sql.Aggregation.
func (a *Min) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	child, err := transform.Clone(ctx, operand.Comparing(ctx, a.Child))
	if err != nil {
		return nil, err
	}
	return aggregation.NewMinBuffer(child), nil
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *Min) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	child, err := transform.Clone(ctx, operand.Comparing(ctx, a.Child))
	if err != nil {
		return nil, err
	}
	return aggregation.NewMinAgg(child).WithWindow(ctx, a.Window())
}

// total adds up values; it implements sql.AggregationBuffer.
type total struct {
	child sql.Expression
	typ   sql.Type
	shape operand.Shape
	avg   bool
	count int64
	float float64
	small int64 // the part of dec that has not been added to it yet; integers only
	dec   apd.Decimal
}

func newTotal(ctx *sql.Context, e sql.Expression, avg bool) (*total, error) {
	child, err := transform.Clone(ctx, e)
	if err != nil {
		return nil, err
	}
	return &total{child: child, typ: child.Type(ctx), shape: operand.ShapeOf(ctx, child), avg: avg}, nil
}

// Update implements sql.AggregationBuffer.
func (t *total) Update(ctx *sql.Context, row sql.Row) error {
	v, err := t.child.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	n, null, err := operand.NumberOf(ctx, v, t.typ)
	if err != nil || null {
		return err
	}
	t.count++
	if t.shape.Kind == operand.Double {
		t.float += n.AsFloat()
		return nil
	}
	const safe = 1 << 61
	if n.Kind == operand.Integer && !n.Large && n.Whole < safe && n.Whole > -safe {
		if t.small += n.Whole; t.small < safe && t.small > -safe {
			return nil
		}
		n.Whole, t.small = t.small, 0
	}
	d, err := n.AsDecimal()
	if err != nil {
		return err
	}
	_, err = operand.Exact.Add(&t.dec, &t.dec, d)
	return err
}

// Eval implements sql.AggregationBuffer.
func (t *total) Eval(ctx *sql.Context) (any, error) {
	if t.count == 0 {
		return nil, nil
	}
	if t.shape.Kind == operand.Double {
		if t.avg {
			return t.float / float64(t.count), nil
		}
		return t.float, nil
	}
	sum := new(apd.Decimal)
	if _, err := operand.Exact.Add(sum, &t.dec, apd.New(t.small, 0)); err != nil {
		return nil, err
	}
	scale := min(t.shape.Scale, operand.MaxScale)
	if t.avg {
		scale = min(scale+numbers.DivisionScale(ctx), operand.MaxScale)
		if _, err := operand.Exact.Quo(sum, sum, apd.New(t.count, 0)); err != nil {
			return nil, err
		}
	}
	out, err := operand.Rounded(sum, scale)
	if err == nil && out.NumDigits()+int64(out.Exponent) > operand.MaxPrecision {
		return nil, mysql.NewSQLError(1690, "22003", "DECIMAL value is out of range in 'sum(%s)'", numbers.Shown(t.child))
	}
	return out, err
}

// Dispose implements sql.Disposable.
func (t *total) Dispose(ctx *sql.Context) { expression.Dispose(ctx, t.child) }

func (t *total) reset() {
	t.count, t.float, t.small = 0, 0, 0
	t.dec = apd.Decimal{}
}

// resettable is an aggregate that can begin anew.
type resettable interface {
	sql.AggregationBuffer
	reset()
}

// overFrames is an aggregate of the rows of frames. A frame that begins where the last one did is
// added to, any other is added up anew.
type overFrames struct {
	resettable
	framer sql.WindowFramer
	last   sql.WindowInterval
}

// newOverFrames makes it of an aggregate of an expression. The frame is the business of
// go-mysql-server's own function.
func newOverFrames(ctx *sql.Context, a resettable, e sql.Expression, w *sql.WindowDefinition) (sql.WindowFunction, error) {
	like, err := aggregation.NewSumAgg(e).WithWindow(ctx, w)
	if err != nil {
		return nil, err
	}
	return &overFrames{resettable: a, framer: like.DefaultFramer()}, nil
}

func newWindowTotal(ctx *sql.Context, e sql.Expression, w *sql.WindowDefinition, avg bool) (sql.WindowFunction, error) {
	t, err := newTotal(ctx, e, avg)
	if err != nil {
		return nil, err
	}
	return newOverFrames(ctx, t, t.child, w)
}

// DefaultFramer implements sql.WindowFunction.
func (w *overFrames) DefaultFramer() sql.WindowFramer { return w.framer }

// StartPartition implements sql.WindowFunction.
func (w *overFrames) StartPartition(*sql.Context, sql.WindowInterval, sql.WindowBuffer) error {
	w.reset()
	w.last = sql.WindowInterval{Start: -1, End: -1}
	return nil
}

// Compute implements sql.WindowFunction.
func (w *overFrames) Compute(ctx *sql.Context, frame sql.WindowInterval, rows sql.WindowBuffer) (any, error) {
	next := frame.Start
	if frame.Start == w.last.Start && frame.End >= w.last.End {
		next = w.last.End
	} else {
		w.reset()
	}
	w.last = frame
	for ; next < frame.End; next++ {
		if err := w.Update(ctx, rows[next]); err != nil {
			return nil, err
		}
	}
	return w.Eval(ctx)
}
