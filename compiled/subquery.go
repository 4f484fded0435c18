package compiled

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
)

// Subqueries that are conditions of WHERE. Their one table is read like those of FROM, behind those
// its conditions name.
//
//	a IN (SELECT b FROM t ...)       where b is unique a join; else t is looked at for each row up to the first that matches
//	[NOT] EXISTS (SELECT ... FROM t ...), a NOT IN (SELECT b ...) of columns that are never NULL:
//	the same

// exists tells what a table is asked for.
type exists uint8

const (
	everyRow exists = iota // its rows
	anyRow                 // that there is one
	noRow                  // that there is none
)

// subquery takes a condition that is a subquery; false: it is none.
func (c *compiler) subquery(e ast.Expr, on int) bool {
	wanted := anyRow
	if not, ok := e.(*ast.NotExpr); ok {
		wanted, e = noRow, not.Expr
		for paren, ok := e.(*ast.ParenExpr); ok; paren, ok = e.(*ast.ParenExpr) {
			e = paren.Expr
		}
		if _, ok := e.(*ast.ExistsExpr); !ok {
			return false
		}
	}
	switch e := e.(type) {
	case *ast.ExistsExpr:
		c.existing(e.Subquery, nil, wanted, on)
		return true
	case *ast.ComparisonExpr:
		if sub, ok := e.Right.(*ast.Subquery); ok && (e.Operator == ast.InStr || e.Operator == ast.NotInStr) {
			if e.Operator == ast.NotInStr {
				wanted = noRow
			}
			c.existing(sub, e.Left, wanted, on)
			return true
		}
	}
	return false
}

// existing takes a subquery; left is what IN compares.
func (c *compiler) existing(sub *ast.Subquery, left ast.Expr, wanted exists, on int) {
	p := c.p
	at := c.at
	c.at = BySubquery
	n, ok := sub.Select.(*ast.Select)
	need(ok && on < 0 && c.inner == 0 && p.verb == verbSelect && p.lock == table.None && !c.stored && len(n.From) == 1)
	need(n.With == nil && n.Into == nil && len(n.GroupBy) == 0 && n.Having == nil && len(n.Window) == 0 && len(n.Comments) == 0 && (n.Lock == nil || n.Lock.Type == ""))
	if left != nil {
		left = c.qualified(left)
	}
	from, ok := n.From[0].(*ast.AliasedTableExpr)
	need(ok)
	t := len(p.tables)
	c.aliased(from)
	c.at = BySubquery
	need(t < maxTables && !slices.ContainsFunc(p.tables[:t], func(s source) bool { return strings.EqualFold(s.alias, p.tables[t].alias) }))
	subject := sql.PrivilegeCheckSubject{Database: p.tables[t].schema, Table: p.tables[t].name}
	p.privileges = append(p.privileges, sql.NewPrivilegedOperation(subject, sql.PrivilegeType_Select))
	p.tables[t].exists = wanted
	c.inner = t
	c.shownBySubquery(n, left != nil)
	first := len(p.where)
	on = t
	if left != nil {
		if c.comparesUnique(n, left, t, wanted) {
			on, p.tables[t].exists = -1, everyRow
		}
		c.and(&ast.ComparisonExpr{Operator: ast.EqualStr, Left: c.qualified(n.SelectExprs[0].(*ast.AliasedExpr).Expr), Right: left}, on)
		need(p.where[first].formula < 0 && !p.cols[p.where[first].col].character)
	}
	if n.Where != nil {
		c.and(n.Where.Expr, on)
	}
	c.inner = 0
	if on >= 0 {
		for _, w := range p.where[first:] {
			p.tables[t].behind |= w.tables &^ (1 << t)
		}
	}
	c.at = at
}

// shownBySubquery checks what a subquery shows, and how many rows: any value will do for EXISTS, if
// each row has one.
func (c *compiler) shownBySubquery(n *ast.Select, one bool) {
	for _, e := range n.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			need(!one)
		case *ast.AliasedExpr:
			_, literal := e.Expr.(*ast.SQLVal)
			name, column := e.Expr.(*ast.ColName)
			need(column || literal && !one)
			if column {
				at := c.column(name)
				need(!one || c.p.cols[at].table == c.inner)
			}
		default:
			giveUp()
		}
	}
	need(!one || len(n.SelectExprs) == 1 && n.Limit == nil)
	if n.Limit != nil {
		need(n.Limit.Offset == nil)
		c.p.some = append(c.p.some, c.operand(n.Limit.Rowcount))
	}
}

// comparesUnique tells whether the column of a subquery has each value once: IN is a join then. NOT
// IN needs that nothing is NULL.
func (c *compiler) comparesUnique(n *ast.Select, left ast.Expr, t int, wanted exists) bool {
	p := c.p
	col := c.column(n.SelectExprs[0].(*ast.AliasedExpr).Expr.(*ast.ColName))
	if wanted == noRow {
		name, ok := left.(*ast.ColName)
		need(ok)
		l := &p.cols[c.column(name)]
		need(!p.cols[col].Nullable && !l.Nullable && !p.tables[l.table].outer)
		return false
	}
	return slices.ContainsFunc(p.tables[t].def.Indexes, func(idx *catalog.Index) bool {
		return idx.Kind == "" && !idx.Building && (idx.Unique || idx.Clustered) && len(idx.Parts) == 1 && idx.Parts[0] == row.KeyPart{Column: p.cols[col].pos, Desc: idx.Parts[0].Desc}
	})
}

// qualified is a column with its table's alias, or a literal.
func (c *compiler) qualified(e ast.Expr) ast.Expr {
	name, ok := e.(*ast.ColName)
	if !ok {
		c.operand(e)
		return e
	}
	col := &c.p.cols[c.column(name)]
	return &ast.ColName{Name: name.Name, Qualifier: ast.TableName{Name: ast.NewTableIdent(c.p.tables[col.table].alias)}}
}
