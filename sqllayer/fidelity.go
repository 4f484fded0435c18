package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// likeMySQL builds what GMS would build differently from MySQL. A nil iterator leaves the node to the others.
func (b *builder) likeMySQL(_ *sql.Context, s *Session, n sql.Node, _ sql.Row) (sql.RowIter, error) {
	s.running(n)
	return nil, nil
}
