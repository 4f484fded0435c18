package server

import (
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// Statements for whose qualified names go-mysql-server wants a current database all the same.
var qualified = regexp.MustCompile("(?is)^(?:create\\b[^(]*?\\bview|drop\\s+view(?:\\s+if\\s+exists)?|(?:analyze|optimize|rename|alter)\\b[^(]*?\\btables?|explain\\s+delete\\s+from)\\s+(?:`((?:[^`]|``)+)`|([\\w$]+))\\s*\\.")

// borrowDatabase makes the database of a qualified name the current one if there is none; the returned function takes it back.
func (x *execution) borrowDatabase(ctx *sql.Context) func() {
	if x.db != "" || x.verb.reads && !x.verb.admin {
		return func() {}
	}
	m := qualified.FindStringSubmatch(x.query)
	if m == nil {
		return func() {}
	}
	name := strings.ReplaceAll(m[1], "``", "`") + m[2]
	if !x.h.e.Analyzer.Catalog.HasDatabase(ctx, name) {
		return func() {}
	}
	ctx.SetCurrentDatabase(name)
	return func() { ctx.SetCurrentDatabase("") }
}
