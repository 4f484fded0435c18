package sqllayer

// Whose an aggregate is. In a subquery one may be a query's around it: it aggregates where the
// innermost of its columns is a table's, if that query may aggregate at the place of the subquery;
// without columns it is the innermost query's that may.

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/window"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// owners is the walk that finds them.
type owners struct {
	r     *rewriterAST
	ctes  map[string]*ast.CommonTableExpr
	of    window.Owners
	found bool // some aggregate is a query's around its own
}

// owners finds the queries of aggregates in subqueries, and of columns; nil if all aggregates are
// those of their own queries.
func (r *rewriterAST) owners(stmt ast.SQLNode) (window.Owners, error) {
	if !trees.AggregatesBelow(stmt) {
		return nil, nil
	}
	o := &owners{r: r, ctes: map[string]*ast.CommonTableExpr{}, of: window.Owners{}}
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

// walk looks at a part of a statement; around are the queries that it is a part of, the innermost
// last.
func (o *owners) walk(node ast.SQLNode, around []trees.Block) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			return false, o.query(n, around)
		case *ast.ColName:
			if at := o.level(n, around); at >= 0 && at < len(around)-1 {
				o.of[n] = around[at].Select
			}
		case *ast.FuncExpr:
			if trees.IsAggregate(n) && len(around) > 0 {
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
func (o *owners) query(s *ast.Select, around []trees.Block) error {
	derived := make([]trees.Block, len(around))
	for i, b := range around {
		derived[i] = trees.Block{Select: b.Select, Named: b.Named}
	}
	if s.With != nil {
		if err := o.walk(s.With, derived); err != nil {
			return err
		}
	}
	in := func(b trees.Block) []trees.Block {
		b.Select = s
		return append(around[:len(around):len(around)], b)
	}
	for _, e := range s.From {
		if err := o.from(e, derived, in(trees.Block{})); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		node ast.SQLNode
		at   trees.Block
	}{
		{s.Where, trees.Block{}},
		{s.SelectExprs, trees.Block{Aggregates: true}},
		{s.GroupBy, trees.Block{Named: true}},
		{s.Having, trees.Block{Aggregates: true, Named: true}},
		{s.OrderBy, trees.Block{Aggregates: true, Named: true}},
	} {
		if err := o.walk(part.node, in(part.at)); err != nil {
			return err
		}
	}
	return nil
}

// from looks at a part of FROM: the subqueries of ON are conditions, others are tables.
func (o *owners) from(e ast.TableExpr, derived, conditions []trees.Block) error {
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
func (o *owners) aggregate(n ast.Expr, takes ast.SelectExprs, around []trees.Block) error {
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
		for at = own; at < last && !around[at].Aggregates && !around[at].Inside; at++ {
		}
	} else {
		for ; at > 0 && !around[at].Aggregates && !around[at].Inside; at-- {
		}
	}
	switch {
	case around[at].Inside:
		return sqlerr.NewError(1111, "Invalid use of group function")
	case at < last && around[at].Aggregates:
		o.of[n], o.found = around[at].Select, true
	}
	inside := append([]trees.Block{}, around...)
	inside[at].Inside = true
	return o.walk(takes, inside)
}

// level is the place of the query that has a column; the innermost one's if none is known to.
func (o *owners) level(c *ast.ColName, around []trees.Block) int {
	for i := len(around) - 1; i >= 0; i-- {
		b := around[i]
		if b.Named && c.Qualifier.IsEmpty() && trees.NamesColumn(b.SelectExprs, c.Name) || o.has(b.From, c) {
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
				_, alias = trees.UsedAs(nil, e)
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
		return o.r.columnsOf(t).FindColumn(name) >= 0 || o.r.viewGives(t, name)
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
		return trees.NamesColumn(q.SelectExprs, name) || trees.HasStar(q.SelectExprs) && o.has(q.From, &ast.ColName{Name: name})
	}
	return false
}
