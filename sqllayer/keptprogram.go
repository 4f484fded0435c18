package sqllayer

// Stored programs made ready to run: read, and with what is compiled of them as they run. A session
// keeps those that it has run for their next run.
//
// Invariants:
//
//	(1) A program that is kept is the dictionary's: its definition is compared whenever the
//	    dictionary has changed.
//	(2) A program runs once at a time. One that is called while it runs is read anew.
//	(3) What a session keeps is accounted to it, and bounded. Large values do not outlive the run.

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/internal/quota"
	"emberdb/sqllayer/trees"
)

// callable is a procedure or function that is ready to run.
type callable struct {
	db      *Database
	name    string
	Params  sql.Schema
	ways    []plan.ProcedureParamDirection // of a procedure's parameters
	returns *sql.Column                    // of a function
	body    *program
	texts   bool       // of a trigger: it has statements that run by their text
	row     rowColumns // of a trigger

	mode    string
	invoker bool // SQL SECURITY
	definer trees.Role
}

// keptProgram is a program with the definition that it was made of.
type keptProgram struct {
	*callable
	key     programKey
	data    []byte // the definition
	version uint64 // of the dictionary when it was compared
	size    int64  // that is accounted for
	used    uint64 // counts runs of the session's programs
	running bool
}

// programKey addresses a program in the dictionary.
type programKey struct {
	kind         catalog.Kind
	schema, name string
}

// keptPrograms are those of a session.
type keptPrograms struct {
	mu    sync.Mutex
	byKey map[programKey]*keptProgram
	size  int64
	runs  uint64
}

// The most that a session keeps.
const (
	mostKept     = 256
	mostKeptSize = 4 << 20 // estimated
	largeValue   = 16 << 10
)

// programMaker reads a definition; text is the program's.
type programMaker func(ctx *sql.Context, d *Database, data []byte) (c *callable, text string, err error)

// readyProgram finds a program that is ready to run; nil: there is none of that name. The caller
// runs it and then gives it back.
func (s *Session) readyProgram(ctx *sql.Context, d *Database, kind catalog.Kind, name string, read programMaker) (*keptProgram, error) {
	key := programKey{kind, d.name, strings.ToLower(name)}
	version := s.layer.Eng.DictVersion() // before the look: what changes meanwhile is looked at the next time
	if p := s.kept.take(key, func(p *keptProgram) bool { return p.version == version }); p != nil {
		return p, nil
	}
	o, ok, err := d.object(ctx, kind, name)
	if err != nil || !ok {
		return nil, err
	}
	same := func(p *keptProgram) bool { return bytes.Equal(p.data, o.Data) && p.db.Collation == d.Collation }
	if p := s.kept.take(key, same); p != nil {
		p.version = version
		p.body.code.again()
		return p, nil
	}
	c, text, err := read(ctx, d, o.Data)
	if err != nil {
		return nil, err
	}
	p := &keptProgram{callable: c, key: key, data: o.Data, version: version, size: trees.TreeSize(text) + int64(len(o.Data)), running: true}
	s.kept.Put(p, s.memory)
	return p, nil
}

// take begins a run of a program that is kept and does not run; nil: there is none for which right
// holds.
func (k *keptPrograms) take(key programKey, right func(p *keptProgram) bool) *keptProgram {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.byKey[key]
	if p == nil || p.running || !right(p) {
		return nil
	}
	k.runs++
	p.used, p.running = k.runs, true
	return p
}

// Done ends a run; large: the program has held large values.
func (s *Session) Done(p *keptProgram, large bool) {
	if large {
		p.body.code.forget()
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	p.running = false
}

// Put keeps a program that runs, if there is memory for it. It takes the place of one that does not
// run; those that were not used for the longest time make room.
func (k *keptPrograms) Put(p *keptProgram, memory *quota.Account) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.byKey[p.key]
	if old != nil && old.running || p.size > mostKeptSize {
		return
	}
	for old != nil || len(k.byKey) >= mostKept || k.size+p.size > mostKeptSize {
		if old == nil {
			for _, other := range k.byKey {
				if old == nil || other.used < old.used {
					old = other
				}
			}
		}
		delete(k.byKey, old.key)
		k.size -= old.size
		_ = memory.Keep(-old.size)
		old = nil
	}
	if memory.Keep(p.size) != nil {
		return
	}
	if k.byKey == nil {
		k.byKey = make(map[programKey]*keptProgram)
	}
	k.runs++
	p.used = k.runs
	k.byKey[p.key] = p
	k.size += p.size
}

// again lets steps be made again that were given up: the dictionary has changed.
func (c *code) again() {
	for _, d := range c.steps {
		d.tries = 0
	}
}

// forget lets the values of the last run go.
func (c *code) forget() {
	for _, e := range c.exprs {
		clear(e.row)
		for i := range e.slots {
			e.slots[i].frame, e.slots[i].found = nil, nil
		}
	}
	for _, d := range c.steps {
		for i := range d.params {
			d.params[i].slot.frame, d.params[i].slot.found = nil, nil
		}
	}
}

// isLarge tells values that are not kept behind the run of a program.
func isLarge(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) > largeValue
	case []byte:
		return len(v) > largeValue
	case sql.JSONWrapper, types.GeometryValue:
		return true
	}
	return false
}

// readText parses the text of a program under its sql_mode, in its database.
func (d *Database) readText(ctx *sql.Context, text, mode string) (*ast.DDL, error) {
	s := SessionOf(ctx)
	restore, err := s.inMode(ctx, mode)
	if err != nil {
		return nil, err
	}
	defer restore()
	defer s.SetCurrentDatabase(s.GetCurrentDatabase())
	s.SetCurrentDatabase(d.name)
	stmt, _, err := (&Parser{Plain: d.Layer.Opts.Plain}).ParseOneWithOptions(ctx, text, sql.NewSqlModeFromString(mode).ParserOptions())
	if err != nil {
		return nil, err
	}
	ddl, ok := stmt.(*ast.DDL)
	if !ok {
		return nil, fmt.Errorf("the text of a stored program cannot be read")
	}
	return ddl, nil
}

// procedure makes a procedure ready.
func (d *Database) procedure(ctx *sql.Context, stored StoredProcedure) (*callable, error) {
	ddl, err := d.readText(ctx, stored.CreateStatement, stored.SqlMode)
	if err != nil {
		return nil, err
	}
	if ddl.ProcedureSpec == nil {
		return nil, fmt.Errorf("procedure %s.%s cannot be read", d.name, stored.Name)
	}
	body, ok := ddl.ProcedureSpec.Body.(*program)
	if !ok {
		return nil, fmt.Errorf("procedure %s.%s cannot be read", d.name, stored.Name)
	}
	c := &callable{db: d, name: stored.Name, body: body, mode: stored.SqlMode, definer: RoleOf(stored.Completed(d, ddl.ProcedureSpec.Definer).Definer)}
	for _, of := range ddl.ProcedureSpec.Characteristics {
		c.invoker = c.invoker || of.Type == ast.CharacteristicValue_SqlSecurityInvoker
	}
	for i := range ddl.ProcedureSpec.Params {
		p := &ddl.ProcedureSpec.Params[i]
		column, err := d.declaredColumn(p.Name, p.Type)
		if err != nil {
			return nil, err
		}
		way := plan.ProcedureParamDirection_In
		switch p.Direction {
		case ast.ProcedureParamDirection_Inout:
			way = plan.ProcedureParamDirection_Inout
		case ast.ProcedureParamDirection_Out:
			way = plan.ProcedureParamDirection_Out
		}
		c.Params, c.ways = append(c.Params, column), append(c.ways, way)
	}
	return c, nil
}
