package run

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
)

// ViewOf gives the view that a subquery of the plan was made from.
func ViewOf(n *plan.SubqueryAlias) (schema, name string, ok bool) {
	at, ok := strings.CutPrefix(n.TextDefinition, sqllayer.ViewBody)
	if !ok {
		return "", "", false
	}
	schema, name, _ = strings.Cut(at, "\x00")
	return schema, name, true
}
