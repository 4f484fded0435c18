package infoschema

// SHOW TABLES and SHOW DATABASES: what the session sees.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

func ShowTables(ctx *sql.Context, n *plan.ShowTables) (sql.RowIter, error) {
	rights, db := sqllayer.PrivilegesOf(ctx), n.Database()
	var rows []sql.Row
	add := func(name, kind string) {
		switch {
		case !rights.SeesTable(db.Name(), name):
		case n.Full:
			rows = append(rows, sql.Row{name, kind})
		default:
			rows = append(rows, sql.Row{name})
		}
	}
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	kind := "BASE TABLE"
	if sqllayer.IsInformationSchema(db.Name()) {
		kind = "SYSTEM VIEW"
	}
	for _, name := range names {
		add(name, kind)
	}
	if of, ok := db.(sql.ViewDatabase); ok {
		views, err := of.AllViews(ctx)
		if err != nil {
			return nil, err
		}
		for _, v := range views {
			add(v.Name, "VIEW")
		}
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return sql.RowsToRowIter(rows...), nil
}

func ShowDatabases(ctx *sql.Context, n *plan.ShowDatabases) sql.RowIter {
	var names []string
	if _, err := n.Catalog.Database(ctx, "mysql"); err == nil {
		names = append(names, "mysql")
	}
	for _, db := range n.Catalog.AllDatabases(ctx) {
		names = append(names, db.Name())
	}
	rights := sqllayer.PrivilegesOf(ctx)
	names = slices.DeleteFunc(names, func(name string) bool { return !rights.ListsDatabase(name) })
	slices.Sort(names)
	names = slices.Compact(names)
	rows := make([]sql.Row, len(names))
	for i, name := range names {
		rows[i] = sql.Row{name}
	}
	return sql.RowsToRowIter(rows...)
}

// ShowCreateDatabase tells the collation where it is not what the character set alone means to
// every version of MySQL.
func ShowCreateDatabase(ctx *sql.Context, n *plan.ShowCreateDatabase) sql.RowIter {
	collation := sql.Collation_Default
	if db, ok := n.Database().(sql.CollatedDatabase); ok {
		collation = db.GetCollation(ctx)
	}
	charset := collation.CharacterSet()
	text := "CREATE DATABASE "
	if n.IfNotExists {
		text += "/*!32312 IF NOT EXISTS*/ "
	}
	text += sqllayer.NameStyle(ctx).In(tabledef.QuoteName(n.Database().Name())) + " /*!40100 DEFAULT CHARACTER SET " + charset.String()
	if collation != charset.DefaultCollation() || charset == sql.CharacterSet_utf8mb4 {
		text += " COLLATE " + collation.String()
	}
	return sql.RowsToRowIter(sql.Row{n.Database().Name(), text + " */ /*!80016 DEFAULT ENCRYPTION='N' */"})
}
