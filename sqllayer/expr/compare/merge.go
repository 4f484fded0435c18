package compare

import (
	"math"
	"slices"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/temporal"
)

// merged makes a function of go-mysql-server's a Merged one.
func merged(name string, skip int) sql.Function {
	f, _ := operand.Builtin(name)
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if f == nil {
			return nil, sql.ErrFunctionNotFound.New(name)
		}
		if name == "least" || name == "greatest" {
			if x := newExtreme(ctx, name, args); x != nil {
				return x, nil
			}
		}
		if name == "coalesce" {
			if first := temporal.FirstDate(ctx, args); first != nil {
				return first, nil
			}
			if some := slices.DeleteFunc(slices.Clone(args), isNull); len(some) > 0 {
				args = some // go-mysql-server takes the type of bytes behind NULL for NULL's
			}
		}
		candidates := args[min(skip, len(args)):]
		args = slices.Concat(args[:len(args)-len(candidates)], besideOthers(ctx, candidates))
		if mixed(ctx, args[min(skip, len(args)):]) {
			args = append(append([]sql.Expression(nil), args[:skip]...), operand.Texts(ctx, args[skip:], operand.Anything)...)
		}
		e, err := f.NewInstance(ctx, args)
		if err != nil {
			return nil, err
		}
		return &operand.Merged{One: operand.Over(e), Skip: skip}, nil
	}}
}

// isNull tells whether an operand is the literal NULL.
func isNull(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Value() == nil
}

// mixed tells whether texts stand among the candidates: the result is a text.
func mixed(ctx *sql.Context, args []sql.Expression) bool {
	text := false
	for _, e := range args {
		if !e.Resolved() {
			return false
		}
		text = text || types.IsText(e.Type(ctx))
	}
	return text
}

func init() {
	operand.Register(merged("coalesce", 0), merged("ifnull", 0), merged("if", 1), merged("greatest", 0), merged("least", 0),
		sql.Function1{Name: numbers.CaseResult, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			m := &operand.Merged{One: operand.Over(e)}
			c, ok := e.(*expression.Case)
			if !ok {
				return m
			}
			candidates := besideOthers(ctx, m.Candidates())
			if mixed(ctx, candidates) {
				candidates = operand.Texts(ctx, candidates, operand.Anything)
			}
			all := *c
			all.Branches = slices.Clone(c.Branches)
			for i := range all.Branches {
				all.Branches[i].Value = candidates[i]
			}
			if c.Else != nil {
				all.Else = candidates[len(candidates)-1]
			}
			m.Child = &all
			return m
		}},
		rounding("round", apd.RoundHalfUp, math.RoundToEven), rounding("truncate", apd.RoundDown, math.Trunc))
}

// Round is ROUND and TRUNCATE.
type Round struct {
	operand.Many
	name  string
	exact apd.Rounder
	whole func(float64) float64
}

var _ sql.FunctionExpression = (*Round)(nil)

var _ sql.CollationCoercible = (*Round)(nil)

func rounding(name string, exact apd.Rounder, whole func(float64) float64) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < 1 || len(args) > 2 || name == "truncate" && len(args) == 1 {
			return nil, sql.ErrInvalidArgumentNumber.New(name, "2", len(args))
		}
		return &Round{operand.OverMany(args), name, exact, whole}, nil
	}}
}

// FunctionName implements sql.FunctionExpression.
func (r *Round) FunctionName() string { return r.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (r *Round) Operator() string { return r.name }

// Description implements sql.FunctionExpression.
func (r *Round) Description() string { return "brings a number to a number of digits behind its point" }

func (r *Round) String() string {
	text := r.name + "(" + r.ChildExpressions[0].String()
	if len(r.ChildExpressions) == 2 {
		text += "," + r.ChildExpressions[1].String()
	}
	return text + ")"
}

// IsNullable implements sql.Expression.
func (r *Round) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (r *Round) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(r, children)
}

// Type implements sql.Expression: the digits are known if they are a literal.
func (r *Round) Type(ctx *sql.Context) sql.Type {
	s := operand.ShapeOf(ctx, r.ChildExpressions[0])
	switch s.Kind {
	case operand.Integer:
		if s.Unsigned {
			return types.Uint64
		}
		return types.Int64
	case operand.Double:
		return types.Float64
	}
	scale := int32(0)
	if len(r.ChildExpressions) == 2 {
		scale = s.Scale
		if l, ok := r.ChildExpressions[1].(*expression.Literal); ok {
			if n, null, err := operand.NumberOf(ctx, l.Value(), types.Int64); err == nil && !null {
				whole, _, _ := n.AsInteger()
				scale = int32(max(min(whole, int64(s.Scale)), 0))
			}
		}
	}
	return operand.DecimalType(s.Digits+1, scale)
}

// Eval implements sql.Expression.
func (r *Round) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	e := r.ChildExpressions[0]
	n, null, err := operand.NumberAt(ctx, e, row)
	if err != nil || null {
		return nil, err
	}
	digits := int64(0)
	if len(r.ChildExpressions) == 2 {
		by, null, err := operand.NumberAt(ctx, r.ChildExpressions[1], row)
		if err != nil || null {
			return nil, err
		}
		digits, _, _ = by.AsInteger()
		digits = max(min(digits, operand.MaxScale), -operand.MaxPrecision)
	}
	if operand.ShapeOf(ctx, e).Kind == operand.Double {
		return numbers.RoundedDouble(n.AsFloat(), int(digits), r.whole), nil
	}
	return r.round(ctx, n, digits)
}

func (r *Round) round(ctx *sql.Context, n operand.Number, digits int64) (any, error) {
	if n.Kind == operand.Integer && digits >= 0 {
		if n.Large {
			return uint64(n.Whole), nil
		}
		return n.Whole, nil
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	c := apd.BaseContext.WithPrecision(200)
	c.Rounding = r.exact
	out := new(apd.Decimal)
	if _, err := c.Quantize(out, d, int32(-digits)); err != nil {
		return nil, err
	}
	if n.Kind == operand.Integer {
		if i, err := operand.Rounded(out, 0); err == nil {
			whole, large, _ := operand.Number{Kind: operand.Decimal, Dec: i}.AsInteger()
			if large {
				return uint64(whole), nil
			}
			return whole, nil
		}
	}
	if t, ok := r.Type(ctx).(sql.DecimalType); ok {
		return operand.Rounded(out, int32(t.Scale()))
	}
	return out, nil
}

// besideOthers makes bytes of geometries where other values are among the candidates: all are of
// one type.
func besideOthers(ctx *sql.Context, candidates []sql.Expression) []sql.Expression {
	geometries, others := 0, 0
	for _, e := range candidates {
		if !e.Resolved() {
			return candidates
		}
		if t := e.Type(ctx); operand.IsSpatial(t) {
			geometries++
		} else if t != types.Null {
			others++
		}
	}
	if geometries == 0 || others == 0 {
		return candidates
	}
	out := make([]sql.Expression, len(candidates))
	for i, e := range candidates {
		if out[i] = e; operand.IsSpatial(e.Type(ctx)) {
			out[i] = &operand.GeometryBytes{One: operand.Over(e)}
		}
	}
	return out
}
