package sqllayer

// FOR UPDATE and its kin: the clause moves to the tables that it is about. So does the wish of an
// UPDATE for the ids of rows without a key.

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/table"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// lockSelect moves the lock clauses to the tables they are about.
func (r *rewriterAST) lockSelect(n *ast.Select) error {
	if n.Lock == nil || n.Lock.Type == "" {
		return nil
	}
	kind, of := strings.ToLower(n.Lock.Type), n.Lock.Tables
	n.Lock = &ast.Lock{Type: kind, Tables: of}
	several, isSeveral := strings.CutPrefix(kind, lower.LockSeparator)
	if !isSeveral || len(n.From) == 0 {
		r.lockAs(n, kind, of)
		return nil
	}
	if err := trees.LockedTwice(n.From, of, several); err != nil {
		return err
	}
	for _, clause := range strings.Split(several, lower.LockSeparator) {
		digits, kind, _ := strings.Cut(clause, " ")
		count, err := strconv.Atoi(digits)
		if err != nil {
			return err
		}
		r.lockAs(n, kind, of[:count])
		of = of[count:]
	}
	return nil
}

// lockAs sets a lock clause on the tables of a query.
func (r *rewriterAST) lockAs(n *ast.Select, kind string, of ast.TableNames) {
	if r.lockless {
		return
	}
	clause := tabledef.LockClause{Lock: table.Exclusive}
	switch {
	case strings.Contains(kind, "skip locked"):
		clause.Wait = table.SkipLocked
	case strings.Contains(kind, "nowait"):
		clause.Wait = table.NoWait
	}
	if strings.Contains(kind, "share mode") {
		clause.Lock = table.Shared
	}
	for _, t := range n.From {
		r.lockTable(t, of, clause)
	}
}

// lockTable sets the clause on the base tables of a FROM item. Derived tables keep to themselves,
// as in MySQL.
func (r *rewriterAST) lockTable(expr ast.TableExpr, of ast.TableNames, clause tabledef.LockClause) {
	switch t := expr.(type) {
	case *ast.ParenTableExpr:
		for _, e := range t.Exprs {
			r.lockTable(e, of, clause)
		}
	case *ast.JoinTableExpr:
		r.lockTable(t.LeftExpr, of, clause)
		r.lockTable(t.RightExpr, of, clause)
	case *ast.AliasedTableExpr:
		name, ok := t.Expr.(ast.TableName)
		if !ok || t.AsOf != nil || !r.lockable(name) || !trees.Named(of, t, name) {
			return
		}
		t.AsOf = &ast.AsOf{Time: ast.NewStrVal([]byte(clause.Text()))}
	}
}

// lockable tells whether a name can be a table of the engine.
func (r *rewriterAST) lockable(name ast.TableName) bool {
	db := strings.ToLower(name.DbQualifier.String())
	if db == "" {
		if r.ctes[strings.ToLower(name.Name.String())] || strings.EqualFold(name.Name.String(), "dual") {
			return false
		}
		if c, ok := r.ctx.(*sql.Context); ok && c.Session != nil {
			db = strings.ToLower(c.GetCurrentDatabase())
		}
	}
	switch db {
	case "information_schema", "mysql", "performance_schema", "sys":
		return false
	}
	return true
}
