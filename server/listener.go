package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/certs"
	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

// Listeners. TCP on bind_address (loopback unless told otherwise) and the unix socket. A server
// whose root account has no password refuses to listen on any other address: root without password
// is for the machine's own users.

func (s *Server) listen() (err error) {
	defer func() {
		if err != nil {
			s.forgetListeners()
			s.closeListeners()
		}
	}()
	o := s.cfg.Settings
	if !o.Bool("skip_networking") {
		for addr := range strings.SplitSeq(o.String("bind_address"), ",") {
			if err := s.listenTCP(strings.TrimSpace(addr), o.Int("port")); err != nil {
				return err
			}
		}
	}
	if path := o.String("socket"); path != "" {
		if err := s.listenUnix(certs.Under(s.dir, path)); err != nil {
			return err
		}
	}
	if len(s.listeners) == 0 {
		return errors.New("nothing to listen on: skip_networking is set and socket is empty")
	}
	return nil
}

func (s *Server) listenTCP(addr string, port int64) error {
	host := addr
	switch addr {
	case "*":
		host = ""
	case "localhost":
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && s.accounts.rootWithoutPassword() {
		return fmt.Errorf("bind_address %s: root has no password; connect to 127.0.0.1 first and run ALTER USER root@localhost IDENTIFIED BY '...'", addr)
	}
	address := net.JoinHostPort(host, strconv.FormatInt(port, 10))
	if s.takeListener("tcp", address) {
		s.tellPort(port)
		return nil
	}
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d on %s is in use by another process", port, addr)
	}
	if err != nil {
		return fmt.Errorf("bind_address %s, port %d: %w", addr, port, err)
	}
	s.addListener(listenerName("tcp", address), l)
	if port != 0 {
		s.keepListener("tcp", address, l)
	}
	s.tellPort(port)
	return nil
}

// tellPort makes the newest listener's port the setting, where the system was to choose it.
func (s *Server) tellPort(asked int64) {
	if asked == 0 {
		s.cfg.Settings.Override("port", int64(s.listeners[len(s.listeners)-1].Addr().(*net.TCPAddr).Port), "chosen by the system")
	}
}

// listenUnix opens the socket, replacing one a dead server left behind.
func (s *Server) listenUnix(path string) error {
	if s.takeListener("unix", path) {
		return nil
	}
	if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
		conn.Close()
		return fmt.Errorf("socket %s: %w", path, errSocketInUse)
	} else if fi, serr := os.Lstat(path); serr == nil {
		if fi.Mode()&os.ModeSocket == 0 {
			return fmt.Errorf("socket %s exists and is no socket", path)
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("socket %s: %w", path, err)
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("socket %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o777); err != nil {
		l.Close()
		return fmt.Errorf("socket %s: %w", path, err)
	}
	s.addListener(listenerName("unix", path), l)
	s.keepListener("unix", path, l)
	return nil
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		l.Close()
	}
}

// Addrs returns the addresses clients connect to.
func (s *Server) Addrs() []net.Addr {
	var out []net.Addr
	for _, l := range s.listeners {
		out = append(out, l.Addr())
	}
	return out
}

// acceptLoop passes clients of one listener to the protocol library.
func (s *Server) acceptLoop(l net.Listener) {
	for delay := time.Duration(0); ; {
		c, err := l.Accept()
		switch {
		case err == nil:
			delay = 0
			s.accept.deliver(s.adopt(c, nil))
		case s.closing.Load() || errors.Is(err, net.ErrClosed):
			return
		default:
			// Out of file descriptors or the like: wait for some to be freed, other connections go
			// on.
			s.counters.acceptErrors.Add(1)
			if delay = min(max(2*delay, 5*time.Millisecond), time.Second); delay == time.Second {
				s.log.Error("cannot accept a connection", "error", err)
			}
			time.Sleep(delay)
		}
	}
}

// adopt wraps a socket: a new one, or that of a connection that has come from the previous process.
func (s *Server) adopt(c net.Conn, arrived *movedConn) *wireConn {
	if t, ok := c.(*net.TCPConn); ok {
		t.SetNoDelay(true)
		t.SetKeepAlive(true)
	}
	w := newWireConn(s, c)
	if arrived != nil {
		w.arrived, w.id = arrived, arrived.ID
	} else {
		s.counters.connections.Add(1)
	}
	if !w.own() {
		s.live.Add(1)
	}
	s.mu.Lock()
	s.mu.conns[w] = struct{}{}
	s.mu.Unlock()
	return w
}

// release forgets a connection that ended.
func (s *Server) release(w *wireConn) {
	s.mu.Lock()
	_, known := s.mu.conns[w]
	delete(s.mu.conns, w)
	if s.mu.byID[w.id] == w {
		delete(s.mu.byID, w.id)
	}
	s.mu.Unlock()
	w.observed.Load().Leave()
	if known && !w.own() {
		s.live.Add(-1)
	}
	if known {
		w.forgetPrepared()
	}
}

// acceptor is the net.Listener the protocol library accepts from: all listeners of the server in
// one.
type acceptor struct {
	s     *Server
	conns chan net.Conn
}

func (a *acceptor) deliver(w *wireConn) {
	select {
	case a.conns <- w:
	case <-a.s.accepting:
		a.s.release(w)
		w.Close()
	}
}

// Accept implements net.Listener.
func (a *acceptor) Accept() (net.Conn, error) {
	select {
	case c := <-a.conns:
		return c, nil
	case <-a.s.accepting:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (a *acceptor) Close() error { return nil }

// Addr implements net.Listener.
func (a *acceptor) Addr() net.Addr {
	for _, l := range a.s.listeners {
		if l.Addr().Network() == "tcp" {
			return l.Addr()
		}
	}
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
}

// Who is at the other end of a connection.

// host is the client's address as accounts see it.
func (w *wireConn) host() string {
	return hostOf(w.peer())
}

// RemoteAddr names the client in the process list; the unix socket has no address of its own.
func (w *wireConn) RemoteAddr() net.Addr {
	if w.unix {
		return localAddr{}
	}
	return w.peer()
}

type localAddr struct{}

func (localAddr) Network() string { return "unix" }

func (localAddr) String() string { return "localhost" }

// hostOf is the host part of addr; loopback and the unix socket are localhost.
func hostOf(addr net.Addr) string {
	if addr == nil || addr.Network() == "unix" {
		return "localhost"
	}
	host, _, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return "localhost"
	}
	return host
}

// How a connection refuses what it cannot take.

// refuse answers a command that breaks the protocol and ends the connection.
func (w *wireConn) refuse(seq byte, e *mysql.SQLError) error {
	w.srv.counters.abortedClients.Add(1)
	w.srv.log.Warn("connection closed: "+e.Message, "connection", w.id, "user", w.user, "host", w.host())
	w.sendLast(seq+1, e)
	return errHungUp
}

// maxDrain bounds what is read and thrown away so that the client gets to read why its packet was
// refused.
const maxDrain = 1 << 30

// refuseOversized throws the packet away and answers 1153. n is the length of the frame whose
// header is next.
func (w *wireConn) refuseOversized(seq byte, n int) error {
	w.raw.SetReadDeadline(time.Now().Add(10 * time.Second))
	for drained := 0; drained < maxDrain; drained += n {
		if _, err := w.rd.Discard(wire.HeaderSize + n); err != nil || n < wire.MaxFrame {
			break
		}
		h, err := w.rd.Peek(wire.HeaderSize)
		if err != nil {
			break
		}
		n, seq = wire.FrameLen(h), h[3]
	}
	return w.refuse(seq, sqlerr.NewError(1153, "Got a packet bigger than 'max_allowed_packet' bytes"))
}

// sendLast writes an ERR packet as the connection's last word.
func (w *wireConn) sendLast(seq byte, e *mysql.SQLError) {
	w.raw.SetWriteDeadline(time.Now().Add(2 * time.Second))
	_, _ = w.write(wire.Frame(seq, wire.ErrorPayload(e, !w.stateless))) // it may be gone already
	w.hangUp.Store(true)
}

// failMidResult replaces the end-of-result packet the library is about to write by an error. The
// rows before it are on the socket.
func (w *wireConn) failMidResult(e *mysql.SQLError) {
	w.filter = func(p []byte) (bool, error) {
		if len(p) < wire.HeaderSize+1 || p[wire.HeaderSize] != wire.EOF {
			return false, nil
		}
		w.filter = nil
		_, err := w.send(wire.Frame(p[3], wire.ErrorPayload(e, true)))
		return true, err
	}
}
