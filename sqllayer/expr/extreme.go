package expr

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Extreme is LEAST and GREATEST of texts or of numbers; of dates and times see moment.go.
// go-mysql-server compares texts by their bytes and numbers as doubles.
type Extreme struct {
	many
	name string
	text collated
	coll sql.CollationID // unspecified: numbers
}

var _ sql.FunctionExpression = (*Extreme)(nil)
var _ sql.CollationCoercible = (*Extreme)(nil)

// newExtreme returns nil for arguments of which some are not known yet, or that have no type at
// all.
func newExtreme(ctx *sql.Context, name string, args []sql.Expression) sql.Expression {
	kinds := map[argument]bool{}
	for _, e := range args {
		if !e.Resolved() {
			return nil
		}
		kinds[argumentOf(e.Type(ctx))] = true
	}
	if delete(kinds, anyNull); len(args) < 2 || len(kinds) == 0 || kinds[anyOther] {
		return nil
	}
	x := &Extreme{many: overMany(slices.Clone(args)), name: name}
	switch {
	case kinds[aMoment] || kinds[aClock] && len(kinds) == 1:
		return newLatest(ctx, name, args)
	case !kinds[aNumber] || len(kinds) > 1:
		for i, e := range args {
			x.ChildExpressions[i] = written(ctx, e)
		}
		x.coll = commonCollation(ctx, x.ChildExpressions)
		x.text = collate(x.coll)
	}
	return x
}

// argument is what LEAST and GREATEST want to know of an argument.
type argument int

const (
	anyNull argument = iota
	aNumber
	aText
	aMoment // DATE, DATETIME, TIMESTAMP
	aClock  // TIME
	anyOther
)

func argumentOf(t sql.Type) argument {
	switch {
	case t == types.Null:
		return anyNull
	case types.IsTimespan(t):
		return aClock
	case types.IsTime(t):
		return aMoment
	case types.IsText(t), isNamed(t), types.IsJSON(t):
		return aText
	case types.IsNumber(t):
		return aNumber
	}
	return anyOther
}

// written makes a text of what is none.
func written(ctx *sql.Context, e sql.Expression) sql.Expression {
	switch t := e.Type(ctx); {
	case types.IsText(t), t == types.Null:
		return e
	case isNamed(t):
		return &Member{Over(e)}
	}
	return &Text{Over(e)}
}

// commonCollation is the collation by which texts compare with each other.
func commonCollation(ctx *sql.Context, args []sql.Expression) sql.CollationID {
	c, n := sql.GetCoercibility(ctx, args[0])
	for _, e := range args {
		if t := e.Type(ctx); types.IsText(t) && isBinary(t) {
			return sql.Collation_binary
		}
	}
	for _, e := range args[1:] {
		c2, n2 := sql.GetCoercibility(ctx, e)
		if both, m := sql.ResolveCoercibility(c, n, c2, n2); both != sql.Collation_Unspecified {
			c, n = both, m
		}
	}
	return c
}

// FunctionName implements sql.FunctionExpression.
func (x *Extreme) FunctionName() string { return x.name }

// Description implements sql.FunctionExpression.
func (x *Extreme) Description() string { return "the " + x.name + " of values" }

func (x *Extreme) String() string { return x.name + expression.Tuple(x.ChildExpressions).String() }

// CollationCoercibility implements sql.CollationCoercible.
func (x *Extreme) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	if x.coll == sql.Collation_Unspecified {
		return sql.Collation_binary, 5
	}
	return x.coll, 2
}

// WithChildren implements sql.Expression.
func (x *Extreme) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(x, children)
}

func (x *Extreme) shape(ctx *sql.Context) (out shape) {
	first := true
	for _, e := range x.ChildExpressions {
		s := shapeOf(ctx, e)
		if e.Type(ctx) == types.Null {
			continue
		}
		if first {
			out, first = s, false
			continue
		}
		if out.kind == integer && s.kind == integer && out.unsigned != s.unsigned {
			out.kind = decimal // neither type has all values
		}
		out.kind, out.unsigned = max(out.kind, s.kind), out.unsigned && s.unsigned
		out.scale, out.digits = max(out.scale, s.scale), max(out.digits, s.digits)
	}
	return out
}

// Type implements sql.Expression.
func (x *Extreme) Type(ctx *sql.Context) sql.Type {
	if x.coll != sql.Collation_Unspecified {
		return types.CreateLongText(x.coll)
	}
	return x.shape(ctx).typ()
}

// typ is the type of a number of this shape.
func (s shape) typ() sql.Type {
	switch {
	case s.kind == double:
		return types.Float64
	case s.kind == decimal:
		return decimalType(s.digits, s.scale)
	case s.unsigned:
		return types.Uint64
	}
	return types.Int64
}

// Eval implements sql.Expression.
func (x *Extreme) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var bestText string
	var bestNumber number
	for i, e := range x.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		var n int
		var num number
		var text string
		if x.coll != sql.Collation_Unspecified {
			if text, _, err = textOf(ctx, v); err != nil {
				return nil, err
			}
			if n, err = x.text.compare(ctx, text, bestText); err != nil {
				return nil, err
			}
		} else {
			if num, _, err = numberOf(ctx, v, e.Type(ctx)); err != nil {
				return nil, err
			}
			if n, err = num.compare(bestNumber); err != nil {
				return nil, err
			}
		}
		if i == 0 || x.name == "least" && n < 0 || x.name == "greatest" && n >= 0 {
			bestText, bestNumber = text, num
		}
	}
	switch x.coll {
	case sql.Collation_Unspecified:
	case sql.Collation_binary:
		return []byte(bestText), nil
	default:
		return bestText, nil
	}
	return bestNumber.as(x.shape(ctx))
}

// compare compares numbers of any kind.
func (n number) compare(m number) (int, error) {
	switch {
	case n.kind == double || m.kind == double:
		a, b := n.asFloat(), m.asFloat()
		if a < b {
			return -1, nil
		}
		if a > b {
			return 1, nil
		}
		return 0, nil
	case n.kind == integer && m.kind == integer:
		return n.compareInteger(m), nil
	}
	a, err := n.asDecimal()
	if err != nil {
		return 0, err
	}
	b, err := m.asDecimal()
	if err != nil {
		return 0, err
	}
	return a.Cmp(b), nil
}

// as gives a number the form of a shape's values.
func (n number) as(s shape) (any, error) {
	switch s.kind {
	case double:
		return n.asFloat(), nil
	case decimal:
		d, err := n.asDecimal()
		if err != nil {
			return nil, err
		}
		return Rounded(d, min(s.scale, maxScale))
	}
	if s.unsigned {
		return uint64(n.whole), nil
	}
	return n.whole, nil
}
