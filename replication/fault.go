package replication

import (
	"errors"
	"fmt"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// eventFault is an error of this server while it applied an event, and how MySQL tells of it.
type eventFault struct {
	error
	text string
}

func (e *eventFault) Unwrap() error { return e.error }

// handlerErrors are the names that the errors of rows have in MySQL's storage interface.
var handlerErrors = map[uint16]string{1062: "HA_ERR_FOUND_DUPP_KEY", 1032: "HA_ERR_KEY_NOT_FOUND", 1205: "HA_ERR_LOCK_WAIT_TIMEOUT",
	1213: "HA_ERR_LOCK_DEADLOCK", 1452: "HA_ERR_NO_REFERENCED_ROW", 1451: "HA_ERR_ROW_IS_REFERENCED", 1114: "HA_ERR_RECORD_FILE_FULL"}

// rowsFault is the error of a row event.
func (a *applier) rowsFault(h *replication.EventHeader, e *replication.RowsEvent, err error) error {
	var m *mysql.MyError
	if err == nil || !errors.As(err, &m) || e.Table == nil {
		return err
	}
	kind := map[replication.EnumRowsEventType]string{replication.EnumRowsEventTypeInsert: "Write_rows", replication.EnumRowsEventTypeUpdate: "Update_rows",
		replication.EnumRowsEventTypeDelete: "Delete_rows"}[e.Type()]
	text := fmt.Sprintf("Could not execute %s event on table %s.%s; %s, Error_code: %d;", kind, e.Table.Schema, e.Table.Table, m.Message, m.Code)
	if name := handlerErrors[m.Code]; name != "" {
		text += " handler error " + name + ";"
	}
	return &eventFault{err, fmt.Sprintf("%s the event's source log %s, end_log_pos %d", text, a.end.File, h.LogPos)}
}
