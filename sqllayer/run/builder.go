package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/tabledef"
)

// Builder implements sql.NodeExecBuilder. A nil iterator leaves the node to GMS.
type Builder struct {
	Layer *sqllayer.Layer
	Base  *rowexec.BaseBuilder
}

// Build implements sql.NodeExecBuilder.
func (b *Builder) Build(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	if s.Analysis != nil {
		if iter, err := b.measure(ctx, s.Analysis, n, r); iter != nil || err != nil {
			return iter, err
		}
	}
	s.StepInTrigger(n)
	s.Running(n)
	if err := s.ChangesUnused(n); err != nil {
		return nil, err
	}
	if !b.Layer.Opts.Plain {
		if iter, err := b.likeMySQL(ctx, s, n, r); iter != nil || err != nil {
			return iter, err
		}
	}
	switch n := n.(type) {
	case *plan.TriggerExecutor:
		if iter, err := b.rowTriggers(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.trigger(ctx, n, r)
	case *triggerStep:
		return b.step(ctx, n, r)
	case *sqllayer.TriggerProgram:
		_, err := n.Run(ctx, r)
		return sql.RowsToRowIter(), err
	case *plan.Call:
		return b.call(ctx, n, r)
	case *plan.CreateEvent:
		return b.createEvent(ctx, s, n, r)
	case *plan.AlterEvent:
		return b.alterEvent(ctx, s, n, r)
	case *plan.RecursiveCte:
		return b.recursive(ctx, n, r)
	case *plan.Update:
		s.Aim(n)
		if iter, err := b.checkedUpdate(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.regenerate(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.exactly(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.ordered(ctx, n, r)
	case *regenerated:
		return n.build(ctx, b, r)
	case *exactTarget:
		return b.Base.Build(ctx, n.Child, r)
	case *plan.DeleteFrom:
		s.Aim(n)
		if iter, err := b.firing(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.ignoring(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.gathering(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.watching(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.ordered(ctx, n, r)
	case *gathered:
		return n.build(ctx, b, r)
	case *watched:
		return n.build(ctx, b, r)
	case *OneRow:
		return n.build(ctx, b, r)
	case *plan.InsertInto:
		s.Delayed(ctx, n)
	case *plan.LoadData:
		l, err := openLoad(ctx, n)
		if err != nil {
			return nil, err
		}
		return l, nil
	case *bulkSource:
		return n, nil
	case *selected:
		return n.build(ctx, b, r)
	case *plan.TopN:
		if iter, err := b.topN(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
	case *plan.GroupBy:
		if iter, err := b.rollup(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.end(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.group(ctx, n, r)
	case *plan.Filter:
		if s.ReleasesRows() {
			return b.filter(ctx, n, r)
		}
	case *plan.CreateCheck:
		n.Check.Expr = tabledef.Readable(ctx, n.Check.Expr)
		if !n.Check.Enforced { // no row is held against it
			n.Check.IsNotValid = true
		}
	case *plan.AlterIndex:
		if n.Action == plan.IndexAction_DisableEnableKeys && s != nil {
			return b.keyStep(ctx, s, n)
		}
		if n.Action == plan.IndexAction_Create && n.Constraint == sql.IndexConstraint_Fulltext {
			own := *n
			own.Constraint = tabledef.ConstraintFullText
			s.WarnRebuild(n.Table)
			return b.Base.Build(ctx, &own, r)
		}
		if functional, err := b.functionalKey(ctx, n); functional != nil || err != nil {
			return functional, err
		}
		return b.alter(ctx, n, r)
	case *plan.AddColumn:
		c := n.Column()
		if err := sqllayer.PlainName(c.Name); err != nil {
			return nil, err
		}
		c.Default, c.Generated = spatial.GeometryDefault(c.Default, c.Type), spatial.GeometryDefault(c.Generated, c.Type)
		return b.alter(ctx, n, r)
	case *plan.ModifyColumn:
		if err := sqllayer.PlainName(n.NewColumn().Name); err != nil {
			return nil, err
		}
		return b.alter(ctx, n, r)
	case *plan.AlterDefaultDrop:
		return b.dropDefault(ctx, n)
	case *plan.DropColumn, *plan.RenameColumn, *plan.AlterPK:
		return b.alter(ctx, n, r)
	case *plan.IndexedTableAccess:
		virtualValues(ctx, n.Table)
		return b.searched(ctx, n)
	case *plan.ResolvedTable:
		virtualValues(ctx, n.Table)
		if d := n.Database(); d != nil && strings.HasPrefix(n.Name(), "help_") && d.Name() == "mysql" {
			return sql.RowsToRowIter(), nil
		}
	case *plan.CreateTable:
		for _, idx := range n.Indexes() {
			if idx.IsFullText() {
				idx.Constraint = tabledef.ConstraintFullText
			}
		}
		for _, c := range n.Checks() {
			c.Expr = tabledef.Readable(ctx, c.Expr)
		}
		if iter, err := b.createParts(ctx, s, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.createReferencing(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.createTable(ctx, n, r)
	case *plan.CreateForeignKey:
		return addForeignKey(ctx, n.DbProvider, n.FkDef)
	case *plan.LockTables:
		return sql.RowsToRowIter(), s.LockTables(ctx, n)
	case *plan.UnlockTables:
		s.UnlockTables()
		return sql.RowsToRowIter(), nil
	case *plan.StartTransaction:
		s.UnlockTables()
	case *plan.Signal:
		if iter, err := signalWarning(ctx, n); iter != nil || err != nil {
			return iter, err
		}
	case *plan.PrependNode:
		s.Stmt.Repeats = true
	case *plan.DropDB:
		return b.dropSchema(ctx, n, r)
	case *plan.CreateDB:
		return nil, b.Layer.LockSchema(ctx, n.DbName, false)
	case *plan.RenameTable:
		if err := b.Layer.LockRenamed(ctx, n); err != nil {
			return nil, err
		}
	}
	return b.keeping(ctx, n, r)
}

// filter runs a filter that stands right above a scan.
func (b *Builder) filter(ctx *sql.Context, n *plan.Filter, r sql.Row) (sql.RowIter, error) {
	switch n.Child.(type) {
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
	default:
		return nil, nil
	}
	sqllayer.SessionOf(ctx).Seek(ctx, n)
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &filterIter{s: sqllayer.SessionOf(ctx), child: child, cond: n.Expression, outer: r}, nil
}

type filterIter struct {
	s     *sqllayer.Session
	child sql.RowIter
	cond  sql.Expression
	outer sql.Row
}

// Next implements sql.RowIter.
func (i *filterIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.child.Next(ctx)
		if err != nil {
			return nil, err
		}
		res, err := sql.EvaluateCondition(ctx, i.cond, row)
		if err != nil {
			return nil, err
		}
		if sql.IsTrue(res) {
			return row, nil
		}
		i.s.Unlock()
	}
}

// Close implements sql.RowIter.
func (i *filterIter) Close(ctx *sql.Context) error { return i.child.Close(ctx) }

// ordered rewrites ORDER BY ... LIMIT of an UPDATE or DELETE into a scan along an index, and builds
// the statement then. It returns nil if there is nothing to rewrite; the statement it builds has
// nothing left to rewrite.
func (b *Builder) ordered(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	changed, same, err := transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.TopN:
			child, ok, err := alongIndex(ctx, n.Child, n.SortConditions)
			if !ok || err != nil {
				return n, transform.SameTree, err
			}
			return plan.NewLimit(n.Limit, child), transform.NewTree, nil
		case *plan.Limit:
			s, ok := n.Child.(*plan.Sort)
			if !ok {
				return n, transform.SameTree, nil
			}
			child, ok, err := alongIndex(ctx, s.Child, s.SortConditions)
			if !ok || err != nil {
				return n, transform.SameTree, err
			}
			limited, err := n.WithChildren(ctx, child)
			return limited, transform.NewTree, err
		}
		return n, transform.SameTree, nil
	})
	if err != nil || same {
		return nil, err
	}
	return b.Base.Build(ctx, changed, r)
}

// topN runs TopN over an index access that is in order already.
func (b *Builder) topN(ctx *sql.Context, n *plan.TopN, r sql.Row) (sql.RowIter, error) {
	if n.CalcFoundRows {
		return b.foundTop(ctx, n, r)
	}
	if !overAccess(n.Child) {
		return nil, nil
	}
	child, ok, err := alongIndex(ctx, n.Child, n.SortConditions)
	if !ok || err != nil {
		return nil, err
	}
	return b.Base.Build(ctx, plan.NewLimit(n.Limit, child), r)
}

// overAccess tells whether an index access stands below filters.
func overAccess(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Filter, *plan.TableAlias:
		return overAccess(n.Children()[0])
	case *plan.IndexedTableAccess:
		return true
	}
	return false
}

// alongIndex replaces the table below filters by a scan of an index that has the wanted order.
func alongIndex(ctx *sql.Context, n sql.Node, order sql.SortConditions) (sql.Node, bool, error) {
	switch n := n.(type) {
	case *plan.Filter, *plan.TableAlias:
		child, ok, err := alongIndex(ctx, n.Children()[0], order)
		if !ok || err != nil {
			return nil, false, err
		}
		changed, err := n.WithChildren(ctx, child)
		return changed, err == nil, err
	case *plan.ResolvedTable:
		t, ok := n.UnderlyingTable().(*sqllayer.Table)
		if !ok {
			return nil, false, nil
		}
		i := slices.IndexFunc(t.Def.Indexes, func(x *tabledef.Index) bool { _, ok := x.InOrder(order, 0); return ok && !x.Hidden() })
		if i < 0 {
			return nil, false, nil
		}
		x := t.Def.Indexes[i]
		backwards, _ := x.InOrder(order, 0)
		lookup, err := fullLookup(ctx, x, backwards)
		if err != nil {
			return nil, false, err
		}
		access, err := plan.NewStaticIndexedAccessForTableNode(ctx, n, lookup)
		return access, err == nil, err
	case *plan.IndexedTableAccess:
		return orderedAccess(ctx, n, order)
	}
	return nil, false, nil
}

// orderedAccess turns an index access whose rows are in the wanted order in the wanted direction.
func orderedAccess(ctx *sql.Context, n *plan.IndexedTableAccess, order sql.SortConditions) (sql.Node, bool, error) {
	if !n.IsStatic() {
		return nil, false, nil
	}
	lookup := plan.GetIndexLookup(n)
	x, ok := lookup.Index.(*tabledef.Index)
	ranges, isMySQL := lookup.Ranges.(sql.MySQLRangeCollection)
	if !ok || !isMySQL || len(ranges) != 1 {
		return nil, false, nil
	}
	fixed, err := x.Fixed(ctx, ranges[0])
	backwards, ok := x.InOrder(order, fixed)
	if err != nil || !ok {
		return nil, false, err
	}
	turned := sql.NewIndexLookup(x, ranges, lookup.IsPointLookup, lookup.IsEmptyRange, false, backwards)
	access, err := plan.NewStaticIndexedAccessForTableNode(ctx, n.TableNode, turned)
	return access, err == nil, err
}

// fullLookup reads the whole index.
func fullLookup(ctx *sql.Context, x *tabledef.Index, reverse bool) (sql.IndexLookup, error) {
	all, err := sql.NewMySQLIndexBuilder(ctx, x).Build(ctx)
	if err != nil {
		return sql.IndexLookup{}, err
	}
	return sql.NewIndexLookup(x, all.Ranges.(sql.MySQLRangeCollection), false, false, false, reverse), nil
}

// alter builds a part of ALTER TABLE with the columns in the order they have now.
func (b *Builder) alter(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	planned, ok := n.(sql.SchemaTarget)
	in, hasDatabase := n.(sql.Databaser)
	if !ok || !hasDatabase || len(planned.TargetSchema()) == 0 {
		return nil, nil
	}
	target := planned.TargetSchema()
	found, ok, err := in.Database().GetTableInsensitive(ctx, target[0].Source)
	if err != nil || !ok {
		return nil, err
	}
	now := found.Schema(ctx)
	if len(now) != len(target) {
		return nil, nil
	}
	ordered := make(sql.Schema, len(now))
	same := true
	for i, c := range now {
		at := target.IndexOfColName(c.Name)
		if at < 0 {
			return nil, nil
		}
		if slices.Contains(ordered[:i], target[at]) { // two columns of one name have no order to be put in
			return nil, nil
		}
		ordered[i] = target[at]
		same = same && at == i
	}
	if same {
		return nil, nil
	}
	changed, err := planned.WithTargetSchema(ordered)
	if err != nil {
		return nil, err
	}
	return b.Base.Build(ctx, changed, r)
}
