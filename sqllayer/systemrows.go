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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	rows := SystemRows{ctx: ctx, eng: s.layer.Eng}
	if s.Trx != nil {
		var err error
		if rows.trx, err = s.Active(ctx); err != nil {
			return err
		}
	}
	return fn(rows)
}

// ChangeSystemRows changes rows within the session's transaction. The binary log gets the running
// statement once; a replica that runs it changes the same rows. fn is called with the session
// locked.
func (s *Session) ChangeSystemRows(ctx *sql.Context, fn func(SystemRows) error) error {
	if err := s.layer.CheckWrite(ctx); err != nil {
		return err
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	trx, err := s.Active(ctx)
	if err != nil {
		return err
	}
	if err := fn(SystemRows{ctx: ctx, eng: s.layer.Eng, trx: trx}); err != nil {
		return err
	}
	if text := s.statementText(); trx.Journal != nil && text != "" && !s.Stmt.System {
		s.Stmt.System = true
		if err := trx.Journal.Statement(text); err != nil {
			return fmt.Errorf("logging a change of the mysql schema: %w", err)
		}
	}
	return nil
}

// DefineSystemRows changes rows as a transaction of its own, which the binary log gets as the
// running statement.
func (s *Session) DefineSystemRows(ctx *sql.Context, fn func(SystemRows) error) error {
	if err := s.layer.CheckWrite(ctx); err != nil {
		return err
	}
	eng := s.layer.Eng
	return doLogged(WithLog(ctx), eng, func(tx *txn.Trx) error { return fn(SystemRows{ctx, eng, tx, true}) })
}

// HeldRows are system rows in a transaction of the server's own, which the binary log does not see.
type HeldRows struct{ SystemRows }

// HoldSystemRows begins the transaction. Its reads see what was committed before the first of them.
func (l *Layer) HoldSystemRows(ctx context.Context) HeldRows {
	return HeldRows{SystemRows{ctx, l.Eng, l.Eng.Begin(txn.ReadCommitted, false), true}}
}

// End ends it.
func (h HeldRows) End(commit bool) error {
	if commit {
		return h.eng.Commit(context.WithoutCancel(h.ctx), h.trx)
	}
	return h.eng.Rollback(h.trx)
}
