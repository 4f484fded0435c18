package run

import (
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

// alterParts runs what ALTER TABLE says of partitions; nil: it is ENABLE or DISABLE KEYS.
func (b *Builder) alterParts(ctx *sql.Context, s *sqllayer.Session, n *plan.AlterIndex) (sql.RowIter, error) {
	tree, ok := s.RunningTree(ctx).(*sqlast.AlterTable)
	if !ok || !lower.AboutPartitions(tree) {
		return nil, nil
	}
	own := 0 // ENABLE and DISABLE KEYS that are written stand in front
	for _, a := range tree.Actions {
		if f, ok := a.(*sqlast.AlterFlag); ok && (f.Kind == sqlast.EnableKeys || f.Kind == sqlast.DisableKeys) {
			own++
		}
	}
	if s.Stmt.KeySteps++; s.Stmt.KeySteps <= own {
		return nil, nil
	}
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
