package planner

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

func init() { expr.ColumnDefault = columnDefault }

// columnDefault finds the column that ScopeDefaults tells of, and its default.
func columnDefault(ctx *sql.Context, args []string) (none expr.Default, _ error) {
	db, table, column := args[0], args[1], args[2]
	var found *tabledef.TableDef
	for at := 3; at+3 <= len(args); at += 3 {
		shown, schema, name := args[at], args[at+1], args[at+2]
		if name == "" { // the end of a block
			if found != nil {
				break
			}
			continue
		}
		if schema == "" {
			schema = ctx.GetCurrentDatabase()
		}
		if table != "" && !strings.EqualFold(shown, table) || db != "" && !strings.EqualFold(schema, db) {
			continue
		}
		def, err := sqllayer.DefinitionOf(ctx, schema, name)
		if err != nil {
			return none, err
		}
		if def == nil || def.Find(column) < 0 {
			continue
		}
		if found != nil {
			return none, sql.ErrAmbiguousColumnName.New(column, "")
		}
		found = def
	}
	if found == nil {
		shown := strings.TrimLeft(db+"."+table+"."+column, ".")
		return none, sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in 'field list'", shown)
	}
	at := found.Find(column)
	if err := mayReadDefault(ctx, found, at); err != nil {
		return none, err
	}
	v, err := found.DefaultValue(ctx, at)
	return expr.Default{Value: v, Typ: found.Columns[at].Type, Stored: &found.Cols[at]}, err
}

// mayReadDefault refuses who may not read the column.
func mayReadDefault(ctx *sql.Context, d *tabledef.TableDef, at int) error {
	s, column := sqllayer.SessionOf(ctx), d.Columns[at].Name
	if _, own := s.Temps.Lookup(d.Def.Schema, d.Def.Name); own || sqllayer.PrivilegesOf(ctx).OnColumn(d.Def.Schema, d.Def.Name, column, sql.PrivilegeType_Select) {
		return nil
	}
	return s.ViewError(s.ColumnDenied(sql.PrivilegeType_Select, column, d.Def.Name))
}
