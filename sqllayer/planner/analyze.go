package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"

	"emberdb/sqllayer"
)

// distinctRule is the id of checkDistinct: no rule of GMS has it.
const distinctRule = uniqueNamesRule + 1

// uniqueNamesRule is the id of uniqueNames: no rule of GMS has it.
const uniqueNamesRule = upsertRule + 1

// The hook is GMS's only one that reaches every catalog whatever its provider is wrapped in; what
// is set has no state.
func init() { analyzer.ExternalFunctionProvider = sqllayer.Functions{} }

// authorizers makes the handlers of a catalog.
type authorizers struct {
	library sql.AuthorizationHandlerFactory
}

// CreateHandler implements sql.AuthorizationHandlerFactory.
func (a authorizers) CreateHandler(cat sql.Catalog) sql.AuthorizationHandler {
	return sqllayer.Authorizer{AuthorizationHandler: a.library.CreateHandler(cat)}
}

func init() {
	sql.SetAuthorizationHandlerFactory(authorizers{sql.GetAuthorizationHandlerFactory()})
}
