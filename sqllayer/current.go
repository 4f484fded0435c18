package sqllayer

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/charset"
	"emberdb/sql/parse"
	sqlstatement "emberdb/sql/statement"
	sqltoken "emberdb/sql/token"
)

// textReading is how the session's texts are read, as of a version of its variables.
type textReading struct {
	version uint64
	known   bool
	options parse.Options
	client  *sqltoken.Charset // in which the client writes; nil: UTF-8, or bytes
	bytes   bool              // character_set_connection is binary: strings are bytes
}

// readingModes are the parts of sql_mode that change how a text is read. ANSI contains three of
// them.
var readingModes = map[string]sqltoken.Mode{
	"ANSI":                 sqltoken.AnsiQuotes | sqltoken.PipesAsConcat | sqltoken.IgnoreSpace,
	"ANSI_QUOTES":          sqltoken.AnsiQuotes,
	"PIPES_AS_CONCAT":      sqltoken.PipesAsConcat,
	"IGNORE_SPACE":         sqltoken.IgnoreSpace,
	"NO_BACKSLASH_ESCAPES": sqltoken.NoBackslashEscapes,
	"HIGH_NOT_PRECEDENCE":  sqltoken.HighNotPrecedence,
}

// ReadOptions returns how the session's texts are read. It is for the session's own goroutine.
func (s *Session) ReadOptions() parse.Options {
	if v := s.VariablesVersion(); !s.reading.known || s.reading.version != v {
		s.reading = textReading{version: v, known: true, options: parse.Options{Version: VersionNumber},
			bytes: s.text("character_set_connection") == "binary"}
		if set := charset.Find(s.text("character_set_client")); set != nil && !set.IsUTF8() {
			s.reading.client = sqltoken.FindCharset(set.Name())
		}
		for m := range strings.SplitSeq(strings.ToUpper(s.text("sql_mode")), ",") {
			s.reading.options.Mode |= readingModes[m]
		}
	}
	return s.reading.options
}

// ClientCharset returns the character set in which the client writes; nil means UTF-8, or bytes that
// are taken for it.
func (s *Session) ClientCharset() *sqltoken.Charset {
	s.ReadOptions()
	return s.reading.client
}

// ClientText returns the UTF-8 of a statement of the session's client.
func ClientText(session sql.Session, text string, mode sqltoken.Mode) string {
	s, ok := session.(*Session)
	if !ok || s.ClientCharset() == nil || sqlstatement.ASCII(text) {
		return text
	}
	return sqlstatement.Decode(text, mode, s.ClientCharset())
}

// ReadOptions returns how texts of any session are read.
func ReadOptions(s sql.Session) parse.Options {
	if own, ok := s.(*Session); ok {
		return own.ReadOptions()
	}
	return parse.Options{Version: VersionNumber}
}

// SetCurrent makes known which statement of the client runs; nil: none. Its tree is what the
// statement means: who is given a text of it looks here before reading it again.
func (s *Session) SetCurrent(st *sqlstatement.Statement) { s.current = st }

// Current returns the statement of the client that runs; nil if there is none, as in a session of
// the server's own.
func (s *Session) Current() *sqlstatement.Statement { return s.current }

// runningStatement returns the statement of the client that runs; without a server it is read here.
func (s *Session) runningStatement(ctx *sql.Context) *sqlstatement.Statement {
	if s.current != nil {
		return s.current
	}
	st, _, _ := sqlstatement.Read(ctx.Query(), s.ReadOptions()) // an error leaves it without a tree
	return st
}

// LibraryText returns a text that was read in some way as it is read in the usual mode: with
// escapes in strings, and without comments that are executed.
func LibraryText(text string, o parse.Options) string {
	if o.Mode&sqltoken.NoBackslashEscapes != 0 {
		text = EscapeBackslashes(text, o.Mode&sqltoken.AnsiQuotes != 0)
	}
	if !strings.Contains(text, "/*!") {
		return text
	}
	return sqltoken.Plain(text, sqltoken.PlainOptions{Mode: o.Mode &^ sqltoken.NoBackslashEscapes, Version: VersionNumber})
}

// ValueExpr returns a value as an expression of go-mysql-server's trees.
func ValueExpr(ctx *sql.Context, t sql.Type, v any) ast.Expr { return literal(ctx, t, v) }

// currentOf returns the statement of the client that runs in a context's session; nil if none is
// known.
func currentOf(ctx context.Context) *sqlstatement.Statement {
	if c, ok := ctx.(*sql.Context); ok && c.Session != nil {
		if s := sessionOf(c); s != nil {
			return s.current
		}
	}
	return nil
}

// HasTemporary reports whether the session has temporary tables.
func (s *Session) HasTemporary() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.temps.byName) > 0
}

// IsTemporary reports whether a table is a temporary one of the session.
func (s *Session) IsTemporary(database, name string) bool {
	_, ok := s.temporary(database, name)
	return ok
}
