package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr"
)

var _ sql.FunctionProvider = (*Provider)(nil)

// Function implements sql.FunctionProvider: functions that GMS lacks or that differ from MySQL's.
func (p *Provider) Function(_ *sql.Context, _, name string) (sql.Function, bool) {
	return expr.Lookup(strings.ToLower(name))
}
