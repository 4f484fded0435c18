package lower

import (
	"slices"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
)

func (l *lowerer) insert(n *ast.Insert) *vt.Insert {
	ins := &vt.Insert{
		Action: vt.InsertStr, Comments: hints(n.Hints), Ignore: ignore(n.Ignore), Table: tableName(n.Table),
		Partitions: colIdents(n.Partitions), OnDup: vt.OnDup(l.assigns(n.OnConflict)), Auth: onTable(vt.AuthType_INSERT, n.Table),
	}
	if n.Replace {
		ins.Action, ins.Auth.AuthType = vt.ReplaceStr, vt.AuthType_REPLACE
	}
	if n.HasColumns {
		ins.Columns = make(vt.Columns, len(n.Columns))
		for i, c := range n.Columns {
			ins.Columns[i] = colIdent(c.Name)
		}
	}
	switch {
	case n.Query != nil:
		l.refuseIf(n.Alias != nil, "alias behind the query of an INSERT")
		ins.Rows = l.insertSource(n.Query)
	case n.Set != nil:
		ins.Columns = make(vt.Columns, len(n.Set))
		row := make(vt.ValTuple, len(n.Set))
		for i := range n.Set {
			ins.Columns[i], row[i] = colIdent(n.Set[i].Column.Name), l.stored(n.Set[i].Value)
		}
		ins.Rows = rowAlias(&vt.AliasedValues{Values: vt.Values{row}}, n.Alias)
	default:
		rows := make(vt.Values, len(n.Rows))
		for i := range n.Rows {
			rows[i] = make(vt.ValTuple, len(n.Rows[i].Items))
			for j, x := range n.Rows[i].Items {
				rows[i][j] = l.stored(x)
			}
		}
		ins.Rows = rowAlias(&vt.AliasedValues{Values: rows}, n.Alias)
	}
	return ins
}

// stored lowers a value for a column.
func (l *lowerer) stored(x ast.Expr) vt.Expr {
	out := l.expr(x)
	if l.Bytes {
		out = storedString(out)
	}
	return out
}

// insertSource lowers the query of an INSERT. VALUES ROW(...) alone is a list of rows.
func (l *lowerer) insertSource(n *ast.Query) vt.InsertRows {
	n = bare(n)
	if v, ok := n.Body.(*ast.Values); ok && !hasTail(n) && n.With == nil {
		return &vt.AliasedValues{Values: l.values(v).Rows}
	}
	q := l.query(n)
	if s, ok := q.(*vt.Select); ok && l.Bytes {
		for _, item := range s.SelectExprs {
			if of, ok := item.(*vt.AliasedExpr); ok {
				of.Expr = storedString(of.Expr)
			}
		}
	}
	return q
}

// storedString makes bytes of a string.
func storedString(x vt.Expr) vt.Expr {
	if s, ok := x.(*vt.SQLVal); ok && s.Type == vt.StrVal {
		return operand.Value(operand.AsBytes, s.Val)
	}
	return x
}

func rowAlias(rows *vt.AliasedValues, n *ast.RowAlias) *vt.AliasedValues {
	if n != nil {
		rows.As, rows.Columns = tableIdent(n.Name), colIdents(n.Columns)
	}
	return rows
}

func ignore(given bool) string {
	if given {
		return vt.IgnoreStr
	}
	return ""
}

func (l *lowerer) assigns(list []ast.Assign) vt.AssignmentExprs {
	if list == nil {
		return nil
	}
	out := make(vt.AssignmentExprs, len(list))
	for i := range list {
		out[i] = &vt.AssignmentExpr{Name: column(list[i].Column), Expr: l.stored(list[i].Value)}
	}
	return out
}

func (l *lowerer) update(n *ast.Update) *vt.Update {
	u := &vt.Update{
		Comments: hints(n.Hints), Ignore: ignore(n.Ignore),
		TableExprs: vt.SetAuthType(l.from(n.Tables), vt.AuthType_UPDATE, true).(vt.TableExprs),
		Exprs:      l.assigns(n.Set), Where: vt.NewWhere(vt.WhereStr, l.expr(n.Where)), OrderBy: l.orderBy(n.OrderBy), Limit: l.limit(n.Limit),
	}
	if n.With != nil {
		with := l.with(n.With)
		ignoreCTEs(u, with)
		u.With = with
	}
	return u
}

func (l *lowerer) delete(n *ast.Delete) *vt.Delete {
	d := &vt.Delete{
		Comments: hints(n.Hints), Where: vt.NewWhere(vt.WhereStr, l.expr(n.Where)), OrderBy: l.orderBy(n.OrderBy), Limit: l.limit(n.Limit),
	}
	if n.Ignore {
		d.Comments = append(d.Comments, []byte(ignoreComment))
	}
	if n.Source == nil {
		t := &n.Targets[0]
		d.TableExprs = vt.TableExprs{&vt.AliasedTableExpr{Expr: tableName(t.Name), As: tableIdent(t.Alias), Auth: onTable(vt.AuthType_DELETE, t.Name),
			Partitions: colIdents(t.Partitions)}}
	} else {
		for i := range n.Targets {
			d.Targets = append(d.Targets, tableName(n.Targets[i].Name))
		}
		d.TableExprs = vt.SetAuthType(l.from(n.Source), vt.AuthType_DELETE, true).(vt.TableExprs)
	}
	if n.With != nil {
		with := l.with(n.With)
		ignoreCTEs(d, with)
		d.With = with
	}
	return d
}

// ignoreComment says IGNORE in a DELETE, for which GMS's tree has no place.
const ignoreComment = "/*\x00ignore*/"

// Ignores reports whether a DELETE has IGNORE.
func Ignores(n *vt.Delete) bool {
	return slices.ContainsFunc(n.Comments, func(c []byte) bool { return string(c) == ignoreComment })
}
