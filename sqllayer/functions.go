package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"

	"emberdb/sqllayer/expr"
)

// functions finds the functions that GMS lacks or that differ from MySQL's, before GMS looks for its own.
type functions struct{}

// Function implements sql.FunctionProvider.
func (functions) Function(_ *sql.Context, _, name string) (sql.Function, bool) {
	return expr.Lookup(strings.ToLower(name))
}

// The hook is GMS's only one that reaches every catalog whatever its provider is wrapped in; what is set has no state.
func init() { analyzer.ExternalFunctionProvider = functions{} }
