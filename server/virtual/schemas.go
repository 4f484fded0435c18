package virtual

import (
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
)

// Provider adds virtual schemas to the SQL layer's databases.
type Provider struct {
	sql.CollatedDatabaseProvider
	Added  map[string]*Database
	System sql.Database // finds the tables of the mysql schema
}

func (p *Provider) Database(ctx *sql.Context, name string) (sql.Database, error) {
	if d := p.Added[strings.ToLower(name)]; d != nil {
		return d, nil
	}
	if name == sqllayer.SystemSchema {
		return p.System, nil
	}
	return p.CollatedDatabaseProvider.Database(ctx, name)
}

func (p *Provider) HasDatabase(ctx *sql.Context, name string) bool {
	return p.Added[strings.ToLower(name)] != nil || p.CollatedDatabaseProvider.HasDatabase(ctx, name)
}

func (p *Provider) AllDatabases(ctx *sql.Context) []sql.Database {
	all := p.CollatedDatabaseProvider.AllDatabases(ctx)
	for _, d := range p.Added {
		if sqllayer.ListsDatabase(ctx, d.name) {
			all = append(all, d)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all
}

func (p *Provider) CreateDatabase(ctx *sql.Context, name string) error {
	if p.Added[strings.ToLower(name)] != nil {
		return sql.ErrDatabaseExists.New(name)
	}
	return p.CollatedDatabaseProvider.CreateDatabase(ctx, name)
}

func (p *Provider) CreateCollatedDatabase(ctx *sql.Context, name string, c sql.CollationID) error {
	if p.Added[strings.ToLower(name)] != nil {
		return sql.ErrDatabaseExists.New(name)
	}
	return p.CollatedDatabaseProvider.CreateCollatedDatabase(ctx, name, c)
}

func (p *Provider) DropDatabase(ctx *sql.Context, name string) error {
	if p.Added[strings.ToLower(name)] != nil {
		return p.Added[strings.ToLower(name)].refuse(ctx)
	}
	return p.CollatedDatabaseProvider.DropDatabase(ctx, name)
}

// InfoSchema is information_schema with tables replaced and added.
type InfoSchema struct {
	sql.Database
	Own *Database
}

// NewInfoSchema returns an information_schema that is like another and has no tables of its own
// yet.
func NewInfoSchema(other sql.Database) *InfoSchema {
	return &InfoSchema{Database: other, Own: &Database{name: "information_schema", Tables: map[string]*infoschema.VirtualTable{}}}
}

func (d *InfoSchema) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if t := d.Own.Tables[strings.ToLower(name)]; t != nil {
		return t, true, nil
	}
	return d.Database.GetTableInsensitive(ctx, name)
}

func (d *InfoSchema) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := d.Database.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, n := range names {
		have[strings.ToLower(n)] = true
	}
	for lower, t := range d.Own.Tables {
		if !have[lower] {
			names = append(names, t.Name())
		}
	}
	sort.Strings(names)
	return names, nil
}

// Fill replaces an information_schema table's rows. Rows are given by column name.
func (d *InfoSchema) Fill(name string, rows func(ctx *sql.Context) []map[string]any) {
	t, ok, err := d.Database.GetTableInsensitive(sql.NewEmptyContext(), name)
	if err != nil || !ok {
		return
	}
	schema := t.Schema(sql.NewEmptyContext())
	d.Own.Tables[strings.ToLower(name)] = infoschema.NewVirtualTable(t.Name(), schema, func(ctx *sql.Context) ([]sql.Row, error) {
		var out []sql.Row
		for _, m := range rows(ctx) {
			row, err := infoschema.RowByName(ctx, schema, m)
			if err != nil {
				return nil, err
			}
			out = append(out, row)
		}
		return out, nil
	})
}
