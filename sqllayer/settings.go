package sqllayer

import (
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/binlog"
	"emberdb/engine/txn"
	"emberdb/sql/locale"
	"emberdb/sql/token"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/sqlmode"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// settings are the session variables that every transaction asks for, as the engine wants them.
type settings struct {
	version    uint64 // of the variables they were read from
	autocommit bool
	readOnly   bool
	isolation  txn.Isolation
	lockWait   time.Duration
	metaWait   time.Duration  // lock_wait_timeout
	autoMode   int            // innodb_autoinc_lock_mode
	zone       *time.Location // time_zone; nil: UTC
	references bool           // foreign_key_checks
	checkReads bool           // innodb_snapshot_isolation
	mode       *sql.SqlMode   // sql_mode
	hidden     bool           // use_invisible_indexes of optimizer_switch
	notes      bool           // sql_notes
	names      *locale.Locale // lc_time_names
}

// ReadOnly tells that the session's transactions are READ ONLY where they do not say otherwise.
func (s *Session) ReadOnly() bool { return s.settings().readOnly }

// SeesInvisible tells that the session's plans may use invisible indexes.
func (s *Session) SeesInvisible() bool { return s.settings().hidden }

// SQLMode is the session's sql_mode. It implements expr.Moded.
func (s *Session) SQLMode() *sql.SqlMode { return s.settings().mode }

// KeepsNotes tells that notes are among the session's warnings.
func (s *Session) KeepsNotes() bool { return s.settings().notes }

// Locale is the session's lc_time_names. It implements operand.Localized.
func (s *Session) Locale() *locale.Locale { return s.settings().names }

// LocaleName is the value that lc_time_names keeps.
func LocaleName(value any) (any, error) {
	var l *locale.Locale
	if n, ok := wholeNumber(value); ok {
		l = locale.At(n)
	} else if text, ok := value.(string); ok {
		l = locale.Find(text)
	} else if value == nil {
		return nil, sqlerr.NewError(1231, "Variable 'lc_time_names' can't be set to the value of 'NULL'")
	} else {
		return nil, sqlerr.NewError(1232, "Incorrect argument type to variable 'lc_time_names'")
	}
	if l == nil {
		return nil, sqlerr.NewError(1649, "Unknown locale: '%v'", value)
	}
	return l.Name, nil
}

// NameStyle says how the session's SHOW CREATE writes names.
func NameStyle(ctx *sql.Context) tabledef.NameStyle {
	if s := SessionOf(ctx); s != nil {
		return NameStyleUnder(ctx, s.text(sql.SqlModeSessionVar))
	}
	return tabledef.NameStyle{}
}

// NameStyleUnder is NameStyle under another sql_mode.
func NameStyleUnder(ctx *sql.Context, mode string) tabledef.NameStyle {
	s := SessionOf(ctx)
	return tabledef.NameStyle{Bare: s != nil && !s.flag("sql_quote_show_create"), Double: trees.ModeOf(mode)&token.AnsiQuotes != 0}
}

// Zone is the session's time_zone.
func (s *Session) Zone() *time.Location { return s.settings().zone }

// settings reads the variables anew only when one has changed: asking GMS for one costs a tenth of
// a point read.
func (s *Session) settings() *settings {
	version := s.variables.Load()
	if c := s.known.Load(); c != nil && c.version == version {
		return c
	}
	c := &settings{
		version:    version,
		autocommit: s.flag("autocommit"),
		readOnly:   s.flag("transaction_read_only"),
		isolation:  txn.RepeatableRead,
		lockWait:   s.seconds("innodb_lock_wait_timeout", 50),
		metaWait:   s.seconds("lock_wait_timeout", 31536000),
		autoMode:   2,
		zone:       store.ParseZone(s.text("time_zone")),
		references: s.flag("foreign_key_checks"),
		checkReads: s.flag("innodb_snapshot_isolation"),
		mode:       sql.NewSqlModeFromString(s.text(sql.SqlModeSessionVar)),
		hidden:     sqlmode.SwitchedOn(s.text("optimizer_switch"), "use_invisible_indexes"),
		notes:      s.flag("sql_notes"),
		names:      locale.Find(s.text("lc_time_names")),
	}
	if c.names == nil {
		c.names = locale.English()
	}
	if _, v, ok := sql.SystemVariables.GetGlobal("innodb_autoinc_lock_mode"); ok { // read-only
		if mode, is := v.(int64); is {
			c.autoMode = int(mode)
		}
	}
	if iso, ok := isolations[strings.ToUpper(s.text("transaction_isolation"))]; ok {
		c.isolation = iso
	}
	s.known.Store(c)
	return c
}

// go-mysql-server gives every session a copy of all system variables. For a variable without a
// session value the copy would hide later changes of the global one from @@name and SHOW VARIABLES,
// so those are read from the registry.

// globalOnly returns the names of the variables without a session value. The set is fixed once
// sessions begin.
var globalOnly = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range sql.SystemVariables.GetAllGlobalVariables() {
		if v, _, ok := sql.SystemVariables.GetGlobal(name); ok && v.IsGlobalOnly() {
			names[name] = true
		}
	}
	return names
})

// GetSessionVariable implements sql.Session.
func (s *Session) GetSessionVariable(ctx *sql.Context, name string) (any, error) {
	name = strings.ToLower(name) // costs nothing for a lower-case name
	if v, ok := s.live(name); ok {
		return v, nil
	}
	if globalOnly()[name] {
		if _, v, ok := sql.SystemVariables.GetGlobal(name); ok {
			return v, nil
		}
	}
	v, err := s.BaseSession.GetSessionVariable(ctx, name)
	if name == "timestamp" && ctx != nil && v == 0.0 { // the clock runs
		return float64(ctx.QueryTime().UnixMicro()) / 1e6, err
	}
	return v, err
}

// live gives the variables that tell of the statement before, or of the session.
func (s *Session) live(name string) (any, bool) {
	switch name {
	case "identity", "last_insert_id":
		return s.GetLastQueryInfo().LastInsertId.Load(), true
	case "rand_seed1", "rand_seed2":
		return uint64(0), true // a client that could read them would know what RAND() gives next
	case "pseudo_thread_id":
		return int64(s.ID()), true
	case "warning_count":
		return uint64(s.before.warnings), true
	case "error_count":
		return uint64(s.before.errors), true
	}
	return nil, false
}

// Random implements numbers.Randomizer.
func (s *Session) Random() *numbers.Seeds { return &s.random }

// seedRandom is SET rand_seed1 and SET rand_seed2.
func (s *Session) seedRandom(name string, value any) {
	n, _ := value.(uint64)
	if name == "rand_seed1" {
		s.random.SetFirst(n)
	} else {
		s.random.SetSecond(n)
	}
}

// GetSessionVariableDefault implements sql.Session. What DEFAULT stands for depends on the scope, so
// a variable that has a definition finds it when it is set.
func (s *Session) GetSessionVariableDefault(ctx *sql.Context, name string) (any, error) {
	if v, _, ok := sql.SystemVariables.GetGlobal(name); ok {
		if _, defined := v.(library.Setting); defined {
			return library.DefaultValue{}, nil
		}
	}
	return s.BaseSession.GetSessionVariableDefault(ctx, name)
}

// GetAllSessionVariables implements sql.Session.
func (s *Session) GetAllSessionVariables() map[string]any {
	vars := s.BaseSession.GetAllSessionVariables()
	for name := range globalOnly() {
		if _, v, ok := sql.SystemVariables.GetGlobal(name); ok {
			vars[name] = v
		}
	}
	return vars
}

// Tracked gathers what has changed in a session since its client was told of it last, where the
// client wants to be told (server/tracker.go). The session's own goroutine uses it.
type Tracked struct {
	Variables map[string]struct{} // SET gave them a value, though perhaps the one they had
	Committed binlog.Set          // the names of transactions
}

// Track makes the session gather its changes in t; nil: in nothing.
func (s *Session) Track(t *Tracked) { s.tracked = t }

// Named implements txn.Journaled.
func (s *Session) Named(g binlog.GTID) {
	if s.tracked != nil {
		s.tracked.Committed.Add(g)
	}
}

// assigned notes that a variable was set.
func (t *Tracked) assigned(name string) {
	if t == nil {
		return
	}
	if t.Variables == nil {
		t.Variables = map[string]struct{}{}
	}
	t.Variables[name] = struct{}{}
}

// Explicit tells whether the session is in a transaction that a statement began, not a change or a
// query without autocommit.
func (s *Session) Explicit() bool { return s.GetTransaction() != nil && s.GetIgnoreAutoCommit() }

// NO_BACKSLASH_ESCAPES. The grammar knows no such mode, so a statement that arrives under it
// becomes, once and at the door, the one that says the same with escapes: backslashes in its
// strings are doubled. All behind the door, stored programs and the binary log too, keep that text,
// and so leave the mode out of what they note of sql_mode.
//
// What is left to do in the statement's tree: LIKE has no default escape character, and PREPARE
// reads a text of its own.

// UnescapeBackslashes undoes EscapeBackslashes.
func UnescapeBackslashes(query string, ansi bool) string {
	return trees.ReplaceStrings(query, ansi, false, `\\`, `\`)
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

// withoutEscape tells that LIKE has no default escape character: in the statement itself, not in
// the texts of views and programs that it runs.
func (r *rewriterAST) withoutEscape() bool {
	ctx, ok := r.ctx.(*sql.Context)
	return ok && ctx.Session != nil && trees.NoBackslashEscapes(ctx.Session) && r.ofClient(ctx)
}

// ofClient tells the client's own statement from the texts of views and programs that it runs.
func (r *rewriterAST) ofClient(ctx *sql.Context) bool { return strings.Contains(ctx.Query(), r.query) }

// prepared looks at the text of PREPARE, and brings it into the usual mode.
func (r *rewriterAST) prepared(n *ast.Prepare) error {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || ctx.Session == nil {
		return nil
	}
	if s := SessionOf(ctx); s != nil {
		s.BeginPlanning()
	}
	text := n.Expr
	if name, ok := strings.CutPrefix(n.Expr, "@"); ok {
		_, v, err := ctx.GetUserVariable(ctx, strings.ToLower(name))
		if text, ok = v.(string); err != nil || !ok {
			return err
		}
	}
	if e := RefuseNUL(text, operand.Mode(ctx).ParserOptions()); e != nil {
		return e
	}
	plain := text
	if trees.NoBackslashEscapes(ctx.Session) {
		plain = trees.EscapeBackslashes(text, trees.AnsiQuotes(ctx.Session))
	}
	if plain = PlainText(ctx.Session, plain); plain != text {
		n.Expr = plain
	}
	return nil
}
