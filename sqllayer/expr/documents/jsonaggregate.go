package documents

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// boundedAggregate is JSON_ARRAYAGG or JSON_OBJECTAGG: what it gathers is measured row by row, so
// that a result over max_allowed_packet is known before it is whole.
type boundedAggregate struct {
	sql.Aggregation
	name string
}

var _ sql.CollationCoercible = (*boundedAggregate)(nil)

func init() {
	for _, name := range []string{"json_arrayagg", "json_objectagg"} {
		f, _ := operand.Builtin(name)
		operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			for i, e := range args {
				args[i] = operand.NewPart(ctx, e)
			}
			e, err := f.NewInstance(ctx, args)
			if a, ok := e.(sql.Aggregation); ok && err == nil {
				return &boundedAggregate{a, name}, nil
			}
			return e, err
		}})
	}
}

func (a *boundedAggregate) over(inner any) *boundedAggregate {
	return &boundedAggregate{inner.(sql.Aggregation), a.name}
}

// CollationCoercibility implements sql.CollationCoercible.
func (a *boundedAggregate) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, a.Aggregation)
}

// WithChildren implements sql.Expression.
func (a *boundedAggregate) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	inner, err := a.Aggregation.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return a.over(inner), nil
}

// WithId implements sql.IdExpression.
func (a *boundedAggregate) WithId(id sql.ColumnId) sql.IdExpression {
	return a.over(a.Aggregation.WithId(id))
}

// WithWindow implements sql.WindowAdaptableExpression.
func (a *boundedAggregate) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return a.over(a.Aggregation.WithWindow(ctx, w))
}

// NewBuffer implements sql.Aggregation.
func (a *boundedAggregate) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	operands := a.Children()
	fields := make([]sql.Expression, len(operands))
	for i, e := range operands {
		fields[i] = &operand.Field{Like: operand.LikeOf(e), At: i}
	}
	inner, err := a.Aggregation.WithChildren(ctx, fields...)
	if err != nil {
		return nil, err
	}
	buffer, err := inner.(sql.Aggregation).NewBuffer(ctx)
	return &boundedBuffer{AggregationBuffer: buffer, of: a, operands: operands, meter: operand.Meter{Most: operand.Most(ctx)}}, err
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *boundedAggregate) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	f, err := a.Aggregation.NewWindowFunction(ctx)
	return &boundedWindow{f, a.name}, err
}

// boundedBuffer gathers until the result is too large.
type boundedBuffer struct {
	sql.AggregationBuffer
	of       *boundedAggregate
	operands []sql.Expression
	meter    operand.Meter
}

// Update implements sql.AggregationBuffer.
func (b *boundedBuffer) Update(ctx *sql.Context, row sql.Row) error {
	if b.meter.Size > b.meter.Most {
		return nil
	}
	values := make(sql.Row, len(b.operands))
	for i, e := range b.operands {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return err
		}
		if values[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return err
		}
		b.meter.Add(values[i], 2)
		b.meter.Size += int64(len(", "))
	}
	if b.meter.Depth > operand.MostJSONDepth {
		return operand.ErrJSONDepth
	}
	if err := b.AggregationBuffer.Update(ctx, values); err != nil || b.meter.Size <= b.meter.Most {
		return err
	}
	// Values of a name that came again are gone.
	v, err := b.AggregationBuffer.Eval(ctx)
	b.meter = operand.Meter{Most: b.meter.Most}
	b.meter.Add(v, 1)
	return err
}

// Eval implements sql.AggregationBuffer.
func (b *boundedBuffer) Eval(ctx *sql.Context) (any, error) {
	if b.meter.Size > b.meter.Most {
		return operand.TooLarge(ctx, b.of.name)
	}
	v, err := b.AggregationBuffer.Eval(ctx)
	return operand.Remade(v), err
}

// boundedWindow measures what each row's frame gives.
type boundedWindow struct {
	sql.WindowFunction
	name string
}

// Compute implements sql.WindowFunction.
func (w *boundedWindow) Compute(ctx *sql.Context, frame sql.WindowInterval, rows sql.WindowBuffer) (any, error) {
	if err := ctx.Err(); err != nil { // the library makes the results of all rows at once
		return nil, err
	}
	v, err := w.WindowFunction.Compute(ctx, frame, rows)
	if err != nil || v == nil {
		return v, err
	}
	return Fitting(ctx, w.name, v)
}
