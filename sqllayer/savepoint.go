package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
)

// Savepoints of the running transaction.

// missingSavepoint is the error for a savepoint that is not there. GMS makes one of its own around
// statements that fire triggers, which is gone with the transaction of a deadlock's victim.
func missingSavepoint(name string) error {
	if name == rowexec.TriggerSavePointPrefix {
		return nil
	}
	return sql.ErrSavepointDoesNotExist.New(name)
}

// CreateSavepoint implements sql.TransactionSession. A savepoint of the same name is replaced.
func (s *Session) CreateSavepoint(ctx *sql.Context, _ sql.Transaction, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	trx, err := s.Active(ctx)
	if err != nil {
		return err
	}
	if i := s.findSavepoint(name); i >= 0 {
		s.release(s.savepoints[i].Bound)
		s.savepoints = append(s.savepoints[:i], s.savepoints[i+1:]...)
	}
	s.savepoints = append(s.savepoints, savepoint{name, s.savepoint(trx), trx.Metas()})
	return nil
}

// RollbackToSavepoint implements sql.TransactionSession. The metadata locks that were taken since
// go: nothing is left of what was done under them.
func (s *Session) RollbackToSavepoint(_ *sql.Context, _ sql.Transaction, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	i := s.findSavepoint(name)
	if i < 0 || s.Trx == nil {
		return missingSavepoint(name)
	}
	s.dropSavepoints(i + 1)
	if err := s.Undo(s.savepoints[i].Mark); err != nil {
		return err
	}
	s.layer.Eng.Locks().ReleaseMetaSince(&s.Trx.Owner, s.savepoints[i].metas)
	s.warnTemporary()
	return nil
}

// ReleaseSavepoint implements sql.TransactionSession.
func (s *Session) ReleaseSavepoint(_ *sql.Context, _ sql.Transaction, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	i := s.findSavepoint(name)
	if i < 0 {
		return missingSavepoint(name)
	}
	s.dropSavepoints(i)
	return nil
}

// dropSavepoints releases those from i on. REQUIRES: s.mu.
func (s *Session) dropSavepoints(i int) {
	for _, sp := range s.savepoints[i:] {
		s.release(sp.Bound)
	}
	s.savepoints = s.savepoints[:i]
}

// findSavepoint returns the position of the savepoint, -1 if there is none. Names ignore case.
func (s *Session) findSavepoint(name string) int {
	for i, sp := range s.savepoints {
		if strings.EqualFold(sp.name, name) {
			return i
		}
	}
	return -1
}
