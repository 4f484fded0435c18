package server

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
	"emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// The statement of an execution. A text is read once: by read when a client sends it, when it is
// prepared, or when a stored program comes to it. What it means is decided from its tree
// (x.stmt.Tree) and its effect, never from its text.

// read makes the first statement of a text the execution's. The error is the client's, and the
// statement has no tree then.
func (x *execution) read(text string, multi bool) error {
	o := sqllayer.ReadOptions(x.w.session)
	o.Multi, o.Ended = multi, x.w.process.ended()
	if text != x.w.decoded { // else it is the rest of a text
		text = sqllayer.ClientText(x.w.session, text, o.Mode)
	}
	st, rest, err := statement.Read(parse.Trim(text), o)
	x.rest, x.w.decoded = rest, rest
	x.set(st)
	if err == nil && !x.w.inside {
		return checkVariables(st)
	}
	return grants.ParseError(err)
}

// set makes a statement that is read the execution's.
func (x *execution) set(st *statement.Statement) {
	x.stmt, x.counter, x.query = st, commands.Com(st.Command), sqllayer.LibraryText(st.Text, st.Options)
}

// programEffect is what is known of a stored program that an execution runs: it has a statement of
// its own for each step.
func programStatement(text string) *statement.Statement {
	return &statement.Statement{Text: text, Effect: effect.Effect{Command: "call_procedure", Set: effect.Calls | effect.Yields}}
}

// is reports whether the statement is of a kind.
func is[S ast.Statement](x *execution) bool {
	_, ok := x.stmt.Tree.(S)
	return ok
}

// printed returns a part of the statement as go-mysql-server's grammar reads it.
func (x *execution) printed(n ast.Node) string {
	return sqllayer.LibraryText(x.stmt.Print(n), x.stmt.Options)
}

// mayUnrun refuses a statement that this server does not run to those who could not run it in
// MySQL.
func (s *Server) mayUnrun(ctx *sql.Context, tree ast.Statement) error {
	s.rights(ctx) // the session's rights are there, to be looked at
	return sqllayer.UnrunRights(ctx, tree)
}

// executionTime returns the limit that a hint sets, in milliseconds; ok is false without one.
func executionTime(tree ast.Statement) (ms int64, ok bool) {
	q, is := tree.(*ast.Query)
	if !is {
		return 0, false
	}
	body := q.Body
	for {
		switch b := body.(type) {
		case *ast.SetOp:
			body = b.L
			continue
		case *ast.Query:
			body = b.Body
			continue
		case *ast.Select:
			if b.Hints != nil {
				return timeHint(b.Hints.Text)
			}
		}
		return 0, false
	}
}

// timeHint finds MAX_EXECUTION_TIME(n) in the text of a hint.
func timeHint(text string) (ms int64, ok bool) {
	l := token.NewLexer(text, 0, nil)
	for t := l.Next(); t.Kind != token.EOF && t.Kind != token.Invalid; t = l.Next() {
		if !strings.EqualFold(text[t.From:t.To], "MAX_EXECUTION_TIME") {
			continue
		}
		if t = l.Next(); t.Kind != '(' {
			continue
		}
		if t = l.Next(); t.Kind == token.Int {
			return int64(min(number(text[t.From:t.To]), math.MaxInt64)), true
		}
	}
	return 0, false
}

// number is the value of digits; what does not fit is the greatest.
func number(digits string) uint64 {
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return math.MaxUint64
	}
	return n
}

// warnWritten gives the warnings that a statement gets for how it is written. They come before those
// of running it.
func warnWritten(sess sql.Session, st *statement.Statement) {
	if s, ok := sess.(*sqllayer.Session); ok && len(st.Warnings) > 0 {
		s.WarnFirst(st.Warnings)
	}
}

// keepsDiagnostics reports whether a statement asks for what the one before it has left: warnings,
// or their number.
func keepsDiagnostics(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.Show:
		return n.Kind == ast.ShowWarnings || n.Kind == ast.ShowErrors || n.Kind == ast.ShowCountWarnings || n.Kind == ast.ShowCountErrors
	case *ast.GetDiagnostics:
		return true
	case nil:
		return false
	}
	asks := false
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.SystemVar); ok {
			asks = asks || strings.EqualFold(v.Name.Name, "warning_count") || strings.EqualFold(v.Name.Name, "error_count")
		}
		return !asks
	})
	return asks
}

// nameOf returns the database and the name of a table of the statement.
func (x *execution) nameOf(ctx *sql.Context, n *ast.TableName) (tableName, error) {
	t := tableName{n.Schema.Name, n.Name.Name}
	if !n.Schema.Given() {
		t.db = ctx.GetCurrentDatabase()
	}
	if t.db == "" {
		return t, sqlerr.NewError(1046, "No database selected")
	}
	return t, nil
}

// namesOf is nameOf of several tables.
func (x *execution) namesOf(ctx *sql.Context, list []ast.TableName) (out []tableName, err error) {
	for i := range list {
		t, err := x.nameOf(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
