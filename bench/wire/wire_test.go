package wire

import (
	"encoding/binary"
	"net"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

func TestLengths(t *testing.T) {
	for _, n := range []int{0, 250, 251, 65535, 65536, 1<<24 - 1} {
		b := appendLenenc(nil, n)
		got, size := lenenc(append(b, 1, 2, 3))
		require.EqualValues(t, n, got)
		require.Equal(t, len(b), size)
		for cut := range len(b) {
			got, size := lenenc(b[:cut])
			require.LessOrEqual(t, size, cut)
			require.Zero(t, got)
		}
	}
	got, size := lenenc([]byte{0xfe, 1, 0, 0, 0, 0, 0, 0, 1})
	require.EqualValues(t, 1<<56+1, got)
	require.Equal(t, 9, size)
}

// answering returns a connection whose peer has sent these payloads, cut into packets as the
// protocol wants.
func answering(t *testing.T, caps uint32, payloads ...string) *Conn {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close() })
	go func() {
		defer there.Close()
		seq := byte(1)
		for _, p := range payloads {
			for more := true; more; seq++ {
				n := min(len(p), maxPayload)
				head := binary.LittleEndian.AppendUint32(nil, uint32(n)|uint32(seq)<<24)
				if _, err := there.Write(append(head, p[:n]...)); err != nil {
					return
				}
				p, more = p[n:], n == maxPayload
			}
		}
	}()
	return &Conn{nc: here, caps: caps, in: make([]byte, 64), seq: 1}
}

func TestAnswers(t *testing.T) {
	long := strings.Repeat("x", 1000)
	rows := []string{"\x02", "column", "column", "\xfb\xfb", "\x01a\xfc" + long, "\x00"}
	modern := append(rows[:len(rows):len(rows)], "\xfe\x00\x00\x02\x00\x00\x00info, longer than nine bytes")
	old := append(append([]string{}, rows[:3]...), append([]string{"\xfe\x00\x00\x02\x00"}, append(rows[3:], "\xfe\x00\x00\x02\x00")...)...)

	res, err := answering(t, capDeprecateEOF, modern...).answer()
	require.NoError(t, err)
	require.Equal(t, Result{Rows: 3}, res)
	res, err = answering(t, 0, old...).answer()
	require.NoError(t, err)
	require.Equal(t, Result{Rows: 3}, res)

	huge := "\xfe\x00\x00\x00\x01\x00\x00\x00\x00" + strings.Repeat("y", 1<<24) // a value of 16 MiB
	res, err = answering(t, capDeprecateEOF, "\x01", "column", huge, "\xfe\x00\x00\x02\x00").answer()
	require.NoError(t, err)
	require.Equal(t, 1, res.Rows)

	res, err = answering(t, 0, "\x00\xfc\x00\x01\x00\x02\x00\x00\x00").answer()
	require.NoError(t, err)
	require.EqualValues(t, 256, res.Affected)
}

func TestErrors(t *testing.T) {
	c := answering(t, capDeprecateEOF, "\x01", "column", "\x01a", "\xff\xbd\x04#40001Deadlock")
	_, err := c.answer()
	require.Equal(t, &mysql.MySQLError{Number: 1213, SQLState: [5]byte([]byte("40001")), Message: "Deadlock"}, err)
	require.NoError(t, c.err, "an error of the server leaves the stream in step")

	for _, payloads := range [][]string{{}, {"\x02", "column"}, {""}, {"\xff"}, {"\xfb/etc/passwd"}} {
		c := answering(t, capDeprecateEOF, payloads...)
		_, err := c.answer()
		require.Error(t, err, "%q", payloads)
		_, again := c.Exec("SELECT 1")
		require.Equal(t, err, again, "%q: nothing is sent on a stream out of step", payloads)
	}
	c = answering(t, 0, "\x00")
	c.seq = 7
	_, err = c.answer()
	require.ErrorContains(t, err, "packet 1 where 7 was expected")
}

func TestEvents(t *testing.T) {
	event := func(typ byte, end uint32, body string) string {
		head := append([]byte{1, 2, 3, 4, typ, 1, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, 0, 0, 0)
		binary.LittleEndian.PutUint32(head[13:], end)
		return "\x00" + string(head) + body
	}
	c := answering(t, 0, event(rotateEvent, 0, "\x04\x00\x00\x00\x00\x00\x00\x00binlog.000007"), event(15, 126, "format"), "\xff\xd4\x04#HY000gone")
	e, err := c.Event()
	require.NoError(t, err)
	require.Equal(t, Event{Size: 40, File: "binlog.000007", Next: 4}, e)
	e, err = c.Event()
	require.NoError(t, err)
	require.Equal(t, Event{Size: 25, End: 126}, e)
	_, err = c.Event()
	require.ErrorContains(t, err, "gone")
	_, again := c.Event()
	require.Equal(t, err, again)

	for _, p := range []string{"", "\xfe", "\x00cut off", event(rotateEvent, 0, "short")} {
		_, err := answering(t, 0, p, "").Event()
		require.Error(t, err, "%q", p)
	}
}

func TestText(t *testing.T) {
	s := (&Conn{}).Text("INSERT INTO t VALUES (?, ?, 0)")
	s.Begin()
	s.Int(-5)
	_, err := s.Run()
	require.ErrorContains(t, err, "1 parameters given, the statement has 2")
	s.Bytes([]byte(`it's a \`))
	require.Equal(t, `INSERT INTO t VALUES (-5, 'it''s a \\', 0)`, string(s.buf))
}
