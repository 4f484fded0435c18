package sqllayer

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// editor writes rows of one table for one statement. GMS marks statements (or, with IGNORE, rows)
// with StatementBegin and DiscardChanges; whatever it forgets, the session repairs (see
// session.go).
type editor struct {
	t       *Table
	lockDup bool // the row in the way of an insert is going to be changed

	err      error // the editor could not be made
	trx      *txn.Trx
	bound    bound
	old, new []row.Value
}

var (
	_ sql.TableEditor         = (*editor)(nil)
	_ sql.ForeignKeyEditor    = (*editor)(nil)
	_ sql.AutoIncrementSetter = (*editor)(nil)
)

// Inserter implements sql.InsertableTable.
func (t *Table) Inserter(ctx *sql.Context) sql.RowInserter { return t.edit(ctx, intentInsert) }

// Replacer implements sql.ReplaceableTable.
func (t *Table) Replacer(ctx *sql.Context) sql.RowReplacer { return t.edit(ctx, intentReplace) }

// Updater implements sql.UpdatableTable: of UPDATE, or of INSERT ... ON DUPLICATE KEY UPDATE, which
// has asked for an inserter before.
func (t *Table) Updater(ctx *sql.Context) sql.RowUpdater { return t.edit(ctx, intentUpdate) }

// Deleter implements sql.DeletableTable.
func (t *Table) Deleter(ctx *sql.Context) sql.RowDeleter { return t.edit(ctx, intentUpdate) }

// GetForeignKeyEditor implements sql.ForeignKeyTable. GMS asks for it when it plans, for the table
// itself and for all that cascades reach.
func (t *Table) GetForeignKeyEditor(ctx *sql.Context) sql.ForeignKeyEditor {
	if t.def.cascades() {
		t.s.mayCascade()
	}
	return t.edit(ctx, intentReplace).(sql.ForeignKeyEditor)
}

// intent is what a statement wants to do with a table.
type intent uint8

const (
	intentInsert intent = iota
	intentReplace
	intentUpdate
)

func (t *Table) edit(ctx *sql.Context, why intent) sql.TableEditor {
	t.s.mu.Lock()
	t.s.intend(t, why)
	e := &editor{t: t, lockDup: why == intentReplace || t.s.stmt.writes[t.def.def.ID] == intentReplace}
	t.s.mu.Unlock()
	if why != intentUpdate && t.def.def.Partitioning != nil {
		into, err := t.s.insertsInto(ctx, t)
		if into != nil {
			own := *t
			own.parts, e.t = into, &own
		}
		e.err = err
	}
	return e
}

// intend notes that the statement writes t. REQUIRES: s.mu.
func (s *Session) intend(t *Table, why intent) {
	id := t.def.def.ID
	if s.stmt.writes == nil {
		s.stmt.writes = make(map[base.TableID]intent)
	}
	before, known := s.stmt.writes[id]
	switch {
	case known && before == intentInsert && why == intentUpdate:
		why = intentReplace // ON DUPLICATE KEY UPDATE
	case known && before == intentUpdate:
		return
	}
	s.stmt.writes[id] = why
}

// begin returns the engine's table for writing. REQUIRES: the session's mu.
func (e *editor) begin(ctx *sql.Context) (*table.Table, *txn.Trx, error) {
	if e.err != nil {
		return nil, nil, e.err
	}
	h, trx, err := e.t.open(ctx)
	if err != nil || e.trx == trx {
		return h, trx, err
	}
	if e.t.temporary {
		trx.SetClient(false) // temporary tables are changed while the server is read-only
	} else {
		if err := e.t.db.layer.mayWrite(ctx); err != nil {
			return nil, nil, err
		}
		eng, def := e.t.db.layer.eng, e.t.def.def
		if err := eng.LockMeta(e.t.s.Patient(ctx), trx, "", "", lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
		if err := eng.LockMeta(e.t.s.Patient(ctx), trx, def.Schema, def.Name, lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
		if err := e.t.s.checkWritable(tableName{def.Schema, def.Name}); err != nil {
			return nil, nil, err
		}
	}
	e.trx = trx
	e.bound.move(trx)
	return h, trx, nil
}

// StatementBegin implements sql.EditOpenerCloser.
func (e *editor) StatementBegin(*sql.Context) {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.trx != nil && e.trx == s.trx {
		e.bound.move(e.trx)
	}
}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *editor) DiscardChanges(_ *sql.Context, cause error) error {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ignorable := cause.(sql.IgnorableError); !ignorable {
		s.stmt.failed = true
	}
	return e.undo()
}

func (e *editor) undo() error {
	if e.trx == nil || e.trx != e.t.s.trx {
		return nil
	}
	return e.t.s.undo(e.bound.mark)
}

// StatementComplete implements sql.EditOpenerCloser. GMS calls it for killed statements, too.
func (e *editor) StatementComplete(ctx *sql.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stmt.failed = true
	return errors.Join(Translate(err, ""), e.undo())
}

// Close implements sql.Closer.
func (e *editor) Close(*sql.Context) error { return nil }

// Insert implements sql.RowInserter.
func (e *editor) Insert(ctx *sql.Context, r sql.Row) error {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	h, trx, err := e.begin(ctx)
	if err != nil {
		return s.note(err)
	}
	if e.new, err = e.t.def.encodeRow(ctx, r, e.new); err != nil {
		return err
	}
	if err := e.inParts(h, e.new); err != nil {
		return s.note(err)
	}
	orLock := e.lockDup || s.stmt.writes[e.t.def.def.ID] == intentReplace
	switch {
	case len(e.t.def.words) > 0:
		var doc []byte
		if doc, err = h.InsertKeyed(ctx, trx, e.new, orLock, nil); err == nil {
			err = e.indexed(ctx, trx, doc, e.new)
		}
	case orLock:
		err = h.InsertOrLock(ctx, trx, e.new)
	default:
		err = h.Insert(ctx, trx, e.new)
	}
	e.tallyInsert(err)
	return e.outcome(ctx, err)
}

// Update implements sql.RowUpdater.
func (e *editor) Update(ctx *sql.Context, old, new sql.Row) error {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	h, trx, err := e.begin(ctx)
	if err != nil {
		return s.note(err)
	}
	if err := e.encodeOld(ctx, old); err != nil {
		return err
	}
	if e.new, err = e.t.def.encodeRow(ctx, new[:min(len(new), len(e.t.def.codecs))], e.new); err != nil {
		return err
	}
	if err := e.inParts(h, e.new); err != nil {
		return s.note(err)
	}
	if err := h.Update(ctx, trx, e.old, e.new); err != nil {
		return e.outcome(ctx, err)
	}
	e.tallyUpdate()
	if len(e.t.def.words) > 0 {
		return s.note(e.reindexed(ctx, trx, e.old, e.new))
	}
	return nil
}

// Delete implements sql.RowDeleter.
func (e *editor) Delete(ctx *sql.Context, r sql.Row) error {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	h, trx, err := e.begin(ctx)
	if err != nil {
		return s.note(err)
	}
	if e.t.def.missing(r) {
		return nil
	}
	if err := e.encodeOld(ctx, r); err != nil {
		return err
	}
	e.tallyDelete()
	err = h.Delete(ctx, trx, e.old)
	if d, _ := s.stmt.root.(*plan.DeleteFrom); d != nil && d.HasExplicitTargets() && errors.Is(err, base.ErrNotFound) {
		return nil // the row stood in several rows of the join
	}
	if len(e.t.def.words) > 0 && err == nil {
		err = e.unindexed(ctx, trx, e.t.def.docOf(nil, e.old), e.old)
	}
	if _, target := s.stmt.targets[e.t.def.def.ID]; target && err == nil {
		s.stmt.removed++
	}
	return e.outcome(ctx, err)
}

// missing tells whether r is no row but the NULLs of an outer join.
func (d *tableDef) missing(r sql.Row) bool {
	for i, c := range d.def.Columns {
		if !c.Nullable && i < len(r) && r[i] == nil {
			return true
		}
	}
	return false
}

// encodeOld converts a row that exists.
func (e *editor) encodeOld(ctx *sql.Context, r sql.Row) (err error) {
	width := len(e.t.def.codecs)
	if e.old, err = e.t.def.encodeRow(ctx, r[:min(len(r), width)], e.old); err != nil || !e.t.def.keyless {
		return err
	}
	if e.t.ids {
		e.old = append(e.old, row.UintValue(r[width].(uint64)))
		return nil
	}
	ok := false
	if e.old, ok = e.t.s.recall(e.t.def, e.old); !ok {
		return sql.ErrDeleteRowNotFound.New()
	}
	return nil
}

// outcome turns the engine's error into GMS's.
func (e *editor) outcome(ctx *sql.Context, err error) error {
	var none *table.NoPartError
	if errors.As(err, &none) {
		return sql.ErrPartitionNotFound.New(none.Value)
	}
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return e.t.s.note(err)
	}
	if e.t.def.keyless {
		e.t.s.remember(e.t.def, dup.Row)
	}
	refused := e.t.def.violated(ctx, err, e.new)
	if n := e.t.s.numbers(e.t); n != nil && n.InTheWay(e.t.def.def, dup) {
		if in := insertOf(e.t.s.stmt.root); in != nil && in.IsReplace {
			return e.t.s.note(Translate(refused, ""))
		}
	}
	return refused
}

// violated makes GMS's error of a *table.DuplicateError, nil of any other error. vals is the row
// that was refused; nil: the other row stands for it.
func (d *tableDef) violated(ctx *sql.Context, err error, vals []row.Value) error {
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return nil
	}
	if vals == nil {
		vals = dup.Row
	}
	existing, decodeErr := d.decodeRow(zoneOf(ctx), dup.Row, nil)
	if decodeErr != nil {
		return decodeErr
	}
	return sql.NewUniqueKeyErr(d.duplicate(ctx, dup.Index.Name, dup.Index.Parts, vals), dup.Index.Clustered, existing)
}

// duplicate is MySQL's text of a unique key violation.
func (d *tableDef) duplicate(ctx *sql.Context, index string, parts []row.KeyPart, vals []row.Value) string {
	key := ""
	for _, p := range parts {
		if key != "" { // nothing parts what follows empty texts
			key += "-"
		}
		key += d.keyText(ctx, p, vals[p.Column])
	}
	return "Duplicate entry '" + key + "' for key '" + d.name + "." + index + "'"
}

func (d *tableDef) keyText(ctx *sql.Context, p row.KeyPart, v row.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	c := &d.codecs[p.Column]
	value, err := c.decode(zoneOf(ctx), v)
	if err != nil {
		return "?"
	}
	out, err := c.typ.SQL(ctx, nil, value)
	if err != nil {
		return "?"
	}
	text := out.ToString()
	if c := &d.cols[p.Column]; c.Type == row.TTime {
		whole, fraction, _ := strings.Cut(text, ".")
		if text = whole; c.Precision > 0 {
			text += "." + fraction[:c.Precision]
		}
	}
	if p.Prefix > 0 {
		text = cutRunes(text, int(p.Prefix))
	}
	return cutRunes(text, 64)
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		if n--; !utf8.RuneStart(s[i]) {
			return s
		}
	}
	return s
}

// IndexedAccess implements sql.ForeignKeyEditor: every read through it is work on a foreign key.
func (e *editor) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	c := *e.t
	c.fk = fkChange
	return &c
}

// GetIndexes implements sql.IndexAddressable.
func (e *editor) GetIndexes(ctx *sql.Context) ([]sql.Index, error) { return e.t.GetIndexes(ctx) }

// PreciseMatch implements sql.IndexAddressable.
func (e *editor) PreciseMatch() bool { return true }

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
