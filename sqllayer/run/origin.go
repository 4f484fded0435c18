package run

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// originOf names what a value is computed by: a column or a function.
func originOf(ctx *sql.Context, e sql.Expression) string {
	switch e := e.(type) {
	case *expression.Alias:
		return originOf(ctx, e.Child)
	case *expression.GetField:
		return e.Name()
	case *plan.Subquery:
		return e.Query.Schema(ctx)[0].Name
	case sql.FunctionExpression:
		return strings.ToLower(e.FunctionName())
	}
	if of := e.Children(); len(of) == 1 {
		return originOf(ctx, of[0])
	}
	return e.String()
}

// origin names what the value for a column comes from.
func (i *storeIter) origin(ctx *sql.Context, at int) string {
	source := i.node.Child
	if p, ok := source.(*plan.Project); ok && at < len(p.Projections) {
		field, ok := p.Projections[at].(*expression.GetField)
		if !ok {
			return originOf(ctx, p.Projections[at])
		}
		source, at = p.Child, field.Index()
	}
	if given := i.tuple(source); at >= 0 && at < len(given) {
		return originOf(ctx, given[at])
	}
	if schema := source.Schema(ctx); at >= 0 && at < len(schema) {
		return schema[at].Name
	}
	return i.node.columns[at].Name
}
