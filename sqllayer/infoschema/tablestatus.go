package infoschema

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
)

// SystemStatus lists the tables of the mysql schema; nil: the statement is about another one.
func SystemStatus(ctx *sql.Context, n *plan.ShowTableStatus) (sql.RowIter, error) {
	db := n.Database()
	if guarded, ok := db.(interface{ Unwrap() sql.Database }); ok {
		db = guarded.Unwrap()
	}
	if _, ok := db.(sql.AliasedDatabase); !ok {
		return nil, nil
	}
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	var rows []sql.Row
	for _, name := range names {
		t, found, err := db.GetTableInsensitive(ctx, name)
		if err != nil {
			return nil, err
		}
		v := virtualOf(t)
		if !found || v == nil || !sqllayer.PrivilegesOf(ctx).SeesTable("mysql", name) {
			continue
		}
		_, options, _ := strings.Cut(v.CreateText, " ENGINE=")
		engine, _, _ := strings.Cut(options, " ")
		_, comment, _ := strings.Cut(options, "COMMENT='")
		rows = append(rows, RowOf(n.Schema(ctx), map[string]any{"name": name, "engine": cmp.Or(engine, "InnoDB"), "version": "10", "row_format": "Dynamic",
			"rows": uint64(0), "avg_row_length": uint64(0), "data_length": uint64(0), "max_data_length": uint64(0), "index_length": int64(0), "data_free": int64(0),
			"create_options": "", "collation": "utf8mb3_bin", "comment": strings.TrimSuffix(comment, "'")}))
	}
	return sql.RowsToRowIter(rows...), nil
}

func RowOf(schema sql.Schema, values map[string]any) sql.Row {
	row := make(sql.Row, len(schema))
	for i, c := range schema {
		row[i] = values[strings.ToLower(c.Name)]
	}
	return row
}
