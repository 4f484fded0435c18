package sqllayer

// What of a session moves to another process: everything that its next statement may see, where no
// transaction is open. What cannot move is named by Stays.

import (
	"context"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/sessionstate"
)

// Stays says what keeps the session from moving, "" if nothing does. It is for the session's own
// goroutine, between statements.
func (s *Session) Stays() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch {
	case s.inTransaction():
		return "a transaction is open"
	case s.branch.state != noBranch:
		return "an XA transaction is attached"
	case s.once != once{}:
		return "the next transaction's characteristics are set"
	case s.locked != nil:
		return "LOCK TABLES is in force"
	case len(s.handlers.byName) > 0:
		return "it has opened tables by HANDLER"
	case len(s.Temps.byName) > 0:
		return "it has temporary tables"
	case s.log.next.state != gtidAutomatic || s.log.next.holds:
		return "gtid_next is set"
	case s.layer.Locks.Holds(s.ID()):
		return "it holds a lock of GET_LOCK"
	}
	return ""
}

// Move returns the session for another process; globals are MovedGlobals.
func (s *Session) Move(globals map[string]sessionstate.MovedValue) (*sessionstate.Moved, error) {
	ctx := sql.NewContext(context.Background(), sql.WithSession(s.BaseSession))
	last := s.GetLastQueryInfo()
	m := &sessionstate.Moved{Database: s.GetCurrentDatabase(), Variables: map[string]sessionstate.MovedValue{}, UserVariables: map[string]sessionstate.MovedVariable{}, Roles: s.roles.Load(),
		RowCount: last.RowCount.Load(), FoundRows: last.FoundRows.Load(), LastInsertID: last.LastInsertId.Load()}
	for name, v := range s.GetAllSessionVariables() {
		at, _, ok := sql.SystemVariables.GetGlobal(name)
		if !ok || at.IsReadOnly() || at.IsGlobalOnly() {
			continue
		}
		value, err := sessionstate.MoveValue(ctx, v)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", name, err)
		}
		if old, ok := globals[name]; !ok || !old.Is(value) {
			m.Variables[name] = value
		}
	}
	for name := range s.userNames {
		t, v, err := s.GetUserVariable(ctx, name)
		if err != nil {
			return nil, err
		}
		one := sessionstate.MovedVariable{Type: sessionstate.MoveType(t)}
		if one.MovedValue, err = sessionstate.MoveValue(ctx, v); err == nil {
			err = one.Type.Check(t)
		}
		if err != nil {
			return nil, fmt.Errorf("user variable %s: %w", name, err)
		}
		m.UserVariables[name] = one
	}
	for _, w := range s.Warnings() {
		m.Warnings = append(m.Warnings, *w)
	}
	return m, nil
}

// Arrive makes a new session what m was in another process, whose global values were globals.
func (s *Session) Arrive(m *sessionstate.Moved, globals map[string]sessionstate.MovedValue) error {
	defer s.variables.Add(1)
	ctx := sql.NewContext(context.Background(), sql.WithSession(s.BaseSession)) // not a client's SET: nobody is asked
	now := sessionstate.MovedGlobals()
	for name, v := range globals {
		if own, ok := now[name]; ok && !own.Is(v) {
			if err := s.arriveVariable(ctx, name, v); err != nil {
				return err
			}
		}
	}
	for name, v := range m.Variables {
		if err := s.arriveVariable(ctx, name, v); err != nil {
			return err
		}
	}
	for name, v := range m.UserVariables {
		value, err := v.Value()
		if err != nil {
			return fmt.Errorf("user variable %s: %w", name, err)
		}
		t, err := v.Type.SqlType()
		if err != nil {
			return fmt.Errorf("user variable %s: %w", name, err)
		}
		if err := s.SetUserVariable(ctx, name, value, t); err != nil {
			return err
		}
	}
	s.SetCurrentDatabase(m.Database)
	if m.Roles != nil {
		s.roles.Store(m.Roles)
	}
	s.BaseSession.ClearWarnings() // of values that were cut
	for i := range m.Warnings {
		s.BaseSession.Warn(&m.Warnings[i])
	}
	last := s.GetLastQueryInfo()
	last.RowCount.Store(m.RowCount)
	last.FoundRows.Store(m.FoundRows)
	last.LastInsertId.Store(m.LastInsertID)
	return nil
}

// arriveVariable sets a session variable. One that this program does not know is passed over, and so
// is a value that it does not take: the process before may be another version.
func (s *Session) arriveVariable(ctx *sql.Context, name string, v sessionstate.MovedValue) error {
	at, _, ok := sql.SystemVariables.GetGlobal(name)
	if !ok || at.IsReadOnly() || at.IsGlobalOnly() {
		return nil
	}
	value, err := v.Value()
	if err != nil {
		return fmt.Errorf("variable %s: %w", name, err)
	}
	_ = s.BaseSession.SetSessionVariable(ctx, name, value)
	return nil
}
