package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/store"
)

// GivenTypes finds out what the values of the INSERT come from.
func (n *storeSource) givenTypes(ctx *sql.Context) (g store.GivenTypes) {
	p := n.values()
	if p == nil {
		return g
	}
	for _, e := range p.Projections {
		field := -1
		if f, ok := e.(*expression.GetField); ok {
			field = f.Index()
		}
		g.Fields = append(g.Fields, field)
	}
	if v, ok := p.Child.(*plan.Values); ok {
		g.Rows = v.ExpressionTuples
	} else {
		g.Columns = p.Child.Schema(ctx)
	}
	return g
}
