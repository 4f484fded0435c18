package replication

import (
	"fmt"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

// Target is the session on this server.
type Target interface {
	Execute(query string, args ...any) (*mysql.Result, error)
	// Place is stored by the next commit. Settle stores it if there was none.
	Place(p Place)
	Settle() error
	// Triggers says whether triggers fire.
	Triggers(fire bool)
	Close() error
}

// Place is a position in the source's log.
type Place struct {
	File     string
	Position uint32
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
	target     Target
	own        identity // what began here is passed over
	useGTID    bool     // gtid_mode is not OFF
	onlyGTID   bool     // it is ON
	place      Place
	gtid       string // of the transaction at hand, "" none
	origin     origin // of it
	open       bool   // BEGIN has been run
	passing    bool   // the transaction at hand began here
	set        string // the last SET of the session's variables
	database   string
	collations map[uint16]string
	tables     map[string]*table
}

// origin is where a transaction was committed first: when, in microseconds, and on which version. 0: its log does not tell.
type origin struct {
	time    uint64
	version uint32
}

func newApplier(target Target) (*applier, error) {
	a := &applier{target: target, collations: map[uint16]string{}, tables: map[string]*table{}}
	res, err := target.Execute("SELECT @@server_id, @@log_bin, @@gtid_mode, @@server_uuid, @@report_host, IF(@@report_port > 0, @@report_port, @@port), @@rpl_semi_sync_replica_enabled")
	if err != nil {
		return nil, err
	}
	id, err := res.GetUint(0, 0)
	if err != nil {
		return nil, err
	}
	logging, _ := res.GetString(0, 1)
	mode, _ := res.GetString(0, 2)
	port, _ := res.GetUint(0, 5)
	semi, _ := res.GetString(0, 6)
	a.own = identity{id: uint32(id), port: uint16(port), semi: semi == "1"}
	a.own.uuid, _ = res.GetString(0, 3)
	a.own.host, _ = res.GetString(0, 4)
	a.useGTID, a.onlyGTID = logging == "1" && mode != "OFF", logging == "1" && mode == "ON"
	if res, err = target.Execute("SELECT ID, COLLATION_NAME FROM information_schema.COLLATIONS"); err != nil {
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

// named begins a transaction with its name.
func (a *applier) named(e *replication.BinlogEvent, x *replication.GTIDEvent) error {
	a.gtid, a.passing = "ANONYMOUS", e.Header.ServerID == a.own.id
	a.origin = origin{x.OriginalCommitTimestamp, x.OriginalServerVersion}
	if e.Header.EventType != replication.ANONYMOUS_GTID_EVENT {
		tag, _ := binlog.ParseTag(x.Tag)
		a.gtid = binlog.GTID{Source: binlog.Source{Server: binlog.UUID(x.SID), Tag: tag}, N: x.GNO}.String()
	} else if a.onlyGTID {
		return mysql.NewError(1782, "@@SESSION.GTID_NEXT cannot be set to ANONYMOUS when @@GLOBAL.GTID_MODE = ON.")
	}
	return nil
}

// event applies one event.
func (a *applier) event(e *replication.BinlogEvent) error {
	end := Place{File: a.place.File, Position: e.Header.LogPos}
	switch x := e.Event.(type) {
	case *replication.RotateEvent:
		a.place = Place{File: string(x.NextLogName), Position: uint32(x.Position)}
		return nil
	case *replication.GTIDEvent:
		return a.named(e, x)
	case *replication.GtidTaggedLogEvent:
		return a.named(e, &x.GTIDEvent)
	case *replication.QueryEvent:
		if a.passing {
			return nil
		}
		return a.query(e.Header, x, end)
	case *replication.RowsEvent:
		if a.passing {
			return nil
		}
		return a.rowsEvent(x)
	case *replication.XIDEvent:
		return a.commit(end)
	case *replication.TransactionPayloadEvent:
		for _, inner := range x.Events {
			if inner.Header.LogPos = e.Header.LogPos; a.passing {
				continue
			}
			if err := a.event(inner); err != nil {
				return err
			}
		}
		return nil
	}
	switch e.Header.EventType {
	case replication.XA_PREPARE_LOG_EVENT:
		return fmt.Errorf("XA transactions cannot be applied")
	case replication.FORMAT_DESCRIPTION_EVENT, replication.PREVIOUS_GTIDS_EVENT:
		if !a.open && end.Position > a.place.Position {
			a.place = end
		}
	}
	return nil
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
func (a *applier) commit(end Place) error {
	if a.passing {
		a.place, a.passing = end, false
		return nil
	}
	if err := a.begin(); err != nil {
		return err
	}
	a.target.Place(end)
	_, err := a.target.Execute("COMMIT")
	a.open, a.gtid = false, ""
	if err == nil {
		err = a.target.Settle()
	}
	if err == nil {
		a.place = end
	}
	return err
}

// claim makes the GTID of a statement that changed nothing here count as executed: that of an empty transaction.
func (a *applier) claim() error {
	if !a.useGTID || a.gtid == "" || a.gtid == "ANONYMOUS" {
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

// query applies a Query event: the begin or end of a transaction, or a definition.
func (a *applier) query(h *replication.EventHeader, e *replication.QueryEvent, end Place) error {
	s, err := parseSession(e.StatusVars)
	if err != nil {
		return err
	}
	text, err := s.text(e.Query, a.collations)
	if err != nil {
		return err
	}
	switch text {
	case "BEGIN":
		return a.begin()
	case "COMMIT":
		return a.commit(end)
	case "ROLLBACK":
		_, err := a.target.Execute("ROLLBACK")
		a.open = false
		if err == nil {
			err = a.commit(end) // its GTID has been used
		}
		return err
	}
	create, creates := strings.CutSuffix(text, " START TRANSACTION")
	if a.open && !creates { // SAVEPOINT and its kin, which rows know nothing of
		if strings.HasPrefix(strings.ToUpper(text), "SAVEPOINT") || strings.HasPrefix(strings.ToUpper(text), "ROLLBACK TO") {
			_, err := a.target.Execute(text)
			return err
		}
		return fmt.Errorf("a statement within a transaction: %s", text)
	}
	clear(a.tables)
	if err := a.prepare(h, e, &s); err != nil {
		return err
	}
	if creates {
		return a.createFirst(create)
	}
	if err := a.next(); err != nil {
		return err
	}
	a.target.Place(end)
	if _, err := a.target.Execute(text); err != nil {
		return fmt.Errorf("%w; statement: %.500s", err, text)
	}
	if err := a.claim(); err != nil {
		return err
	}
	a.place, a.gtid = end, ""
	return a.target.Settle()
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

// createFirst makes the table of a CREATE TABLE ... SELECT, whose rows follow: as a transaction of its own that no log names. It may be there already,
// empty, when the rows did not come to their commit.
func (a *applier) createFirst(create string) error {
	create = strings.Replace(create, "CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", 1)
	res, err := a.target.Execute("SELECT @@sql_log_bin")
	if err != nil {
		return err
	}
	logs, err := res.GetString(0, 0)
	if err != nil {
		return err
	}
	for _, q := range []string{"ROLLBACK", "SET gtid_next = 'AUTOMATIC'", "SET sql_log_bin = 0", create, "SET sql_log_bin = " + logs} {
		if _, err := a.target.Execute(q); err != nil {
			return err
		}
	}
	a.open = false
	return a.begin()
}
