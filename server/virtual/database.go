// Package virtual holds schemas whose tables are made when they are read: performance_schema, sys,
// tables of the mysql schema, and what this server adds to information_schema.
//
// Files in directory schemas list the tables with MySQL's columns and types. Whoever knows the rows
// of a table gives them to it with Fill; a table that nobody fills is empty.
//
// Invariants:
//
//	(1) Rows are made when a scan begins, never kept.
//	(2) Every table and column of MySQL 9.7 exists, so that no query of a tool fails for a missing
//	    name.
package virtual

import (
	"embed"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/infoschema"
)

// PerformanceSchema is the only schema with tables that UPDATE changes.
const PerformanceSchema = "performance_schema"

// Database is a schema of virtual tables.
type Database struct {
	name   string
	Tables map[string]*infoschema.VirtualTable // by lower-case name

	Updatable map[string]infoschema.RowChange // what UPDATE does, by table
	Editable  map[string]infoschema.RowChange // what every change of rows does, by table
}

func (d *Database) Name() string     { return d.name }
func (d *Database) IsReadOnly() bool { return d.name != PerformanceSchema }

func (d *Database) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
	t, ok := d.Tables[strings.ToLower(name)]
	if !ok {
		return nil, false, nil
	}
	if update := d.Updatable[strings.ToLower(name)]; update != nil {
		return t.Updatable(update), true, nil
	}
	if change := d.Editable[strings.ToLower(name)]; change != nil {
		return t.Editable(change), true, nil
	}
	return t, true, nil
}

func (d *Database) GetTableNames(*sql.Context) ([]string, error) {
	names := make([]string, 0, len(d.Tables))
	for _, t := range d.Tables {
		names = append(names, t.Name())
	}
	sort.Strings(names)
	return names, nil
}

// The privilege layer of go-mysql-server asks every database for views, triggers, procedures and
// events; there are none.
var (
	_ sql.ViewDatabase            = (*Database)(nil)
	_ sql.TriggerDatabase         = (*Database)(nil)
	_ sql.StoredProcedureDatabase = (*Database)(nil)
)

func (d *Database) refuse(ctx *sql.Context) error {
	return sql.ErrDatabaseAccessDeniedForUser.New("'"+ctx.Client().User+"'@'"+ctx.Client().Address+"'", d.name)
}

func (d *Database) CreateView(ctx *sql.Context, _, _, _ string) error         { return d.refuse(ctx) }
func (d *Database) DropView(ctx *sql.Context, _ string) error                 { return d.refuse(ctx) }
func (d *Database) AllViews(*sql.Context) ([]sql.ViewDefinition, error)       { return nil, nil }
func (d *Database) GetTriggers(*sql.Context) ([]sql.TriggerDefinition, error) { return nil, nil }
func (d *Database) CreateTrigger(ctx *sql.Context, _ sql.TriggerDefinition) error {
	return d.refuse(ctx)
}
func (d *Database) DropTrigger(ctx *sql.Context, _ string) error         { return d.refuse(ctx) }
func (d *Database) DropStoredProcedure(ctx *sql.Context, _ string) error { return d.refuse(ctx) }

func (d *Database) GetViewDefinition(*sql.Context, string) (sql.ViewDefinition, bool, error) {
	return sql.ViewDefinition{}, false, nil
}

func (d *Database) GetStoredProcedure(*sql.Context, string) (sql.StoredProcedureDetails, bool, error) {
	return sql.StoredProcedureDetails{}, false, nil
}

func (d *Database) GetStoredProcedures(*sql.Context) ([]sql.StoredProcedureDetails, error) {
	return nil, nil
}

func (d *Database) SaveStoredProcedure(ctx *sql.Context, _ sql.StoredProcedureDetails) error {
	return d.refuse(ctx)
}

var _ sql.EventDatabase = (*Database)(nil)

func (d *Database) GetEvents(*sql.Context) ([]sql.EventDefinition, any, error) { return nil, nil, nil }
func (d *Database) NeedsToReloadEvents(*sql.Context, any) (bool, error)        { return false, nil }
func (d *Database) UpdateLastExecuted(*sql.Context, string, time.Time) error   { return nil }
func (d *Database) DropEvent(ctx *sql.Context, _ string) error                 { return d.refuse(ctx) }
func (d *Database) SaveEvent(ctx *sql.Context, _ sql.EventDefinition) (bool, error) {
	return false, d.refuse(ctx)
}

func (d *Database) GetEvent(*sql.Context, string) (sql.EventDefinition, bool, error) {
	return sql.EventDefinition{}, false, nil
}

func (d *Database) UpdateEvent(ctx *sql.Context, _ string, _ sql.EventDefinition) (bool, error) {
	return false, d.refuse(ctx)
}

// Add defines a table. columns is a list of "name type", separated by commas: i integer, u
// unsigned, s text, t time, d time in seconds, z the same in UTC, f float; a trailing ? allows NULL.
func (d *Database) Add(name, columns string, rows func(ctx *sql.Context) ([]sql.Row, error)) {
	if rows == nil {
		rows = func(*sql.Context) ([]sql.Row, error) { return nil, nil }
	}
	d.Tables[strings.ToLower(name)] = infoschema.NewVirtualTable(name, columnsOf(d.name, name, columns), rows)
}

//go:embed schemas
var schemaFiles embed.FS

// New makes a schema of the tables that its file in directory schemas lists: one a line, or those of
// mysql as SHOW CREATE TABLE prints them. They are empty until Fill gives them rows.
func New(name string) *Database {
	d := &Database{name: name, Tables: map[string]*infoschema.VirtualTable{},
		Updatable: map[string]infoschema.RowChange{}, Editable: map[string]infoschema.RowChange{}}
	none := func(*sql.Context) ([]sql.Row, error) { return nil, nil }
	if name == "mysql" {
		for text := range strings.SplitSeq(strings.TrimSpace(SchemaFile("mysql.sql")), "\n\n") {
			table, columns := definedColumns(name, text)
			t := infoschema.NewVirtualTable(table, columns, none)
			t.CreateText = text
			d.Tables[strings.ToLower(table)] = t
		}
		return d
	}
	for line := range strings.Lines(SchemaFile(name)) {
		table, columns, _ := strings.Cut(strings.TrimSpace(line), ": ")
		d.Tables[strings.ToLower(table)] = infoschema.NewVirtualTable(table, typedColumns(name, table, columns), none)
	}
	return d
}

// SchemaFile returns the text of a file in directory schemas; a name without an extension means
// ".txt".
func SchemaFile(name string) string {
	if !strings.Contains(name, ".") {
		name += ".txt"
	}
	text, err := schemaFiles.ReadFile("schemas/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// Fill gives a table rows that have the columns named; the others are NULL, or empty if they must
// not be.
func (d *Database) Fill(table, columns string, rows func(ctx *sql.Context) ([]sql.Row, error)) {
	t := d.Tables[table]
	schema := t.Schema(nil)
	var places []int
	for c := range strings.SplitSeq(columns, ",") {
		at := slices.IndexFunc(schema, func(has *sql.Column) bool { return has.Name == strings.TrimSpace(c) })
		if at < 0 {
			panic("server: " + d.name + "." + table + " has no column " + c)
		}
		places = append(places, at)
	}
	whole := func(ctx *sql.Context) ([]sql.Row, error) {
		found, err := rows(ctx)
		for n, values := range found {
			row := make(sql.Row, len(schema))
			for i, c := range schema {
				if !c.Nullable {
					row[i] = c.Type.Zero()
				}
			}
			for i, at := range places {
				if row[at], err = Value(ctx, schema[at], values[i]); err != nil {
					return nil, err
				}
			}
			found[n] = row
		}
		return found, err
	}
	filled := infoschema.NewVirtualTable(t.Name(), schema, whole)
	filled.CreateText = t.CreateText
	d.Tables[table] = filled
}

var virtualTypes = map[string]sql.Type{
	"i": types.Int64, "u": types.Uint64, "f": types.Float64,
	"t": types.MustCreateDatetimeType(sqltypes.Datetime, 6),
	"d": types.MustCreateDatetimeType(sqltypes.Datetime, 0), "z": types.MustCreateDatetimeType(sqltypes.Timestamp, 0),
	"s": types.MustCreateString(sqltypes.VarChar, 1024, sql.Collation_Information_Schema_Default),
	"x": types.LongText,
}

func columnsOf(db, table, columns string) sql.Schema {
	var out sql.Schema
	for c := range strings.SplitSeq(columns, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), " ")
		kind, nullable := strings.CutSuffix(kind, "?")
		out = append(out, &sql.Column{Name: name, Type: virtualTypes[kind], Nullable: nullable, Source: table,
			DatabaseSource: db})
	}
	return out
}
