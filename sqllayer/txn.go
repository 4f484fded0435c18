package sqllayer

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/txn"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr"
)

// transaction is what GMS holds. The engine's transaction begins later and is the session's affair.
type transaction struct{ s *Session }

func (t *transaction) String() string   { return "transaction" }
func (t *transaction) IsReadOnly() bool { return t.s.readOnly }

// nextIsolation and nextReadOnly are the user variables that the parser makes of SET TRANSACTION
// without a scope.
const (
	nextIsolation = "ember next transaction isolation"
	nextReadOnly  = "ember next transaction read only"
)

// once is what SET TRANSACTION without a scope and START TRANSACTION ask for, and what the
// session's variables said when a transaction began that has changed them. As in MySQL it goes with
// COMMIT, ROLLBACK, a definition, or a statement that was a transaction of its own on some table;
// neither BEGIN nor SET autocommit = 1, which commit too, end it.
type once struct {
	level            txn.Isolation
	readOnly         bool
	leveled, limited bool // which of them was asked for
}

var isolations = map[string]txn.Isolation{
	"READ-UNCOMMITTED": txn.ReadUncommitted,
	"READ-COMMITTED":   txn.ReadCommitted,
	"REPEATABLE-READ":  txn.RepeatableRead,
	"SERIALIZABLE":     txn.Serializable,
}

var isolationNames = map[txn.Isolation]string{
	txn.ReadUncommitted: "READ UNCOMMITTED",
	txn.ReadCommitted:   "READ COMMITTED",
	txn.RepeatableRead:  "REPEATABLE READ",
	txn.Serializable:    "SERIALIZABLE",
}

// TransactionInfo describes a session's transaction.
type TransactionInfo struct {
	Active       bool
	ID           uint64 // 0 until the first write
	Isolation    string
	ReadOnly     bool
	RowsModified uint64
}

// Transaction describes the running transaction.
func (s *Session) Transaction() TransactionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trx == nil {
		return TransactionInfo{}
	}
	return TransactionInfo{
		Active: true, ID: uint64(s.trx.ID()), Isolation: isolationNames[s.trx.Isolation()], ReadOnly: s.readOnly, RowsModified: uint64(s.trx.Savepoint()),
	}
}

// StartTransaction implements sql.TransactionSession. Nothing begins in the engine but for WITH
// CONSISTENT SNAPSHOT.
func (s *Session) StartTransaction(ctx *sql.Context, char sql.TransactionCharacteristic) (sql.Transaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how := s.startClauses(ctx)
	how.ReadOnly = char == sql.ReadOnly
	s.begin(how)
	if s.trx == nil && how.Snapshot {
		if err := s.snapshot(ctx); err != nil {
			return nil, err
		}
	}
	return &transaction{s}, nil
}

// startClauses reads what START TRANSACTION says; other statements say nothing.
// REQUIRES: the session's goroutine.
func (s *Session) startClauses(ctx *sql.Context) (how Start) {
	if n, ok := s.runningStatement(ctx).Tree.(*sqlast.Begin); ok {
		how.ReadWrite, how.Snapshot = n.Access == sqlast.ReadWrite, n.Snapshot
	}
	return how
}

// InReadOnlyTransaction reports whether the transaction of the next statement is READ ONLY.
func (s *Session) InReadOnlyTransaction() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trx != nil || s.GetIgnoreAutoCommit() {
		return s.readOnly
	}
	return s.defaultReadOnly()
}

// mayWrite asks the server.
func (l *Layer) mayWrite(ctx *sql.Context) error {
	if l.MayWrite == nil {
		return nil
	}
	if s := sessionOf(ctx); s != nil && s.frozen != nil {
		return s.frozen
	}
	return l.MayWrite(ctx)
}

// begin sets what the session's next transaction may do. REQUIRES: s.mu.
func (s *Session) begin(how Start) {
	s.readOnly = how.ReadOnly || (s.staysReadOnly() || s.defaultReadOnly()) && !how.ReadWrite
	if how.ReadOnly || how.ReadWrite {
		s.once.readOnly, s.once.limited = s.readOnly, true
	}
}

// staysReadOnly tells of a READ ONLY transaction that was begun: BEGIN in it begins another one.
func (s *Session) staysReadOnly() bool { return s.readOnly && s.GetIgnoreAutoCommit() }

// snapshot begins the engine's transaction of START TRANSACTION WITH CONSISTENT SNAPSHOT.
// REQUIRES: s.mu.
func (s *Session) snapshot(ctx *sql.Context) error {
	s.starting = true
	defer func() { s.starting = false }()
	trx, err := s.active(ctx)
	switch {
	case err != nil:
	case trx.Isolation() == txn.RepeatableRead:
		trx.View()
	default:
		s.Warn(&sql.Warning{Level: "Warning", Code: erNoSnapshot,
			Message: "InnoDB: WITH CONSISTENT SNAPSHOT was ignored because this phrase can only be used with REPEATABLE READ isolation level."})
	}
	return err
}

const erNoSnapshot = 138

func (s *Session) defaultReadOnly() bool {
	if s.once.limited {
		return s.once.readOnly
	}
	return s.settings().readOnly
}

// CommitTransaction implements sql.TransactionSession. The transaction ends in every case.
func (s *Session) CommitTransaction(ctx *sql.Context, _ sql.Transaction) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.depth > 0 {
		return nil // a procedure that a trigger calls is part of the trigger's statement
	}
	if s.branch.state != noBranch {
		return s.branch.refuse()
	}
	s.closeCursors()
	s.endOnce()
	if s.trx == nil {
		return s.stmt.dead
	}
	if s.autocommit() || s.ddl {
		err := ctx.Err()
		if err != nil || s.stmt.failed {
			// GMS commits a statement that was killed or has failed.
			_ = s.rollback()
			if err == nil {
				return nil
			}
			return Translate(err, "")
		}
	}
	return s.commit(ctx)
}

// commit ends the transaction. A canceled ctx does not stop it half-way. REQUIRES: s.mu.
func (s *Session) commit(ctx context.Context) error {
	trx, ddl := s.trx, s.ddl
	if ddl {
		if err := s.logDefinition(); err != nil {
			_ = s.rollback()
			return Translate(err, s.GetCurrentDatabase())
		}
	}
	if err := s.storePlace(ctx, trx); err != nil {
		_ = s.rollback()
		return Translate(err, s.GetCurrentDatabase())
	}
	j := trx.Journal
	logged := j != nil
	if logged {
		j.Next = s.journalNext(!ddl && s.autocommit())
	}
	s.forget()
	trx.Turn = s.replica.turn
	err := s.layer.eng.Commit(context.WithoutCancel(ctx), trx)
	if !logged || err != nil || j.Logged() {
		s.endGTID()
	}
	if logged && j.Logged() {
		s.endOrigin()
	}
	if ddl || err != nil {
		s.SetIgnoreAutoCommit(false)
		s.SetTransaction(nil)
	}
	if err != nil {
		return Translate(err, s.GetCurrentDatabase())
	}
	if s.events.any && s.layer.EventsChanged != nil {
		s.layer.EventsChanged()
	}
	s.events.any = false
	return nil
}

// Rollback implements sql.TransactionSession.
func (s *Session) Rollback(ctx *sql.Context, _ sql.Transaction) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.branch.state != noBranch {
		return s.branch.refuse()
	}
	s.closeCursors()
	s.endOnce()
	return s.rollback()
}

// endOnce forgets what was asked for one transaction where COMMIT or ROLLBACK ends it, not another
// statement.
// REQUIRES: s.mu.
func (s *Session) endOnce() {
	switch s.stmt.root.(type) {
	case *plan.Commit, *plan.Rollback:
		s.former = s.once
		s.former.readOnly, s.former.limited = s.readOnly, true
		if s.trx != nil {
			s.former.level, s.former.leveled = s.trx.Isolation(), true
		}
		s.once = once{}
	}
}

// Chain begins a transaction like the one that COMMIT or ROLLBACK has just ended.
func (s *Session) Chain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once, s.readOnly = s.former, s.former.readOnly
	s.SetTransaction(&transaction{s})
	s.SetIgnoreAutoCommit(true)
}

// InTransaction tells whether a transaction was begun by a statement, or by the first access to a
// table without autocommit.
func (s *Session) InTransaction() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trx != nil || s.GetIgnoreAutoCommit()
}

// rollback ends the transaction without its changes. REQUIRES: s.mu.
func (s *Session) rollback() error {
	trx := s.trx
	s.forget()
	if s.branch.state == noBranch { // a branch that is broken ends by XA ROLLBACK
		s.SetIgnoreAutoCommit(false)
		s.SetTransaction(nil)
	}
	if trx == nil {
		return nil
	}
	s.endGTID()
	if err := s.layer.eng.Rollback(trx); err != nil {
		return Translate(err, s.GetCurrentDatabase())
	}
	return nil
}

// forget drops what belongs to the transaction that ends.
func (s *Session) forget() {
	if s.ddl || s.autocommit() && !s.stmt.keeps {
		s.once = once{}
	}
	s.trx, s.ddl, s.savepoints = nil, false, nil
	s.stmt.marked = false
}

// active returns the transaction and begins it if there is none; the first call in a statement sets
// the statement's mark.
// REQUIRES: s.mu.
func (s *Session) active(ctx *sql.Context) (*txn.Trx, error) {
	if s.stmt.dead != nil {
		return nil, s.stmt.dead
	}
	if err := s.branch.usable(); err != nil {
		return nil, err
	}
	if s.trx == nil {
		if !s.starting && !s.GetIgnoreAutoCommit() { // by no START: what the session and SET TRANSACTION say by now
			s.readOnly = s.defaultReadOnly()
		}
		s.trx = s.layer.eng.Begin(s.isolation(), s.readOnly && len(s.temps.byName) == 0)
		s.trx.SetClient(!s.internal && !s.applies)
		s.adopt(s.trx)
	}
	if !s.stmt.marked {
		s.follow(ctx)
		s.markBranch()
		s.trx.CheckReads = s.settings().checkReads
		s.stmt.mark = s.trx.StartStatement()
		s.stmt.marked = true
	}
	return s.trx, nil
}

// adopt makes trx one of the session's.
func (s *Session) adopt(trx *txn.Trx) {
	trx.Join(&s.owner)
	trx.SetThread(uint64(s.ID()))
	if s.replica.turn != nil {
		trx.SetOrdered(s.replica.turn)
	}
	trx.LockWait = s.lockWait()
	trx.Counts = &s.counts
}

// SetUserVariable refuses SET TRANSACTION without a scope, which the parser has made one, while a
// transaction is open.
func (s *Session) SetUserVariable(ctx *sql.Context, name string, value any, typ sql.Type) error {
	if (name == nextIsolation || name == nextReadOnly) && value != nil {
		if !s.autocommit() && (s.trx != nil || s.GetIgnoreAutoCommit()) {
			return NewError(erCantChangeTxChars, "Transaction characteristics can't be changed while a transaction is in progress")
		}
		text := fmt.Sprint(value)
		if name == nextReadOnly {
			s.once.readOnly, s.once.limited = text == "1", true
		} else {
			s.once.level, s.once.leveled = isolations[text], true
		}
		return nil
	}
	if utf8.RuneCountInString(name) > 64 {
		return NewError(3061, "User variable name '%s' is illegal", name)
	}
	if kept, ok := value.(expr.CollatedText); ok {
		value, typ = kept.Text, types.CreateLongText(kept.Collation)
	} else if t, ok := typ.(sql.StringType); ok && types.IsTextOnly(t) && t.Collation() == sql.Collation_Default { // GMS does not tell the collation
		if c, err := sql.ParseCollation(s.text("character_set_connection"), s.text("collation_connection"), false); err == nil && c.CharacterSet().Encoder() != nil {
			typ = types.CreateLongText(c)
		}
	}
	_, old, err := s.GetUserVariable(ctx, name)
	if err != nil {
		return err
	}
	size := valueSize(value)
	if old == nil {
		size += variableSize
	}
	if err := OverMemory(s.memory.Keep(size - valueSize(old))); err != nil {
		return err
	}
	if _, known := s.userNames[name]; !known {
		if s.userNames == nil {
			s.userNames = map[string]struct{}{}
		}
		s.userNames[name] = struct{}{}
	}
	return s.BaseSession.SetUserVariable(ctx, name, value, typ)
}

const variableSize = 128 // bytes of a user variable beside its value

// isolation is the level of the next transaction.
func (s *Session) isolation() txn.Isolation {
	if s.once.leveled {
		return s.once.level
	}
	return s.settings().isolation
}

// definitions returns the transaction for definition changes: the open one is committed first, as
// MySQL does.
// REQUIRES: s.mu.
func (s *Session) definitions(ctx *sql.Context) (*txn.Trx, error) {
	if s.stmt.dead != nil {
		return nil, s.stmt.dead
	}
	if s.branch.state != noBranch {
		return nil, s.branch.refuse()
	}
	if s.trx != nil && s.ddl {
		return s.trx, nil
	}
	if err := s.layer.mayWrite(ctx); err != nil {
		return nil, err
	}
	if s.trx != nil {
		tx := s.GetTransaction()
		s.closeCursors()
		if err := s.commitBefore(ctx); err != nil {
			return nil, err
		}
		s.SetTransaction(tx) // GMS commits it at the end of the statement
	}
	s.trx, s.ddl = s.layer.eng.BeginDDL(), true
	s.adopt(s.trx)
	s.follow(ctx)
	s.stmt.mark, s.stmt.marked = s.trx.StartStatement(), true
	return s.trx, nil
}

// reader returns what definitions are read with: the DDL transaction, which sees its own changes,
// or nil, the newest committed state.
// REQUIRES: s.mu.
func (s *Session) reader() *txn.Trx {
	if s.ddl {
		s.trx.StartStatement()
		return s.trx
	}
	return nil
}

// undoStatement goes back to where the statement began. REQUIRES: s.mu.
func (s *Session) undoStatement() error {
	if s.trx == nil || !s.stmt.marked {
		return nil
	}
	return s.undo(s.stmt.mark)
}

// undo goes back to a mark of the running transaction. REQUIRES: s.mu, s.trx.
func (s *Session) undo(m txn.Mark) error {
	if s.trx.Savepoint() <= m || s.doomed() {
		return nil
	}
	if err := s.trx.RollbackTo(context.Background(), m); err != nil {
		return Translate(err, s.GetCurrentDatabase())
	}
	return nil
}

// AsStatement runs f, which runs statements, as one: of one that fails nothing stays, and the
// transaction goes on.
func (s *Session) AsStatement(ctx *sql.Context, f func() error) error {
	s.mu.Lock()
	trx, err := s.active(ctx)
	var b bound
	if err == nil {
		b = s.savepoint(trx)
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	err = f()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trx != trx { // all of it has been rolled back
		return err
	}
	if err != nil {
		err = errors.Join(err, s.undo(b.mark))
	}
	s.release(b)
	return err
}

// doomed tells that the transaction is about to be rolled back as a whole, which takes no time
// however much it has changed: nothing of it needs to be undone before.
// REQUIRES: s.mu.
func (s *Session) doomed() bool {
	return s.leaving.Load() || s.stmt.failed && s.stmt.depth == 0 && s.autocommit()
}
