package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// pseudoTables are checked on an Ember server besides the tables: what belongs to none.
var pseudoTables = []serverTable{{"#ember", "system", 0}, {"#ember", "undo", 0}, {"#ember", "files", 0}}

// serverTable is a table to check.
type serverTable struct {
	schema, name string
	kib          int64 // about
}

// online has the server check its tables.
func (o *checkOptions) online(ctx context.Context, p *progress) (r checkResult, err error) {
	db, err := o.connect(ctx)
	if err != nil {
		return r, err
	}
	defer db.Close()
	var comment string
	if err := db.QueryRowContext(ctx, "SELECT @@hostname, CONCAT(@@version, ', ', @@version_comment)").Scan(&r.Target, &comment); err != nil {
		return r, err
	}
	r.Target += " (" + comment + ")"
	tables, err := serverTables(ctx, db, o.Database)
	if err != nil {
		return r, err
	}
	if strings.Contains(comment, "Ember") && o.Database == "" {
		tables = append(tables[:len(tables):len(tables)], pseudoTables...)
	}
	var done, total int64
	for _, t := range tables {
		total += t.kib + 1
	}
	for _, t := range tables {
		p.set(done, total, t.schema+"."+t.name)
		if err := r.checkOne(ctx, db, t); err != nil {
			return r, fmt.Errorf("check of %s.%s: %w", t.schema, t.name, err)
		}
		done += t.kib + 1
	}
	p.set(done, total, "")
	return r, nil
}

// serverTables lists the tables of a database, or of all but the system's.
func serverTables(ctx context.Context, db *sql.DB, database string) (out []serverTable, err error) {
	rows, err := db.QueryContext(ctx, `SELECT table_schema, table_name, CAST((COALESCE(data_length, 0) + COALESCE(index_length, 0)) / 1024 AS SIGNED)
		FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND (table_schema = ? OR ? = '')
		AND table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY 1, 2`, database, database)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t serverTable
		if err := rows.Scan(&t.schema, &t.name, &t.kib); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// checkOne runs CHECK TABLE for one table and reads its answer.
func (r *checkResult) checkOne(ctx context.Context, db *sql.DB, t serverTable) error {
	rows, err := db.QueryContext(ctx, "CHECK TABLE "+quote(t.schema)+"."+quote(t.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	ok, faults := false, 0
	for rows.Next() {
		var table, op, kind, text string
		if err := rows.Scan(&table, &op, &kind, &text); err != nil {
			return err
		}
		switch kind = strings.ToLower(kind); {
		case kind == "status" && text == "OK":
			ok = true
		case kind == "error" && text != "Corrupt", kind == "warning":
			faults++
			r.Faults = append(r.Faults, checkFault{Table: table, Detail: strings.TrimPrefix(text, table+": ")})
		case kind == "note":
			ok = true
			r.Notes = append(r.Notes, table+": "+text)
		}
	}
	if t.schema != pseudoTables[0].schema {
		r.Tables++
	}
	if !ok && faults == 0 && rows.Err() == nil {
		r.Faults = append(r.Faults, checkFault{Table: t.schema + "." + t.name, Detail: "the server does not say that the table is OK"})
	}
	return rows.Err()
}
