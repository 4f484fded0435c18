package sqllayer

import "emberdb/binlog"

// Tracked gathers what has changed in a session since its client was told of it last, where the
// client wants to be told (server/tracker.go). The session's own goroutine uses it.
type Tracked struct {
	Variables map[string]struct{} // SET gave them a value, though perhaps the one they had
	Committed binlog.Set          // the names of transactions
}

// Track makes the session gather its changes in t; nil: in nothing.
func (s *Session) Track(t *Tracked) { s.tracked = t }

// Named implements txn.Journaled.
func (s *Session) Named(g binlog.GTID) {
	if s.tracked != nil {
		s.tracked.Committed.Add(g)
	}
}

// assigned notes that a variable was set.
func (t *Tracked) assigned(name string) {
	if t == nil {
		return
	}
	if t.Variables == nil {
		t.Variables = map[string]struct{}{}
	}
	t.Variables[name] = struct{}{}
}

// Explicit tells whether the session is in a transaction that a statement began, not a change or a
// query without autocommit.
func (s *Session) Explicit() bool { return s.GetTransaction() != nil && s.GetIgnoreAutoCommit() }
