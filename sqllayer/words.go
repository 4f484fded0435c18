package sqllayer

import (
	"iter"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
)

// word is a token of a text.
type word struct {
	text     string
	from, to int
}

func (w word) is(words ...string) bool {
	for _, s := range words {
		if strings.EqualFold(w.text, s) {
			return true
		}
	}
	return false
}

// wordsOf gives the tokens of a text from a place on.
func wordsOf(text string, from int) iter.Seq[word] {
	return func(yield func(word) bool) {
		l := sqltoken.NewLexer(text, 0, nil)
		l.SetVersion(VersionNumber)
		l.Seek(from)
		for t := l.Next(); t.Kind != sqltoken.EOF && t.Kind != sqltoken.Invalid; t = l.Next() {
			if !yield(word{text[t.From:t.To], int(t.From), int(t.To)}) {
				return
			}
		}
	}
}

// nextPlace is where the next token of a text begins from a place on.
func nextPlace(text string, from int) int {
	for w := range wordsOf(text, from) {
		return w.from
	}
	return len(text)
}

// storedTree reads the text of a view, a routine, a trigger or an event; nil if it is none of
// MySQL's statements. The quotes of names, which are the only part of sql_mode that texts still
// depend on, tell themselves.
func storedTree(text string) sqlast.Statement {
	for _, mode := range []sqltoken.Mode{0, sqltoken.AnsiQuotes} {
		if found, err := parse.Parse(text, parse.Options{Mode: mode, Version: VersionNumber}); err == nil {
			return found.Statement
		}
	}
	return nil
}

// runningTree is our tree of the statement that runs: the client's, or that of a program.
func (s *Session) runningTree(ctx *sql.Context) sqlast.Statement {
	s.mu.Lock()
	text := s.log.text
	s.mu.Unlock()
	if text != "" && (s.current == nil || s.current.Text != text) {
		return storedTree(text)
	}
	if st := s.runningStatement(ctx); st != nil {
		return st.Tree
	}
	return nil
}

// shows reports whether the statement of the client that runs is SHOW or DESCRIBE.
func (s *Session) shows(ctx *sql.Context) bool {
	st := s.runningStatement(ctx)
	if st == nil {
		return false
	}
	switch st.Tree.(type) {
	case *sqlast.Show, *sqlast.ShowCreate, *sqlast.Describe:
		return true
	}
	return false
}

// showsTable reports whether it shows the definition of a table: SHOW CREATE TABLE, COLUMNS, INDEX,
// DESCRIBE.
func (s *Session) showsTable(ctx *sql.Context) bool {
	st := s.runningStatement(ctx)
	if st == nil {
		return false
	}
	switch n := st.Tree.(type) {
	case *sqlast.ShowCreate:
		return n.Kind == sqlast.ShowCreateTable
	case *sqlast.Show:
		return n.Kind == sqlast.ShowColumns || n.Kind == sqlast.ShowIndex
	case *sqlast.Describe:
		return true
	}
	return false
}

// isNameByte reports whether a byte may begin a name that has no quotes.
func isNameByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

func quoteText(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", "''") + "'"
}
