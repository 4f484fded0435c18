package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// likeMySQL builds what GMS would build differently from MySQL. A nil iterator leaves the node to
// the others.
func (b *builder) likeMySQL(ctx *sql.Context, s *Session, n sql.Node, r sql.Row) (sql.RowIter, error) {
	switch mended, changed, err := s.mend(ctx, n); {
	case err != nil:
		return nil, err
	case changed:
		return b.base.Build(ctx, mended, r)
	}
	switch n := n.(type) {
	case *plan.Project:
		return b.signedZeros(ctx, n, r)
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
		return b.showVariables(ctx, n, r)
	case *plan.ShowColumns:
		return b.showColumns(ctx, n)
	case *plan.DescribeQuery:
		return b.explain(ctx, n, r)
	case *plan.DropColumn:
		if t := ownTable(n.Table); t != nil && len(t.def.def.Columns) == 1 {
			return nil, NewError(1090, "You can't delete all columns with ALTER TABLE; use DROP TABLE instead")
		}
	case *plan.CreateTable:
		return b.unlessThere(ctx, n)
	case *plan.TableCopier:
		made, ok := n.Destination.(*plan.CreateTable)
		switch {
		case ok && b.layer.opts.Plain:
			return b.unlessThere(ctx, made)
		case ok:
			return b.fill(ctx, n, made, r)
		}
	case *plan.DropTable, *plan.DropView, *plan.DropTrigger, *plan.DropProcedure:
		return nil, b.ifThere(ctx, n)
	case *plan.ShowTableStatus:
		return b.tableStatus(ctx, n)
	case *plan.ShowTables:
		if !b.layer.opts.Plain {
			return showTables(ctx, n)
		}
	case *plan.ShowCreateDatabase:
		if !b.layer.opts.Plain {
			return showCreateDatabase(ctx, n), nil
		}
	case *plan.ShowDatabases:
		if !b.layer.opts.Plain {
			return showDatabases(ctx, n), nil
		}
	}
	return nil, nil
}

// Query makes the flags for GMS's planning of the next statement. GMS takes a statement that reads
// a view for DDL, as it parses the view's CREATE statement, and would commit the transaction after
// it; for a statement that is none, the flag is taken back before GMS looks at it.
func (s *Session) Query(ddl bool) *sql.QueryFlags {
	f := &sql.QueryFlags{}
	s.mu.Lock()
	s.flags = nil
	if !ddl {
		s.flags = f
	}
	s.mu.Unlock()
	return f
}
