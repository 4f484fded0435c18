package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/trees"
)

// erAmbiguous is the code of a name that may mean several things.
const erAmbiguous = 1052

// warnOfKey warns of a key of GROUP BY that is the name of a column of the tables, and is grouped by
// as that, and of another expression of the list. The texts of views and programs are not what the
// client wrote.
func (r *rewriterAST) warnOfKey(n *ast.Select, key *ast.ColName) {
	ctx, ok := r.ctx.(*sql.Context)
	item := trees.ItemNamed(n.SelectExprs, key.Name)
	if !ok || ctx.Session == nil || item == nil || !r.ofClient(ctx) || r.holders(n.From, key.Name) != 1 {
		return
	}
	if d, ok := r.root.(*ast.DDL); ok && (d.ProcedureSpec != nil || d.TriggerSpec != nil || d.EventSpec != nil) {
		return // MySQL looks at names when the program runs
	}
	if c, plain := item.Expr.(*ast.ColName); plain && c.Name.Equal(key.Name) {
		return
	}
	ctx.Warn(erAmbiguous, "Column '%s' in group statement is ambiguous", key.Name.String())
}

// holders counts the tables of a FROM that are known to have a column of that name.
func (r *rewriterAST) holders(from ast.TableExprs, name ast.ColIdent) (count int) {
	for _, e := range from {
		switch e := e.(type) {
		case *ast.ParenTableExpr:
			count += r.holders(e.Exprs, name)
		case *ast.JoinTableExpr:
			count += r.holders(ast.TableExprs{e.LeftExpr, e.RightExpr}, name)
		case *ast.AliasedTableExpr:
			if r.holds(e, name) {
				count++
			}
		}
	}
	return count
}

// holds tells whether a table or derived table is known to have a column of that name.
func (r *rewriterAST) holds(e *ast.AliasedTableExpr, name ast.ColIdent) bool {
	switch t := e.Expr.(type) {
	case ast.TableName:
		return !(t.DbQualifier.IsEmpty() && r.ctes[strings.ToLower(t.Name.String())]) && r.columnsOf(t).FindColumn(name) >= 0
	case *ast.Subquery:
		if len(t.Columns) > 0 {
			return t.Columns.FindColumn(name) >= 0
		}
		q, ok := t.Select.(*ast.Select)
		return ok && trees.NamesColumn(q.SelectExprs, name)
	}
	return false
}
