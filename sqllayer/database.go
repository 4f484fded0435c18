package sqllayer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

// Database is one schema. It is made anew whenever GMS asks for it and holds no state.
type Database struct {
	layer     *Layer
	name      string
	collation sql.CollationID
}

var (
	_ sql.TableCreator            = (*Database)(nil)
	_ sql.IndexedTableCreator     = (*Database)(nil)
	_ sql.TemporaryTableCreator   = (*Database)(nil)
	_ sql.TemporaryTableDatabase  = (*Database)(nil)
	_ sql.TableDropper            = (*Database)(nil)
	_ sql.TableRenamer            = (*Database)(nil)
	_ sql.VersionedDatabase       = (*Database)(nil)
	_ sql.CollatedDatabase        = (*Database)(nil)
	_ sql.TriggerDatabase         = (*Database)(nil)
	_ sql.StoredProcedureDatabase = (*Database)(nil)
	_ sql.EventDatabase           = (*Database)(nil)
	_ sql.ViewDatabase            = (*Database)(nil)
	_ sql.SchemaValidator         = (*Database)(nil)
	_ sql.IndexNameGenerator      = (*Database)(nil)
)

// Name implements sql.Database.
func (d *Database) Name() string { return d.name }

// GetTableInsensitive implements sql.Database.
func (d *Database) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	t, ok, err := d.table(ctx, name)
	if !ok || err != nil {
		return nil, false, err
	}
	if err := t.handled(ctx); err != nil {
		return nil, false, err
	}
	return t, true, nil
}

// GetTableInsensitiveAsOf implements sql.VersionedDatabase: asOf is a lock clause, see parser.go.
func (d *Database) GetTableInsensitiveAsOf(ctx *sql.Context, name string, asOf any) (sql.Table, bool, error) {
	clause, ok := lockClauseOf(asOf)
	if !ok {
		return nil, false, sql.ErrAsOfNotSupported.New(d.name)
	}
	t, ok, err := d.table(ctx, name)
	if err == nil && clause.lock == table.Exclusive && sessionOf(ctx).readOnly && (!ok || !t.temporary) {
		err = base.ErrReadOnly // of no rows, and of no table, too; FOR SHARE is fine
	}
	if !ok || err != nil {
		return nil, false, err
	}
	if clause.lock == table.Exclusive && !t.temporary && !t.looked {
		if err := t.s.willLock(ctx, tableName{t.def.def.Schema, t.def.def.Name}); err != nil {
			return nil, false, err
		}
	}
	if err := t.selectParts(clause.parts); err != nil {
		return nil, false, err
	}
	if t.lock, t.wait = clause.lock, clause.wait; t.lock == table.None && t.def.keyless && !clause.alone {
		t.nameRows()
	}
	return t, true, nil
}

// GetTableNamesAsOf implements sql.VersionedDatabase.
func (d *Database) GetTableNamesAsOf(ctx *sql.Context, _ any) ([]string, error) {
	return d.GetTableNames(ctx)
}

// table finds a table: a temporary one first, then by its exact name, then by its name in any case.
func (d *Database) table(ctx *sql.Context, name string) (*Table, bool, error) {
	s := sessionOf(ctx)
	if s == nil {
		return nil, false, fmt.Errorf("table %s.%s: no session", d.name, name)
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err // the statement ends: plans of many tables are made name by name
	}
	if other, ok := decodeRename(name); ok {
		if d, name = (&Database{layer: d.layer, name: other.schema}), other.name; !d.layer.Provider.HasDatabase(ctx, d.name) {
			return nil, false, sql.ErrDatabaseNotFound.New(d.name)
		}
	}
	name, through, checks, err := s.throughChecks(ctx, name)
	if err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, temporary := tableName{d.name, name}, false
	if !isListing(ctx) {
		if temp, ok := s.temps.lookup(d.name, name); ok {
			at, temporary = temp, true
		} else if err := s.checkLocked(at); err != nil {
			return nil, false, err
		}
	}
	t, err := d.open(ctx, s, at)
	if errors.Is(err, base.ErrNotFound) && !temporary {
		var ok bool
		at.name, ok, err = d.layer.eng.Spelling(ctx, s.reader(), d.name, name)
		if !ok || err != nil || at.name == name {
			return nil, false, s.note(err)
		}
		t, err = d.open(ctx, s, at)
	}
	if errors.Is(err, base.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, s.note(err)
	}
	t.temporary, t.through, t.checks = temporary, through, checks
	return t, true, nil
}

// ownDatabase is the engine's database behind one that GMS guards.
func ownDatabase(db sql.Database) (*Database, bool) {
	if guarded, ok := db.(interface{ Unwrap() sql.Database }); ok {
		db = guarded.Unwrap()
	}
	d, ok := db.(*Database)
	return d, ok
}

// open returns a table object of the transaction. REQUIRES: s.mu.
func (d *Database) open(ctx *sql.Context, s *Session, at tableName) (*Table, error) {
	if isListing(ctx) || s.showsTable(ctx) {
		return d.look(ctx, s, at)
	}
	tx, err := s.active(ctx)
	if err != nil {
		return nil, err
	}
	handle, err := d.layer.eng.Table(s.Patient(ctx), tx, at.schema, at.name)
	if err != nil {
		return nil, err
	}
	def, err := d.layer.tableDef(handle.Def(), d.name)
	if err != nil {
		return nil, err
	}
	return newTable(d, s, def, handle, tx), nil
}

// GetTableNames implements sql.Database. Statements that list tables do so when they run;
// before that GMS asks in order to guess what a name that is not found was to be, or to look for
// foreign keys before TRUNCATE. Neither is worth a list of all tables: see errors.go, Truncate.
func (d *Database) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := d.allNames(ctx)
	if err != nil || d.layer.opts.Plain {
		return names, err
	}
	return slices.DeleteFunc(slices.Clone(names), isFullTextTable), nil
}

// allNames are the names of the tables, those of full-text indexes among them.
func (d *Database) allNames(ctx *sql.Context) ([]string, error) {
	s := sessionOf(ctx)
	if s == nil {
		return d.layer.eng.TableNames(ctx, nil, d.name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.root == nil && !d.layer.opts.Plain {
		return nil, nil
	}
	names, err := d.layer.eng.TableNames(ctx, s.reader(), d.name)
	return names, s.note(err)
}

// GetAllTemporaryTables implements sql.TemporaryTableDatabase.
func (d *Database) GetAllTemporaryTables(ctx *sql.Context) ([]sql.Table, error) {
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var tables []sql.Table
	for _, at := range s.temps.in(d.name) {
		t, err := d.open(ctx, s, at)
		if err != nil {
			return nil, s.note(err)
		}
		t.temporary = true
		tables = append(tables, t)
	}
	return tables, nil
}

// GetCollation implements sql.CollatedDatabase.
func (d *Database) GetCollation(*sql.Context) sql.CollationID { return d.collation }

// SetCollation implements sql.CollatedDatabase.
func (d *Database) SetCollation(ctx *sql.Context, collation sql.CollationID) error {
	data, err := json.Marshal(schemaInfo{Collation: collation})
	if err != nil {
		return err
	}
	err = d.layer.define(ctx, func(def *definer) error {
		return def.eng.PutObject(ctx, def.tx, catalog.Object{Kind: catalog.KindSchema, Schema: d.name, Data: data})
	})
	if err == nil {
		d.collation = collation
	}
	return err
}

// GenerateIndexName implements sql.IndexNameGenerator.
func (d *Database) GenerateIndexName(ctx *sql.Context, _ string, idx sql.IndexDef, t sql.Table) (string, error) {
	return sql.GenerateMySqlIndexName(ctx, idx, t)
}

// ValidateSchema implements sql.SchemaValidator: MySQL's limits of a row.
func (d *Database) ValidateSchema(schema sql.Schema) error {
	if len(schema) > 1017 {
		return NewError(1117, "Too many columns")
	}
	var bytes int64
	for _, c := range schema {
		bytes += rowBytes(c.Type)
	}
	if bytes > types.MaxRowLength {
		return analyzererrors.ErrInvalidRowLength.New(types.MaxRowLength, bytes)
	}
	return nil
}

// rowBytes is what a column counts against the 65,535 bytes of a row.
func rowBytes(t sql.Type) int64 {
	if s, ok := t.(sql.StringType); ok && !types.IsTextBlob(t) {
		n := s.MaxByteLength()
		if n > 255 {
			return n + 2
		}
		return n + 1
	}
	c, err := storageColumn(t, true)
	if err != nil || c.Overflows() {
		return 12 // TEXT, BLOB and their like
	}
	return 8
}
