package server

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/server/grants"
	"emberdb/server/wire"
)

// proxyV2Header is a header of version 2.
func proxyV2Header(command, family byte, body string) string {
	return proxyV2 + string([]byte{command, family, byte(len(body) >> 8), byte(len(body))}) + body
}

// TestProxyHeader logs in behind a header. The account, and what USER() says, go by the address that
// the header tells, if the proxy is believed.
func TestProxyHeader(t *testing.T) {
	ts := start(t, "--proxy-protocol-networks=localhost")
	root := ts.root()
	exec(t, root, "CREATE USER p@'203.0.113.7' IDENTIFIED BY ''")
	exec(t, root, "CREATE USER p@'2001:db8::7' IDENTIFIED BY ''")
	exec(t, root, "CREATE USER p@localhost IDENTIFIED BY ''")
	four, six := "\xcb\x00\x71\x07\x7f\x00\x00\x01\x10\x00\x0c\xea", "\x20\x01\x0d\xb8"+strings.Repeat("\x00", 11)+"\x07"+strings.Repeat("\x00", 15)+"\x01\x10\x00\x0c\xea"
	for _, c := range []struct{ header, user string }{
		{"", "p@localhost"},
		{"PROXY TCP4 203.0.113.7 127.0.0.1 4096 3306\r\n", "p@203.0.113.7"},
		{"PROXY TCP6 2001:db8::7 ::1 4096 3306\r\n", "p@2001:db8::7"},
		{"PROXY UNKNOWN\r\n", "p@localhost"},
		{"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", "p@localhost"},
		{"PROXY TCP4 127.0.0.1 127.0.0.1 4096 3306\r\n", "p@localhost"},
		{proxyV2Header(0x21, 0x11, four), "p@203.0.113.7"},
		{proxyV2Header(0x21, 0x11, four+"\x04\x00\x00"), "p@203.0.113.7"},
		{proxyV2Header(0x21, 0x21, six), "p@2001:db8::7"},
		{proxyV2Header(0x20, 0, ""), "p@localhost"},
		{proxyV2Header(0x21, 0x31, strings.Repeat("x", 216)), "p@localhost"},
		{"PROXY TCP4 203.0.113.8 127.0.0.1 4096 3306\r\n", ""}, // there is no such account
		{"PROXY TCP4 2001:db8::7 ::1 4096 3306\r\n", ""},
		{"PROXY TCP4 203.0.113.7 127.0.0.1 4096\r\n", ""},
		{"PROXY TCP4 203.0.113.7 127.0.0.1 4096 99999\r\n", ""},
		{"PROXY TCP6 fe80::1%eth0 ::1 4096 3306\r\n", ""},
		{"PROXY " + strings.Repeat("x", 200), ""},
		{proxyV2Header(0x21, 0x11, four[:11]), ""},
		{proxyV2Header(0x21, 0x12, four), ""},
		{proxyV2Header(0x31, 0x11, four), ""},
		{proxyV2Header(0x21, 0x11, strings.Repeat("x", longestV2+1)), ""},
	} {
		require.Equal(t, c.user, ts.userBehind(t, c.header), "%q", c.header)
	}
	for _, networks := range []string{"", "203.0.113.0/24, ::1"} {
		exec(t, root, "SET GLOBAL proxy_protocol_networks = '"+networks+"'")
		require.Empty(t, ts.userBehind(t, "PROXY TCP4 203.0.113.7 127.0.0.1 4096 3306\r\n"), networks)
		require.Equal(t, "p@localhost", ts.userBehind(t, ""))
	}
	_, err := root.Exec("SET GLOBAL proxy_protocol_networks = 'nowhere'")
	requireCode(t, err, 1231, "42000")
	exec(t, root, "SET GLOBAL proxy_protocol_networks = '127.0.0.0/8'")
	require.Equal(t, "p@203.0.113.7", ts.userBehind(t, "PROXY TCP4 203.0.113.7 127.0.0.1 4096 3306\r\n"))
}

// userBehind logs p in behind a header and returns USER(), "" if the server refuses that.
func (ts *testServer) userBehind(t *testing.T, header string) string {
	c, err := net.Dial("tcp", ts.addr())
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(testkit.WaitLimit)))
	for _, b := range []byte(header) { // in pieces, as a network may
		if _, err := c.Write([]byte{b}); err != nil {
			return ""
		}
	}
	r := &rawClient{t, c}
	r.recv()
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapDeprecateEOF)
	login := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}
	login = append(append(login, make([]byte, 23)...), "p\x00\x00"+grants.PluginSha2+"\x00"...)
	if _, err := c.Write(wire.Frame(1, login)); err != nil {
		return ""
	}
	_, p, err := wire.ReadFrame(c, wire.MaxFrame)
	if err != nil || p[0] != wire.OK {
		return ""
	}
	return r.query("SELECT USER()")[0]
}

// TestProxyNetworks: addresses count by their networks, however they are written; a socket is in
// none.
func TestProxyNetworks(t *testing.T) {
	n, err := parseProxyNetworks(" 10.0.0.0/8,2001:db8::/32, 192.0.2.1 ")
	require.NoError(t, err)
	for peer, in := range map[string]bool{"10.1.2.3": true, "::ffff:10.1.2.3": true, "11.0.0.1": false, "2001:db8::5": true, "192.0.2.1": true, "127.0.0.1": false} {
		require.Equal(t, in, n.has(&net.TCPAddr{IP: net.ParseIP(peer)}), peer)
	}
	require.False(t, n.has(&net.UnixAddr{Net: "unix"}))
	require.False(t, (*proxyNetworks)(nil).has(&net.TCPAddr{IP: net.ParseIP("10.1.2.3")}))
}

func FuzzProxyHeader(f *testing.F) {
	f.Add([]byte("PROXY TCP4 203.0.113.7 127.0.0.1 4096 3306\r\n"))
	f.Add([]byte(proxyV2Header(0x21, 0x11, "\xcb\x00\x71\x07\x7f\x00\x00\x01\x10\x00\x0c\xea")))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, parse := range []func([]byte) (string, error){
			func(b []byte) (string, error) { a, err := parseProxyV1(string(b)); return a.String(), err },
			func(b []byte) (string, error) { a, err := parseProxyV2(b); return a.String(), err },
		} {
			if a, err := parse(b); err == nil && a != "invalid AddrPort" {
				require.NotContains(t, a, "%")
			}
		}
	})
}
