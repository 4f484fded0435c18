package server

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// socket reads and writes a client's socket with system calls the scheduler does not hear of. They never wait: the socket is in non-blocking mode, and what
// would have to wait waits in the network poller, where deadlines and Close end it, as in package net.
//
// Package net tells the scheduler of each call. That wakes its monitor thread where all was quiet, and when the kernel pauses a thread inside of a call, which
// it likes to do in the write that wakes a client on the same machine, the monitor takes the processor away from the goroutine and more threads are woken to
// mend that. A point read paid as much for those threads as for its row.
//
//	in the runtime's poller <──join, leave──> with the loop (loop.go)
//
// While it is with the loop the runtime does not know the socket: conn is closed, fd is another descriptor of the same socket. Whoever would have to wait takes it
// back first.
//
// Invariants:
//
//	(1) At most one goroutine reads and writes at a time, and it alone lets the socket join or leave: the connection's own, or the loop while that one is parked. Others may
//	    close it, ask for addresses and say farewell.
//	(2) mu guards what changes with join, leave and Close.
type socket struct {
	local, remote net.Addr
	in, out       transfer

	mu     sync.Mutex
	conn   net.Conn
	sys    syscall.RawConn
	seat   *seat // with the loop; nil: in the runtime's poller
	closed bool
}

// transfer is a Read or Write under way: step is called until it returns true, and waits for the socket in between.
type transfer struct {
	step  func(fd uintptr) bool
	p     []byte
	n     int // bytes of p that are through
	errno syscall.Errno
}

// newSocket gives the socket behind c, or c if it is none.
func newSocket(c net.Conn) net.Conn {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	sys, err := sc.SyscallConn()
	if err != nil {
		return c
	}
	s := &socket{conn: c, sys: sys, local: c.LocalAddr(), remote: c.RemoteAddr()}
	s.in.step, s.out.step = s.in.read, s.out.write
	return s
}

// Read implements net.Conn.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if s.seat != nil {
		n, errno := s.in.now(s.in.read, s.seat.fd, p)
		if errno != syscall.EAGAIN {
			return ended(n, errno)
		}
		if err := s.leave(); err != nil {
			return 0, err
		}
	}
	n, err := s.in.run(s.sys.Read, "read", p)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// ended is what Read returns of a read that did not have to wait.
func ended(n int, errno syscall.Errno) (int, error) {
	switch {
	case errno != 0:
		return n, os.NewSyscallError("read", errno)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements net.Conn. The loop does not wait for a client: what its socket does not take is written by the connection's own goroutine, see seat.rest.
func (s *socket) Write(p []byte) (int, error) {
	if s.seat == nil {
		return s.out.run(s.sys.Write, "write", p)
	}
	n, errno := s.out.now(s.out.write, s.seat.fd, p)
	switch {
	case errno == 0:
		return n, nil
	case errno != syscall.EAGAIN:
		return n, os.NewSyscallError("write", errno)
	case s.seat.serving:
		s.seat.rest = append(s.seat.rest, p[n:]...)
		return len(p), nil
	}
	if err := s.leave(); err != nil {
		return n, err
	}
	more, err := s.out.run(s.sys.Write, "write", p[n:])
	return n + more, err
}

// farewell writes what fits at once, if the socket is with the loop; for whoever ends the connection.
func (s *socket) farewell(p []byte) (said bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seat == nil || s.closed {
		return false
	}
	var out transfer
	out.now(out.write, s.seat.fd, p)
	return true
}

// away tells whether the socket is with the loop.
func (s *socket) away() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seat != nil
}

// control calls f with the descriptor, which stays what it is meanwhile.
func (s *socket) control(f func(fd uintptr)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return net.ErrClosed
	case s.seat != nil:
		f(uintptr(s.seat.fd))
		return nil
	}
	return s.sys.Control(f)
}

// Close implements net.Conn. Of a socket that is with the loop it ends the stream: the connection's goroutine, which hears of that, gives the descriptor back.
func (s *socket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.seat != nil {
		return syscall.Shutdown(s.seat.fd, syscall.SHUT_RDWR)
	}
	return s.conn.Close()
}

// CloseWrite tells the client that nothing more comes.
func (s *socket) CloseWrite() (err error) {
	if e := s.control(func(fd uintptr) { err = syscall.Shutdown(int(fd), syscall.SHUT_WR) }); e != nil {
		return e
	}
	return err
}

// LocalAddr implements net.Conn.
func (s *socket) LocalAddr() net.Addr { return s.local }

// RemoteAddr implements net.Conn.
func (s *socket) RemoteAddr() net.Addr { return s.remote }

// SetDeadline implements net.Conn. With the loop nobody waits for the socket, so there is nothing that could end.
func (s *socket) SetDeadline(t time.Time) error { return s.set(net.Conn.SetDeadline, t) }

// SetReadDeadline implements net.Conn.
func (s *socket) SetReadDeadline(t time.Time) error { return s.set(net.Conn.SetReadDeadline, t) }

// SetWriteDeadline implements net.Conn.
func (s *socket) SetWriteDeadline(t time.Time) error { return s.set(net.Conn.SetWriteDeadline, t) }

func (s *socket) set(deadline func(net.Conn, time.Time) error, t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seat != nil {
		return nil
	}
	return deadline(s.conn, t)
}

// run makes a transfer that waits.
func (t *transfer) run(wait func(func(fd uintptr) bool) error, name string, p []byte) (int, error) {
	t.p, t.n, t.errno = p, 0, 0
	err := wait(t.step)
	t.p = nil
	if err == nil && t.errno != 0 {
		err = os.NewSyscallError(name, t.errno)
	}
	return t.n, err
}

// now makes a transfer as far as it goes without waiting: EAGAIN if there is more to do.
func (t *transfer) now(step func(fd uintptr) bool, fd int, p []byte) (int, syscall.Errno) {
	t.p, t.n, t.errno = p, 0, 0
	done := step(uintptr(fd))
	t.p = nil
	if !done {
		return t.n, syscall.EAGAIN
	}
	return t.n, t.errno
}

// read reads once.
func (t *transfer) read(fd uintptr) bool {
	return t.call(syscall.SYS_READ, fd) != syscall.EAGAIN
}

// write writes until all is written.
func (t *transfer) write(fd uintptr) bool {
	for t.n < len(t.p) {
		switch t.call(syscall.SYS_WRITE, fd) {
		case 0:
		case syscall.EAGAIN:
			return false
		default:
			return true
		}
	}
	return true
}

// call makes one system call for the rest of p. EAGAIN is no error: the socket is not ready.
func (t *transfer) call(trap, fd uintptr) syscall.Errno {
	p := t.p[t.n:]
	for {
		n, _, errno := syscall.RawSyscall(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		switch errno {
		case syscall.EINTR:
			continue
		case 0:
			t.n += int(n)
		case syscall.EAGAIN:
		default:
			t.errno = errno
		}
		return errno
	}
}
