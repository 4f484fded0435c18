package trees

import (
	"reflect"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// SoleTable is the table of a list that names nothing else.
func SoleTable(exprs ast.TableExprs) ast.TableName {
	if len(exprs) == 1 {
		if t, ok := exprs[0].(*ast.AliasedTableExpr); ok {
			name, _ := t.Expr.(ast.TableName)
			return name
		}
	}
	return ast.TableName{}
}

// CopyTree copies a tree of GMS's parser, and our nodes in it. What these point to beyond is shared.
func CopyTree(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(CopyTree(v.Elem()))
		}
	case reflect.Pointer:
		if t := v.Type().Elem(); !v.IsNil() && t.Kind() == reflect.Struct && isTree(t.PkgPath()) {
			out.Set(reflect.New(t))
			out.Elem().Set(CopyTree(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(CopyTree(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(CopyTree(v.Field(i)))
			}
		}
	}
	return out
}

// isTree tells the packages whose values are nodes of a tree.
func isTree(pkg string) bool {
	return strings.HasSuffix(pkg, "/vt/sqlparser") || pkg == "emberdb/sqllayer/expr" || pkg == "emberdb/sqllayer/lower"
}

// Insert rewrites INSERT and REPLACE.
func (v *WritableView) Insert(n *ast.Insert) (err error) {
	named := n.Table.Name.String()
	var through ThroughView
	n.Table, through = v.Target()
	n.Auth.Extra = through
	if n.Columns, err = v.Bases(n.Columns); err != nil {
		return err
	}
	if rows, ok := n.Rows.(*ast.AliasedValues); ok {
		for _, row := range rows.Values {
			for i := range row {
				if err = v.known(row[i], named, "field list"); err != nil {
					return err
				}
				row[i] = v.Over(row[i], named, "")
			}
		}
	}
	for _, e := range n.OnDup {
		c, err := v.Listed(e.Name.Name.String())
		if err != nil {
			return err
		}
		e.Name.Name, e.Name.Qualifier = ast.NewColIdent(c.Base()), ast.TableName{}
		e.Expr = v.Over(e.Expr, named, "")
	}
	return nil
}

// Listed is the column that a statement gives a value.
func (v *WritableView) Listed(name string) (*WritableColumn, error) {
	if c := v.column(name); c != nil {
		return c, nil
	}
	return nil, sqlerr.NewError(1054, "Unknown column '%s' in 'field list'", name)
}

// Bases gives the table's columns for those of a list, and all of the view's where there is none.
func (v *WritableView) Bases(columns ast.Columns) (out ast.Columns, err error) {
	if len(columns) == 0 {
		for _, c := range v.Columns {
			out = append(out, ast.NewColIdent(c.Base()))
		}
		return out, nil
	}
	for _, name := range columns {
		c, err := v.Listed(name.String())
		if err != nil {
			return nil, err
		}
		out = append(out, ast.NewColIdent(c.Base()))
	}
	return out, nil
}

// Known writes an expression of a statement over the table's columns; names of columns that the
// view does not show are refused.
func (v *WritableView) Known(e ast.Expr, table string) (ast.Expr, error) {
	if err := v.known(e, table, "where clause"); err != nil {
		return nil, err
	}
	return v.Over(e, table, table), nil
}

// known refuses names of columns that the view does not show. The names of variables begin with @.
func (v *WritableView) known(e ast.Expr, table, clause string) error {
	var unknown string
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if _, sub := n.(*ast.Subquery); sub {
			return false, nil
		}
		if c, ok := n.(*ast.ColName); ok && c.StoredProcVal == nil && !strings.HasPrefix(c.Name.String(), "@") && (c.Qualifier.IsEmpty() || strings.EqualFold(c.Qualifier.Name.String(), table)) && v.column(c.Name.String()) == nil {
			unknown = c.Name.String()
		}
		return true, nil
	}, e)
	if unknown != "" {
		return sqlerr.NewError(1054, "Unknown column '%s' in '%s'", unknown, clause)
	}
	return nil
}

// Narrowed adds the view's condition to the statement's.
func (v *WritableView) Narrowed(where *ast.Where, order ast.OrderBy, table string) (*ast.Where, error) {
	var all []ast.Expr
	for _, c := range v.Where {
		all = append(all, called(c, table))
	}
	if where != nil {
		own, err := v.Known(where.Expr, table)
		if err != nil {
			return nil, err
		}
		all = append(all, &ast.ParenExpr{Expr: own})
	}
	for _, o := range order {
		own, err := v.Known(o.Expr, table)
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
