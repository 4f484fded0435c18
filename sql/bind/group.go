package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// groupBy binds GROUP BY.
func (b *binder) groupBy(x *exprs, out *Query, g *ast.GroupBy) error {
	if g == nil {
		return nil
	}
	switch g.Rollup {
	case ast.NoRollup:
	case ast.WithRollup, ast.RollupCall:
		out.Rollup, out.Level = true, b.ids(1)
	default:
		return fn.Refuse(fn.ByGroup, "CUBE or GROUPING SETS")
	}
	out.Grouped = true
	aggs := out.Aggs
	for i := range g.Items {
		it := &g.Items[i]
		if it.Direction != ast.NoDirection {
			return fn.Refuse(fn.ByGroup, "GROUP BY in an order")
		}
		var e fn.Expr
		if n, ok, err := ordinal(it.X, len(out.Items)); err != nil {
			return err
		} else if ok {
			e = fn.Clone(out.Items[n].Expr)
		} else if e, err = b.expr(&exprs{scope: x.scope, items: out.Items}, it.X); err != nil {
			return err
		}
		if item := out.windowItem(e, x.windows.list); item != nil {
			return &fn.Fault{Code: 1056, Text: "Can't group on '" + item.Name + "'"}
		}
		if err := groupable(e, aggs); err != nil {
			return err
		}
		out.Groups = append(out.Groups, b.group(e))
	}
	if out.Rollup {
		constantKeys(out)
	}
	return nil
}

// constantKeys makes the items that are constants of GROUP BY columns: they are NULL in the rows
// that ROLLUP adds, also where HAVING and ORDER BY name them.
func constantKeys(out *Query) {
	for _, g := range out.Groups {
		c, constant := g.Expr.(*fn.Const)
		for i := range out.Items {
			if it := &out.Items[i]; constant && fn.Key(it.Expr) == fn.Key(c) {
				it.Expr = &fn.Column{ID: g.ID, T: c.T.Nullify(true)}
			}
		}
	}
}

// group makes a key. A plain column keeps its ID, by which subqueries know it.
func (b *binder) group(e fn.Expr) Group {
	if c, ok := e.(*fn.Column); ok {
		return Group{c.ID, e}
	}
	return Group{b.ids(1), e}
}

// groupable refuses what groups are not made by: aggregates, subqueries, quotients, whose digits
// depend on how groups are made.
func groupable(e fn.Expr, aggs []*Aggregate) (err error) {
	fn.Walk(e, func(x fn.Expr) bool {
		switch x := x.(type) {
		case *Subquery:
			err = fn.Refuse(fn.ByGroup, "a group by a subquery")
		case *fn.Call:
			if x.Name == "/" && x.T.Kind == types.Decimal {
				err = fn.Refuse(fn.ByGroup, "a group by a quotient")
			}
		case *fn.Column:
			for _, a := range aggs {
				if a.ID == x.ID {
					err = fn.Refuse(fn.ByGroup, "a group by an aggregate")
				}
			}
		}
		return err == nil
	})
	return err
}

// regroup makes what is computed behind GROUP BY refer to groups and aggregates.
func (b *binder) regroup(s *scope, out *Query) (err error) {
	if out.Grouped = out.Grouped || len(out.Aggs) > 0; !out.Grouped {
		return nil
	}
	keys := make(map[string]int)
	for i := range out.Groups {
		key := fn.Key(out.Groups[i].Expr)
		if _, twice := keys[key]; twice && out.Rollup {
			return fn.Refuse(fn.ByGroup, "ROLLUP of a key twice")
		}
		if _, constant := out.Groups[i].Expr.(*fn.Const); !constant || out.Rollup {
			keys[key] = i
		}
	}
	if len(out.Groups) == 0 {
		out.Order = nil // of one row
	}
	g := &regrouping{b: b, s: s, out: out, keys: keys, same: out.dependence()}
	for i := range out.Items {
		if out.Items[i].Expr, err = g.over(out.Items[i].Expr, i+1, "SELECT list"); err != nil {
			return err
		}
	}
	for i := range out.Having {
		if out.Having[i], err = g.over(out.Having[i], 1, "HAVING clause"); err != nil {
			return err
		}
	}
	for i := range out.Order {
		if out.Order[i].Expr, err = g.over(out.Order[i].Expr, i+1, "ORDER BY clause"); err != nil {
			return err
		}
	}
	if err := g.windows(); err != nil {
		return err
	}
	return g.refused
}

// regrouping is what regroup knows of a block.
type regrouping struct {
	b    *binder
	s    *scope
	out  *Query
	keys map[string]int // the places of groups, by fn.Key
	same *dependence

	refused error // another column may be an error nevertheless
}

// over makes the n-th expression of a clause refer to groups and aggregates.
func (g *regrouping) over(e fn.Expr, n int, clause string) (out fn.Expr, err error) {
	if fun := windowFuncOf(e, g.out.Windows); fun != nil && clause == "SELECT list" {
		for i := range fun.Args {
			if fun.Args[i], err = g.over(fun.Args[i], n, clause); err != nil {
				return nil, err
			}
		}
	}
	out = fn.Rewrite(e, func(x fn.Expr) fn.Expr {
		if err != nil {
			return x
		}
		if at, ok := g.keys[fn.Key(x)]; ok {
			group := &g.out.Groups[at]
			return &fn.Column{ID: group.ID, T: group.Expr.Type().Nullify(g.out.Rollup)}
		}
		switch x := x.(type) {
		case *Grouping:
			var bits fn.Expr
			if bits, err = x.of(g.out, g.keys); err != nil {
				return x
			}
			return bits
		case *fn.Column:
			if g.s.owns(x.ID) {
				err = g.column(x, n, clause)
				return fn.Clone(x)
			}
		case *Subquery:
			for _, id := range x.Query.Outer {
				if c := g.s.columnOf(id); c != nil && err == nil && !grouped(g.out, id) {
					err = g.column(c, n, clause)
				}
			}
		}
		return nil
	})
	return out, err
}

// column makes a column of the tables a key of the groups, if it is the same for all rows of one.
func (g *regrouping) column(c *fn.Column, n int, clause string) error {
	switch {
	case g.same.known[c.ID] && len(g.out.Groups) > 0 && !g.out.Rollup:
		g.out.follows = g.out.follows || g.s.follows(c.ID, g.out)
		g.keys[fn.Key(c)] = len(g.out.Groups)
		g.out.Groups = append(g.out.Groups, g.b.group(fn.Clone(c)))
		return nil
	case g.same.known[c.ID] || !g.b.fullGroups || g.s.computed(c.ID):
		g.refused = fn.Refuse(fn.ByGroup, "a column that is not grouped by")
		return nil
	}
	return ungrouped(g.out, n, clause, g.s.nameOf(c.ID))
}

// windows makes what windows are computed by refer to groups and aggregates.
func (g *regrouping) windows() (err error) {
	for _, w := range g.out.Windows {
		n := 0
		w.EachExpr(func(e fn.Expr) fn.Expr {
			if n++; err != nil {
				return e
			}
			var over fn.Expr
			if over, err = g.over(e, n, "PARTITION BY or ORDER BY clause of window '<unnamed window>'"); err != nil {
				return e
			}
			return over
		})
	}
	return err
}

// mayHave tells whether HAVING may name a column of the block's tables: one that is selected, or
// grouped by.
func (out *Query) mayHave(id int) bool {
	for i := range out.Items {
		if columnID(out.Items[i].Expr) == id {
			return true
		}
	}
	return grouped(out, id)
}

// grouped tells a column that is one of the keys.
func grouped(out *Query, id int) bool {
	for i := range out.Groups {
		if c, ok := out.Groups[i].Expr.(*fn.Column); ok && c.ID == id {
			return true
		}
	}
	return false
}

// owns tells columns of the block's own tables.
func (s *scope) owns(id int) bool {
	for _, t := range s.tables {
		if id >= t.first && id < t.first+len(t.columns) {
			return true
		}
	}
	return false
}

// columnOf is a column of the block's own tables; nil if it is none.
func (s *scope) columnOf(id int) *fn.Column {
	for _, t := range s.tables {
		if id >= t.first && id < t.first+len(t.columns) {
			c, err := t.column(id - t.first)
			if err != nil {
				return nil
			}
			return c
		}
	}
	return nil
}

var aggregateKinds = map[string]fn.AggregateKind{"count": fn.Count, "sum": fn.Sum, "avg": fn.Avg, "min": fn.Min, "max": fn.Max, "bit_and": fn.BitAnd, "bit_or": fn.BitOr,
	"bit_xor": fn.BitXor, "std": fn.StdPop, "stddev": fn.StdPop, "stddev_pop": fn.StdPop, "stddev_samp": fn.StdSamp, "variance": fn.VarPop, "var_pop": fn.VarPop,
	"var_samp": fn.VarSamp, "group_concat": fn.GroupConcat, "json_arrayagg": fn.JSONArray, "json_objectagg": fn.JSONObject}

// aggregate binds an aggregate function.
func (b *binder) aggregate(x *exprs, n *ast.Aggregate) (fn.Expr, error) {
	if n.Over != nil {
		return b.windowed(x, n)
	}
	kind, known := aggregateKinds[strings.ToLower(n.Name.Name)]
	switch {
	case x.aggs == nil || !known || len(n.Args) != 1 && kind < fn.GroupConcat:
		return nil, fn.Refuse(fn.ByGroup, "an aggregate function")
	case kind > fn.GroupConcat:
		return b.gather(x, kind, n)
	}
	a := &Aggregate{Kind: kind, Distinct: n.Distinct}
	if _, star := n.Args[0].(*ast.Star); star {
		a.Kind, a.T = fn.CountRows, types.IntType(21, false)
		return b.addAggregate(x, a)
	}
	if kind == fn.GroupConcat {
		if err := b.concat(x, a, n); err != nil {
			return nil, err
		}
		return b.addAggregate(x, a)
	}
	var err error
	if a.Arg, err = b.aggregated(x, n.Args[0]); err != nil {
		return nil, err
	}
	if a.Arg, err = summand(kind, a.Arg); err != nil {
		return nil, err
	}
	if a.T, err = aggregateType(kind, a.Arg.Type()); err != nil {
		return nil, err
	}
	return b.addAggregate(x, a)
}

// gatherers are the functions that make documents of one row for the aggregate functions that make
// one of many.
var gatherers = map[fn.AggregateKind]string{fn.JSONArray: "json_array", fn.JSONObject: "json_object"}

// gather binds JSON_ARRAYAGG and JSON_OBJECTAGG.
func (b *binder) gather(x *exprs, kind fn.AggregateKind, n *ast.Aggregate) (fn.Expr, error) {
	arg, err := b.gathered(&exprs{scope: x.scope}, kind, n, b.value)
	if err == nil {
		err = x.ownRows(arg)
	}
	if err != nil {
		return nil, err
	}
	return b.addAggregate(x, &Aggregate{Kind: kind, Arg: arg, T: types.DocumentType(true), Most: b.packet})
}

// gathered is the document that a row gives to JSON_ARRAYAGG or JSON_OBJECTAGG.
func (b *binder) gathered(x *exprs, kind fn.AggregateKind, n *ast.Aggregate, operand func(*exprs, ast.Expr) (fn.Expr, error)) (fn.Expr, error) {
	if n.Distinct || b.packet <= 0 || b.set.Describes {
		return nil, fn.Refuse(fn.ByGroup, "an aggregate function of documents")
	}
	var args []fn.Expr
	for _, e := range n.Args {
		arg, err := operand(x, e)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return b.set.Function(gatherers[kind], args)
}

// concat binds the operands of GROUP_CONCAT.
func (b *binder) concat(x *exprs, a *Aggregate, n *ast.Aggregate) error {
	if b.longest <= 0 || a.Distinct && len(n.Args) != 1 {
		return fn.Refuse(fn.ByGroup, "GROUP_CONCAT of distinct rows")
	}
	a.Separator, a.Most = []byte(","), b.longest
	if n.Separator != nil {
		a.Separator = []byte(n.Separator.Text)
	}
	var texts []fn.Expr
	for _, e := range n.Args {
		arg, err := b.aggregated(x, e)
		if err != nil {
			return err
		}
		if a.Distinct && len(n.OrderBy) == 0 { // MySQL finds the distinct values by sorting them
			a.Order = append(a.Order, Order{Expr: fn.Clone(arg)})
		}
		if arg, err = fn.ToText(arg, b.set.Collation); err != nil {
			return err
		}
		texts = append(texts, arg)
	}
	for _, it := range n.OrderBy {
		if _, position := it.X.(*ast.Literal); position {
			return fn.Refuse(fn.ByGroup, "GROUP_CONCAT ordered by a position")
		}
		e, err := b.aggregated(x, it.X)
		if err != nil {
			return err
		}
		a.Order = append(a.Order, Order{e, it.Direction == ast.Descending})
	}
	var err error
	if a.Arg = texts[0]; len(texts) > 1 {
		a.Arg, err = b.set.Function("concat", texts)
	}
	if err == nil {
		a.T = a.Arg.Type().Nullify(true)
		a.T.Wire, a.T.Length, a.T.Scale = types.WireBlob, uint32(min(b.longest, 1<<27))*16, types.NotFixed
	}
	return err
}

// aggregated binds an operand of an aggregate function: it depends on the rows of the block's own
// tables.
func (b *binder) aggregated(x *exprs, e ast.Expr) (fn.Expr, error) {
	arg, err := b.expr(&exprs{scope: x.scope}, e)
	if err != nil {
		return nil, err
	}
	return arg, x.ownRows(arg)
}

// ownRows refuses operands of an aggregate function that depend on rows of other blocks.
func (x *exprs) ownRows(arg fn.Expr) (err error) {
	fn.Walk(arg, func(e fn.Expr) bool {
		switch e := e.(type) {
		case *fn.Column:
			if !x.scope.owns(e.ID) {
				err = fn.Refuse(fn.ByGroup, "an aggregate of outer columns")
			}
		case *Subquery:
			for _, id := range e.Query.Outer {
				if !x.scope.owns(id) {
					err = fn.Refuse(fn.ByGroup, "an aggregate of a query of outer columns")
				}
			}
		}
		return err == nil
	})
	return err
}

func (b *binder) addAggregate(x *exprs, a *Aggregate) (fn.Expr, error) {
	for _, have := range *x.aggs {
		if have.Kind == a.Kind && a.Kind < fn.GroupConcat && have.Distinct == a.Distinct && (a.Arg == nil || fn.Key(have.Arg) == fn.Key(a.Arg)) {
			return &fn.Column{ID: have.ID, T: have.T}, nil
		}
	}
	a.ID = b.ids(1)
	*x.aggs = append(*x.aggs, a)
	return &fn.Column{ID: a.ID, T: a.T}, nil
}

// sums are the aggregate functions that add numbers.
var sums = map[fn.AggregateKind]bool{fn.Sum: true, fn.Avg: true, fn.StdPop: true, fn.StdSamp: true, fn.VarPop: true, fn.VarSamp: true}

// summand is the operand of an aggregate function that computes: a date or time is a number there.
func summand(kind fn.AggregateKind, arg fn.Expr) (fn.Expr, error) {
	switch t := arg.Type(); {
	case t.Kind == types.String && t.Collation != types.Binary && sums[kind]:
		return fn.TextFloat(arg), nil
	case !arg.Type().Kind.Temporal(), kind == fn.Count, kind == fn.Min, kind == fn.Max:
		return arg, nil
	case kind == fn.BitAnd, kind == fn.BitOr, kind == fn.BitXor:
		return fn.CastInteger(arg, false)
	}
	return fn.AsNumber(arg), nil
}

func aggregateType(kind fn.AggregateKind, t types.Type) (types.Type, error) {
	switch kind {
	case fn.Count:
		return types.IntType(21, false), nil
	case fn.Min, fn.Max:
		if t.Kind == types.Null || t.Kind == types.Enum {
			return t, fn.Refuse(fn.ByType, "the extreme of NULL or of words")
		}
		return t.Nullify(true), nil
	case fn.BitAnd, fn.BitOr, fn.BitXor:
		if !t.Kind.Integer() {
			return t, fn.Refuse(fn.ByType, "bits of what is no integer")
		}
		return types.UintType(21, false), nil
	case fn.StdPop, fn.StdSamp, fn.VarPop, fn.VarSamp:
		if !t.Kind.Number() {
			return t, fn.Refuse(fn.ByType, "a variance of what is no number")
		}
		return types.FloatType(true), nil
	}
	switch {
	case t.Kind == types.Float && kind == fn.Sum:
		out := types.FixedFloat(t.Shown(), true)
		if t.Scale < types.NotFixed {
			out.Length = 17 + uint32(t.Scale)
		}
		return out, nil
	case t.Kind == types.Float:
		return types.FixedFloat(t.Shown()+4, true), nil
	case !t.Kind.Number():
		return t, fn.Refuse(fn.ByType, "a sum of what is no number")
	case kind == fn.Sum:
		return types.DecimalType(t.Digits()+22, t.Decimals(), true), nil
	}
	return types.DecimalType(t.Digits()+4, t.Decimals()+4, true), nil
}
