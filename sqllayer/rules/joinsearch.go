package rules

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"unsafe" // go:linkname, and a field of GMS's search

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// The search for the order of a join. GMS tries every order up to 15 tables. A table that many
// others are joined to by one value makes that 3^n pairs of plans, gigabytes and minutes: such a
// join is planned as GMS plans those of more tables, along a chain of lookups or else in the order
// of the statement. Others stay with GMS's rule.

const (
	fewTables = 8     // every order of so many tables is tried at once
	mostPairs = 30000 // of parts that can be joined, for all orders to be tried
)

// BoundSearch puts the bound around GMS's rule. around tells of a search that begins, and what it
// returns of its end.
func BoundSearch(a *analyzer.Analyzer, around func(*sql.Context, sql.Node) func()) error {
	if f, ok := reflect.TypeOf(memo.NewJoinOrderBuilder(nil)).Elem().FieldByName(fastSearch); !ok ||
		f.Type.Kind() != reflect.Bool {
		return errors.New("the search for join orders has no " + fastSearch)
	}
	return Wrap(a, "optimizeJoins", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			defer around(ctx, n)()
			search := rule
			if _, update := n.(*plan.Update); !update && n.Resolved() && !plan.IsNoRowNode(n) && tooManyOrders(n) {
				search = joinsInOrder
			}
			asked, lifted, err := liftConditions(ctx, n)
			if err != nil {
				return n, transform.SameTree, err
			}
			asked, hidden, err := hideOuterFields(ctx, asked)
			if err != nil || bool(lifted && hidden) {
				return search(ctx, a, n, scope, sel, flags)
			}
			planned, same, err := search(ctx, a, asked, scope, sel, flags)
			if err != nil || bool(same && lifted) {
				return n, transform.SameTree, err
			}
			planned, err = showOuterFields(ctx, planned)
			return planned, transform.NewTree, err
		}
	})
}

// tooManyOrders tells whether n has such a join. Subqueries are planned apart.
func tooManyOrders(n sql.Node) bool {
	if j, ok := n.(*plan.JoinNode); ok {
		g := joinGraph{columns: map[sql.ColumnId]int{}}
		g.add(j)
		return g.n > fewTables && g.n <= 15 && g.pairs(mostPairs) >= mostPairs
	}
	if sql.IsOpaque(n) {
		return false
	}
	for _, c := range n.Children() {
		if tooManyOrders(c) {
			return true
		}
	}
	return false
}

// joinGraph is what the tables of a join have in common.
type joinGraph struct {
	n       int                  // tables
	sets    []uint32             // tables of which one condition speaks
	equal   []map[int]bool       // classes of columns, by their numbers
	tables  []sql.ColSet         // their columns
	columns map[sql.ColumnId]int // the class of a column
}

func (g *joinGraph) add(n sql.Node) {
	if j, ok := n.(*plan.JoinNode); ok {
		g.add(j.Left())
		g.add(j.Right())
		g.condition(j.Filter)
		return
	}
	if t, ok := n.(plan.TableIdNode); ok {
		g.tables = append(g.tables, t.Columns())
		g.n++
		return
	}
	for _, c := range n.Children() {
		g.add(c)
	}
}

func (g *joinGraph) table(id sql.ColumnId) int {
	for i, cols := range g.tables {
		if cols.Contains(id) {
			return i
		}
	}
	return -1
}

// condition adds the tables that a condition joins; equal columns have one class.
func (g *joinGraph) condition(e sql.Expression) {
	if e == nil {
		return
	}
	if and, ok := e.(*expression.And); ok {
		g.condition(and.LeftChild)
		g.condition(and.RightChild)
		return
	}
	var set uint32
	var ids []sql.ColumnId
	transform.InspectExpr(nil, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			if t := g.table(f.Id()); t >= 0 {
				set |= 1 << t
				ids = append(ids, f.Id())
			}
		}
		return false
	})
	if bits.OnesCount32(set) < 2 {
		return
	}
	if _, equals := e.(*expression.Equals); !equals || len(ids) != 2 {
		g.sets = append(g.sets, set)
		return
	}
	g.unite(ids[0], ids[1])
}

func (g *joinGraph) unite(a, b sql.ColumnId) {
	class := func(id sql.ColumnId) int {
		c, ok := g.columns[id]
		if !ok {
			c = len(g.equal)
			g.columns[id] = c
			g.equal = append(g.equal, map[int]bool{g.table(id): true})
		}
		return c
	}
	to, from := class(a), class(b)
	if to == from {
		return
	}
	for t := range g.equal[from] {
		g.equal[to][t] = true
	}
	for id, c := range g.columns {
		if c == from {
			g.columns[id] = to
		}
	}
	g.equal[from] = nil
}

// pairs counts the pairs of parts, each joined in itself, that a condition joins; it stops at most.
func (g *joinGraph) pairs(most int) (n int) {
	next := make([]uint32, g.n) // the neighbours of each table
	for _, class := range g.equal {
		var set uint32
		for t := range class {
			set |= 1 << t
		}
		g.sets = append(g.sets, set)
	}
	for _, set := range g.sets {
		for t := range next {
			if set&(1<<t) != 0 {
				next[t] |= set
			}
		}
	}
	all := uint32(1)<<g.n - 1
	joined, around := make([]bool, all+1), make([]uint32, all+1)
	for s := uint32(1); s <= all; s++ {
		low := s & -s
		t := bits.TrailingZeros32(low)
		around[s] = around[s^low] | next[t]
		joined[s] = s == low || connected(s, next)
	}
	for s := uint32(1); s <= all; s++ {
		if !joined[s] {
			continue
		}
		for part := (s - 1) & s; part > s^part; part = (part - 1) & s {
			if joined[part] && joined[s^part] && around[part]&(s^part) != 0 {
				if n++; n >= most {
					return n
				}
			}
		}
	}
	return n
}

func connected(s uint32, next []uint32) bool {
	reached := s & -s
	for {
		grown := reached
		for rest := reached; rest != 0; rest &= rest - 1 {
			grown |= next[bits.TrailingZeros32(rest)] & s
		}
		if grown == reached {
			return reached == s
		}
		reached = grown
	}
}

// joinsInOrder plans the joins of n without trying all orders, as GMS's optimizeJoins does with
// more tables.
func joinsInOrder(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if sql.IsOpaque(n) {
		return n, transform.SameTree, nil
	}
	if j, ok := n.(*plan.JoinNode); ok {
		scope.SetJoin(true)
		scope.SetLateralJoin(j.Op.IsLateral())
		planned, err := joinInOrder(ctx, a, j, scope, flags)
		if err != nil {
			return nil, transform.SameTree, fmt.Errorf("failed to replan join: %w", err)
		}
		return planned, transform.NewTree, nil
	}
	children, same := append([]sql.Node(nil), n.Children()...), transform.SameTree
	for i, c := range children {
		planned, kept, err := joinsInOrder(ctx, a, c, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		if !kept {
			children[i], same = planned, transform.NewTree
		}
	}
	if same {
		return n, transform.SameTree, nil
	}
	changed, err := n.WithChildren(ctx, children...)
	return changed, transform.NewTree, err
}

// fastSearch is the field of GMS's search that leaves out trying all orders.
const fastSearch = "forceFastDFSLookupForTest"

// joinInOrder is GMS's replanJoin but for the search.
func joinInOrder(ctx *sql.Context, a *analyzer.Analyzer, n *plan.JoinNode, scope *plan.Scope,
	flags *sql.QueryFlags) (planned sql.Node, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case memo.MemoErr:
			if planned, err = nil, r.Err; errors.Is(err, memo.ErrUnsupportedReorderNode) {
				planned, err = n, nil
			}
		default:
			panic(r)
		}
	}()
	m := memo.NewMemo(ctx, a.Catalog, scope, a.Coster, flags)
	search := memo.NewJoinOrderBuilder(m)
	*(*bool)(unsafe.Pointer(reflect.ValueOf(search).Elem().FieldByName(fastSearch).UnsafeAddr())) = true
	search.ReorderJoin(ctx, n)
	flags.Set(sql.QFlagInnerJoin)
	hints := append(m.SessionHints(ctx), memo.ExtractJoinHint(n)...)
	catalog := a.Catalog
	for _, step := range []func() error{
		func() error { return addIndexScans(ctx, m, catalog) },
		func() error { return convertSemiToInnerJoin(ctx, m) },
		func() error { return convertAntiToLeftJoin(ctx, m) },
		func() error { return addRightSemiJoins(ctx, m, catalog) },
		func() error { return addLookupJoins(ctx, m, catalog) },
		func() error { return addMergeJoins(ctx, m) },
		func() error { m.CardMemoGroups(ctx, m.Root()); return nil },
		func() error { return addCrossHashJoins(ctx, m) },
		func() error { return addHashJoins(ctx, m) },
		func() error { return addRangeHeapJoin(ctx, m) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	for _, h := range hints {
		m.ApplyHint(h)
	}
	if err := m.OptimizeRoot(ctx); err != nil {
		return nil, err
	}
	return m.BestRootPlan(ctx)
}

//go:linkname addIndexScans github.com/dolthub/go-mysql-server/sql/analyzer.addIndexScans
func addIndexScans(ctx *sql.Context, m *memo.Memo, catalog *analyzer.Catalog) error

//go:linkname convertSemiToInnerJoin github.com/dolthub/go-mysql-server/sql/analyzer.convertSemiToInnerJoin
func convertSemiToInnerJoin(ctx *sql.Context, m *memo.Memo) error

//go:linkname convertAntiToLeftJoin github.com/dolthub/go-mysql-server/sql/analyzer.convertAntiToLeftJoin
func convertAntiToLeftJoin(ctx *sql.Context, m *memo.Memo) error

//go:linkname addRightSemiJoins github.com/dolthub/go-mysql-server/sql/analyzer.addRightSemiJoins
func addRightSemiJoins(ctx *sql.Context, m *memo.Memo, cat sql.Catalog) error

//go:linkname addLookupJoins github.com/dolthub/go-mysql-server/sql/analyzer.addLookupJoins
func addLookupJoins(ctx *sql.Context, m *memo.Memo, cat sql.Catalog) error

//go:linkname addMergeJoins github.com/dolthub/go-mysql-server/sql/analyzer.addMergeJoins
func addMergeJoins(ctx *sql.Context, m *memo.Memo) error

//go:linkname addCrossHashJoins github.com/dolthub/go-mysql-server/sql/analyzer.addCrossHashJoins
func addCrossHashJoins(ctx *sql.Context, m *memo.Memo) error

//go:linkname addHashJoins github.com/dolthub/go-mysql-server/sql/analyzer.addHashJoins
func addHashJoins(ctx *sql.Context, m *memo.Memo) error

//go:linkname addRangeHeapJoin github.com/dolthub/go-mysql-server/sql/analyzer.addRangeHeapJoin
func addRangeHeapJoin(ctx *sql.Context, m *memo.Memo) error
