package sqllayer

// What a statement waits for, as the process list shows it: monitors and tools that change tables
// online look for MySQL's words.

// Stage makes state what the process list shows of the statement, until end is called.
func (s *Session) Stage(state string) (end func()) {
	s.stage.Store(&state)
	return func() { s.stage.Store(nil) }
}

// Waits tells what the session's statement waits for, "" if it runs. Any goroutine may ask.
func (s *Session) Waits() string {
	if s.owner.WaitsForMeta() {
		return "Waiting for table metadata lock"
	}
	if state := s.stage.Load(); state != nil {
		return *state
	}
	return ""
}
