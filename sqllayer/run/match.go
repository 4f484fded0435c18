package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// searched reads the rows of a search by their keys, the most relevant ones first. It returns nil
// if GMS is to read all rows.
func (b *Builder) searched(ctx *sql.Context, n *plan.IndexedTableAccess) (sql.RowIter, error) {
	f, ok := n.Table.(*rowexec.FulltextFilterTable)
	if !ok {
		return nil, nil
	}
	t, ok := f.Table.UnderlyingTable().(*sqllayer.Table)
	if !ok {
		return b.Base.Build(ctx, f.Table, nil)
	}
	m, err := sqllayer.NewMatch(f.MatchAgainst)
	if err != nil {
		return nil, err
	}
	result, err := m.Search(ctx)
	if err != nil {
		return nil, err
	}
	part := &sqllayer.TableScan{Ranges: make([]tabledef.KeyRange, len(result.Hits))}
	for i, hit := range result.Hits {
		part.Ranges[i] = tabledef.KeyRange{Lower: []byte(hit.Doc), Upper: []byte(hit.Doc), UpperIncl: true}
	}
	return t.PartitionRows(ctx, part)
}
