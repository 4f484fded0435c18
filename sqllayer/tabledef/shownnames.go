package tabledef

import (
	"strings"

	"emberdb/sql/token"
)

// NameStyle says how SHOW CREATE writes names.
type NameStyle struct {
	Bare   bool // names that can do without quotes have none
	Double bool // quotes are double ones, outside expressions
}

// In rewrites the names of a text, all of which are in backquotes. Names within the expressions of
// CHECK stay as they are.
func (n NameStyle) In(text string) string {
	if n == (NameStyle{}) {
		return text
	}
	var out strings.Builder
	lex, written := token.NewLexer(text, 0, nil), 0
	expr := exprScope{}
	for t := lex.Next(); t.Kind != token.EOF && t.Kind != token.Invalid; t = lex.Next() {
		expr.next(t.Kind)
		if t.Kind != token.QuotedIdent || expr.check && expr.depth > 0 {
			continue
		}
		name := strings.ReplaceAll(text[t.From+1:t.To-1], "``", "`")
		switch {
		case n.Bare && plainName(name):
		case n.Double && expr.depth == 0:
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		default:
			continue
		}
		out.WriteString(text[written:t.From])
		out.WriteString(name)
		written = int(t.To)
	}
	return out.String() + text[written:]
}

// exprScope tells tokens within expressions: those in parentheses behind CHECK, AS and DEFAULT.
type exprScope struct {
	depth  int // of parentheses, from that of the expression on; 0 is outside
	check  bool
	before token.Kind
}

func (e *exprScope) next(k token.Kind) {
	switch {
	case k == '(' && e.depth == 0:
		if e.before == token.CHECK || e.before == token.AS || e.before == token.DEFAULT {
			e.depth, e.check = 1, e.before == token.CHECK
		}
	case k == '(':
		e.depth++
	case k == ')' && e.depth > 0:
		e.depth--
	}
	e.before = k
}

// plainName tells names that need no quotes.
func plainName(name string) bool {
	if name == "" || token.Keyword(name, false) != token.Ident {
		return false
	}
	digits := true
	for i := range len(name) {
		c := name[i]
		digit := '0' <= c && c <= '9'
		if !digit && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
		digits = digits && digit
	}
	return !digits
}
