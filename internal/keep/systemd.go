package keep

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Systemd is the file descriptor store of the service manager. Descriptors come as with socket
// activation, from number 3 on, named by LISTEN_FDNAMES; they go in messages to NOTIFY_SOCKET. The
// unit needs FileDescriptorStoreMax, and FileDescriptorStorePreserve=yes for a stop that is not
// part of a restart.
type Systemd struct {
	socket string

	mu   sync.Mutex
	left map[string]int // descriptors by name
}

const firstPassed = 3

// NewSystemd takes what the service manager passed to this process. It is to be called once, before
// processes are started.
func NewSystemd() (*Systemd, error) {
	s := &Systemd{socket: os.Getenv("NOTIFY_SOCKET"), left: map[string]int{}}
	if s.socket == "" {
		return nil, errors.New("the process was not started by systemd: NOTIFY_SOCKET is not set")
	}
	if pid, err := strconv.Atoi(os.Getenv("LISTEN_PID")); err == nil && pid == os.Getpid() {
		n, _ := strconv.Atoi(os.Getenv("LISTEN_FDS"))
		names := strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
		for i := range min(max(n, 0), len(names)) {
			fd := firstPassed + i
			unix.CloseOnExec(fd)
			if _, twice := s.left[names[i]]; twice {
				_ = unix.Close(fd)
				continue
			}
			s.left[names[i]] = fd
		}
	}
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		_ = os.Unsetenv(name)
	}
	return s, nil
}

// Take implements Store.
func (s *Systemd) Take(name string) (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fd, ok := s.left[name]
	if !ok {
		return nil, nil
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("descriptor %q from systemd: %w", name, err)
	}
	return os.NewFile(uintptr(own), name), nil
}

// Put implements Store.
func (s *Systemd) Put(name string, f *os.File) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := s.Remove(name); err != nil {
		return err
	}
	// FDPOLL=0: systemd would let go of a descriptor that reports a hang-up.
	return s.tell("FDSTORE=1\nFDNAME="+name+"\nFDPOLL=0", f)
}

// Remove implements Store.
func (s *Systemd) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	s.mu.Lock()
	if fd, ok := s.left[name]; ok {
		_ = unix.Close(fd)
		delete(s.left, name)
	}
	s.mu.Unlock()
	return s.tell("FDSTOREREMOVE=1\nFDNAME="+name, nil)
}

// Names are those of the descriptors that an earlier process has left.
func (s *Systemd) Names() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.left {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Systemd) tell(state string, f *os.File) error {
	path := s.socket
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("NOTIFY_SOCKET: %w", err)
	}
	defer c.Close()
	if err := send(c, state, f); err != nil {
		return fmt.Errorf("NOTIFY_SOCKET: %w", err)
	}
	return nil
}
