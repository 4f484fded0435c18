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
)

// aggregate is a function over all rows.
type aggregate uint8

const (
	aggNone aggregate = iota
	aggCount
	aggSum
	aggMin
	aggMax
)

// wireTypes are the types a column may be sent as: those encode.go knows.
var wireTypes = map[row.Type]querypb.Type{
	row.TInt8: sqltypes.Int8, row.TInt16: sqltypes.Int16, row.TInt24: sqltypes.Int24, row.TInt32: sqltypes.Int32, row.TInt64: sqltypes.Int64,
	row.TUint8: sqltypes.Uint8, row.TUint16: sqltypes.Uint16, row.TUint24: sqltypes.Uint24, row.TUint32: sqltypes.Uint32, row.TUint64: sqltypes.Uint64,
	row.TFloat32: sqltypes.Float32, row.TFloat64: sqltypes.Float64, row.TDecimal: sqltypes.Decimal, row.TDate: sqltypes.Date, row.TDateTime: sqltypes.Datetime,
	row.TChar: sqltypes.Char, row.TVarchar: sqltypes.VarChar, row.TText: sqltypes.Text,
	row.TBinary: sqltypes.Binary, row.TVarbinary: sqltypes.VarBinary, row.TBlob: sqltypes.Blob,
}

func (c *compiler) selectFrom(n *ast.Select) {
	p, q := c.p, n.QueryOpts
	need(n.Into == nil && n.With == nil && n.Having == nil && len(n.GroupBy) == 0 && len(n.Window) == 0 && len(n.Comments) == 0)
	need(len(q.DistinctOn) == 0 && !q.StraightJoinHint && !q.SQLCalcFoundRows && !q.SQLCache && !q.SQLNoCache && !q.All)
	c.table(n.From)
	c.need(sql.PrivilegeType_Select)
	p.verb, p.distinct = verbSelect, q.Distinct
	c.lock(n.Lock)
	c.items(n.SelectExprs)
	c.describe()
	c.conditions(n.Where)
	c.limit(n.Limit)
	order := c.orderBy(n.OrderBy)
	if p.aggregate {
		need(len(order) == 0 && !p.distinct)
	}
	if p.distinct {
		order = c.distinct(order)
	}
	if !p.choosePath(order) || p.distinct {
		p.order = order
	}
	c.neededColumns()
}

// lock takes FOR UPDATE and FOR SHARE.
func (c *compiler) lock(l *ast.Lock) {
	if l == nil || l.Type == "" {
		return
	}
	kind := strings.ToLower(l.Type)
	c.p.lock = table.Exclusive
	for _, t := range l.Tables {
		need(t.Name.String() == "#share") // sqllayer.ReplaceForShare; FOR UPDATE OF is left to GMS
		c.p.lock = table.Shared
	}
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
			need(e.TableName.Name.IsEmpty() || strings.EqualFold(e.TableName.Name.String(), c.alias) && e.TableName.DbQualifier.IsEmpty())
			for i := range p.cols {
				need(!p.def.Columns[i].Invisible)
				p.items = append(p.items, item{col: i})
			}
		case *ast.AliasedExpr:
			p.items = append(p.items, c.item(e.Expr))
		default:
			giveUp()
		}
	}
	for _, it := range p.items {
		p.aggregate = p.aggregate || it.fn != aggNone
	}
	for _, it := range p.items {
		need(p.aggregate == (it.fn != aggNone))
	}
}

func (c *compiler) item(e ast.Expr) item {
	switch e := e.(type) {
	case *ast.ColName:
		return item{col: c.column(e)}
	case *ast.FuncExpr:
		need(e.Over == nil && !e.Distinct && e.Qualifier.IsEmpty() && len(e.Exprs) == 1)
		fn, ok := map[string]aggregate{"count": aggCount, "sum": aggSum, "min": aggMin, "max": aggMax}[e.Name.Lowered()]
		need(ok)
		if star, ok := e.Exprs[0].(*ast.StarExpr); ok {
			need(fn == aggCount && star.TableName.IsEmpty())
			return item{fn: fn, col: -1}
		}
		arg, ok := e.Exprs[0].(*ast.AliasedExpr)
		need(ok && arg.As.IsEmpty())
		name, ok := arg.Expr.(*ast.ColName)
		need(ok)
		return item{fn: fn, col: c.column(name)}
	}
	giveUp()
	return item{}
}

// describe checks the columns against what GMS has described, and keeps that.
func (c *compiler) describe() {
	p := c.p
	need(len(c.src.Fields) == len(p.items))
	for i, f := range c.src.Fields {
		it := &p.items[i]
		it.wire = f.Type
		switch it.fn {
		case aggCount:
			need(f.Type == sqltypes.Int64)
		case aggSum:
			need(f.Type == sqltypes.Decimal && f.Decimals == 0)
			switch p.cols[it.col].Type {
			case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32:
			default:
				giveUp()
			}
		case aggMin, aggMax:
			need(!p.cols[it.col].character && p.cols[it.col].Type < row.TFloat32 || p.cols[it.col].Type == row.TDecimal)
			fallthrough
		default:
			t, ok := wireTypes[p.cols[it.col].Type]
			need(ok && t == f.Type)
		}
		p.header = append(p.header, columnDefinition(f))
	}
}

// orderBy takes ORDER BY: columns.
func (c *compiler) orderBy(n ast.OrderBy) (parts []row.KeyPart) {
	for _, o := range n {
		name, ok := o.Expr.(*ast.ColName)
		need(ok)
		col := c.column(name)
		// An alias of the SELECT list hides a column of the table.
		need(!c.hidden(name))
		c.sortable(col)
		parts = append(parts, row.KeyPart{Column: col, Desc: strings.EqualFold(o.Direction, ast.DescScr)})
	}
	return parts
}

// hidden tells whether a result column of that name is something else than the table's column.
func (c *compiler) hidden(name *ast.ColName) bool {
	for i, f := range c.src.Fields {
		if strings.EqualFold(f.Name, name.Name.String()) && (c.p.items[i].fn != aggNone || !strings.EqualFold(f.OrgName, f.Name)) {
			return true
		}
	}
	return false
}

func (c *compiler) sortable(col int) {
	switch c.p.cols[col].Type {
	case row.TJSON, row.TGeometry, row.TText, row.TBlob, row.TEnum, row.TSet, row.TBit:
		giveUp()
	}
}

// distinct sorts by all columns, those of ORDER BY first, so that equal rows come together.
func (c *compiler) distinct(order []row.KeyPart) []row.KeyPart {
	order = slices.Clone(order)
	for _, o := range order {
		need(slices.ContainsFunc(c.p.items, func(it item) bool { return it.col == o.Column }))
	}
	for _, it := range c.p.items {
		if !slices.ContainsFunc(order, func(o row.KeyPart) bool { return o.Column == it.col }) {
			c.sortable(it.col)
			order = append(order, row.KeyPart{Column: it.col})
		}
	}
	return order
}

// neededColumns finds the columns that the scan must read.
func (c *compiler) neededColumns() {
	p := c.p
	p.needed = []int{}
	add := func(col int) {
		if col >= 0 && !slices.Contains(p.needed, col) {
			p.needed = append(p.needed, col)
		}
	}
	for _, it := range p.items {
		add(it.col)
	}
	for i := range p.where {
		add(p.where[i].col)
	}
	for _, o := range p.order {
		add(o.Column)
	}
}
