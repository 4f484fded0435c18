package trees

import (
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// JoinView is a view of several tables, or the place of a view of one among several tables.
type JoinView struct {
	Schema, Name string
	From         ast.TableExpr    // what stands for the view in a FROM
	Columns      []WritableColumn // over the tables, each named by its alias there
	Where        []ast.Expr
	Checked      bool            // by a CHECK OPTION
	Leaves       []*WritableView // the tables, each as if the view were of it alone
	Aliases      []string        // of the leaves
}

// Place makes a view of one table the source of columns under an alias.
func (v *WritableView) Place(alias string) *JoinView {
	j := &JoinView{Schema: v.Schema, Name: v.Name, Checked: len(v.Checks) > 0, Leaves: []*WritableView{v}, Aliases: []string{alias}}
	for _, c := range v.Columns {
		c.Expr = called(c.Expr, alias)
		j.Columns = append(j.Columns, c)
	}
	for _, c := range v.Where {
		j.Where = append(j.Where, called(c, alias))
	}
	return j
}

// Leaf tells which table a column is of; -1: it is computed.
func (v *JoinView) Leaf(c *WritableColumn) int {
	n, ok := c.Expr.(*ast.ColName)
	if !ok {
		return -1
	}
	return slices.IndexFunc(v.Aliases, func(a string) bool { return strings.EqualFold(a, n.Qualifier.Name.String()) })
}

// Changed is the table that a statement changes through some of the columns.
func (v *JoinView) Changed(columns []string) (leaf int, err error) {
	leaf = -1
	for _, name := range columns {
		c := columnOf(v.Columns, name)
		if c == nil {
			return -1, sqlerr.NewError(1054, "Unknown column '%s' in 'field list'", name)
		}
		of := v.Leaf(c)
		if of < 0 {
			return -1, sqlerr.NewError(1348, "Column '%s' is not updatable", c.Name)
		}
		if leaf >= 0 && leaf != of {
			return -1, sqlerr.NewError(1393, "Can not modify more than one base table through a join view '%s.%s'", v.Schema, v.Name)
		}
		leaf = of
	}
	return leaf, nil
}

// Inserts tells whether rows can be inserted into one of the tables.
func (v *JoinView) Inserts() bool {
	seen := make(map[string]bool)
	for i := range v.Columns {
		leaf := v.Leaf(&v.Columns[i])
		if leaf < 0 {
			return false
		}
		name := strings.ToLower(v.Aliases[leaf] + "." + v.Columns[i].Base())
		if seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// Insert rewrites INSERT.
func (v *JoinView) Insert(n *ast.Insert) error {
	switch {
	case n.Action == ast.ReplaceStr:
		return v.NoDelete()
	case len(n.Columns) == 0:
		return sqlerr.NewError(1394, "Can not insert into join view '%s.%s' without fields list", v.Schema, v.Name)
	}
	var names []string
	for _, c := range n.Columns {
		names = append(names, c.String())
	}
	for _, e := range n.OnDup {
		names = append(names, e.Name.Name.String())
	}
	leaf, err := v.Changed(names)
	switch {
	case err != nil:
		return err
	case !v.Inserts():
		return sqlerr.NewError(1471, "The target table %s of the INSERT is not insertable-into", v.Name)
	case v.Checked:
		return sqlerr.NewError(1369, "CHECK OPTION failed '%s.%s'", v.Schema, v.Name)
	}
	return v.Leaves[leaf].Insert(n)
}

// NoDelete refuses what deletes rows through the view.
func (v *JoinView) NoDelete() error {
	return sqlerr.NewError(1395, "Can not delete from join view '%s.%s'", v.Schema, v.Name)
}

// Source is a table or view in the FROM of a statement, and the names of its columns.
type Source struct {
	Alias   string
	Columns []WritableColumn // that can be named
	Table   *ast.AliasedTableExpr
	View    *JoinView // in whose place its tables stand; nil for others
	Joined  bool      // the view is of several tables
	Outer   bool      // an outer join may add NULLs for it
	Changed []string  // columns that the statement changes
}

func columnOf(columns []WritableColumn, name string) *WritableColumn {
	for i := range columns {
		if strings.EqualFold(columns[i].Name, name) {
			return &columns[i]
		}
	}
	return nil
}

// Sources are those of a statement.
type Sources []*Source

// Owner finds the source of a column; nil if there is none or more than one.
func (all Sources) Owner(n *ast.ColName) (s *Source, c *WritableColumn) {
	q := n.Qualifier.Name.String()
	for _, one := range all {
		if q != "" && !strings.EqualFold(q, one.Alias) {
			continue
		}
		found := columnOf(one.Columns, n.Name.String())
		if found == nil {
			continue
		}
		if s != nil {
			return nil, nil
		}
		s, c = one, found
	}
	return s, c
}

// Called is the source of an alias; nil if there is none.
func (all Sources) Called(alias string) *Source {
	for _, s := range all {
		if strings.EqualFold(s.Alias, alias) {
			return s
		}
	}
	return nil
}

// Over writes an expression of the statement over the tables that stand for its views. Names
// within a subquery may be those of its own tables: only names of views and of columns that are
// called otherwise in the table are written anew there.
func (all Sources) Over(e ast.Expr) (ast.Expr, error) {
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
				return false, nil
			}
			s, c := all.Owner(n)
			switch {
			case s == nil:
				return false, all.known(n)
			case inner > 0 && (s.View == nil || n.Qualifier.IsEmpty() && strings.EqualFold(c.Base(), c.Name)):
				return false, nil
			}
			replaced[n] = copied(c.Expr)
		}
		return true, nil
	}
	if err := ast.Walk(look, e); err != nil {
		return nil, err
	}
	for from, to := range replaced {
		if base, ok := to.(*ast.ColName); ok {
			from.Name, from.Qualifier = base.Name, base.Qualifier
		} else {
			e = ast.ReplaceExpr(e, from, to)
		}
	}
	return e, nil
}

// known refuses columns that a view does not show.
func (all Sources) known(n *ast.ColName) error {
	q := n.Qualifier.Name.String()
	for _, s := range all {
		if q != "" && s.View != nil && strings.EqualFold(q, s.Alias) && columnOf(s.Columns, n.Name.String()) == nil {
			return sqlerr.NewError(1054, "Unknown column '%s.%s' in 'where clause'", q, n.Name.String())
		}
	}
	return nil
}

// Placed puts the tables of views into a FROM, and writes its conditions over them.
func (all Sources) Placed(e ast.TableExpr) (ast.TableExpr, error) {
	var err error
	switch t := e.(type) {
	case *ast.ParenTableExpr:
		for i := range t.Exprs {
			if t.Exprs[i], err = all.Placed(t.Exprs[i]); err != nil {
				return nil, err
			}
		}
	case *ast.JoinTableExpr:
		if t.LeftExpr, err = all.Placed(t.LeftExpr); err != nil {
			return nil, err
		}
		if t.RightExpr, err = all.Placed(t.RightExpr); err != nil {
			return nil, err
		}
		if t.Condition.On != nil {
			t.Condition.On, err = all.Over(t.Condition.On)
		}
	case *ast.AliasedTableExpr:
		for _, s := range all {
			if s.Table == t && s.View != nil && s.Joined {
				return &ast.ParenTableExpr{Exprs: ast.TableExprs{s.View.From}}, nil
			}
		}
	}
	return e, err
}

// Conditions adds those of the views to the statement's.
func (all Sources) Conditions(where *ast.Where) (*ast.Where, error) {
	var conditions []ast.Expr
	for _, s := range all {
		if s.View != nil {
			conditions = append(conditions, s.View.Where...)
		}
	}
	if where != nil {
		own, err := all.Over(where.Expr)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, own)
	}
	if len(conditions) == 0 {
		return nil, nil
	}
	cond := ast.Expr(&ast.ParenExpr{Expr: conditions[0]})
	for _, c := range conditions[1:] {
		cond = &ast.AndExpr{Left: cond, Right: &ast.ParenExpr{Expr: c}}
	}
	return ast.NewWhere(ast.WhereStr, cond), nil
}

// InnerJoined makes one table expression of several that stand beside each other; nil where one
// is no table, or is joined in another way than by a condition.
func InnerJoined(exprs ast.TableExprs) ast.TableExpr {
	var out ast.TableExpr
	for _, e := range exprs {
		if !inner(e) {
			return nil
		}
		if out == nil {
			out = e
		} else {
			out = &ast.JoinTableExpr{LeftExpr: out, Join: ast.JoinStr, RightExpr: e}
		}
	}
	return out
}

func inner(e ast.TableExpr) bool {
	switch t := e.(type) {
	case *ast.ParenTableExpr:
		return !slices.ContainsFunc(t.Exprs, func(e ast.TableExpr) bool { return !inner(e) })
	case *ast.JoinTableExpr:
		return (t.Join == ast.JoinStr || t.Join == ast.StraightJoinStr) && len(t.Condition.Using) == 0 && inner(t.LeftExpr) && inner(t.RightExpr)
	case *ast.AliasedTableExpr:
		_, ok := t.Expr.(ast.TableName)
		return ok
	}
	return false
}

// PlainQuery is a SELECT that gives rows of its tables as they are; nil for others.
func PlainQuery(stmt ast.SelectStatement) *ast.Select {
	if p, ok := stmt.(*ast.ParenSelect); ok {
		return PlainQuery(p.Select)
	}
	sel, ok := stmt.(*ast.Select)
	if !ok || sel.QueryOpts.Distinct || len(sel.GroupBy) > 0 || sel.Having != nil || sel.Limit != nil || sel.With != nil {
		return nil
	}
	plain := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.Over, *ast.GroupConcatExpr:
			plain = false
		case *ast.FuncExpr:
			plain = plain && !n.IsAggregate()
		}
		return plain, nil
	}, sel.SelectExprs)
	if !plain {
		return nil
	}
	return sel
}

// HasSubquery tells whether a subquery stands in some part of a statement.
func HasSubquery(parts ...ast.SQLNode) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, is := n.(*ast.Subquery)
		found = found || is
		return !found, nil
	}, parts...)
	return found
}
