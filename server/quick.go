package server

// What the loop (loop.go) does with a connection, and what the connection's goroutine does about the loop.

// await waits for a command with the loop, if the connection has a seat there or has earned one.
func (w *wireConn) await() error {
	s, ok := w.raw.(*socket)
	switch {
	case !ok:
		return nil
	case s.seat != nil && w.credit <= 0:
		return s.leave()
	case s.seat == nil && w.credit == loopCredit:
		if l := w.srv.loop(); l != nil {
			s.join(l, w)
		}
	}
	for s.seat != nil {
		if len(s.seat.rest) > 0 {
			rest := s.seat.rest
			s.seat.rest = nil
			if _, err := s.Write(rest); err != nil {
				return errHungUp
			}
			continue
		}
		if any, drained := w.rd.fillNow(s); any || !drained {
			return nil // or the end of the stream, which the next read meets
		}
		if s.seat.park() && (w.hangUp.Load() || w.killed.Load()) {
			return errHungUp
		}
	}
	return nil
}

// reckon counts the command that has been run towards a seat in the loop; of those that the loop has tried it has seen to itself.
func (w *wireConn) reckon() {
	switch s, ok := w.raw.(*socket); {
	case w.ranQuick:
		w.credit = min(w.credit+1, loopCredit)
	case !ok || s.seat == nil:
		w.credit = 0
	}
	w.ranQuick = false
}

// quick serves what the client sends, for the loop; false: the connection's own goroutine has to go on. REQUIRES: nothing is buffered.
func (w *wireConn) quick() bool {
	any, drained := w.rd.fillNow(w.raw.(*socket))
	if !any {
		return drained
	}
	for w.rd.at != w.rd.end {
		if !w.quickCommand() {
			w.credit -= loopPrice
			return false
		}
		w.credit = min(w.credit+1, loopCredit)
		w.raw.(*socket).seat.l.count.Add(1)
	}
	return drained && len(w.raw.(*socket).seat.rest) == 0
}

// quickCommand runs the command that is buffered, if it is there as a whole and quick.
func (w *wireConn) quickCommand() bool {
	h := w.rd.buf[w.rd.at:w.rd.end]
	if len(h) <= headerSize || w.hangUp.Load() || w.killed.Load() {
		return false
	}
	n, cmd := frameLen(h), h[headerSize]
	if n > len(h)-headerSize || h[3] != 0 || cmd != comQuery && cmd != comStmtExecute || n < max(1, shortest[cmd]) {
		return false
	}
	w.endCommand()
	if !w.advance(stateIdle, stateReading) {
		return false
	}
	w.cmd, w.total, w.more = cmd, n, false
	taken, err := w.tryQuick(n)
	if err != nil {
		w.hangUp.Store(true)
	}
	if !w.advance(stateBusy, stateIdle) {
		w.advance(stateReading, stateIdle)
	}
	return taken && err == nil
}
