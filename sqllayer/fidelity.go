package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// likeMySQL builds what GMS would build differently from MySQL. A nil iterator leaves the node to the others.
func (b *builder) likeMySQL(ctx *sql.Context, s *Session, n sql.Node, r sql.Row) (sql.RowIter, error) {
	s.running(n)
	switch n := n.(type) {
	case *plan.InsertInto:
		return b.insert(ctx, n, r)
	case *storeSource:
		return n.build(ctx, b, r)
	case *plan.UpdateSource:
		return b.update(ctx, n, r)
	case *plan.ShowCreateTable:
		return b.showCreate(ctx, n)
	case *plan.ShowColumns:
		return b.showColumns(ctx, n)
	}
	return nil, nil
}
