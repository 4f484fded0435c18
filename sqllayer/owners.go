package sqllayer

// Whose an aggregate is. In a subquery one may be a query's around it: it aggregates where the
// innermost of its columns is a table's, if that query may aggregate at the place of the subquery;
// without columns it is the innermost query's that may.

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// owners is the walk that finds them.
type owners struct {
	r     *rewriterAST
	ctes  map[string]*ast.CommonTableExpr
	of    expr.Owners
	found bool // some aggregate is a query's around its own
}

// block is a SELECT at a place of its own.
type block struct {
	*ast.Select
	aggregates bool // it may aggregate here
	inside     bool // the place is in what an aggregate takes
	named      bool // its aliases are known here
}

// owners finds the queries of aggregates in subqueries, and of columns; nil if all aggregates are
// those of their own queries.
func (r *rewriterAST) owners(stmt ast.SQLNode) (expr.Owners, error) {
	if !aggregatesBelow(stmt) {
		return nil, nil
	}
	o := &owners{r: r, ctes: map[string]*ast.CommonTableExpr{}, of: expr.Owners{}}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.CommonTableExpr); ok {
			o.ctes[strings.ToLower(c.As.String())] = c
		}
		return true, nil
	}, stmt)
	if err := o.walk(stmt, nil); err != nil || !o.found {
		return nil, err
	}
	return o.of, nil
}

// aggregatesBelow tells whether there are aggregates in the subqueries of lists, of HAVING or ORDER
// BY.
func aggregatesBelow(stmt ast.SQLNode) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return !found, nil
		}
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if q, ok := n.(*ast.Subquery); ok {
				_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
					found = found || isAggregate(n)
					return !found, nil
				}, q)
			}
			return !found, nil
		}, s.SelectExprs, s.Having, s.OrderBy)
		return !found, nil
	}, stmt)
	return found
}

func isAggregate(n ast.SQLNode) bool {
	switch n := n.(type) {
	case *ast.FuncExpr:
		return n.Over == nil && n.IsAggregate()
	case *ast.GroupConcatExpr:
		return true
	}
	return false
}

// walk looks at a part of a statement; around are the queries that it is a part of, the innermost
// last.
func (o *owners) walk(node ast.SQLNode, around []block) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			return false, o.query(n, around)
		case *ast.ColName:
			if at := o.level(n, around); at >= 0 && at < len(around)-1 {
				o.of[n] = around[at].Select
			}
		case *ast.FuncExpr:
			if isAggregate(n) && len(around) > 0 {
				return false, o.aggregate(n, n.Exprs, around)
			}
		case *ast.GroupConcatExpr:
			if len(around) > 0 {
				return false, o.aggregate(n, n.Exprs, around)
			}
		}
		return true, nil
	}, node)
}

// query looks at a SELECT, clause by clause.
func (o *owners) query(s *ast.Select, around []block) error {
	derived := make([]block, len(around))
	for i, b := range around {
		derived[i] = block{Select: b.Select, named: b.named}
	}
	if s.With != nil {
		if err := o.walk(s.With, derived); err != nil {
			return err
		}
	}
	in := func(b block) []block {
		b.Select = s
		return append(around[:len(around):len(around)], b)
	}
	for _, e := range s.From {
		if err := o.from(e, derived, in(block{})); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		node ast.SQLNode
		at   block
	}{
		{s.Where, block{}},
		{s.SelectExprs, block{aggregates: true}},
		{s.GroupBy, block{named: true}},
		{s.Having, block{aggregates: true, named: true}},
		{s.OrderBy, block{aggregates: true, named: true}},
	} {
		if err := o.walk(part.node, in(part.at)); err != nil {
			return err
		}
	}
	return nil
}

// from looks at a part of FROM: the subqueries of ON are conditions, others are tables.
func (o *owners) from(e ast.TableExpr, derived, conditions []block) error {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		for _, e := range e.Exprs {
			if err := o.from(e, derived, conditions); err != nil {
				return err
			}
		}
		return nil
	case *ast.JoinTableExpr:
		if err := o.from(e.LeftExpr, derived, conditions); err != nil {
			return err
		}
		if err := o.from(e.RightExpr, derived, conditions); err != nil || e.Condition.On == nil {
			return err
		}
		return o.walk(e.Condition.On, conditions)
	}
	return o.walk(e, derived)
}

// aggregate finds the query of an aggregate, and looks at what it takes.
func (o *owners) aggregate(n ast.Expr, takes ast.SelectExprs, around []block) error {
	own, last := -1, len(around)-1
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			return false, nil
		case *ast.ColName:
			own = max(own, o.level(n, around))
		}
		return true, nil
	}, takes)
	at := last
	if own >= 0 {
		for at = own; at < last && !around[at].aggregates && !around[at].inside; at++ {
		}
	} else {
		for ; at > 0 && !around[at].aggregates && !around[at].inside; at-- {
		}
	}
	switch {
	case around[at].inside:
		return NewError(1111, "Invalid use of group function")
	case at < last && around[at].aggregates:
		o.of[n], o.found = around[at].Select, true
	}
	inside := append([]block{}, around...)
	inside[at].inside = true
	return o.walk(takes, inside)
}

// level is the place of the query that has a column; the innermost one's if none is known to.
func (o *owners) level(c *ast.ColName, around []block) int {
	for i := len(around) - 1; i >= 0; i-- {
		b := around[i]
		if b.named && c.Qualifier.IsEmpty() && namesColumn(b.SelectExprs, c.Name) || o.has(b.From, c) {
			return i
		}
	}
	return len(around) - 1
}

// has tells whether a column is one of the tables of a FROM, as far as their columns are known.
func (o *owners) has(from ast.TableExprs, c *ast.ColName) bool {
	for _, e := range from {
		switch e := e.(type) {
		case *ast.ParenTableExpr:
			if o.has(e.Exprs, c) {
				return true
			}
		case *ast.JoinTableExpr:
			if o.has(ast.TableExprs{e.LeftExpr, e.RightExpr}, c) {
				return true
			}
		case *ast.AliasedTableExpr:
			alias := e.As.String()
			if _, table := e.Expr.(ast.TableName); table {
				_, alias = usedAs(nil, e)
			}
			if q := c.Qualifier.Name.String(); q != "" && strings.EqualFold(q, alias) || q == "" && o.gives(e.Expr, c.Name) {
				return true
			}
		}
	}
	return false
}

// gives tells whether a table of a FROM has a column of that name.
func (o *owners) gives(t ast.SimpleTableExpr, name ast.ColIdent) bool {
	switch t := t.(type) {
	case ast.TableName:
		if c := o.ctes[strings.ToLower(t.Name.String())]; c != nil && t.DbQualifier.IsEmpty() {
			if len(c.Columns) > 0 {
				return c.Columns.FindColumn(name) >= 0
			}
			return o.gives(c.Expr, name)
		}
		return o.r.columnsOf(t).FindColumn(name) >= 0
	case *ast.Subquery:
		if len(t.Columns) > 0 {
			return t.Columns.FindColumn(name) >= 0
		}
		return o.shows(t.Select, name)
	}
	return false
}

// shows tells whether a query gives a column of that name.
func (o *owners) shows(query ast.SelectStatement, name ast.ColIdent) bool {
	switch q := query.(type) {
	case *ast.SetOp:
		return o.shows(q.Left, name)
	case *ast.ParenSelect:
		return o.shows(q.Select, name)
	case *ast.Select:
		return namesColumn(q.SelectExprs, name) || hasStar(q.SelectExprs) && o.has(q.From, &ast.ColName{Name: name})
	}
	return false
}

// namesColumn tells whether a list has a column of that name.
func namesColumn(list ast.SelectExprs, name ast.ColIdent) bool {
	for _, e := range list {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		if c, plain := a.Expr.(*ast.ColName); a.As.Equal(name) || plain && a.As.IsEmpty() && c.Name.Equal(name) {
			return true
		}
	}
	return false
}
