package handover

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/keep"
)

// TestMain is a process that takes over, too. It does so in the way that its argument says.
func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv(variable); ok {
		takeOver(os.Args[len(os.Args)-1])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func takeOver(how string) {
	if how == "ends" {
		os.Exit(3)
	}
	p, err := FromEnvironment()
	if err == nil && how == "other" {
		_ = keep.Send(p.conn, "HELLO")
		os.Exit(3)
	}
	var c *Content
	if err == nil {
		c, err = p.Receive()
	}
	if err != nil || how == "late" {
		os.Exit(3)
	}
	for name, f := range c.Files { // it writes its name into each file
		if _, err := f.WriteAt([]byte(name+string(c.State)), 0); err != nil {
			os.Exit(4)
		}
	}
	p.Serving()
}

func start(t *testing.T, how string) (*Next, error) {
	n, err := Start(context.Background(), os.Args[0], os.Args[0], []string{"-test.run=none", how})
	if err == nil {
		t.Cleanup(n.Kill)
	}
	return n, err
}

func content(t *testing.T, n int) *Content {
	c := &Content{State: json.RawMessage(`{"a":1}`), Files: map[string]*os.File{}}
	for i := range n {
		f, err := os.CreateTemp(t.TempDir(), "")
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		c.Files[fmt.Sprint("file-", i)] = f
	}
	return c
}

// Many descriptors go along, each under its name.
func TestHandOver(t *testing.T) {
	for _, n := range []int{0, 1, 3*keep.MaxFiles + 7} {
		next, err := start(t, "serves")
		require.NoError(t, err)
		c := content(t, n)
		require.NoError(t, next.Alive())
		require.NoError(t, next.Give(c))
		require.NoError(t, next.Serving())
		for name, f := range c.Files {
			b, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
			require.NoError(t, err)
			require.Equal(t, name+`{"a":1}`, string(b))
		}
	}
}

// A process that does not do its part is told of, and is gone.
func TestHandOverFails(t *testing.T) {
	_, err := Start(context.Background(), "/no/such/program", "program", nil)
	require.Error(t, err)
	_, err = start(t, "ends")
	require.ErrorContains(t, err, "has ended before it said READY")
	_, err = start(t, "other")
	require.ErrorContains(t, err, `says "HELLO"`)
	next, err := start(t, "late")
	require.NoError(t, err)
	err = next.Give(content(t, 1))
	if err == nil { // it has taken all
		err = next.Serving()
	}
	require.ErrorContains(t, err, "has ended before it said")
	require.Error(t, next.Alive())
	next, err = start(t, "serves")
	require.NoError(t, err)
	next.Kill()
	require.Error(t, next.Give(content(t, 1)))
}

// A process that is told of another format does not say that it is ready.
func TestFormatIsTold(t *testing.T) {
	for format, want := range map[string]string{strconv.Itoa(Format + 1): "format", strconv.Itoa(Format - 1): "format", "": "format", strconv.Itoa(Format): "no descriptor"} {
		t.Setenv(variable, "none")
		t.Setenv(formatVariable, format)
		_, err := FromEnvironment()
		require.ErrorContains(t, err, want, format)
		for _, name := range []string{variable, formatVariable} { // what it starts is not to take over
			_, there := os.LookupEnv(name)
			require.False(t, there, name)
		}
	}
}

// A state that is damaged, cut, or of another version is refused.
func TestStateIsExamined(t *testing.T) {
	good, files, err := encode(&Content{State: json.RawMessage(`{"a":[1,2,3]}`), Files: map[string]*os.File{"x": os.Stdin, "y": os.Stdin}})
	require.NoError(t, err)
	require.Len(t, files, 2)
	w, err := decode(bytes.NewReader(good))
	require.NoError(t, err)
	require.JSONEq(t, `{"a":[1,2,3]}`, string(w.State))

	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 500 {
		bad := bytes.Clone(good)
		bad[rnd.IntN(len(bad))] ^= byte(1 + rnd.IntN(255))
		_, err := decode(bytes.NewReader(bad))
		require.Error(t, err)
		_, err = decode(bytes.NewReader(good[:rnd.IntN(len(good))]))
		require.Error(t, err)
	}
	for _, format := range []uint32{0, Format - 1, Format + 1, 1 << 31} {
		other := bytes.Clone(good)
		binary.LittleEndian.PutUint32(other[8:], format)
		_, err := decode(bytes.NewReader(other))
		require.ErrorContains(t, err, "format")
	}
	for _, text := range []string{``, `{`, `[]`, `{"State":{},"Names":["x","x"]}`, `{"State":{},"Names":[],"More":1}`, `{"State":{},"Names":"x"}`} {
		b := append([]byte(magic), make([]byte, 8)...)
		binary.LittleEndian.PutUint32(b[8:], Format)
		binary.LittleEndian.PutUint32(b[12:], crc32.Checksum([]byte(text), castagnoli))
		_, err := decode(strings.NewReader(string(b) + text))
		require.Error(t, err, text)
	}
}
