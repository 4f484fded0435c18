package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/txn"
	"emberdb/sqllayer"
)

// systemEditor changes rows that the session's transaction takes back when a statement, or with
// IGNORE a row, fails.
type systemEditor struct {
	virtualEditor
	trx    *txn.Trx
	bound  sqllayer.Bound
	logged bool // at the bound, the binary log had the statement
}

// StatementBegin implements sql.EditOpenerCloser.
func (e *systemEditor) StatementBegin(ctx *sql.Context) {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if e.trx != nil && e.trx == s.Trx {
		e.bound.Move(e.trx)
		e.logged = s.Stmt.System
	}
}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *systemEditor) DiscardChanges(ctx *sql.Context, cause error) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return nil
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if _, ignorable := cause.(sql.IgnorableError); !ignorable {
		s.Stmt.Failed = true
	}
	if e.trx == nil || e.trx != s.Trx {
		return nil
	}
	s.Stmt.System = e.logged
	return s.Undo(e.bound.Mark)
}

// Insert implements sql.RowInserter.
func (e *systemEditor) Insert(ctx *sql.Context, row sql.Row) error { return e.write(ctx, nil, row) }

// Delete implements sql.RowDeleter.
func (e *systemEditor) Delete(ctx *sql.Context, row sql.Row) error { return e.write(ctx, row, nil) }

// Update implements sql.RowUpdater.
func (e *systemEditor) Update(ctx *sql.Context, old, changed sql.Row) error {
	return e.write(ctx, old, changed)
}

// write makes the point before the first change the one that DiscardChanges goes back to.
func (e *systemEditor) write(ctx *sql.Context, old, changed sql.Row) error {
	if s := sqllayer.SessionOf(ctx); s != nil {
		s.Mu.Lock()
		trx, err := s.Active(ctx)
		if err == nil && e.trx != trx {
			e.trx = trx
			e.bound.Move(trx)
			e.logged = s.Stmt.System
		}
		s.Mu.Unlock()
		if err != nil {
			return err
		}
	}
	return e.change(ctx, old, changed)
}
