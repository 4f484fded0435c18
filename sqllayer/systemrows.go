package sqllayer

import (
	"context"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/engine/txn"
)

// systemRows is the namespace of rows of the mysql schema that clients have written.
const systemRows = "grants"

// SystemRows are key-value rows in which the server keeps what clients write to tables of the mysql
// schema. They belong to a transaction: they are seen, locked and rolled back as rows of tables are.
type SystemRows struct {
	ctx context.Context
	eng *engine.Engine
	trx *txn.Trx // nil: the newest committed rows, to be read only
	own bool     // trx is the server's: each of its reads is a statement
}

// Lock returns the newest value of a key and keeps others from changing it until the transaction
// ends.
func (r SystemRows) Lock(key string) (value []byte, found bool, err error) {
	return r.eng.LockKV(r.ctx, r.trx, systemRows, key)
}

// Put sets the value of a key.
func (r SystemRows) Put(key string, value []byte) error {
	return r.eng.PutKV(r.ctx, r.trx, systemRows, key, value)
}

// Delete removes a key; a missing one is no error.
func (r SystemRows) Delete(key string) error {
	return r.eng.DeleteKV(r.ctx, r.trx, systemRows, key)
}

// Each calls fn for every key that begins with prefix, in order. The value is valid during the
// call.
func (r SystemRows) Each(prefix string, fn func(key string, value []byte) error) error {
	if r.trx == nil {
		return r.eng.ListKV(r.ctx, nil, systemRows, prefix, fn)
	}
	if r.own {
		r.trx.StartStatement()
	}
	return r.eng.ScanKV(r.ctx, r.trx, systemRows, prefix, fn)
}

// ReadSystemRows reads as the session's transaction does.
func (s *Session) ReadSystemRows(ctx *sql.Context, fn func(SystemRows) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := SystemRows{ctx: ctx, eng: s.layer.eng}
	if s.trx != nil {
		var err error
		if rows.trx, err = s.active(ctx); err != nil {
			return err
		}
	}
	return fn(rows)
}

// ChangeSystemRows changes rows within the session's transaction. The binary log gets the running
// statement once; a replica that runs it changes the same rows. fn is called with the session
// locked.
func (s *Session) ChangeSystemRows(ctx *sql.Context, fn func(SystemRows) error) error {
	if err := s.layer.mayWrite(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	trx, err := s.active(ctx)
	if err != nil {
		return err
	}
	if err := fn(SystemRows{ctx: ctx, eng: s.layer.eng, trx: trx}); err != nil {
		return err
	}
	if text := s.statementText(); trx.Journal != nil && text != "" && !s.stmt.system {
		s.stmt.system = true
		if err := trx.Journal.Statement(text); err != nil {
			return fmt.Errorf("logging a change of the mysql schema: %w", err)
		}
	}
	return nil
}

// DefineSystemRows changes rows as a transaction of its own, which the binary log gets as the
// running statement.
func (s *Session) DefineSystemRows(ctx *sql.Context, fn func(SystemRows) error) error {
	if err := s.layer.mayWrite(ctx); err != nil {
		return err
	}
	eng := s.layer.eng
	return doLogged(WithLog(ctx), eng, func(tx *txn.Trx) error { return fn(SystemRows{ctx, eng, tx, true}) })
}

// HeldRows are system rows in a transaction of the server's own, which the binary log does not see.
type HeldRows struct{ SystemRows }

// HoldSystemRows begins the transaction. Its reads see what was committed before the first of them.
func (l *Layer) HoldSystemRows(ctx context.Context) HeldRows {
	return HeldRows{SystemRows{ctx, l.eng, l.eng.Begin(txn.ReadCommitted, false), true}}
}

// End ends it.
func (h HeldRows) End(commit bool) error {
	if commit {
		return h.eng.Commit(context.WithoutCancel(h.ctx), h.trx)
	}
	return h.eng.Rollback(h.trx)
}

// systemEditor changes rows that the session's transaction takes back when a statement, or with
// IGNORE a row, fails.
type systemEditor struct {
	virtualEditor
	trx    *txn.Trx
	bound  bound
	logged bool // at the bound, the binary log had the statement
}

// StatementBegin implements sql.EditOpenerCloser.
func (e *systemEditor) StatementBegin(ctx *sql.Context) {
	s := sessionOf(ctx)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.trx != nil && e.trx == s.trx {
		e.bound.move(e.trx)
		e.logged = s.stmt.system
	}
}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *systemEditor) DiscardChanges(ctx *sql.Context, cause error) error {
	s := sessionOf(ctx)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ignorable := cause.(sql.IgnorableError); !ignorable {
		s.stmt.failed = true
	}
	if e.trx == nil || e.trx != s.trx {
		return nil
	}
	s.stmt.system = e.logged
	return s.undo(e.bound.mark)
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
	if s := sessionOf(ctx); s != nil {
		s.mu.Lock()
		trx, err := s.active(ctx)
		if err == nil && e.trx != trx {
			e.trx = trx
			e.bound.move(trx)
			e.logged = s.stmt.system
		}
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return e.change(ctx, old, changed)
}
