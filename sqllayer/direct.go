package sqllayer

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// The door for statements that run straight on the engine (package compiled): the session's
// transactions and savepoints without GMS.
//
//	BeginDirect ... OpenDirect ... FinishDirect     one statement, also of a stored program; the session's mu is held in between
//	StartDirect, EndDirect, RunDirect               statements without tables, see directplain.go
//
// What happens to the transaction is what happens under GMS: it begins at the first OpenDirect, an
// error or a retreat undoes the statement, autocommit commits.

// SetSessionVariable implements sql.Session; VariablesVersion grows with it.
func (s *Session) SetSessionVariable(ctx *sql.Context, name string, value any) error {
	defer s.variables.Add(1) // behind the change: who reads in between reads again
	value, err := asKept(strings.ToLower(name), value)
	if err != nil {
		return err
	}
	if text, ok := value.(string); ok && strings.EqualFold(name, "character_set_client") {
		if err := library.ClientCharset(text); err != nil {
			return err
		}
	}
	before := s.settings()
	if err := s.BaseSession.SetSessionVariable(ctx, name, value); err != nil {
		return err
	}
	s.tracked.assigned(strings.ToLower(name))
	active := s.Trx != nil || s.GetIgnoreAutoCommit() // then transactions go on as before until COMMIT or ROLLBACK
	switch name = strings.ToLower(name); {
	case !before.autocommit && name == sql.AutoCommitSessionVar && s.flag(sql.AutoCommitSessionVar):
		s.SetIgnoreAutoCommit(false) // the end of this statement commits, whatever began the transaction
		s.Stmt.keeps = true
	case name == "sql_mode" && !s.layer.Opts.Plain:
		s.warnOfMode(ctx, s.text(name))
	case name == "transaction_read_only":
		if active && !s.once.limited {
			s.once.readOnly = before.readOnly
		}
		s.once.limited = active
	case name == "transaction_isolation":
		if active && !s.once.leveled {
			s.once.level = before.isolation
		}
		s.once.leveled = active
	case name == "rand_seed1" || name == "rand_seed2":
		v, err := s.BaseSession.GetSessionVariable(ctx, name)
		s.seedRandom(name, v)
		return err
	case name == OriginalTime || name == OriginalVersion:
		s.log.foreign = true
	}
	return nil
}

// InitSessionVariable implements sql.Session.
func (s *Session) InitSessionVariable(ctx *sql.Context, name string, value any) error {
	defer s.variables.Add(1)
	return s.BaseSession.InitSessionVariable(ctx, name, value)
}

// VariablesVersion changes when a session variable may have changed.
func (s *Session) VariablesVersion() uint64 { return s.variables.Load() }

// Text is the value of a session variable that is a text, "" for NULL and others.
func (s *Session) Text(name string) string { return s.text(name) }

// Flag is the value of a boolean session variable.
func (s *Session) Flag(name string) bool { return s.flag(name) }

// Layer is the layer the session belongs to.
func (s *Session) Layer() *Layer { return s.layer }

// StorageEngine is the engine below the layer.
func (l *Layer) StorageEngine() *engine.Engine { return l.Eng }

// DirectTable is what a compiled statement must know of a table beyond its definition.
type DirectTable struct {
	Def *catalog.Table
	// Watched tells that a change of a row has consequences GMS takes care of: full-text indexes.
	// Triggers of other tables do not matter: rows of these change only where columns do that
	// foreign keys refer to, which is GMS's in any case.
	Watched bool
	// Referenced are the columns that foreign keys refer to, all of them where a child is not
	// known; nil if there is no such key.
	Referenced []int

	references []tabledef.Reference
	triggers   directTriggers
	TableDef   *tabledef.TableDef
}

// DirectTable describes the definition of a table that is no temporary one.
func (l *Layer) DirectTable(ctx context.Context, def *catalog.Table) (*DirectTable, error) {
	d, err := l.tableDef(def, def.Schema)
	if err != nil {
		return nil, err
	}
	t := &DirectTable{Def: def, TableDef: d}
	triggers, known, err := l.triggersOf(ctx, def)
	if err != nil {
		return nil, err
	}
	t.triggers = triggers
	if t.references, err = l.references(ctx, nil, def); err != nil {
		return nil, err
	}
	for _, r := range t.references {
		t.refer(l.Eng.CachedTable(r.Child.Schema, r.Child.Name), r.Name)
	}
	t.Watched = !known || len(triggers) > 0 && l.Opts.Plain || def.Options[tabledef.SpecialOption] != "" || tabledef.IsFullTextTable(def.Name)
	return t, nil
}

// Duplicate makes the error of a *table.DuplicateError; vals is the row that was refused.
func (t *DirectTable) Duplicate(ctx *sql.Context, err error, vals []row.Value) error {
	return t.TableDef.Violated(ctx, err, vals)
}

// Type is the SQL type of a column.
func (t *DirectTable) Type(column int) sql.Type { return t.TableDef.Codecs[column].Typ }

// BeginDirect begins a statement; ok is false if the session is in a state that only GMS can deal
// with. Every BeginDirect that returns true is followed by FinishDirect or RetreatDirect.
func (s *Session) BeginDirect() (ok bool) { return s.beginDirect(true, false) }

// BeginReads is BeginDirect for a statement that reads, and for which every name is looked up:
// tables may be temporary.
func (s *Session) BeginReads() (ok bool) { return s.beginDirect(true, true) }

// beginDirect is BeginDirect; a statement that opens no table may end LOCK TABLES. temps tells that
// there may be temporary tables.
func (s *Session) beginDirect(opens, temps bool) (ok bool) {
	s.Mu.Lock()
	if len(s.Temps.byName) > 0 && (!temps || s.locked != nil) || s.locked != nil && (!opens || s.locked.Aliased) || s.Program != nil && !opens || s.ddl || s.locking != nil ||
		!s.namedDirect(opens) {
		s.Mu.Unlock()
		return false
	}
	if s.Stmt.Depth > 0 { // a part of the statement that has called the program
		s.beginPart()
		return true
	}
	s.beginStatement()
	return true
}

// namedDirect tells whether gtid_next says nothing about a statement: none is set, or it names the
// transaction in which the statement runs, as for what a replica applies.
func (s *Session) namedDirect(opens bool) bool {
	switch s.log.next.state {
	case gtidAutomatic:
		return true
	case gtidAnonymous, gtidOwned:
		return opens && !s.autocommit()
	}
	return false
}

// beginPart begins a statement of a trigger or function. REQUIRES: s.mu.
func (s *Session) beginPart() {
	s.step()
	if s.Stmt.part = (part{trx: s.Trx}); s.Trx != nil {
		s.Stmt.part.Bound = s.savepoint(s.Trx)
	}
}

// endPart ends it; undo: nothing of it stays. Who has called the program goes on, or fails.
// REQUIRES: s.mu.
func (s *Session) endPart(undo bool) {
	p := s.Stmt.part
	s.Stmt.part = part{}
	if undo && s.Trx != nil && s.Stmt.dead == nil && (p.trx == s.Trx || p.trx == nil) && s.Undo(p.Mark) != nil {
		s.Stmt.Failed = true
	}
	if p.trx != nil && p.trx == s.Trx {
		s.release(p.Bound)
	}
}

// part is where a statement of a trigger or function began.
type part struct {
	trx *txn.Trx // nil: there was none yet
	Bound
}

// Access is what a statement does to the rows of a table.
type Access uint8

// The kinds of access. Each later one has the locks of those before it.
const (
	Reads Access = iota
	Locks        // FOR UPDATE
	Writes
)

// OpenDirect opens a table in the session's transaction, which begins here at the latest.
// base.ErrReadOnly: it writes in a READ ONLY transaction.
// REQUIRES: between BeginDirect and FinishDirect.
func (s *Session) OpenDirect(ctx *sql.Context, schema, name string, access Access) (*table.Table, *txn.Trx, error) {
	switch auto := s.autocommit(); {
	case auto:
		s.SetTransaction(nil) // what GMS left of a statement that was only prepared, or failed
	case s.GetTransaction() == nil:
		s.SetTransaction(&transaction{s})
	}
	at := tabledef.TableName{Schema: schema, Name: name}
	if temp, ok := s.Temps.Lookup(schema, name); ok {
		at = temp
	} else if err := s.checkLocked(at); err != nil {
		return nil, nil, err
	}
	if access != Reads {
		if err := s.checkWritable(at); err != nil {
			return nil, nil, err
		}
	}
	if access == Writes {
		for _, c := range s.Stmt.callers {
			if c.uses(at) {
				return nil, nil, sql.ErrTriggerTableInUse.New(name)
			}
		}
	}
	if s.Stmt.Depth == 0 {
		s.Stmt.opened = append(s.Stmt.opened, at)
	}
	s.Stmt.own = s.Stmt.own || s.Trx == nil
	trx, err := s.Active(ctx)
	if err != nil {
		return nil, nil, err
	}
	eng, patient := s.layer.Eng, s.Patient(ctx)
	if access == Writes {
		if err := eng.LockMeta(patient, trx, "", "", lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
	}
	if access != Reads { // the strong locks first: then Table finds that it needs none of its own
		if err := eng.LockMeta(patient, trx, schema, name, lock.MetaSharedWrite); err != nil {
			return nil, nil, err
		}
	}
	h, err := eng.Table(patient, trx, at.Schema, at.Name)
	return h, trx, err
}

// HasTemporaryDirect is HasTemporary. REQUIRES: between BeginReads and FinishDirect.
func (s *Session) HasTemporaryDirect() bool { return len(s.Temps.byName) > 0 }

// AutoIncModeDirect is innodb_autoinc_lock_mode.
func (s *Session) AutoIncModeDirect() int { return s.settings().autoMode }

// ReadOnlyDirect tells whether the transaction is READ ONLY. REQUIRES: after OpenDirect.
func (s *Session) ReadOnlyDirect() bool { return s.readOnly }

// AutocommitDirect tells whether the statement is a transaction of its own.
// REQUIRES: between BeginDirect and FinishDirect.
func (s *Session) AutocommitDirect() bool { return s.autocommit() }

// FinishDirect ends the statement: an error undoes it, autocommit commits. It returns what the
// client is told.
func (s *Session) FinishDirect(ctx context.Context, err error) error {
	defer s.Mu.Unlock()
	s.beforeFire = nil
	if s.Stmt.dead != nil {
		err = s.Stmt.dead
	}
	if s.Stmt.Depth > 0 {
		failed := s.Stmt.Failed
		err = s.Note(err)
		s.Stmt.Failed = failed // what has failed is a part
		s.endPart(err != nil)
		return err
	}
	if err != nil {
		err = s.Note(err)
		s.Stmt.Failed = true
		s.endOpen()
	} else if s.Trx != nil && s.autocommit() {
		if err = ctx.Err(); err != nil {
			_ = s.rollback()
		} else {
			trx := s.Trx
			if err = s.commit(ctx); err == nil && s.Stmt.own {
				s.layer.Eng.Recycle(trx) // of others, a table of GMS may remember its transaction
			}
		}
	}
	s.Stmt = statement{opened: s.Stmt.opened[:0]}
	return err
}

// RetreatDirect undoes what the statement has done: GMS is going to run it.
func (s *Session) RetreatDirect() {
	defer s.Mu.Unlock()
	s.restoreState(s.beforeFire)
	s.beforeFire = nil
	if s.Stmt.Depth > 0 {
		s.endPart(true)
		return
	}
	s.Stmt.Failed, s.Stmt.keeps = true, true
	s.endOpen()
	s.Stmt = statement{opened: s.Stmt.opened[:0]}
}

// Store makes a value of GMS what a column stores, as INSERT and UPDATE do. ok is false if that
// would be an error, or if the statement has a warning by then: the statement is GMS's then.
func (t *DirectTable) Store(ctx *sql.Context, column int, v any) (out row.Value, ok bool) {
	if ctx.Session.WarningCount() > 0 {
		return out, false
	}
	return t.StoreAlone(ctx, column, v)
}

// StoreAlone is Store for one of many rows: ok is false if the value would be an error or leave a
// warning.
func (t *DirectTable) StoreAlone(ctx *sql.Context, column int, v any) (out row.Value, ok bool) {
	if v == nil {
		return row.NullValue, true
	}
	before := ctx.Session.WarningCount()
	c, st := &t.TableDef.Columns[column], store.NewStorer(ctx, false)
	if _, isDate := v.(time.Time); isDate && !types.IsTime(c.Type) {
		return out, false // what a number or a text is made of depends on its type
	}
	if _, isTime := v.(types.Timespan); isTime && !types.IsTimespan(c.Type) {
		return out, false
	}
	if _, isBytes := v.([]byte); isBytes && types.IsJSON(c.Type) {
		return out, false // bytes are no document
	}
	st.Strict = true
	v, err := st.Value(ctx, c, v)
	var converted any
	in := sql.InRange
	if err == nil && v != nil {
		wide, _ := operand.Wide(c.Type)
		converted, in, err = wide.Convert(ctx, v)
	}
	if n := ctx.Session.WarningCount(); n > before { // it will be told of by whoever stores it
		SessionOf(ctx).ForgetWarnings(int(n - before))
		return out, false
	}
	if err != nil || in != sql.InRange || converted == nil {
		return out, false
	}
	out, ok, err = t.TableDef.Codecs[column].EncodeExact(ctx, converted)
	return out, ok && err == nil && t.TableDef.Cols[column].Fits(out)
}

// Decode gives GMS's value of a column, to a session whose time_zone is zone.
func (t *DirectTable) Decode(zone *time.Location, column int, v row.Value) (any, error) {
	return t.TableDef.Codecs[column].Decode(zone, v)
}

// Foreign keys of statements that run straight on the engine.

// Alike tells whether two descriptions of one definition say the same.
func (t *DirectTable) Alike(u *DirectTable) bool {
	return t.Watched == u.Watched && t.triggers.equal(u.triggers) && slices.Equal(t.references, u.references) && slices.Equal(t.Referenced, u.Referenced)
}

// refer adds the columns that a foreign key of a child refers to. No metadata lock is taken, so the
// child may not be known.
func (t *DirectTable) refer(child *catalog.Table, name string) {
	if child != nil {
		for i := range child.ForeignKeys {
			if fk := &child.ForeignKeys[i]; fk.Name == name {
				for _, col := range fk.ParentColumns {
					t.Referenced = append(t.Referenced, t.TableDef.Find(col))
				}
				return
			}
		}
	}
	for i := range t.Def.Columns {
		t.Referenced = append(t.Referenced, i)
	}
}

// OpenParentDirect opens a table whose rows are looked for because of a foreign key; ok is false
// under LOCK TABLES.
// REQUIRES: after OpenDirect.
func (s *Session) OpenParentDirect(ctx *sql.Context, schema, name string) (h *table.Table, ok bool, err error) {
	if s.locked != nil {
		return nil, false, nil
	}
	h, err = s.layer.Eng.Table(s.Patient(ctx), s.Trx, schema, name)
	return h, true, err
}

// ForeignKeyChecksDirect is foreign_key_checks.
func (s *Session) ForeignKeyChecksDirect() bool { return s.settings().references }

// Statements of package compiled that touch no table: transaction control, SET, SELECT without
// FROM.

// Start says how START TRANSACTION begins.
type Start struct {
	ReadOnly, ReadWrite, Snapshot bool
}

// StartDirect is BEGIN. ok is false if GMS has to do it.
func (s *Session) StartDirect(ctx *sql.Context, how Start) (ok bool, err error) {
	if s.InBranch() || !s.beginDirect(false, false) {
		return false, nil
	}
	defer s.Mu.Unlock()
	if s.Trx != nil {
		if err := s.commit(ctx); err != nil {
			return true, err
		}
	}
	s.begin(how)
	if how.Snapshot {
		if err := s.snapshot(ctx); err != nil {
			return true, err
		}
	}
	s.SetTransaction(&transaction{s})
	s.SetIgnoreAutoCommit(true)
	return true, nil
}

// EndDirect is COMMIT, or ROLLBACK. ok is false if GMS has to do it.
func (s *Session) EndDirect(ctx *sql.Context, commit bool) (ok bool, err error) {
	if s.InBranch() || !s.beginDirect(false, false) {
		return false, nil
	}
	defer s.Mu.Unlock()
	if s.Temps.made || s.Temps.gone {
		return false, nil
	}
	switch {
	case s.Trx == nil:
	case commit:
		err = s.commit(ctx)
	default:
		err = s.rollback()
	}
	s.once = once{}
	s.SetIgnoreAutoCommit(false)
	s.SetTransaction(nil)
	return true, err
}

// RunDirect runs f as a statement that touches no table. ok is false if GMS has to do it.
func (s *Session) RunDirect(ctx *sql.Context, f func(sql.Transaction) error) (ok bool, err error) {
	if s.InBranch() || !s.beginDirect(false, false) {
		return false, nil
	}
	if s.GetTransaction() == nil {
		s.readOnly = s.defaultReadOnly()
		s.SetTransaction(&transaction{s})
	}
	s.Mu.Unlock() // f calls what GMS would call
	err = f(s.GetTransaction())
	s.Mu.Lock()
	auto := s.autocommit()
	if err = s.FinishDirect(ctx, err); auto {
		s.SetTransaction(nil)
	}
	return true, err
}

// Root is the plan of the statement that runs, nil if there is none.
func (s *Session) Root() sql.Node {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Stmt.root
}
