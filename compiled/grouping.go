package compiled

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	own "emberdb/sql/types"
	fold "emberdb/sqllayer/expr/aggregate"
)

// grouping is the part of a SELECT of groups that GMS's expressions evaluate: functions over rows
// that group.go does not know, what is computed of functions and of the columns groups go by, and
// groups that go by what is computed. Its trees are made and kept as those of formulas are.
type grouping struct {
	list   []string // of the result, HAVING, ORDER BY
	having []int    // of list: conditions
	by     []string // expressions of GROUP BY
	of     formula  // what all of them read
}

// callable are the functions over rows that formulas of groups may call.
var callable = map[string]bool{"count": true, "sum": true, "avg": true, "min": true, "max": true, "bit_and": true, "bit_or": true, "bit_xor": true}

// grouped tells whether a SELECT is one of groups.
func grouped(n *ast.Select) (yes bool) {
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch f := node.(type) {
		case *ast.FuncExpr:
			yes = yes || callable[f.Name.Lowered()]
		case *ast.Subquery:
			return false, nil
		}
		return true, nil
	}, n.SelectExprs)
	return yes || len(n.GroupBy) > 0
}

// groupItem takes a column of a result of groups: what group.go does not know is GMS's.
func (c *compiler) groupItem(e ast.Expr, named bool) (it item) {
	p := c.p
	formulas, at := len(p.formulas), len(p.items)
	need(at < len(c.src.Fields))
	f := c.src.Fields[at]
	if c.attempt(func() {
		it = c.item(e, named)
		need(it.formula < 0)
		c.suits(&it, f)
	}) {
		return it
	}
	p.formulas = p.formulas[:formulas]
	if call, ok := e.(*ast.FuncExpr); ok && (call.Name.Lowered() == "sum" || call.Name.Lowered() == "avg") {
		need(f.Type != sqltypes.Float64) // depends on the order of the rows
	}
	var params int
	it.listed, params = c.listed(e)
	// The name of a column is the text of its expression, literals and all.
	need(params == 0 || named && c.src.Key != "")
	return item{col: -1, formula: -1, listed: it.listed}
}

// listed adds an expression to the list; it returns its position + 1, and how many parameters it
// has.
func (c *compiler) listed(e ast.Expr) (at, params int) {
	g := c.p.groups()
	f := c.examine(e, true)
	g.add(f)
	if at = slices.Index(g.list, f.text); at < 0 {
		need(len(g.list) < maxFormulas)
		at = len(g.list)
		g.list = append(g.list, f.text)
	}
	return at + 1, len(f.params)
}

// groups is the program's grouping.
func (p *Program) groups() *grouping {
	if p.grouping == nil {
		p.grouping = new(grouping)
	}
	return p.grouping
}

func (g *grouping) add(f formula) {
	for _, col := range f.cols {
		if !slices.Contains(g.of.cols, col) {
			g.of.cols = append(g.of.cols, col)
		}
	}
	g.of.params, g.of.dates = append(g.of.params, f.params...), append(g.of.dates, f.dates...)
}

// groupKey takes an expression of GROUP BY that is no column.
func (c *compiler) groupKey(e ast.Expr) {
	e = c.unaliased(e)
	f := c.examine(e, false)
	need(len(f.cols) > 0) // no position in the list
	g := c.p.groups()
	g.add(f)
	g.by = append(g.by, f.text)
}

// groupHaving takes a condition of HAVING.
func (c *compiler) groupHaving(e ast.Expr) {
	at, _ := c.listed(c.unaliased(e))
	c.p.grouping.having = append(c.p.grouping.having, at)
}

// groupSorted takes an expression of ORDER BY; it becomes an item that is not shown.
func (c *compiler) groupSorted(e ast.Expr) int {
	need(c.noAlias(e))
	at, _ := c.listed(e)
	need(len(c.p.grouping.of.cols) > 0)
	c.p.items = append(c.p.items, item{col: -1, formula: -1, listed: at})
	return len(c.p.items) - 1
}

// noAlias tells whether e names nothing that the SELECT list has another meaning for.
func (c *compiler) noAlias(e ast.Expr) bool {
	ok := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if name, is := n.(*ast.ColName); is {
			ok = ok && (!name.Qualifier.Name.IsEmpty() || !c.hidden(name))
		}
		return true, nil
	}, e)
	return ok
}

// unaliased is e with the expressions that names of the SELECT list stand for.
func (c *compiler) unaliased(e ast.Expr) ast.Expr {
	switch n := e.(type) {
	case *ast.ColName:
		if !n.Qualifier.Name.IsEmpty() || !c.hidden(n) {
			return n
		}
		for t := range c.p.tables {
			need(c.columnOf(t, n.Name.String()) < 0)
		}
		found := -1
		for i, f := range c.src.Fields {
			if strings.EqualFold(f.Name, n.Name.String()) {
				need(found < 0 && c.exprs[i] != nil)
				found = i
			}
		}
		return c.exprs[found]
	case *ast.ParenExpr:
		return &ast.ParenExpr{Expr: c.unaliased(n.Expr)}
	case *ast.AndExpr:
		return &ast.AndExpr{Left: c.unaliased(n.Left), Right: c.unaliased(n.Right)}
	case *ast.OrExpr:
		return &ast.OrExpr{Left: c.unaliased(n.Left), Right: c.unaliased(n.Right)}
	case *ast.NotExpr:
		return &ast.NotExpr{Expr: c.unaliased(n.Expr)}
	case *ast.ComparisonExpr:
		return &ast.ComparisonExpr{Operator: n.Operator, Left: c.unaliased(n.Left), Right: c.unaliased(n.Right), Escape: n.Escape}
	case *ast.RangeCond:
		return &ast.RangeCond{Operator: n.Operator, Left: c.unaliased(n.Left), From: c.unaliased(n.From), To: c.unaliased(n.To)}
	case *ast.IsExpr:
		return &ast.IsExpr{Operator: n.Operator, Expr: c.unaliased(n.Expr)}
	}
	need(c.noAlias(e))
	return e
}

// groupingText is a SELECT of the list, for GMS's planner.
func (p *Program) groupingText() string {
	var b strings.Builder
	b.WriteString("SELECT ")
	if len(p.grouping.list) == 0 {
		b.WriteString("COUNT(*)")
	}
	b.WriteString(strings.Join(p.grouping.list, ", "))
	p.writeFrom(&b)
	by := slices.Clone(p.grouping.by)
	for _, col := range p.group {
		c := &p.cols[col]
		by = append(by, "`"+p.tables[p.place[c.table]].alias+"`.`"+c.name+"`")
	}
	if len(by) > 0 {
		b.WriteString(" GROUP BY " + strings.Join(by, ", "))
	}
	return b.String()
}

// planGroups makes the trees of the groups.
func (b *binding) planGroups(x *Exec) bool {
	p := x.p
	binds, ok := x.binds(p.grouping.of.params)
	if !ok {
		return false
	}
	g, err := x.session.Layer().Grouped(x.sc, p.groupingText(), binds, len(p.cols))
	if err != nil || len(g.Keys) != len(p.grouping.by)+len(p.group) {
		return false
	}
	b.literals = append(b.literals, g.Literals)
	var all []sql.Expression
	for _, call := range g.Calls {
		all = append(all, call)
	}
	b.calls, b.keys = len(g.Calls), len(p.grouping.by)
	if len(p.grouping.list) == 0 {
		g.List = nil
	}
	if !b.add(x, append(append(all, g.Keys[:b.keys]...), g.List...)) {
		return false
	}
	for _, call := range b.exprs[len(p.formulas) : len(p.formulas)+b.calls] {
		b.refused = b.refused || unsettled(x.sc, call)
	}
	b.row = make(sql.Row, len(p.cols)+b.calls)
	return !b.refused && b.dependent(x)
}

// unsettled tells functions whose value depends on the order of the rows.
func unsettled(ctx *sql.Context, call sql.Expression) bool {
	t := call.Type(ctx)
	switch call.(type) {
	case *fold.Min, *fold.Max:
		return !types.IsNumber(t) && !types.IsTime(t) && !types.IsTimespan(t)
	}
	return types.IsFloat(t)
}

// of are the trees of the calls, the keys and the list.
func (b *binding) of(p *Program) (calls, keys, list []sql.Expression) {
	all := b.exprs[len(p.formulas):]
	return all[:b.calls], all[b.calls : b.calls+b.keys], all[b.calls+b.keys:]
}

// dependent tells whether what the list has besides functions is the same for all rows of a group.
func (b *binding) dependent(x *Exec) bool {
	_, keys, list := b.of(x.p)
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.String()
	}
	for _, e := range list {
		if !x.p.depends(x.sc, e, texts) {
			return false
		}
	}
	return true
}

func (p *Program) depends(ctx *sql.Context, e sql.Expression, keys []string) bool {
	if slices.Contains(keys, e.String()) {
		return true
	}
	if f, ok := e.(sql.Tableable); ok {
		if f.Table() == "" {
			return true
		}
		n, ok := e.(sql.Nameable)
		at := -1
		if ok {
			at = p.position(f.Table(), n.Name())
		}
		return at >= 0 && (slices.Contains(p.group, at) || p.oneRow(p.cols[at].table))
	}
	return !slices.ContainsFunc(e.Children(), func(e sql.Expression) bool { return !p.depends(ctx, e, keys) })
}

// oneRow tells whether a group has one row of a table of FROM.
func (p *Program) oneRow(t int) bool {
	s := &p.tables[p.place[t]]
	parts := s.def.Indexes[0].Parts
	for _, k := range parts {
		if !slices.Contains(p.group, s.first+k.Column) {
			return false
		}
	}
	return len(parts) > 0 && !s.outer
}

// listing is what GMS's expressions have of a group.
type listing struct {
	calls []sql.AggregationBuffer
	first sql.Row // the columns of its first row
	texts []byte  // texts it goes by
}

// groupTexts appends the texts that a row's group goes by: where they only agree under the
// collation, which one is shown is GMS's affair.
func (x *Exec) groupTexts(b []byte, vals []row.Value) []byte {
	for _, col := range x.p.group {
		if x.p.cols[col].character {
			b = append(own.AppendLength(b, uint64(len(vals[col].B))), vals[col].B...)
		}
	}
	return b
}

// computedKeys appends what GROUP BY computes of the row under way, and its texts.
func (x *Exec) computedKeys(key, texts []byte) (_, _ []byte, err error) {
	b := x.bound
	_, keys, _ := b.of(x.p)
	for _, e := range keys {
		v, err := e.Eval(x.sc, b.row)
		if err != nil {
			return key, texts, errNotMine
		}
		if key, err = x.sortKey(key, e, v, false); err != nil {
			return key, texts, err
		}
		if s, ok := v.(string); ok {
			texts = appendString(texts, s)
		}
	}
	return key, texts, nil
}

// decoded gives GMS's expressions the columns of the row under way.
func (x *Exec) decoded(vals []row.Value) error {
	for _, at := range x.p.grouping.of.cols {
		col := &x.p.cols[at]
		v, err := x.p.tables[x.p.place[col.table]].info.Decode(x.session.Zone(), col.pos, vals[at])
		if err != nil {
			return errNotMine
		}
		x.bound.row[at] = v
	}
	return nil
}

// begin makes a new group's functions.
func (x *Exec) begin(l *listing, texts []byte) error {
	l.calls, l.first, l.texts = l.calls[:0], nil, append([]byte(nil), texts...)
	calls, _, _ := x.bound.of(x.p)
	for _, e := range calls {
		call, ok := e.(sql.Aggregation)
		if !ok {
			return errNotMine
		}
		buf, err := call.NewBuffer(x.sc)
		if err != nil {
			return errNotMine
		}
		l.calls = append(l.calls, buf)
	}
	return x.grown(len(texts) + len(calls)*256)
}

// call adds the row under way to a group's functions. REQUIRES: decoded.
func (x *Exec) call(l *listing) error {
	r := x.bound.row
	if l.first == nil {
		l.first = slices.Clone(r)
	}
	if !bytes.Equal(l.texts, x.groups.texts) {
		return errNotMine
	}
	for _, buf := range l.calls {
		if err := buf.Update(x.sc, r); err != nil {
			return errNotMine
		}
	}
	return nil
}

// evaluateList computes the list of a group. wanted: it fulfils HAVING.
func (x *Exec) evaluateList(l *listing) (wanted bool, err error) {
	b, cols := x.bound, len(x.p.cols)
	clear(b.row)
	copy(b.row, l.first)
	for i, buf := range l.calls {
		if b.row[cols+i], err = buf.Eval(x.sc); err != nil {
			return false, errNotMine
		}
	}
	_, _, list := b.of(x.p)
	x.list = x.list[:0]
	for _, e := range list {
		v, err := e.Eval(x.sc, b.row)
		if err != nil {
			return false, errNotMine
		}
		x.list = append(x.list, v)
	}
	for _, at := range x.p.grouping.having {
		v := x.list[at-1]
		if v == nil {
			return false, nil
		}
		if manyfold(list[at-1].Type(x.sc)) {
			return false, errNotMine
		}
		if ok, err := sql.ConvertToBool(x.sc, v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// listedExpr is an expression of the list.
func (x *Exec) listedExpr(at int) sql.Expression {
	_, _, list := x.bound.of(x.p)
	return list[at-1]
}

// listedValue writes the value of an item that the list has.
func (x *Exec) listedValue(i, at int, it *item) error {
	b, v := x.bound, x.list[it.listed-1]
	if v == nil {
		x.out.null(i, at)
		return nil
	}
	return x.out.computed(x.sc, b.types[len(x.p.formulas)+b.calls+b.keys+it.listed-1], it.wire, v)
}
