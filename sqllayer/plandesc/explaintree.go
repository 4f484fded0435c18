package plandesc

// The description of a plan of go-mysql-server's. Nodes of GMS that read, drop or order nothing are
// no operators of it. EXPLAIN ANALYZE runs the statement and tells what each operator gave, see
// explainanalyze.go; tables are in explainaccess.go.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sql/explain"
	"emberdb/sqllayer"
)

// Planner describes a plan.
type Planner struct {
	S         *sqllayer.Session
	blocks    int // SELECTs so far
	Actuals   map[sql.Node]*explain.Actual
	condition sql.Expression // that the next table's rows are tested against
	subs      *[]*explain.Sub
}

// Top describes the statement.
func (p *Planner) Top(ctx *sql.Context, n sql.Node) *explain.Block {
	p.blocks = 1
	b := &explain.Block{ID: 1}
	p.subs = &b.Subs
	b.Root = p.steps(ctx, n)
	return b
}

// steps describes a node, and the subqueries in its expressions.
func (p *Planner) steps(ctx *sql.Context, n sql.Node) *explain.Node {
	s := p.step(ctx, n)
	if Hashable(n) && p.Actuals != nil {
		if a := p.Actuals[n]; a != nil && s.Actual == nil {
			s.Actual = a
		}
	}
	return s
}

// mended is what is run in place of a node.
func (p *Planner) mended(n sql.Node) sql.Node {
	p.S.Mu.Lock()
	defer p.S.Mu.Unlock()
	if m := p.S.Stmt.Mended[n]; m != nil && Hashable(n) {
		return m
	}
	return n
}

func (p *Planner) step(ctx *sql.Context, n sql.Node) *explain.Node {
	if Hashable(n) {
		if m := p.mended(n); m != n {
			return p.steps(ctx, m)
		}
	}
	switch n := n.(type) {
	case *plan.ResolvedTable:
		return p.scan(ctx, n, n.Name())
	case *plan.IndexedTableAccess:
		return p.lookup(ctx, n, n.Name())
	case *plan.TableAlias:
		switch t := n.Child.(type) {
		case *plan.ResolvedTable:
			return p.scan(ctx, t, n.Name())
		case *plan.IndexedTableAccess:
			return p.lookup(ctx, t, n.Name())
		}
		return p.steps(ctx, n.Child)
	case *plan.Filter:
		return p.filter(ctx, n.Expression, n.Child)
	case *plan.Having:
		return p.filter(ctx, n.Cond, n.Child)
	case *plan.Sort:
		return explain.Sort(sortWords(n.SortConditions), -1, p.steps(ctx, n.Child))
	case *plan.TopN:
		most, _ := literalNumber(n.Limit)
		return explain.Sort(sortWords(n.SortConditions), most, p.steps(ctx, n.Child))
	case *plan.Limit:
		return p.limit(ctx, n)
	case *plan.Offset:
		skipped, _ := literalNumber(n.Offset)
		count := int64(-1)
		if t, ok := n.Child.(*plan.TopN); ok {
			if most, known := literalNumber(t.Limit); known {
				count = most - skipped
			}
		}
		return explain.Limit(count, skipped, p.steps(ctx, n.Child))
	case *plan.GroupBy:
		return p.group(ctx, n)
	case *plan.Window:
		s := explain.Window(words(aggregatesOf(n.SelectExprs)), false, true, p.steps(ctx, n.Child))
		p.projected(ctx, n.SelectExprs...)
		return s
	case *plan.Project:
		s := p.steps(ctx, n.Child)
		p.projected(ctx, n.Projections...)
		return s
	case *plan.UpdateSource:
		s := p.steps(ctx, n.Child)
		p.projected(ctx, n.UpdateExprs.ExplicitUpdateExprs()...)
		return s
	case *plan.Values:
		for _, tuple := range n.ExpressionTuples {
			p.projected(ctx, tuple...)
		}
		return explain.RowsBefore()
	case *plan.Distinct, *plan.OrderedDistinct:
		return explain.Distinct(p.steps(ctx, n.Children()[0]))
	case *plan.JoinNode:
		return p.join(ctx, n)
	case *plan.HashLookup:
		return p.steps(ctx, n.Child)
	case *plan.SubqueryAlias:
		return explain.Materialize(&explain.Table{Name: n.Name()}, p.block(ctx, n.Child))
	case *plan.RecursiveCte:
		return p.recursive(ctx, n)
	case *plan.RecursiveTable:
		return explain.NewRecords(n.Name())
	case *plan.SetOp:
		return p.set(ctx, n)
	case *plan.InsertInto:
		return p.insert(ctx, n)
	case *plan.Update:
		return p.change(ctx, "update", n.Child)
	case *plan.DeleteFrom:
		return p.change(ctx, "delete", n.Child)
	case *plan.EmptyTable:
		return explain.ZeroRows("Impossible WHERE")
	case *plan.TableCountLookup:
		return explain.CountRows(n.Name())
	}
	switch children := n.Children(); len(children) {
	case 0:
		return explain.RowsBefore()
	case 1:
		return p.steps(ctx, children[0])
	default:
		s := &explain.Node{Kind: "other", Text: strings.TrimPrefix(fmt.Sprintf("%T", n), "*plan.")}
		for _, c := range children {
			s.Inputs = append(s.Inputs, p.steps(ctx, c))
		}
		return s
	}
}

// block describes a SELECT of its own.
func (p *Planner) block(ctx *sql.Context, n sql.Node) *explain.Block {
	condition, subs := p.condition, p.subs
	p.blocks++
	b := &explain.Block{ID: p.blocks}
	p.condition, p.subs = nil, &b.Subs
	b.Root = p.steps(ctx, n)
	p.condition, p.subs = condition, subs
	return b
}

// filter is a condition on rows.
func (p *Planner) filter(ctx *sql.Context, condition sql.Expression, child sql.Node) *explain.Node {
	before := p.condition
	p.condition = condition
	in := p.steps(ctx, child)
	p.condition = before
	subs := p.subqueries(ctx, "condition", condition)
	s := explain.Filter(exprWords(condition), in)
	s.Subs = subs
	s.Rows = explain.Passing(in.Rows, p.shares(ctx, child).all(condition))
	return s
}

func (p *Planner) limit(ctx *sql.Context, n *plan.Limit) *explain.Node {
	child, skipped := n.Child, int64(0)
	if o, ok := child.(*plan.Offset); ok {
		child = o.Child
		skipped, _ = literalNumber(o.Offset)
	}
	count, _ := literalNumber(n.Limit)
	return explain.Limit(count, skipped, p.steps(ctx, child))
}

// aggregatesOf are the expressions that are no columns.
func aggregatesOf(list []sql.Expression) (out []sql.Expression) {
	for _, e := range list {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		if _, plain := e.(*expression.GetField); !plain {
			out = append(out, e)
		}
	}
	return out
}

func words(list []sql.Expression) (out []string) {
	for _, e := range list {
		out = append(out, exprWords(e))
	}
	return out
}

func sortWords(by sql.SortConditions) (out []string) {
	for _, f := range by {
		key := exprWords(f.Expr)
		if f.Order == sql.Descending {
			key += " DESC"
		}
		out = append(out, key)
	}
	return out
}

func (p *Planner) group(ctx *sql.Context, n *plan.GroupBy) *explain.Node {
	in := p.steps(ctx, n.Child)
	p.projected(ctx, n.SelectDeps...)
	if len(n.GroupByExprs) == 0 {
		return explain.Aggregate(words(aggregatesOf(n.SelectDeps)), in)
	}
	return explain.Group(max(in.Rows/10, 1), in)
}

// join is two tables, the first one read first.
func (p *Planner) join(ctx *sql.Context, n *plan.JoinNode) *explain.Node {
	before := p.condition
	p.condition = nil
	l, r := p.steps(ctx, n.Left()), p.steps(ctx, n.Right())
	p.condition = before
	kind := explain.Inner
	switch {
	case n.Op.IsLeftOuter():
		kind = explain.Left
	case n.Op.IsRightOuter():
		kind = explain.Right
	case n.Op.IsFullOuter():
		kind = explain.Full
	case n.Op.IsAnti():
		kind = explain.Anti
	case n.Op.IsSemi():
		kind = explain.Semi
	}
	var conditions []string
	var subs []*explain.Sub
	if n.Filter != nil && n.Filter.String() != "true" {
		subs = p.subqueries(ctx, "condition", n.Filter)
		for _, part := range expression.SplitConjunction(ctx, n.Filter) {
			conditions = append(conditions, exprWords(part))
		}
	}
	var s *explain.Node
	if n.Op.IsHash() {
		s = explain.HashJoin(kind, conditions, nil, l, r)
	} else {
		s = explain.NestedLoop(kind, strings.Join(conditions, " and "), l, r)
	}
	s.Subs = subs
	return s
}

func (p *Planner) recursive(ctx *sql.Context, n *plan.RecursiveCte) *explain.Node {
	return explain.Recursive(n.Name(), []*explain.Block{p.block(ctx, n.Left()), p.block(ctx, n.Right())})
}

func (p *Planner) set(ctx *sql.Context, n *plan.SetOp) *explain.Node {
	kind := map[int]string{plan.UnionType: "union", plan.IntersectType: "intersect", plan.ExceptType: "except"}[n.SetOpType]
	var parts []*explain.Block
	var add func(n sql.Node)
	add = func(m sql.Node) {
		if o, ok := m.(*plan.SetOp); ok && o.SetOpType == n.SetOpType && o.Distinct == n.Distinct && o.Limit == nil && len(o.SortConditions) == 0 {
			add(o.Left())
			add(o.Right())
			return
		}
		if len(parts) == 0 && p.blocks == 1 { // the first SELECT is the statement's own
			p.blocks = 0
		}
		parts = append(parts, p.block(ctx, m))
	}
	add(n.Left())
	add(n.Right())
	s := explain.Set(kind, n.Distinct, parts)
	if kind == "union" && !n.Distinct && len(n.SortConditions) == 0 {
		s = explain.Append(parts)
	}
	if len(n.SortConditions) > 0 {
		s = explain.Sort(sortWords(n.SortConditions), -1, s)
	}
	if count, known := literalNumber(n.Limit); known {
		s = explain.Limit(count, 0, s)
	}
	return s
}

func (p *Planner) insert(ctx *sql.Context, n *plan.InsertInto) *explain.Node {
	name, kind := "", "insert"
	if t := sqllayer.TableBelow(n.Destination); t != nil {
		name = t.Name()
	}
	if n.IsReplace {
		kind = "replace"
	}
	source := p.steps(ctx, n.Source)
	if source.Kind == "rows_fetched_before_execution" {
		source.Estimated = false
	}
	return explain.Change(kind, []string{name}, source)
}

func (p *Planner) change(ctx *sql.Context, kind string, child sql.Node) *explain.Node {
	in := p.steps(ctx, child)
	name := ""
	if t := in.Find(); t != nil {
		name = t.Table.Name
	}
	return explain.Change(kind, []string{name}, in)
}

// projected adds the subqueries of a select list to the block.
func (p *Planner) projected(ctx *sql.Context, exprs ...sql.Expression) {
	*p.subs = append(*p.subs, p.subqueries(ctx, "projection", exprs...)...)
}

// subqueries describes the subqueries of expressions.
func (p *Planner) subqueries(ctx *sql.Context, where string, exprs ...sql.Expression) (out []*explain.Sub) {
	for _, e := range exprs {
		sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
			q, ok := e.(*plan.Subquery)
			if !ok {
				return true
			}
			out = append(out, &explain.Sub{Block: p.block(ctx, q.Query), Where: where, Dependent: !q.Correlated().Empty()})
			return true
		})
	}
	return out
}

// literalNumber is the number of LIMIT or OFFSET, if it is known.
func literalNumber(e sql.Expression) (n int64, known bool) {
	if sum, ok := e.(*expression.Arithmetic); ok && sum.Op == "+" { // of a limit and an offset
		l, first := literalNumber(sum.LeftChild)
		r, second := literalNumber(sum.RightChild)
		return l + r, first && second
	}
	l, ok := e.(*expression.Literal)
	if !ok {
		return -1, false
	}
	n, err := strconv.ParseInt(fmt.Sprint(l.Value()), 10, 64)
	if err != nil {
		return -1, false
	}
	return n, true
}
