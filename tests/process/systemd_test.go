package process

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// systemd is a double of the service manager. It reads what it is told at once.
type systemd struct {
	mu   sync.Mutex
	held map[string]*os.File
	told []string // that no test has looked at
}

func newSystemd(t *testing.T) *systemd {
	d := &systemd{held: map[string]*os.File{}}
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.listen(t, conn)
	}()
	t.Cleanup(func() {
		conn.Close()
		<-ended
	})
	t.Setenv("NOTIFY_SOCKET", path)
	return d
}

func (d *systemd) listen(t *testing.T, conn *net.UnixConn) {
	for {
		b, rights := make([]byte, 4096), make([]byte, 64)
		n, oobn, _, _, err := conn.ReadMsgUnix(b, rights)
		if err != nil {
			return
		}
		messages, err := syscall.ParseSocketControlMessage(rights[:oobn])
		if err != nil {
			t.Error(err)
			return
		}
		d.hear(t, string(b[:n]), messages)
	}
}

func (d *systemd) hear(t *testing.T, text string, messages []syscall.SocketControlMessage) {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			fields[k] = v
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range messages {
		fds, err := syscall.ParseUnixRights(&m)
		if err != nil || len(fds) != 1 || fields["FDSTORE"] != "1" {
			t.Errorf("%q with %d descriptors: %v", text, len(fds), err)
			return
		}
		d.held[fields["FDNAME"]] = os.NewFile(uintptr(fds[0]), fields["FDNAME"])
	}
	if fields["FDSTOREREMOVE"] == "1" {
		delete(d.held, fields["FDNAME"])
	}
	d.told = append(d.told, text)
}

// run waits for a message that contains the text. It passes those before it over.
func (d *systemd) run(t *testing.T, until string) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		for len(d.told) > 0 {
			text := d.told[0]
			if d.told = d.told[1:]; strings.Contains(text, until) {
				return true
			}
		}
		return false
	}, until)
}

// forget passes all messages that have come over.
func (d *systemd) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = nil
}

// holds is what is stored.
func (d *systemd) holds() map[string]*os.File {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.held)
}

// The service manager's protocol, spoken with a double: what a killed server had stored comes back
// to the next one.
func TestMemoryHeldBySystemd(t *testing.T) {
	d := newSystemd(t)
	s := emberd.Prepare(t, "--ember-pool-memory=systemd", "--log-error-verbosity=3", "--ember-pool-memory-verify=on")
	require.NoError(t, s.Spawn())
	d.run(t, "READY=1")
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.a (i INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(1000))", "INSERT INTO t.a (s) VALUES ('a'), ('b')")
	want := sumOf(t, db)
	require.Contains(t, d.holds(), "ember-pool")
	require.Contains(t, d.holds(), fmt.Sprintf("listen-tcp-127.0.0.1_%d", s.Port))
	s.Kill()
	answered := make(chan error, 1)
	go func() { answered <- db.PingContext(context.Background()) }()
	require.NoError(t, s.SpawnWith(d.holds()))
	d.run(t, "READY=1")
	require.NoError(t, testkit.Receive(t, answered))
	pages, _ := kept(t, s)
	require.Positive(t, pages)
	require.Equal(t, want, sumOf(t, db))
	require.NoError(t, syscall.Kill(s.Pid(), syscall.SIGTERM))
	d.run(t, "STOPPING=1")
	d.run(t, "FDSTOREREMOVE=1\nFDNAME=listen-unix")
	require.NoError(t, s.WaitExit())
	require.Contains(t, d.holds(), "ember-pool", "a shutdown leaves the memory, not the listeners")
}

// The service manager is told of a hand-over and of each process's life, and what it holds serves
// the process that comes behind a killed one.
func TestSystemdFollowsHandOver(t *testing.T) {
	d := newSystemd(t)
	t.Setenv("WATCHDOG_USEC", "100000")
	s := emberd.Prepare(t, "--ember-pool-memory=systemd", "--log-error-verbosity=3", "--ember-pool-memory-verify=on")
	require.NoError(t, s.Spawn())
	d.run(t, "READY=1")
	d.run(t, "WATCHDOG=1")
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.a (i INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(1000))", "INSERT INTO t.a (s) VALUES ('a'), ('b')")
	want := sumOf(t, db)
	answer, err := s.HandOver(t, "")
	require.NoError(t, err, answer)
	d.run(t, fmt.Sprintf("MAINPID=%d", s.Pid()))
	testkit.Eventually(t, func() bool { return len(s.Processes()) == 1 })
	d.forget()
	d.run(t, "WATCHDOG=1") // of the only process that is left
	pages, _ := kept(t, s)
	require.Positive(t, pages)
	require.Equal(t, want, sumOf(t, db))

	s.Kill()
	require.NoError(t, s.SpawnWith(d.holds()))
	d.run(t, "READY=1")
	pages, _ = kept(t, s)
	require.Positive(t, pages, "systemd has held the memory all the time")
	require.Equal(t, want, sumOf(t, db))
}

// The packages' unit lets systemd hold what the server stores, over a stop, too, hear every process,
// and watch them.
func TestUnit(t *testing.T) {
	unit, err := os.ReadFile(filepath.Join(emberd.Root(), "packaging", "emberd.service"))
	require.NoError(t, err)
	for _, line := range []string{"Type=notify", "NotifyAccess=all", "FileDescriptorStoreMax=64", "FileDescriptorStorePreserve=yes", "WatchdogSec=60", "ExecReload=/usr/bin/ember restart --datadir=/var/lib/ember"} {
		require.Contains(t, string(unit), "\n"+line+"\n")
	}
}
