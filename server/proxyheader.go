package server

// The PROXY protocol: a proxy in front of the server tells whose connection it passes on, ahead of
// the login. Accounts, the process list and logs then see the client's address.
//
//	version 1   "PROXY TCP4 client server port port\r\n", TCP6 likewise, or "PROXY UNKNOWN ...\r\n"
//	version 2   12 bytes of signature   1 version 2, command   1 family   2 length   addresses, extensions
//
// Only peers in proxy_protocol_networks are believed; from others a header ends the connection. A
// header without an address, as of a check by the proxy itself, leaves the proxy's own. So does a
// loopback address from another machine: it is that machine's, and not localhost here.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

const (
	proxyV1      = "PROXY "
	proxyV2      = "\r\n\r\n\x00\r\nQUIT\n"
	longestV1    = 107
	headV2       = 16
	longestV2    = 4 << 10
	proxyFamily4 = 0x11
	proxyFamily6 = 0x21
)

var errProxyHeader = errors.New("the PROXY header is malformed")

// proxyNetworks are the peers that may send a header.
type proxyNetworks struct {
	any, local bool // everybody; this machine
	list       []netip.Prefix
}

// parseProxyNetworks reads proxy_protocol_networks.
func parseProxyNetworks(text string) (*proxyNetworks, error) {
	n := &proxyNetworks{}
	for item := range strings.SplitSeq(text, ",") {
		switch item = strings.TrimSpace(item); item {
		case "":
		case "*":
			n.any = true
		case "localhost":
			n.local = true
		default:
			p, err := netip.ParsePrefix(item)
			if a, aerr := netip.ParseAddr(item); aerr == nil {
				p, err = netip.PrefixFrom(a, a.BitLen()), nil
			}
			if err != nil {
				return nil, fmt.Errorf("proxy_protocol_networks: %q is neither an address nor a network", item)
			}
			n.list = append(n.list, p.Masked())
		}
	}
	return n, nil
}

// has tells whether a peer may send a header.
func (n *proxyNetworks) has(peer net.Addr) bool {
	if n == nil {
		return false
	}
	if n.any || n.local && hostOf(peer) == "localhost" {
		return true
	}
	ip, ok := addressOf(peer)
	for _, p := range n.list {
		if ok && p.Contains(ip) {
			return true
		}
	}
	return false
}

func addressOf(peer net.Addr) (netip.Addr, bool) {
	t, ok := peer.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}, false
	}
	ip, ok := netip.AddrFromSlice(t.IP)
	return ip.Unmap(), ok
}

// setProxyNetworks is the effect of proxy_protocol_networks.
func setProxyNetworks(s *Server, v any) error {
	n, err := parseProxyNetworks(v.(string))
	if err != nil {
		return sqlerr.NewError(1231, "Variable 'proxy_protocol_networks' can't be set to the value of '%s'", v)
	}
	s.globals.proxyNetworks.Store(n)
	return nil
}

// readProxyHeader reads the header ahead of the login, if there is one. A login has the number 1,
// where a header has another byte.
func (w *wireConn) readProxyHeader() error {
	h, err := w.rd.Peek(wire.HeaderSize)
	if err != nil {
		return err
	}
	var read func() (netip.AddrPort, error)
	switch string(h) {
	case proxyV1[:wire.HeaderSize]:
		read = w.readProxyV1
	case proxyV2[:wire.HeaderSize]:
		read = w.readProxyV2
	default:
		return nil
	}
	if !w.srv.globals.proxyNetworks.Load().has(w.Conn.RemoteAddr()) {
		return sqlerr.NewError(1130, "Host '%s' is not allowed to connect to this MySQL server", w.host())
	}
	client, err := read()
	if err != nil {
		return err
	}
	if client.IsValid() && !(client.Addr().IsLoopback() && hostOf(w.Conn.RemoteAddr()) != "localhost") {
		w.setProxied(client)
	}
	return nil
}

// setProxied makes the client's address that of the other side of the proxy. How it reached the
// proxy is not known.
func (w *wireConn) setProxied(client netip.AddrPort) {
	w.proxied, w.unix, w.secure = net.TCPAddrFromAddrPort(client), false, false
}

// peer is the client's address.
func (w *wireConn) peer() net.Addr {
	if w.proxied != nil {
		return w.proxied
	}
	return w.Conn.RemoteAddr()
}

func (w *wireConn) readProxyV1() (none netip.AddrPort, err error) {
	var line []byte
	for n := len(proxyV1); !bytes.HasSuffix(line, []byte("\r\n")); n++ {
		if n > longestV1 {
			return none, errProxyHeader
		}
		if line, err = w.rd.Peek(n); err != nil {
			return none, err
		}
	}
	client, err := parseProxyV1(string(line))
	if err == nil {
		_, err = w.rd.Discard(len(line))
	}
	return client, err
}

// parseProxyV1 reads a line with its end.
func parseProxyV1(line string) (none netip.AddrPort, err error) {
	f := strings.Split(strings.TrimSuffix(line, "\r\n"), " ")
	switch {
	case f[0] != "PROXY" || len(f) < 2:
		return none, errProxyHeader
	case f[1] == "UNKNOWN":
		return none, nil
	case len(f) != 6 || f[1] != "TCP4" && f[1] != "TCP6":
		return none, errProxyHeader
	}
	for i, port := range f[4:] {
		p, err := netip.ParseAddrPort(net.JoinHostPort(f[2+i], port))
		if err != nil || p.Addr().Zone() != "" || p.Addr().Is4() != (f[1] == "TCP4") {
			return none, errProxyHeader
		}
		if i == 0 {
			none = p
		}
	}
	return netip.AddrPortFrom(none.Addr().Unmap(), none.Port()), nil
}

func (w *wireConn) readProxyV2() (none netip.AddrPort, err error) {
	h, err := w.rd.Peek(headV2)
	if err != nil {
		return none, err
	}
	n := int(binary.BigEndian.Uint16(h[14:]))
	if n > longestV2 {
		return none, errProxyHeader
	}
	if h, err = w.rd.Peek(headV2 + n); err != nil {
		return none, err
	}
	client, err := parseProxyV2(h)
	if err == nil {
		_, err = w.rd.Discard(headV2 + n)
	}
	return client, err
}

// parseProxyV2 reads a whole header.
func parseProxyV2(h []byte) (none netip.AddrPort, err error) {
	if len(h) < headV2 || string(h[:12]) != proxyV2 {
		return none, errProxyHeader
	}
	body := h[headV2:]
	switch h[12] {
	case 0x20: // the proxy speaks for itself
		return none, nil
	case 0x21:
	default:
		return none, errProxyHeader
	}
	size := 4
	switch h[13] {
	case proxyFamily4:
	case proxyFamily6:
		size = 16
	case 0x00, 0x31: // unknown, and a socket of the proxy's machine
		return none, nil
	default:
		return none, errProxyHeader
	}
	if len(body) < 2*size+4 {
		return none, errProxyHeader
	}
	ip, _ := netip.AddrFromSlice(body[:size])
	return netip.AddrPortFrom(ip.Unmap(), binary.BigEndian.Uint16(body[2*size:])), nil
}
