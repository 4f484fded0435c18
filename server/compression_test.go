package server

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/compressed"
	"emberdb/server/commands"
	"emberdb/server/wire"
)

// TestCompressionIsChosen holds what a client gets against MySQL 9.7's choice, by what the server
// allows.
func TestCompressionIsChosen(t *testing.T) {
	const (
		none    = "OFF  0"
		framed  = "ON  0"
		zlib    = "ON zlib 6"
		refused = "Invalid compression algorithm 'uncompressed'."
		level   = "Invalid zstd compression level for algorithm 'zstd'."
	)
	type asked struct {
		caps  uint32
		level byte
	}
	clients := []asked{{0, 0}, {wire.CapCompress, 0}, {wire.CapZstd, 3}, {wire.CapZstd, 22}, {wire.CapZstd, 0}, {wire.CapZstd, 23}, {wire.CapZstd, 255},
		{wire.CapCompress | wire.CapZstd, 3}, {wire.CapCompress | wire.CapZstd, 0}}
	for allowed, want := range map[string][]string{
		"zlib,zstd,uncompressed": {none, zlib, "ON zstd 3", "ON zstd 22", level, level, level, zlib, zlib},
		"ZLIB":                   {refused, zlib, refused, refused, refused, refused, refused, zlib, zlib},
		"zstd":                   {refused, refused, "ON zstd 3", "ON zstd 22", level, level, level, "ON zstd 3", level},
		"uncompressed":           {none, framed, framed, framed, framed, framed, framed, framed, framed},
		"zstd,zlib":              {refused, zlib, "ON zstd 3", "ON zstd 22", level, level, level, zlib, zlib},
		"zstd,uncompressed":      {none, framed, "ON zstd 3", "ON zstd 22", level, level, level, "ON zstd 3", level},
	} {
		var s Server
		require.NoError(t, s.setCompression(allowed))
		for i, a := range clients {
			c, err := s.chooseCompression(a.caps, a.level)
			var e *mysql.SQLError
			if errors.As(err, &e) {
				require.Equal(t, want[i], e.Message, "%s: %v", allowed, a)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want[i], c.status(), "%s: %v", allowed, a)
		}
	}
	var s Server
	for _, bad := range []string{"", "foo", "zlib, zstd", " zlib", "zlib,", "NULL"} {
		require.ErrorContains(t, s.setCompression(bad), "can't be set to the value of '"+bad+"'")
	}
}

func (c compression) status() string {
	if !c.on {
		return fmt.Sprintf("OFF %s %d", c.name(), c.level)
	}
	return fmt.Sprintf("ON %s %d", c.name(), c.level)
}

// TestCompressedPackets sends frames that are cut wherever it pleases, and broken ones.
func TestCompressedPackets(t *testing.T) {
	ts := start(t)
	for _, a := range []compressed.Algorithm{compressed.Zlib, compressed.Zstd} {
		query := append([]byte{commands.ComQuery}, "SELECT REPEAT('ember', 20000) AS c"...)
		for _, size := range []int{1, 7, 40, 1000} {
			c := ts.compressed(a)
			in := compressed.NewReader(c.Conn, a)
			out := compressed.NewWriter(c.Conn, in, 3)
			for rest := wire.Frame(0, query); len(rest) > 0; {
				n, err := out.Write(rest[:min(size, len(rest))])
				require.NoError(t, err)
				rest = rest[n:]
			}
			var answer bytes.Buffer
			for !bytes.Contains(answer.Bytes(), []byte{wire.EOF, 0, 0, 2, 0, 0, 0}) {
				b := make([]byte, 10000)
				n, err := in.Read(b)
				require.NoError(t, err)
				answer.Write(b[:n])
			}
			require.Equal(t, 20000, bytes.Count(answer.Bytes(), []byte("ember")))
			require.NoError(t, c.Close())
		}
		for name, b := range map[string][]byte{
			"not compressed":      {3, 0, 0, 0, 9, 0, 0, 1, 2, 3},
			"nothing":             {0, 0, 0, 0, 9, 0, 0},
			"less than announced": append([]byte{5, 0, 0, 0, 0xff, 0xff, 0xff}, 0x78, 0x9c, 3, 0, 0),
			"plain packet":        wire.Frame(0, append([]byte{commands.ComQuery}, "SELECT 1"...)),
		} {
			c := ts.compressed(a)
			_, err := c.Write(append(b, 0, 0, 0, 0, 0, 0, 0))
			require.NoError(t, err)
			_, err = c.Read(make([]byte, 1))
			for err == nil { // an error packet may come first
				_, err = c.Read(make([]byte, 1))
			}
			require.Error(t, err, name)
		}
	}
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.root(), "SELECT 1"))
}

// compressed logs root in with compression.
func (ts *testServer) compressed(a compressed.Algorithm) *rawClient {
	c := ts.dialBare()
	c.recv()
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapCompress | wire.CapDeprecateEOF)
	if a == compressed.Zstd {
		caps += wire.CapZstd - wire.CapCompress
	}
	b := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}
	b = append(append(b, make([]byte, 23)...), "root\x00\x00caching_sha2_password\x00"...)
	c.send(1, append(b, 3))
	_, answer := c.recv()
	require.Equal(ts.t, byte(wire.OK), answer[0])
	return c
}
