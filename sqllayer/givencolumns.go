package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/window"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// The values of INSERT and REPLACE may name columns of the target: what the same row gives them
// further left, or their defaults. GMS knows no columns there. So the names become expressions that
// read the row that is being made, see store.GivenColumn and run.givenRows.

//
// A row without values has a DEFAULT for each column: GMS takes the wrong columns for those that a
// generated column names.

// givenColumns puts these expressions in the places of the names.
func (s *Session) givenColumns(ctx *sql.Context, stmt ast.Statement) error {
	n, rows := givenValues(stmt)
	if rows == nil || !namesColumns(rows) && !lacksValues(rows) {
		return nil
	}
	t := s.ownTable(ctx, n.Table)
	if t == nil {
		return nil
	}
	if lacksValues(rows) {
		giveDefaults(n, rows, t)
	}
	for _, row := range rows.Values {
		for i := range row {
			if err := s.givenValue(ctx, n, t, &row[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// givenValues are the rows that a statement gives to a table itself.
func givenValues(stmt ast.Statement) (*ast.Insert, *ast.AliasedValues) {
	if n, ok := stmt.(*ast.Explain); ok {
		return givenValues(n.Statement)
	}
	n, ok := stmt.(*ast.Insert)
	if !ok {
		return nil, nil
	}
	rows, _ := n.Rows.(*ast.AliasedValues)
	return n, rows
}

// lacksValues tells whether a row has no values.
func lacksValues(rows *ast.AliasedValues) bool {
	return slices.ContainsFunc(rows.Values, func(row ast.ValTuple) bool { return len(row) == 0 })
}

// giveDefaults puts the defaults of a table's columns in the places of rows that have no values.
// Invisible columns are named where there are some, for a row without names lacks them.
func giveDefaults(n *ast.Insert, rows *ast.AliasedValues, t *Table) {
	names := n.Columns // those of a view
	if len(names) == 0 {
		for _, c := range t.Def.Columns {
			if !c.HiddenSystem {
				names = append(names, ast.NewColIdent(c.Name))
			}
		}
	}
	if t.Def.HasInvisible() {
		n.Columns = names
	}
	for i, row := range rows.Values {
		if len(row) > 0 {
			continue
		}
		for range names {
			rows.Values[i] = append(rows.Values[i], &ast.Default{})
		}
	}
}

// namesColumns looks for names outside of subqueries.
func namesColumns(n ast.SQLNode) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			found = found || n.StoredProcVal == nil
		case *ast.ValuesFuncExpr:
			found = true
		case *ast.Subquery:
			return false, nil
		}
		return !found, nil
	}, n)
	return found
}

// givenValue replaces the names of the target's columns in one value.
func (s *Session) givenValue(ctx *sql.Context, n *ast.Insert, t *Table, value *ast.Expr) (err error) {
	if !namesColumns(*value) {
		return nil
	}
	of, inDefault := &ast.AssignmentExpr{Expr: *value}, namesInDefault(*value)
	window.ReplaceColumns(ast.AssignmentExprs{of}, func(e ast.Expr, in *ast.Subquery) ast.Expr {
		c, ok := e.(*ast.ColName)
		switch {
		case !ok && in == nil: // VALUES(c) of a row that meets no other
			return &ast.NullVal{}
		case !ok || in != nil || err != nil || c.StoredProcVal != nil || inDefault[c] || !isOf(ctx, c, n.Table):
			return e
		}
		at := t.Def.Find(c.Name.String())
		if at < 0 || t.Def.Def.Columns[at].System {
			return e
		}
		if err = s.mayNameColumn(ctx, t, at); err != nil {
			return e
		}
		given := &store.GivenColumn{Column: &t.Def.Columns[at], At: at, Default: t.Def.InitialValue(ctx, at)}
		return ast.InjectedExpr{Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}, Expression: given}
	})
	*value = of.Expr
	return err
}

// namesInDefault are the names that stand in DEFAULT(c).
func namesInDefault(n ast.SQLNode) map[*ast.ColName]bool {
	found := make(map[*ast.ColName]bool)
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		call, ok := n.(*ast.FuncExpr)
		if !ok || call.Name.Lowered() != expr.DefaultOf {
			return true, nil
		}
		for _, arg := range call.Exprs {
			if of, ok := arg.(*ast.AliasedExpr); ok {
				if c, ok := of.Expr.(*ast.ColName); ok {
					found[c] = true
				}
			}
		}
		return false, nil
	}, n)
	return found
}

// isOf tells whether the qualifier of a name is the table, or there is none.
func isOf(ctx *sql.Context, c *ast.ColName, table ast.TableName) bool {
	q := c.Qualifier
	shown, _, _ := strings.Cut(table.Name.String(), sqlerr.ViewMark)
	return q.IsEmpty() || strings.EqualFold(q.Name.String(), shown) &&
		(q.DbQualifier.IsEmpty() || strings.EqualFold(q.DbQualifier.String(), schemaOf(ctx, table)))
}

// mayNameColumn refuses who may not read the column. A view's rights are looked at with the view.
func (s *Session) mayNameColumn(ctx *sql.Context, t *Table, at int) error {
	d, column := t.Def.Def, t.Def.Columns[at].Name
	if t.Temporary || PrivilegesOf(ctx).OnColumn(d.Schema, d.Name, column, sql.PrivilegeType_Select) {
		return nil
	}
	return s.ViewError(s.ColumnDenied(sql.PrivilegeType_Select, column, d.Name))
}
