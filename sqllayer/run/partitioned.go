package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// createParts builds a CREATE TABLE of a partitioned table; nil for others.
func (b *Builder) createParts(ctx *sql.Context, s *sqllayer.Session, n *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	tree, ok := s.RunningTree(ctx).(*sqlast.CreateTable)
	if !ok || s.Stmt.Dividing || tree.Partition == nil && tree.Like == nil || !strings.EqualFold(tree.Name.Name.Name, n.Name()) {
		return nil, nil
	}
	define, err := b.definesParts(ctx, n, tree)
	if define == nil || err != nil {
		return nil, err
	}
	if n.Temporary() {
		return nil, sqlerr.NewError(1562, "Cannot create temporary table with partitions")
	}
	for i := range tree.Options {
		o := &tree.Options[i]
		if name := o.Name.Name; o.Kind == sqlast.OptionEngine && name != "" && !strings.EqualFold(name, "InnoDB") {
			return nil, sqlerr.NewError(1178, "The storage engine for the table doesn't support native partitioning")
		}
	}
	s.Stmt.Dividing = true
	iter, err := b.Base.Build(ctx, n, r)
	if err != nil {
		return nil, err
	}
	found, ok, err := n.Db.GetTableInsensitive(ctx, n.Name())
	if err != nil || !ok {
		return iter, err
	}
	t, ok := sql.GetUnderlyingTable(found).(*sqllayer.Table)
	if !ok {
		return iter, nil
	}
	if err := t.CatchUp(ctx); err != nil {
		return nil, err
	}
	p, err := define(t.Def.Def)
	if err != nil {
		return nil, err
	}
	return iter, t.Divide(ctx, p)
}

// definesParts returns what makes the partitioning of a table that is created; nil: it has none.
func (b *Builder) definesParts(ctx *sql.Context, n *plan.CreateTable, tree *sqlast.CreateTable) (func(*catalog.Table) (*catalog.Partitioning, error), error) {
	if tree.Like == nil {
		return func(def *catalog.Table) (*catalog.Partitioning, error) {
			return partition.Define(def, tree.Partition, store.ZoneOf(ctx))
		}, nil
	}
	db := tree.Like.Schema.Name
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	found, _, err := b.Layer.Engine.Analyzer.Catalog.Table(ctx, db, tree.Like.Name.Name)
	if err != nil {
		return nil, err
	}
	t, ok := sql.GetUnderlyingTable(found).(*sqllayer.Table)
	if !ok || t.Def.Def.Partitioning == nil {
		return nil, nil
	}
	like := t.Def.Def.Partitioning.Clone()
	return func(*catalog.Table) (*catalog.Partitioning, error) { return like, nil }, nil
}

// keyStep runs what ALTER TABLE says of keys, which is nothing, or what stands for it.
func (b *Builder) keyStep(ctx *sql.Context, s *sqllayer.Session, n *plan.AlterIndex) (sql.RowIter, error) {
	source, text := s.RunningSource(ctx)
	tree, ok := source.(*sqlast.AlterTable)
	if !ok && b.Layer.Opts.Plain {
		return nil, nil
	}
	if !ok {
		return b.keptOn(ctx, n)
	}
	steps, at := lower.KeySteps(tree), s.Stmt.KeySteps
	switch s.Stmt.KeySteps++; {
	case at < len(steps) && steps[at] == lower.KeyAdded:
		return b.addFunctional(ctx, n, lower.FunctionalKeys(tree)[at-slices.Index(steps, lower.KeyAdded)], text)
	case at < len(steps) && steps[at] == lower.PrimaryReplaced:
		return b.replacePrimary(ctx, n, lower.ReplacedPrimary(tree))
	case at < len(steps) && steps[at] == lower.PartAdded:
		return b.addLater(ctx, n, lower.LaterParts(tree)[at-slices.Index(steps, lower.PartAdded)], text)
	case b.Layer.Opts.Plain:
		return nil, nil
	case at >= len(steps) && lower.AboutPartitions(tree):
		return b.alterParts(ctx, n, tree)
	case at < len(steps) && steps[at] == lower.TableRebuilt:
		return b.rebuild(ctx, n, slices.Index(steps, lower.TableRebuilt) == at)
	case at < len(steps) && steps[at] == lower.StorageSaid:
		return b.sayStorage(ctx, n, tree, slices.Index(steps, lower.StorageSaid) == at)
	}
	return b.keptOn(ctx, n)
}

// rebuild makes the table anew, once in a statement.
func (b *Builder) rebuild(ctx *sql.Context, n *plan.AlterIndex, first bool) (sql.RowIter, error) {
	if t := sqllayer.OwnTable(n.Table); t != nil && first {
		if err := t.CatchUp(ctx); err != nil {
			return nil, err
		}
		if err := t.Rebuild(ctx); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// sayStorage remembers the options of the statement, once.
func (b *Builder) sayStorage(ctx *sql.Context, n *plan.AlterIndex, tree *sqlast.AlterTable, first bool) (sql.RowIter, error) {
	if t := sqllayer.OwnTable(n.Table); t != nil && first {
		if err := t.CatchUp(ctx); err != nil {
			return nil, err
		}
		if err := t.SayStorage(ctx, tree); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// alterParts runs what ALTER TABLE says of partitions.
func (b *Builder) alterParts(ctx *sql.Context, n *plan.AlterIndex, tree *sqlast.AlterTable) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Table)
	if t == nil {
		return nil, tabledef.ErrNotPartitioned()
	}
	if err := t.CatchUp(ctx); err != nil {
		return nil, err
	}
	if err := t.AlterPartsBy(ctx, tree); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}
