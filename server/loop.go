package server

import (
	"errors"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The loop serves connections whose clients send one point read after the other: it waits for all of their sockets at once and runs what comes right there, one
// connection behind the other, while their own goroutines are parked. Goroutines that wait for their sockets by themselves cost more than such a statement: each
// is woken, and the scheduler wakes threads for other processors that find nothing to do.
//
//	a connection joins after loopCredit quick statements in a row, and leaves when too many of its commands are others
//	a command that is not quick, or would have to wait, for a page or a lock: its connection's goroutine is woken for it
//	where the loop finds work at every look, one more goroutine serves beside it, until that one finds none
//
// States of a seat:
//
//	parked ──an event, by a server of the loop──> taken ──nothing left to do──> parked
//	                                                └──handed to the connection's goroutine (wake), which parks again──> parked
//	taken ──an event──> again: whoever has it looks once more before it parks
//
// Invariants:
//
//	(1) Who takes a seat has the connection: its reader, session, buffers. Taken hands over by the compare-and-swap or by wake.
//	(2) Events are edges: nothing parks before a read came back with less than it asked for, or EAGAIN, since the last event.
//	(3) A server of the loop waits for nothing but events.
type loop struct {
	epfd  int
	mu    sync.Mutex
	seats atomic.Pointer[[]*seat] // by the event's number, nil if free; replaced under mu
	help  chan struct{}
	count atomic.Int64 // statements
	quit  chan struct{}
	ended sync.WaitGroup
}

// seat is a connection's place in the loop.
type seat struct {
	l       *loop
	w       *wireConn
	no, fd  int
	state   atomic.Uint32
	wake    chan struct{} // a token: the connection's goroutine goes on
	serving bool          // the loop has it
	rest    []byte        // of an answer that the socket did not take
}

const (
	seatTaken uint32 = iota
	seatAgain
	seatParked
)

const (
	loopCredit = 64 // quick statements until a connection joins
	loopPrice  = 16 // what another command costs of that; at nothing it leaves

	loopEvents = 128
	loopBusy   = 64 // looks in a row that found work until another server is asked for
	loopIdle   = 8  // and that found none until it goes
)

// newLoop starts a loop; nil where there is one processor only, which the scheduler serves as well.
func newLoop() (*loop, error) {
	if runtime.GOMAXPROCS(0) < 2 {
		return nil, nil
	}
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	l := &loop{epfd: epfd, help: make(chan struct{}), quit: make(chan struct{})}
	l.seats.Store(new([]*seat))
	for i := range runtime.GOMAXPROCS(0) {
		l.ended.Add(1)
		go func() {
			defer l.ended.Done()
			if i == 0 {
				l.run()
			} else {
				l.assist()
			}
		}()
	}
	return l, nil
}

// stop ends the loop. REQUIRES: no connection has a seat.
func (l *loop) stop() {
	if l == nil {
		return
	}
	close(l.quit)
	fd, err := unix.Eventfd(1, unix.EFD_CLOEXEC)
	if err == nil { // else the process is about to end with it
		_ = unix.EpollCtl(l.epfd, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: -1})
		l.ended.Wait()
		unix.Close(fd)
		unix.Close(l.epfd)
	}
}

// run waits for events and serves them.
func (l *loop) run() {
	events := make([]unix.EpollEvent, loopEvents)
	for busy := 0; ; {
		n := l.look(events)
		if busy++; n == 0 {
			busy = 0
			var err error
			if n, err = unix.EpollWait(l.epfd, events, -1); err != nil {
				n = 0 // EINTR
			}
		}
		woken, ok := l.serve(events[:n])
		if !ok {
			return
		}
		if woken { // they stand behind this goroutine, and would stay there while it waits in the kernel
			runtime.Gosched()
		}
		if busy >= loopBusy {
			busy = 0
			select {
			case l.help <- struct{}{}:
			default: // all are there
			}
		}
	}
}

// assist serves beside run where that one asks for it.
func (l *loop) assist() {
	events := make([]unix.EpollEvent, 1)
	for {
		select {
		case <-l.help:
		case <-l.quit:
			return
		}
		for idle := 0; idle < loopIdle; idle++ {
			n := l.look(events)
			if n > 0 {
				idle = 0
			}
			if _, ok := l.serve(events[:n]); !ok {
				return
			}
		}
	}
}

// look asks for events without waiting.
func (l *loop) look(events []unix.EpollEvent) int {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(l.epfd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// serve serves events. woken: goroutines of connections go on; not ok: the loop ends.
func (l *loop) serve(events []unix.EpollEvent) (woken, ok bool) {
	for i := range events {
		if events[i].Fd < 0 {
			return woken, false
		}
		seats := *l.seats.Load()
		if st := seats[events[i].Fd]; st != nil && st.event() {
			woken = true
		}
	}
	return woken, true
}

// event is something that has come for a seat, or had been coming for one that had the number before. woken: its goroutine goes on.
func (st *seat) event() (woken bool) {
	for !st.state.CompareAndSwap(seatParked, seatTaken) {
		if st.state.CompareAndSwap(seatTaken, seatAgain) || st.state.Load() == seatAgain {
			return false
		}
	}
	for {
		st.serving = true
		more := st.w.quick()
		st.serving = false
		if !more {
			st.wake <- struct{}{}
			return true
		}
		if st.state.CompareAndSwap(seatTaken, seatParked) {
			return false
		}
		st.state.Store(seatTaken)
	}
}

// park gives the connection to the loop until its goroutine is needed; false: something may have come since the last read.
func (st *seat) park() bool {
	if !st.state.CompareAndSwap(seatTaken, seatParked) {
		st.state.Store(seatTaken)
		return false
	}
	<-st.wake
	return true
}

// join takes the socket of a connection, whose goroutine calls, from the runtime's poller to the loop.
func (s *socket) join(l *loop, w *wireConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.seat != nil {
		return
	}
	fd, err := -1, error(nil)
	if e := s.sys.Control(func(old uintptr) { fd, err = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) }); e != nil || err != nil {
		return // it stays where it is
	}
	st := &seat{l: l, w: w, fd: fd, wake: make(chan struct{}, 1)}
	if err := l.add(st); err != nil {
		unix.Close(fd)
		return
	}
	s.seat = st
	s.conn.Close() // the runtime takes it out of its poller; the socket lives on in fd
}

// add gives a seat its number and its events.
func (l *loop) add(st *seat) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := *l.seats.Load()
	seats := make([]*seat, len(old), len(old)+1)
	copy(seats, old)
	for st.no = 0; st.no < len(seats) && seats[st.no] != nil; {
		st.no++
	}
	if st.no == len(seats) {
		seats = append(seats, nil)
	}
	seats[st.no] = st
	l.seats.Store(&seats)
	err := unix.EpollCtl(l.epfd, unix.EPOLL_CTL_ADD, st.fd, &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: int32(st.no)})
	if err != nil {
		l.clear(st)
	}
	return err
}

// clear frees a seat's number. REQUIRES: mu.
func (l *loop) clear(st *seat) {
	seats := append([]*seat(nil), *l.seats.Load()...)
	seats[st.no] = nil
	l.seats.Store(&seats)
}

// remove ends a seat. REQUIRES: the caller has taken it.
func (l *loop) remove(st *seat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = unix.EpollCtl(l.epfd, unix.EPOLL_CTL_DEL, st.fd, nil)
	l.clear(st)
}

// leave takes the socket back to the runtime's poller.
func (s *socket) leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.seat
	if st == nil {
		return nil
	}
	if s.closed {
		return net.ErrClosed
	}
	st.l.remove(st)
	f := os.NewFile(uintptr(st.fd), "socket")
	c, err := net.FileConn(f)
	if err := errors.Join(err, f.Close()); err != nil { // out of descriptors
		s.seat, s.closed = nil, true
		return err
	}
	sys, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		return err
	}
	s.seat, s.conn, s.sys = nil, c, sys
	return nil
}

// release ends a socket that nobody reads or writes any more.
func (s *socket) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.seat; st != nil {
		s.seat, s.closed = nil, true
		st.l.remove(st)
		unix.Close(st.fd)
	}
}
