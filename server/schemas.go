package server

import (
	"embed"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer"
)

// Schemas this server adds to the SQL layer's: performance_schema, sys and information_schema tables about the engine and the
// connections. Their tables are virtual: rows are made when a scan begins. performance_schema and sys have all tables of MySQL 9.7 with its columns and
// types, lest a query of a tool fail; those that tell what this server does not count are empty. So have the tables of the mysql schema that go-mysql-server lacks.

// virtualDB is a schema of virtual tables.
type virtualDB struct {
	name   string
	tables map[string]*sqllayer.VirtualTable // by lower-case name

	updatable map[string]func(ctx *sql.Context, old, changed sql.Row) error // what UPDATE does, by table
}

func (d *virtualDB) Name() string     { return d.name }
func (d *virtualDB) IsReadOnly() bool { return d.name != performanceSchema }

func (d *virtualDB) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
	t, ok := d.tables[strings.ToLower(name)]
	if !ok {
		return nil, false, nil
	}
	if update := d.updatable[strings.ToLower(name)]; update != nil {
		return t.Updatable(update), true, nil
	}
	return t, true, nil
}

func (d *virtualDB) GetTableNames(*sql.Context) ([]string, error) {
	names := make([]string, 0, len(d.tables))
	for _, t := range d.tables {
		names = append(names, t.Name())
	}
	sort.Strings(names)
	return names, nil
}

// The privilege layer of go-mysql-server asks every database for views, triggers, procedures and events; there are none.
var (
	_ sql.ViewDatabase            = (*virtualDB)(nil)
	_ sql.TriggerDatabase         = (*virtualDB)(nil)
	_ sql.StoredProcedureDatabase = (*virtualDB)(nil)
)

func (d *virtualDB) refuse(ctx *sql.Context) error {
	return sql.ErrDatabaseAccessDeniedForUser.New("'"+ctx.Client().User+"'@'"+ctx.Client().Address+"'", d.name)
}

func (d *virtualDB) CreateView(ctx *sql.Context, _, _, _ string) error         { return d.refuse(ctx) }
func (d *virtualDB) DropView(ctx *sql.Context, _ string) error                 { return d.refuse(ctx) }
func (d *virtualDB) AllViews(*sql.Context) ([]sql.ViewDefinition, error)       { return nil, nil }
func (d *virtualDB) GetTriggers(*sql.Context) ([]sql.TriggerDefinition, error) { return nil, nil }
func (d *virtualDB) CreateTrigger(ctx *sql.Context, _ sql.TriggerDefinition) error {
	return d.refuse(ctx)
}
func (d *virtualDB) DropTrigger(ctx *sql.Context, _ string) error         { return d.refuse(ctx) }
func (d *virtualDB) DropStoredProcedure(ctx *sql.Context, _ string) error { return d.refuse(ctx) }

func (d *virtualDB) GetViewDefinition(*sql.Context, string) (sql.ViewDefinition, bool, error) {
	return sql.ViewDefinition{}, false, nil
}

func (d *virtualDB) GetStoredProcedure(*sql.Context, string) (sql.StoredProcedureDetails, bool, error) {
	return sql.StoredProcedureDetails{}, false, nil
}

func (d *virtualDB) GetStoredProcedures(*sql.Context) ([]sql.StoredProcedureDetails, error) {
	return nil, nil
}

func (d *virtualDB) SaveStoredProcedure(ctx *sql.Context, _ sql.StoredProcedureDetails) error {
	return d.refuse(ctx)
}

var _ sql.EventDatabase = (*virtualDB)(nil)

func (d *virtualDB) GetEvents(*sql.Context) ([]sql.EventDefinition, any, error) { return nil, nil, nil }
func (d *virtualDB) NeedsToReloadEvents(*sql.Context, any) (bool, error)        { return false, nil }
func (d *virtualDB) UpdateLastExecuted(*sql.Context, string, time.Time) error   { return nil }
func (d *virtualDB) DropEvent(ctx *sql.Context, _ string) error                 { return d.refuse(ctx) }
func (d *virtualDB) SaveEvent(ctx *sql.Context, _ sql.EventDefinition) (bool, error) {
	return false, d.refuse(ctx)
}

func (d *virtualDB) GetEvent(*sql.Context, string) (sql.EventDefinition, bool, error) {
	return sql.EventDefinition{}, false, nil
}

func (d *virtualDB) UpdateEvent(ctx *sql.Context, _ string, _ sql.EventDefinition) (bool, error) {
	return false, d.refuse(ctx)
}

// add defines a table. columns is a list of "name type", separated by commas: i integer, u unsigned, s text, t time, d time in seconds, f float; a
// trailing ? allows NULL.
func (d *virtualDB) add(name, columns string, rows func(ctx *sql.Context) ([]sql.Row, error)) {
	if rows == nil {
		rows = func(*sql.Context) ([]sql.Row, error) { return nil, nil }
	}
	d.tables[strings.ToLower(name)] = sqllayer.NewVirtualTable(name, columnsOf(d.name, name, columns), rows)
}

//go:embed schemas
var schemaFiles embed.FS

// newVirtualDB makes a schema of the tables that its file in directory schemas lists, one a line. They are empty until fill gives them rows.
func newVirtualDB(name string) *virtualDB {
	d := &virtualDB{name: name, tables: map[string]*sqllayer.VirtualTable{}, updatable: map[string]func(*sql.Context, sql.Row, sql.Row) error{}}
	for line := range strings.Lines(schemaFile(name)) {
		table, columns, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "mysql" {
			d.add(table, columns, nil)
			continue
		}
		d.tables[strings.ToLower(table)] = sqllayer.NewVirtualTable(table, typedColumns(name, table, columns), func(*sql.Context) ([]sql.Row, error) { return nil, nil })
	}
	return d
}

func schemaFile(name string) string {
	text, err := schemaFiles.ReadFile("schemas/" + name + ".txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// fill gives a table rows that have the columns named; the others are NULL, or empty if they must not be.
func (d *virtualDB) fill(table, columns string, rows func(ctx *sql.Context) ([]sql.Row, error)) {
	t := d.tables[table]
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
				if row[at], err = columnValue(ctx, schema[at], values[i]); err != nil {
					return nil, err
				}
			}
			found[n] = row
		}
		return found, err
	}
	d.tables[table] = sqllayer.NewVirtualTable(t.Name(), schema, whole)
}

var virtualTypes = map[string]sql.Type{
	"i": types.Int64, "u": types.Uint64, "f": types.Float64,
	"t": types.MustCreateDatetimeType(sqltypes.Datetime, 6),
	"d": types.MustCreateDatetimeType(sqltypes.Datetime, 0),
	"s": types.MustCreateString(sqltypes.VarChar, 1024, sql.Collation_Information_Schema_Default),
	"x": types.LongText,
}

func columnsOf(db, table, columns string) sql.Schema {
	var out sql.Schema
	for c := range strings.SplitSeq(columns, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), " ")
		kind, nullable := strings.CutSuffix(kind, "?")
		out = append(out, &sql.Column{Name: name, Type: virtualTypes[kind], Nullable: nullable, Source: table, DatabaseSource: db})
	}
	return out
}

// schemaProvider adds virtual schemas to the SQL layer's databases.
type schemaProvider struct {
	sql.CollatedDatabaseProvider
	added  map[string]*virtualDB
	system *systemDB
}

func (p *schemaProvider) Database(ctx *sql.Context, name string) (sql.Database, error) {
	if d := p.added[strings.ToLower(name)]; d != nil {
		return d, nil
	}
	if name == sqllayer.SystemSchema {
		return p.system, nil
	}
	return p.CollatedDatabaseProvider.Database(ctx, name)
}

func (p *schemaProvider) HasDatabase(ctx *sql.Context, name string) bool {
	return p.added[strings.ToLower(name)] != nil || p.CollatedDatabaseProvider.HasDatabase(ctx, name)
}

func (p *schemaProvider) AllDatabases(ctx *sql.Context) []sql.Database {
	all := p.CollatedDatabaseProvider.AllDatabases(ctx)
	for _, d := range p.added {
		if sqllayer.ListsDatabase(ctx, d.name) {
			all = append(all, d)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all
}

func (p *schemaProvider) CreateDatabase(ctx *sql.Context, name string) error {
	if p.added[strings.ToLower(name)] != nil {
		return sql.ErrDatabaseExists.New(name)
	}
	return p.CollatedDatabaseProvider.CreateDatabase(ctx, name)
}

func (p *schemaProvider) CreateCollatedDatabase(ctx *sql.Context, name string, c sql.CollationID) error {
	if p.added[strings.ToLower(name)] != nil {
		return sql.ErrDatabaseExists.New(name)
	}
	return p.CollatedDatabaseProvider.CreateCollatedDatabase(ctx, name, c)
}

func (p *schemaProvider) DropDatabase(ctx *sql.Context, name string) error {
	if p.added[strings.ToLower(name)] != nil {
		return p.added[strings.ToLower(name)].refuse(ctx)
	}
	return p.CollatedDatabaseProvider.DropDatabase(ctx, name)
}

// infoSchema is information_schema with tables replaced and added.
type infoSchema struct {
	sql.Database
	own *virtualDB
}

func (d *infoSchema) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if t := d.own.tables[strings.ToLower(name)]; t != nil {
		return t, true, nil
	}
	return d.Database.GetTableInsensitive(ctx, name)
}

func (d *infoSchema) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := d.Database.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, n := range names {
		have[strings.ToLower(n)] = true
	}
	for lower, t := range d.own.tables {
		if !have[lower] {
			names = append(names, t.Name())
		}
	}
	sort.Strings(names)
	return names, nil
}

// installSchemas puts the schemas in place.
func (s *Server) installSchemas() {
	c := s.sql.Analyzer.Catalog
	info := &infoSchema{Database: c.InfoSchema, own: &virtualDB{name: "information_schema", tables: map[string]*sqllayer.VirtualTable{}}}
	s.addInformationSchema(info)
	c.InfoSchema = info
	if p, ok := c.DbProvider.(sql.CollatedDatabaseProvider); ok {
		c.DbProvider = &schemaProvider{CollatedDatabaseProvider: p, system: s.systemDB(), added: map[string]*virtualDB{
			"performance_schema": s.performanceSchema(), "sys": s.sysSchema()}}
	}
}

// layer is the SQL layer over the engine; nil where tests have something else under the server.
func (s *Server) layer() *sqllayer.Layer {
	p, _ := s.sql.Analyzer.Catalog.DbProvider.(*schemaProvider)
	if p == nil {
		return nil
	}
	below, _ := p.CollatedDatabaseProvider.(*sqllayer.Provider)
	if below == nil {
		return nil
	}
	return below.Layer()
}
