package lower

import (
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// from lowers the tables of FROM; FROM DUAL is none.
func (l *lowerer) from(list []ast.TableRef) vt.TableExprs {
	if len(list) == 0 {
		return nil
	}
	if _, dual := list[0].(*ast.Dual); dual {
		return nil
	}
	out := make(vt.TableExprs, 0, len(list))
	for _, t := range list {
		if l.startsVariables(t) {
			out = append(out, l.tableRef(t))
		}
	}
	for _, t := range list {
		if !l.startsVariables(t) {
			out = append(out, l.tableRef(t))
		}
	}
	return out
}

// startsVariables reports whether a table is (SELECT @a := 1) beside tables whose rows go by @a.
// MySQL evaluates such a table while it plans; here it is the first one that is joined, unless a
// star shows the order of tables.
func (l *lowerer) startsVariables(t ast.TableRef) bool {
	d, ok := t.(*ast.Derived)
	if !l.assigning || l.starred || !ok || d.Lateral {
		return false
	}
	s, ok := bare(d.Query).Body.(*ast.Select)
	return ok && len(s.From) == 0 && assignsIn(s)
}

func (l *lowerer) tableRef(n ast.TableRef) vt.TableExpr {
	switch n := n.(type) {
	case *ast.TableSource:
		return l.tableSource(n)
	case *ast.Join:
		return l.join(n)
	case *ast.Derived:
		return l.derived(n)
	case *ast.TableList:
		return &vt.ParenTableExpr{Exprs: vt.TableExprs{joined(l.from(n.Tables))}}
	case *ast.JSONTable:
		return l.jsonTable(n)
	}
	l.refuse("DUAL in a list of tables")
	return nil
}

// joined makes one table of a list in parentheses, which GMS's planner does not take.
func joined(list vt.TableExprs) vt.TableExpr {
	out := list[0]
	for _, t := range list[1:] {
		out = &vt.JoinTableExpr{LeftExpr: out, Join: vt.JoinStr, RightExpr: t}
	}
	return out
}

func (l *lowerer) tableSource(n *ast.TableSource) *vt.AliasedTableExpr {
	l.refuseIf(n.Sample != nil, "TABLESAMPLE")
	return &vt.AliasedTableExpr{
		Expr: tableName(n.Name), As: tableIdent(n.Alias), Hints: l.indexHints(n.Indexes), Partitions: colIdents(n.Partitions),
		Auth: onTable("", n.Name),
	}
}

var hintTypes = [...]string{ast.UseIndex: vt.UseStr, ast.ForceIndex: vt.ForceStr, ast.IgnoreIndex: vt.IgnoreStr}

// indexHints lowers the hints of a table, which GMS takes of one kind only. They choose a plan and
// no rows, so those of another kind than the first are left out, and those for ORDER BY or GROUP BY
// alone too.
func (l *lowerer) indexHints(list []ast.IndexHint) *vt.IndexHints {
	var out *vt.IndexHints
	for i := range list {
		n := &list[i]
		switch {
		case n.For == ast.ForOrderBy || n.For == ast.ForGroupBy:
		case out == nil:
			out = &vt.IndexHints{Type: hintTypes[n.Kind], Indexes: colIdents(n.Names)}
		case out.Type == hintTypes[n.Kind]:
			out.Indexes = append(out.Indexes, colIdents(n.Names)...)
		}
	}
	return out
}

func (l *lowerer) derived(n *ast.Derived) *vt.AliasedTableExpr {
	out := &vt.AliasedTableExpr{
		Expr: l.tableQuery(n.Query), As: tableIdent(n.Alias), Lateral: n.Lateral, Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE},
	}
	switch e := out.Expr.(type) {
	case *vt.Subquery:
		e.Columns = colIdents(n.Columns)
	case *vt.ValuesStatement:
		e.Columns = colIdents(n.Columns)
	}
	return out
}

var joins = [...]string{ast.InnerJoin: vt.JoinStr, ast.CrossJoin: vt.JoinStr, ast.StraightJoinTable: vt.StraightJoinStr,
	ast.LeftJoin: vt.LeftJoinStr, ast.RightJoin: vt.RightJoinStr}

var naturalJoins = [...]string{ast.InnerJoin: vt.NaturalJoinStr, ast.LeftJoin: vt.NaturalLeftJoinStr, ast.RightJoin: vt.NaturalRightJoinStr}

func (l *lowerer) join(n *ast.Join) *vt.JoinTableExpr {
	if l.startsVariables(n.R) && !n.Natural && n.Using == nil && n.On == nil && (n.Kind == ast.InnerJoin || n.Kind == ast.CrossJoin) {
		return &vt.JoinTableExpr{LeftExpr: l.tableRef(n.R), Join: joins[n.Kind], RightExpr: l.tableRef(n.L)}
	}
	out := &vt.JoinTableExpr{LeftExpr: l.tableRef(n.L), Join: joins[n.Kind], RightExpr: l.tableRef(n.R)}
	switch {
	case n.Natural:
		out.Join = naturalJoins[n.Kind]
	case n.Using != nil:
		out.Condition.Using = colIdents(n.Using)
		if n.Kind == ast.StraightJoinTable {
			out.Join = vt.JoinStr // GMS has no STRAIGHT_JOIN with USING
		}
	default:
		out.Condition.On = l.expr(n.On)
	}
	return out
}

func (l *lowerer) jsonTable(n *ast.JSONTable) *vt.JSONTableExpr {
	return &vt.JSONTableExpr{Data: l.expr(n.X), Alias: tableIdent(n.Alias), Spec: l.jsonColumns(n.Path, n.Columns)}
}

func (l *lowerer) jsonColumns(path ast.Expr, list []ast.JSONColumn) *vt.JSONTableSpec {
	spec := &vt.JSONTableSpec{Path: l.jsonPathText(path), Columns: make([]*vt.JSONTableColDef, len(list))}
	for i := range list {
		spec.Columns[i] = l.jsonColumn(&list[i])
	}
	return spec
}

func (l *lowerer) jsonPathText(x ast.Expr) string {
	s, ok := x.(*ast.Literal)
	l.refuseIf(!ok, "path that is no text")
	return s.Bytes()
}

func (l *lowerer) jsonColumn(n *ast.JSONColumn) *vt.JSONTableColDef {
	switch n.Kind {
	case ast.JSONOrdinality:
		return &vt.JSONTableColDef{Name: colIdent(n.Name), Type: vt.ColumnType{Type: "INTEGER", Unsigned: true, Autoincrement: true}}
	case ast.JSONNested:
		return &vt.JSONTableColDef{Spec: l.jsonColumns(n.Path, n.Nested)}
	}
	c := &vt.JSONTableColDef{Name: colIdent(n.Name), Type: l.columnType(n.Type)}
	if n.Collate.Given() {
		c.Type.Collate = n.Collate.Name
	}
	c.Opts.Path, c.Opts.Exists = l.jsonPathText(n.Path), n.Kind == ast.JSONExists
	c.Opts.ValOnEmpty, c.Opts.ErrorOnEmpty = l.jsonDefault(n.OnEmpty)
	c.Opts.ValOnError, c.Opts.ErrorOnError = l.jsonDefault(n.OnError)
	return c
}

func (l *lowerer) jsonDefault(n *ast.JSONDefault) (value vt.Expr, fails bool) {
	switch {
	case n == nil:
		return nil, false
	case n.Action == ast.JSONError:
		return nil, true
	case n.Action == ast.JSONNull:
		return &vt.NullVal{}, false
	}
	return l.expr(n.Value), false
}
