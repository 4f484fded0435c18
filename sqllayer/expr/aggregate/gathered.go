package aggregate

import (
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// gathered is JSON_ARRAYAGG or JSON_OBJECTAGG: an array of values, or an object of names and values,
// NULL of no rows.
type gathered struct {
	name   string
	args   []sql.Expression // a name, of objects only, and a value
	window *sql.WindowDefinition
	id     sql.ColumnId
}

var (
	_ sql.FunctionExpression = (*gathered)(nil)
	_ sql.Aggregation        = (*gathered)(nil)
	_ sql.CollationCoercible = (*gathered)(nil)
)

func init() {
	of := func(name string, operands int) sql.Function {
		return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			if len(args) != operands {
				return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(name), operands, len(args))
			}
			for _, e := range args {
				if e.Resolved() && types.IsGeometry(e.Type(ctx)) {
					return nil, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to %s", name)
				}
			}
			return &gathered{name: name, args: args}, nil
		}}
	}
	operand.Register(of("json_arrayagg", 1), of("json_objectagg", 2))
}

// Id implements sql.IdExpression.
func (g *gathered) Id() sql.ColumnId { return g.id }

// WithId implements sql.IdExpression.
func (g *gathered) WithId(id sql.ColumnId) sql.IdExpression {
	out := *g
	out.id = id
	return &out
}

// FunctionName implements sql.FunctionExpression.
func (g *gathered) FunctionName() string { return g.name }

// Description implements sql.FunctionExpression.
func (g *gathered) Description() string { return "MySQL's " + g.name }

// Window implements sql.WindowAdaptableExpression.
func (g *gathered) Window() *sql.WindowDefinition { return g.window }

// WithWindow implements sql.WindowAdaptableExpression.
func (g *gathered) WithWindow(_ *sql.Context, window *sql.WindowDefinition) sql.WindowAdaptableExpression {
	out := *g
	out.window = window
	return &out
}

// Resolved implements sql.Expression.
func (g *gathered) Resolved() bool { return expression.ExpressionsResolved(g.Children()...) }

func (g *gathered) String() string {
	var args []string
	for _, e := range g.args {
		args = append(args, e.String())
	}
	text := strings.ToUpper(g.name) + "(" + strings.Join(args, ", ") + ")"
	if g.window != nil {
		text += " " + g.window.String()
	}
	return text
}

// Type implements sql.Expression.
func (*gathered) Type(*sql.Context) sql.Type { return types.JSON }

// IsNullable implements sql.Expression.
func (*gathered) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (*gathered) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_bin, 2
}

// Eval implements sql.Expression.
func (*gathered) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, mysql.NewSQLError(1111, "HY000", "Invalid use of group function")
}

// Children implements sql.Expression.
func (g *gathered) Children() []sql.Expression {
	out := slices.Clone(g.args)
	if g.window != nil {
		out = append(out, g.window.ToExpressions()...)
	}
	return out
}

// WithChildren implements sql.Expression.
func (g *gathered) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if want := len(g.Children()); len(children) != want {
		return nil, sql.ErrInvalidChildrenNumber.New(g, len(children), want)
	}
	out := *g
	out.args = slices.Clone(children[:len(g.args)])
	if g.window != nil {
		window, err := g.window.FromExpressions(ctx, children[len(g.args):])
		if err != nil {
			return nil, err
		}
		out.window = window
	}
	return &out, nil
}

// NewBuffer implements sql.Aggregation.
func (g *gathered) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	return g.newGathering(ctx), nil
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (g *gathered) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	return newOverFrames(ctx, g.newGathering(ctx), g.args[0], g.window)
}

func (g *gathered) newGathering(ctx *sql.Context) *gathering {
	b := &gathering{of: g, most: operand.Most(ctx)}
	b.reset()
	return b
}

// gathering is the document of the rows that it has seen. It is measured row by row, so that one
// over max_allowed_packet is known before it is whole.
type gathering struct {
	of     *gathered
	most   int64
	meter  operand.Meter
	array  []any
	object map[string]any
}

func (b *gathering) reset() {
	b.meter, b.array, b.object = operand.Meter{Most: b.most}, nil, map[string]any{}
}

// Update implements sql.AggregationBuffer.
func (b *gathering) Update(ctx *sql.Context, row sql.Row) error {
	if b.meter.Size > b.most {
		return nil
	}
	var values [2]any
	for i, e := range b.of.args {
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
	part := operand.DocumentPart(values[len(b.of.args)-1])
	if w, ok := part.(sql.JSONWrapper); ok {
		var err error
		if part, err = w.ToInterface(ctx); err != nil {
			return err
		}
	}
	if len(b.of.args) == 1 {
		b.array = append(b.array, part)
		return nil
	}
	name, err := operand.ShownText(ctx, values[0])
	if err != nil {
		return err
	}
	b.object[name] = part
	if b.meter.Size > b.most { // values of a name that came again are gone
		b.meter = operand.Meter{Most: b.most}
		b.meter.Add(b.object, 1)
	}
	return nil
}

// Eval implements sql.AggregationBuffer. What it gives stays as it is when more rows come.
func (b *gathering) Eval(ctx *sql.Context) (any, error) {
	switch {
	case b.meter.Size > b.most:
		return operand.TooLarge(ctx, b.of.name)
	case b.array != nil:
		return operand.MadeOf(slices.Clip(b.array)), nil
	case len(b.object) > 0:
		return operand.MadeOf(maps.Clone(b.object)), nil
	}
	return nil, nil
}

// Dispose implements sql.Disposable.
func (b *gathering) Dispose(ctx *sql.Context) {
	for _, e := range b.of.args {
		expression.Dispose(ctx, e)
	}
}
