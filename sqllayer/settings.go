package sqllayer

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/txn"
)

// settings are the session variables that every transaction asks for, as the engine wants them.
type settings struct {
	version    uint64 // of the variables they were read from
	autocommit bool
	readOnly   bool
	isolation  txn.Isolation
	lockWait   time.Duration
	autoMode   int            // innodb_autoinc_lock_mode
	zone       *time.Location // time_zone; nil: UTC
	references bool           // foreign_key_checks
	checkReads bool           // innodb_snapshot_isolation
	mode       *sql.SqlMode   // sql_mode
}

// ReadOnly tells that the session's transactions are READ ONLY where they do not say otherwise.
func (s *Session) ReadOnly() bool { return s.settings().readOnly }

// SQLMode is the session's sql_mode. It implements expr.Moded.
func (s *Session) SQLMode() *sql.SqlMode { return s.settings().mode }

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
		autoMode:   2,
		zone:       parseZone(s.text("time_zone")),
		references: s.flag("foreign_key_checks"),
		checkReads: s.flag("innodb_snapshot_isolation"),
		mode:       sql.NewSqlModeFromString(s.text(sql.SqlModeSessionVar)),
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
