package trees

import (
	"bytes"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlmode"
	"emberdb/sqllayer/tabledef"
)

// NoBackslashEscapes tells that the session's texts come under NO_BACKSLASH_ESCAPES.
func NoBackslashEscapes(s sql.Session) bool {
	own, ok := s.(operand.Moded)
	return ok && own.SQLMode().ModeEnabled(sql.NoBackslashEscapes)
}

// AnsiQuotes tells that " quotes names in the session's texts.
func AnsiQuotes(s sql.Session) bool {
	own, ok := s.(operand.Moded)
	return ok && own.SQLMode().AnsiQuotes()
}

// EscapeBackslashes makes a text of NO_BACKSLASH_ESCAPES one of the usual mode.
func EscapeBackslashes(query string, ansi bool) string {
	return ReplaceStrings(query, ansi, true, `\`, `\\`)
}

// ReplaceStrings replaces old by new in the strings of a text; raw says that a backslash escapes
// nothing in it.
func ReplaceStrings(query string, ansi, raw bool, old, new string) string {
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
	l.SetVersion(tabledef.VersionNumber)
	for t := l.Next(); t.Kind != sqltoken.EOF && t.Kind != sqltoken.Invalid; t = l.Next() {
		if text := query[t.From:t.To]; text[0] == '\'' || text[0] == '"' && !ansi {
			out.WriteString(query[done:t.From] + strings.ReplaceAll(text, old, new))
			done = int(t.To)
		}
	}
	return out.String() + query[done:]
}

// UsualMode is sql_mode, in MySQL's order, without what stored texts do not need any more.
func UsualMode(mode string) string {
	return sqlmode.ModesOf(UsualBits(mode))
}

// UsualBits is the same as a set.
func UsualBits(mode string) (set uint64) {
	for _, name := range strings.Split(strings.ToUpper(mode), ",") {
		set |= sqlmode.SqlModes[name]
	}
	return set &^ sqlmode.SqlModes[sql.NoBackslashEscapes]
}

// PlainPattern doubles the backslashes of a pattern, which are no escapes.
func PlainPattern(n *ast.ComparisonExpr) {
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
