package compiled

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

func (c *compiler) insert(n *ast.Insert) {
	p := c.p
	need(strings.EqualFold(n.Action, ast.InsertStr) && n.Ignore == "" && len(n.OnDup) == 0 && n.With == nil && len(n.Partitions) == 0 && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.named(n.Table)
	c.need(sql.PrivilegeType_Insert)
	p.verb, p.autoInc = verbInsert, p.def.AutoInc
	need(!p.info.Watched && len(p.def.Checks) == 0)
	values, ok := n.Rows.(*ast.AliasedValues)
	need(ok && values.As.IsEmpty() && len(values.Columns) == 0)
	columns := make([]int, 0, len(p.cols))
	for _, name := range n.Columns {
		col := c.find(name.String())
		need(!slices.Contains(columns, col))
		columns = append(columns, col)
	}
	if len(n.Columns) == 0 {
		for i := range p.cols {
			need(!p.def.Columns[i].Invisible)
			columns = append(columns, i)
		}
	}
	defaults := make([]operand, len(p.cols))
	for i := range p.cols {
		if !slices.Contains(columns, i) {
			defaults[i] = c.defaultOf(i)
		}
	}
	for _, v := range values.Values {
		need(len(v) == len(columns))
		r := slices.Clone(defaults)
		for i, e := range v {
			if _, ok := e.(*ast.Default); ok {
				giveUp()
			}
			r[columns[i]] = c.operand(e)
		}
		p.rows = append(p.rows, r)
	}
	need(len(p.rows) > 0)
}

// defaultOf is the value of a column that INSERT does not name.
func (c *compiler) defaultOf(col int) operand {
	d := &c.p.def.Columns[col]
	switch {
	case col == c.p.def.AutoInc:
		return operand{param: -1}
	case !d.HasDefault:
		need(d.Nullable)
		return operand{param: -1}
	}
	need(d.Literal)
	e, err := parseExpr(d.Default)
	need(err == nil)
	o := c.operand(e)
	need(o.param < 0)
	if o.value.Kind == KindNull {
		need(d.Nullable)
		return o
	}
	// What is stored for a default is GMS's conversion of the literal: only the plain cases.
	switch c.p.cols[col].Type {
	case row.TChar, row.TVarchar, row.TText:
		need(o.value.Kind == KindString)
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TDecimal:
		if o.value.Kind == KindString {
			text := string(o.value.B)
			e, err := parseExpr(text)
			need(err == nil && text != "" && (isDigit(text[0]) || text[0] == '-'))
			o = c.operand(e)
			need(o.param < 0)
		}
	default:
		giveUp()
	}
	return o
}

func (c *compiler) update(n *ast.Update) {
	p := c.p
	need(n.Ignore == "" && n.With == nil && len(n.OrderBy) == 0 && n.Limit == nil && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.table(n.TableExprs)
	c.need(sql.PrivilegeType_Update, sql.PrivilegeType_Select)
	p.verb, p.lock = verbUpdate, table.Exclusive
	need(!p.info.Watched && len(p.def.Checks) == 0)
	for i := range p.def.Columns {
		need(p.def.Columns[i].OnUpdate == "")
	}
	for _, e := range n.Exprs {
		c.assign(e)
	}
	c.conditions(n.Where)
	p.choosePath(nil)
}

func (c *compiler) assign(e *ast.AssignmentExpr) {
	p := c.p
	a := assignment{col: c.column(e.Name), from: -1}
	for _, other := range p.sets {
		need(other.col != a.col)
	}
	if b, ok := e.Expr.(*ast.BinaryExpr); ok {
		need(b.Operator == ast.PlusStr || b.Operator == ast.MinusStr)
		name, ok := b.Left.(*ast.ColName)
		need(ok)
		a.from, a.sub = c.column(name), b.Operator == ast.MinusStr
		for _, other := range p.sets {
			need(other.col != a.from)
		}
		switch p.cols[a.from].Type {
		case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32:
			switch p.cols[a.col].Type {
			case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32:
			default:
				giveUp()
			}
		default:
			giveUp()
		}
		a.val = c.operand(b.Right)
	} else {
		a.val = c.operand(e.Expr)
	}
	p.sets = append(p.sets, a)
}

func (c *compiler) delete(n *ast.Delete) {
	p := c.p
	need(n.With == nil && len(n.Targets) == 0 && len(n.Partitions) == 0 && len(n.OrderBy) == 0 && n.Limit == nil && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.table(n.TableExprs)
	c.need(sql.PrivilegeType_Delete, sql.PrivilegeType_Select)
	p.verb, p.lock = verbDelete, table.Exclusive
	need(!p.info.Watched && n.Where != nil)
	c.conditions(n.Where)
	p.choosePath(nil)
}
