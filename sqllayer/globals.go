package sqllayer

import (
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
)

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
	return s.BaseSession.GetSessionVariable(ctx, name)
}

// live gives the variables that tell of the statement before, or of the session.
func (s *Session) live(name string) (any, bool) {
	switch name {
	case "identity", "last_insert_id":
		return s.GetLastQueryInfo().LastInsertId.Load(), true
	case "pseudo_thread_id":
		return int64(s.ID()), true
	case "warning_count":
		return int64(s.before.warnings), true
	case "error_count":
		return int64(s.before.errors), true
	}
	return nil, false
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
