package expr

import (
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// A function may look at a value of many megabytes in one call, which knows no statement that ends:
// it reads a JSON document, hashes a text, intersects polygons. Such a call runs on a goroutine of
// its own while its statement waits for it, so that the statement can end at once. The call then
// goes on until it is through, and its result is dropped.
//
// Invariants:
//
//	(1) A call that was left behind does not touch the session: the session it sees is lent, and
//	    was taken back.
//	(2) At most mostLeft calls of a server go on behind their statements. Who finds so many waits
//	    for its own call, also when it is killed.
//	(3) Only functions of their operands run aside, with operands that were evaluated before.

// asideSize is how many bytes the operands of a call have together that runs aside: a starting
// goroutine costs little beside them.
const asideSize = 128 << 10

// mostLeft is how many calls may go on whose statements have ended.
const mostLeft = 8

// Aside counts the calls of one server that were left behind.
type Aside struct{ left chan struct{} }

// NewAside makes the count of a server.
func NewAside() *Aside { return &Aside{make(chan struct{}, mostLeft)} }

// asideOwner is a session whose large calls run aside.
type asideOwner interface{ Aside() *Aside }

// aside runs a call, on a goroutine of its own if its operands are of so many bytes together.
func aside(ctx *sql.Context, size int64, call func(*sql.Context) (any, error)) (any, error) {
	if size < asideSize {
		return call(ctx)
	}
	return runAside(ctx, call)
}

// runAside runs a call on a goroutine of its own.
func runAside(ctx *sql.Context, call func(*sql.Context) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	owner, ok := ctx.Session.(asideOwner)
	if !ok { // a call that runs aside already, or no session of a client
		return call(ctx)
	}
	a, lent := owner.Aside(), &lentSession{Session: ctx.Session}
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
	case a.left <- struct{}{}:
		lent.takeBack()
		go func() {
			<-done
			<-a.left
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
		if p, is := s.(programs); is {
			v, t, ok = p.ProgramVariable(name)
		}
		return true
	})
	return v, t, ok
}

// mayBeLarge tells values whose size is worth a look.
func mayBeLarge(v any) bool {
	switch v.(type) {
	case string, []byte, Bytes, sql.JSONWrapper:
		return true
	}
	return false
}

// operatorAside lets an operator of texts or documents run aside that has no name; nil: its operands
// are small.
func operatorAside(ctx *sql.Context, e sql.Expression) (sql.Expression, error) {
	switch e.(type) {
	case *expression.Like, *expression.Convert, *function.Trim, *Arithmetic, *Bitwise:
	default:
		return nil, nil
	}
	b, err := newBounded(ctx, operator, sql.FunctionN{Name: operator, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return e.WithChildren(ctx, args...)
	}}, e.Children())
	if err != nil || b.(*Bounded).small || !b.Resolved() {
		return nil, err
	}
	return b, nil
}

// operator is the name of what has none.
const operator = "operator"

// asideFunctions are those of the table that look at whole values, beside the functions of
// documents, geometries and regular expressions. They are functions of their operands alone.
var asideFunctions = map[string]bool{
	"aes_decrypt": true, "aes_encrypt": true, "bit_count": true, "bit_length": true, "char_length": true, "character_length": true, "compress": true,
	"concat": true, "concat_ws": true, "crc32": true, "export_set": true, "find_in_set": true, "from_base64": true, "gtid_subset": true, "gtid_subtract": true, "hex": true, "insert": true,
	"instr": true, "lcase": true, "left": true, "length": true, "locate": true, "lower": true, "lpad": true, "ltrim": true, "make_set": true,
	"md5": true, "mid": true, "octet_length": true, "quote": true, "repeat": true, "replace": true, "reverse": true, "right": true, "rpad": true,
	"rtrim": true, "sha": true, "sha1": true, "sha2": true, "soundex": true, "statement_digest": true, "statement_digest_text": true, "strcmp": true,
	"substr": true, "substring": true, "substring_index": true, "to_base64": true, "ucase": true, "uncompress": true, "unhex": true, "upper": true,
	operator: true, "trim": true, "extractvalue": true, "updatexml": true, "geometrycollection": true, "geomcollection": true, "linestring": true, "multilinestring": true,
	"multipoint": true, "multipolygon": true, "polygon": true,
}

// notAside are functions of those prefixes that see more than one row, or rows of their own.
var notAside = map[string]bool{"json_arrayagg": true, "json_objectagg": true, "json_table": true, "st_collect": true}

// runsAside tells whether a function looks at whole values.
func runsAside(name string) bool {
	if asideFunctions[name] {
		return true
	}
	for _, prefix := range []string{"json_", "st_", "mbr", "regexp_"} {
		if strings.HasPrefix(name, prefix) {
			return !notAside[name]
		}
	}
	return false
}
