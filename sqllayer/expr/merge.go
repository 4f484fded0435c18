package expr

import (
	"math"
	"slices"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Merged is an expression that gives the value of one of several others: CASE, IF, IFNULL,
// COALESCE, GREATEST, LEAST. Where these are exact numbers with a fraction, the result has the most
// digits of any of them; go-mysql-server makes it DECIMAL(65,30).
type Merged struct {
	One
	skip int // leading arguments that are no candidates
}

var _ sql.CollationCoercible = (*Merged)(nil)

// merged makes a function of go-mysql-server's a Merged one.
func merged(name string, skip int) sql.Function {
	f, _ := builtin(name)
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if f == nil {
			return nil, sql.ErrFunctionNotFound.New(name)
		}
		if name == "least" || name == "greatest" {
			if x := newExtreme(ctx, name, args); x != nil {
				return x, nil
			}
		}
		candidates := args[min(skip, len(args)):]
		args = slices.Concat(args[:len(args)-len(candidates)], besideOthers(ctx, candidates))
		if mixed(ctx, args[min(skip, len(args)):]) {
			args = append(append([]sql.Expression(nil), args[:skip]...), texts(ctx, args[skip:], anything&^documents)...)
		}
		e, err := f.NewInstance(ctx, args)
		if err != nil {
			return nil, err
		}
		return &Merged{Over(e), skip}, nil
	}}
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

// caseResult is the name of the function that Replace puts around CASE.
const caseResult = "case "

func init() {
	register(merged("coalesce", 0), merged("ifnull", 0), merged("if", 1), merged("greatest", 0), merged("least", 0),
		sql.Function1{Name: caseResult, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			m := &Merged{One: Over(e)}
			c, ok := e.(*expression.Case)
			if !ok {
				return m
			}
			candidates := besideOthers(ctx, m.candidates())
			if mixed(ctx, candidates) {
				candidates = texts(ctx, candidates, anything&^documents)
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

// CollationCoercibility implements sql.CollationCoercible.
func (m *Merged) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, m.Child)
}

// WithChildren implements sql.Expression.
func (m *Merged) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(m, children)
}

func (m *Merged) candidates() []sql.Expression {
	c, ok := m.Child.(*expression.Case)
	if !ok {
		all := m.Child.Children()
		return all[min(m.skip, len(all)):]
	}
	var out []sql.Expression
	for _, b := range c.Branches {
		out = append(out, b.Value)
	}
	if c.Else != nil {
		out = append(out, c.Else)
	}
	return out
}

// exact gives the digits of the result; ok is false if it is no exact number with a fraction.
func (m *Merged) exact(ctx *sql.Context) (s shape, ok bool) {
	if !types.IsDecimal(m.Child.Type(ctx)) {
		return s, false
	}
	for _, e := range m.candidates() {
		one := shapeOf(ctx, e)
		if one.kind == double {
			return s, false
		}
		s.scale, s.digits = max(s.scale, one.scale), max(s.digits, one.digits)
	}
	return s, true
}

// Type implements sql.Expression.
func (m *Merged) Type(ctx *sql.Context) sql.Type {
	if s, ok := m.exact(ctx); ok {
		return decimalType(s.digits, s.scale)
	}
	return m.Child.Type(ctx)
}

// Eval implements sql.Expression.
func (m *Merged) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	s, ok := m.exact(ctx)
	if !ok {
		return v, nil
	}
	n, null, err := numberOf(ctx, v, m.Child.Type(ctx))
	if err != nil || null {
		return nil, err
	}
	d, err := n.asDecimal()
	if err != nil {
		return nil, err
	}
	return Rounded(d, min(s.scale, maxScale))
}

// Round is ROUND and TRUNCATE.
type Round struct {
	many
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
		return &Round{overMany(args), name, exact, whole}, nil
	}}
}

// FunctionName implements sql.FunctionExpression.
func (r *Round) FunctionName() string { return r.name }

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
	return WithChildren(r, children)
}

// Type implements sql.Expression: the digits are known if they are a literal.
func (r *Round) Type(ctx *sql.Context) sql.Type {
	s := shapeOf(ctx, r.ChildExpressions[0])
	switch s.kind {
	case integer:
		if s.unsigned {
			return types.Uint64
		}
		return types.Int64
	case double:
		return types.Float64
	}
	scale := int32(0)
	if len(r.ChildExpressions) == 2 {
		scale = s.scale
		if l, ok := r.ChildExpressions[1].(*expression.Literal); ok {
			if n, null, err := numberOf(ctx, l.Value(), types.Int64); err == nil && !null {
				whole, _, _ := n.asInteger()
				scale = int32(max(min(whole, int64(s.scale)), 0))
			}
		}
	}
	return decimalType(s.digits+1, scale)
}

// Eval implements sql.Expression.
func (r *Round) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	e := r.ChildExpressions[0]
	n, null, err := numberAt(ctx, e, row)
	if err != nil || null {
		return nil, err
	}
	digits := int64(0)
	if len(r.ChildExpressions) == 2 {
		by, null, err := numberAt(ctx, r.ChildExpressions[1], row)
		if err != nil || null {
			return nil, err
		}
		digits, _, _ = by.asInteger()
		digits = max(min(digits, maxScale), -maxPrecision)
	}
	if shapeOf(ctx, e).kind == double {
		return roundedDouble(n.asFloat(), int(digits), r.whole), nil
	}
	return r.round(ctx, n, digits)
}

// roundedDouble brings a double to a number of digits behind the point; it stays as it is where
// that is out of range.
func roundedDouble(f float64, digits int, whole func(float64) float64) float64 {
	factor := math.Pow10(digits)
	if out := whole(f*factor) / factor; !math.IsInf(out, 0) && !math.IsNaN(out) {
		return out
	}
	return f
}

func (r *Round) round(ctx *sql.Context, n number, digits int64) (any, error) {
	if n.kind == integer && digits >= 0 {
		if n.large {
			return uint64(n.whole), nil
		}
		return n.whole, nil
	}
	d, err := n.asDecimal()
	if err != nil {
		return nil, err
	}
	c := apd.BaseContext.WithPrecision(200)
	c.Rounding = r.exact
	out := new(apd.Decimal)
	if _, err := c.Quantize(out, d, int32(-digits)); err != nil {
		return nil, err
	}
	if n.kind == integer {
		if i, err := Rounded(out, 0); err == nil {
			whole, large, _ := number{kind: decimal, dec: i}.asInteger()
			if large {
				return uint64(whole), nil
			}
			return whole, nil
		}
	}
	if t, ok := r.Type(ctx).(sql.DecimalType); ok {
		return Rounded(out, int32(t.Scale()))
	}
	return out, nil
}
