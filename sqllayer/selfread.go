package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// checkSelfRead refuses what MySQL does: a subquery that reads a table the statement changes, 1093.
// GMS runs it, and the rows it reads depend on how far the statement has come. A derived table is
// made before, so what it reads does not count.
func (r *rewriterAST) checkSelfRead(node ast.SQLNode) error {
	if r.plain {
		return nil
	}
	var targets []trees.Target
	var parts []ast.SQLNode
	operation := "UPDATE"
	switch n := node.(type) {
	case *ast.Update:
		targets = r.updated(n)
		parts = append(parts, n.Exprs, n.Where, n.OrderBy)
	case *ast.Delete:
		operation = "DELETE"
		targets = trees.Deleted(n)
		parts = append(parts, n.Where, n.OrderBy)
	case *ast.Insert:
		operation = "INSERT"
		targets = []trees.Target{{Name: n.Table, Shown: n.Table.Name.String()}}
		if _, values := n.Rows.(*ast.AliasedValues); values {
			parts = append(parts, n.Rows, ast.AssignmentExprs(n.OnDup))
		}
	}
	for _, p := range parts {
		err := ast.Walk(func(node ast.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *ast.AliasedTableExpr:
				name, ok := n.Expr.(ast.TableName)
				if !ok {
					return false, nil
				}
				for _, t := range targets {
					if err := r.readsTarget(t, n, name, operation); err != nil {
						return false, err
					}
				}
			case *ast.With:
				return false, nil
			}
			return true, nil
		}, p)
		if err != nil {
			return err
		}
	}
	return nil
}

// readsTarget refuses a table or view of a subquery whose rows are those of a target. MySQL has
// another error, 1443, where a view stands between the two.
func (r *rewriterAST) readsTarget(t trees.Target, read *ast.AliasedTableExpr, name ast.TableName, operation string) error {
	table, through, changesView := strings.Cut(t.Name.Name.String(), sqlerr.ViewMark)
	target := ast.TableName{Name: ast.NewTableIdent(table), DbQualifier: t.Name.DbQualifier}
	if schema, view, _ := strings.Cut(through, sqlerr.ViewMark); changesView {
		view, _, _ = strings.Cut(view, sqlerr.ViewMark)
		if t.Shown == t.Name.Name.String() {
			t.Shown = view
		}
		if r.sameTable(ast.TableName{Name: ast.NewTableIdent(view), DbQualifier: ast.NewTableIdent(schema)}, name) {
			return sqlerr.NewError(1093, "You can't specify target table '%s' for update in FROM clause", t.Shown)
		}
	}
	prevented := func(view string) error {
		return sqlerr.NewError(1443, "The definition of table '%s' prevents operation %s on table '%s'.", view, operation, t.Shown)
	}
	switch {
	case r.sameTable(target, name) && changesView:
		return prevented(t.Shown)
	case r.sameTable(target, name):
		return sqlerr.NewError(1093, "You can't specify target table '%s' for update in FROM clause", t.Shown)
	}
	c, ok := r.ctx.(*sql.Context)
	if !ok || SessionOf(c) == nil || name.DbQualifier.IsEmpty() && r.ctes[strings.ToLower(name.Name.String())] {
		return nil
	}
	tables, err := SessionOf(c).readsThrough(c, name)
	if err != nil {
		return err
	}
	for _, below := range tables {
		if below.Same(tabledef.TableName{Schema: r.database(target), Name: table}) {
			view := read.As.String()
			if view == "" {
				view = name.Name.String()
			}
			return prevented(view)
		}
	}
	return nil
}

func (r *rewriterAST) sameTable(a, b ast.TableName) bool {
	return strings.EqualFold(a.Name.String(), b.Name.String()) && strings.EqualFold(r.database(a), r.database(b)) &&
		(!b.DbQualifier.IsEmpty() || !r.ctes[strings.ToLower(b.Name.String())])
}

func (r *rewriterAST) database(t ast.TableName) string {
	if db := t.DbQualifier.String(); db != "" {
		return db
	}
	if c, ok := r.ctx.(*sql.Context); ok && c.Session != nil {
		return c.GetCurrentDatabase()
	}
	return ""
}

// updated finds the tables an UPDATE changes. Of several tables only those count whose names stand
// before the columns.
func (r *rewriterAST) updated(n *ast.Update) []trees.Target {
	all := trees.TablesOf(n.TableExprs)
	if len(all) == 1 {
		return all
	}
	var out []trees.Target
	for _, t := range all {
		for _, e := range n.Exprs {
			if strings.EqualFold(e.Name.Qualifier.Name.String(), t.Shown) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// knownTargets refuses names before the FROM of a DELETE that are none of its tables'.
func (r *rewriterAST) knownTargets(n *ast.Delete) error {
	if r.plain {
		return nil
	}
	derived := make(map[string]bool)
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch t := n.(type) {
		case *ast.AliasedTableExpr:
			if _, table := t.Expr.(ast.TableName); !table {
				derived[t.As.String()] = true
			}
			return false, nil
		case *ast.JSONTableExpr:
			derived[t.Alias.String()] = true
			return false, nil
		}
		return true, nil
	}, n.TableExprs)
	all := trees.TablesOf(n.TableExprs)
	for i, name := range n.Targets {
		if r.database(name) == "" { // also the name of an alias
			return sqlerr.NewError(1046, "No database selected")
		}
		if slices.ContainsFunc(n.Targets[:i], func(before ast.TableName) bool {
			return strings.EqualFold(before.Name.String(), name.Name.String()) && strings.EqualFold(r.database(before), r.database(name))
		}) {
			return sqlerr.NewError(1066, "Not unique table/alias: '%s'", name.Name.String())
		}
		if !slices.ContainsFunc(all, func(t trees.Target) bool { return r.names(name, t) }) {
			if derived[name.Name.String()] {
				return sqlerr.NewError(1288, "The target table %s of the DELETE is not updatable", name.Name.String())
			}
			return sqlerr.NewError(1109, "Unknown table '%s' in MULTI DELETE", name.Name.String())
		}
	}
	return nil
}

// names tells whether a table of a FROM is meant by a name: an alias has no schema.
func (r *rewriterAST) names(name ast.TableName, t trees.Target) bool {
	if !strings.EqualFold(name.Name.String(), t.Shown) {
		return false
	}
	if t.Aliased() {
		return name.DbQualifier.IsEmpty()
	}
	return strings.EqualFold(r.database(name), r.database(t.Name))
}

// Semi-consistent reads: below REPEATABLE READ, UPDATE and DELETE do not wait for a row that
// somebody else has locked if its last committed version does not match their condition. The
// condition is the filter right above the scan; the scan asks it through table.ScanOptions.Match.

// Seek notes the filter above a scan of a target of the statement. A filter with a subquery is none
// to ask in the middle of a scan.
func (s *Session) Seek(ctx *sql.Context, n *plan.Filter) {
	var t *Table
	switch c := n.Child.(type) {
	case *plan.ResolvedTable:
		t, _ = sql.GetUnderlyingTable(c.UnderlyingTable()).(*Table)
	case *plan.IndexedTableAccess:
		t, _ = sql.GetUnderlyingTable(c.UnderlyingTable()).(*Table)
	}
	if t == nil {
		return
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	id := t.Def.Def.ID
	if _, target := s.Stmt.targets[id]; !target || s.Stmt.Depth > 0 {
		return
	}
	if s.Stmt.filters == nil {
		s.Stmt.filters = make(map[base.TableID]*trees.TargetFilter)
	}
	f := &trees.TargetFilter{}
	if s.Stmt.filters[id] == nil && !hasSubquery(ctx, n.Expression) {
		f.Cond = n.Expression
	}
	s.Stmt.filters[id] = f
}

func hasSubquery(ctx *sql.Context, e sql.Expression) (found bool) {
	transform.InspectExpr(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e.(type) {
		case *plan.Subquery, *functionCall:
			found = true
		}
		return found
	})
	return found
}

// choose gives the scan of a target the statement's condition. REQUIRES: the session's mu.
func (r *Rows) choose(ctx *sql.Context, trx *txn.Trx) {
	s := r.T.S
	f := s.Stmt.filters[r.T.Def.Def.ID]
	if f == nil || f.Cond == nil || !r.opts.Target || r.opts.Lock != table.Exclusive || trx.Isolation() > txn.ReadCommitted {
		return
	}
	r.opts.Match = func(vals []row.Value) (bool, error) {
		out, err := r.T.Def.DecodeRow(s.Zone(), vals, r.T.Proj)
		if err != nil {
			return false, err
		}
		s.Mu.Unlock() // the condition may ask the session
		defer s.Mu.Lock()
		res, err := sql.EvaluateCondition(ctx, f.Cond, out)
		return err == nil && sql.IsTrue(res), err
	}
}
