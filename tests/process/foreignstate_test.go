package process

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"emberdb/internal/handover"
	"emberdb/internal/keep"
	"emberdb/tests/emberd"
)

// Hand-overs between programs that do not read each other's states.

// refuseState is a program that takes over, sees that it cannot read the state, and ends.
func refuseState() {
	c, err := net.FileConn(os.NewFile(3, "handover"))
	if err == nil {
		err = keep.Send(c.(*net.UnixConn), "READY")
	}
	if err == nil {
		_, _, err = keep.Receive(c.(*net.UnixConn))
	}
	fmt.Fprintln(os.Stderr, "the state has another format", err)
	os.Exit(3)
}

// A server refuses the state of another format and leaves the directory as it is: before it says
// that it is ready if it was told of the format, else when it gets the state.
func TestStateOfAnotherFormat(t *testing.T) {
	s := emberd.Start(t)
	require.NoError(t, s.Stop())
	before := contents(t, s.Dir)
	for _, told := range []bool{true, false} {
		conn, cmd, out := takeOver(t, s, told)
		text, _, err := keep.Receive(conn)
		if told {
			require.Error(t, err, text)
		} else {
			require.NoError(t, err)
			require.Equal(t, "READY", text)
			require.NoError(t, keep.Send(conn, "STATE 0", foreignState(t)))
		}
		require.Error(t, cmd.Wait())
		require.Contains(t, out.String(), fmt.Sprintf("format %d", handover.Format+1))
		require.Equal(t, before, contents(t, s.Dir))
	}
	require.NoError(t, s.Launch())
}

// takeOver starts a server on the directory as a process of another version does, which tells its
// format or not.
func takeOver(t *testing.T, s *emberd.Server, told bool) (*net.UnixConn, *exec.Cmd, *bytes.Buffer) {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	own, other := os.NewFile(uintptr(pair[0]), "own"), os.NewFile(uintptr(pair[1]), "other")
	defer own.Close()
	defer other.Close()
	conn, err := net.FileConn(own)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	out := new(bytes.Buffer)
	cmd := exec.Command(emberd.Build(t, "emberd"), "--defaults-file=/dev/null", "--datadir="+s.Dir, "--socket="+s.Socket, fmt.Sprint("--port=", s.Port), "--skip-log-bin")
	cmd.ExtraFiles, cmd.Stdout, cmd.Stderr = []*os.File{other}, out, out
	cmd.Env = append(os.Environ(), "EMBER_HANDOVER=3")
	if told {
		cmd.Env = append(cmd.Env, fmt.Sprint("EMBER_HANDOVER_FORMAT=", handover.Format+1))
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	return conn.(*net.UnixConn), cmd, out
}

// foreignState is a whole state of the next format.
func foreignState(t *testing.T) *os.File {
	t.Helper()
	body := []byte(`{"State":{},"Names":[]}`)
	b := binary.LittleEndian.AppendUint32([]byte("EMBRMOVE"), handover.Format+1)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	path := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.WriteFile(path, append(b, body...), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// contents are the checksums of a directory's files.
func contents(t *testing.T, dir string) map[string]uint32 {
	t.Helper()
	sums := map[string]uint32{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		sums[path] = crc32.ChecksumIEEE(b)
		return err
	}))
	return sums
}
