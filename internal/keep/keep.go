// Package keep lets descriptors outlive the process that opened them: somebody else holds them, and
// hands them to the next process. That is systemd, whose file descriptor store a service may use
// (systemd.go), or a holder, a small process that does nothing else (holder.go, serve.go).
//
// A descriptor has a name. Names are up to 255 printable characters without a colon, as systemd
// wants them.
package keep

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// Store holds descriptors for the next process. Its methods may be called by several goroutines.
type Store interface {
	// Take returns a descriptor that an earlier process has left, nil if there is none. The store
	// goes on holding it. It is the caller's to close.
	Take(name string) (*os.File, error)
	// Put has the descriptor held under a name, in the place of what was held under it. The caller
	// keeps its own.
	Put(name string, f *os.File) error
	// Remove lets go of a descriptor.
	Remove(name string) error
}

const (
	maxName = 255
	maxHeld = 64 // descriptors a holder takes

	// MaxFiles is how many descriptors a message takes; Linux allows 253.
	MaxFiles = 200
)

// withDescriptor calls fn with the number of f's descriptor. File.Fd would make a socket a blocking
// one, for all who share it.
func withDescriptor(f *os.File, fn func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if cerr := raw.Control(func(fd uintptr) { err = fn(int(fd)) }); cerr != nil {
		return cerr
	}
	return err
}

// Send sends a message with up to MaxFiles descriptors.
func Send(c *net.UnixConn, text string, files ...*os.File) error {
	return withDescriptors(files, nil, func(fds []int) error {
		if len(fds) == 0 {
			return sendRights(c, text, nil)
		}
		return sendRights(c, text, unix.UnixRights(fds...))
	})
}

// withDescriptors calls fn with the numbers of the files' descriptors, behind those in fds.
func withDescriptors(files []*os.File, fds []int, fn func(fds []int) error) error {
	if len(files) == 0 {
		return fn(fds)
	}
	return withDescriptor(files[0], func(fd int) error { return withDescriptors(files[1:], append(fds, fd), fn) })
}

// send sends a message with the descriptor of f, if f is not nil.
func send(c *net.UnixConn, text string, f *os.File) error {
	if f == nil {
		return Send(c, text)
	}
	return Send(c, text, f)
}

func sendRights(c *net.UnixConn, text string, rights []byte) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	werr := raw.Write(func(fd uintptr) bool {
		err = unix.Sendmsg(int(fd), []byte(text), rights, nil, unix.MSG_NOSIGNAL)
		return err != unix.EAGAIN
	})
	if err == nil {
		err = werr
	}
	return err
}

// Duplicate is another descriptor of the same file.
func Duplicate(f *os.File) (own *os.File, err error) {
	err = withDescriptor(f, func(fd int) error {
		n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err == nil {
			own = os.NewFile(uintptr(n), f.Name())
		}
		return err
	})
	return own, err
}

func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("name of a kept descriptor: %d bytes", len(name))
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || c == ':' {
			return fmt.Errorf("name of a kept descriptor: %q", name)
		}
	}
	return nil
}
