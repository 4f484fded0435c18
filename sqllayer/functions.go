package sqllayer

import "github.com/dolthub/go-mysql-server/sql/analyzer"

// functions finds the functions that GMS lacks or that differ from MySQL's, before GMS looks for
// its own, and stored functions.
type functions struct{}

// The hook is GMS's only one that reaches every catalog whatever its provider is wrapped in; what
// is set has no state.
func init() { analyzer.ExternalFunctionProvider = functions{} }
