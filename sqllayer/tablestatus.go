package sqllayer

// SHOW TABLE STATUS of the engine's tables, as MySQL shows it.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// tableStatus runs SHOW TABLE STATUS: tables and views.
func (b *builder) tableStatus(ctx *sql.Context, n *plan.ShowTableStatus) (sql.RowIter, error) {
	db, ok := ownDatabase(n.Database())
	if !ok {
		return systemStatus(ctx, n)
	}
	ctx = listing(ctx)
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	schema := n.Schema(ctx)
	var rows []sql.Row
	rights := privilegesOf(ctx)
	for _, name := range names {
		if !rights.seesTable(db.Name(), name) {
			continue
		}
		t, ok, err := db.table(ctx, name)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue // dropped meanwhile
		}
		status, err := statusOf(ctx, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, rowOf(schema, status))
	}
	views, err := db.AllViews(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if !rights.seesTable(db.Name(), v.Name) {
			continue
		}
		rows = append(rows, rowOf(schema, map[string]any{"name": v.Name, "comment": "VIEW"}))
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return sql.RowsToRowIter(rows...), nil
}

// systemStatus lists the tables of the mysql schema; nil: the statement is about another one.
func systemStatus(ctx *sql.Context, n *plan.ShowTableStatus) (sql.RowIter, error) {
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
		if !found || v == nil || !privilegesOf(ctx).seesTable("mysql", name) {
			continue
		}
		_, options, _ := strings.Cut(v.CreateText, " ENGINE=")
		engine, _, _ := strings.Cut(options, " ")
		_, comment, _ := strings.Cut(options, "COMMENT='")
		rows = append(rows, rowOf(n.Schema(ctx), map[string]any{"name": name, "engine": cmp.Or(engine, "InnoDB"), "version": "10", "row_format": "Dynamic",
			"rows": uint64(0), "avg_row_length": uint64(0), "data_length": uint64(0), "max_data_length": uint64(0), "index_length": int64(0), "data_free": int64(0),
			"create_options": "", "collation": "utf8mb3_bin", "comment": strings.TrimSuffix(comment, "'")}))
	}
	return sql.RowsToRowIter(rows...), nil
}

func statusOf(ctx *sql.Context, t *Table) (map[string]any, error) {
	count, _, err := t.RowCount(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := t.stats(ctx)
	if err != nil {
		return nil, err
	}
	size := uint64(stats.DataBytes)
	out := map[string]any{
		"name": t.Name(), "engine": "InnoDB", "version": "10", "row_format": "Dynamic", "rows": count, "avg_row_length": size / max(count, 1),
		"data_length": size, "max_data_length": uint64(0), "index_length": stats.IndexBytes, "data_free": int64(0), "create_options": "",
		"create_time": time.Unix(t.def.def.CreatedUnix, 0).UTC(), "collation": sql.CollationID(t.def.def.Collation).Name(), "comment": t.def.def.Comment,
	}
	if t.def.def.Partitioning != nil {
		out["create_options"] = "partitioned"
	}
	if t.def.def.AutoInc >= 0 {
		next, err := t.PeekNextAutoIncrementValue(ctx)
		if err != nil {
			return nil, err
		}
		if next > 1 {
			out["auto_increment"] = int64(next)
		}
	}
	return out, nil
}

func rowOf(schema sql.Schema, values map[string]any) sql.Row {
	row := make(sql.Row, len(schema))
	for i, c := range schema {
		row[i] = values[strings.ToLower(c.Name)]
	}
	return row
}
