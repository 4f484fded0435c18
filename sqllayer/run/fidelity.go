package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
)

// likeMySQL builds what GMS would build differently from MySQL. A nil iterator leaves the node to
// the others.
func (b *Builder) likeMySQL(ctx *sql.Context, s *sqllayer.Session, n sql.Node, r sql.Row) (sql.RowIter, error) {
	switch mended, changed, err := s.Mend(ctx, n); {
	case err != nil:
		return nil, err
	case changed:
		return b.Base.Build(ctx, mended, r)
	}
	switch n := n.(type) {
	case *plan.Project:
		return b.signedZeros(ctx, n, r)
	case *plan.Values:
		return signedValues(ctx, n, r)
	case *plan.Set:
		if err := checkStopWords(ctx, n, r); err != nil {
			return nil, err
		}
		return b.setTogether(ctx, s, n, r)
	case *plan.Distinct:
		return b.distinct(ctx, n, r)
	case *plan.Limit:
		return b.foundRows(ctx, n, r)
	case *plan.SetOp:
		return b.setOp(ctx, n, r)
	case *setSource:
		return n.build(ctx, b, r)
	case *plan.InsertInto:
		return b.insert(ctx, n, r)
	case *storeSource:
		return n.build(ctx, b, r)
	case *plan.UpdateSource:
		return b.update(ctx, n, r)
	case *plan.ShowCreateTable:
		return b.showCreate(ctx, n)
	case *plan.ShowCreateTrigger:
		return b.showTrigger(ctx, n)
	case *plan.ShowTriggers:
		return b.showTriggers(ctx, n)
	case *plan.ShowCreateEvent:
		return b.showEvent(ctx, n)
	case *plan.ShowCreateProcedure:
		return b.showProcedure(ctx, n)
	case *plan.ShowIndexes:
		return b.showIndexes(ctx, n)
	case *plan.ShowVariables:
		return b.showVariables(ctx, n)
	case *plan.ShowColumns:
		return b.showColumns(ctx, n)
	case *plan.DescribeQuery:
		return b.explain(ctx, n, r)
	case *plan.DropColumn:
		if t := sqllayer.OwnTable(n.Table); t != nil && len(t.Def.Def.Columns) == 1 {
			return nil, sqlerr.NewError(1090, "You can't delete all columns with ALTER TABLE; use DROP TABLE instead")
		}
	case *plan.CreateTable:
		return b.mayMake(ctx, n)
	case *plan.TableCopier:
		made, ok := n.Destination.(*plan.CreateTable)
		switch {
		case ok && b.Layer.Opts.Plain:
			return b.mayMake(ctx, made)
		case ok:
			return b.fill(ctx, n, made, r)
		}
	case *plan.DropTrigger, *plan.DropProcedure:
		return nil, b.ifThere(ctx, n)
	case *plan.ShowTableStatus:
		return b.tableStatus(ctx, n)
	case *plan.ShowTables:
		if !b.Layer.Opts.Plain {
			return infoschema.ShowTables(ctx, n)
		}
	case *plan.ShowCreateDatabase:
		if !b.Layer.Opts.Plain {
			return infoschema.ShowCreateDatabase(ctx, n), nil
		}
	case *plan.ShowDatabases:
		if !b.Layer.Opts.Plain {
			return infoschema.ShowDatabases(ctx, n), nil
		}
	}
	return nil, nil
}
