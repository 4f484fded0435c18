package keep

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"emberdb/internal/testkit"
)

// TestMain is a holder process, too.
func TestMain(m *testing.M) {
	if dir := os.Getenv("KEEP_TEST_HOLDER"); dir != "" {
		if err := Serve(os.NewFile(3, "listener"), dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// holders starts holders as processes, and remembers them.
type holders struct {
	t   *testing.T
	dir string
	mu  sync.Mutex
	all []*exec.Cmd
}

func (hs *holders) start(listener *os.File) error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KEEP_TEST_HOLDER="+hs.dir)
	cmd.ExtraFiles = []*os.File{listener}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	hs.all = append(hs.all, cmd)
	return nil
}

func (hs *holders) last() *exec.Cmd {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	return hs.all[len(hs.all)-1]
}

func newHolders(t *testing.T) *holders {
	// A long path: the socket's address must not have it.
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 40))
	require.NoError(t, os.MkdirAll(dir, 0o700))
	hs := &holders{t: t, dir: dir}
	t.Cleanup(func() {
		require.NoError(t, EndHolder(dir))
		hs.mu.Lock()
		defer hs.mu.Unlock()
		for _, cmd := range hs.all {
			_ = cmd.Wait()
		}
	})
	return hs
}

func (hs *holders) open(lost func(error)) *Holder {
	h, err := OpenHolder(hs.dir, hs.start, lost)
	require.NoError(hs.t, err)
	return h
}

func content(t *testing.T, text string) *os.File {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func read(t *testing.T, f *os.File) string {
	require.NotNil(t, f)
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<20))
	require.NoError(t, err)
	return string(b)
}

// What is put is there for a second client, as often as it asks, until it is removed.
func TestHolder(t *testing.T) {
	hs := newHolders(t)
	a := hs.open(func(error) {})
	none, err := a.Take("pool")
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, a.Put("pool", content(t, "one")))
	require.NoError(t, a.Put("listener", content(t, "two")))
	require.NoError(t, a.Put("pool", content(t, "three")))

	b := hs.open(func(error) {})
	require.Len(t, hs.all, 1, "the holder that is there is used")
	for range 2 {
		f, err := b.Take("pool")
		require.NoError(t, err)
		require.Equal(t, "three", read(t, f))
	}
	names, ok, err := HolderNames(hs.dir)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []string{"listener", "pool"}, names)
	require.NoError(t, b.Remove("pool"))
	f, err := b.Take("pool")
	require.NoError(t, err)
	require.Nil(t, f)
}

// A holder that dies is replaced, and the new one holds what this process has put.
func TestHolderDies(t *testing.T) {
	hs := newHolders(t)
	lost := make(chan error, 1)
	h := hs.open(func(err error) { lost <- err })
	require.NoError(t, h.Put("pool", content(t, "one")))
	require.NoError(t, hs.last().Process.Kill())
	require.NoError(t, testkit.Receive(t, lost))
	require.Len(t, hs.all, 2)
	f, err := h.Take("pool")
	require.NoError(t, err)
	require.Equal(t, "one", read(t, f))
}

// A holder that cannot be started is told, and a later process finds the way free.
func TestHolderDoesNotStart(t *testing.T) {
	hs := newHolders(t)
	_, err := OpenHolder(hs.dir, func(*os.File) error { return errors.New("no program") }, func(error) {})
	require.ErrorContains(t, err, "no program")
	require.NoError(t, hs.open(func(error) {}).Put("pool", content(t, "one")))
}

// Requests that make no sense are refused, and the holder goes on.
func TestHolderRefuses(t *testing.T) {
	hs := newHolders(t)
	h := hs.open(func(error) {})
	for _, what := range []string{"", "PUT\npool", "PUT\n", "TAKE\n" + strings.Repeat("n", 256), "TAKE\na:b", "NONSENSE\npool", strings.Repeat("x", maxMessage+1)} {
		require.Error(t, h.send(what, nil), "%.20q", what)
	}
	for i := range maxHeld {
		require.NoError(t, h.Put("f"+strconv.Itoa(i), content(t, "x")))
	}
	require.ErrorContains(t, h.Put("more", content(t, "x")), "64 descriptors")
	require.NoError(t, h.Put("f1", content(t, "y")))
}

// A listening socket stays non-blocking on its way, and clients that come while nobody accepts are
// served later.
func TestListenerIsKept(t *testing.T) {
	hs := newHolders(t)
	h := hs.open(func(error) {})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f, err := l.(*net.TCPListener).File()
	require.NoError(t, err)
	require.NoError(t, h.Put("listen", f))
	f.Close()
	l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err, "the queue of the kept listener takes it")
	defer client.Close()

	f, err = h.Take("listen")
	require.NoError(t, err)
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	require.NoError(t, err)
	require.NotZero(t, flags&unix.O_NONBLOCK)
	again, err := net.FileListener(f)
	require.NoError(t, err)
	defer again.Close()
	c, err := again.Accept()
	require.NoError(t, err)
	c.Close()
}

// Systemd's protocol: what is put comes as one message with a descriptor, and what the environment
// names is taken.
func TestSystemd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	defer manager.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("LISTEN_PID", "1") // another process's
	t.Setenv("LISTEN_FDS", "1")
	t.Setenv("LISTEN_FDNAMES", "pool")
	s, err := NewSystemd()
	require.NoError(t, err)
	f, err := s.Take("pool")
	require.NoError(t, err)
	require.Nil(t, f)
	require.Empty(t, os.Getenv("LISTEN_FDS"))

	require.NoError(t, s.Put("pool", content(t, "one")))
	text, files, err := Receive(manager)
	require.NoError(t, err)
	require.Equal(t, "FDSTOREREMOVE=1\nFDNAME=pool", text)
	require.Empty(t, files)
	text, files, err = Receive(manager)
	require.NoError(t, err)
	require.Equal(t, "FDSTORE=1\nFDNAME=pool\nFDPOLL=0", text)
	require.Len(t, files, 1)
	require.Equal(t, "one", read(t, files[0]))
	require.Error(t, s.Put("a:b", content(t, "x")))

	t.Setenv("NOTIFY_SOCKET", "")
	_, err = NewSystemd()
	require.ErrorContains(t, err, "NOTIFY_SOCKET")
}
