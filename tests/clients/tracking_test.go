package clients

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/server/wire"
	"emberdb/tests/emberd"
)

// trackingScript holds statements and, indented, what the packets that end MySQL's answers tell of
// them. "command N text" is a command that is no query; an empty line begins another session.
const trackingScript = "testdata/tracking.txt"

// TestSessionTracking runs statements as a client that asks for its session's changes, beside what
// MySQL 9.7 tells of them.
func TestSessionTracking(t *testing.T) {
	path := *socket
	if path == "" {
		path = emberd.Start(t, "--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON").Socket
	}
	script, err := os.ReadFile(trackingScript)
	require.NoError(t, err)
	var got []string
	c := dialTracked(t, path)
	for line := range strings.Lines(string(script)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "":
			c.Close()
			c = dialTracked(t, path)
			got = append(got, line)
		case line[0] != ' ':
			got = append(append(got, line), c.run(line)...)
		}
	}
	if *rewrite && *socket != "" {
		require.NoError(t, os.WriteFile(trackingScript, []byte(strings.Join(got, "\n")+"\n"), 0o644))
		return
	}
	require.Equal(t, strings.Split(strings.TrimSuffix(string(script), "\n"), "\n"), got)
}

// trackedConn is a client that reads the changes of its session.
type trackedConn struct {
	net.Conn
	t     *testing.T
	rd    *bufio.Reader
	uuid  string // of the server
	first int    // number of its first transaction that the session was told of
}

func dialTracked(t *testing.T, socket string) *trackedConn {
	c, err := net.Dial("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(answerLimit)))
	k := &trackedConn{Conn: c, t: t, rd: bufio.NewReader(c)}
	k.packet()
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapTransactions | wire.CapMultiStmts | wire.CapMultiResults |
		wire.CapDeprecateEOF | wire.CapSessionTrack)
	login := append(binary.LittleEndian.AppendUint32(nil, caps), 0, 0, 0, 1, 255)
	k.send(1, string(login)+strings.Repeat("\x00", 23)+"root\x00\x00caching_sha2_password\x00")
	for p := k.packet(); p[0] != wire.OK; p = k.packet() {
		require.NotEqual(t, byte(wire.Err), p[0], "%q", p)
	}
	k.send(0, "\x03SELECT @@server_uuid")
	k.packet()
	k.packet()
	k.uuid = string(k.packet()[1:])
	k.packet()
	return k
}

func (c *trackedConn) send(seq byte, p string) {
	_, err := c.Write(wire.Frame(seq, []byte(p)))
	require.NoError(c.t, err)
}

func (c *trackedConn) packet() []byte {
	_, p, err := wire.ReadFrame(c.rd, wire.MaxFrame)
	require.NoError(c.t, err)
	return p
}

var otherCommand = regexp.MustCompile(`^command (\d+) ?(.*)`)

// run runs a line of the script and returns what the ends of its answers tell.
func (c *trackedConn) run(line string) (told []string) {
	command, text := 3, line
	if m := otherCommand.FindStringSubmatch(line); m != nil {
		command, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	c.send(0, string(byte(command))+text)
	for more := true; more; {
		p := c.packet()
		if p[0] != wire.OK && p[0] != wire.Err { // rows
			for range p[0] {
				c.packet()
			}
			for p = c.packet(); p[0] != wire.EOF && p[0] != wire.Err; p = c.packet() {
			}
		}
		var one string
		one, more = c.end(p)
		told = append(told, "  "+one)
	}
	return told
}

// untold are the flags of a packet that this test is not about: plans, a database that is gone,
// changes that are told.
const untold = 0x0010 | 0x0020 | 0x0100 | 0x4000

// end is what the packet that ends an answer tells.
func (c *trackedConn) end(p []byte) (told string, more bool) {
	if p[0] == wire.Err {
		return fmt.Sprintf("error %d", binary.LittleEndian.Uint16(p[1:])), false
	}
	b := wire.Cursor{Rest: p[1:]}
	b.LenEnc()
	b.LenEnc()
	status := b.Uint16()
	b.Uint16()
	told = fmt.Sprintf("%04x", status&^untold)
	if status&0x4000 != 0 {
		b.Bytes(b.LenEnc())
		for list := (wire.Cursor{Rest: b.Bytes(b.LenEnc())}); len(list.Rest) > 0 && !list.Bad; {
			kind := list.Uint8()
			e := wire.Cursor{Rest: list.Bytes(list.LenEnc())}
			told += " | " + c.change(kind, &e)
			require.False(c.t, e.Bad || list.Bad || len(e.Rest) > 0, "%q", p)
		}
	} else if len(b.Rest) > 0 {
		b.Bytes(b.LenEnc())
	}
	require.False(c.t, b.Bad || len(b.Rest) > 0, "%q", p)
	return told, status&0x8 != 0
}

func (c *trackedConn) change(kind byte, e *wire.Cursor) string {
	text := func() string { return string(e.Bytes(e.LenEnc())) }
	switch kind {
	case 0:
		return "variable " + text() + "=" + text()
	case 1:
		return "schema " + text()
	case 2:
		return "state " + string(e.Bytes(1))
	case 3:
		require.Zero(c.t, e.Uint8())
		return "GTIDs " + c.numbers(text())
	case 4:
		return "characteristics " + text()
	case 5:
		return "transaction " + text()
	}
	return fmt.Sprint("unknown ", kind)
}

var number = regexp.MustCompile(`\d+`)

// numbers are those of the server's own transactions, counted from the first one of the session.
func (c *trackedConn) numbers(set string) string {
	_, own, ok := strings.Cut(set, c.uuid+":")
	require.True(c.t, ok, set)
	own, _, _ = strings.Cut(own, ",")
	return number.ReplaceAllStringFunc(own, func(s string) string {
		n, err := strconv.Atoi(s)
		require.NoError(c.t, err)
		if n == 1 {
			return s
		}
		if c.first == 0 {
			c.first = n
		}
		return fmt.Sprintf("+%d", n-c.first)
	})
}
