// Package emberd runs the real server for tests: built once, started on a directory and a free
// port, killed or shut down like in life. Everything is cleaned up with the test.
//
// EMBERD_BIN names a binary to use instead of building one.
package emberd

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Limits on waiting. Far above what a healthy server needs on a slow machine.
const (
	startLimit = 5 * time.Minute
	stopLimit  = 5 * time.Minute
)

// Root returns the project's directory.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

var build struct {
	sync.Mutex
	bins map[string]string
}

// Build returns the path of the command's binary (cmd/<name>), building it once per test process.
func Build(t testing.TB, name string) string {
	t.Helper()
	env := map[string]string{"emberd": "EMBERD_BIN", "ember": "EMBER_BIN"}[name]
	if path := os.Getenv(env); path != "" {
		return path
	}
	build.Lock()
	defer build.Unlock()
	if path, ok := build.bins[name]; ok {
		return path
	}
	dir, err := os.MkdirTemp("", "ember-build-")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-tags", "gms_pure_go", "-o", path, "./cmd/"+name)
	cmd.Dir, cmd.Env = Root(), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	if build.bins == nil {
		build.bins = map[string]string{}
	}
	build.bins[name] = path
	return path
}

// Cleanup removes what Build made. Call it from TestMain after the tests.
func Cleanup() {
	build.Lock()
	defer build.Unlock()
	for _, path := range build.bins {
		os.RemoveAll(filepath.Dir(path))
	}
	build.bins = nil
}

// Server is a running emberd.
type Server struct {
	Dir    string // data directory
	Port   int
	Socket string
	Args   []string

	bin  string
	pid  int // of the process that was handed over to; 0: cmd serves
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	log  lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) tail(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.b.Bytes()
	if len(b) > n {
		b = b[len(b)-n:]
	}
	return string(b)
}

// Start starts a server on a new directory with the given further options and waits until it
// answers. It is killed when the test ends; when the test failed, the end of its log is shown.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := Prepare(t, args...)
	if err := s.Launch(); err != nil {
		t.Fatal(err)
	}
	return s
}

// Prepare is Start without the start: Launch comes when the directory is as it shall be.
func Prepare(t testing.TB, args ...string) *Server {
	t.Helper()
	// Socket paths are limited to 107 bytes, which t.TempDir may exceed.
	run, err := os.MkdirTemp("", "emberd-")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Dir: filepath.Join(run, "data"), Port: FreePort(t), Socket: filepath.Join(run, "s.sock"), Args: args,
		bin: Build(t, "emberd")}
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("end of the server's log:\n%s", s.log.tail(8<<10))
		}
		os.RemoveAll(run)
	})
	return s
}

// KeepMemory returns the options of a server whose buffer pool outlives it: ember_pool_memory is
// how. Nothing of it outlives the test.
func KeepMemory(t testing.TB, how string) []string {
	t.Helper()
	args := []string{"--ember-pool-memory=" + how, "--log-error-verbosity=3"}
	switch how {
	case "tmpfs":
		dir, err := os.MkdirTemp("/dev/shm", "ember-test-")
		if err != nil {
			t.Skip("there is no tmpfs: ", err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		args = append(args, "--ember-pool-memory-dir="+dir)
	case "hold": // the holder ends when it finds its socket gone
		t.Setenv("PATH", filepath.Dir(Build(t, "ember"))+":"+os.Getenv("PATH"))
	}
	return args
}

// FreePort returns a TCP port for the test to listen on, as often as it likes. No connection takes
// it meanwhile: it is below the ports that the system gives to clients. No other test does either:
// the UDP port of the same number is held until this one ends.
func FreePort(t testing.TB) int {
	t.Helper()
	const low = 20000
	high := firstClientPort()
	for range 10000 {
		port := low + rand.IntN(high-low)
		held, err := net.ListenPacket("udp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			t.Cleanup(func() { held.Close() })
			return port
		}
		held.Close()
	}
	t.Fatalf("no port is free from %d to %d", low, high)
	return 0
}

// firstClientPort is where the ports begin that the system gives to connections; Linux's own choice
// where it does not tell.
func firstClientPort() int {
	text, _ := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range") // missing on other systems
	first := 0
	if _, err := fmt.Sscan(string(text), &first); err != nil || first <= 21000 {
		return 32768
	}
	return first
}

// Launch starts the process on the server's directory, again after Kill or Stop, and waits until it
// answers.
func (s *Server) Launch() error {
	if err := s.Spawn(); err != nil {
		return err
	}
	return s.Wait()
}

// noOptionFile keeps the options of a server that is installed on the machine away. A later
// --defaults-file replaces it.
const noOptionFile = "--defaults-file=/dev/null"

// Spawn starts the process and does not wait for it to answer. It has no binary log, unless its
// arguments name one.
func (s *Server) Spawn() error {
	return s.spawn(exec.Command(s.bin, s.Options()...))
}

// SpawnWith is Spawn by a service manager that passes descriptors, by name.
func (s *Server) SpawnWith(passed map[string]*os.File) error {
	var names []string
	cmd := exec.Command("/bin/sh", append([]string{"-c", "LISTEN_PID=$$ exec \"$@\"", "sh", s.bin}, s.Options()...)...)
	for name, f := range passed {
		names, cmd.ExtraFiles = append(names, name), append(cmd.ExtraFiles, f)
	}
	cmd.Env = append(os.Environ(), "LISTEN_FDS="+strconv.Itoa(len(names)), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	return s.spawn(cmd)
}

// Options are those of the process.
func (s *Server) Options() []string {
	return append([]string{noOptionFile, "--datadir=" + s.Dir, "--port=" + strconv.Itoa(s.Port), "--socket=" + s.Socket, "--bind-address=127.0.0.1",
		"--skip-log-bin"}, s.Args...)
}

func (s *Server) spawn(cmd *exec.Cmd) error {
	s.cmd, s.pid = cmd, 0
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	s.cmd.Env = append(s.cmd.Environ(), "TZ=UTC") // answers do not depend on where the machine stands
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, done := make(chan error), make(chan struct{})
	go func() {
		// The signal comes when the thread that started the process ends, so this one stays.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // its state is read from cmd
			close(done)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	s.done = done
	return nil
}

// Wait waits until the spawned server answers.
func (s *Server) Wait() error {
	db := s.Open("")
	defer db.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := s.done
	go func() { // a socket that was kept takes clients though nobody answers
		select {
		case <-done:
			cancel()
		case <-ctx.Done():
		}
	}()
	for deadline := time.Now().Add(startLimit); ; time.Sleep(20 * time.Millisecond) {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		if !s.Alive() {
			return fmt.Errorf("emberd %v ended during start: %v\n%s", s.cmd.Args, s.cmd.ProcessState, s.log.tail(8<<10))
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("emberd %v does not answer after %v: %w\n%s", s.cmd.Args, startLimit, err, s.log.tail(8<<10))
		}
	}
}

// Kill ends the process with SIGKILL and waits for its end. It may be called when the process is
// gone already.
func (s *Server) Kill() {
	if s.done == nil {
		return
	}
	_ = s.cmd.Process.Kill() // an error means it is gone
	for s.pid != 0 {         // there may be several: each is started by the one before
		for _, pid := range s.Processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-s.done:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	<-s.done // the output of the last process that has it
}

// Processes are the numbers of the server's processes: of more than one while it hands over, or
// when it has.
func (s *Server) Processes() (pids []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		line, _ := os.ReadFile(path) // it may be gone
		args := strings.Split(string(line), "\x00")
		if filepath.Base(args[0]) == filepath.Base(s.bin) && slices.Contains(args, "--datadir="+s.Dir) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// HandedOver makes one of the server's processes the server.
func (s *Server) HandedOver(pid int) { s.pid = pid }

var serves = regexp.MustCompile(`process (\d+)`)

// HandOver has the server hand over to a process of another program, "" for its own, as "ember
// restart" does. The answer is what that tells, also with an error. The server is the new process
// from then on.
func (s *Server) HandOver(t testing.TB, program string) (answer string, err error) {
	t.Helper()
	args := []string{"restart", "--datadir=" + s.Dir}
	if program != "" {
		args = append(args, "--binary="+program)
	}
	out, err := exec.Command(Build(t, "ember"), args...).CombinedOutput()
	if m := serves.FindSubmatch(out); m != nil {
		s.pid, _ = strconv.Atoi(string(m[1]))
	}
	return string(out), err
}

// Stop shuts the server down with SIGTERM and waits for its end.
func (s *Server) Stop() error {
	if err := syscall.Kill(s.Pid(), syscall.SIGTERM); err != nil {
		return err
	}
	return s.WaitExit()
}

// WaitExit waits until the server has shut down; another exit than a clean one is an error.
func (s *Server) WaitExit() error {
	select {
	case <-s.done:
	case <-time.After(stopLimit):
		return fmt.Errorf("emberd still runs after %v", stopLimit)
	}
	if !s.cmd.ProcessState.Success() {
		return fmt.Errorf("emberd: %v\n%s", s.cmd.ProcessState, s.log.tail(8<<10))
	}
	return nil
}

// Exits runs emberd with the given options, expecting it to give up by itself, and returns what it
// printed and its exit code.
func Exits(t testing.TB, args ...string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, Build(t, "emberd"), append([]string{noOptionFile}, args...)...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("emberd %v still runs after %v:\n%s", args, startLimit, out)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// Alive reports whether the process runs.
func (s *Server) Alive() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// Pid is the number of the running process.
func (s *Server) Pid() int {
	if s.pid != 0 {
		return s.pid
	}
	return s.cmd.Process.Pid
}

// Log returns the end of what the server has written.
func (s *Server) Log() string { return s.log.tail(64 << 10) }

// Config returns a driver configuration for root over the socket.
func (s *Server) Config(database string) *mysql.Config {
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.DBName = "root", "unix", s.Socket, database
	cfg.Logger = &mysql.NopLogger{}
	return cfg
}

// Open returns a handle on one database of the server.
func (s *Server) Open(database string) *sql.DB {
	c, err := mysql.NewConnector(s.Config(database))
	if err != nil {
		panic(err) // the configuration is ours
	}
	return sql.OpenDB(c)
}
