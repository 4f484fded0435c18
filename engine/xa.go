package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Branches of distributed transactions (XA), by name.
//
//	ReserveBranch ──> a session works in it ──PrepareBranch──> prepared ──EndPrepared──> gone
//	                        └──ForgetBranch──> gone              ↑ and after a start
//
// A prepared branch belongs to nobody: any session ends it. It keeps its locks, and the metadata
// locks of the tables it has changed, across a restart. The name of one that is being ended is
// still taken.

// ErrBranchExists: the name is taken.
var ErrBranchExists = errors.New("the branch exists")

type branches struct {
	mu     sync.Mutex
	byName map[txn.XID]*txn.Trx // nil: not prepared, or being ended
	order  []txn.XID            // of the prepared ones, oldest first
}

// ReserveBranch takes a name for a branch that begins.
func (e *Engine) ReserveBranch(x txn.XID) error {
	b := &e.branches
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.byName[x]; ok {
		return ErrBranchExists
	}
	b.setLocked(x, nil)
	return nil
}

// ForgetBranch gives a name back.
func (e *Engine) ForgetBranch(x txn.XID) {
	e.branches.mu.Lock()
	defer e.branches.mu.Unlock()
	delete(e.branches.byName, x)
}

func (b *branches) setLocked(x txn.XID, tx *txn.Trx) {
	if b.byName == nil {
		b.byName = make(map[txn.XID]*txn.Trx)
	}
	b.byName[x] = tx
}

// keep files a prepared transaction.
func (b *branches) keep(tx *txn.Trx) {
	b.mu.Lock()
	defer b.mu.Unlock()
	x := tx.Branch().XID
	b.setLocked(x, tx)
	b.order = append(b.order, x)
}

// PreparedBranches lists the prepared branches, oldest first.
func (e *Engine) PreparedBranches() (all []txn.XID) {
	e.branches.mu.Lock()
	defer e.branches.mu.Unlock()
	return append(all, e.branches.order...)
}

// PrepareBranch prepares tx, whose branch was reserved. An error has ended tx and forgotten the
// branch.
func (e *Engine) PrepareBranch(_ context.Context, tx *txn.Trx, x txn.XID) error {
	err := e.txns.Prepare(tx, txn.Branch{XID: x, Holds: tx.MetaNames(lock.MetaSharedWrite)}, e.syncMode())
	if err != nil {
		e.leave(tx, false)
		e.ForgetBranch(x)
		return err
	}
	e.branches.keep(tx)
	return nil
}

// EndPrepared commits a prepared branch or rolls it back; base.ErrNotFound if there is none of that
// name. j, which may be nil, logs it if the branch was logged. A branch whose end could not be
// logged stays prepared.
func (e *Engine) EndPrepared(_ context.Context, x txn.XID, commit bool, j *txn.Journal) error {
	defer j.Leave()
	tx := e.takePrepared(x)
	if tx == nil {
		return fmt.Errorf("branch %s: %w", x, base.ErrNotFound)
	}
	err := e.txns.EndPrepared(tx, commit, e.syncMode(), j)
	if !tx.Ended() {
		e.branches.keep(tx)
		return err
	}
	e.leave(tx, commit && err == nil)
	e.ForgetBranch(x)
	return err
}

// takePrepared takes a prepared transaction out, so that only one ends it.
func (e *Engine) takePrepared(x txn.XID) *txn.Trx {
	b := &e.branches
	b.mu.Lock()
	defer b.mu.Unlock()
	tx := b.byName[x]
	if tx == nil {
		return nil
	}
	b.byName[x] = nil
	for i := range b.order {
		if b.order[i] == x {
			b.order = append(b.order[:i:i], b.order[i+1:]...)
			break
		}
	}
	return tx
}

// recoverBranches takes up the prepared transactions that a start has found, before anybody else
// may lock anything.
func (e *Engine) recoverBranches() error {
	all := e.txns.Prepared()
	for _, tx := range all {
		b := tx.Branch()
		for _, name := range b.Holds {
			if err := e.locks.LockMeta(context.Background(), &tx.Owner, name, lock.MetaSharedWrite, lock.Transaction, 0); err != nil {
				return fmt.Errorf("prepared transaction %s: metadata lock of %q: %w", b.XID, name, err)
			}
		}
		e.branches.keep(tx)
	}
	if len(all) > 0 {
		e.o.Logger.Warn("prepared XA transactions wait for XA COMMIT or XA ROLLBACK", "transactions", len(all))
	}
	return nil
}
