package replication

import (
	"fmt"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

// Session is a session on this server that applies what a log holds.
type Session interface {
	Execute(query string, args ...any) (*mysql.Result, error)
	// Place is stored by the next commit. Settle stores it if there was none.
	Place(m Mark)
	Settle() error
	// Triggers says whether triggers fire.
	Triggers(fire bool)
	// Follow has the next commit wait for its turn; nil: it waits for nobody.
	Follow(t *Turn)
	// LogAhead has the next transaction's events in the server's own log begin with a statement.
	LogAhead(statement string)
}

// Target is the session of a worker.
type Target interface {
	Session
	// Version grows with every change of a definition.
	Version() uint64
	// Interrupt ends the statement that runs, and has those that follow fail.
	Interrupt()
	Close() error
}

// rowVariables makes the session that in which the rows of an event are written.
func rowVariables(e *replication.RowsEvent) string {
	return fmt.Sprintf("sql_mode = 'NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES,ALLOW_INVALID_DATES', character_set_client = utf8mb4, collation_connection = utf8mb4_0900_ai_ci, "+
		"time_zone = '+00:00', foreign_key_checks = %d, unique_checks = %d", zeroIf(uint32(e.Flags)&(rowsNoForeignKeys|rowsForeignKeysSQL)), zeroIf(uint32(e.Flags)&rowsRelaxedUnique))
}

// RowVariables are the variables that writing rows changes.
var RowVariables = []string{"sql_mode", "character_set_client", "collation_connection", "time_zone", "foreign_key_checks", "unique_checks"}

// Flags of a row event. MySQL 9 logs what foreign keys changed, and says so.
const (
	rowsNoForeignKeys  = 0x02
	rowsRelaxedUnique  = 0x04
	rowsForeignKeysSQL = 0x10
)

// applier is the state between two events of the source.
type applier struct {
	target     Session
	local      Local // nil: the events are those of BINLOG statements
	settings   Settings
	rowFormat  bool   // REQUIRE_ROW_FORMAT
	anonymous  string // ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS
	useGTID    bool   // gtid_mode is not OFF
	onlyGTID   bool   // it is ON
	end        Mark   // of the transaction at hand
	first      bool   // nothing was applied before it since the start
	gtid       string // of the transaction at hand, "" none
	origin     origin // of it
	open       bool   // BEGIN has been run
	maria      bool   // MariaDB has logged it
	branch     bool   // it is a branch of a distributed transaction
	xid        string // its name
	passing    bool   // it is here already
	turn       *Turn  // its turn to be committed; nil: it runs alone
	set        string // the last SET of the session's variables
	database   string
	collations map[uint16]string
	tables     map[string]*table
}

// origin is where a transaction was committed first: when, in microseconds, and on which version.
// 0: its log does not tell.
type origin struct {
	time    uint64
	version uint32
}

func newApplier(target Target, local Local, settings *Settings, src *Source) (*applier, error) {
	a := &applier{target: target, local: local, settings: *settings, rowFormat: src.RowFormat, anonymous: src.Anonymous, first: true,
		collations: map[uint16]string{}, tables: map[string]*table{}}
	res, err := target.Execute("SELECT ID, COLLATION_NAME FROM information_schema.COLLATIONS")
	if err != nil {
		return nil, err
	}
	for i := range res.Values {
		n, err := res.GetUint(i, 0)
		if err != nil {
			return nil, err
		}
		name, err := res.GetString(i, 1)
		if err != nil {
			return nil, err
		}
		a.collations[uint16(n)] = name
	}
	_, err = target.Execute("SET wait_timeout = 31536000")
	return a, err
}

// start prepares for the events of a transaction.
func (a *applier) start(j *job) {
	mode, _ := a.local.GTIDs()
	a.useGTID, a.onlyGTID = mode != "OFF", mode == "ON"
	a.end, a.gtid, a.origin, a.branch, a.passing, a.maria = j.end, "", origin{}, false, false, j.maria
}

// rollback takes back what was applied of a transaction.
func (a *applier) rollback() {
	queries := []string{"ROLLBACK"}
	if a.branch && a.open {
		queries = []string{"XA END " + a.xid, "XA ROLLBACK " + a.xid}
	}
	for _, q := range append(queries, "SET gtid_next = 'AUTOMATIC'") {
		_, _ = a.target.Execute(q) // an error of the session comes up again with the next statement
	}
	a.open, a.set, a.database = false, "", ""
}

// named begins a transaction with its name.
func (a *applier) named(e *replication.BinlogEvent, x *replication.GTIDEvent) error {
	a.origin = origin{x.OriginalCommitTimestamp, x.OriginalServerVersion}
	if e.Header.EventType == replication.ANONYMOUS_GTID_EVENT {
		return a.unnamed()
	}
	tag, _ := binlog.ParseTag(x.Tag)
	a.gtid = binlog.GTID{Source: binlog.Source{Server: binlog.UUID(x.SID), Tag: tag}, N: x.GNO}.String()
	return nil
}

// unnamed begins a transaction that the source has given no name.
func (a *applier) unnamed() error {
	a.gtid = "ANONYMOUS"
	switch {
	case a.anonymous == "LOCAL":
		a.gtid = "AUTOMATIC"
	case a.anonymous != "":
		a.gtid = a.nextOf(a.anonymous)
	case a.onlyGTID:
		return mysql.NewError(1782, "@@SESSION.GTID_NEXT cannot be set to ANONYMOUS when @@GLOBAL.GTID_MODE = ON.")
	}
	return nil
}

// nextOf is the next name of a server that names no transactions itself.
func (a *applier) nextOf(uuid string) string {
	id, _ := binlog.ParseUUID(uuid) // it was looked at when it was set
	_, executed := a.local.GTIDs()
	n := int64(1)
	for source, in := range executed.Of(id).All() {
		if source.Tag != (binlog.Tag{}) || in.Start > n {
			break
		}
		n = in.End
	}
	return fmt.Sprintf("%s:%d", uuid, n)
}

// event applies one event.
func (a *applier) event(e *replication.BinlogEvent) error {
	switch x := e.Event.(type) {
	case *replication.GTIDEvent:
		return a.named(e, x)
	case *replication.GtidTaggedLogEvent:
		return a.named(e, &x.GTIDEvent)
	case *replication.MariadbGTIDEvent:
		return a.namedByMariaDB(e.RawData, x)
	case *replication.QueryEvent:
		return a.query(e.Header, x)
	case *replication.RowsEvent:
		return a.passes(a.rowsFault(e.Header, x, a.rowsEvent(x)))
	case *replication.XIDEvent:
		return a.commit()
	case *replication.IntVarEvent:
		return a.variable(x)
	case *replication.TransactionPayloadEvent:
		for _, inner := range x.Events {
			inner.Header.LogPos = e.Header.LogPos
			if err := a.event(inner); err != nil {
				return err
			}
		}
		return nil
	case *replication.GenericEvent:
		switch e.Header.EventType {
		case replication.XA_PREPARE_LOG_EVENT:
			return a.prepareBranch(x.Data)
		case replication.USER_VAR_EVENT:
			return a.userVariable(x.Data)
		case replication.RAND_EVENT:
			return a.seeds(x.Data)
		}
	}
	switch e.Header.EventType {
	case replication.LOAD_EVENT, replication.BEGIN_LOAD_QUERY_EVENT, replication.EXECUTE_LOAD_QUERY_EVENT:
		if !a.executed() {
			return fmt.Errorf("events of type %s cannot be applied", e.Header.EventType)
		}
	}
	return nil
}

// executed tells whether the transaction at hand is here already, and what it holds is passed over.
func (a *applier) executed() bool {
	g, err := binlog.ParseGTID(a.gtid)
	if err != nil || a.local == nil {
		return false
	}
	_, set := a.local.GTIDs()
	return set.Contains(g)
}

// passes leaves out an error that replica_skip_errors names.
func (a *applier) passes(err error) error {
	if code := codeOf(err); code != 0 && (a.settings.SkipAll || a.settings.SkipErrors[code]) {
		return nil
	}
	return err
}

// begin begins the source's transaction here, once.
func (a *applier) begin() error {
	if a.open {
		return nil
	}
	if err := a.next(); err != nil {
		return err
	}
	_, err := a.target.Execute("BEGIN")
	a.open = err == nil
	return err
}

// next names the next transaction as the source did, and tells where it comes from.
func (a *applier) next() error {
	var set []string
	if a.useGTID && a.gtid != "" {
		set = append(set, "gtid_next = '"+a.gtid+"'")
	}
	if a.origin.time != 0 {
		set = append(set, fmt.Sprint("original_commit_timestamp = ", a.origin.time))
	}
	if a.origin.version != 0 {
		set = append(set, fmt.Sprint("original_server_version = ", a.origin.version))
	}
	if len(set) == 0 {
		return nil
	}
	_, err := a.target.Execute("SET " + strings.Join(set, ", "))
	return err
}

// commit ends the transaction, and with it notes the place behind it.
func (a *applier) commit() error {
	if err := a.begin(); err != nil {
		return err
	}
	a.target.Place(a.end)
	if _, err := a.target.Execute("COMMIT"); err != nil {
		return err
	}
	return a.ended()
}

// finish commits a transaction whose events end without a commit: logs of Ember before 0.2 hold
// CREATE TABLE ... SELECT of no rows so.
func (a *applier) finish() error {
	if !a.open || a.branch {
		return nil
	}
	return a.commit()
}

// ended notes that the transaction has been applied.
func (a *applier) ended() error {
	a.open, a.gtid, a.first = false, "", false
	if a.turn != nil { // what changed nothing has not waited
		if err := a.turn.come(); err != nil {
			return err
		}
	}
	return a.target.Settle()
}

// claim makes the GTID of a statement that changed nothing here count as executed: that of an empty
// transaction.
func (a *applier) claim() error {
	if !a.useGTID || a.gtid == "" || a.gtid == "ANONYMOUS" || a.gtid == "AUTOMATIC" {
		return nil
	}
	if _, err := a.target.Execute("COMMIT"); err != nil {
		return err
	}
	res, err := a.target.Execute("SELECT GTID_SUBSET('" + a.gtid + "', @@GLOBAL.gtid_executed)")
	if err != nil {
		return err
	}
	if done, err := res.GetInt(0, 0); err != nil || done == 1 {
		return err
	}
	for _, q := range []string{"SET gtid_next = '" + a.gtid + "'", "BEGIN", "COMMIT"} {
		if _, err := a.target.Execute(q); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) rowsEvent(e *replication.RowsEvent) error {
	if a.passing {
		return nil
	}
	if e.Table != nil {
		if db := a.settings.Filters.rewritten(string(e.Table.Schema)); db != string(e.Table.Schema) {
			own := *e.Table
			own.Schema, e.Table = []byte(db), &own
		}
		if !a.settings.Filters.rows(TableName{string(e.Table.Schema), string(e.Table.Table)}) {
			return nil
		}
	}
	if err := a.begin(); err != nil {
		return err
	}
	if err := a.session("SET timestamp = DEFAULT, " + rowVariables(e)); err != nil {
		return err
	}
	a.target.Triggers(false)
	defer a.target.Triggers(true)
	return a.rows(e)
}

// session runs a SET if it is another than the last.
func (a *applier) session(set string) error {
	if set == a.set {
		return nil
	}
	if _, err := a.target.Execute(set); err != nil {
		return err
	}
	a.set = set
	return nil
}

// prepare makes the session like the statement's.
func (a *applier) prepare(h *replication.EventHeader, e *replication.QueryEvent, s *session) error {
	set, err := s.set(h.Timestamp, a.collations)
	if err == nil {
		err = a.session(set)
	}
	if err != nil {
		return err
	}
	if db := string(e.Schema); db != "" && db != a.database {
		// The statement may drop or make the database that its session was in.
		if _, err := a.target.Execute("USE " + quoteName(db)); err != nil {
			if me, ok := err.(*mysql.MyError); !ok || me.Code != mysql.ER_BAD_DB_ERROR {
				return err
			}
			db = ""
		}
		a.database = db
	}
	if strings.HasPrefix(strings.ToUpper(string(e.Query)), "DROP") {
		a.database = "" // perhaps it was that one
	}
	return nil
}

// createFirst makes the table of a CREATE TABLE ... SELECT, whose rows follow: as a transaction of
// its own that no log names. It may be there already, empty, when the rows did not come to their
// commit.
func (a *applier) createFirst(create string) error {
	if a.turn != nil {
		if err := a.turn.come(); err != nil {
			return err
		}
		a.target.Follow(nil)
		defer a.target.Follow(a.turn)
	}
	again := create
	if !strings.HasPrefix(create, "CREATE TABLE IF NOT EXISTS ") {
		again = strings.Replace(create, "CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", 1)
	}
	res, err := a.target.Execute("SELECT @@sql_log_bin")
	if err != nil {
		return err
	}
	logs, err := res.GetString(0, 0)
	if err != nil {
		return err
	}
	for _, q := range []string{"ROLLBACK", "SET gtid_next = 'AUTOMATIC'", "SET sql_log_bin = 0"} {
		if _, err := a.target.Execute(q); err != nil {
			return err
		}
	}
	_, err = a.target.Execute(again)
	if _, logged := a.target.Execute("SET sql_log_bin = " + logs); err == nil { // whatever came of it: the session goes on
		err = logged
	}
	if err != nil {
		return err
	}
	a.open = false
	if err := a.begin(); err != nil {
		return err
	}
	a.target.LogAhead(create + " START TRANSACTION")
	return nil
}
