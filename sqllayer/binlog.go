package sqllayer

// A session's part of the binary log: what the engine's journal asks of it, and the statements that
// are logged as text: definition changes and account statements. Rows reach the log by themselves
// (engine/txn/journal.go).

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	sqlstatement "emberdb/sql/statement"
	"emberdb/sqllayer/expr/texts"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

func init() {
	texts.WaitForGTIDs = func(wait context.Context, ctx *sql.Context, set *binlog.Set) error {
		s := SessionOf(ctx)
		if s == nil || s.layer.Eng.Binlog() == nil {
			return sqlerr.NewError(3054, "@@GLOBAL.GTID_MODE = OFF: there are no GTIDs to wait for")
		}
		return s.layer.Eng.WaitExecuted(wait, set)
	}
	texts.WaitForSource = func(wait context.Context, ctx *sql.Context, channel, file string, position uint32) (int64, bool) {
		s := SessionOf(ctx)
		if s == nil || s.layer.WaitForSource == nil {
			return 0, false
		}
		return s.layer.WaitForSource(wait, channel, file, position)
	}
}

// sessionLog is the state. REQUIRES: Session.mu, but for text.
type sessionLog struct {
	journal *txn.Journal
	ctx     *sql.Context // of the running statement
	made    bool         // the definition that the statement changes has been logged already
	held    bool         // what the statement does is not logged: LogStatement logs its text
	done    bool         // the statement's definition is logged, or is of temporary tables alone
	ahead   string       // a statement with which the events of the next transaction begin
	foreign bool         // variables say that the next transaction comes from another server
	next    nextGTID
	known   logSettings
	text    string // of the running statement, "" if ctx knows it
}

// logSettings are the session variables that matter, as of a count of changes.
type logSettings struct {
	version   uint64
	valid     bool
	off       bool // sql_log_bin is 0
	rowsQuery bool
	compress  int  // binlog_transaction_compression_level_zstd, if that is on
	text      bool // binlog_format=STATEMENT
	parts     bool // binlog_row_value_options=PARTIAL_JSON
	image     binlog.Image
	flags     uint32
	query     *binlog.Query // not changed: journals know it by its address
	database  string        // in it, as
}

// SetStatement says what the running statement's text is, if not that of its context: one of
// several, or one that must not be logged as it was written.
func (s *Session) SetStatement(text string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log.text, s.log.done = text, false
}

// follow makes the journal follow the session's transaction and notes the statement.
// REQUIRES: s.mu, s.trx.
func (s *Session) follow(ctx *sql.Context) {
	l := &s.log
	if l.ctx = ctx; s.Trx.Journal != nil || l.held {
		return
	}
	if l.journal == nil {
		if l.journal = s.layer.Eng.NewJournal(s); l.journal == nil {
			return
		}
	}
	if k := s.logSettings(); !k.off {
		l.made = false
		l.journal.Attach(s.Trx)
	}
}

// inProcedure begins a statement of a procedure: a definition change before it is committed first,
// under its own text.
func (s *Session) inProcedure(ctx context.Context) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth > 0 {
		return
	}
	if s.ddl && s.Trx != nil && !s.Stmt.Failed {
		_ = s.commit(ctx)
	}
}

// closeJournal gives back what the journal holds. REQUIRES: s.mu; no transaction is open.
func (s *Session) closeJournal() {
	if s.log.journal != nil {
		_ = s.log.journal.Close() // a file that stays is removed by the next start
		s.log.journal = nil
	}
}

// savepoint is the present point of the transaction as one that may be gone back to until it is
// released or the transaction ends.
// REQUIRES: s.mu.
func (s *Session) savepoint(trx *txn.Trx) (b Bound) {
	if j := trx.Journal; j != nil {
		b.Mark = trx.Savepoint()
		b.held = j.Keep(b.Mark)
		return b
	}
	b.Mark = trx.Boundary()
	return b
}

// release ends a savepoint of the running transaction. REQUIRES: s.mu.
func (s *Session) release(b Bound) {
	if s.Trx == nil {
		return
	}
	if j := s.Trx.Journal; j != nil {
		j.Release(b.held)
	}
}

// Bound is a point that is gone back to when a part of a statement fails, or by name.
type Bound struct {
	Mark txn.Mark
	held uint64 // its number in the journal
}

// Move makes the present point the one an editor goes back to when a row fails.
// REQUIRES: the session's mu.
func (b *Bound) Move(trx *txn.Trx) {
	if j := trx.Journal; j != nil {
		b.Mark = trx.Savepoint()
		b.held = j.Move(b.held, b.Mark)
		return
	}
	b.Mark = trx.Boundary()
}

// Unlogged implements txn.Journaled.
func (s *Session) Unlogged(def *catalog.Table) bool {
	return strings.HasPrefix(def.Schema, internalPrefix) || tabledef.IsFullTextTable(def.Name)
}

// Statement implements txn.Journaled. REQUIRES: s.mu, as in every change of a row.
func (s *Session) Statement(i *txn.StatementInfo) {
	k := s.logSettings()
	at := s.log.ctx.QueryTime()
	if at.IsZero() { // a transaction of nothing but its name
		at = time.Now()
	}
	i.Head = binlog.Head{Time: uint32(at.Unix()), ServerID: s.layer.Eng.Binlog().ServerID()}
	if db := s.GetCurrentDatabase(); db != k.database {
		q := *k.query
		q.Database = db
		k.query, k.database = &q, db
	}
	i.Session, i.Flags, i.Image, i.RowsQuery, i.Before, i.Cascades, i.Parts, i.Compress = k.query, k.flags, k.image, "", "", s.Stmt.cascades, k.parts, k.compress
	if s.ClientCharset() != nil && !sqlstatement.ASCII(s.statementText()) { // it is UTF-8 once it is read
		q := *k.query
		q.ClientCollation = uint16(sql.CharacterSet_utf8mb4.DefaultCollation())
		i.Session = &q
	}
	if k.text {
		i.Text, i.Micros = s.textOf(k), uint32(at.Nanosecond()/1000)
	} else {
		i.Text = nil
	}
	if k.rowsQuery {
		i.RowsQuery = s.statementText()
	}
	if s.ddl {
		i.Before = s.madeTable()
	} else if s.log.ahead != "" {
		i.Before = s.log.ahead
	}
}

// mayCascade notes that the statement may change rows of children as foreign keys ask.
func (s *Session) mayCascade() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stmt.cascades = true
	if s.log.journal != nil { // which may know the statement already: a trigger's comes later
		s.log.journal.Cascades()
	}
}

// statementText is the running statement as the client wrote it.
func (s *Session) statementText() string {
	text := s.log.text
	if text == "" && s.log.ctx != nil {
		text = s.log.ctx.Query()
	}
	return strings.TrimRight(text, "; \t\r\n")
}

// madeTable is the statement that makes the table which CREATE TABLE ... SELECT fills: the rows
// follow as such.
func (s *Session) madeTable() string {
	copier, ok := s.Stmt.root.(*plan.TableCopier)
	if !ok {
		return ""
	}
	c, ok := copier.Destination.(*plan.CreateTable)
	if !ok || c.Temporary() {
		return ""
	}
	s.log.made = true
	if text := s.createText(c.Db.Name(), c.Name()); text != "" {
		return text + " START TRANSACTION"
	}
	return s.statementText()
}

// createText is the statement that makes a table that the running statement has made; "": it cannot
// be told.
func (s *Session) createText(db, name string) string {
	h, err := s.layer.Eng.Table(s.log.ctx, s.Trx, db, name)
	if err != nil {
		return ""
	}
	def, err := tabledef.NewTableDef(h.Def(), db)
	if err != nil {
		return ""
	}
	text := tabledef.CreateText(s.log.ctx, def, 0)
	if db != s.GetCurrentDatabase() { // a replica's session may be in no database, or in another
		text = strings.Replace(text, "CREATE TABLE ", "CREATE TABLE "+tabledef.QuoteName(db)+".", 1)
	}
	return text
}

// logDefinition logs the statement whose changes of definitions are about to be committed.
// REQUIRES: s.mu, s.trx.
func (s *Session) logDefinition() error {
	j := s.Trx.Journal
	s.log.done = true
	if j == nil || s.log.made {
		return nil
	}
	if made := s.madeTable(); made != "" {
		return j.Query(made, true, nil) // it has no rows, and ends like one that has
	}
	text := s.statementText()
	if text == "" {
		return nil // the server's own
	}
	if s.Stmt.keyed {
		if c, ok := s.Stmt.root.(*plan.CreateTable); ok && !c.Temporary() {
			if made := s.createText(c.Db.Name(), c.Name()); made != "" {
				text = made
			}
		}
	}
	if other := s.withoutTemporary(); other != "" {
		text = other
	}
	return j.Query(s.withDefiner(text), false, s.asDefinition)
}

// withDefiner is a statement that names the definer of the stored object that it makes.
func (s *Session) withDefiner(text string) string {
	at := definerSyntax.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	c := s.Client()
	return text[:at[3]] + "DEFINER=" + tabledef.QuoteName(c.User) + "@" + tabledef.QuoteName(c.Address) + " " + text[at[3]:]
}

// definerSyntax finds CREATE statements of stored objects that name no definer. A replica insists
// on one.
var definerSyntax = regexp.MustCompile(`(?i)^(CREATE\s+(?:OR\s+REPLACE\s+)?(?:ALGORITHM\s*=\s*\w+\s+)?)(?:SQL\s+SECURITY\s+\w+\s+)?(?:AGGREGATE\s+)?(?:TRIGGER|PROCEDURE|FUNCTION|EVENT|VIEW)\s`)

// asDefinition adds what a replica needs to know for a definition.
func (s *Session) asDefinition(q *binlog.Query) {
	yes := true
	q.ExplicitTimestamp = &yes
	if c := s.Client(); c.User != "" {
		q.User, q.Host = c.User, c.Address
	}
	switch n := s.Stmt.root.(type) { // the database is the one they name: replicas choose by it
	case *plan.CreateDB:
		q.Database, q.SuppressUse = n.DbName, true
	case *plan.DropDB:
		q.Database, q.SuppressUse = n.DbName, true
	}
}

// WithLog returns a context in which PersistLogged logs the statement of ctx.
func WithLog(ctx *sql.Context) context.Context {
	plain := context.WithoutCancel(ctx)
	if s := SessionOf(ctx); s != nil {
		return context.WithValue(plain, logKey{}, s)
	}
	return plain
}

type logKey struct{}

// PersistLogged writes a key-value row as a transaction of its own, and logs the statement that
// asks for it, if ctx names its session. In the session of a replica the place behind the statement
// is part of the transaction: a replica that dies now neither repeats nor misses it.
func PersistLogged(ctx context.Context, eng *engine.Engine, namespace, key string, value []byte) error {
	return doLogged(ctx, eng, func(tx *txn.Trx) error { return eng.PutKV(ctx, tx, namespace, key, value) })
}

// doLogged runs fn as a transaction of its own, and logs the statement that asks for it, if ctx
// names its session.
func doLogged(ctx context.Context, eng *engine.Engine, fn func(tx *txn.Trx) error) error {
	s, _ := ctx.Value(logKey{}).(*Session)
	if s == nil {
		return eng.Do(fn)
	}
	s.Mu.Lock()
	off, text := s.logSettings().off, s.statementText()
	next := s.journalNext(false)
	s.Mu.Unlock()
	j := eng.NewJournal(s)
	if off || text == "" {
		j = nil
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log.done = true
	if j != nil {
		j.Next = next
		defer s.endGTID()
		defer s.endOrigin()
	}
	return eng.DefineLogged(ctx, j, text, func(tx *txn.Trx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return s.storePlace(ctx, tx)
	})
}

// logSettings reads the session variables that matter.
func (s *Session) logSettings() *logSettings {
	k := &s.log.known
	if v := s.variables.Load(); !k.valid || k.version != v {
		*k = s.readLogSettings()
		k.version, k.valid = v, true
	}
	return k
}

func (s *Session) readLogSettings() (k logSettings) {
	q := new(binlog.Query)
	k.query = q
	q.ThreadID, q.DefaultCollationUTF8MB4 = s.ID(), uint16(sql.Collation_utf8mb4_0900_ai_ci)
	if !s.flag("foreign_key_checks") {
		q.Flags2 |= binlog.Flag2NoForeignKeyCheck
	}
	if s.flag("sql_auto_is_null") {
		q.Flags2 |= binlog.Flag2AutoIsNull
	}
	if !s.flag("unique_checks") {
		q.Flags2 |= binlog.Flag2RelaxedUnique
	}
	q.AutoIncrement = [2]uint16{s.small("auto_increment_increment"), s.small("auto_increment_offset")}
	q.LCTimeNames = uint16(s.Locale().Number())
	q.SQLMode |= trees.UsualBits(s.text("sql_mode"))
	if cs, err := sql.ParseCharacterSet(s.text("character_set_client")); err == nil {
		q.ClientCollation = uint16(cs.DefaultCollation())
	}
	q.ConnectionCollation, q.ServerCollation = collationID(s.text("collation_connection")), collationID(s.text("collation_server"))
	if zone := s.text("time_zone"); zone != "" && (zone == "SYSTEM" || zone[0] == '+' || zone[0] == '-') {
		q.TimeZone = zone
	}
	switch strings.ToUpper(s.text("binlog_row_image")) {
	case "MINIMAL":
		k.image = binlog.ImageMinimal
	case "NOBLOB":
		k.image = binlog.ImageNoBlob
	}
	k.flags = q.Flags2
	if s.flag("binlog_transaction_compression") {
		k.compress = int(s.small("binlog_transaction_compression_level_zstd"))
	}
	k.text = s.text("binlog_format") == "STATEMENT"
	k.parts = s.text("binlog_row_value_options") != ""
	k.rowsQuery, k.off = s.flag("binlog_rows_query_log_events"), !s.flag("sql_log_bin")
	return k
}

// small reads a session variable that is a small number, 0 if it is none.
func (s *Session) small(name string) uint16 {
	v, _ := s.GetSessionVariable(nil, name)
	n, _ := strconv.ParseUint(fmt.Sprint(v), 10, 16)
	return uint16(n)
}

// asKept is a variable's value as the session keeps it: by its name if it is given by number, as
// mysqlbinlog does, character sets by that of their default collation.
func asKept(variable string, value any) (any, error) {
	if text, ok := value.(string); ok && variable == "gtid_next" {
		if next, is := ParseGTIDNext(text); is {
			return next.String(), nil
		}
		return text, nil
	}
	n, ok := wholeNumber(value)
	if !ok {
		return value, nil
	}
	set := strings.HasPrefix(variable, "character_set_")
	switch {
	case !set && variable != "default_collation_for_utf8mb4":
		return value, nil
	}
	at := sql.CollationID(n)
	switch {
	case n > 0 && n < 1<<16 && at.Name() != "" && at.CharacterSet() != sql.CharacterSet_Unspecified:
	case set:
		return nil, sqlerr.NewError(1115, "Unknown character set: '%d'", n)
	default:
		return nil, sqlerr.NewError(1273, "Unknown collation: '%d'", n)
	}
	if set {
		return at.CharacterSet().Name(), nil
	}
	return at.Name(), nil
}

func collationID(name string) uint16 {
	c, err := sql.ParseCollation("", name, false)
	if err != nil {
		return 0
	}
	return uint16(c)
}
