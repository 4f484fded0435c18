package sqllayer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// Definition changes. Each runs in the session's DDL transaction: the first one of a statement
// commits the open transaction, GMS commits at the end, and a statement that fails takes all of its
// changes back. Changes of temporary tables commit nothing of the session's: each has a transaction
// of its own.

// definer is what a definition change works with.
type definer struct {
	l   *Layer
	s   *Session
	eng *engine.Engine
	tx  *txn.Trx
}

// define runs fn in the session's DDL transaction.
func (l *Layer) define(ctx *sql.Context, fn func(d *definer) error) error {
	s := SessionOf(ctx)
	if s == nil {
		return errors.New("a definition change needs a session")
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	tx, err := s.definitions(ctx)
	if err != nil {
		return s.Note(err)
	}
	tx.StartStatement() // the steps of one statement see each other's changes
	return s.Note(fn(&definer{l, s, l.Eng, tx}))
}

// defineTemporary runs fn in a transaction of its own and commits it.
func (l *Layer) defineTemporary(ctx *sql.Context, fn func(d *definer) error) error {
	s := SessionOf(ctx)
	if s == nil {
		return errors.New("a temporary table needs a session")
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Note(s.separately(ctx, fn))
}

// separately runs fn in a DDL transaction beside the session's transaction. REQUIRES: s.mu.
func (s *Session) separately(ctx context.Context, fn func(d *definer) error) error {
	eng := s.layer.Eng
	tx := eng.BeginDDL()
	s.adopt(tx)
	tx.StartStatement()
	if err := fn(&definer{s.layer, s, eng, tx}); err != nil {
		return rolledBack(err, eng.Rollback(tx))
	}
	return eng.Commit(context.WithoutCancel(ctx), tx)
}

// rolledBack is the error after which a transaction was rolled back, and that of the rollback. One
// that stands alone keeps its kind.
func rolledBack(err, rollback error) error {
	if rollback == nil {
		return err
	}
	return errors.Join(err, rollback)
}

// define runs fn in the transaction that fits the table.
func (t *Table) define(ctx *sql.Context, fn func(d *definer) error) error {
	if t.Temporary {
		return t.Db.Layer.defineTemporary(ctx, fn)
	}
	return t.Db.Layer.define(ctx, func(d *definer) error {
		if err := d.s.checkWritable(tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}); err != nil {
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
		old, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		if err := change(d, def); err != nil {
			return err
		}
		if err := tabledef.CheckParts(old, def); err != nil {
			return err
		}
		if err := d.s.checkShown(def, nil); err != nil {
			return err
		}
		if err := d.s.changesColumns(old, def, func(i int) int { return i }); err != nil {
			return err
		}
		if err := d.checkSystems(ctx, def); err != nil {
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
	def, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
	if err != nil {
		return err
	}
	return t.adopt(def)
}

// CatchUp makes t show what earlier steps of the same statement have changed.
func (t *Table) CatchUp(ctx *sql.Context) error {
	if t.Temporary {
		return t.define(ctx, func(d *definer) error { return t.refresh(ctx, d) })
	}
	t.S.Mu.Lock()
	defer t.S.Mu.Unlock()
	if !t.S.ddl {
		return nil
	}
	t.handle, t.trx = nil, nil
	_, _, err := t.open(ctx)
	return t.S.Note(err)
}

func (t *Table) adopt(def *catalog.Table) error {
	picture, err := tabledef.NewTableDef(def, t.Def.Database)
	if err != nil {
		return err
	}
	t.Def, t.handle, t.trx = picture, nil, nil
	t.fullSch = picture.Schema()
	if t.Proj == nil {
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
	def, err := tabledef.NewDefinition(ctx, tabledef.TableName{Schema: d.name, Name: name}, schema, collation, primary.Columns)
	if err != nil {
		return err
	}
	def.Comment = comment
	text, traits := tabledef.Unmark(primary.Comment, nil) // of CREATE TABLE ... LIKE
	def.Indexes[0].Comment, def.Indexes[0].Btree = text, traits.Btree
	describePrimary(def.Indexes[0], declaredPrimary(runningTree(ctx)))
	if err := declaredStorage(ctx, name)(def); err != nil {
		return err
	}
	return d.Layer.define(ctx, func(def2 *definer) error {
		if _, ok, err := d.Layer.Eng.Spelling(ctx, def2.tx, d.name, name); err != nil || ok {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(name)
			}
			return err
		}
		if err := def2.checkSystems(ctx, def); err != nil {
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
		return sqlerr.NewError(1103, "Incorrect table name '%s'", name)
	}
	return nil
}

// DropTable implements sql.TableDropper.
func (d *Database) DropTable(ctx *sql.Context, name string) error {
	s := SessionOf(ctx)
	if at, ok := s.temporary(d.name, name); ok {
		return d.dropTemporary(ctx, s, at)
	}
	return d.Layer.define(ctx, func(def *definer) error {
		spelled, ok, err := d.Layer.Eng.Spelling(ctx, def.tx, d.name, name)
		if err != nil {
			return err
		}
		if !ok {
			return sql.ErrTableNotFound.New(name)
		}
		if err := s.checkWritable(tabledef.TableName{Schema: d.name, Name: spelled}); err != nil {
			return err
		}
		old, err := def.current(ctx, d.name, spelled)
		if err != nil {
			return err
		}
		if err := def.syncReferences(ctx, old, nil); err != nil {
			return err
		}
		if err := def.dropStatistics(ctx, tabledef.TableName{Schema: d.name, Name: spelled}); err != nil {
			return err
		}
		if err := def.moveHistograms(ctx, tabledef.TableName{Schema: d.name, Name: spelled}, nil); err != nil {
			return err
		}
		if err := def.dropWords(ctx, old, nil); err != nil {
			return err
		}
		if err := def.dropTriggers(ctx, tabledef.TableName{Schema: d.name, Name: spelled}); err != nil {
			return err
		}
		if err := def.eng.DropTable(def.s.Patient(ctx), def.tx, d.name, spelled); err != nil {
			return err
		}
		s.unlockDropped(tabledef.TableName{Schema: d.name, Name: spelled})
		return nil
	})
}

// LockRenamed takes the exclusive metadata locks of all names in a RENAME TABLE before any of them is
// looked at. So it waits as a change of a definition, which comes before those who want the rows.
func (l *Layer) LockRenamed(ctx *sql.Context, n *plan.RenameTable) error {
	var names []tabledef.TableName
	named := func(name string) tabledef.TableName {
		if at, ok := tabledef.DecodeRename(name); ok {
			return at
		}
		return tabledef.TableName{Schema: n.Db.Name(), Name: name}
	}
	for i := range n.OldNames {
		from := named(n.OldNames[i])
		if _, temporary := SessionOf(ctx).temporary(from.Schema, from.Name); !temporary || renamesTables(ctx) {
			names = append(names, from, named(n.NewNames[i]))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, func(a, b tabledef.TableName) int {
		return strings.Compare(lock.MetaName(a.Schema, a.Name), lock.MetaName(b.Schema, b.Name))
	})
	return l.define(ctx, func(d *definer) error {
		for _, at := range names {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, at.Schema, at.Name, lock.MetaExclusive); err != nil {
				return err
			}
		}
		return nil
	})
}

// renamesTables tells whether RENAME TABLE runs, which sees no temporary tables.
func renamesTables(ctx *sql.Context) bool {
	_, ok := runningTree(ctx).(*sqlast.RenameTable)
	return ok
}

// RenameTable implements sql.TableRenamer. A name of another database comes encoded, see parser.go.
func (d *Database) RenameTable(ctx *sql.Context, oldName, newName string) error {
	from := tabledef.TableName{Schema: d.name, Name: oldName}
	if other, ok := tabledef.DecodeRename(oldName); ok {
		from = other
	}
	s := SessionOf(ctx)
	if at, ok := s.temporary(d.name, oldName); ok && !renamesTables(ctx) {
		return d.Layer.defineTemporary(ctx, func(def *definer) error { return def.renameTemporary(ctx, d.name, oldName, newName, at) })
	}
	to := tabledef.TableName{Schema: d.name, Name: newName}
	if other, ok := tabledef.DecodeRename(newName); ok {
		to = other
	}
	if err := checkTableName(to.Name); err != nil {
		return err
	}
	if !d.Layer.Provider.HasDatabase(ctx, to.Schema) {
		return sql.ErrDatabaseNotFound.New(to.Schema)
	}
	if to.Schema == d.name {
		if _, ok, err := d.GetViewDefinition(ctx, to.Name); err != nil || ok {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(to.Name)
			}
			return err
		}
	}
	return d.Layer.define(ctx, func(def *definer) error {
		spelled, ok, err := d.Layer.Eng.Spelling(ctx, def.tx, from.Schema, from.Name)
		if err != nil {
			return err
		}
		if !ok {
			return sql.ErrTableNotFound.New(from.Name)
		}
		if _, ok, err := d.Layer.Eng.Spelling(ctx, def.tx, to.Schema, to.Name); err != nil || ok && !strings.EqualFold(to.Name, spelled) {
			if err == nil {
				err = sql.ErrTableAlreadyExists.New(to.Name)
			}
			return err
		}
		if err := s.checkWritable(tabledef.TableName{Schema: from.Schema, Name: spelled}); err != nil {
			return err
		}
		if err := def.rename(ctx, tabledef.TableName{Schema: from.Schema, Name: spelled}, to); err != nil || s.locked == nil || !s.locked.Holds(from) {
			return err
		}
		s.locked.Rename(from, to)
		return s.lockExplicitly(ctx, to, true)
	})
}

// rename moves a table, its foreign keys, statistics and triggers.
func (d *definer) rename(ctx *sql.Context, from, to tabledef.TableName) error {
	old, err := d.current(ctx, from.Schema, from.Name)
	if err != nil {
		return err
	}
	if err := d.syncReferences(ctx, old, nil); err != nil {
		return err
	}
	err = d.eng.RenameTable(d.s.Patient(ctx), d.tx, from.Schema, from.Name, to.Schema, to.Name)
	if errors.Is(err, base.ErrExists) {
		return sql.ErrTableAlreadyExists.New(to.Name)
	}
	if err != nil {
		return err
	}
	renamed, err := d.current(ctx, to.Schema, to.Name)
	if err != nil {
		return err
	}
	if from.Schema != to.Schema {
		err := d.eachWords(old, func(name string) error {
			return d.eng.RenameTable(d.s.Patient(ctx), d.tx, from.Schema, name, to.Schema, name)
		})
		if err != nil {
			return err
		}
	}
	if err := d.dropStatistics(ctx, from); err != nil {
		return err
	}
	if err := d.moveHistograms(ctx, from, &to); err != nil {
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
		if err := d.eng.TruncateTable(d.s.Patient(ctx), d.tx, t.Def.Def.Schema, t.Def.Def.Name); err != nil {
			return err
		}
		err := d.eachWords(t.Def.Def, func(name string) error { return d.eng.TruncateTable(d.s.Patient(ctx), d.tx, t.Def.Def.Schema, name) })
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
	return 0, err
}

// checkTruncate refuses to empty a table that others reference.
func (d *definer) checkTruncate(ctx *sql.Context, t *Table) error {
	if t.Temporary || !d.s.flag("foreign_key_checks") {
		return nil
	}
	references, err := d.l.references(ctx, d.tx, t.Def.Def)
	if err != nil {
		return err
	}
	for _, r := range references {
		if r.Child != (tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}) {
			return sqlerr.NewError(sqlerr.ErFKTruncate, "Cannot truncate a table referenced in a foreign key constraint (`%s`.`%s`, CONSTRAINT `%s`)", r.Child.Schema, r.Child.Name, r.Name)
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

// RENAME across databases: GMS drops the database of a name.

// qualifyRename puts the databases of RENAME into the names.
func (r *rewriterAST) qualifyRename(n *ast.DDL) {
	if n.Action != ast.RenameStr {
		return
	}
	for _, tables := range []ast.TableNames{n.FromTables, n.ToTables} {
		for i, t := range tables {
			done := strings.HasPrefix(t.Name.String(), tabledef.RenamePrefix) // ALTER TABLE's parts are met twice
			if db := t.DbQualifier.String(); db != "" && !r.current(db) && !done {
				tables[i].Name = ast.NewTableIdent(tabledef.RenamePrefix + db + tabledef.RenamePrefix + t.Name.String())
			}
		}
	}
}

func (r *rewriterAST) current(db string) bool {
	c, ok := r.ctx.(*sql.Context)
	return ok && c.Session != nil && strings.EqualFold(c.GetCurrentDatabase(), db)
}
