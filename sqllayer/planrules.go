package sqllayer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// CheckDistinct refuses, as ONLY_FULL_GROUP_BY does, ORDER BY of what SELECT DISTINCT does not
// give: a row stands for many then, and nothing tells by whose value it goes. What has a scope is a
// part of a statement, which is analyzed again on its own.
func (l *Layer) CheckDistinct(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if l.Opts.Plain || scope != nil || !operand.Mode(ctx).OnlyFullGroupBy() {
		return n, transform.SameTree, nil
	}
	return n, transform.SameTree, trees.CheckDistincts(ctx, n, true)
}

// UniqueNames refuses views, derived tables and common table expressions with two columns of one
// name. It sees each new view, and what that replaces.
func (l *Layer) UniqueNames(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if l.Opts.Plain {
		return n, transform.SameTree, nil
	}
	var err error
	var checked *plan.SubqueryAlias
	if view, ok := n.(*plan.CreateView); ok {
		if view, err = l.replaceView(ctx, view); err == nil {
			said, _ := trees.StoredTree(view.CreateViewString).(*sqlast.CreateView)
			checked = view.Definition
			unnamed := trees.Unnamed(said, len(view.Definition.Schema(ctx)))
			err = cmp.Or(trees.ProperColumns(ctx, view.Definition, unnamed), trees.UniqueColumns(ctx, view.Definition, unnamed))
		}
		n = view
	}
	if flags.SubqueryIsSet() {
		transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
			if t, ok := n.(*plan.SubqueryAlias); ok && err == nil && t != checked && !strings.HasPrefix(t.Name(), "\x00") {
				err = trees.UniqueColumns(ctx, t, nil)
			}
			return err == nil
		})
	}
	return n, transform.SameTree, err
}

// groupKeys refuses a GROUP BY whose key is a column of the list with an aggregate or a window
// function: 1056. A name is that of a column of the tables first, as far as their columns are
// known.
func (r *rewriterAST) groupKeys(n *ast.Select) error {
	for _, key := range n.GroupBy {
		var item *ast.AliasedExpr
		switch k := key.(type) {
		case *ast.SQLVal:
			if i, err := strconv.Atoi(string(k.Val)); err == nil && k.Type == ast.IntVal && i > 0 && i <= len(n.SelectExprs) && !trees.HasStar(n.SelectExprs[:i]) {
				item, _ = n.SelectExprs[i-1].(*ast.AliasedExpr)
			}
		case *ast.ColName:
			if !k.Qualifier.IsEmpty() {
				continue
			}
			if r.lacks(n.From, k.Name) {
				item = trees.ItemNamed(n.SelectExprs, k.Name)
			} else {
				r.warnOfKey(n, k)
			}
		}
		if item == nil || !trees.ComputedOverRows(item.Expr) {
			continue
		}
		shown := item.As.String()
		if shown == "" {
			shown = item.InputExpression
		}
		return sqlerr.NewError(1056, "Can't group on '%s'", shown)
	}
	return nil
}

// lacks tells whether the tables of a FROM are known to have no column of that name.
func (r *rewriterAST) lacks(from ast.TableExprs, name ast.ColIdent) bool {
	return !slices.ContainsFunc(from, func(e ast.TableExpr) bool {
		switch e := e.(type) {
		case *ast.ParenTableExpr:
			return !r.lacks(e.Exprs, name)
		case *ast.JoinTableExpr:
			return !r.lacks(ast.TableExprs{e.LeftExpr, e.RightExpr}, name)
		case *ast.AliasedTableExpr:
			switch t := e.Expr.(type) {
			case ast.TableName:
				if t.DbQualifier.IsEmpty() && (r.ctes[strings.ToLower(t.Name.String())] || strings.EqualFold(t.Name.String(), "dual")) {
					return !strings.EqualFold(t.Name.String(), "dual")
				}
				columns := r.columnsOf(t)
				return len(columns) == 0 || columns.FindColumn(name) >= 0
			case *ast.Subquery:
				if len(t.Columns) > 0 {
					return t.Columns.FindColumn(name) >= 0
				}
				if q, ok := t.Select.(*ast.Select); ok {
					return trees.HasStar(q.SelectExprs) || trees.NamesColumn(q.SelectExprs, name)
				}
			}
		}
		return true
	})
}

// Unsettle is the way back, when the plan is run.
func Unsettle(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if s, ok := e.(*Settled); ok {
		mended, _, err := expr.Mend(ctx, s.Child)
		return mended, transform.NewTree, err
	}
	if m, ok := e.(*expression.MatchAgainst); ok {
		own, err := NewMatch(m)
		return own, transform.NewTree, err
	}
	return expr.Mend(ctx, e)
}

// Settled is an expression that shows a literal as its operand.
type Settled struct{ expression.UnaryExpressionStub }

func (e *Settled) String() string { return e.Child.String() }

// CollationCoercibility implements sql.CollationCoercible.
func (e *Settled) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, e.Child)
}

// Children implements sql.Expression.
func (e *Settled) Children() []sql.Expression {
	return []sql.Expression{expression.NewLiteral(nil, nil)}
}

// WithChildren implements sql.Expression.
func (e *Settled) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return e, nil
}

// Type implements sql.Expression.
func (e *Settled) Type(ctx *sql.Context) sql.Type { return e.Child.Type(ctx) }

// Eval implements sql.Expression.
func (e *Settled) Eval(ctx *sql.Context, row sql.Row) (any, error) { return e.Child.Eval(ctx, row) }

// A comparison with a subquery, `a = (SELECT ...)`, asks for one row. GMS makes a semi join of it,
// which is quick where an index finds the rows and asks once for the subquery's; but it finds rows
// by any of several, where MySQL fails, and loses the NULL that a subquery without rows is. So the
// subquery is made one that has one row.

// IsDual tells the table of a query that has none. GMS's own test makes a session for each call.
func IsDual(t sql.Table) bool {
	if t == nil || !strings.EqualFold(t.Name(), plan.DualTableName) {
		return false
	}
	_, own := sql.GetUnderlyingTable(t).(*Table)
	return !own
}

// What is put right in a plan when it is run: comparisons by package expr, and the nodes that tell
// equal rows, which GMS does by the bytes of texts.

// Mend gives the node with its comparisons made MySQL's; changed is false if there is nothing to
// do.
func (s *Session) Mend(ctx *sql.Context, n sql.Node) (mended sql.Node, changed bool, err error) {
	switch n := n.(type) {
	case *plan.JoinNode:
		if n.Op.IsMerge() {
			return nil, false, nil // it looks into its own comparisons
		}
	case *plan.Filter, *plan.Having, *plan.Project, *plan.GroupBy, *plan.HashLookup, *plan.Window, *plan.Sort, *plan.TopN, *plan.UpdateSource, *plan.InsertInto,
		*plan.Values, *plan.Set:
	default:
		return nil, false, nil
	}
	s.Mu.Lock()
	mended, known := s.Stmt.Mended[n]
	s.Mu.Unlock()
	if known {
		return mended, mended != n, nil
	}
	if mended, _, err = transform.OneNodeExpressions(ctx, n, Unsettle); err != nil {
		return nil, false, err
	}
	if mended, err = conditioned(ctx, mended); err != nil {
		return nil, false, err
	}
	if mended, err = weigh(ctx, mended); err != nil {
		return nil, false, err
	}
	s.Mu.Lock()
	if s.Stmt.Mended == nil {
		s.Stmt.Mended = make(map[sql.Node]sql.Node)
	}
	s.Stmt.Mended[n], s.Stmt.Mended[mended] = mended, mended
	s.Mu.Unlock()
	return mended, mended != n, nil
}

// conditioned gives a node a condition that is no document.
func conditioned(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	var given sql.Expression
	switch n := n.(type) {
	case *plan.Filter:
		given = n.Expression
	case *plan.Having:
		given = n.Cond
	case *plan.JoinNode:
		given = n.Filter
	}
	cond := expr.Condition(ctx, given)
	if cond == nil {
		return n, nil
	}
	return n.(sql.Expressioner).WithExpressions(ctx, cond)
}

// weigh lets nodes that sort and group see what texts weigh.
func weigh(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	switch n := n.(type) {
	case *plan.Sort:
		if conditions, changed := weighOrder(ctx, n.SortConditions); changed {
			return plan.NewSort(conditions, n.Child), nil
		}
	case *plan.TopN:
		if conditions, changed := weighOrder(ctx, n.SortConditions); changed {
			return n.WithExpressions(ctx, append([]sql.Expression{n.Limit}, conditions.ToExpressions()...)...)
		}
	case *plan.GroupBy:
		by := make([]sql.Expression, len(n.GroupByExprs))
		changed := false
		for i, e := range n.GroupByExprs {
			if by[i] = operand.ByWeight(ctx, e); types.IsJSON(e.Type(ctx)) {
				by[i] = expr.NewKey(ctx, []sql.Expression{e})
			}
			changed = changed || by[i] != e
		}
		if changed {
			return plan.NewGroupBy(n.SelectDeps, by, n.Child), nil
		}
	case *plan.Window:
		if list, changed := weighWindows(ctx, n.SelectExprs); changed {
			return plan.NewWindow(list, n.Child), nil
		}
	case *plan.HashLookup:
		left, right, changed := expr.JoinKeys(ctx, n.LeftProbeKey, n.RightEntryKey)
		if !changed {
			break
		}
		return plan.NewHashLookup(ctx, n.Child, right, left, n.JoinType), nil
	}
	return n, nil
}

func weighOrder(ctx *sql.Context, order sql.SortConditions) (sql.SortConditions, bool) {
	out := make(sql.SortConditions, len(order))
	changed := false
	for i, o := range order {
		out[i] = o
		out[i].Expr = aggregate.InOrder(ctx, o.Expr)
		changed = changed || out[i].Expr != o.Expr
	}
	return out, changed
}

// weighWindows has windows sort and part texts by what they weigh.
func weighWindows(ctx *sql.Context, list []sql.Expression) ([]sql.Expression, bool) {
	out, changed := make([]sql.Expression, len(list)), false
	for i, e := range list {
		mended, same, err := transform.Expr(ctx, e, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			call, ok := e.(sql.WindowAdaptableExpression)
			if !ok || call.Window() == nil {
				return e, transform.SameTree, nil
			}
			w, weighed := *call.Window(), false
			w.PartitionBy, w.OrderBy = slices.Clone(w.PartitionBy), slices.Clone(w.OrderBy)
			weigh := func(e sql.Expression) sql.Expression {
				key := operand.ByWeight(ctx, e)
				weighed = weighed || key != e
				return key
			}
			for i, e := range w.PartitionBy {
				w.PartitionBy[i] = weigh(e)
			}
			for i, c := range w.OrderBy {
				w.OrderBy[i].Expr = weigh(c.Expr)
			}
			if !weighed {
				return e, transform.SameTree, nil
			}
			return call.WithWindow(ctx, &w), transform.NewTree, nil
		})
		if out[i] = e; err == nil && same == transform.NewTree {
			out[i], changed = mended, true
		}
	}
	return out, changed
}
