package compiled

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/internal/base"
	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// Statements without tables.
//
//	BEGIN, COMMIT, SAVEPOINT x, ...   are told by their words, see Control: no cache, as names of savepoints are often made up anew
//	SET of variables of the session   keeps GMS's plan, whose right sides are literals and variables, and runs it again
//	SELECT without FROM               keeps the expressions of GMS's plan, if they are literals, variables and functions that ask for nothing but the session's state
//
// The latter two are cached by their whole text: nothing of it is a parameter.

// maxPlain is the longest text of such a statement.
const maxPlain = 250

// mayControl tells by the first letters texts that may be transaction control from the many that
// are not.
func mayControl(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	switch [2]byte{text[0] | 0x20, text[1] | 0x20} {
	case [2]byte{'b', 'e'}, [2]byte{'s', 't'}, [2]byte{'s', 'a'}, [2]byte{'c', 'o'}, [2]byte{'r', 'o'}, [2]byte{'r', 'e'}:
		return true
	}
	return false
}

// Control makes the program of a statement of transaction control; nil if text is none, or GMS has
// to look at it.
func Control(text []byte) *Program {
	if len(text) > maxPlain || !mayControl(text) {
		return nil
	}
	w := bytes.Fields(text)
	is := func(i int, word string) bool { return i < len(w) && strings.EqualFold(string(w[i]), word) }
	n := len(w)
	switch {
	case n == 1 && is(0, "BEGIN"), n == 2 && is(0, "START") && is(1, "TRANSACTION"):
		return &Program{verb: verbBegin}
	case n == 1 && is(0, "COMMIT"):
		return &Program{verb: verbCommit}
	case n == 1 && is(0, "ROLLBACK"):
		return &Program{verb: verbRollback}
	case n == 4 && is(0, "START") && is(1, "TRANSACTION") && is(2, "READ") && is(3, "ONLY"):
		return &Program{verb: verbBegin, start: sqllayer.Start{ReadOnly: true}}
	case n == 4 && is(0, "START") && is(1, "TRANSACTION") && is(2, "READ") && is(3, "WRITE"):
		return &Program{verb: verbBegin, start: sqllayer.Start{ReadWrite: true}}
	case n == 5 && is(0, "START") && is(1, "TRANSACTION") && is(2, "WITH") && is(3, "CONSISTENT") && is(4, "SNAPSHOT"):
		return &Program{verb: verbBegin, start: sqllayer.Start{Snapshot: true}}
	case n == 2 && is(0, "SAVEPOINT"):
		return savepoint(verbSavepoint, w[1])
	case n == 3 && is(0, "RELEASE") && is(1, "SAVEPOINT"):
		return savepoint(verbRelease, w[2])
	case n == 3 && is(0, "ROLLBACK") && is(1, "TO"):
		return savepoint(verbRollbackTo, w[2])
	case n == 4 && is(0, "ROLLBACK") && is(1, "TO") && is(2, "SAVEPOINT"):
		return savepoint(verbRollbackTo, w[3])
	}
	return nil
}

// savepoint takes a name that is certainly one.
func savepoint(v verb, name []byte) *Program {
	quoted := len(name) > 2 && name[0] == '`' && name[len(name)-1] == '`'
	if quoted {
		name = name[1 : len(name)-1]
	}
	digit := false
	for _, c := range name {
		if !isWord(c) || c >= 0x80 {
			return nil
		}
		digit = digit || isDigit(c)
	}
	if !quoted && (isDigit(name[0]) || !digit) {
		// A word of the grammar?
		if _, err := ast.Parse("SAVEPOINT " + string(name)); err != nil || isDigit(name[0]) {
			return nil
		}
	}
	return &Program{verb: v, savepoint: string(name)}
}

// Plain tells texts that may be a statement without tables of the kinds above. Words that look like
// a part of one are enough to leave it alone.
func Plain(text []byte) bool {
	if len(text) > maxPlain || len(text) < 5 || bytes.ContainsAny(text, ";#\x00") || bytes.Contains(text, []byte("/*")) || bytes.Contains(text, []byte("--")) {
		return false
	}
	switch {
	case bytes.EqualFold(text[:4], []byte("SET ")):
		return true
	case bytes.EqualFold(text[:4], []byte("SELE")):
		return !hasWord(text, "FROM") && !hasWord(text, "_COUNT") && !hasWord(text, "INTO")
	}
	return false
}

// hasWord tells whether text contains word in any case.
func hasWord(text []byte, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0]|0x20 && strings.EqualFold(string(text[i:i+len(word)]), word) {
			return true
		}
	}
	return false
}

// withoutTables compiles SET, or SELECT without FROM.
func withoutTables(ctx *sql.Context, src *Source) *Program {
	if set, ok := src.Plan.(*plan.Set); ok {
		for _, e := range set.Exprs {
			f, ok := e.(*expression.SetField)
			need(ok && settable(f.LeftChild) && constant(ctx, f.RightChild, true))
			need(len(set.Exprs) == 1 || fits(ctx, f))
		}
		return &Program{verb: verbSet, plan: set}
	}
	project, ok := src.Plan.(*plan.Project)
	need(ok && len(project.Projections) == len(src.Fields))
	t, ok := project.Child.(*plan.ResolvedTable)
	need(ok && plan.IsDualTable(t.Table))
	p := &Program{verb: verbPlain, plain: project.Projections}
	for i, e := range project.Projections {
		need(constant(ctx, e, false))
		f := src.Fields[i]
		_, number := integerSizes[f.Type]
		need(number || textTypes[f.Type])
		p.items = append(p.items, item{wire: f.Type})
		p.header = append(p.header, columnDefinition(f))
	}
	return p
}

// transactionScope is what the planner writes for SET SESSION TRANSACTION.
const transactionScope = string(rune(sql.SystemVariableScope_Session))

// fits tells the assignment of a known value that the variable takes. Several assignments are all
// evaluated before the first is made, and those that nothing can stop need not be.
func fits(ctx *sql.Context, f *expression.SetField) bool {
	known, ok := f.RightChild.(*expression.Literal)
	if to, system := f.LeftChild.(*expression.SystemVar); ok && system {
		return sqllayer.Takes(ctx, to.Name, known.Value(), to.Scope.IsGlobalOnly()) == nil
	}
	return ok
}

// settable tells variables of the session.
func settable(e sql.Expression) bool {
	switch v := e.(type) {
	case *expression.UserVar:
		return true
	case *expression.SystemVar:
		return v.Scope != nil && !v.Scope.IsGlobalOnly() && (v.SpecifiedScope == "" || strings.EqualFold(v.SpecifiedScope, "session") || v.SpecifiedScope == transactionScope)
	}
	return false
}

// stateless are functions of the session's state, which have none of their own.
var stateless = map[string]bool{"last_insert_id": true, "database": true, "schema": true, "version": true, "connection_id": true, "now": true, "current_user": true, "user": true}

// constant tells expressions that can be evaluated again and by several sessions at once.
// variables: those of the client may be among them; their types are not known beforehand.
func constant(ctx *sql.Context, e sql.Expression, variables bool) bool {
	return !transform.InspectExpr(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch n := e.(type) {
		case *expression.Literal, *expression.SystemVar, *expression.Alias:
			return false
		case *expression.UserVar:
			return !variables
		case sql.FunctionExpression:
			return !stateless[n.FunctionName()] || len(n.Children()) > 0
		}
		return true
	})
}

// integerSizes are the bytes of integers in the binary protocol.
var integerSizes = map[querypb.Type]int{sqltypes.Int8: 1, sqltypes.Uint8: 1, sqltypes.Int16: 2, sqltypes.Uint16: 2, sqltypes.Int24: 4, sqltypes.Uint24: 4,
	sqltypes.Int32: 4, sqltypes.Uint32: 4, sqltypes.Int64: 8, sqltypes.Uint64: 8}

var textTypes = map[querypb.Type]bool{sqltypes.VarChar: true, sqltypes.Char: true, sqltypes.Text: true}

// runPlain runs a statement without tables.
func (x *Exec) runPlain() (mine bool, err error) {
	other := false
	mine, err = x.session.RunDirect(x.sc, func(tx sql.Transaction) error {
		switch x.p.verb {
		case verbSavepoint:
			return x.session.CreateSavepoint(x.sc, tx, x.p.savepoint)
		case verbRollbackTo:
			return x.session.RollbackToSavepoint(x.sc, tx, x.p.savepoint)
		case verbRelease:
			return x.session.ReleaseSavepoint(x.sc, tx, x.p.savepoint)
		case verbSet:
			iter, err := rowexec.NewBuilder(nil, sql.EngineOverrides{}).Build(x.sc, x.p.plan, nil)
			if err != nil {
				return err
			}
			return iter.Close(x.sc)
		}
		if err := x.plainRow(); !errors.Is(err, errNotMine) {
			return err
		}
		other = true
		return nil
	})
	return mine && !other, err
}

// plainRow writes the one row of a SELECT without FROM.
func (x *Exec) plainRow() error {
	x.out.header(x.p.header)
	at := x.out.beginRow(len(x.p.plain))
	for i, e := range x.p.plain {
		v, err := e.Eval(x.sc, nil)
		if err != nil {
			return errNotMine
		}
		if v == nil {
			x.out.null(i, at)
			continue
		}
		s, err := store.WireValue(x.sc, e.Type(x.sc), nil, v)
		if err != nil || !base.IsASCII(s.Raw()) {
			return errNotMine
		}
		if err := x.plainValue(x.p.items[i].wire, s.Raw()); err != nil {
			return err
		}
	}
	x.Result.Rows = 1
	return x.out.endPacket(at)
}

func (x *Exec) plainValue(t querypb.Type, text []byte) error {
	size := integerSizes[t]
	if size == 0 || !x.out.Binary {
		x.out.bytes(text)
		return nil
	}
	var n uint64
	if sqltypes.IsUnsigned(t) {
		u, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil {
			return errNotMine
		}
		n = u
	} else {
		i, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return errNotMine
		}
		n = uint64(i)
	}
	x.out.sized(t, n)
	return nil
}
