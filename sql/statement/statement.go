// Package statement holds what is known of one statement of a client: its text, the tree that the
// parser made of it, how it was read, what running it does. A text is read once, when it arrives;
// everybody who has to know what a statement means is given this value.
package statement

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sql/token"
)

// Statement is one statement. It does not change once it is read.
type Statement struct {
	Text    string        // as it was written, without what follows it
	Tree    ast.Statement // nil: nothing but space and comments
	Params  int           // number of parameter markers
	Options parse.Options // how it was read
	effect.Effect
	Warnings []parse.Warning // for how it is written
}

// Read reads the statement at the front of a text. With Options.Multi others may follow it: rest is
// their text. A text that cannot be read gives the statement that has no tree, with the client's
// error.
func Read(text string, o parse.Options) (s *Statement, rest string, err error) {
	r, err := parse.Parse(text, o)
	o.Ended = nil // it concerns this reading alone
	if err != nil {
		return &Statement{Text: text, Options: o, Effect: effect.Effect{Command: "other"}, Warnings: r.Warnings}, "", err
	}
	s = &Statement{Text: strings.TrimRight(text[:r.Next], space+";"), Tree: r.Statement, Params: r.Params, Options: o,
		Effect: effect.Of(r.Statement), Warnings: r.Warnings}
	return s, strings.TrimLeft(text[r.Next:], space), nil
}

const space = " \t\n\v\f\r"

// Print returns the text of a part of the statement.
func (s *Statement) Print(n ast.Node) string {
	return ast.Print(n, ast.Options{Mode: s.Options.Mode, Charset: s.Options.Charset})
}

// Words returns up to n keywords that the statement begins with.
func (s *Statement) Words(n int) string {
	l := token.NewLexer(s.Text, s.Options.Mode, s.Options.Charset)
	var words []string
	for len(words) < n {
		t := l.Next()
		if t.Kind < token.ABSENT {
			break
		}
		words = append(words, strings.ToUpper(s.Text[t.From:t.To]))
	}
	return strings.Join(words, " ")
}
