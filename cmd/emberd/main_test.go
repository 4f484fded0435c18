package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// TestMain lets the test binary be the server: with EMBERD_MAIN set it runs main.
func TestMain(m *testing.M) {
	if os.Getenv("EMBERD_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command prepares the server with arguments. Small sizes keep the tests quick.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"--no-defaults", "--innodb-buffer-pool-size=16M", "--innodb-redo-log-capacity=16M", "--innodb-flush-method=fsync"}, args...)...)
	cmd.Env = append(os.Environ(), "EMBERD_MAIN=1")
	return cmd
}

// fails runs the server, expects it to refuse, and returns its one line.
func fails(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	cmd := command(args...)
	var out bytes.Buffer
	cmd.Stderr, cmd.Stdout = &out, &out
	require.NoError(t, cmd.Start())
	stop := context.AfterFunc(ctx, func() { cmd.Process.Kill() })
	defer stop()
	require.Error(t, cmd.Wait(), out.String())
	text := strings.TrimSpace(out.String())
	require.NotContains(t, text, "\n")
	require.True(t, strings.HasPrefix(text, "emberd: "), text)
	return text
}

// process is a running server.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	dir  string
	sock string
	log  string
	done chan error
}

// launch starts a server and waits until it tells the service manager that it is ready.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	home, err := os.MkdirTemp("", "emberd")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	p := &process{t: t, dir: filepath.Join(home, "data"), sock: filepath.Join(home, "s"), log: filepath.Join(home, "log"), done: make(chan error, 1)}
	notify, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(home, "n"), Net: "unixgram"})
	require.NoError(t, err)
	defer notify.Close()
	p.cmd = command(append([]string{"--datadir=" + p.dir, "--socket=" + p.sock, "--port=0", "--pid-file=emberd.pid"}, args...)...)
	p.cmd.Env = append(p.cmd.Env, "NOTIFY_SOCKET="+filepath.Join(home, "n"))
	log, err := os.Create(p.log)
	require.NoError(t, err)
	p.cmd.Stderr, p.cmd.Stdout = log, log
	require.NoError(t, p.cmd.Start())
	log.Close()
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() { p.cmd.Process.Kill() })
	buf := make([]byte, 200)
	require.NoError(t, notify.SetReadDeadline(time.Now().Add(testkit.WaitLimit)))
	for told := ""; ; {
		n, err := notify.Read(buf)
		require.NoError(t, err, p.output())
		if strings.HasPrefix(string(buf[:n]), "READY=1\n") {
			require.Contains(t, told, "EXTEND_TIMEOUT_USEC=60000000\nSTATUS=starting")
			return p
		}
		told += string(buf[:n])
	}
}

func (p *process) output() string {
	b, _ := os.ReadFile(p.log)
	return string(b)
}

func (p *process) open() *sql.DB {
	db, err := sql.Open("mysql", "root@unix("+p.sock+")/?multiStatements=true")
	require.NoError(p.t, err)
	p.t.Cleanup(func() { db.Close() })
	return db
}

// ends waits for a clean exit.
func (p *process) ends() {
	p.t.Helper()
	select {
	case err := <-p.done:
		require.NoError(p.t, err, p.output())
	case <-time.After(testkit.WaitLimit):
		p.t.Fatal("the server does not end:\n" + p.output())
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "ibdata1"), []byte("x"), 0o644))
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer busy.Close()
	port := busy.Addr().(*net.TCPAddr).Port
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no data directory given", nil},
		{`unknown option "datadri"; did you mean "datadir"?`, []string{"--datadri=/x"}},
		{`"many" is not an integer`, []string{"--datadir=" + dir, "--port=many"}},
		{foreign, []string{"--datadir=" + foreign}},
		{file, []string{"--datadir=" + file}},
		{fmt.Sprintf("port %d on 127.0.0.1 is in use", port), []string{"--datadir=" + filepath.Join(dir, "a"), fmt.Sprintf("--port=%d", port)}},
		{"root has no password", []string{"--datadir=" + filepath.Join(dir, "b"), "--port=0", "--bind-address=*"}},
		{"is no socket", []string{"--datadir=" + filepath.Join(dir, "c"), "--port=0", "--socket=" + file}},
		{"nothing to listen on", []string{"--datadir=" + filepath.Join(dir, "d"), "--skip-networking"}},
		{"ssl_cert", []string{"--datadir=" + filepath.Join(dir, "e"), "--port=0", "--ssl-cert=/nonexistent", "--ssl-key=/nonexistent"}},
		{"init_file", []string{"--datadir=" + filepath.Join(dir, "f"), "--port=0", "--init-file=/nonexistent"}},
	} {
		require.Contains(t, lastLine(fails(t, c.args...)), c.want)
	}
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func TestVersionAndHelp(t *testing.T) {
	out, err := command("--version").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "8.4.8-ember-")
	out, err = command("--help", "--verbose").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "--innodb-buffer-pool-size")
}

func TestLifeOfAServer(t *testing.T) {
	p := launch(t)
	pid, err := os.ReadFile(filepath.Join(p.dir, "emberd.pid"))
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%d\n", p.cmd.Process.Pid), string(pid))
	require.Contains(t, p.output(), "is ready. Connect with: mysql")
	db := p.open()
	_, err = db.Exec("CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); INSERT INTO d.t VALUES (1)")
	require.NoError(t, err)
	require.Contains(t, fails(t, "--datadir="+p.dir, "--port=0"), "in use by another server")
	require.NoError(t, db.Close())
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.ends()
	require.NoFileExists(t, filepath.Join(p.dir, "emberd.pid"))
	require.NoFileExists(t, p.sock)
}

func TestLogFileAndShutdownStatement(t *testing.T) {
	p := launch(t, "--log-error=err.log", "--log-error-verbosity=3")
	log := filepath.Join(p.dir, "err.log")
	require.FileExists(t, log)
	require.NoError(t, os.Rename(log, log+".1"))
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGHUP))
	testkit.Eventually(t, func() bool { _, err := os.Stat(log); return err == nil })
	_, err := p.open().Exec("SHUTDOWN")
	require.NoError(t, err)
	p.ends()
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Contains(t, string(text), "shutdown requested")
}

// TestLogFileHasRecovery: what a start has to tell before it is open is in the log file, too.
func TestLogFileHasRecovery(t *testing.T) {
	p := launch(t, "--log-error=err.log")
	_, err := p.open().Exec("CREATE DATABASE d; CREATE TABLE d.t (id INT PRIMARY KEY); INSERT INTO d.t VALUES (1)")
	require.NoError(t, err)
	require.NoError(t, p.cmd.Process.Kill())
	<-p.done
	again := launch(t, "--log-error=err.log", "--datadir="+p.dir)
	log := filepath.Join(p.dir, "err.log")
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Contains(t, string(text), "[System] The server was not shut down.")
	testkit.Eventually(t, func() bool {
		text, err := os.ReadFile(log)
		return err == nil && strings.Contains(string(text), "[System] Redo is complete")
	})
	_, err = again.open().Exec("SHUTDOWN")
	require.NoError(t, err)
	again.ends()
}

func TestSecondSignalHurries(t *testing.T) {
	p := launch(t, "--shutdown-timeout=60")
	db := p.open()
	done := make(chan error, 1)
	go func() {
		_, err := db.Exec("SELECT SLEEP(100000)")
		done <- err
	}()
	testkit.Eventually(t, func() bool {
		var n int
		err := p.open().QueryRow("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'").Scan(&n)
		return err == nil && n == 1
	})
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	testkit.Eventually(t, func() bool { return strings.Contains(p.output(), "shutting down") })
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.ends()
	require.Error(t, <-done)
}
