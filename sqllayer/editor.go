package sqllayer

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// Editor writes rows of one table for one statement. GMS marks statements (or, with IGNORE, rows)
// with StatementBegin and DiscardChanges; whatever it forgets, the session repairs (see
// session.go).
type Editor struct {
	T       *Table
	lockDup bool // the row in the way of an insert is going to be changed

	orphans  []orphanKey
	err      error // the editor could not be made
	trx      *txn.Trx
	bound    Bound
	old, New []row.Value
}

var (
	_ sql.TableEditor         = (*Editor)(nil)
	_ sql.ForeignKeyEditor    = (*Editor)(nil)
	_ sql.AutoIncrementSetter = (*Editor)(nil)
)

// Inserter implements sql.InsertableTable.
func (t *Table) Inserter(ctx *sql.Context) sql.RowInserter { return t.Edit(ctx, IntentInsert) }

// Replacer implements sql.ReplaceableTable.
func (t *Table) Replacer(ctx *sql.Context) sql.RowReplacer { return t.Edit(ctx, intentReplace) }

// Updater implements sql.UpdatableTable: of UPDATE, or of INSERT ... ON DUPLICATE KEY UPDATE, which
// has asked for an inserter before.
func (t *Table) Updater(ctx *sql.Context) sql.RowUpdater { return t.Edit(ctx, intentUpdate) }

// Deleter implements sql.DeletableTable.
func (t *Table) Deleter(ctx *sql.Context) sql.RowDeleter { return t.Edit(ctx, intentUpdate) }

// GetForeignKeyEditor implements sql.ForeignKeyTable. GMS asks for it when it plans, for the table
// itself and for all that cascades reach.
func (t *Table) GetForeignKeyEditor(ctx *sql.Context) sql.ForeignKeyEditor {
	if t.Def.Cascades() {
		t.S.mayCascade()
	}
	return t.Edit(ctx, intentReplace).(sql.ForeignKeyEditor)
}

// intent is what a statement wants to do with a table.
type intent uint8

const (
	IntentInsert intent = iota
	intentReplace
	intentUpdate
)

func (t *Table) Edit(ctx *sql.Context, why intent) sql.TableEditor {
	t.S.Mu.Lock()
	t.S.intend(t, why)
	e := &Editor{T: t, lockDup: why == intentReplace || t.S.Stmt.writes[t.Def.Def.ID] == intentReplace}
	t.S.Mu.Unlock()
	e.orphans, e.err = t.orphans(ctx)
	if why != intentUpdate && e.err == nil && t.Def.Def.Partitioning != nil {
		into, err := t.S.InsertsInto(ctx, t)
		if into != nil {
			own := *t
			own.parts, e.T = into, &own
		}
		e.err = err
	}
	return e
}

// intend notes that the statement writes t. REQUIRES: s.mu.
func (s *Session) intend(t *Table, why intent) {
	id := t.Def.Def.ID
	if s.Stmt.writes == nil {
		s.Stmt.writes = make(map[base.TableID]intent)
	}
	before, known := s.Stmt.writes[id]
	switch {
	case known && before == IntentInsert && why == intentUpdate:
		why = intentReplace // ON DUPLICATE KEY UPDATE
	case known && before == intentUpdate:
		return
	}
	s.Stmt.writes[id] = why
}

// Begin returns the engine's table for writing. REQUIRES: the session's mu.
func (e *Editor) Begin(ctx *sql.Context) (*table.Table, *txn.Trx, error) {
	if e.err != nil {
		return nil, nil, e.err
	}
	h, trx, err := e.T.open(ctx)
	if err != nil || e.trx == trx {
		return h, trx, err
	}
	if e.T.Temporary {
		trx.SetClient(false) // temporary tables are changed while the server is read-only
	} else {
		if err := e.T.Db.Layer.CheckWrite(ctx); err != nil {
			return nil, nil, err
		}
		eng, def := e.T.Db.Layer.Eng, e.T.Def.Def
		if err := eng.LockMeta(e.T.S.Patient(ctx), trx, "", "", lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
		if err := eng.LockMeta(e.T.S.Patient(ctx), trx, def.Schema, def.Name, lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
		if err := e.T.S.checkWritable(tabledef.TableName{Schema: def.Schema, Name: def.Name}); err != nil {
			return nil, nil, err
		}
	}
	e.trx = trx
	e.bound.Move(trx)
	return h, trx, nil
}

// StatementBegin implements sql.EditOpenerCloser.
func (e *Editor) StatementBegin(*sql.Context) {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if e.trx != nil && e.trx == s.Trx {
		e.bound.Move(e.trx)
	}
}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *Editor) DiscardChanges(_ *sql.Context, cause error) error {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if _, ignorable := cause.(sql.IgnorableError); !ignorable {
		s.Stmt.Failed = true
	}
	return e.undo()
}

func (e *Editor) undo() error {
	if e.trx == nil || e.trx != e.T.S.Trx {
		return nil
	}
	return e.T.S.Undo(e.bound.Mark)
}

// StatementComplete implements sql.EditOpenerCloser. GMS calls it for killed statements, too.
func (e *Editor) StatementComplete(ctx *sql.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stmt.Failed = true
	return errors.Join(sqlerr.Translate(err, ""), e.undo())
}

// Close implements sql.Closer.
func (e *Editor) Close(*sql.Context) error { return nil }

// Insert implements sql.RowInserter.
func (e *Editor) Insert(ctx *sql.Context, r sql.Row) error {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := e.Begin(ctx)
	if err != nil {
		return s.Note(err)
	}
	if e.New, err = e.T.Def.EncodeRow(ctx, r, e.New); err != nil {
		return err
	}
	if err := e.inParts(h, e.New); err != nil {
		return s.Note(err)
	}
	if err := e.needsParent(e.New); err != nil {
		return err
	}
	orLock := e.lockDup || s.Stmt.writes[e.T.Def.Def.ID] == intentReplace
	switch {
	case len(e.T.Def.Words) > 0:
		var doc []byte
		if doc, err = h.InsertKeyed(ctx, trx, e.New, orLock, nil); err == nil {
			err = e.indexed(ctx, trx, doc, e.New)
		}
	case orLock:
		err = h.InsertOrLock(ctx, trx, e.New)
	default:
		err = h.Insert(ctx, trx, e.New)
	}
	e.TallyInsert(err)
	return e.outcome(ctx, err)
}

// Update implements sql.RowUpdater.
func (e *Editor) Update(ctx *sql.Context, old, new sql.Row) error {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := e.Begin(ctx)
	if err != nil {
		return s.Note(err)
	}
	if err := e.encodeOld(ctx, old); err != nil {
		return err
	}
	if e.New, err = e.T.Def.EncodeRow(ctx, new[:min(len(new), len(e.T.Def.Codecs))], e.New); err != nil {
		return err
	}
	if err := e.inParts(h, e.New); err != nil {
		return s.Note(err)
	}
	if err := e.needsParent(e.New); err != nil {
		return err
	}
	if err := h.Update(ctx, trx, e.old, e.New); err != nil {
		return e.outcome(ctx, err)
	}
	e.tallyUpdate()
	if len(e.T.Def.Words) > 0 {
		return s.Note(e.reindexed(ctx, trx, e.old, e.New))
	}
	return nil
}

// Delete implements sql.RowDeleter.
func (e *Editor) Delete(ctx *sql.Context, r sql.Row) error {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := e.Begin(ctx)
	if err != nil {
		return s.Note(err)
	}
	if e.T.Def.Missing(r) {
		return nil
	}
	if err := e.encodeOld(ctx, r); err != nil {
		return err
	}
	e.tallyDelete()
	err = h.Delete(ctx, trx, e.old)
	if d, _ := s.Stmt.root.(*plan.DeleteFrom); d != nil && d.HasExplicitTargets() && errors.Is(err, base.ErrNotFound) {
		return nil // the row stood in several rows of the join
	}
	if len(e.T.Def.Words) > 0 && err == nil {
		err = e.unindexed(ctx, trx, e.T.Def.DocOf(nil, e.old), e.old)
	}
	if _, target := s.Stmt.targets[e.T.Def.Def.ID]; target && err == nil {
		s.Stmt.removed++
	}
	return e.outcome(ctx, err)
}

// encodeOld converts a row that exists.
func (e *Editor) encodeOld(ctx *sql.Context, r sql.Row) (err error) {
	width := len(e.T.Def.Codecs)
	if e.old, err = e.T.Def.EncodeRow(ctx, r[:min(len(r), width)], e.old); err != nil || !e.T.Def.Keyless {
		return err
	}
	if e.T.Ids {
		e.old = append(e.old, row.UintValue(r[width].(uint64)))
		return nil
	}
	ok := false
	if e.old, ok = e.T.S.recall(e.T.Def, e.old); !ok {
		return sql.ErrDeleteRowNotFound.New()
	}
	return nil
}

// outcome turns the engine's error into GMS's.
func (e *Editor) outcome(ctx *sql.Context, err error) error {
	var none *table.NoPartError
	if errors.As(err, &none) {
		return sql.ErrPartitionNotFound.New(none.Value)
	}
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return e.T.S.Note(err)
	}
	if e.T.Def.Keyless {
		e.T.S.remember(e.T.Def, dup.Row)
	}
	refused := e.T.Def.Violated(ctx, err, e.New)
	if n := e.T.S.Numbers(e.T); n != nil && n.InTheWay(e.T.Def.Def, dup) {
		if in := insertOf(e.T.S.Stmt.root); in != nil && in.IsReplace {
			return e.T.S.Note(sqlerr.Translate(refused, ""))
		}
	}
	return refused
}

// IndexedAccess implements sql.ForeignKeyEditor: every read through it is work on a foreign key.
func (e *Editor) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	c := *e.T
	c.fk = fkChange
	return &c
}

// GetIndexes implements sql.IndexAddressable.
func (e *Editor) GetIndexes(ctx *sql.Context) ([]sql.Index, error) { return e.T.GetIndexes(ctx) }

// PreciseMatch implements sql.IndexAddressable.
func (e *Editor) PreciseMatch() bool { return true }

// fkRead tells why a table is read for a foreign key.
type fkRead uint8

const (
	fkNone   fkRead = iota
	fkCheck         // does the parent exist
	fkChange        // rows that a cascade may change, or that forbid the change of their parent
)

// SetReferenceCheck implements sql.ReferenceChecker.
func (t *Table) SetReferenceCheck() error {
	t.fk = fkCheck
	return nil
}
