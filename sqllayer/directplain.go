package sqllayer

// Statements of package compiled that touch no table: transaction control, SET, SELECT without
// FROM.

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// Start says how START TRANSACTION begins.
type Start struct {
	ReadOnly, ReadWrite, Snapshot bool
}

// StartDirect is BEGIN. ok is false if GMS has to do it.
func (s *Session) StartDirect(ctx *sql.Context, how Start) (ok bool, err error) {
	if s.InBranch() || !s.beginDirect(false) {
		return false, nil
	}
	defer s.mu.Unlock()
	if s.trx != nil {
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
	if s.InBranch() || !s.beginDirect(false) {
		return false, nil
	}
	defer s.mu.Unlock()
	switch {
	case s.trx == nil:
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
	if s.InBranch() || !s.beginDirect(false) {
		return false, nil
	}
	if s.GetTransaction() == nil {
		s.readOnly = s.defaultReadOnly()
		s.SetTransaction(&transaction{s})
	}
	s.mu.Unlock() // f calls what GMS would call
	err = f(s.GetTransaction())
	s.mu.Lock()
	auto := s.autocommit()
	if err = s.FinishDirect(ctx, err); auto {
		s.SetTransaction(nil)
	}
	return true, err
}

// Root is the plan of the statement that runs, nil if there is none.
func (s *Session) Root() sql.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stmt.root
}
