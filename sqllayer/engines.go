package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
)

// knownEngines are those that MySQL has; tables of all of them are the one engine's here.
var knownEngines = []string{"innodb", "myisam", "memory", "heap", "csv", "archive", "blackhole", "merge", "mrg_myisam"}

// checkEngine looks at ENGINE = name of CREATE TABLE and ALTER TABLE. Unless sql_mode has
// NO_ENGINE_SUBSTITUTION, another engine takes the place of an unknown one.
func checkEngine(ctx *sql.Context, tree ast.Statement) (err error) {
	created, creates := tree.(*ast.CreateTable)
	ast.Inspect(tree, func(n ast.Node) bool {
		o, ok := n.(*ast.TableOption)
		if !ok || o.Kind != ast.OptionEngine {
			_, query := n.(*ast.Query)
			return err == nil && !query
		}
		name := o.Name.Name
		if o.Text != nil {
			name = string(o.Text.Bytes())
		}
		switch lower := strings.ToLower(name); {
		case slices.Contains(knownEngines, lower):
		case lower == "performance_schema":
			err = sqlerr.NewError(1683, "Invalid performance_schema usage.")
		case operand.Mode(ctx).ModeEnabled("NO_ENGINE_SUBSTITUTION"):
			err = sqlerr.NewError(1286, "Unknown storage engine '%s'", name)
		default:
			if creates { // warnings from before the plan are listed last first
				ctx.Warn(1266, "Using storage engine InnoDB for table '%s'", created.Name.Name.Name)
			}
			ctx.Warn(1286, "Unknown storage engine '%s'", name)
		}
		return err == nil
	})
	return err
}
