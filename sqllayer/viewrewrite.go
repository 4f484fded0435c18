package sqllayer

import (
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// throughViews makes a statement that changes a view one that changes its table.
func (s *Session) throughViews(ctx *sql.Context, stmt ast.Statement) error {
	switch n := stmt.(type) {
	case *ast.Insert:
		v, err := s.target(ctx, n.Table, "INSERT")
		if v == nil || err != nil {
			return err
		}
		return v.insert(n)
	case *ast.Load:
		v, err := s.target(ctx, n.Table, "LOAD")
		if v == nil || err != nil {
			return err
		}
		var through throughView
		n.Table, through = v.target()
		n.Auth.Extra = through
		n.Columns, err = v.bases(n.Columns)
		return err
	case *ast.Update:
		v, table, err := s.single(ctx, n.TableExprs, "UPDATE")
		if v == nil || err != nil {
			return err
		}
		for _, e := range n.Exprs {
			c, err := v.listed(e.Name.Name.String())
			if err != nil {
				return err
			}
			if c.base() == "" {
				return NewError(1348, "Column '%s' is not updatable", c.name)
			}
			e.Name.Name, e.Name.Qualifier = ast.NewColIdent(c.base()), ast.TableName{}
			if e.Expr, err = v.known(e.Expr, table); err != nil {
				return err
			}
		}
		n.Where, err = v.narrowed(n.Where, n.OrderBy, table)
		return err
	case *ast.Delete:
		if len(n.Targets) > 0 {
			return nil
		}
		v, table, err := s.single(ctx, n.TableExprs, "DELETE")
		if v == nil || err != nil {
			return err
		}
		n.Where, err = v.narrowed(n.Where, n.OrderBy, table)
		return err
	}
	return nil
}

// copyThroughViews is throughViews of a statement that is run again: one that changes a view is
// copied first.
func (s *Session) copyThroughViews(ctx *sql.Context, stmt ast.Statement) (ast.Statement, error) {
	var target ast.TableName
	verb := ""
	switch n := stmt.(type) {
	case *ast.Insert:
		target, verb = n.Table, "INSERT"
	case *ast.Update:
		target, verb = soleTable(n.TableExprs), "UPDATE"
	case *ast.Delete:
		if len(n.Targets) == 0 {
			target, verb = soleTable(n.TableExprs), "DELETE"
		}
	}
	if target.Name.IsEmpty() {
		return stmt, nil
	}
	v, err := s.target(ctx, target, verb)
	if v == nil || err != nil {
		return stmt, err
	}
	stmt = copyTree(reflect.ValueOf(stmt)).Interface().(ast.Statement)
	return stmt, s.throughViews(ctx, stmt)
}

// soleTable is the table of a list that names nothing else.
func soleTable(exprs ast.TableExprs) ast.TableName {
	if len(exprs) == 1 {
		if t, ok := exprs[0].(*ast.AliasedTableExpr); ok {
			name, _ := t.Expr.(ast.TableName)
			return name
		}
	}
	return ast.TableName{}
}

// copyTree copies a tree of GMS's parser, and our nodes in it. What these point to beyond is shared.
func copyTree(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(copyTree(v.Elem()))
		}
	case reflect.Pointer:
		if t := v.Type().Elem(); !v.IsNil() && t.Kind() == reflect.Struct && isTree(t.PkgPath()) {
			out.Set(reflect.New(t))
			out.Elem().Set(copyTree(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(copyTree(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(copyTree(v.Field(i)))
			}
		}
	}
	return out
}

// isTree tells the packages whose values are nodes of a tree.
func isTree(pkg string) bool {
	return strings.HasSuffix(pkg, "/vt/sqlparser") || pkg == "emberdb/sqllayer/expr" || pkg == "emberdb/sqllayer/lower"
}

// target finds the view that a statement changes; nil if it is none.
func (s *Session) target(ctx *sql.Context, name ast.TableName, verb string) (*writableView, error) {
	schema := name.DbQualifier.String()
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	if schema == "" || strings.Contains(name.Name.String(), viewMark) {
		return nil, nil
	}
	if _, hidden := s.temps.lookup(schema, name.Name.String()); hidden {
		return nil, nil
	}
	v, ok, err := s.writable(ctx, schema, name.Name.String(), false)
	switch {
	case err != nil || v == nil:
		return nil, err
	case (verb == "INSERT" || verb == "LOAD") && (!ok || !v.inserts()):
		return nil, NewError(1471, "The target table %s of the %s is not insertable-into", v.name, verb)
	case !ok:
		return nil, NewError(1288, "The target table %s of the %s is not updatable", v.name, verb)
	}
	return v, nil
}

// insert rewrites INSERT and REPLACE.
func (v *writableView) insert(n *ast.Insert) (err error) {
	named := n.Table.Name.String()
	var through throughView
	n.Table, through = v.target()
	n.Auth.Extra = through
	if n.Columns, err = v.bases(n.Columns); err != nil {
		return err
	}
	for _, e := range n.OnDup {
		c, err := v.listed(e.Name.Name.String())
		if err != nil {
			return err
		}
		e.Name.Name, e.Name.Qualifier = ast.NewColIdent(c.base()), ast.TableName{}
		e.Expr = v.over(e.Expr, named, "")
	}
	return nil
}

// listed is the column that a statement gives a value.
func (v *writableView) listed(name string) (*writableColumn, error) {
	if c := v.column(name); c != nil {
		return c, nil
	}
	return nil, NewError(1054, "Unknown column '%s' in 'field list'", name)
}

// bases gives the table's columns for those of a list, and all of the view's where there is none.
func (v *writableView) bases(columns ast.Columns) (out ast.Columns, err error) {
	if len(columns) == 0 {
		for _, c := range v.columns {
			out = append(out, ast.NewColIdent(c.base()))
		}
		return out, nil
	}
	for _, name := range columns {
		c, err := v.listed(name.String())
		if err != nil {
			return nil, err
		}
		out = append(out, ast.NewColIdent(c.base()))
	}
	return out, nil
}

// single puts the table in the place of a view that stands alone; table is its name in the
// statement.
func (s *Session) single(ctx *sql.Context, exprs ast.TableExprs, verb string) (v *writableView, table string, err error) {
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
	var through throughView
	t.Expr, through = v.target()
	t.Auth.Extra = through
	return v, t.As.String(), nil
}

// known writes an expression of a statement over the table's columns; names of columns that the
// view does not show are refused.
func (v *writableView) known(e ast.Expr, table string) (ast.Expr, error) {
	var unknown string
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if _, sub := n.(*ast.Subquery); sub {
			return false, nil
		}
		if c, ok := n.(*ast.ColName); ok && c.StoredProcVal == nil && (c.Qualifier.IsEmpty() || strings.EqualFold(c.Qualifier.Name.String(), table)) && v.column(c.Name.String()) == nil {
			unknown = c.Name.String()
		}
		return true, nil
	}, e)
	if unknown != "" {
		return nil, NewError(1054, "Unknown column '%s' in 'where clause'", unknown)
	}
	return v.over(e, table, table), nil
}

// narrowed adds the view's condition to the statement's.
func (v *writableView) narrowed(where *ast.Where, order ast.OrderBy, table string) (*ast.Where, error) {
	var all []ast.Expr
	for _, c := range v.where {
		all = append(all, called(c, table))
	}
	if where != nil {
		own, err := v.known(where.Expr, table)
		if err != nil {
			return nil, err
		}
		all = append(all, &ast.ParenExpr{Expr: own})
	}
	for _, o := range order {
		own, err := v.known(o.Expr, table)
		if err != nil {
			return nil, err
		}
		o.Expr = own
	}
	if len(all) == 0 {
		return nil, nil
	}
	cond := all[0]
	for _, c := range all[1:] {
		cond = &ast.AndExpr{Left: &ast.ParenExpr{Expr: cond}, Right: c}
	}
	return ast.NewWhere(ast.WhereStr, cond), nil
}
