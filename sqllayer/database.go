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
	"emberdb/engine/lock"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// Database is one schema. It is made anew whenever GMS asks for it and holds no state.
type Database struct {
	Layer     *Layer
	name      string
	Collation sql.CollationID
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
	t, ok, err := d.Table(ctx, name)
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
	clause, ok := tabledef.LockClauseOf(asOf)
	if !ok {
		return nil, false, sql.ErrAsOfNotSupported.New(d.name)
	}
	t, ok, err := d.Table(ctx, name)
	if err == nil && clause.Lock == table.Exclusive && SessionOf(ctx).readOnly && (!ok || !t.Temporary) {
		err = base.ErrReadOnly // of no rows, and of no table, too; FOR SHARE is fine
	}
	if !ok || err != nil {
		return nil, false, err
	}
	if clause.Lock == table.Exclusive && !t.Temporary && !t.looked {
		if err := t.S.willLock(ctx, tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}); err != nil {
			return nil, false, err
		}
	}
	if err := t.selectParts(clause.Parts); err != nil {
		return nil, false, err
	}
	if t.lock, t.wait = clause.Lock, clause.Wait; t.lock == table.None && t.Def.Keyless && !clause.Alone {
		t.nameRows()
	}
	return t, true, nil
}

// GetTableNamesAsOf implements sql.VersionedDatabase.
func (d *Database) GetTableNamesAsOf(ctx *sql.Context, _ any) ([]string, error) {
	return d.GetTableNames(ctx)
}

// Table finds a table: a temporary one first, then by its exact name, then by its name in any case.
func (d *Database) Table(ctx *sql.Context, name string) (*Table, bool, error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, false, fmt.Errorf("table %s.%s: no session", d.name, name)
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err // the statement ends: plans of many tables are made name by name
	}
	if other, ok := tabledef.DecodeRename(name); ok {
		if d, name = (&Database{Layer: d.Layer, name: other.Schema}), other.Name; !d.Layer.Provider.HasDatabase(ctx, d.name) {
			return nil, false, sql.ErrDatabaseNotFound.New(d.name)
		}
	}
	name, through, checks, err := s.throughChecks(ctx, name)
	if err != nil {
		return nil, false, err
	}
	writes := Targets(ctx, s.RunningTree(ctx), d.name, name)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	at, temporary := tabledef.TableName{Schema: d.name, Name: name}, false
	if !isListing(ctx) {
		if temp, ok := s.Temps.Lookup(d.name, name); ok {
			at, temporary = temp, true
		} else if err := s.checkLocked(at); err != nil {
			return nil, false, err
		}
	}
	t, err := d.open(ctx, s, at, writes && !temporary)
	if errors.Is(err, base.ErrNotFound) && !temporary {
		var ok bool
		at.Name, ok, err = d.Layer.Eng.Spelling(ctx, s.reader(), d.name, name)
		if !ok || err != nil || at.Name == name {
			return nil, false, s.Note(err)
		}
		t, err = d.open(ctx, s, at, writes)
	}
	if errors.Is(err, base.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, s.Note(err)
	}
	t.Temporary, t.Through, t.checks = temporary, through, checks
	return t, true, nil
}

// OwnDatabase is the engine's database behind one that GMS guards.
func OwnDatabase(db sql.Database) (*Database, bool) {
	if guarded, ok := db.(interface{ Unwrap() sql.Database }); ok {
		db = guarded.Unwrap()
	}
	d, ok := db.(*Database)
	return d, ok
}

// Targets tells whether a statement changes rows of a table that its tree names. Such a table is
// locked for writing when it is opened. A writer that first locked it as a reader, and an ALTER TABLE
// that came between, would wait for each other.
func Targets(ctx *sql.Context, tree ast.Statement, schema, name string) bool {
	switch tree.(type) {
	case *ast.Insert, *ast.Update, *ast.Delete:
	default:
		return false
	}
	tables, _ := effect.Targets(tree)
	return slices.ContainsFunc(tables, func(t ast.TableName) bool {
		in := t.Schema.Name
		if !t.Schema.Given() {
			in = ctx.GetCurrentDatabase()
		}
		return in == schema && t.Name.Name == name
	})
}

// open returns a table object of the transaction, locked for writing or reading. REQUIRES: s.mu.
func (d *Database) open(ctx *sql.Context, s *Session, at tabledef.TableName, writes bool) (*Table, error) {
	if isListing(ctx) || s.showsTable(ctx) {
		return d.look(ctx, s, at)
	}
	tx, err := s.Active(ctx)
	if err != nil {
		return nil, err
	}
	mode := s.metaMode(lock.MetaShared)
	if writes && s.planning == nil {
		mode = lock.MetaSharedWrite
		if err := d.Layer.Eng.LockMeta(s.Patient(ctx), tx, "", "", mode); err != nil {
			return nil, err
		}
	}
	handle, err := d.Layer.Eng.TableAs(s.Patient(ctx), tx, at.Schema, at.Name, mode)
	if err != nil {
		return nil, err
	}
	def, err := d.Layer.tableDef(handle.Def(), d.name)
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
	if err != nil || d.Layer.Opts.Plain {
		return names, err
	}
	return slices.DeleteFunc(slices.Clone(names), tabledef.IsFullTextTable), nil
}

// allNames are the names of the tables, those of full-text indexes among them.
func (d *Database) allNames(ctx *sql.Context) ([]string, error) {
	s := SessionOf(ctx)
	if s == nil {
		return d.Layer.Eng.TableNames(ctx, nil, d.name)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.root == nil && !d.Layer.Opts.Plain {
		return nil, nil
	}
	names, err := d.Layer.Eng.TableNames(ctx, s.reader(), d.name)
	return names, s.Note(err)
}

// GetAllTemporaryTables implements sql.TemporaryTableDatabase.
func (d *Database) GetAllTemporaryTables(ctx *sql.Context) ([]sql.Table, error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var tables []sql.Table
	for _, at := range s.Temps.in(d.name) {
		t, err := d.open(ctx, s, at, false)
		if err != nil {
			return nil, s.Note(err)
		}
		t.Temporary = true
		tables = append(tables, t)
	}
	return tables, nil
}

// GetCollation implements sql.CollatedDatabase.
func (d *Database) GetCollation(*sql.Context) sql.CollationID { return d.Collation }

// SetCollation implements sql.CollatedDatabase.
func (d *Database) SetCollation(ctx *sql.Context, collation sql.CollationID) error {
	data, err := json.Marshal(schemaInfo{Collation: collation})
	if err != nil {
		return err
	}
	err = d.Layer.define(ctx, func(def *definer) error {
		return def.eng.PutObject(ctx, def.tx, catalog.Object{Kind: catalog.KindSchema, Schema: d.name, Data: data})
	})
	if err == nil {
		d.Collation = collation
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
		return sqlerr.NewError(1117, "Too many columns")
	}
	var bytes int64
	for _, c := range schema {
		bytes += store.RowBytes(c.Type)
	}
	if bytes > types.MaxRowLength {
		return analyzererrors.ErrInvalidRowLength.New(types.MaxRowLength, bytes)
	}
	return nil
}
