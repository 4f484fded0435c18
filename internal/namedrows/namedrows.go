// Package namedrows reads results by the names of their columns: those of SHOW statements, whose
// columns differ from server to server.
package namedrows

import (
	"context"
	"database/sql"
)

// Query returns the rows of a query as texts by column. NULL is the empty text.
func Query(ctx context.Context, db *sql.DB, query string) (out []map[string]string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make(map[string]string, len(names))
		for i, n := range names {
			row[n] = values[i].String
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
