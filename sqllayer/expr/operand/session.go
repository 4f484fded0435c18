package operand

import (
	"context"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/locale"
)

// Wrapper is a session around another one, whose abilities it has.
type Wrapper interface{ Within() sql.Session }

// Able is the session of a statement as one that is able to do more.
func Able[T any](s sql.Session) (T, bool) {
	if w, ok := s.(Wrapper); ok {
		s = w.Within()
	}
	able, ok := s.(T)
	return able, ok
}

// Stage has the process list show what the statement waits for, until end is called.
func Stage(ctx *sql.Context, state string) (end func()) {
	if s, ok := Able[interface{ Stage(string) func() }](ctx.Session); ok {
		return s.Stage(state)
	}
	return func() {}
}

// Programs is a session that knows the variables of the stored program that runs.
type Programs interface {
	ProgramVariable(name string) (value any, t sql.Type, ok bool)
}

// Interrupts lets a loop over the parts of one value end with its statement. The zero number of
// steps has been made. A context that is nil never ends.
type Interrupts struct {
	Ctx context.Context
	n   int
}

// interruptSteps is how many steps are made between two looks at the statement. A step takes
// microseconds at most.
const interruptSteps = 1024

// Next begins a step; it fails once the statement is to end.
func (s *Interrupts) Next() error {
	if s.n++; s.n%interruptSteps == 0 && s.Ctx != nil {
		return s.Ctx.Err()
	}
	return nil
}

// Moded is a session that keeps its sql_mode read.
type Moded interface{ SQLMode() *sql.SqlMode }

// Mode is the sql_mode of the session that runs a statement. A session that is not Moded is asked
// for the variable, which is read again each time.
func Mode(ctx *sql.Context) *sql.SqlMode {
	if s, ok := Able[Moded](ctx.Session); ok {
		return s.SQLMode()
	}
	return sql.LoadSqlMode(ctx)
}

// Zoned is a session that has a time_zone; nil is UTC.
type Zoned interface{ Zone() *time.Location }

// Zone is the time_zone of the session that runs a statement.
func Zone(ctx *sql.Context) *time.Location {
	if s, ok := Able[Zoned](ctx.Session); ok {
		if zone := s.Zone(); zone != nil {
			return zone
		}
	}
	return time.UTC
}

// Localized is a session that has lc_time_names.
type Localized interface{ Locale() *locale.Locale }

// Names are the names of months and days for the session that runs a statement.
func Names(ctx *sql.Context) *locale.Locale {
	if s, ok := Able[Localized](ctx.Session); ok {
		return s.Locale()
	}
	return locale.English()
}
