package sqllayer

// Definition changes. Each runs in the session's DDL transaction: the first one of a statement
// commits the open transaction, GMS commits at the end, and a statement that fails takes all of its
// changes back. Changes of temporary tables commit nothing of the session's: each has a transaction
// of its own.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// definer is what a definition change works with.
type definer struct {
	l   *Layer
	s   *Session
	eng *engine.Engine
	tx  *txn.Trx
}

// define runs fn in the session's DDL transaction.
func (l *Layer) define(ctx *sql.Context, fn func(d *definer) error) error {
	s := sessionOf(ctx)
	if s == nil {
		return errors.New("a definition change needs a session")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, err := s.definitions(ctx)
	if err != nil {
		return s.note(err)
	}
	tx.StartStatement() // the steps of one statement see each other's changes
	return s.note(fn(&definer{l, s, l.eng, tx}))
}

// defineTemporary runs fn in a transaction of its own and commits it.
func (l *Layer) defineTemporary(ctx *sql.Context, fn func(d *definer) error) error {
	s := sessionOf(ctx)
	if s == nil {
		return errors.New("a temporary table needs a session")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.note(s.separately(ctx, fn))
}

// separately runs fn in a DDL transaction beside the session's transaction. REQUIRES: s.mu.
func (s *Session) separately(ctx context.Context, fn func(d *definer) error) error {
	eng := s.layer.eng
	tx := eng.BeginDDL()
	s.adopt(tx)
	tx.StartStatement()
	if err := fn(&definer{s.layer, s, eng, tx}); err != nil {
		return errors.Join(err, eng.Rollback(tx))
	}
	return eng.Commit(context.WithoutCancel(ctx), tx)
}

// define runs fn in the transaction that fits the table.
func (t *Table) define(ctx *sql.Context, fn func(d *definer) error) error {
	if t.temporary {
		return t.db.layer.defineTemporary(ctx, fn)
	}
	return t.db.layer.define(ctx, func(d *definer) error {
		if err := d.s.checkWritable(tableName{t.def.def.Schema, t.def.def.Name}); err != nil {
			return err
		}
		return fn(d)
	})
}

// current reads the definition as the DDL transaction sees it.
func (d *definer) current(ctx context.Context, schema, name string) (*catalog.Table, error) {
	h, err := d.eng.Table(d.s.Patient(ctx), d.tx, schema, name)
	if err != nil {
		return nil, err
	}
	return h.Def(), nil
}

// copyOf returns a definition that may be changed.
func copyOf(def *catalog.Table) *catalog.Table {
	c := *def
	c.Columns = slices.Clone(def.Columns)
	c.ForeignKeys = slices.Clone(def.ForeignKeys)
	c.Checks = slices.Clone(def.Checks)
	c.Options = maps.Clone(def.Options)
	c.Indexes = make([]*catalog.Index, len(def.Indexes))
	for i, idx := range def.Indexes {
		cp := *idx
		c.Indexes[i] = &cp
	}
	return &c
}

// alter changes what needs no change of rows, and makes t see it.
func (t *Table) alter(ctx *sql.Context, change func(d *definer, def *catalog.Table) error) error {
	return t.define(ctx, func(d *definer) error {
		old, err := d.current(ctx, t.def.def.Schema, t.def.def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		if err := change(d, def); err != nil {
			return err
		}
		if err := checkParts(old, def); err != nil {
			return err
		}
		if err := d.syncReferences(ctx, old, def); err != nil {
			return err
		}
		if err := d.eng.AlterTable(d.s.Patient(ctx), d.tx, old, def); err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// refresh makes t show the definition as it is now.
func (t *Table) refresh(ctx context.Context, d *definer) error {
	def, err := d.current(ctx, t.def.def.Schema, t.def.def.Name)
	if err != nil {
		return err
	}
	return t.adopt(def)
}

// catchUp makes t show what earlier steps of the same statement have changed.
func (t *Table) catchUp(ctx *sql.Context) error {
	if t.temporary {
		return t.define(ctx, func(d *definer) error { return t.refresh(ctx, d) })
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if !t.s.ddl {
		return nil
	}
	t.handle, t.trx = nil, nil
	_, _, err := t.open(ctx)
	return t.s.note(err)
}

func (t *Table) adopt(def *catalog.Table) error {
	picture, err := newTableDef(def, t.def.database)
	if err != nil {
		return err
	}
	t.def, t.handle, t.trx = picture, nil, nil
	t.fullSch = picture.schema()
	if t.proj == nil {
		t.sch = t.fullSch
	}
	return nil
}

// CreateTable implements sql.TableCreator.
func (d *Database) CreateTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, collation sql.CollationID, comment string) error {
	return d.CreateIndexedTable(ctx, name, schema, sql.IndexDef{}, collation, comment)
}

// CreateIndexedTable implements sql.IndexedTableCreator: primary describes the parts of the primary
// key.
func (d *Database) CreateIndexedTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, primary sql.IndexDef, collation sql.CollationID, comment string) error {
	if err := checkTableName(name); err != nil {
		return err
	}
	def, err := newDefinition(ctx, tableName{d.name, name}, schema, collation, primary.Columns)
	if err != nil {
		return err
	}
	def.Comment = comment
	return d.layer.define(ctx, func(def2 *definer) error {
		if _, ok, err := d.layer.eng.Spelling(ctx, def2.tx, d.name, name); err != nil || ok {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(name)
			}
			return err
		}
		err := def2.eng.CreateTable(def2.s.Patient(ctx), def2.tx, def)
		if errors.Is(err, base.ErrExists) {
			return sql.ErrTableAlreadyExists.New(name)
		}
		return err
	})
}

func checkTableName(name string) error {
	if name == "" || len([]rune(name)) > 64 || strings.HasSuffix(name, " ") || strings.ContainsRune(name, 0) {
		return NewError(1103, "Incorrect table name '%s'", name)
	}
	return nil
}

// DropTable implements sql.TableDropper.
func (d *Database) DropTable(ctx *sql.Context, name string) error {
	s := sessionOf(ctx)
	if at, ok := s.temporary(d.name, name); ok {
		return d.dropTemporary(ctx, s, at)
	}
	return d.layer.define(ctx, func(def *definer) error {
		spelled, ok, err := d.layer.eng.Spelling(ctx, def.tx, d.name, name)
		if err != nil {
			return err
		}
		if !ok {
			return sql.ErrTableNotFound.New(name)
		}
		if err := s.checkWritable(tableName{d.name, spelled}); err != nil {
			return err
		}
		old, err := def.current(ctx, d.name, spelled)
		if err != nil {
			return err
		}
		if err := def.syncReferences(ctx, old, nil); err != nil {
			return err
		}
		if err := def.dropStatistics(ctx, tableName{d.name, spelled}); err != nil {
			return err
		}
		if err := def.dropWords(ctx, old, nil); err != nil {
			return err
		}
		if err := def.dropTriggers(ctx, tableName{d.name, spelled}); err != nil {
			return err
		}
		if err := def.eng.DropTable(def.s.Patient(ctx), def.tx, d.name, spelled); err != nil {
			return err
		}
		s.unlockDropped(tableName{d.name, spelled})
		return nil
	})
}

// RenameTable implements sql.TableRenamer. A name of another database comes encoded, see parser.go.
func (d *Database) RenameTable(ctx *sql.Context, oldName, newName string) error {
	from := tableName{d.name, oldName}
	if other, ok := decodeRename(oldName); ok {
		from = other
	}
	s := sessionOf(ctx)
	if at, ok := s.temporary(d.name, oldName); ok {
		return d.layer.defineTemporary(ctx, func(def *definer) error { return def.renameTemporary(ctx, d.name, oldName, newName, at) })
	}
	to := tableName{d.name, newName}
	if other, ok := decodeRename(newName); ok {
		to = other
	}
	if err := checkTableName(to.name); err != nil {
		return err
	}
	if !d.layer.Provider.HasDatabase(ctx, to.schema) {
		return sql.ErrDatabaseNotFound.New(to.schema)
	}
	if to.schema == d.name {
		if _, ok, err := d.GetViewDefinition(ctx, to.name); err != nil || ok {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(to.name)
			}
			return err
		}
	}
	return d.layer.define(ctx, func(def *definer) error {
		spelled, ok, err := d.layer.eng.Spelling(ctx, def.tx, from.schema, from.name)
		if err != nil {
			return err
		}
		if !ok {
			return sql.ErrTableNotFound.New(from.name)
		}
		if _, ok, err := d.layer.eng.Spelling(ctx, def.tx, to.schema, to.name); err != nil || ok && !strings.EqualFold(to.name, spelled) {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(to.name)
			}
			return err
		}
		if err := s.checkWritable(tableName{from.schema, spelled}); err != nil {
			return err
		}
		if err := def.rename(ctx, tableName{from.schema, spelled}, to); err != nil || s.locked == nil || !s.locked.holds(from) {
			return err
		}
		s.locked.rename(from, to)
		return s.lockExplicitly(ctx, to, true)
	})
}

// rename moves a table, its foreign keys, statistics and triggers.
func (d *definer) rename(ctx *sql.Context, from, to tableName) error {
	old, err := d.current(ctx, from.schema, from.name)
	if err != nil {
		return err
	}
	if err := d.syncReferences(ctx, old, nil); err != nil {
		return err
	}
	err = d.eng.RenameTable(d.s.Patient(ctx), d.tx, from.schema, from.name, to.schema, to.name)
	if errors.Is(err, base.ErrExists) {
		return sql.ErrTableAlreadyExists.New(to.name)
	}
	if err != nil {
		return err
	}
	renamed, err := d.current(ctx, to.schema, to.name)
	if err != nil {
		return err
	}
	if from.schema != to.schema {
		err := d.eachWords(old, func(name string) error {
			return d.eng.RenameTable(d.s.Patient(ctx), d.tx, from.schema, name, to.schema, name)
		})
		if err != nil {
			return err
		}
	}
	if err := d.dropStatistics(ctx, from); err != nil {
		return err
	}
	if err := d.renameTriggers(ctx, from, to); err != nil {
		return err
	}
	return d.syncReferences(ctx, nil, renamed)
}

// Truncate implements sql.TruncateableTable. Only TRUNCATE TABLE gets here: the parser keeps GMS
// from taking DELETE for it.
func (t *Table) Truncate(ctx *sql.Context) (int, error) {
	err := t.define(ctx, func(d *definer) error {
		if err := d.checkTruncate(ctx, t); err != nil {
			return err
		}
		if err := d.eng.TruncateTable(d.s.Patient(ctx), d.tx, t.def.def.Schema, t.def.def.Name); err != nil {
			return err
		}
		err := d.eachWords(t.def.def, func(name string) error { return d.eng.TruncateTable(d.s.Patient(ctx), d.tx, t.def.def.Schema, name) })
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
	return 0, err
}

// checkTruncate refuses to empty a table that others reference.
func (d *definer) checkTruncate(ctx *sql.Context, t *Table) error {
	if t.temporary || !d.s.flag("foreign_key_checks") {
		return nil
	}
	references, err := d.l.references(ctx, d.tx, t.def.def)
	if err != nil {
		return err
	}
	for _, r := range references {
		if r.child != (tableName{t.def.def.Schema, t.def.def.Name}) {
			return NewError(erFKTruncate, "Cannot truncate a table referenced in a foreign key constraint (`%s`.`%s`, CONSTRAINT `%s`)", r.child.schema, r.child.name, r.name)
		}
	}
	return nil
}

// errIndex says that a table has no such index.
func errIndex(err error, name string) error {
	if errors.Is(err, base.ErrNotFound) {
		return sql.ErrIndexNotFound.New(name)
	}
	return fmt.Errorf("index %s: %w", name, err)
}
