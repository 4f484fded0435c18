package plandesc

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/sql/explain"
	"emberdb/sql/histogram"
	sqltypes "emberdb/sql/types"
	"emberdb/sqllayer"
)

// shares tells what part of the rows below a filter its conditions let pass: by histograms of
// columns, else by the forms of the conditions.
type shares struct {
	ctx    *sql.Context
	layer  *sqllayer.Layer
	tables map[string]*sqllayer.Table // by the names that columns have
}

func (p *Planner) shares(ctx *sql.Context, below sql.Node) shares {
	s := shares{ctx, p.S.Layer(), make(map[string]*sqllayer.Table)}
	transform.InspectWithOpaque(ctx, below, func(_ *sql.Context, n sql.Node) bool {
		name := ""
		switch n := n.(type) {
		case *plan.TableAlias:
			name = n.Name()
		case *plan.ResolvedTable:
			name = n.Name()
		case *plan.IndexedTableAccess:
			name = n.Name()
		}
		if t, ok := sqllayer.TableBelow(n).(*sqllayer.Table); ok && name != "" && s.tables[strings.ToLower(name)] == nil {
			s.tables[strings.ToLower(name)] = t
		}
		return true
	})
	return s
}

// all is the part of rows for which every part of a condition holds.
func (s shares) all(condition sql.Expression) float64 {
	share := 1.0
	for _, part := range expression.SplitConjunction(s.ctx, condition) {
		if told, ok := s.told(part); ok {
			share *= told
			continue
		}
		switch part.(type) {
		case *expression.Equals, *expression.IsNull, *expression.NullSafeEquals:
			share *= explain.PassEqual
		case *expression.Between:
			share *= explain.PassBetween
		case *expression.Not:
			share *= 1 - explain.PassEqual
		default:
			share *= explain.PassRange
		}
	}
	return share
}

// column is a column that has a histogram.
type column struct {
	*histogram.Histogram
	table *sqllayer.Table
	at    int
}

func (s shares) column(e sql.Expression) (c column, ok bool) {
	f, is := e.(*expression.GetField)
	if !is {
		return c, false
	}
	t := s.tables[strings.ToLower(f.Table())]
	if t == nil || t.Temporary {
		return c, false
	}
	i := t.Def.Find(f.Name())
	if i < 0 {
		return c, false
	}
	h := s.layer.Histogram(s.ctx, t.Def.Def, i)
	return column{h, t, i}, h != nil
}

// point is the place of an expression without columns among the values of a column.
func (s shares) point(c column, e sql.Expression) (p histogram.Point, ok bool) {
	fixed := !transform.InspectExpr(s.ctx, e, func(_ *sql.Context, x sql.Expression) bool {
		switch x.(type) {
		case *expression.GetField, *plan.Subquery:
			return true
		}
		return false
	})
	if !fixed {
		return p, false
	}
	v, err := e.Eval(s.ctx, nil)
	if err != nil || v == nil {
		return p, false
	}
	var vec *sqltypes.Vec
	number := func(k sqltypes.Kind, n int64) {
		vec = sqltypes.NewVec(k, 1)
		vec.I[0] = n
	}
	codec := &c.table.Def.Codecs[c.at]
	switch c.Type {
	case "int", "uint", "double", "decimal":
		f, _, err := types.Float64.Convert(s.ctx, v)
		if err != nil {
			return p, false
		}
		vec = sqltypes.NewVec(sqltypes.Float, 1)
		vec.F[0] = f.(float64)
		return c.Point(vec, 0)
	}
	stored, err := codec.Encode(s.ctx, v)
	if err != nil || stored.IsNull() {
		return p, false
	}
	switch c.table.Def.Def.Columns[c.at].Type {
	case row.TDate:
		n := stored.Int()
		number(sqltypes.DateTime, sqltypes.PackDate(int(n>>9), int(n>>5&15), int(n&31)))
	case row.TDateTime:
		number(sqltypes.DateTime, stored.Int())
	case row.TTimestamp:
		number(sqltypes.DateTime, sqltypes.FromUnix(stored.Int()))
	case row.TTime:
		number(sqltypes.Time, stored.Int())
	case row.TEnum, row.TSet:
		number(sqltypes.Enum, int64(stored.N))
	default:
		vec = sqltypes.NewVec(sqltypes.String, 1)
		vec.S[0] = stored.B
	}
	return c.Point(vec, 0)
}

// told is the part of rows for which a condition holds; false: no histogram tells.
func (s shares) told(e sql.Expression) (share float64, ok bool) {
	switch e := e.(type) {
	case *expression.Or:
		l, lok := s.told(e.LeftChild)
		r, rok := s.told(e.RightChild)
		return l + r - l*r, lok && rok
	case *expression.And:
		l, lok := s.told(e.LeftChild)
		r, rok := s.told(e.RightChild)
		return l * r, lok && rok
	case *expression.Not:
		return s.not(e.Child)
	case *expression.IsNull:
		c, ok := s.column(e.Child)
		if !ok {
			return 0, false
		}
		return c.Nulls, true
	case *expression.Between:
		return s.between(e)
	case *expression.InTuple:
		return s.in(e)
	case expression.Comparer:
		return s.compared(e)
	}
	return 0, false
}

// not is the part of rows for which a condition of one column does not hold. NULLs are neither.
func (s shares) not(e sql.Expression) (float64, bool) {
	held, ok := s.told(e)
	if !ok {
		return 0, false
	}
	first := sql.Expression(nil)
	transform.InspectExpr(s.ctx, e, func(_ *sql.Context, x sql.Expression) bool {
		if _, is := x.(*expression.GetField); is {
			first = x
		}
		return first != nil
	})
	c, ok := s.column(first)
	if _, null := e.(*expression.IsNull); null || !ok {
		return 1 - held, ok
	}
	return max(c.Value()-held, 0), true
}

func (s shares) between(e *expression.Between) (float64, bool) {
	c, ok := s.column(e.Val)
	if !ok || c.Type == "enum" || c.Type == "set" {
		return 0, false
	}
	low, lok := s.point(c, e.Lower)
	high, hok := s.point(c, e.Upper)
	if !lok || !hok {
		return 0, false
	}
	return max(c.Value()-c.Below(low)-c.Above(high), 0), true
}

func (s shares) in(e *expression.InTuple) (sum float64, ok bool) {
	c, ok := s.column(e.Left())
	list, is := e.Right().(expression.Tuple)
	if !ok || !is {
		return 0, false
	}
	for _, x := range list {
		p, ok := s.point(c, x)
		if !ok {
			return 0, false
		}
		sum += c.Equal(p)
	}
	return min(sum, c.Value()), true
}

func (s shares) compared(e expression.Comparer) (float64, bool) {
	left, right, mirrored := e.Left(), e.Right(), false
	c, ok := s.column(left)
	if !ok {
		if c, ok = s.column(right); !ok {
			return 0, false
		}
		right, mirrored = left, true
	}
	p, ok := s.point(c, right)
	if !ok {
		return 0, false
	}
	switch e.(type) {
	case *expression.Equals, *expression.NullSafeEquals:
		return c.Equal(p), true
	}
	if c.Type == "enum" || c.Type == "set" { // ranges of these are ranges of their words
		return 0, false
	}
	less, equal := false, false
	switch e.(type) {
	case *expression.LessThan:
		less = true
	case *expression.LessThanOrEqual:
		less, equal = true, true
	case *expression.GreaterThan:
	case *expression.GreaterThanOrEqual:
		equal = true
	default:
		return 0, false
	}
	switch less = less != mirrored; {
	case less && equal:
		return c.Value() - c.Above(p), true
	case less:
		return c.Below(p), true
	case equal:
		return c.Value() - c.Below(p), true
	}
	return c.Above(p), true
}
