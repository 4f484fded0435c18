package compiled

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer/tabledef"
)

// aggregate is a function over all rows, or those of a group.
type aggregate uint8

const (
	aggNone aggregate = iota
	aggCount
	aggSum
	aggAvg
	aggMin
	aggMax
)

var aggregates = map[string]aggregate{"count": aggCount, "sum": aggSum, "avg": aggAvg, "min": aggMin, "max": aggMax}

// item is a column of a result: a column, a function over all rows or a group of them, or a
// formula.
type item struct {
	fn      aggregate
	col     int    // -1 for COUNT(*) and formulas
	cols    []int  // of COUNT(DISTINCT ...)
	formula int    // -1
	listed  int    // position in the list of the grouping + 1
	scale   int    // of a decimal result
	text    string // of a function
	wire    querypb.Type
}

// groupOrder is what groups are sorted by.
type groupOrder struct {
	item int
	desc bool
}

// wireTypes are the types columns are sent as.
var wireTypes = map[row.Type]querypb.Type{
	row.TInt8: sqltypes.Int8, row.TInt16: sqltypes.Int16, row.TInt24: sqltypes.Int24, row.TInt32: sqltypes.Int32, row.TInt64: sqltypes.Int64,
	row.TUint8: sqltypes.Uint8, row.TUint16: sqltypes.Uint16, row.TUint24: sqltypes.Uint24, row.TUint32: sqltypes.Uint32, row.TUint64: sqltypes.Uint64,
	row.TFloat32: sqltypes.Float32, row.TFloat64: sqltypes.Float64, row.TDecimal: sqltypes.Decimal, row.TDate: sqltypes.Date, row.TDateTime: sqltypes.Datetime,
	row.TTimestamp: sqltypes.Timestamp, row.TTime: sqltypes.Time, row.TYear: sqltypes.Year, row.TBit: sqltypes.Bit, row.TEnum: sqltypes.Enum, row.TSet: sqltypes.Set,
	row.TChar: sqltypes.Char, row.TVarchar: sqltypes.VarChar, row.TText: sqltypes.Text, row.TJSON: sqltypes.TypeJSON, row.TGeometry: sqltypes.Geometry,
	row.TBinary: sqltypes.Binary, row.TVarbinary: sqltypes.VarBinary, row.TBlob: sqltypes.Blob,
}

func (c *compiler) selectFrom(n *ast.Select) {
	p, q := c.p, n.QueryOpts
	need(n.Into == nil && n.With == nil && len(n.Window) == 0 && len(n.Comments) == 0)
	need(len(q.DistinctOn) == 0 && !q.StraightJoinHint && !q.SQLCalcFoundRows && !q.SQLCache && !q.SQLNoCache && !q.All)
	c.at = ByTable
	c.from(n.From)
	c.need(sql.PrivilegeType_Select)
	p.verb, p.distinct = verbSelect, q.Distinct
	c.lock(n.Lock)
	if c.p.lock == table.Exclusive {
		c.need(sql.PrivilegeType_Update) // or what else allows it, which GMS's way knows
	}
	c.at = ByExpression
	p.aggregate = grouped(n)
	c.items(n.SelectExprs)
	c.at = ByGroup
	c.groupBy(n.GroupBy)
	c.at = ByExpression
	c.describe()
	c.at = ByGroup
	c.having(n.Having)
	c.at = ByExpression
	c.conditions(n.Where)
	c.limit(n.Limit)
	c.at = ByOrder
	if p.aggregate {
		need(!p.distinct)
		c.sortGroups(n.OrderBy)
	} else {
		c.sortRows(n.OrderBy)
	}
	if p.distinct {
		c.distinct()
	}
	c.neededColumns()
	c.at = ByJoin
	p.choosePath(c.useful())
	// Where all rows would be looked at for a subquery, its own rows may be fewer.
	need(p.limited || p.tables[0].paths[0].looksUp() || !slices.ContainsFunc(p.tables, func(s source) bool { return s.exists == anyRow }))
	c.needNoSpans()
}

// useful is the order the rows had best come in.
func (c *compiler) useful() []row.KeyPart {
	p := c.p
	if !p.aggregate {
		return p.order
	}
	var order []row.KeyPart
	for _, col := range p.group {
		order = append(order, row.KeyPart{Column: col})
	}
	if it := p.items[0]; len(p.group) == 0 && len(p.items) == 1 && len(it.cols) == 0 && (it.fn == aggMin || it.fn == aggMax) {
		p.extreme = true
		order = append(order, row.KeyPart{Column: it.col, Desc: it.fn == aggMax})
	}
	return order
}

// lock takes FOR UPDATE and FOR SHARE.
func (c *compiler) lock(l *ast.Lock) {
	if l == nil || l.Type == "" {
		return
	}
	kind := strings.ToLower(l.Type)
	c.p.lock = table.Exclusive
	need(len(l.Tables) == 0)
	if strings.Contains(kind, "share mode") {
		c.p.lock = table.Shared
	}
	switch {
	case strings.Contains(kind, "skip locked"):
		c.p.wait = table.SkipLocked
	case strings.Contains(kind, "nowait"):
		c.p.wait = table.NoWait
	}
}

// items takes the SELECT list.
func (c *compiler) items(list ast.SelectExprs) {
	p := c.p
	for _, e := range list {
		switch e := e.(type) {
		case *ast.StarExpr:
			c.star(e)
			c.exprs = append(c.exprs, make([]ast.Expr, len(p.items)-len(c.exprs))...)
		case *ast.AliasedExpr:
			c.exprs = append(c.exprs, e.Expr)
			if p.aggregate {
				p.items = append(p.items, c.groupItem(e.Expr, !e.As.IsEmpty()))
				continue
			}
			from := len(p.formulas)
			p.items = append(p.items, c.item(e.Expr, !e.As.IsEmpty()))
			// The name of a column is the text of its expression, literals and all; its type is
			// that of a prepared statement's parameter.
			need(len(p.formulas) == from || len(p.formulas[from].params) == 0 || !e.As.IsEmpty() && c.src.Key != "" || c.src.Tree != nil)
		default:
			giveUp()
		}
	}
}

func (c *compiler) star(e *ast.StarExpr) {
	p := c.p
	need(e.TableName.DbQualifier.IsEmpty())
	name, found := e.TableName.Name.String(), false
	for i := range p.tables {
		s := &p.tables[i]
		if name != "" && !strings.EqualFold(name, s.alias) {
			continue
		}
		found = true
		for n := range s.def.Columns {
			if !s.def.Columns[n].Listed() {
				continue
			}
			c.unread(s.first + n)
			p.items = append(p.items, item{col: s.first + n, formula: -1})
		}
	}
	need(found)
}

// item takes a column of the result; named: it has an alias.
func (c *compiler) item(e ast.Expr, named bool) item {
	switch e := e.(type) {
	case *ast.ColName:
		return item{col: c.column(e), formula: -1}
	case *ast.FuncExpr:
		if fn, ok := aggregates[e.Name.Lowered()]; ok {
			return c.function(e, fn, named)
		}
	}
	return item{col: -1, formula: c.formula(e)}
}

// function takes a function over rows.
func (c *compiler) function(e *ast.FuncExpr, fn aggregate, named bool) item {
	need(e.Over == nil && e.Qualifier.IsEmpty() && len(e.Exprs) > 0)
	it := item{fn: fn, col: -1, formula: -1, text: strings.ToLower(ast.String(e))}
	if star, ok := e.Exprs[0].(*ast.StarExpr); ok {
		need(fn == aggCount && star.TableName.IsEmpty() && len(e.Exprs) == 1 && !e.Distinct)
		return it
	}
	need(!e.Distinct || fn == aggCount)
	for _, a := range e.Exprs {
		arg, ok := a.(*ast.AliasedExpr)
		need(ok && arg.As.IsEmpty())
		if lit, ok := arg.Expr.(*ast.SQLVal); ok {
			// COUNT(1). A parameter of a prepared statement may be NULL.
			need(fn == aggCount && !e.Distinct && len(e.Exprs) == 1 && (lit.Type != ast.ValArg || c.src.Key != "" && named))
			return it
		}
		name, ok := tabledef.Unwrapped(arg.Expr).(*ast.ColName)
		need(ok)
		it.cols = append(it.cols, c.column(name))
	}
	if e.Distinct {
		for _, col := range it.cols {
			c.sortable(col)
		}
		return it
	}
	need(len(it.cols) == 1)
	it.col, it.cols = it.cols[0], nil
	return it
}

// groupBy takes GROUP BY, and what depends on its columns in the SELECT list.
func (c *compiler) groupBy(n ast.GroupBy) {
	p := c.p
	for _, e := range n {
		name, ok := e.(*ast.ColName)
		if !ok || c.hidden(name) {
			c.groupKey(e)
			continue
		}
		col := c.column(name)
		c.sortable(col)
		p.group = append(p.group, col)
	}
	if !p.aggregate {
		return
	}
	for _, it := range p.items {
		need(it.listed > 0 || it.fn != aggNone || it.col >= 0 && len(p.group) > 0 && (slices.Contains(p.group, it.col) || c.grouped(p.cols[it.col].table)))
	}
}

// grouped tells whether a group has one row of a table.
func (c *compiler) grouped(t int) bool {
	s := &c.p.tables[t]
	parts := s.def.Indexes[0].Parts
	for _, k := range parts {
		if !slices.Contains(c.p.group, s.first+k.Column) {
			return false
		}
	}
	return len(parts) > 0 && !s.outer
}

// sortGroups takes ORDER BY of groups: columns of the result.
func (c *compiler) sortGroups(n ast.OrderBy) {
	p := c.p
	need(len(n) == 0 || len(p.group) > 0 || p.grouping != nil && len(p.grouping.by) > 0)
	for _, o := range n {
		at, items := -1, len(p.items)
		if !c.attempt(func() { at = c.resultColumn(o.Expr) }) {
			p.items = p.items[:items]
			at = c.groupSorted(o.Expr)
		}
		p.groupSort = append(p.groupSort, groupOrder{at, strings.EqualFold(o.Direction, ast.DescScr)})
	}
}

// resultColumn finds the column of the result that an expression of ORDER BY stands for.
func (c *compiler) resultColumn(e ast.Expr) int {
	p := c.p
	if name, ok := e.(*ast.ColName); ok {
		for i, f := range c.src.Fields {
			if name.Qualifier.Name.IsEmpty() && strings.EqualFold(f.Name, name.Name.String()) {
				return i
			}
		}
		col := c.column(name)
		i := slices.IndexFunc(p.items, func(it item) bool { return it.fn == aggNone && it.listed == 0 && it.col == col })
		need(i >= 0)
		return i
	}
	f, ok := e.(*ast.FuncExpr)
	need(ok)
	return c.functionItem(f)
}

// describe checks the columns against what GMS has described, and keeps that.
func (c *compiler) describe() {
	p := c.p
	need(len(c.src.Fields) == len(p.items))
	p.shown = len(p.items)
	for i, f := range c.src.Fields {
		c.suits(&p.items[i], f)
		p.header = append(p.header, columnDefinition(f))
	}
}

// suits checks a column against what GMS has described.
func (c *compiler) suits(it *item, f *querypb.Field) {
	p := c.p
	it.scale, it.wire = int(f.Decimals), f.Type
	switch {
	case it.formula >= 0 || it.listed > 0:
		need(computedTypes[f.Type])
	case it.fn == aggCount:
		need(f.Type == sqltypes.Int64)
	case it.fn == aggSum || it.fn == aggAvg:
		more := it.scale - int(p.cols[it.col].Scale)
		need(f.Type == sqltypes.Decimal && p.cols[it.col].summable() && (more == 0 || more > 0 && it.fn == aggAvg))
	default:
		t, ok := wireTypes[p.cols[it.col].Type]
		need(ok && t == f.Type)
		if it.fn != aggNone {
			c.sortable(it.col)
			need(p.cols[it.col].Zerofill == 0) // the result has no zeros
		}
	}
}

// computedTypes are those of formulas that are sent.
var computedTypes = map[querypb.Type]bool{
	sqltypes.Int64: true, sqltypes.Uint64: true, sqltypes.Decimal: true, sqltypes.Float64: true, sqltypes.VarChar: true, sqltypes.Text: true,
	sqltypes.Date: true, sqltypes.Datetime: true, sqltypes.Int8: true, sqltypes.Int16: true, sqltypes.Int24: true, sqltypes.Int32: true,
}

// summable tells columns whose sums are kept exactly.
func (c *column) summable() bool {
	return c.Type.Integer() || c.Type == row.TDecimal && c.Precision <= 18
}

// orderBy takes ORDER BY of columns.
func (c *compiler) orderBy(n ast.OrderBy) (parts []row.KeyPart) {
	for _, o := range n {
		by := c.sortPart(o)
		need(by.formula < 0)
		parts = append(parts, row.KeyPart{Column: by.col, Desc: by.desc})
	}
	return parts
}

// sortRows takes ORDER BY of rows.
func (c *compiler) sortRows(n ast.OrderBy) {
	p := c.p
	for _, o := range n {
		p.sorts = append(p.sorts, c.sortPart(o))
	}
	if slices.ContainsFunc(p.sorts, func(s sortPart) bool { return s.formula >= 0 }) {
		return
	}
	for _, s := range p.sorts {
		p.order = append(p.order, row.KeyPart{Column: s.col, Desc: s.desc})
	}
}

// sortPart finds what ORDER BY names: an alias of the SELECT list hides a column of a table.
func (c *compiler) sortPart(o *ast.Order) sortPart {
	by := sortPart{col: -1, formula: -1, desc: strings.EqualFold(o.Direction, ast.DescScr)}
	name, ok := o.Expr.(*ast.ColName)
	if !ok {
		need(c.noAlias(o.Expr))
		by.formula = c.formula(o.Expr)
		need(len(c.p.formulas[by.formula].cols) > 0) // no position in the list
		return by
	}
	if name.Qualifier.Name.IsEmpty() {
		for i, f := range c.src.Fields {
			if strings.EqualFold(f.Name, name.Name.String()) {
				it := &c.p.items[i]
				need(by.col < 0 && by.formula < 0 || by.formula < 0 && by.col == it.col)
				by.col, by.formula = it.col, it.formula
			}
		}
	}
	if by.formula >= 0 {
		return by
	}
	if by.col < 0 {
		by.col = c.column(name)
	}
	c.sortable(by.col)
	return by
}

// hidden tells whether a result column of that name is something else than the table's column.
func (c *compiler) hidden(name *ast.ColName) bool {
	for i, f := range c.src.Fields {
		if strings.EqualFold(f.Name, name.Name.String()) && (c.p.items[i].fn != aggNone || c.p.items[i].col < 0 || !strings.EqualFold(f.OrgName, f.Name)) {
			return true
		}
	}
	return false
}

func (c *compiler) sortable(col int) {
	switch c.p.cols[col].Type {
	case row.TJSON, row.TGeometry, row.TText, row.TBlob, row.TSet, row.TBit:
		giveUp()
	}
}

// distinct sorts by all columns, those of ORDER BY first, so that equal rows come together.
func (c *compiler) distinct() {
	p := c.p
	for _, o := range p.sorts {
		need(slices.ContainsFunc(p.items, func(it item) bool { return it.col == o.col && it.formula == o.formula }))
	}
	for _, it := range p.items {
		if !slices.ContainsFunc(p.sorts, func(o sortPart) bool { return o.col == it.col && o.formula == it.formula }) {
			if it.col >= 0 {
				c.sortable(it.col)
			}
			p.sorts = append(p.sorts, sortPart{col: it.col, formula: it.formula})
		}
	}
}

// neededColumns finds the columns that the scans must read.
func (c *compiler) neededColumns() {
	p := c.p
	for i := range p.tables {
		p.tables[i].needed = []int{}
	}
	add := func(cols ...int) {
		for _, col := range cols {
			if col < 0 {
				continue
			}
			s := &p.tables[p.cols[col].table]
			if !slices.Contains(s.needed, p.cols[col].pos) {
				s.needed = append(s.needed, p.cols[col].pos)
			}
		}
	}
	for _, it := range p.items {
		add(it.col)
		add(it.cols...)
	}
	for i := range p.where {
		add(p.condColumns(i)...)
	}
	for i := range p.formulas {
		add(p.formulas[i].cols...)
	}
	for _, o := range p.sorts {
		add(o.col)
	}
	add(p.group...)
	if p.grouping != nil {
		add(p.grouping.of.cols...)
	}
}

// condColumns are the columns that a condition looks at; those below zero are none.
func (p *Program) condColumns(i int) []int {
	w := &p.where[i]
	if w.formula >= 0 {
		return p.formulas[w.formula].cols
	}
	cols := []int{w.col}
	for _, a := range w.args {
		cols = append(cols, a.column-1)
	}
	return cols
}
