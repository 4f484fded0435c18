package sqllayer

// INSERT, REPLACE, UPDATE, DELETE and LOAD DATA through views of one table. The statement becomes
// one on the table before it is planned: columns become the table's, the view's condition is added.
// The name of the table carries the view: whoever opens it gets the view's CHECK OPTION as
// constraints. Rights are those on the view; its definer's on the table are looked at with them.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
)

// viewMark stands between the name of a table and those of the view through which it is changed.
const viewMark = "\x00view "

// writableView is a view of one table.
type writableView struct {
	schema, name string
	table        tableName // at the bottom
	columns      []writableColumn
	where        []ast.Expr // over the table's columns
	checks       []ast.Expr
	levels       []viewLevel
}

type writableColumn struct {
	name string
	expr ast.Expr // over the table's columns
}

// base is the table's column that a view's column is; "": it is computed.
func (c *writableColumn) base() string {
	if n, ok := c.expr.(*ast.ColName); ok {
		return n.Name.String()
	}
	return ""
}

// viewLevel is what a view's definer needs rights on.
type viewLevel struct {
	definer Role
	invoker bool
	on      tableName
}

func (v *writableView) column(name string) *writableColumn {
	for i := range v.columns {
		if strings.EqualFold(v.columns[i].name, name) {
			return &v.columns[i]
		}
	}
	return nil
}

// inserts tells whether rows can be inserted: every column is another one of the table's.
func (v *writableView) inserts() bool {
	seen := make(map[string]bool)
	for _, c := range v.columns {
		name := strings.ToLower(c.base())
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// writable reads a view; nil if there is no view of that name, ok is false for one that cannot be
// written through.
func (s *Session) writable(ctx *sql.Context, schema, name string, forced bool) (v *writableView, ok bool, err error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, own := ownDatabase(found)
	if err != nil || !own {
		return nil, false, nil
	}
	stored, is, err := find[storedView](ctx, d, catalog.KindView, name)
	if err != nil || !is {
		return nil, false, err
	}
	at := tableName{d.name, stored.Name}
	if slices.ContainsFunc(s.writing, at.same) {
		return nil, false, recursiveView(at)
	}
	s.writing = append(s.writing, at)
	defer func() { s.writing = s.writing[:len(s.writing)-1] }()
	v = &writableView{schema: d.name, name: stored.Name}
	text, _ := parseView(stored.CreateViewStatement)
	stmt, err := treeOf(stored.CreateViewStatement, modeOf(stored.SqlMode))
	create, parsed := stmt.(*ast.DDL)
	if err != nil || !parsed || create.ViewSpec == nil || text.algorithm == "TEMPTABLE" {
		return v, false, nil
	}
	sel, from := plainSelect(create.ViewSpec.ViewExpr)
	if sel == nil {
		return v, false, nil
	}
	below, alias, err := s.below(ctx, d, from, forced || text.check == "CASCADED")
	if err != nil || below == nil {
		return v, false, err
	}
	v.table, v.where, v.checks = below.table, below.where, below.checks
	on := tableName{below.schema, below.name}
	v.levels = append(below.levels, viewLevel{definer: roleOf(stored.completed(d, text.definer).Definer), invoker: text.invoker, on: on})
	if !v.list(sel.SelectExprs, below, text.columns) {
		return v, false, nil
	}
	if sel.Where != nil {
		cond := below.over(sel.Where.Expr, alias, "")
		v.where = append(v.where, cond)
		if forced || text.check != "" {
			v.checks = append(v.checks, cond)
		}
	}
	return v, true, nil
}

// plainSelect gives a SELECT of rows of one table as they are.
func plainSelect(stmt ast.SelectStatement) (*ast.Select, *ast.AliasedTableExpr) {
	if p, ok := stmt.(*ast.ParenSelect); ok {
		return plainSelect(p.Select)
	}
	sel, ok := stmt.(*ast.Select)
	if !ok || sel.QueryOpts.Distinct || len(sel.GroupBy) > 0 || sel.Having != nil || sel.Limit != nil || sel.With != nil || len(sel.From) != 1 {
		return nil, nil
	}
	from, ok := sel.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil, nil
	}
	plain := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.Over, *ast.GroupConcatExpr:
			plain = false
		case *ast.FuncExpr:
			plain = plain && !n.IsAggregate()
		}
		return plain, nil
	}, sel.SelectExprs)
	if _, ok := from.Expr.(ast.TableName); !ok || !plain {
		return nil, nil
	}
	return sel, from
}

// below is what a view reads: a view, or a table as if it were one. Nil: neither.
func (s *Session) below(ctx *sql.Context, d *Database, from *ast.AliasedTableExpr, forced bool) (v *writableView, alias string, err error) {
	name := from.Expr.(ast.TableName)
	schema := d.name
	if !name.DbQualifier.IsEmpty() {
		schema = name.DbQualifier.String()
	}
	if alias = from.As.String(); alias == "" {
		alias = name.Name.String()
	}
	v, ok, err := s.writable(ctx, schema, name.Name.String(), forced)
	if v != nil || err != nil {
		if !ok {
			v = nil
		}
		return v, alias, err
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	base, own := ownDatabase(found)
	if err != nil || !own {
		return nil, "", err
	}
	t, ok, err := base.table(ctx, name.Name.String())
	if err != nil || !ok {
		return nil, "", err
	}
	v = &writableView{schema: base.name, name: t.Name(), table: tableName{base.name, t.Name()}}
	for _, c := range t.Schema(ctx) {
		v.columns = append(v.columns, writableColumn{c.Name, &ast.ColName{Name: ast.NewColIdent(c.Name)}})
	}
	return v, alias, nil
}

// list reads the columns of a view.
func (v *writableView) list(exprs ast.SelectExprs, below *writableView, names []string) bool {
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			v.columns = append(v.columns, below.columns...)
		case *ast.AliasedExpr:
			c := writableColumn{name: e.As.String(), expr: below.over(e.Expr, "", "")}
			if n, ok := e.Expr.(*ast.ColName); ok && c.name == "" {
				c.name = n.Name.String()
			} else if c.name == "" {
				c.name = e.InputExpression
			}
			v.columns = append(v.columns, c)
		default:
			return false
		}
	}
	for i := range names {
		if i < len(v.columns) {
			v.columns[i].name = names[i]
		}
	}
	return true
}

// over writes an expression over the view's columns as one over the table's, called so. Of
// qualified names only those of the view are meant, if it has an alias.
func (v *writableView) over(e ast.Expr, alias, table string) ast.Expr {
	replaced := make(map[*ast.ColName]ast.Expr)
	inner := 0
	var look func(n ast.SQLNode) (bool, error)
	look = func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			inner++
			err := ast.Walk(look, n.Select)
			inner--
			return false, err
		case *ast.ColName:
			if n.StoredProcVal != nil {
				return false, nil // a program's variable
			}
			q := n.Qualifier.Name.String()
			c := v.column(n.Name.String())
			if c == nil || q != "" && alias != "" && !strings.EqualFold(q, alias) || q == "" && inner > 0 && strings.EqualFold(c.base(), c.name) {
				return false, nil
			}
			replaced[n] = called(c.expr, table)
		}
		return true, nil
	}
	_ = ast.Walk(look, e)
	for from, to := range replaced {
		if base, ok := to.(*ast.ColName); ok {
			from.Name, from.Qualifier = base.Name, base.Qualifier
		} else {
			e = ast.ReplaceExpr(e, from, to)
		}
	}
	return e
}

// called is a copy of an expression over a table's columns with the name that the table has in the
// statement.
func called(e ast.Expr, table string) ast.Expr {
	e = copied(e)
	if table != "" {
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() {
				c.Qualifier = ast.TableName{Name: ast.NewTableIdent(table)}
			}
			_, sub := n.(*ast.Subquery)
			return !sub, nil
		}, e)
	}
	return e
}

// copied parses the text of an expression.
func copied(e ast.Expr) ast.Expr {
	stmt, err := ast.Parse("SELECT " + ast.String(e))
	if sel, ok := stmt.(*ast.Select); err == nil && ok && len(sel.SelectExprs) == 1 {
		if one, ok := sel.SelectExprs[0].(*ast.AliasedExpr); ok {
			return one.Expr
		}
	}
	return e
}

// mayWrite asks for the rights that the definers of the views need.
func (s *Session) mayWrite(ctx *sql.Context, t throughView, need ...sql.PrivilegeType) error {
	rights := privilegesOf(ctx)
	for i := len(t.levels) - 1; i >= 0 && !rights.all; i-- {
		l := t.levels[i]
		if !l.invoker {
			if !s.layer.hasAccount(l.definer) {
				return noDefiner(l.definer)
			}
			rights = s.layer.rightsOf(l.definer)
		}
		if len(rights.lacking(l.on.schema, l.on.name, need...)) > 0 {
			return invalidView(t.schema, t.name)
		}
	}
	return nil
}

// throughView is what a statement's authorization knows of the view that it changes a table
// through.
type throughView struct {
	schema, name string
	table        tableName // with its mark
	levels       []viewLevel
}

// target is the table in the place of the view.
func (v *writableView) target() (ast.TableName, throughView) {
	name := v.table.name + viewMark + v.schema + viewMark + v.name
	return ast.TableName{Name: ast.NewTableIdent(name), DbQualifier: ast.NewTableIdent(v.table.schema)},
		throughView{schema: v.schema, name: v.name, table: tableName{v.table.schema, name}, levels: v.levels}
}

// throughChecks takes the view from the name of a table, and gives the constraints of its CHECK
// OPTION.
func (s *Session) throughChecks(ctx *sql.Context, name string) (table string, v *writableView, checks []sql.CheckDefinition, err error) {
	table, view, ok := strings.Cut(name, viewMark)
	if !ok {
		return name, nil, nil, nil
	}
	schema, view, _ := strings.Cut(view, viewMark)
	v, ok, err = s.writable(ctx, schema, view, false)
	if err != nil || !ok {
		return table, nil, nil, err
	}
	for _, c := range v.checks {
		checks = append(checks, sql.CheckDefinition{Name: viewMark + v.schema + "." + v.name, CheckExpression: "(" + ast.String(c) + ") is true", Enforced: true})
	}
	return table, v, checks, nil
}

// checkOption is the error of a row that a view's CHECK OPTION refuses; nil for other errors.
func checkOption(text string) *mysql.SQLError {
	_, view, ok := strings.Cut(text, strings.Trim(strconv.Quote(viewMark), "\""))
	if !ok || !strings.HasPrefix(text, "Check constraint") {
		return nil
	}
	view, _, _ = strings.Cut(view, "\"")
	return NewError(1369, "CHECK OPTION failed '%s'", view)
}
