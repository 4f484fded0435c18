package operand

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
)

// AsideSize is how many bytes the operands of a call have together that runs aside: a starting
// goroutine costs little beside them.
const AsideSize = 128 << 10

// Aside counts the calls of one server that were left behind.
type Aside struct{ Left chan struct{} }

// asideOwner is a session whose large calls run aside.
type asideOwner interface{ Aside() *Aside }

// asideOf is the count of a session's server; nil: none of its calls run aside.
func asideOf(s sql.Session) *Aside {
	if owner, ok := Able[asideOwner](s); ok {
		return owner.Aside()
	}
	return nil
}

// RunAside runs a call on a goroutine of its own.
func RunAside(ctx *sql.Context, call func(*sql.Context) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a := asideOf(ctx.Session)
	if a == nil { // a call that runs aside already, or no session of a client
		return call(ctx)
	}
	lent := &lentSession{Session: ctx.Session}
	inner := ctx.WithContext(ctx.Context)
	inner.Session = lent
	done := make(chan outcome, 1)
	go func() {
		out := outcome{}
		defer func() {
			out.panicked = recover()
			done <- out
		}()
		out.value, out.err = call(inner)
	}()
	select {
	case out := <-done:
		return out.result()
	case <-ctx.Done():
	}
	select {
	case a.Left <- struct{}{}:
		lent.takeBack()
		go func() {
			<-done
			<-a.Left
		}()
	default:
		<-done
	}
	return nil, ctx.Err()
}

// outcome is what a call came to.
type outcome struct {
	value    any
	err      error
	panicked any
}

// result is the outcome as the call itself would have told it.
func (o outcome) result() (any, error) {
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.value, o.err
}

// lentSession is the session of a call that runs aside, until it is taken back. It guards what
// functions ask of a session.
type lentSession struct {
	sql.Session
	mu    sync.Mutex
	taken bool
}

// takeBack ends what the call may do with the session.
func (l *lentSession) takeBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = true
}

// lend asks the session for something; false: it was taken back.
func lend[T any](l *lentSession, ask func(sql.Session) T) (out T, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken {
		return out, false
	}
	return ask(l.Session), true
}

// Warn implements sql.Session.
func (l *lentSession) Warn(w *sql.Warning) {
	lend(l, func(s sql.Session) bool { s.Warn(w); return true })
}

// GetSessionVariable implements sql.Session.
func (l *lentSession) GetSessionVariable(ctx *sql.Context, name string) (v any, err error) {
	_, ok := lend(l, func(s sql.Session) bool { v, err = s.GetSessionVariable(ctx, name); return true })
	if !ok {
		err = sql.ErrUnknownSystemVariable.New(name)
	}
	return v, err
}

// GetUserVariable implements sql.Session.
func (l *lentSession) GetUserVariable(ctx *sql.Context, name string) (t sql.Type, v any, err error) {
	lend(l, func(s sql.Session) bool { t, v, err = s.GetUserVariable(ctx, name); return true })
	return t, v, err
}

// GetCharacterSet implements sql.Session.
func (l *lentSession) GetCharacterSet() sql.CharacterSetID {
	if c, ok := lend(l, sql.Session.GetCharacterSet); ok {
		return c
	}
	return sql.Collation_Default.CharacterSet()
}

// GetCharacterSetResults implements sql.Session.
func (l *lentSession) GetCharacterSetResults() sql.CharacterSetID {
	if c, ok := lend(l, sql.Session.GetCharacterSetResults); ok {
		return c
	}
	return sql.Collation_Default.CharacterSet()
}

// GetCollation implements sql.Session.
func (l *lentSession) GetCollation() sql.CollationID {
	if c, ok := lend(l, sql.Session.GetCollation); ok {
		return c
	}
	return sql.Collation_Default
}

// ProgramVariable implements programs.
func (l *lentSession) ProgramVariable(name string) (v any, t sql.Type, ok bool) {
	lend(l, func(s sql.Session) bool {
		if p, is := Able[Programs](s); is {
			v, t, ok = p.ProgramVariable(name)
		}
		return true
	})
	return v, t, ok
}

// MayBeLarge tells values whose size is worth a look.
func MayBeLarge(v any) bool {
	switch v.(type) {
	case string, []byte, Bytes, sql.JSONWrapper:
		return true
	}
	return false
}
