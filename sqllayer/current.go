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
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// textReading is how the session's texts are read, as of a version of its variables.
type textReading struct {
	version uint64
	known   bool
	options parse.Options
	client  *sqltoken.Charset // in which the client writes; nil: UTF-8, or bytes
	bytes   bool              // character_set_connection is binary: strings are bytes
}

// ReadOptions returns how the session's texts are read. It is for the session's own goroutine.
func (s *Session) ReadOptions() parse.Options {
	if v := s.VariablesVersion(); !s.reading.known || s.reading.version != v {
		s.reading = textReading{version: v, known: true, options: parse.Options{Version: tabledef.VersionNumber},
			bytes: s.text("character_set_connection") == "binary"}
		if set := charset.Find(s.text("character_set_client")); set != nil && !set.IsUTF8() {
			s.reading.client = sqltoken.FindCharset(set.Name())
		}
		for m := range strings.SplitSeq(strings.ToUpper(s.text("sql_mode")), ",") {
			s.reading.options.Mode |= trees.ReadingModes[m]
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
	return parse.Options{Version: tabledef.VersionNumber}
}

// SetCurrent makes known which statement of the client runs; nil: none. Its tree is what the
// statement means: who is given a text of it looks here before reading it again.
func (s *Session) SetCurrent(st *sqlstatement.Statement) { s.current = st }

// Current returns the statement of the client that runs; nil if there is none, as in a session of
// the server's own.
func (s *Session) Current() *sqlstatement.Statement { return s.current }

// RunningStatement returns the statement of the client that runs; without a server it is read here.
func (s *Session) RunningStatement(ctx *sql.Context) *sqlstatement.Statement {
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
		text = trees.EscapeBackslashes(text, o.Mode&sqltoken.AnsiQuotes != 0)
	}
	if !strings.Contains(text, "/*!") {
		return text
	}
	return sqltoken.Plain(text, sqltoken.PlainOptions{Mode: o.Mode &^ sqltoken.NoBackslashEscapes, Version: tabledef.VersionNumber})
}

// ValueExpr returns a value as an expression of go-mysql-server's trees.
func ValueExpr(ctx *sql.Context, t sql.Type, v any) ast.Expr { return literal(ctx, t, v) }

// currentOf returns the statement of the client that runs in a context's session; nil if none is
// known.
func currentOf(ctx context.Context) *sqlstatement.Statement {
	if c, ok := ctx.(*sql.Context); ok && c.Session != nil {
		if s := SessionOf(c); s != nil {
			return s.current
		}
	}
	return nil
}

// HasTemporary reports whether the session has temporary tables.
func (s *Session) HasTemporary() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return len(s.Temps.byName) > 0
}

// IsTemporary reports whether a table is a temporary one of the session.
func (s *Session) IsTemporary(database, name string) bool {
	_, ok := s.temporary(database, name)
	return ok
}

// DEFAULT(c). The grammar takes a bare name in it, and GMS cannot run what it makes of that; so
// package lower makes it a call of a function, ScopeDefaults tells the function the tables that the
// name may be a column of, and the function is the default's value.

func DefinitionOf(ctx *sql.Context, schema, name string) (*tabledef.TableDef, error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	db, err := s.Layer().Provider.Database(ctx, schema)
	if err != nil {
		return nil, err
	}
	found, ok, err := db.GetTableInsensitive(ctx, name)
	if own, is := found.(*Table); ok && is {
		return own.Def, err
	}
	return nil, err
}

// Strings of a session whose character_set_connection is binary are bytes, SET NAMES binary. Where
// one meets a column of texts, its bytes are those of the column's character set: they go into the
// column as they are (see storer.ofBytes), and are compared by the column's collation.

// BytesAreStrings reports whether the session's strings are bytes: SET NAMES binary.
func (s *Session) BytesAreStrings() bool {
	s.ReadOptions()
	return s.reading.bytes
}

// TimeLiteral is the literal of a parameter that is a DATE, DATETIME or TIME in MySQL's canonical
// form: its text tells which.
func TimeLiteral(text []byte) ast.Expr {
	switch {
	case len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-':
		return operand.Value(operand.AsTime, text)
	case len(text) == len("2006-01-02"):
		return operand.Value(operand.AsDate, text)
	}
	return operand.Value(operand.AsTimestamp, text)
}

// What a statement waits for, as the process list shows it: monitors and tools that change tables
// online look for MySQL's words.

// Stage makes state what the process list shows of the statement, until end is called.
func (s *Session) Stage(state string) (end func()) {
	s.stage.Store(&state)
	return func() { s.stage.Store(nil) }
}

// Waits tells what the session's statement waits for, "" if it runs. Any goroutine may ask.
func (s *Session) Waits() string {
	if s.owner.WaitsForMeta() {
		return "Waiting for table metadata lock"
	}
	if state := s.stage.Load(); state != nil {
		return *state
	}
	return ""
}

// Query makes the flags for GMS's planning of the next statement. GMS takes a statement that reads
// a view for DDL, as it parses the view's CREATE statement, and would commit the transaction after
// it; for a statement that is none, the flag is taken back before GMS looks at it.
func (s *Session) Query(ddl bool) *sql.QueryFlags {
	f := &sql.QueryFlags{}
	s.Mu.Lock()
	s.flags = nil
	if !ddl {
		s.flags = f
	}
	s.Mu.Unlock()
	return f
}
