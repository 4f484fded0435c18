package expr

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// Moded is a session that keeps its sql_mode read.
type Moded interface{ SQLMode() *sql.SqlMode }

// Mode is the sql_mode of the session that runs a statement. A session that is not Moded is asked
// for the variable, which is read again each time.
func Mode(ctx *sql.Context) *sql.SqlMode {
	if s, ok := ctx.Session.(Moded); ok {
		return s.SQLMode()
	}
	return sql.LoadSqlMode(ctx)
}

// Zoned is a session that has a time_zone; nil is UTC.
type Zoned interface{ Zone() *time.Location }

// Zone is the time_zone of the session that runs a statement.
func Zone(ctx *sql.Context) *time.Location {
	if s, ok := ctx.Session.(Zoned); ok {
		if zone := s.Zone(); zone != nil {
			return zone
		}
	}
	return time.UTC
}
