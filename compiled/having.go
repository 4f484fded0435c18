package compiled

import (
	"math/big"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// having is a condition on groups: a count, a sum, an extreme or a column they go by, compared with
// a number. Both sides are exact.
type having struct {
	item  int
	op    op
	value operand
}

// having takes HAVING. A function that is not in the SELECT list becomes an item behind those that
// are shown.
func (c *compiler) having(w *ast.Where) {
	if w == nil {
		return
	}
	need(c.p.aggregate)
	for _, e := range conjuncts(w.Expr, nil) {
		items := len(c.p.items)
		if !c.attempt(func() { c.havingNumber(e) }) {
			c.p.items = c.p.items[:items]
			c.groupHaving(e)
		}
	}
}

// havingNumber takes a comparison with a number.
func (c *compiler) havingNumber(e ast.Expr) {
	n, ok := e.(*ast.ComparisonExpr)
	need(ok && n.Escape == nil)
	o, ok := comparisons[n.Operator]
	need(ok && o != opNullEq)
	left, right := n.Left, n.Right
	switch left.(type) {
	case *ast.SQLVal, *ast.UnaryExpr:
		left, right, o = right, left, mirrored[o]
	}
	c.p.having = append(c.p.having, having{c.inGroups(left), o, c.operand(right)})
}

// inGroups finds the item that HAVING compares.
func (c *compiler) inGroups(e ast.Expr) int {
	p := c.p
	at := -1
	if f, ok := e.(*ast.FuncExpr); ok {
		at = c.functionItem(f)
	} else {
		name, ok := e.(*ast.ColName)
		need(ok && (name.Qualifier.Name.IsEmpty() || !c.hidden(name)))
		at = c.resultColumn(e)
		for i, f := range c.src.Fields { // a name of one column of the result, and of no other column
			need(i == at || !strings.EqualFold(f.Name, name.Name.String()))
		}
		for t := range p.tables {
			col := c.columnOf(t, name.Name.String())
			need(col < 0 || p.items[at].fn == aggNone && p.items[at].col == col)
		}
	}
	it := &p.items[at]
	need(it.listed == 0 && it.fn != aggAvg && (it.fn == aggCount || it.col >= 0 && p.cols[it.col].summable()))
	return at
}

// functionItem finds the item of a function, or adds one that is not shown.
func (c *compiler) functionItem(f *ast.FuncExpr) int {
	p := c.p
	fn, ok := aggregates[f.Name.Lowered()]
	need(ok)
	it := c.function(f, fn, true)
	if at := slices.IndexFunc(p.items, func(have item) bool { return have.fn != aggNone && have.text == it.text }); at >= 0 {
		return at
	}
	if it.col >= 0 {
		k := &p.cols[it.col]
		it.scale = int(k.Scale)
		need(fn == aggCount || fn != aggAvg && k.summable())
	}
	p.items = append(p.items, it)
	return len(p.items) - 1
}

// resolveHaving makes the operands of HAVING numbers.
func (x *Exec) resolveHaving() bool {
	x.bounds = x.bounds[:0]
	for i := range x.p.having {
		p := x.param(&x.p.having[i].value)
		b := bound{n: new(big.Int)}
		switch p.Kind {
		case KindInt:
			b.n.SetInt64(p.int())
		case KindUint:
			b.n.SetUint64(p.N)
		case KindDecimal:
			whole, part, _ := strings.Cut(string(p.B), ".")
			if _, ok := b.n.SetString(whole+part, 10); !ok {
				return false
			}
			b.scale = len(part)
		default:
			return false
		}
		x.bounds = append(x.bounds, b)
	}
	return true
}

// bound is a number with digits behind the point.
type bound struct {
	n     *big.Int
	scale int
}

// wantedGroup tells whether a group fulfils HAVING.
func (x *Exec) wantedGroup(g *group) bool {
	for i := range x.p.having {
		h := &x.p.having[i]
		n, scale, ok := x.amount(&x.p.items[h.item], &g.sums[h.item])
		if !ok {
			return false // NULL
		}
		to := x.bounds[i]
		order := scaled(n, to.scale-scale).Cmp(scaled(to.n, scale-to.scale))
		switch h.op {
		case opEq:
			ok = order == 0
		case opNe:
			ok = order != 0
		case opLt:
			ok = order < 0
		case opLe:
			ok = order <= 0
		case opGt:
			ok = order > 0
		case opGe:
			ok = order >= 0
		}
		if !ok {
			return false
		}
	}
	return true
}

// amount is the number an item of a group has come to; false: NULL.
func (x *Exec) amount(it *item, s *sum) (n *big.Int, scale int, ok bool) {
	if it.fn == aggCount {
		return big.NewInt(s.n), 0, true
	}
	c := &x.p.cols[it.col]
	switch {
	case s.n == 0:
		return nil, 0, false
	case it.fn == aggSum:
		return s.units(), int(c.Scale), true
	case s.v.IsNull():
		return nil, 0, false
	}
	var one sum
	one.add(c, s.v)
	return one.units(), int(c.Scale), true
}

// scaled is n with more digits behind the point, or n itself.
func scaled(n *big.Int, digits int) *big.Int {
	if digits <= 0 {
		return n
	}
	return new(big.Int).Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
}
