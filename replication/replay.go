package replication

// BINLOG statements: what mysqlbinlog makes of row events. A script of it has the transactions'
// borders, definitions and session variables as statements of their own; what comes here is format
// descriptions, table maps and rows.

import (
	"encoding/binary"
	"fmt"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

// Replay applies the BINLOG statements of one session, in its transaction.
type Replay struct {
	parser    *replication.BinlogParser
	described bool   // a format description has come
	version   uint64 // of the definitions that tables are of
	applier
}

// NewReplay begins a session's.
func NewReplay() *Replay { return &Replay{parser: newParser()} }

var (
	errCut     = mysql.NewError(mysql.ER_SYNTAX_ERROR, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use")
	errCorrupt = mysql.NewError(1610, "Corrupted replication event was detected")
)

// Apply applies the events of one statement. target is the session, whose RowVariables it changes;
// version grows with every change of a definition.
func (r *Replay) Apply(target Session, version uint64, events []byte) error {
	r.target, r.set = target, ""
	if r.tables == nil || r.version != version {
		r.tables, r.version = map[string]*table{}, version
	}
	if len(events) == 0 {
		return errCut
	}
	for len(events) > 0 {
		if len(events) < replication.EventHeaderSize {
			return errCut
		}
		if err := r.admit(replication.EventType(events[4])); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(events[9:])
		if n < replication.EventHeaderSize || uint64(n) > uint64(len(events)) {
			return errCut
		}
		if err := r.one(events[:n]); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// Create is the CREATE TABLE ... START TRANSACTION that a CREATE TABLE ... SELECT was logged as, in
// a transaction that has a name: its rows follow.
func (r *Replay) Create(target Session, create, gtid string) error {
	r.target, r.gtid, r.useGTID = target, gtid, true
	return r.createFirst(create)
}

// admit refuses events that no BINLOG statement may hold.
func (r *Replay) admit(t replication.EventType) error {
	switch t {
	case replication.FORMAT_DESCRIPTION_EVENT:
		r.parser, r.described = newParser(), true
	case replication.TABLE_MAP_EVENT, replication.WRITE_ROWS_EVENTv1, replication.UPDATE_ROWS_EVENTv1, replication.DELETE_ROWS_EVENTv1,
		replication.WRITE_ROWS_EVENTv2, replication.UPDATE_ROWS_EVENTv2, replication.DELETE_ROWS_EVENTv2, replication.PARTIAL_UPDATE_ROWS_EVENT:
		if !r.described {
			name := "Table_map"
			if t != replication.TABLE_MAP_EVENT {
				name = "row"
			}
			return mysql.NewError(1609, fmt.Sprintf("The BINLOG statement of type `%s` was not preceded by a format description BINLOG statement.", name))
		}
	default:
		return mysql.NewError(1730, fmt.Sprintf("Only Format_description_log_event and row events are allowed in BINLOG statements (but %s was provided)", binlog.EventType(t)))
	}
	return nil
}

func (r *Replay) one(event []byte) error {
	e, err := parseEvent(r.parser, event)
	if err != nil {
		return fmt.Errorf("%w: %w", errCorrupt, err)
	}
	if rows, ok := e.Event.(*replication.RowsEvent); ok {
		return r.rowsOf(rows)
	}
	return nil
}

// rowsOf applies a row event.
func (r *Replay) rowsOf(e *replication.RowsEvent) error {
	if e.Table == nil {
		return errCorrupt
	}
	if err := r.session("SET " + rowVariables(e)); err != nil {
		return err
	}
	r.target.Triggers(false)
	defer r.target.Triggers(true)
	return r.rows(e)
}
