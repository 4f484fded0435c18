package server

import (
	"net"
	"os"
	"slices"
	"strings"
)

// Listeners that outlive the process. Whoever keeps the buffer pool's memory keeps the listening
// sockets, too. When the process dies, clients that come go on queueing at the sockets, and the
// next process serves them. A shutdown in order ends the sockets: nobody may wait for a server that
// is not to come.

// listenerName names a listener by its address.
func listenerName(network, address string) string {
	clean := strings.Map(func(c rune) rune {
		if c <= ' ' || c > '~' || c == ':' {
			return '_'
		}
		return c
	}, address)
	return "listen-" + network + "-" + clean[max(0, len(clean)-200):] // listensOn looks at the address itself
}

// takeListener takes over the socket that the last process listened on. false: there is none, or it
// is not the one wanted.
func (s *Server) takeListener(network, address string) bool {
	name := listenerName(network, address)
	f := s.leftListener(name)
	if f == nil {
		return false
	}
	defer f.Close()
	l, err := net.FileListener(f)
	if err != nil || !listensOn(l, network, address) {
		if err == nil {
			l.Close()
		}
		s.log.Warn("a listening socket that was kept is not the one wanted, and is closed", "name", name, "error", err)
		if s.cfg.Keeper != nil {
			_ = s.cfg.Keeper.Remove(name)
		}
		return false
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(true)
	}
	s.addListener(name, l)
	if s.cfg.Keeper != nil {
		s.keptSockets = append(s.keptSockets, name)
	}
	return true
}

// leftListener is the socket that the previous process has handed over, or that the keeper has;
// nil: there is none.
func (s *Server) leftListener(name string) *os.File {
	if m := s.cfg.Moved; m != nil && m.Files[name] != nil {
		f := m.Files[name]
		delete(m.Files, name)
		return f
	}
	if s.cfg.Keeper == nil {
		return nil
	}
	f, err := s.cfg.Keeper.Take(name)
	if err != nil {
		return nil // why is told when the keeper is to keep the new one
	}
	return f
}

func (s *Server) addListener(name string, l net.Listener) {
	s.listeners, s.listenerNames = append(s.listeners, l), append(s.listenerNames, name)
}

// listensOn tells whether clients that go to the address come to l.
func listensOn(l net.Listener, network, address string) bool {
	if l.Addr().Network() != network {
		return false
	}
	if network == "unix" {
		fi, err := os.Lstat(address)
		return err == nil && fi.Mode()&os.ModeSocket != 0 && l.Addr().String() == address
	}
	want, err := net.ResolveTCPAddr(network, address)
	got, ok := l.Addr().(*net.TCPAddr)
	return err == nil && ok && (got.Port == want.Port || want.Port == 0) && (got.IP.Equal(want.IP) || want.IP == nil && got.IP.IsUnspecified())
}

// keepListener has a new listener kept.
func (s *Server) keepListener(network, address string, l net.Listener) {
	if s.cfg.Keeper == nil {
		return
	}
	name := listenerName(network, address)
	f, err := l.(interface{ File() (*os.File, error) }).File()
	if err == nil {
		err = s.cfg.Keeper.Put(name, f)
		f.Close()
	}
	if err != nil {
		s.log.Warn("a listening socket ends with this process", "name", name, "error", err)
		return
	}
	s.keptSockets = append(s.keptSockets, name)
}

// forgetListeners has no listener kept any more.
func (s *Server) forgetListeners() {
	for _, name := range slices.Compact(s.keptSockets) {
		if err := s.cfg.Keeper.Remove(name); err != nil {
			s.log.Warn("a listening socket may stay open behind this process", "name", name, "error", err)
		}
	}
	s.keptSockets = nil
}
