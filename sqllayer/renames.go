package sqllayer

// RENAME across databases: GMS drops the database of a name.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// renamePrefix begins a table name that carries its database.
const renamePrefix = "\x00"

// qualifyRename puts the databases of RENAME into the names.
func (r *rewriterAST) qualifyRename(n *ast.DDL) {
	if n.Action != ast.RenameStr {
		return
	}
	for _, tables := range []ast.TableNames{n.FromTables, n.ToTables} {
		for i, t := range tables {
			done := strings.HasPrefix(t.Name.String(), renamePrefix) // ALTER TABLE's parts are met twice
			if db := t.DbQualifier.String(); db != "" && !r.current(db) && !done {
				tables[i].Name = ast.NewTableIdent(renamePrefix + db + renamePrefix + t.Name.String())
			}
		}
	}
}

func (r *rewriterAST) current(db string) bool {
	c, ok := r.ctx.(*sql.Context)
	return ok && c.Session != nil && strings.EqualFold(c.GetCurrentDatabase(), db)
}

// decodeRename takes a name apart that qualifyRename made.
func decodeRename(name string) (tableName, bool) {
	if !strings.HasPrefix(name, renamePrefix) {
		return tableName{}, false
	}
	db, table, ok := strings.Cut(name[len(renamePrefix):], renamePrefix)
	return tableName{db, table}, ok
}
