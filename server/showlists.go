package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
)

// listing is a SHOW statement that lists rows of a table of information_schema.
type listing struct {
	columns []string // of the list, each as expression and name
	from    string   // with a condition
	order   string
}

// name is what LIKE looks at.
func (l *listing) name() string {
	_, name, _ := strings.Cut(l.columns[0], " AS ")
	return name
}

var routineColumns = []string{"ROUTINE_SCHEMA AS `Db`", "ROUTINE_NAME AS `Name`", "ROUTINE_TYPE AS `Type`", "EXTERNAL_LANGUAGE AS `Language`", "DEFINER AS `Definer`",
	"LAST_ALTERED AS `Modified`", "CREATED AS `Created`", "SECURITY_TYPE AS `Security_type`", "ROUTINE_COMMENT AS `Comment`",
	"CHARACTER_SET_CLIENT AS `character_set_client`", "COLLATION_CONNECTION AS `collation_connection`", "DATABASE_COLLATION AS `Database Collation`"}

// showLists are the lists by their kinds.
var showLists = map[ast.ShowKind]*listing{
	ast.ShowCollation: {[]string{"COLLATION_NAME AS `Collation`", "CHARACTER_SET_NAME AS `Charset`", "ID AS `Id`", "IS_DEFAULT AS `Default`", "IS_COMPILED AS `Compiled`",
		"SORTLEN AS `Sortlen`", "PAD_ATTRIBUTE AS `Pad_attribute`"}, "COLLATIONS", "`Collation`"},
	ast.ShowCharset: {[]string{"CHARACTER_SET_NAME AS `Charset`", "DESCRIPTION AS `Description`", "DEFAULT_COLLATE_NAME AS `Default collation`", "MAXLEN AS `Maxlen`"},
		"CHARACTER_SETS", "`Charset`"},
	ast.ShowPlugins: {[]string{"PLUGIN_NAME AS `Name`", "PLUGIN_STATUS AS `Status`", "PLUGIN_TYPE AS `Type`", "PLUGIN_LIBRARY AS `Library`", "PLUGIN_LICENSE AS `License`"},
		"PLUGINS", ""},
	ast.ShowProcedureStatus: {routineColumns, "ROUTINES WHERE ROUTINE_TYPE = 'PROCEDURE'", "`Db`, `Name`"},
	ast.ShowFunctionStatus:  {routineColumns, "ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'", "`Db`, `Name`"},
}

// showListed runs SHOW of a list as a query.
func (x *execution) showListed(ctx *sql.Context, n *ast.Show) error {
	l := showLists[n.Kind]
	text := "SELECT * FROM (SELECT " + strings.Join(l.columns, ", ") + " FROM information_schema." + l.from + ") AS l"
	name := l.name()
	if n.Kind == ast.ShowProcedureStatus || n.Kind == ast.ShowFunctionStatus {
		name = "`Name`"
	}
	switch {
	case n.Like != nil:
		text += " WHERE " + name + " LIKE " + quoteText(n.Like.Text)
	case n.Where != nil:
		text += " WHERE " + x.printed(n.Where)
	}
	if l.order != "" {
		text += " ORDER BY " + l.order
	}
	return x.viaLayer(ctx, text, nil)
}
