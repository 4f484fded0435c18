package sqllayer

// NO_BACKSLASH_ESCAPES. The grammar knows no such mode, so a statement that arrives under it
// becomes, once and at the door, the one that says the same with escapes: backslashes in its
// strings are doubled. All behind the door, stored programs and the binary log too, keep that text,
// and so leave the mode out of what they note of sql_mode.
//
// What is left to do in the statement's tree: LIKE has no default escape character, and PREPARE
// reads a text of its own.

import (
	"bytes"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr"
)

// NoBackslashEscapes tells that the session's texts come under NO_BACKSLASH_ESCAPES.
func NoBackslashEscapes(s sql.Session) bool {
	own, ok := s.(expr.Moded)
	return ok && own.SQLMode().ModeEnabled(sql.NoBackslashEscapes)
}

// AnsiQuotes tells that " quotes names in the session's texts.
func AnsiQuotes(s sql.Session) bool {
	own, ok := s.(expr.Moded)
	return ok && own.SQLMode().AnsiQuotes()
}

// EscapeBackslashes makes a text of NO_BACKSLASH_ESCAPES one of the usual mode.
func EscapeBackslashes(query string, ansi bool) string {
	return replaceStrings(query, ansi, true, `\`, `\\`)
}

// UnescapeBackslashes undoes EscapeBackslashes.
func UnescapeBackslashes(query string, ansi bool) string {
	return replaceStrings(query, ansi, false, `\\`, `\`)
}

// replaceStrings replaces old by new in the strings of a text; raw says that a backslash escapes
// nothing in it.
func replaceStrings(query string, ansi, raw bool, old, new string) string {
	if !strings.Contains(query, `\`) {
		return query
	}
	var mode sqltoken.Mode
	if raw {
		mode |= sqltoken.NoBackslashEscapes
	}
	if ansi {
		mode |= sqltoken.AnsiQuotes
	}
	var out strings.Builder
	l, done := sqltoken.NewLexer(query, mode, nil), 0
	l.SetVersion(VersionNumber)
	for t := l.Next(); t.Kind != sqltoken.EOF && t.Kind != sqltoken.Invalid; t = l.Next() {
		if text := query[t.From:t.To]; text[0] == '\'' || text[0] == '"' && !ansi {
			out.WriteString(query[done:t.From] + strings.ReplaceAll(text, old, new))
			done = int(t.To)
		}
	}
	return out.String() + query[done:]
}

// usualMode is sql_mode, in MySQL's order, without what stored texts do not need any more.
func usualMode(mode string) string {
	return modesOf(usualBits(mode))
}

// inMode gives the session a stored program's sql_mode until leave is called.
func (s *Session) inMode(ctx *sql.Context, mode string) (leave func(), err error) {
	before := s.text("sql_mode")
	set := func(mode string) error {
		if s.text("sql_mode") == mode {
			return nil
		}
		return s.SetSessionVariable(ctx, "sql_mode", mode)
	}
	return func() { _ = set(before) }, set(mode) // which the program may have changed
}

// usualBits is the same as a set.
func usualBits(mode string) (set uint64) {
	for _, name := range strings.Split(strings.ToUpper(mode), ",") {
		set |= sqlModes[name]
	}
	return set &^ sqlModes[sql.NoBackslashEscapes]
}

// withoutEscape tells that LIKE has no default escape character: in the statement itself, not in
// the texts of views and programs that it runs.
func (r *rewriterAST) withoutEscape() bool {
	ctx, ok := r.ctx.(*sql.Context)
	return ok && ctx.Session != nil && NoBackslashEscapes(ctx.Session) && strings.Contains(ctx.Query(), r.query)
}

// plainPattern doubles the backslashes of a pattern, which are no escapes.
func plainPattern(n *ast.ComparisonExpr) {
	if n.Operator != ast.LikeStr && n.Operator != ast.NotLikeStr || n.Escape != nil {
		return
	}
	if v, ok := n.Right.(*ast.SQLVal); ok {
		if v.Type == ast.StrVal && bytes.ContainsRune(v.Val, '\\') {
			n.Right = ast.NewStrVal(bytes.ReplaceAll(v.Val, []byte(`\`), []byte(`\\`)))
			n.Escape = ast.NewStrVal([]byte(`\`))
		}
		if v.Type == ast.StrVal {
			return
		}
	}
	arg := func(e ast.Expr) ast.SelectExpr { return &ast.AliasedExpr{Expr: e} }
	n.Right = &ast.FuncExpr{Name: ast.NewColIdent("replace"), Exprs: ast.SelectExprs{
		arg(n.Right), arg(ast.NewStrVal([]byte(`\`))), arg(ast.NewStrVal([]byte(`\\`))),
	}}
	n.Escape = ast.NewStrVal([]byte(`\`))
}

// prepared looks at the text of PREPARE, and brings it into the usual mode.
func (r *rewriterAST) prepared(n *ast.Prepare) error {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || ctx.Session == nil {
		return nil
	}
	if s := sessionOf(ctx); s != nil {
		s.BeginPlanning()
	}
	text := n.Expr
	if name, ok := strings.CutPrefix(n.Expr, "@"); ok {
		_, v, err := ctx.GetUserVariable(ctx, strings.ToLower(name))
		if text, ok = v.(string); err != nil || !ok {
			return err
		}
	}
	if e := RefuseNUL(text, expr.Mode(ctx).ParserOptions()); e != nil {
		return e
	}
	plain := text
	if NoBackslashEscapes(ctx.Session) {
		plain = EscapeBackslashes(text, AnsiQuotes(ctx.Session))
	}
	if plain = PlainText(ctx.Session, plain); plain != text {
		n.Expr = plain
	}
	return nil
}
