package server

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"emberdb/sqllayer/sqlerr"
)

// The reaper keeps the coarse clock connections stamp their states with, and closes the ones that
// overstay:
//
//	idle    longer than wait_timeout       told so with error 4031
//	reading longer than net_read_timeout   the rest of a packet does not come
//	writing longer than net_write_timeout  the client does not read its result
//	busy    and the client is gone         its statement is cancelled
//
// Clients of statements that run are looked at in every tick, the rest less often. One goroutine
// serves all connections: no deadline is armed per command. What it sees of them tells whether
// there is a crowd, too.

const (
	tickPeriod = 50 * time.Millisecond
	scanTicks  = 10 // ticks between looks at the connections
)

func (s *Server) reap() {
	t := time.NewTicker(tickPeriod)
	defer t.Stop()
	crowd, heap := newCrowd(), newHeapWatch(s)
	for i := 1; ; i++ {
		select {
		case <-s.stopped:
			return
		case <-t.C:
		}
		s.tick.Store(time.Since(s.started).Milliseconds())
		heap.look()
		now, active := s.tick.Load(), 0
		for _, w := range s.connections() {
			w.abandoned(now)
			if i%scanTicks > 0 {
				continue
			}
			if w.isActive(now) {
				active++
			}
			w.overstays(now)
		}
		if i%scanTicks == 0 {
			crowd.look(active, s.executor.threads.Lent())
		}
	}
}

// isActive tells whether w did something since the last look.
func (w *wireConn) isActive(now int64) bool {
	st := w.state.Load()
	return st&stateMask == stateBusy || now-int64(st&^stateMask) <= scanTicks*tickPeriod.Milliseconds()
}

// overstays closes w if its state lasts too long. now is in milliseconds since the server's start.
func (w *wireConn) overstays(now int64) {
	if since := w.writeT.Load(); since != 0 && now-since > 1000*w.vars.netWriteTimeout.Load() {
		w.srv.abort(w, "client does not read its result")
		return
	}
	st := w.state.Load()
	age := now - int64(st&^stateMask)
	switch st & stateMask {
	case stateIdle:
		if age > 1000*w.vars.waitTimeout.Load() && w.state.CompareAndSwap(st, stateClosed) {
			w.srv.counters.abortedClients.Add(1)
			w.sendLast(0, sqlerr.NewError(4031, "The client was disconnected by the server because of inactivity. See wait_timeout and interactive_timeout for configuring this behavior."))
			w.Close()
		}
	case stateReading:
		if age > 1000*w.vars.netReadTimeout.Load() && w.state.CompareAndSwap(st, stateClosed) {
			w.srv.abort(w, "packet not completed in time")
		}
	}
}

// abandoned ends a statement whose client is gone. Most statements end before their client is asked
// for.
func (w *wireConn) abandoned(now int64) {
	st := w.state.Load()
	if st&stateMask == stateBusy && now-int64(st&^stateMask) >= tickPeriod.Milliseconds() && w.peerGone() {
		w.srv.abort(w, "client went away")
	}
}

// abort ends a connection whose client misbehaves or is gone; a running statement is cancelled.
func (s *Server) abort(w *wireConn, why string) {
	if w.closed.Load() {
		return
	}
	s.counters.abortedClients.Add(1)
	s.log.Warn("connection aborted: "+why, "connection", w.id, "account", w.ownerName(), "host", w.host())
	s.processes.interrupt(w.id, killedGone)
	w.Close()
}

// peerGone asks the kernel whether the other end has closed.
func (w *wireConn) peerGone() bool {
	sc, ok := w.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(fds, 0)
		gone = err == nil && n > 0 && fds[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
	})
	return gone
}
