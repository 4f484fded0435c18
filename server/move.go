package server

// Connections that go on in another process. The old process calls Move: it brings each connection
// to a point where nothing of it is in the engine, and returns all of them with their sockets. The
// new process gives them to Config.Moved.
//
//	waits     sessions go on as usual, until each of them has been without a transaction once
//	closed    nobody is accepted; a session that comes to the end of a transaction, or has none, is parked
//	decided   all are parked: they end here (leave), or go on here (resume)
//
// Each of the first two lasts at most ember_restart_wait. A session that has not come to an end of
// a transaction in its time gets MySQL's 1053. What keeps a session from moving is named by stays.
//
// A connection is parked by its own goroutine, between two commands: it exports itself (movedConn)
// and waits for the decision. An idle one is in a read: its state goes from idle to moving by
// compare-and-swap, a deadline ends the read, and woken tells that the deadline may be taken off
// again.
//
// A client over TLS stays with this process, which passes its bytes on: relay.go.

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"emberdb/internal/keep"
	"emberdb/server/sources"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sessionstate"
	"emberdb/sqllayer/sqlerr"
)

// Moved is what another process needs to go on: its state, and the descriptors that it names.
type Moved struct {
	State json.RawMessage
	Files map[string]*os.File
}

// movedServer is the state of a server on its way.
type movedServer struct {
	LastID      uint32 // of the connections
	Globals     map[string]sessionstate.MovedValue
	Connections []*movedConn
}

// socketName names a connection's descriptor.
func socketName(id uint32) string { return fmt.Sprintf("connection-%d", id) }

// move is a hand-over under way.
type move struct {
	globals map[string]sessionstate.MovedValue
	outcome chan struct{} // closed when it is decided
	leave   bool          // the decision

	mu     sync.Mutex
	closed bool
	free   map[*wireConn]bool // have been without a transaction since the beginning
	stay   map[*wireConn]bool // were asked since then, or since closed, and cannot move now
	parked map[*wireConn]*movedConn
}

// Limits and periods of a move.
const (
	movePeriod = 5 * time.Millisecond // between two looks at connections that are not parked
	moveGrace  = 5 * time.Second      // for clients that have been told 1053
	loginGrace = time.Second          // for clients that log in while all others wait
)

// ErrMoving says that a move is under way already.
var ErrMoving = errors.New("a hand-over is under way already")

// Move parks all connections and closes the listeners. It returns what the next process needs.
// Exactly one of Resume and Leave follows, unless it fails: then everything goes on here. The end of
// ctx makes it fail.
func (s *Server) Move(ctx context.Context) (*Moved, error) {
	m := &move{globals: sessionstate.MovedGlobals(), outcome: make(chan struct{}), free: map[*wireConn]bool{}, stay: map[*wireConn]bool{}, parked: map[*wireConn]*movedConn{}}
	if !s.moving.CompareAndSwap(nil, m) {
		return nil, ErrMoving
	}
	s.renewer.stop()
	limit := time.Duration(s.globals.restartWait.Load()) * time.Second
	inTime := m.waitUntil(ctx, s, limit, m.isFree)
	if ctx.Err() != nil {
		s.Resume(&Moved{})
		return nil, context.Cause(ctx)
	}
	files, err := s.pauseListeners()
	if err != nil {
		s.Resume(&Moved{})
		return nil, err
	}
	m.mu.Lock()
	m.closed = true
	clear(m.stay)
	m.mu.Unlock()
	if !inTime { // they have had their time, and others may wait for what they hold
		m.refuse(s, m.isFree)
	}
	inTime = m.waitUntil(ctx, s, limit, m.isParked)
	if ctx.Err() != nil {
		s.Resume(&Moved{Files: files})
		return nil, context.Cause(ctx)
	}
	if !inTime {
		m.refuse(s, m.isParked)
	}
	moved, err := m.collect(s, files)
	if err != nil {
		s.Resume(&Moved{Files: files})
		return nil, err
	}
	return moved, nil
}

// clients are the connections that are no threads of this server.
func (s *Server) clients() []*wireConn {
	return slices.DeleteFunc(s.connections(), (*wireConn).own)
}

// waitUntil looks at the connections again and again until done is true of each. false: it took too
// long, or ctx has ended.
func (m *move) waitUntil(ctx context.Context, s *Server, limit time.Duration, done func(*wireConn) bool) bool {
	t := time.NewTicker(movePeriod)
	defer t.Stop()
	working := time.Now()
	for end := time.Now().Add(limit); ; <-t.C {
		left, unasked := 0, false
		for _, w := range s.clients() {
			if !done(w) {
				left++
				if w.state.Load()&stateMask != stateLogin {
					working = time.Now()
				}
				unasked = m.isUnasked(w) || unasked
				w.wake()
			}
		}
		if left == 0 {
			return true
		}
		if m.isClosed() {
			s.dumps.endIfAlone(left)
		}
		if ctx.Err() != nil || time.Now().After(end) && !unasked || time.Since(working) > loginGrace {
			return false
		}
	}
}

func (m *move) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// isFree tells whether w has no transaction that is older than the move. A replica's connection
// ends when all others wait.
func (m *move) isFree(w *wireConn) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.free[w] || w.state.Load()&stateMask == stateLogin || w.srv.dumps.has(w)
}

func (m *move) isParked(w *wireConn) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.parked[w] != nil
}

// isUnasked tells whether w is idle, and will be asked.
func (m *move) isUnasked(w *wireConn) bool {
	st := w.state.Load() & stateMask
	m.mu.Lock()
	defer m.mu.Unlock()
	return (st == stateIdle || st == stateMoving) && !m.stay[w]
}

// refuse ends the connections of which may is not true.
func (m *move) refuse(s *Server, may func(*wireConn) bool) {
	for end := time.Now().Add(moveGrace); ; time.Sleep(movePeriod) {
		left := 0
		for _, w := range s.clients() {
			if may(w) || m.isParked(w) {
				continue
			}
			left++
			late := time.Now().After(end)
			s.processes.interrupt(w.id, killedShutdown)
			w.killed.Store(true)
			st := w.state.Load()
			if st&stateMask == stateIdle && w.state.CompareAndSwap(st, stateClosed) {
				w.sendLast(0, sqlerr.NewError(1053, "Server shutdown in progress"))
				late = true
			}
			if late {
				_ = w.Close()
			}
		}
		if left == 0 || time.Now().After(end.Add(moveGrace)) {
			return
		}
	}
}

// collect returns the state of all that is parked. A connection whose descriptor cannot be had is
// closed.
func (m *move) collect(s *Server, files map[string]*os.File) (*Moved, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	state := movedServer{LastID: s.lastID.Load(), Globals: m.globals}
	for w, c := range m.parked {
		f, err := w.descriptor()
		if err != nil {
			s.log.Warn("a connection does not move", "connection", w.id, "error", err)
			continue
		}
		files[socketName(c.ID)] = f
		state.Connections = append(state.Connections, c)
	}
	text, err := json.Marshal(state)
	return &Moved{State: text, Files: files}, err
}

// Resume makes everything go on here after Move.
func (s *Server) Resume(moved *Moved) {
	closeFiles(moved.Files)
	m := s.moving.Swap(nil)
	for w := range m.parked {
		w.relay.Close()
	}
	s.resumeListeners()
	close(m.outcome)
	s.renewer.start()
}

// Leave ends this server after Move: its clients are the next process's. ctx is Shutdown's. The
// clients over TLS need this process until the returned function returns.
func (s *Server) Leave(ctx context.Context) (relayed func()) {
	m := s.moving.Load()
	m.leave = true
	for w := range m.parked {
		w.gone.Store(true) // whoever closes it from now on leaves its client alone
	}
	close(m.outcome)
	closeFiles(s.paused)
	s.keptSockets = nil // they are the next process's
	s.Shutdown(ctx)
	var relays sync.WaitGroup
	for w := range m.parked {
		if w.relay != nil {
			relays.Go(func() { w.relay.Run(w.raw) })
		}
	}
	return relays.Wait
}

// wake ends the read of an idle connection, which then meets the move.
func (w *wireConn) wake() {
	if w.advance(stateIdle, stateMoving) {
		_ = w.Conn.SetReadDeadline(time.Unix(1, 0))
		w.woken <- struct{}{}
	}
}

// awakened tells whether wake ended the read, or came behind it, and makes the connection an idle
// one again.
func (w *wireConn) awakened() bool {
	if w.state.Load()&stateMask != stateMoving {
		return false
	}
	<-w.woken
	_ = w.Conn.SetReadDeadline(time.Time{})
	return w.advance(stateMoving, stateIdle)
}

// meetsMove is called between two commands. false: the connection goes on in another process.
func (w *wireConn) meetsMove(m *move) bool {
	if !w.advance(stateIdle, stateMoving) {
		return true // wake was faster: the read will tell
	}
	return m.meet(w) && w.advance(stateMoving, stateIdle)
}

// meet parks a connection that may move. true: it goes on here.
func (m *move) meet(w *wireConn) bool {
	why := w.stays()
	m.mu.Lock()
	if m.stay[w] = why != ""; why != "" {
		m.mu.Unlock()
		return true
	}
	m.free[w] = true
	closed := m.closed
	m.mu.Unlock()
	if !closed {
		return true
	}
	c, err := w.export(m.globals)
	if err != nil {
		w.srv.log.Warn("a connection does not move", "connection", w.id, "error", err)
		m.mu.Lock()
		m.stay[w] = true
		m.mu.Unlock()
		return true
	}
	m.mu.Lock()
	m.parked[w] = c
	m.mu.Unlock()
	<-m.outcome
	return !m.leave
}

// stays says what keeps the connection from moving, "" if nothing does.
func (w *wireConn) stays() string {
	own, ok := w.session.(*sqllayer.Session)
	switch {
	case !ok:
		return "it has no session"
	case w.killed.Load() || w.hangUp.Load():
		return "it is about to end"
	case w.replay != nil:
		return "it runs BINLOG statements"
	case w.cursor.isOpen():
		return "a cursor is open"
	case w.hasLongData():
		return "it has sent a part of a parameter"
	case w.srv.flushLock.heldBy(w):
		return "it holds FLUSH TABLES WITH READ LOCK"
	case w.srv.instance.heldBy(w):
		return "it holds LOCK INSTANCE FOR BACKUP"
	case w.srv.backups.of(w):
		return "it makes a backup"
	}
	return own.Stays()
}

// hasLongData tells whether a parameter has come by COM_STMT_SEND_LONG_DATA for an execution that
// has not.
func (w *wireConn) hasLongData() bool {
	for _, p := range w.conn.PrepareData {
		for _, v := range p.BindVars {
			if v != nil {
				return true
			}
		}
	}
	return false
}

// descriptor is what the next process is given of the connection. REQUIRES: it is parked.
func (w *wireConn) descriptor() (*os.File, error) {
	if _, ok := w.raw.(*tls.Conn); ok {
		var err error
		var far *os.File
		w.relay, far, err = sources.NewRelay()
		return far, err
	}
	f, ok := w.Conn.(interface{ File() (*os.File, error) })
	if !ok {
		return nil, fmt.Errorf("a connection of type %T has no descriptor", w.Conn)
	}
	return f.File()
}

// pauseListeners closes the listeners and keeps what they listen on: clients that come wait there.
func (s *Server) pauseListeners() (map[string]*os.File, error) {
	files := map[string]*os.File{}
	for i, l := range s.listeners {
		f, err := l.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			closeFiles(files)
			return nil, err
		}
		files[s.listenerNames[i]] = f
	}
	paused := map[string]*os.File{}
	for name, f := range files {
		own, err := keep.Duplicate(f)
		if err != nil {
			closeFiles(files)
			closeFiles(paused)
			return nil, err
		}
		paused[name] = own
	}
	s.paused = paused
	for _, l := range s.listeners {
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false)
		}
		l.Close()
	}
	return files, nil
}

// resumeListeners undoes pauseListeners.
func (s *Server) resumeListeners() {
	for i, name := range s.listenerNames {
		f := s.paused[name]
		if f == nil {
			continue
		}
		l, err := net.FileListener(f)
		f.Close()
		if err != nil {
			s.log.Error("a listener cannot go on", "name", name, "error", err)
			continue
		}
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(true)
		}
		s.listeners[i] = l
		go s.acceptLoop(l)
	}
	s.paused = nil
}

func closeFiles(files map[string]*os.File) {
	for _, f := range files {
		f.Close()
	}
}
