// Package namedrows reads results as texts, of SHOW statements above all: their columns differ from
// server to server, and are found by their names.
package namedrows

import (
	"context"
	"database/sql"
)

// Querier is a handle, a session or a transaction.
type Querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

// Query returns the rows of a query as texts by column. NULL is the empty text.
func Query(ctx context.Context, db Querier, query string) (out []map[string]string, err error) {
	names, rows, err := Texts(ctx, db, query)
	for _, values := range rows {
		row := make(map[string]string, len(names))
		for i, n := range names {
			row[n] = values[i]
		}
		out = append(out, row)
	}
	return out, err
}

// Texts returns the names of a query's columns, and its rows as texts. NULL is the empty text.
func Texts(ctx context.Context, db Querier, query string) (names []string, out [][]string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	if names, err = rows.Columns(); err != nil {
		return nil, nil, err
	}
	values, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, nil, err
		}
		row := make([]string, len(names))
		for i := range values {
			row[i] = values[i].String
		}
		out = append(out, row)
	}
	return names, out, rows.Err()
}
