package sqllayer

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// INSERT, REPLACE, UPDATE, DELETE and LOAD DATA through views of one table. The statement becomes
// one on the table before it is planned: columns become the table's, the view's condition is added.
// The name of the table carries the view: whoever opens it gets the view's CHECK OPTION as
// constraints. Rights are those on the view; its definer's on the table are looked at with them.

// Writable reads a view; nil if there is no view of that name, ok is false for one that cannot be
// written through.
func (s *Session) Writable(ctx *sql.Context, schema, name string, forced bool) (v *trees.WritableView, ok bool, err error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, own := OwnDatabase(found)
	if err != nil || !own {
		return nil, false, nil
	}
	stored, is, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !is {
		return nil, false, err
	}
	at := tabledef.TableName{Schema: d.name, Name: stored.Name}
	if slices.ContainsFunc(s.writing, at.Same) {
		return nil, false, recursiveView(at)
	}
	s.writing = append(s.writing, at)
	defer func() { s.writing = s.writing[:len(s.writing)-1] }()
	v = &trees.WritableView{Schema: d.name, Name: stored.Name}
	text, _ := ParseView(stored.CreateViewStatement)
	stmt, err := trees.TreeOf(stored.CreateViewStatement, trees.ModeOf(stored.SqlMode))
	create, parsed := stmt.(*ast.DDL)
	if err != nil || !parsed || create.ViewSpec == nil || text.algorithm == "TEMPTABLE" {
		return v, false, nil
	}
	sel, from := trees.PlainSelect(create.ViewSpec.ViewExpr)
	if sel == nil {
		return v, false, nil
	}
	below, alias, err := s.below(ctx, d, from, forced || text.Check == "CASCADED")
	if err != nil || below == nil {
		return v, false, err
	}
	v.Table, v.Where, v.Checks = below.Table, below.Where, below.Checks
	on := tabledef.TableName{Schema: below.Schema, Name: below.Name}
	v.Levels = append(below.Levels, trees.ViewLevel{Definer: RoleOf(stored.Completed(d, text.Definer).Definer), Invoker: text.invoker, On: on})
	if !v.List(sel.SelectExprs, below, text.columns) {
		return v, false, nil
	}
	if sel.Where != nil {
		cond := below.Over(sel.Where.Expr, alias, "")
		v.Where = append(v.Where, cond)
		if forced || text.Check != "" {
			v.Checks = append(v.Checks, cond)
		}
	}
	return v, true, nil
}

// below is what a view reads: a view, or a table as if it were one. Nil: neither.
func (s *Session) below(ctx *sql.Context, d *Database, from *ast.AliasedTableExpr, forced bool) (v *trees.WritableView, alias string, err error) {
	name := from.Expr.(ast.TableName)
	schema := d.name
	if !name.DbQualifier.IsEmpty() {
		schema = name.DbQualifier.String()
	}
	if alias = from.As.String(); alias == "" {
		alias = name.Name.String()
	}
	v, ok, err := s.Writable(ctx, schema, name.Name.String(), forced)
	if v != nil || err != nil {
		if !ok {
			v = nil
		}
		return v, alias, err
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	base, own := OwnDatabase(found)
	if err != nil || !own {
		return nil, "", err
	}
	t, ok, err := base.Table(ctx, name.Name.String())
	if err != nil || !ok {
		return nil, "", err
	}
	v = &trees.WritableView{Schema: base.name, Name: t.Name(), Table: tabledef.TableName{Schema: base.name, Name: t.Name()}}
	for _, c := range t.Schema(ctx) {
		v.Columns = append(v.Columns, trees.WritableColumn{Name: c.Name, Invisible: c.Hidden || c.HiddenSystem, Expr: &ast.ColName{Name: ast.NewColIdent(c.Name)}})
	}
	return v, alias, nil
}

// mayWrite asks for the rights that the definers of the views need.
func (s *Session) mayWrite(ctx *sql.Context, t trees.ThroughView, need ...sql.PrivilegeType) error {
	rights := PrivilegesOf(ctx)
	for i := len(t.Levels) - 1; i >= 0 && !rights.All; i-- {
		l := t.Levels[i]
		if !l.Invoker {
			if !s.layer.hasAccount(l.Definer) {
				return noDefiner(l.Definer)
			}
			rights = s.layer.RightsOf(l.Definer)
		}
		if len(rights.lacking(l.On.Schema, l.On.Name, need...)) > 0 {
			return InvalidView(t.Schema, t.Name)
		}
	}
	return nil
}

// throughChecks takes the view from the name of a table, and gives the constraints of its CHECK
// OPTION.
func (s *Session) throughChecks(ctx *sql.Context, name string) (table string, v *trees.WritableView, checks []sql.CheckDefinition, err error) {
	table, view, ok := strings.Cut(name, sqlerr.ViewMark)
	if !ok {
		return name, nil, nil, nil
	}
	schema, view, _ := strings.Cut(view, sqlerr.ViewMark)
	if view, leaf, joined := strings.Cut(view, sqlerr.ViewMark); joined {
		number, _ := strconv.Atoi(leaf)
		v, err = s.leafOf(ctx, schema, view, number)
		return table, v, nil, err
	}
	v, ok, err = s.Writable(ctx, schema, view, false)
	if err != nil || !ok {
		return table, nil, nil, err
	}
	for _, c := range v.Checks {
		checks = append(checks, sql.CheckDefinition{Name: sqlerr.ViewMark + v.Schema + "." + v.Name, CheckExpression: "(" + tabledef.SourceText(c) + ") is true", Enforced: true})
	}
	return table, v, checks, nil
}

// throughViews makes a statement that changes a view one that changes its table.
func (s *Session) throughViews(ctx *sql.Context, stmt ast.Statement) error {
	switch n := stmt.(type) {
	case *ast.Insert:
		if joined, err := s.joinTarget(ctx, n.Table); err != nil || joined != nil {
			if err != nil {
				return err
			}
			return joined.Insert(n)
		}
		v, err := s.target(ctx, n.Table, "INSERT")
		if v == nil || err != nil {
			return err
		}
		return v.Insert(n)
	case *ast.Load:
		v, err := s.target(ctx, n.Table, "LOAD")
		if v == nil || err != nil {
			return err
		}
		var through trees.ThroughView
		n.Table, through = v.Target()
		n.Auth.Extra = through
		n.Columns, err = v.Bases(n.Columns)
		return err
	case *ast.Update:
		joined, err := s.joinTarget(ctx, trees.SoleTable(n.TableExprs))
		if err != nil {
			return err
		}
		if joined != nil || trees.Several(n.TableExprs) {
			return s.updatesAmong(ctx, n)
		}
		v, table, err := s.single(ctx, n.TableExprs, "UPDATE")
		if v == nil || err != nil {
			return err
		}
		for _, e := range n.Exprs {
			c, err := v.Listed(e.Name.Name.String())
			if err != nil {
				return err
			}
			if c.Base() == "" {
				return sqlerr.NewError(1348, "Column '%s' is not updatable", c.Name)
			}
			e.Name.Name, e.Name.Qualifier = ast.NewColIdent(c.Base()), ast.TableName{}
			if e.Expr, err = v.Known(e.Expr, table); err != nil {
				return err
			}
		}
		n.Where, err = v.Narrowed(n.Where, n.OrderBy, table)
		return err
	case *ast.Delete:
		if len(n.Targets) > 0 {
			return s.deletesAmong(ctx, n)
		}
		v, table, err := s.single(ctx, n.TableExprs, "DELETE")
		if v == nil || err != nil {
			return err
		}
		n.Where, err = v.Narrowed(n.Where, n.OrderBy, table)
		return err
	case *ast.DDL:
		if n.Action == ast.TruncateStr {
			return s.emptiesView(ctx, n.Table)
		}
	}
	return nil
}

// emptiesView refuses TRUNCATE of a view: MySQL looks for a table of that name only, and GMS would
// empty the table that the view is of.
func (s *Session) emptiesView(ctx *sql.Context, name ast.TableName) error {
	schema, view := name.DbQualifier.String(), name.Name.String()
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	if _, hidden := s.Temps.Lookup(schema, view); hidden || schema == "" {
		return nil
	}
	v, _, err := s.Writable(ctx, schema, view, false)
	switch {
	case err != nil || v == nil:
		return err
	case s.UnderLocks():
		return errNotLocked(view)
	}
	return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", schema, view)
}

// copyThroughViews is throughViews of a statement that is run again: one that changes a view is
// copied first.
func (s *Session) copyThroughViews(ctx *sql.Context, stmt ast.Statement) (ast.Statement, error) {
	var targets []trees.Target
	switch n := stmt.(type) {
	case *ast.Insert:
		targets = []trees.Target{{Name: n.Table}}
	case *ast.Update:
		targets = trees.TablesOf(n.TableExprs)
	case *ast.Delete:
		targets = trees.TablesOf(n.TableExprs)
	}
	view := false
	for _, t := range targets {
		is, err := s.isView(ctx, t.Name)
		if err != nil {
			return stmt, err
		}
		view = view || is
	}
	if !view {
		return stmt, nil
	}
	stmt = trees.CopyTree(reflect.ValueOf(stmt)).Interface().(ast.Statement)
	return stmt, s.throughViews(ctx, stmt)
}

// isView tells whether a name is that of a view.
func (s *Session) isView(ctx *sql.Context, name ast.TableName) (bool, error) {
	schema := schemaOf(ctx, name)
	if _, hidden := s.Temps.Lookup(schema, name.Name.String()); hidden || schema == "" {
		return false, nil
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, own := OwnDatabase(found)
	if err != nil || !own {
		return false, nil
	}
	_, is, err := Find[StoredView](ctx, d, catalog.KindView, name.Name.String())
	return is, err
}

// target finds the view that a statement changes; nil if it is none.
func (s *Session) target(ctx *sql.Context, name ast.TableName, verb string) (*trees.WritableView, error) {
	schema := name.DbQualifier.String()
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	if schema == "" || strings.Contains(name.Name.String(), sqlerr.ViewMark) {
		return nil, nil
	}
	if _, hidden := s.Temps.Lookup(schema, name.Name.String()); hidden {
		return nil, nil
	}
	v, ok, err := s.Writable(ctx, schema, name.Name.String(), false)
	switch {
	case err != nil || v == nil:
		return nil, err
	case !ok && verb != "INSERT":
		joined, err := s.joinTarget(ctx, name)
		if err != nil {
			return nil, err
		}
		if joined != nil && verb == "DELETE" {
			return nil, joined.NoDelete()
		}
		return nil, sqlerr.NewError(1288, "The target table %s of the %s is not updatable", v.Name, verb)
	case (verb == "INSERT" || verb == "LOAD") && (!ok || !v.Inserts()):
		return nil, sqlerr.NewError(1471, "The target table %s of the %s is not insertable-into", v.Name, verb)
	}
	return v, nil
}

// single puts the table in the place of a view that stands alone; table is its name in the
// statement.
func (s *Session) single(ctx *sql.Context, exprs ast.TableExprs, verb string) (v *trees.WritableView, table string, err error) {
	if len(exprs) != 1 {
		return nil, "", nil
	}
	t, ok := exprs[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil, "", nil
	}
	name, ok := t.Expr.(ast.TableName)
	if !ok {
		return nil, "", nil
	}
	if v, err = s.target(ctx, name, verb); v == nil || err != nil {
		return nil, "", err
	}
	if t.As.IsEmpty() {
		t.As = name.Name
	}
	var through trees.ThroughView
	t.Expr, through = v.Target()
	t.Auth.Extra = through
	return v, t.As.String(), nil
}
