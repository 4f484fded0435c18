package sqllayer

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/txn"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Trx == nil {
		return TransactionInfo{}
	}
	return TransactionInfo{
		Active: true, ID: uint64(s.Trx.ID()), Isolation: isolationNames[s.Trx.Isolation()], ReadOnly: s.readOnly, RowsModified: uint64(s.Trx.Savepoint()),
	}
}

// StartTransaction implements sql.TransactionSession. Nothing begins in the engine but for WITH
// CONSISTENT SNAPSHOT.
func (s *Session) StartTransaction(ctx *sql.Context, char sql.TransactionCharacteristic) (sql.Transaction, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	how := s.startClauses(ctx)
	how.ReadOnly = char == sql.ReadOnly
	s.begin(how)
	if s.Trx == nil && how.Snapshot {
		if err := s.snapshot(ctx); err != nil {
			return nil, err
		}
	}
	return &transaction{s}, nil
}

// startClauses reads what START TRANSACTION says; other statements say nothing.
// REQUIRES: the session's goroutine.
func (s *Session) startClauses(ctx *sql.Context) (how Start) {
	if n, ok := s.RunningStatement(ctx).Tree.(*sqlast.Begin); ok {
		how.ReadWrite, how.Snapshot = n.Access == sqlast.ReadWrite, n.Snapshot
	}
	return how
}

// InReadOnlyTransaction reports whether the transaction of the next statement is READ ONLY.
func (s *Session) InReadOnlyTransaction() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Trx != nil || s.GetIgnoreAutoCommit() {
		return s.readOnly
	}
	return s.defaultReadOnly()
}

// CheckWrite asks the server.
func (l *Layer) CheckWrite(ctx *sql.Context) error {
	if l.MayWrite == nil {
		return nil
	}
	if s := SessionOf(ctx); s != nil && s.frozen != nil {
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
	trx, err := s.Active(ctx)
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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth > 0 {
		return nil // a procedure that a trigger calls is part of the trigger's statement
	}
	if s.branch.state != noBranch {
		return s.branch.refuse()
	}
	s.closeCursors()
	s.endOnce()
	if s.Trx == nil && s.log.ahead != "" {
		if _, err := s.Active(ctx); err != nil {
			return err
		}
	}
	if s.Trx == nil {
		return s.Stmt.dead
	}
	if s.autocommit() || s.ddl {
		err := ctx.Err()
		if err != nil || s.Stmt.Failed {
			// GMS commits a statement that was killed or has failed.
			_ = s.rollback()
			if err == nil {
				return nil
			}
			return sqlerr.Translate(err, "")
		}
	}
	return s.commit(ctx)
}

// commit ends the transaction. A canceled ctx does not stop it half-way. REQUIRES: s.mu.
func (s *Session) commit(ctx context.Context) error {
	trx, ddl := s.Trx, s.ddl
	if ddl {
		err := s.pruneAltered(ctx)
		if err == nil {
			err = s.logDefinition()
		}
		if err != nil {
			_ = s.rollback()
			return sqlerr.Translate(err, s.GetCurrentDatabase())
		}
	}
	err := s.logAhead()
	if err == nil {
		err = s.storePlace(ctx, trx)
	}
	if err != nil {
		_ = s.rollback()
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	j := trx.Journal
	logged := j != nil
	if logged {
		j.Next = s.journalNext(!ddl && s.autocommit())
	}
	s.forget()
	trx.Turn = s.replica.turn
	err = s.layer.Eng.Commit(context.WithoutCancel(ctx), trx)
	if !logged && !s.log.held || err != nil || logged && j.Logged() {
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
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	if s.events.any && s.layer.EventsChanged != nil {
		s.layer.EventsChanged()
	}
	s.events.any = false
	return nil
}

// Rollback implements sql.TransactionSession.
func (s *Session) Rollback(ctx *sql.Context, _ sql.Transaction) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
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
	switch s.Stmt.root.(type) {
	case *plan.Commit, *plan.Rollback:
		s.former = s.once
		s.former.readOnly, s.former.limited = s.readOnly, true
		if s.Trx != nil {
			s.former.level, s.former.leveled = s.Trx.Isolation(), true
		}
		s.once = once{}
		if _, undoes := s.Stmt.root.(*plan.Rollback); undoes {
			s.warnTemporary()
		}
		s.Temps.made, s.Temps.gone = false, false
	}
}

// Chain begins a transaction like the one that COMMIT or ROLLBACK has just ended.
func (s *Session) Chain() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.once, s.readOnly = s.former, s.former.readOnly
	s.SetTransaction(&transaction{s})
	s.SetIgnoreAutoCommit(true)
}

// InTransaction tells whether a transaction was begun by a statement, or by the first access to a
// table without autocommit.
func (s *Session) InTransaction() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Trx != nil || s.GetIgnoreAutoCommit()
}

// rollback ends the transaction without its changes. REQUIRES: s.mu.
func (s *Session) rollback() error {
	trx := s.Trx
	s.forget()
	if s.branch.state == noBranch { // a branch that is broken ends by XA ROLLBACK
		s.SetIgnoreAutoCommit(false)
		s.SetTransaction(nil)
	}
	if trx == nil {
		return nil
	}
	s.endGTID()
	if err := s.layer.Eng.Rollback(trx); err != nil {
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	return nil
}

// forget drops what belongs to the transaction that ends.
func (s *Session) forget() {
	if s.ddl || s.autocommit() && !s.Stmt.keeps {
		s.once = once{}
	}
	s.Trx, s.ddl, s.savepoints = nil, false, nil
	s.Temps.made, s.Temps.gone = false, false
	s.Stmt.marked, s.log.ahead = false, ""
}

// Active returns the transaction and begins it if there is none; the first call in a statement sets
// the statement's mark.
// REQUIRES: s.mu.
func (s *Session) Active(ctx *sql.Context) (*txn.Trx, error) {
	if s.Stmt.dead != nil {
		return nil, s.Stmt.dead
	}
	if err := s.branch.usable(); err != nil {
		return nil, err
	}
	if s.Trx == nil {
		if !s.starting && !s.GetIgnoreAutoCommit() { // by no START: what the session and SET TRANSACTION say by now
			s.readOnly = s.defaultReadOnly()
		}
		s.Trx = s.layer.Eng.Begin(s.isolation(), s.readOnly && len(s.Temps.byName) == 0)
		s.Trx.SetClient(!s.internal && !s.applies)
		s.adopt(s.Trx)
	}
	if !s.Stmt.marked {
		s.follow(ctx)
		s.markBranch()
		s.Trx.CheckReads = s.settings().checkReads
		s.Stmt.mark = s.Trx.StartStatement()
		s.Stmt.marked = true
	}
	return s.Trx, nil
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
		if !s.autocommit() && (s.Trx != nil || s.GetIgnoreAutoCommit()) {
			return sqlerr.NewError(sqlerr.ErCantChangeTxChars, "Transaction characteristics can't be changed while a transaction is in progress")
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
		return sqlerr.NewError(3061, "User variable name '%s' is illegal", name)
	}
	if at, ok := value.(time.Time); ok && !s.layer.Opts.Plain { // a variable has no date, but its text
		value, typ = store.MomentText(typ, at), types.LongText
	}
	if kept, ok := value.(operand.CollatedText); ok {
		value, typ = kept.Text, types.CreateLongText(kept.Collation)
	} else if t, ok := typ.(sql.StringType); ok && types.IsTextOnly(t) && t.Collation() == sql.Collation_Default { // GMS does not tell the collation
		if c, err := sql.ParseCollation(s.text("character_set_connection"), s.text("collation_connection"), false); err == nil && c.CharacterSet().Encoder() != nil {
			typ = types.CreateLongText(c)
		}
	}
	if wide, ok := wholeType(typ); ok && value != nil && !s.layer.Opts.Plain { // what reads it is planned for it
		v, _, err := wide.Convert(ctx, value)
		if err != nil {
			return err
		}
		value, typ = v, wide
	}
	_, old, err := s.GetUserVariable(ctx, name)
	if err != nil {
		return err
	}
	size := memory.ValueSize(value)
	if old == nil {
		size += variableSize
	}
	if err := memory.OverMemory(s.memory.Keep(size - memory.ValueSize(old))); err != nil {
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

// wholeType is the type that variables of an integer type have.
func wholeType(t sql.Type) (sql.Type, bool) {
	switch {
	case t == nil || !types.IsInteger(t):
		return nil, false
	case types.IsUnsigned(t):
		return types.Uint64, true
	}
	return types.Int64, true
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
	if s.Stmt.dead != nil {
		return nil, s.Stmt.dead
	}
	if s.branch.state != noBranch {
		return nil, s.branch.refuse()
	}
	if s.Trx != nil && s.ddl {
		return s.Trx, nil
	}
	if err := s.layer.CheckWrite(ctx); err != nil {
		return nil, err
	}
	if err := s.commitOpen(ctx); err != nil {
		return nil, err
	}
	s.Trx, s.ddl = s.layer.Eng.BeginDDL(), true
	s.adopt(s.Trx)
	s.follow(ctx)
	s.Stmt.mark, s.Stmt.marked = s.Trx.StartStatement(), true
	return s.Trx, nil
}

// reader returns what definitions are read with: the DDL transaction, which sees its own changes,
// or nil, the newest committed state.
// REQUIRES: s.mu.
func (s *Session) reader() *txn.Trx {
	if s.ddl {
		s.Trx.StartStatement()
		return s.Trx
	}
	return nil
}

// undoStatement goes back to where the statement began. REQUIRES: s.mu.
func (s *Session) undoStatement() error {
	if s.Trx == nil || !s.Stmt.marked {
		return nil
	}
	return s.Undo(s.Stmt.mark)
}

// Undo goes back to a mark of the running transaction. REQUIRES: s.mu, s.trx.
func (s *Session) Undo(m txn.Mark) error {
	if s.Trx.Savepoint() <= m || s.doomed() {
		return nil
	}
	if err := s.Trx.RollbackTo(context.Background(), m); err != nil {
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	return nil
}

// AsStatement runs f, which runs statements, as one: of one that fails nothing stays, and the
// transaction goes on.
func (s *Session) AsStatement(ctx *sql.Context, f func() error) error {
	s.Mu.Lock()
	trx, err := s.Active(ctx)
	var b Bound
	if err == nil {
		b = s.savepoint(trx)
	}
	s.Mu.Unlock()
	if err != nil {
		return err
	}
	err = f()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Trx != trx { // all of it has been rolled back
		return err
	}
	if err != nil {
		err = errors.Join(err, s.Undo(b.Mark))
	}
	s.release(b)
	return err
}

// doomed tells that the transaction is about to be rolled back as a whole, which takes no time
// however much it has changed: nothing of it needs to be undone before.
// REQUIRES: s.mu.
func (s *Session) doomed() bool {
	return s.leaving.Load() || s.Stmt.Failed && s.Stmt.Depth == 0 && s.autocommit()
}
