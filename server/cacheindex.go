package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// cacheIndex is CACHE INDEX and LOAD INDEX INTO CACHE. The only key cache is the default one, and
// the engine has no use for it: each table that exists is told so.
func (x *execution) cacheIndex(ctx *sql.Context, n *ast.CacheIndex) error {
	if c := n.Cache; !n.Load && c.Given() && !strings.EqualFold(c.Name, "default") {
		return sqlerr.NewError(1284, "Unknown key cache '%s'", c.Name)
	}
	if err := x.h.s.mayUnrun(ctx, n); err != nil {
		return err
	}
	operation := map[bool]string{false: "assign_to_keycache", true: "preload_keys"}[n.Load]
	var rows [][]any
	for _, t := range n.Tables {
		name := tableName{t.Table.Schema.Name, t.Table.Name.Name}
		if name.db == "" {
			if name.db = ctx.GetCurrentDatabase(); name.db == "" {
				return sqlerr.NewError(1046, "No database selected")
			}
		}
		if _, _, err := x.h.e.Analyzer.Catalog.Table(ctx, name.db, name.name); err != nil {
			rows = append(rows, []any{name, operation, "Error", sqlerr.Translate(err, name.db).Message}, []any{name, operation, "status", "Operation failed"})
			continue
		}
		rows = append(rows, []any{name, operation, "note", "The storage engine for the table doesn't support " + operation})
	}
	return x.table(ctx, textColumns("Table", "Op", "Msg_type", "Msg_text"), rows)
}
