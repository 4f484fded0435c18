package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// socket reads and writes a client's socket with system calls the scheduler does not hear of. They
// never wait: the socket is in non-blocking mode, and what would have to wait waits in the network
// poller, where deadlines and Close end it, as in package net.
//
// Package net tells the scheduler of each call. That wakes its monitor thread where all was quiet,
// and when the kernel pauses a thread inside of a call, which it likes to do in the write that
// wakes a client on the same machine, the monitor takes the processor away from the goroutine and
// more threads are woken to mend that. A point read paid as much for those threads as for its row.
//
// Invariant: at most one goroutine reads and one writes at a time.
type socket struct {
	net.Conn
	sys     syscall.RawConn
	in, out transfer
}

// transfer is a Read or Write under way: step is called until it returns true, and waits for the
// socket in between.
type transfer struct {
	step  func(fd uintptr) bool
	p     []byte
	n     int // bytes of p that are through
	errno syscall.Errno
}

// NewSocket gives the socket behind c, or c if it is none.
func NewSocket(c net.Conn) net.Conn {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	sys, err := sc.SyscallConn()
	if err != nil {
		return c
	}
	s := &socket{Conn: c, sys: sys}
	s.in.step, s.out.step = s.in.read, s.out.write
	return s
}

// Read implements net.Conn.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := s.in.run(s.sys.Read, "read", p)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Write implements net.Conn.
func (s *socket) Write(p []byte) (int, error) {
	return s.out.run(s.sys.Write, "write", p)
}

func (t *transfer) run(wait func(func(fd uintptr) bool) error, name string, p []byte) (int, error) {
	t.p, t.n, t.errno = p, 0, 0
	err := wait(t.step)
	t.p = nil
	if err == nil && t.errno != 0 {
		err = os.NewSyscallError(name, t.errno)
	}
	return t.n, err
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
