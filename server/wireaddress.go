package server

import (
	"net"
)

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
