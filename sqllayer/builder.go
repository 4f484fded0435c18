package sqllayer

// The priority builder sees every node before GMS's builder does. It builds nothing itself but:
//
//	UPDATE, DELETE     notes their target tables, whose rows are then read under X locks; and where the rows are wanted in an index's order and only some of
//	                   them (ORDER BY ... LIMIT), reads them along the index and stops early: GMS
//	                   would read, and so lock, all of them and sort
//	UPDATE             looks at the bytes of texts, see exact.go
//	ORDER BY ... LIMIT over an index access whose leading columns are fixed (WHERE state = 'new'
//	ORDER BY id LIMIT 1): no sort, early stop
//	MAX and MIN of a column that an index begins with   read one row
//	triggers           see what the statement has changed so far, see trigger.go
//	filter over a scan   under READ COMMITTED, gives up the lock of a row that does not match
//	ALTER TABLE of many parts   gets the columns in the order the parts before have given them, which GMS's planner takes wrong after FIRST and AFTER
//	CREATE TABLE with functional keys   makes them when the table is there, see keyspec.go
//	nodes that keep rows   account them, see retain.go
//	mysql.help_*       have no rows; GMS gives them one without columns
//	LOAD DATA          reads its file, see loaddata.go
//	CREATE, DROP DATABASE   takes the schema's metadata lock before GMS takes its catalog mutex

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/expr"
)

// builder implements sql.NodeExecBuilder. A nil iterator leaves the node to GMS.
type builder struct {
	layer *Layer
	base  *rowexec.BaseBuilder
}

// Build implements sql.NodeExecBuilder.
func (b *builder) Build(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	if s.analysis != nil {
		if iter, err := b.measure(ctx, s.analysis, n, r); iter != nil || err != nil {
			return iter, err
		}
	}
	s.stepInTrigger(n)
	s.running(n)
	if err := s.changesUnused(n); err != nil {
		return nil, err
	}
	if !b.layer.opts.Plain {
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
	case *triggerProgram:
		_, err := n.run(ctx, r)
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
		s.aim(n)
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
		return b.base.Build(ctx, n.Child, r)
	case *plan.DeleteFrom:
		s.aim(n)
		if iter, err := b.ignoring(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		if iter, err := b.gathering(ctx, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.ordered(ctx, n, r)
	case *gathered:
		return n.build(ctx, b, r)
	case *oneRow:
		return n.build(ctx, b, r)
	case *plan.InsertInto:
		s.delayed(ctx, n)
	case *plan.LoadData:
		l, err := openLoad(ctx, n)
		if err != nil {
			return nil, err
		}
		return l, nil
	case *bulkSource:
		return n, nil
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
		if s.releasesRows() {
			return b.filter(ctx, n, r)
		}
	case *plan.AlterIndex:
		if n.Action == plan.IndexAction_DisableEnableKeys && !b.layer.opts.Plain {
			if iter, err := b.alterParts(ctx, s, n); iter != nil || err != nil {
				return iter, err
			}
			return b.keptOn(ctx, n)
		}
		if n.Action == plan.IndexAction_Create && n.Constraint == sql.IndexConstraint_Fulltext {
			own := *n
			own.Constraint = constraintFullText
			s.warnRebuild(n.Table)
			return b.base.Build(ctx, &own, r)
		}
		return b.alter(ctx, n, r)
	case *plan.AddColumn:
		c := n.Column()
		if err := plainName(c.Name); err != nil {
			return nil, err
		}
		c.Default, c.Generated = expr.GeometryDefault(c.Default, c.Type), expr.GeometryDefault(c.Generated, c.Type)
		return b.alter(ctx, n, r)
	case *plan.ModifyColumn:
		if err := plainName(n.NewColumn().Name); err != nil {
			return nil, err
		}
		return b.alter(ctx, n, r)
	case *plan.DropColumn, *plan.RenameColumn, *plan.AlterPK:
		return b.alter(ctx, n, r)
	case *plan.IndexedTableAccess:
		return b.searched(ctx, n)
	case *plan.ResolvedTable:
		if d := n.Database(); d != nil && strings.HasPrefix(n.Name(), "help_") && d.Name() == "mysql" {
			return sql.RowsToRowIter(), nil
		}
	case *plan.CreateTable:
		for _, idx := range n.Indexes() {
			if idx.IsFullText() {
				idx.Constraint = constraintFullText
			}
		}
		if iter, err := b.createParts(ctx, s, n, r); iter != nil || err != nil {
			return iter, err
		}
		return b.createTable(ctx, n, r)
	case *plan.LockTables:
		return sql.RowsToRowIter(), s.lockTables(ctx, n)
	case *plan.UnlockTables:
		s.unlockTables()
		return sql.RowsToRowIter(), nil
	case *plan.StartTransaction:
		s.unlockTables()
	case *plan.PrependNode:
		s.stmt.repeats = true
	case *plan.DropDB:
		return nil, b.layer.lockSchema(ctx, n.DbName, true)
	case *plan.CreateDB:
		return nil, b.layer.lockSchema(ctx, n.DbName, false)
	}
	return b.keeping(ctx, n, r)
}

// running notes the plan of a statement when its root is built.
func (s *Session) running(n sql.Node) {
	s.mu.Lock()
	switch n.(type) {
	case *plan.AddColumn, *plan.DropColumn, *plan.ModifyColumn, *plan.RenameColumn, *plan.AlterPK, *plan.AlterIndex, *plan.DropTable, *plan.Truncate,
		*plan.CreateTable, *plan.AlterDefaultSet, *plan.AlterDefaultDrop:
		s.stmt.defining = true
	}
	if s.stmt.root == nil {
		s.stmt.root = n
		s.flags.Unset(sql.QFlagDDL)
		s.flags = nil
	}
	s.mu.Unlock()
}

// aim makes the tables that an UPDATE or DELETE changes targets of the statement.
func (s *Session) aim(n sql.Node) {
	for _, target := range changedTables(n) {
		s.aimAt(target)
	}
}

func (s *Session) aimAt(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		if _, ok := n.(*plan.SubqueryAlias); ok {
			return false
		}
		var found sql.Table
		switch n := n.(type) {
		case *plan.ResolvedTable:
			found = sql.GetUnderlyingTable(n.UnderlyingTable())
		case *plan.IndexedTableAccess:
			found = sql.GetUnderlyingTable(n.UnderlyingTable())
		case *plan.ForeignKeyHandler:
			found = sql.GetUnderlyingTable(n.Table)
		case *plan.TableAlias:
			return true
		}
		if t, ok := found.(*Table); ok {
			s.mu.Lock()
			if s.stmt.targets == nil {
				s.stmt.targets = make(map[base.TableID]struct{})
			}
			s.stmt.targets[t.def.def.ID] = struct{}{}
			s.mu.Unlock()
		}
		return true
	})
}

// releasesRows tells whether rows that do not match are unlocked: a locking statement under READ
// COMMITTED.
func (s *Session) releasesRows() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trx != nil && s.trx.Isolation() <= txn.ReadCommitted && !s.ddl
}

// filter runs a filter that stands right above a scan.
func (b *builder) filter(ctx *sql.Context, n *plan.Filter, r sql.Row) (sql.RowIter, error) {
	switch n.Child.(type) {
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
	default:
		return nil, nil
	}
	sessionOf(ctx).seek(ctx, n)
	child, err := b.base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &filterIter{s: sessionOf(ctx), child: child, cond: n.Expression, outer: r}, nil
}

type filterIter struct {
	s     *Session
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
		i.s.unlock()
	}
}

// Close implements sql.RowIter.
func (i *filterIter) Close(ctx *sql.Context) error { return i.child.Close(ctx) }

// ordered rewrites ORDER BY ... LIMIT of an UPDATE or DELETE into a scan along an index, and builds
// the statement then. It returns nil if there is nothing to rewrite; the statement it builds has
// nothing left to rewrite.
func (b *builder) ordered(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
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
	return b.base.Build(ctx, changed, r)
}

// topN runs TopN over an index access that is in order already.
func (b *builder) topN(ctx *sql.Context, n *plan.TopN, r sql.Row) (sql.RowIter, error) {
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
	return b.base.Build(ctx, plan.NewLimit(n.Limit, child), r)
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
		t, ok := n.UnderlyingTable().(*Table)
		if !ok {
			return nil, false, nil
		}
		i := slices.IndexFunc(t.def.indexes, func(x *Index) bool { _, ok := x.inOrder(order, 0); return ok })
		if i < 0 {
			return nil, false, nil
		}
		x := t.def.indexes[i]
		backwards, _ := x.inOrder(order, 0)
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
	x, ok := lookup.Index.(*Index)
	ranges, isMySQL := lookup.Ranges.(sql.MySQLRangeCollection)
	if !ok || !isMySQL || len(ranges) != 1 {
		return nil, false, nil
	}
	fixed, err := x.fixed(ctx, ranges[0])
	backwards, ok := x.inOrder(order, fixed)
	if err != nil || !ok {
		return nil, false, err
	}
	turned := sql.NewIndexLookup(x, ranges, lookup.IsPointLookup, lookup.IsEmptyRange, false, backwards)
	access, err := plan.NewStaticIndexedAccessForTableNode(ctx, n.TableNode, turned)
	return access, err == nil, err
}

// fixed is the number of leading columns of which a range has one value.
func (x *Index) fixed(ctx *sql.Context, r sql.MySQLRange) (n int, err error) {
	if x.idx == nil {
		return 0, nil
	}
	for ; n < len(r) && n < len(x.extended); n++ {
		v, err := x.interval(ctx, x.partOf(x.extended[n]), r[n])
		if err != nil || !v.single() {
			return n, err
		}
	}
	return n, nil
}

// fullLookup reads the whole index.
func fullLookup(ctx *sql.Context, x *Index, reverse bool) (sql.IndexLookup, error) {
	all, err := sql.NewMySQLIndexBuilder(ctx, x).Build(ctx)
	if err != nil {
		return sql.IndexLookup{}, err
	}
	return sql.NewIndexLookup(x, all.Ranges.(sql.MySQLRangeCollection), false, false, false, reverse), nil
}

// inOrder tells whether the index's keys, read in one direction, have the wanted order, and in
// which. The leading columns up to fixed have one value.
func (x *Index) inOrder(order sql.SortConditions, fixed int) (backwards, ok bool) {
	if x.idx == nil || x.prefixes != nil || len(order) == 0 {
		return false, false
	}
	next := fixed
	for _, o := range order {
		f, ok := o.Expr.(*expression.GetField)
		if !ok {
			return false, false
		}
		c := x.table.find(f.Name())
		if slices.Contains(x.extended[:fixed], c) {
			continue
		}
		if next == len(x.extended) || x.extended[next] != c {
			return false, false
		}
		turned := x.partOf(c).Desc != (o.Order == sql.Descending)
		if next > fixed && turned != backwards {
			return false, false
		}
		backwards = turned
		next++
	}
	return backwards, true
}

// alter builds a part of ALTER TABLE with the columns in the order they have now.
func (b *builder) alter(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
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
	return b.base.Build(ctx, changed, r)
}
