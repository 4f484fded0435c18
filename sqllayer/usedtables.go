package sqllayer

// What a trigger or function runs must not change a table that the statement uses which has called
// it, or one of those outside: 1442, when such a statement begins.

import (
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/tabledef"
)

// caller is what a trigger or function runs for: a change of a table, a statement of the client or
// of a program.
type caller struct {
	changed tabledef.TableName
	root    sql.Node             // the client's statement
	tree    sqlast.Node          // the same as it was written
	opened  []tabledef.TableName // what it has opened directly, of views too
	stmt    ast.Statement        // the program's
	schema  string               // of names in it
}

// caller is that of what begins to run, a trigger of that table if it has a name. REQUIRES: s.mu.
func (s *Session) caller(changed tabledef.TableName) caller {
	if p := s.Program; p != nil {
		return caller{changed: changed, stmt: p.stmt, schema: p.database.name}
	}
	c := caller{changed: changed, root: s.Stmt.root, opened: slices.Clone(s.Stmt.opened)}
	if s.current != nil && s.current.Tree != nil {
		c.tree, c.schema = s.current.Tree, s.GetCurrentDatabase()
	}
	return c
}

// ChangesUnused refuses a statement that changes a table which is in use by what it runs for.
func (s *Session) ChangesUnused(n sql.Node) error {
	s.Mu.Lock()
	callers := s.Stmt.callers
	s.Mu.Unlock()
	if len(callers) == 0 {
		return nil
	}
	for _, target := range changedTables(n) {
		t, ok := TableBelow(target).(*Table)
		if !ok || t.Temporary {
			continue
		}
		name := tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}
		for _, c := range callers {
			if c.uses(name) {
				return sql.ErrTriggerTableInUse.New(t.Def.Def.Name)
			}
		}
	}
	return nil
}

// changedTables are the targets of a statement that changes rows.
func changedTables(n sql.Node) []sql.Node {
	switch n := n.(type) {
	case *plan.InsertInto:
		return []sql.Node{n.Destination}
	case *plan.DeleteFrom:
		return n.GetDeleteTargets()
	case *plan.Update:
		targets := []sql.Node{n.Child}
		transform.Inspect(n.Child, func(n sql.Node) bool {
			join, ok := n.(*plan.UpdateJoin)
			if ok {
				targets = slices.Collect(maps.Values(join.UpdateTargets))
			}
			return !ok
		})
		return targets
	}
	return nil
}

func (c caller) uses(t tabledef.TableName) bool {
	return c.changed.Same(t) || slices.ContainsFunc(c.opened, t.Same) || c.root != nil && planUses(c.root, t) || c.tree != nil && c.treeUses(t) || c.stmt != nil && c.textUses(t)
}

// treeUses tells whether the statement names a table. A common table hides one of its name.
func (c caller) treeUses(t tabledef.TableName) (found bool) {
	var hidden []string
	sqlast.Inspect(c.tree, func(n sqlast.Node) bool {
		if n, ok := n.(*sqlast.CommonTable); ok {
			hidden = append(hidden, n.Name.Name)
		}
		return true
	})
	sqlast.Inspect(c.tree, func(n sqlast.Node) bool {
		s, ok := n.(*sqlast.TableSource)
		if !ok {
			return !found
		}
		schema := s.Name.Schema.Name
		if schema == "" {
			if slices.ContainsFunc(hidden, func(name string) bool { return strings.EqualFold(name, s.Name.Name.Name) }) {
				return false
			}
			schema = c.schema
		}
		found = found || t.Same(tabledef.TableName{Schema: schema, Name: s.Name.Name.Name})
		return false
	})
	return found
}

// planUses tells whether a plan has a table anywhere but in the bodies of triggers.
func planUses(n sql.Node, t tabledef.TableName) bool {
	switch n := n.(type) {
	case *plan.TriggerExecutor:
		return planUses(n.Left(), t)
	case *plan.InsertInto: // its children have not the source
		if planUses(n.Source, t) {
			return true
		}
	case sql.TableNode:
		own, ok := sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table)
		if ok && !own.Temporary && t.Same(tabledef.TableName{Schema: own.Def.Def.Schema, Name: own.Def.Def.Name}) {
			return true
		}
	}
	for _, child := range n.Children() {
		if planUses(child, t) {
			return true
		}
	}
	found := false
	if x, ok := n.(sql.Expressioner); ok {
		for _, e := range x.Expressions() {
			sql.Inspect(nil, e, func(_ *sql.Context, e sql.Expression) bool {
				if query, ok := e.(*plan.Subquery); ok {
					found = found || planUses(query.Query, t)
				}
				return !found
			})
		}
	}
	return found
}

// textUses tells whether the statement names a table.
func (c caller) textUses(t tabledef.TableName) bool {
	found := false
	look := func(n ast.TableName) {
		schema := n.DbQualifier.String()
		if schema == "" {
			schema = c.schema
		}
		found = found || t.Same(tabledef.TableName{Schema: schema, Name: n.Name.String()})
	}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			if name, ok := n.Expr.(ast.TableName); ok {
				look(name)
			}
		case *ast.Insert:
			look(n.Table)
		}
		return !found, nil
	}, c.stmt)
	return found
}

// RunPrograms has all triggers run as programs until what it gives is called; a session may be
// missing.
func (s *Session) RunPrograms() (done func()) {
	if s == nil {
		return func() {}
	}
	before := s.programs
	s.programs = true
	return func() { s.programs = before }
}

func (s *Session) runsPrograms() bool { return s != nil && s.programs }
