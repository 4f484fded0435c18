package trial

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"emberdb/bench"
	"emberdb/bench/measure"
	"emberdb/bench/wire"
)

// Server is one of the servers measured.
type Server struct {
	Name   string
	Target bench.Target
	Start  string // shell commands; empty: none
	Stop   string // empty: SIGTERM to the start command's process
	Kill   string // empty: SIGKILL to it

	// Empty: it cannot be restarted in this way.
	Attach  string // starts it with memory that outlives it
	Upgrade string // makes it another program, and keeps its clients
	Keep    string // restarts it, and keeps its clients

	// Of Backup; empty: there is none.
	Backup      string // takes a full backup
	Incremental string // takes one of what has changed since
	Data        string // directory of the data that is backed up
	Kept        string // directory of the backups

	using  string // the start command in force; empty: Start
	passed bool   // the process is not that of the start command any more
	ended  bool   // its last process was seen to end: a probe may wait at a socket that outlives it

	log  io.Writer // told of long waits; nil: nobody
	proc *process
}

// Commands are the values of the flags that name servers, each NAME=VALUE.
type Commands struct {
	DSN, Start, Stop, Kill, Attach, Upgrade, Keep []string
	Backup, Incremental, Data, Kept               []string

	Log io.Writer // told of long waits for the servers; nil: nobody
}

// Servers makes servers of the flags' values, in the order of the data source names.
func (c Commands) Servers(timeout time.Duration) ([]*Server, error) {
	var servers []*Server
	byName := map[string]*Server{}
	for _, v := range c.DSN {
		name, dsn, ok := strings.Cut(v, "=")
		if !ok || name == "" || dsn == "" {
			return nil, fmt.Errorf("--server %q: want NAME=DSN", v)
		}
		if byName[name] != nil {
			return nil, fmt.Errorf("--server %s: named twice", name)
		}
		s := &Server{Name: name, Target: bench.Target{DSN: dsn, Timeout: timeout}, log: c.Log}
		if _, err := s.Target.Config(true); err != nil {
			return nil, fmt.Errorf("--server %s: %w", name, err)
		}
		byName[name] = s
		servers = append(servers, s)
	}
	if len(servers) == 0 {
		return nil, errors.New("--server NAME=DSN: at least one")
	}
	for _, f := range []struct {
		flag   string
		values []string
		field  func(*Server) *string
	}{
		{"--start", c.Start, func(s *Server) *string { return &s.Start }},
		{"--stop", c.Stop, func(s *Server) *string { return &s.Stop }},
		{"--kill", c.Kill, func(s *Server) *string { return &s.Kill }},
		{"--attach", c.Attach, func(s *Server) *string { return &s.Attach }},
		{"--upgrade", c.Upgrade, func(s *Server) *string { return &s.Upgrade }},
		{"--keep", c.Keep, func(s *Server) *string { return &s.Keep }},
		{"--backup", c.Backup, func(s *Server) *string { return &s.Backup }},
		{"--incremental", c.Incremental, func(s *Server) *string { return &s.Incremental }},
		{"--data", c.Data, func(s *Server) *string { return &s.Data }},
		{"--kept", c.Kept, func(s *Server) *string { return &s.Kept }},
	} {
		for _, v := range f.values {
			name, command, ok := strings.Cut(v, "=")
			s := byName[name]
			switch {
			case !ok || command == "":
				want := "COMMAND"
				if f.flag == "--data" || f.flag == "--kept" {
					want = "DIR"
				}
				return nil, fmt.Errorf("%s %q: want NAME=%s", f.flag, v, want)
			case s == nil:
				return nil, fmt.Errorf("%s %s: no --server has this name", f.flag, name)
			case *f.field(s) != "":
				return nil, fmt.Errorf("%s %s: given twice", f.flag, name)
			}
			*f.field(s) = command
		}
	}
	return servers, nil
}

// needStart refuses servers that cannot be started.
func needStart(servers []*Server) error {
	for _, s := range servers {
		if s.Start == "" {
			return fmt.Errorf("--start %s=COMMAND: needed to restart it", s.Name)
		}
	}
	return nil
}

// process is a start command that was run.
type process struct {
	cmd  *exec.Cmd
	out  *os.File // what it prints
	done chan struct{}
	err  error // how it ended; valid when done is closed
}

func launch(command string) (*process, error) {
	out, err := os.CreateTemp("", "ember-bench-*.log")
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command("sh", "-c", command), out: out, done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out // a file: a server left behind may keep it
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		p.close()
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// signal reaches the command and what it started in its process group.
func (p *process) signal(sig syscall.Signal) error {
	if err := syscall.Kill(-p.cmd.Process.Pid, sig); err != nil {
		return err
	}
	<-p.done
	return nil
}

func (p *process) close() {
	p.out.Close()
	os.Remove(p.out.Name())
}

// lastWords is the end of what the command printed, in one line.
func (p *process) lastWords() string {
	b, err := os.ReadFile(p.out.Name())
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}

// Limits on waiting for servers: far beyond what recovery of any log that fits a machine takes.
const (
	startLimit = 2 * time.Hour
	stopLimit  = time.Hour
	probePause = 2 * time.Millisecond
	sayEvery   = 10 * time.Second
)

// Started is what a start took.
type Started struct {
	At    time.Time     // when the command was given
	First time.Duration // until the first query was answered
}

// command is the start command in force.
func (s *Server) command() string { return cmp.Or(s.using, s.Start) }

// Up starts the server, if that is its user's wish, and waits until it answers a query.
func (s *Server) Up(ctx context.Context) (Started, error) {
	st := Started{At: time.Now()}
	if command := s.command(); command != "" {
		if !s.ended && s.probe(ctx) == nil {
			return st, fmt.Errorf("%s: a server answers already, before it was started", s.Name)
		}
		st.At = time.Now()
		var err error
		if s.proc, err = launch(command); err != nil {
			return st, fmt.Errorf("%s: start: %w", s.Name, err)
		}
		s.ended = false
	}
	for say := sayEvery; ; {
		err := s.probe(ctx)
		st.First = time.Since(st.At)
		switch {
		case err == nil:
			return st, nil
		case ctx.Err() != nil:
			return st, ctx.Err()
		case s.proc == nil:
			return st, fmt.Errorf("%s: %w", s.Name, err)
		case s.proc.ended() && s.proc.err != nil:
			err := fmt.Errorf("%s: start: %w: %s", s.Name, s.proc.err, s.proc.lastWords())
			s.proc.close()
			s.proc = nil
			return st, err
		case st.First > startLimit:
			return st, fmt.Errorf("%s: no answer %v after its start: %w: %s", s.Name, startLimit, err, s.proc.lastWords())
		case s.log != nil && st.First > say:
			fmt.Fprintf(s.log, "%s: started %.0f s ago, no answer yet: %v\n", s.Name, st.First.Seconds(), err)
			say += sayEvery
		}
		time.Sleep(probePause)
	}
}

// probe asks the server for a first answer on a new connection.
func (s *Server) probe(ctx context.Context) error {
	db, err := s.open(ctx, "")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "SELECT 1")
	return err
}

// cpu starts a clock of the server's processor time; it reads 0 when the server's process cannot be
// told.
func (s *Server) cpu(ctx context.Context) (func() time.Duration, error) {
	cfg, err := s.Target.Config(true)
	if err != nil {
		return nil, err
	}
	cfg.DBName = ""
	conn, err := wire.Dial(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer conn.Close()
	pid := conn.PeerPID()
	from, err := measure.ProcessCPU(pid)
	if pid == 0 || err != nil { // over TCP, or not ours to look at
		return func() time.Duration { return 0 }, nil
	}
	return func() time.Duration {
		to, err := measure.ProcessCPU(pid)
		if err != nil {
			return 0
		}
		return to - from
	}, nil
}

// open connects to a database of the server.
func (s *Server) open(ctx context.Context, database string) (*sql.DB, error) {
	cfg, err := s.Target.Config(true)
	if err != nil {
		return nil, err
	}
	cfg.DBName = database
	db, err := bench.OpenConfig(cfg)
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Down ends the server in order, when it was started here. It ignores that ctx is over: a run that
// was interrupted leaves nothing behind.
func (s *Server) Down(ctx context.Context) error { return s.end(ctx, "stop", s.Stop, syscall.SIGTERM) }

// Crash ends it without a warning.
func (s *Server) Crash(ctx context.Context) error { return s.end(ctx, "kill", s.Kill, syscall.SIGKILL) }

func (s *Server) end(ctx context.Context, flag, command string, sig syscall.Signal) error {
	if s.proc == nil {
		return nil
	}
	s.ended = !s.proc.ended()
	switch {
	case command != "":
		if out, err := shell(context.WithoutCancel(ctx), command); err != nil {
			return fmt.Errorf("%s: %s: %w: %s", s.Name, flag, err, out)
		}
	case s.proc.ended():
		return fmt.Errorf("--%s %s=COMMAND: needed, its start command has ended and left the server behind", flag, s.Name)
	default:
		if err := s.proc.signal(sig); err != nil {
			return fmt.Errorf("%s: %s: %w", s.Name, flag, err)
		}
	}
	answers := func() bool { return s.probe(context.WithoutCancel(ctx)) == nil }
	if s.ended {
		answers = func() bool { return !s.proc.ended() }
	}
	for limit := time.Now().Add(stopLimit); answers(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			return fmt.Errorf("%s: still runs %v after its %s", s.Name, stopLimit, flag)
		}
	}
	s.proc.close()
	s.proc, s.passed = nil, false
	return nil
}

// shell runs a command to its end and returns the end of what it printed.
func shell(ctx context.Context, command string) (string, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	out = bytes.TrimSpace(out)
	return string(out[max(0, len(out)-300):]), err
}

// downAll ends what still runs, for deferred use; err is the run's error so far and kept if it is
// one.
func downAll(ctx context.Context, servers []*Server, err *error) {
	for _, s := range servers {
		if e := s.Down(ctx); *err == nil {
			*err = e
		}
	}
}

// settings are the variables told of each server, and those that must be alike to compare servers.
var settings = []string{
	"version", "version_comment", "innodb_buffer_pool_size", "innodb_flush_log_at_trx_commit", "innodb_doublewrite",
	"innodb_flush_method", "innodb_redo_log_capacity", "innodb_log_file_size", "log_bin", "sync_binlog",
	"innodb_buffer_pool_dump_pct", "innodb_buffer_pool_load_at_startup",
}

// Settings reads the server's version and settings.
func (s *Server) Settings(ctx context.Context) (map[string]string, error) {
	all, err := s.pairs(ctx, "SHOW GLOBAL VARIABLES")
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, value := range all {
		if slices.Contains(settings, name) {
			out[name] = value
		}
	}
	return out, nil
}

// pairs runs a statement that answers with names and values. Names are keyed in lower case.
func (s *Server) pairs(ctx context.Context, query string) (map[string]string, error) {
	db, err := s.open(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer db.Close()
	out, err := bench.Pairs(ctx, db, query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return out, nil
}

// noBinaryLog stands for the value of sync_binlog where there is none.
const noBinaryLog = "no binary log"

// promises reduces settings to what must be alike.
func promises(v map[string]string) map[string]string {
	isOn := func(value string) string {
		switch strings.ToUpper(value) {
		case "OFF", "0", "DETECT_ONLY", "":
			return "off"
		}
		return "on"
	}
	p := map[string]string{
		"innodb_buffer_pool_size":        v["innodb_buffer_pool_size"],
		"innodb_flush_log_at_trx_commit": v["innodb_flush_log_at_trx_commit"],
		"innodb_doublewrite":             isOn(v["innodb_doublewrite"]),
		"sync_binlog":                    noBinaryLog,
	}
	if isOn(v["log_bin"]) == "on" {
		p["sync_binlog"] = v["sync_binlog"]
	}
	return p
}

// alike refuses to compare servers that promise different things. A server without a binary log
// promises no less for its data, so only those with one must agree on sync_binlog.
func alike(a, b *Server, va, vb map[string]string) error {
	pa, pb := promises(va), promises(vb)
	for _, name := range []string{"innodb_buffer_pool_size", "innodb_flush_log_at_trx_commit", "innodb_doublewrite", "sync_binlog"} {
		if pa[name] == pb[name] || name == "sync_binlog" && (pa[name] == noBinaryLog || pb[name] == noBinaryLog) {
			continue
		}
		return fmt.Errorf("%s is %s on %s, %s on %s: set them alike, or measure them as they are with --unequal",
			name, pa[name], a.Name, pb[name], b.Name)
	}
	return nil
}

// named puts the server's name before its error.
func named(s *Server, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}
