package sqllayer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/lock"
	"emberdb/internal/base"
)

// Provider lists the databases.
type Provider struct{ Owner *Layer }

var _ sql.CollatedDatabaseProvider = (*Provider)(nil)

// internalPrefix begins the names of schemas that no client sees: they hold temporary tables.
const internalPrefix = "#"

// Database implements sql.DatabaseProvider.
func (p *Provider) Database(ctx *sql.Context, name string) (sql.Database, error) {
	info, ok, err := p.lookup(ctx, name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sql.ErrDatabaseNotFound.New(name)
	}
	return &Database{Layer: p.Owner, name: info.Name, Collation: info.Collation}, nil
}

// HasDatabase implements sql.DatabaseProvider.
func (p *Provider) HasDatabase(ctx *sql.Context, name string) bool {
	_, ok, err := p.lookup(ctx, name)
	return ok && err == nil
}

func (p *Provider) lookup(ctx *sql.Context, name string) (schemaInfo, bool, error) {
	all, err := p.schemas(ctx)
	if err != nil || strings.HasPrefix(name, internalPrefix) {
		return schemaInfo{}, false, err
	}
	info, ok := all[strings.ToLower(name)]
	return info, ok, nil
}

func (p *Provider) schemas(ctx *sql.Context) (map[string]schemaInfo, error) {
	s := SessionOf(ctx)
	if s == nil {
		return p.Owner.schemas(ctx, nil)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	all, err := p.Owner.schemas(ctx, s.reader())
	return all, s.Note(err)
}

// AllDatabases implements sql.DatabaseProvider: those that the session sees.
func (p *Provider) AllDatabases(ctx *sql.Context) []sql.Database {
	rights := PrivilegesOf(ctx)
	return slices.DeleteFunc(p.databases(ctx), func(d sql.Database) bool { return !rights.ListsDatabase(d.Name()) })
}

// databases lists all.
func (p *Provider) databases(ctx *sql.Context) []sql.Database {
	all, err := p.schemas(ctx)
	if err != nil {
		ctx.GetLogger().WithError(err).Error("the list of databases cannot be read")
	}
	dbs := make([]sql.Database, 0, len(all))
	for _, info := range all {
		if !strings.HasPrefix(info.Name, internalPrefix) {
			dbs = append(dbs, &Database{Layer: p.Owner, name: info.Name, Collation: info.Collation})
		}
	}
	sort.Slice(dbs, func(i, j int) bool { return dbs[i].Name() < dbs[j].Name() })
	return dbs
}

// CreateDatabase implements sql.MutableDatabaseProvider.
func (p *Provider) CreateDatabase(ctx *sql.Context, name string) error {
	return p.CreateCollatedDatabase(ctx, name, sql.Collation_Unspecified)
}

// CreateCollatedDatabase implements sql.CollatedDatabaseProvider.
func (p *Provider) CreateCollatedDatabase(ctx *sql.Context, name string, collation sql.CollationID) error {
	if name == "" || len([]rune(name)) > 64 || strings.HasPrefix(name, internalPrefix) || strings.ContainsRune(name, 0) || strings.HasSuffix(name, " ") {
		return sql.ErrWrongDBName.New(name)
	}
	if collation == sql.Collation_Unspecified {
		collation = p.defaultCollation(ctx)
	}
	if _, ok, err := p.lookup(ctx, name); err != nil || ok {
		if err == nil {
			err = sql.ErrDatabaseExists.New(name)
		}
		return err
	}
	data, err := json.Marshal(schemaInfo{Collation: collation})
	if err != nil {
		return err
	}
	return p.Owner.define(ctx, func(d *definer) error {
		err := d.eng.CreateSchema(ctx, d.tx, name, data)
		if errors.Is(err, base.ErrExists) {
			return sql.ErrDatabaseExists.New(name)
		}
		return err
	})
}

// defaultCollation is that of a database created without one: collation_server.
func (p *Provider) defaultCollation(ctx *sql.Context) sql.CollationID {
	if v, err := ctx.GetSessionVariable(ctx, "collation_server"); err == nil {
		if name, ok := v.(string); ok {
			if c, err := sql.ParseCollation("", name, false); err == nil && c != sql.Collation_Unspecified {
				return c
			}
		}
	}
	return p.Owner.Opts.DefaultCollation
}

// DropDatabase implements sql.MutableDatabaseProvider.
func (p *Provider) DropDatabase(ctx *sql.Context, name string) error {
	info, ok, err := p.lookup(ctx, name)
	if err != nil {
		return err
	}
	if !ok {
		return sql.ErrDatabaseNotFound.New(name)
	}
	return p.Owner.define(ctx, func(d *definer) error {
		if err := d.dropSchemaReferences(ctx, info.Name); err != nil {
			return err
		}
		if err := d.dropSchemaHistograms(ctx, info.Name); err != nil {
			return err
		}
		d.s.events.any = true
		return d.eng.DropSchema(ctx, d.tx, info.Name)
	})
}

// LockSchema takes the schema's exclusive metadata lock ahead of GMS's catalog mutex, which nobody
// may hold while waiting for a lock. tables: and those of its tables, for they go with it.
func (l *Layer) LockSchema(ctx *sql.Context, name string, tables bool) error {
	if info, ok, err := l.Provider.lookup(ctx, name); err == nil && ok {
		name = info.Name
	}
	return l.define(ctx, func(d *definer) error {
		if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, name, "", lock.MetaExclusive); err != nil || !tables {
			return err
		}
		d.tx.StartStatement() // tables that were made during the wait are there
		names, err := d.eng.TableNames(ctx, d.tx, name)
		if err != nil {
			return err
		}
		for _, t := range names {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, name, t, lock.MetaExclusive); err != nil {
				return err
			}
		}
		return nil
	})
}

// sweepTemporary drops the temporary tables a crash has left.
func (l *Layer) sweepTemporary(ctx context.Context) error {
	schemas, err := l.Eng.Schemas(ctx, nil)
	if err != nil {
		return err
	}
	for _, name := range schemas {
		if !strings.HasPrefix(name, internalPrefix) {
			continue
		}
		tx := l.Eng.BeginDDL()
		if err := l.Eng.DropSchema(ctx, tx, name); err != nil {
			return errors.Join(err, l.Eng.Rollback(tx))
		}
		if err := l.Eng.Commit(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
