package trees

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// INVISIBLE columns. Go-mysql-server knows none: its * and its NATURAL joins take all columns of a
// table, and so does its INSERT without a column list. So statements on tables that have some get
// the names of the visible columns before they are planned.

// TableColumn is a column of a table that a statement names.
type TableColumn struct {
	Name      string
	Invisible bool
}

// ColumnLister returns the columns of a table or view; ok is false if they are not known.
type ColumnLister func(name ast.TableName) (columns []TableColumn, ok bool)

// ListsColumns tells whether a statement means columns of tables that it does not name.
func ListsColumns(stmt ast.Statement) bool {
	if n, ok := stmt.(*ast.Explain); ok {
		return ListsColumns(n.Statement)
	}
	return Within(stmt, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.Select:
			return HasStar(n.SelectExprs)
		case *ast.JoinTableExpr:
			return natural(n)
		case *ast.Insert:
			return len(n.Columns) == 0
		case *ast.Load:
			return len(n.Columns) == 0
		}
		return false
	})
}

func natural(n *ast.JoinTableExpr) bool {
	return strings.HasPrefix(n.Join, ast.NaturalJoinStr[:len("natural")])
}

// NameColumns writes the visible columns out where a statement means them without naming them, if
// one of its tables has invisible columns.
func NameColumns(stmt ast.Statement, columns ColumnLister) error {
	if n, ok := stmt.(*ast.Explain); ok {
		return NameColumns(n.Statement, columns)
	}
	l := &columnNamer{columns: columns, shared: make(map[string]bool)}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.CommonTableExpr); ok && c.AliasedTableExpr != nil {
			l.shared[strings.ToLower(c.As.String())] = true
		}
		return true, nil
	}, stmt)
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			return true, l.selected(n)
		case *ast.Insert:
			if len(n.Columns) == 0 && givesValues(n.Rows) {
				n.Columns = l.written(n.Table)
			}
		case *ast.Load:
			if len(n.Columns) == 0 {
				n.Columns = l.written(n.Table)
			}
		case *ast.Update:
			return true, l.joined(n.TableExprs)
		case *ast.Delete:
			return true, l.joined(n.TableExprs)
		}
		return true, nil
	}, stmt)
}

// givesValues tells whether rows are more than VALUES ().
func givesValues(rows ast.InsertRows) bool {
	values, ok := rows.(*ast.AliasedValues)
	return !ok || len(values.Values) > 0 && len(values.Values[0]) > 0
}

// CheckEmptyRows refuses VALUES () beside rows with values or a list of columns, which
// go-mysql-server fills with defaults.
func CheckEmptyRows(stmt ast.Statement) error {
	n, ok := stmt.(*ast.Insert)
	if !ok {
		return nil
	}
	values, ok := n.Rows.(*ast.AliasedValues)
	if !ok || len(values.Values) == 0 {
		return nil
	}
	want := len(n.Columns)
	if want == 0 {
		want = len(values.Values[0])
	}
	for i, row := range values.Values {
		if len(row) != want && (len(row) == 0 || want == 0) {
			return sqlerr.NewError(sqlerr.ErColumnCountMismatch, "Column count doesn't match value count at row %d", i+1)
		}
	}
	return nil
}

// columnNamer names the columns of one statement.
type columnNamer struct {
	columns ColumnLister
	shared  map[string]bool // names of common table expressions
}

// written are the visible columns of a table that rows go into; nil if it has no invisible ones.
func (l *columnNamer) written(name ast.TableName) (out ast.Columns) {
	columns, _ := l.columns(name)
	invisible := false
	for _, c := range columns {
		if invisible = invisible || c.Invisible; !c.Invisible {
			out = append(out, ast.NewColIdent(c.Name))
		}
	}
	if !invisible {
		return nil
	}
	return out
}

// listing is what * stands for.
type listing struct {
	tables    []listedTable
	columns   []listedColumn
	unknown   bool // there is a table of unknown columns
	invisible bool // a table has invisible columns
}

// listedTable is a table of FROM.
type listedTable struct {
	name    ast.TableName
	columns []TableColumn
	unknown bool
}

// listedColumn is a column of it, or all of a table whose columns are not known.
type listedColumn struct {
	table ast.TableName
	name  string // "": all
}

func (c listedColumn) item() ast.SelectExpr {
	if c.name == "" {
		return &ast.StarExpr{TableName: c.table}
	}
	return &ast.AliasedExpr{Expr: &ast.ColName{Name: ast.NewColIdent(c.name), Qualifier: c.table}, InputExpression: c.name}
}

// selected names the columns of a query block.
func (l *columnNamer) selected(n *ast.Select) error {
	stars := HasStar(n.SelectExprs)
	if !stars && !Within(n.From, func(n ast.SQLNode) bool { j, ok := n.(*ast.JoinTableExpr); return ok && natural(j) }) {
		return nil
	}
	from, err := l.list(n.From)
	if err != nil || !from.invisible || !stars {
		return err
	}
	var items ast.SelectExprs
	for _, e := range n.SelectExprs {
		star, ok := e.(*ast.StarExpr)
		if !ok {
			items = append(items, e)
			continue
		}
		columns := from.columns
		if !star.TableName.IsEmpty() {
			columns = from.of(star.TableName)
		}
		if columns == nil {
			items = append(items, e)
		}
		for _, c := range columns {
			items = append(items, c.item())
		}
	}
	n.SelectExprs = items
	return nil
}

// joined names the columns of NATURAL joins of a statement that changes tables.
func (l *columnNamer) joined(tables ast.TableExprs) error {
	_, err := l.list(tables)
	return err
}

// of are the visible columns of one table; nil if they are not known.
func (f *listing) of(name ast.TableName) (out []listedColumn) {
	for _, t := range f.tables {
		if !strings.EqualFold(t.name.Name.String(), name.Name.String()) || t.unknown ||
			!name.DbQualifier.IsEmpty() && !t.name.DbQualifier.IsEmpty() && !strings.EqualFold(t.name.DbQualifier.String(), name.DbQualifier.String()) {
			continue
		}
		for _, c := range t.columns {
			if !c.Invisible {
				out = append(out, listedColumn{t.name, c.Name})
			}
		}
	}
	return out
}

func (l *columnNamer) list(tables ast.TableExprs) (out listing, err error) {
	for _, t := range tables {
		one, err := l.table(t)
		if err != nil {
			return out, err
		}
		out.add(&one)
	}
	return out, nil
}

// add puts the tables of another listing behind.
func (f *listing) add(o *listing) {
	f.tables, f.columns = append(f.tables, o.tables...), append(f.columns, o.columns...)
	f.unknown, f.invisible = f.unknown || o.unknown, f.invisible || o.invisible
}

func (l *columnNamer) table(n ast.TableExpr) (listing, error) {
	switch n := n.(type) {
	case *ast.ParenTableExpr:
		return l.list(n.Exprs)
	case *ast.JoinTableExpr:
		return l.join(n)
	case *ast.AliasedTableExpr:
		return l.aliased(n), nil
	case *ast.JSONTableExpr:
		return unlisted(n.Alias), nil
	case *ast.TableFuncExpr:
		return unlisted(n.Alias), nil
	}
	return listing{unknown: true}, nil
}

// unlisted is a table of unknown columns.
func unlisted(name ast.TableIdent) listing {
	t := ast.TableName{Name: name}
	return listing{tables: []listedTable{{name: t, unknown: true}}, columns: []listedColumn{{table: t}}, unknown: true}
}

func (l *columnNamer) aliased(n *ast.AliasedTableExpr) (out listing) {
	name, ok := n.Expr.(ast.TableName)
	if !ok || name.DbQualifier.IsEmpty() && l.shared[strings.ToLower(name.Name.String())] {
		if n.As.IsEmpty() {
			return unlisted(name.Name)
		}
		return unlisted(n.As)
	}
	shown := name
	if !n.As.IsEmpty() {
		shown = ast.TableName{Name: n.As}
	}
	columns, ok := l.columns(name)
	if !ok {
		out = unlisted(n.As)
		out.tables[0].name, out.columns[0].table = shown, shown
		return out
	}
	out.tables = []listedTable{{name: shown, columns: columns}}
	for _, c := range columns {
		if out.invisible = out.invisible || c.Invisible; !c.Invisible {
			out.columns = append(out.columns, listedColumn{shown, c.Name})
		}
	}
	return out
}

// join lists the columns of a join: those in common once, and first. NATURAL becomes USING if a
// table has invisible columns, which only USING may name.
func (l *columnNamer) join(n *ast.JoinTableExpr) (out listing, err error) {
	left, err := l.table(n.LeftExpr)
	if err != nil {
		return out, err
	}
	right, err := l.table(n.RightExpr)
	if err != nil {
		return out, err
	}
	byName := natural(n)
	if !byName && len(n.Condition.Using) == 0 || !left.invisible && !right.invisible {
		left.add(&right)
		return left, nil
	}
	if left.unknown || right.unknown {
		return out, sqlerr.NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support '%s'", "a join by names of a table with invisible columns and a derived table")
	}
	if byName {
		named(n, &left, &right)
	}
	first, second := &left, &right
	if n.Join == ast.RightJoinStr {
		first, second = second, first
	}
	return first.using(second, n.Condition.Using), nil
}

// named makes a NATURAL join one that names the visible columns in common.
func named(n *ast.JoinTableExpr, left, right *listing) {
	n.Join = map[string]string{ast.NaturalLeftJoinStr: ast.LeftJoinStr, ast.NaturalRightJoinStr: ast.RightJoinStr}[n.Join]
	outer := n.Join != ""
	if !outer {
		n.Join = ast.JoinStr
	}
	for _, c := range left.columns {
		if right.find(c.name) >= 0 {
			n.Condition.Using = append(n.Condition.Using, ast.NewColIdent(c.name))
		}
	}
	if outer && len(n.Condition.Using) == 0 {
		n.Condition.On = ast.BoolVal(true)
	}
}

func (f *listing) find(name string) int {
	return slices.IndexFunc(f.columns, func(c listedColumn) bool { return strings.EqualFold(c.name, name) })
}

// naming are the columns of the listing, and the invisible ones of those names where they stand in
// their tables.
func (f *listing) naming(names ast.Columns) []listedColumn {
	out := slices.Clone(f.columns)
	for _, t := range f.tables {
		next := len(out)
		for i := len(t.columns) - 1; i >= 0; i-- {
			c := listedColumn{t.name, t.columns[i].Name}
			if at := slices.Index(out, c); at >= 0 {
				next = at
			} else if names.FindColumn(ast.NewColIdent(c.name)) >= 0 && f.find(c.name) < 0 {
				out = slices.Insert(out, next, c)
			}
		}
	}
	return out
}

// using lists the columns of a join of f and other by names: MySQL's order is that of f.
func (f *listing) using(other *listing, names ast.Columns) (out listing) {
	common := func(c listedColumn) bool { return names.FindColumn(ast.NewColIdent(c.name)) >= 0 }
	for _, c := range f.naming(names) {
		if common(c) {
			out.columns = append(out.columns, c)
		}
	}
	for _, list := range []*listing{f, other} {
		out.columns = append(out.columns, slices.DeleteFunc(slices.Clone(list.columns), common)...)
		out.tables = append(out.tables, list.tables...)
	}
	out.invisible = true
	return out
}
