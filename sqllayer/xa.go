package sqllayer

// Branches of distributed transactions. The names and errors are MySQL's:
//
//	XA START ──> ACTIVE ──XA END──> IDLE ──XA PREPARE──> the session is free again; the branch
//	waits for XA COMMIT or XA ROLLBACK by anybody
//	               ↑ └XA START RESUME┘│└─XA COMMIT ONE PHASE, XA ROLLBACK──> gone
//	               └ a deadlock: XA END ──> ROLLBACK ONLY ──XA ROLLBACK──> gone; XA COMMIT tells
//	               the error again, and the branch is gone
//
// In ACTIVE nothing may end the transaction but XA; in IDLE nothing may touch a table. active,
// definitions, CommitTransaction and Rollback see to that.

import (
	"context"
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
)

// branch is the session's.
// REQUIRES: Session.mu, but for the connection's goroutine, which alone changes it.
type branch struct {
	state  branchState
	xid    txn.XID
	broken *mysql.SQLError // it was rolled back, and this is why
}

type branchState uint8

const (
	noBranch branchState = iota
	branchActive
	branchIdle
	branchRollbackOnly
)

var branchStates = [...]string{"NON-EXISTING", "ACTIVE", "IDLE", "ROLLBACK ONLY"}

const (
	erXANota     = 1397
	erXAInval    = 1398
	erXARmfail   = 1399
	erXAOutside  = 1400
	erXADupID    = 1440
	erXATimeout  = 1613
	erXADeadlock = 1614
	erXATemp     = 4091
)

// XAOption is what follows the name in XA START, END and COMMIT.
type XAOption uint8

// The options. Suspend stands for SUSPEND with or without FOR MIGRATE.
const (
	XAPlain XAOption = iota
	XAJoin
	XAResume
	XASuspend
	XAOnePhase
)

func (b *branch) refuse() error {
	return sqlerr.NewError(erXARmfail, "XAER_RMFAIL: The command cannot be executed when global transaction is in the  %s state", branchStates[b.state])
}

func unknownXID() error { return sqlerr.NewError(erXANota, "XAER_NOTA: Unknown XID") }

func invalidXA() error {
	return sqlerr.NewError(erXAInval, "XAER_INVAL: Invalid arguments (or unsupported command)")
}

// InBranch tells whether the session is in a branch, so that a statement that ends transactions is
// refused with the error of XABusy. For the connection's goroutine.
func (s *Session) InBranch() bool { return s.branch.state != noBranch }

// XABusy is the error of a statement that the session's branch forbids.
func (s *Session) XABusy() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.branch.refuse()
}

// usable tells whether the branch, if there is one, may touch tables. REQUIRES: s.mu.
func (b *branch) usable() error {
	switch {
	case b.broken != nil:
		return b.broken
	case b.state > branchActive:
		return b.refuse()
	}
	return nil
}

// breakBranch notes that the branch's transaction was rolled back. REQUIRES: s.mu.
func (s *Session) breakBranch(why error) {
	switch {
	case s.branch.state == noBranch:
	case errors.Is(why, base.ErrDeadlock):
		s.branch.broken = sqlerr.NewError(erXADeadlock, "XA_RBDEADLOCK: Transaction branch was rolled back: deadlock was detected")
	default:
		s.branch.broken = sqlerr.NewError(erXATimeout, "XA_RBTIMEOUT: Transaction branch was rolled back: took too long")
	}
}

// leaveBranch makes the session one without a branch. REQUIRES: s.mu.
func (s *Session) leaveBranch() {
	s.branch, s.once = branch{}, once{}
	s.SetIgnoreAutoCommit(false)
	s.SetTransaction(nil)
}

// dropBranch forgets the session's branch; its transaction is rolled back by the caller.
// REQUIRES: s.mu.
func (s *Session) dropBranch() {
	if s.branch.state != noBranch {
		s.layer.Eng.ForgetBranch(s.branch.xid)
		s.leaveBranch()
	}
}

// inTransaction tells whether a transaction of the session's own is open. REQUIRES: s.mu.
func (s *Session) inTransaction() bool { return s.Trx != nil || s.GetIgnoreAutoCommit() }

// XAStart is XA START.
func (s *Session) XAStart(ctx *sql.Context, x txn.XID, o XAOption) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := &s.branch
	switch {
	case o == XAResume && b.state == branchIdle:
		if b.xid != x {
			return unknownXID()
		}
		b.state = branchActive
		return nil
	case o != XAPlain:
		return invalidXA()
	case b.state != noBranch:
		return b.refuse()
	case s.inTransaction() || s.locked != nil:
		return sqlerr.NewError(erXAOutside, "XAER_OUTSIDE: Some work is done outside global transaction")
	}
	if err := s.layer.Eng.ReserveBranch(x); errors.Is(err, engine.ErrBranchExists) {
		return sqlerr.NewError(erXADupID, "XAER_DUPID: The XID already exists")
	}
	*b = branch{state: branchActive, xid: x}
	s.readOnly = s.defaultReadOnly()
	s.SetTransaction(&transaction{s})
	s.SetIgnoreAutoCommit(true)
	return nil
}

// XAEnd is XA END.
func (s *Session) XAEnd(x txn.XID, o XAOption) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := &s.branch
	switch {
	case o != XAPlain:
		return invalidXA()
	case b.state != branchActive:
		return b.refuse()
	case b.xid != x:
		return unknownXID()
	case b.broken != nil:
		b.state = branchRollbackOnly
		return b.broken
	}
	b.state = branchIdle
	return nil
}

// XAPrepare is XA PREPARE: the branch leaves the session.
func (s *Session) XAPrepare(ctx *sql.Context, x txn.XID) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch {
	case s.branch.state != branchIdle:
		return s.branch.refuse()
	case s.branch.xid != x:
		return unknownXID()
	}
	s.closeCursors()
	trx := s.branchTrx(ctx)
	if j := trx.Journal; j != nil {
		j.Next = s.journalNext(false)
	}
	s.forget()
	s.leaveBranch()
	defer s.endGTID()
	trx.SetThread(0)
	if err := s.layer.Eng.PrepareBranch(context.WithoutCancel(ctx), trx, x); err != nil {
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	s.endOrigin()
	return nil
}

// branchTrx is the branch's transaction, which begins here if the branch has touched nothing. A
// name that gtid_next gives to a branch without changes is logged as that of an empty transaction.
// REQUIRES: s.mu.
func (s *Session) branchTrx(ctx *sql.Context) *txn.Trx {
	if s.Trx == nil {
		s.Trx = s.layer.Eng.Begin(txn.RepeatableRead, false)
		s.adopt(s.Trx)
		s.follow(ctx)
	}
	if j := s.Trx.Journal; j != nil && s.Trx.Savepoint() == 0 {
		j.Branch = nil
	}
	return s.Trx
}

// XACommit is XA COMMIT.
func (s *Session) XACommit(ctx *sql.Context, x txn.XID, o XAOption) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := &s.branch
	switch {
	case b.state == noBranch:
		return s.endPrepared(ctx, x, true)
	case b.broken != nil && b.xid == x:
		why := b.broken
		s.dropBranch()
		return why
	case b.state != branchIdle || b.xid != x || o != XAOnePhase:
		return b.refuse()
	}
	s.closeCursors()
	trx := s.branchTrx(ctx)
	s.dropBranch()
	if j := trx.Journal; j != nil {
		j.OnePhase = true
	}
	s.SetIgnoreAutoCommit(true) // gtid_next is used up even by a branch that has changed nothing
	defer s.SetIgnoreAutoCommit(false)
	return s.commit(ctx)
}

// XARollback is XA ROLLBACK.
func (s *Session) XARollback(ctx *sql.Context, x txn.XID) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := &s.branch
	switch {
	case b.state == noBranch:
		return s.endPrepared(ctx, x, false)
	case b.state == branchActive || b.xid != x:
		return b.refuse()
	}
	s.closeCursors()
	s.dropBranch()
	defer s.endGTID()
	return s.rollback()
}

// endPrepared ends a branch that belongs to nobody. REQUIRES: s.mu.
func (s *Session) endPrepared(ctx *sql.Context, x txn.XID, commit bool) error {
	if s.inTransaction() {
		return s.branch.refuse()
	}
	// The journal follows a transaction of the session's; here it lends itself to the prepared one.
	own, err := s.Active(ctx)
	if err != nil {
		return err
	}
	j := own.Journal
	own.Journal = nil
	if j != nil {
		j.Next = s.journalNext(false)
	}
	s.forget()
	s.leaveBranch()
	defer s.endGTID()
	if err := s.layer.Eng.Rollback(own); err != nil {
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	err = s.layer.Eng.EndPrepared(context.WithoutCancel(ctx), x, commit, j)
	if errors.Is(err, base.ErrNotFound) {
		return unknownXID()
	}
	if err != nil {
		return sqlerr.Translate(err, s.GetCurrentDatabase())
	}
	return nil
}

// markBranch tells the journal that the transaction it follows is a branch's.
// REQUIRES: s.mu, s.trx.
func (s *Session) markBranch() {
	if s.branch.state == noBranch {
		return
	}
	if j := s.Trx.Journal; j != nil {
		x := s.branch.xid
		j.Branch = &x
	}
}

// XARecover lists the prepared branches.
func (s *Session) XARecover() []txn.XID { return s.layer.Eng.PreparedBranches() }

func temporaryInBranch() error {
	return sqlerr.NewError(erXATemp, "XA: Temporary tables cannot be accessed inside XA transactions when xa_detach_on_prepare=ON")
}
