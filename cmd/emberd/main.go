// Command emberd is the Ember server.
//
//	emberd --datadir=DIR [--port=N] [--socket=PATH] [--bind-address=ADDR] [--defaults-file=FILE]
//	[--name=value ...]
//
// It starts in this order: settings, engine (which recovers what the last life left), SQL layer,
// server. SIGTERM and SIGINT shut it down in the reverse order; a second one shortens the wait for
// running statements and leaves the flushing of pages to the next start. SIGHUP reopens the log
// files. SIGUSR2 hands over to another process of the server, which goes on with the same clients.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/internal/handover"
	"emberdb/internal/keep"
	_ "emberdb/internal/warmexe"
	"emberdb/server"
	"emberdb/server/backend"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/server/version"
	"emberdb/sqllayer"
	"emberdb/sqllayer/fts"
	"emberdb/sqllayer/planner"
)

// gcPercent is how much the heap may grow between two collections. Most of what lives on it is
// tables without pointers, which cost memory but no marking: half of Go's usual growth keeps the
// server within its buffer pool and 200 MB, for about one collection a second under load. A small
// heap grows by leastGrowth.
const gcPercent = 50

func main() {
	again, err := run(os.Args[1:], processStart())
	if err == nil && again {
		err = syscall.Exec(handover.Running, os.Args, os.Environ()) // returns only if it fails
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "emberd: %v%s\n", err, advice(err))
		os.Exit(1)
	}
}

// run is the life of a server. again: it stopped to be started again.
func run(args []string, origin time.Time) (again bool, err error) {
	program, err := handover.Program()
	if err != nil {
		return false, err
	}
	res, err := options.Load(args)
	if err != nil {
		return false, err
	}
	if answered(res) {
		return false, nil
	}
	if err := checkDatadir(res.Settings); err != nil {
		return false, err
	}
	hugeHeap()
	if os.Getenv("GOGC") == "" {
		paceHeap()
	}
	d := newDaemon(res.Settings)
	d.program = program
	for _, w := range res.Settings.Warnings {
		d.log.Warn(w)
	}
	if err := d.take(); err != nil {
		return false, err
	}
	if d.health, err = server.StartHealth(res.Settings, d.left[healthName]); err != nil {
		return false, err
	}
	defer d.health.Close()
	feedWatchdog()
	started := keepPatient("", d.health.Text)
	err = d.start(origin)
	started()
	if err != nil {
		return false, err
	}
	err = d.serve()
	return d.srv != nil && d.srv.Again(), err // nil: another process serves the clients
}

// answered handles --help, --version and --print-defaults.
func answered(res *options.Result) bool {
	switch c := res.Command; {
	case c.Version:
		fmt.Printf("emberd  Ver %s for %s\n", version.ServerVersion(), platform())
	case c.PrintDefaults:
		fmt.Println("emberd would have been started with the following arguments:")
		for _, a := range res.Defaults {
			fmt.Print(a, " ")
		}
		fmt.Println()
	case c.Help:
		options.Usage(os.Stdout, res.Settings, c.Verbose)
	default:
		return false
	}
	return true
}

// checkDatadir makes the data directory's path absolute.
func checkDatadir(o *options.Settings) error {
	dir := o.String("datadir")
	if dir == "" {
		return errors.New("no data directory given; start with --datadir=DIR or set datadir in " + options.DefaultFile)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("datadir %s: %w", dir, err)
	}
	o.Override("datadir", abs, o.Get("datadir").Source)
	return nil
}

// restoreReads is how many chunks of a backup are fetched in the background at a time.
const restoreReads = 4

// daemon is a running server and what it stands on.
type daemon struct {
	o       *options.Settings
	dir     string
	out     *switchWriter
	level   *slog.LevelVar
	log     *slog.Logger
	eng     *engine.Engine
	srv     *server.Server
	health  *server.Health
	backend *backend.EngineBackend
	pool    *poolMemory   // nil: nobody keeps descriptors
	fetch   *backup.Fetch // nil unless pages of the directory are still in a backup
	asked   chan struct{} // a client asked for SHUTDOWN
	served  chan struct{}
	serving atomic.Bool
	fast    atomic.Bool // leave the flushing of pages to recovery

	// Hand-over, from the previous process and to the next one: handover.go.
	program  string // by which this process was started
	prev     *handover.Previous
	left     map[string]*os.File // descriptors of the previous process
	moved    *server.Moved
	control  *handover.Control
	requests chan *transfer
	transfer *transfer      // under way
	prepared chan *transfer // it, when it is prepared
	ending   chan struct{}  // closed when no transfer can begin any more
	next     int            // the process that serves now
	relayed  func()
}

func newDaemon(o *options.Settings) *daemon {
	d := &daemon{o: o, dir: o.String("datadir"), level: new(slog.LevelVar), asked: make(chan struct{}, 1), served: make(chan struct{}),
		requests: make(chan *transfer), prepared: make(chan *transfer, 1), ending: make(chan struct{}), relayed: func() {}}
	d.out = newSwitchWriter(os.Stderr)
	d.level.Set(logs.VerbosityLevel(o.Int("log_error_verbosity")))
	d.log = slog.New(logs.NewLineHandler(d.out, d.level, logs.LogFormat{
		Local: o.String("log_timestamps") == "SYSTEM", JSON: strings.Contains(o.String("log_error_services"), "log_sink_json")}))
	slog.SetDefault(d.log)
	return d
}

// start opens engine, SQL layer and listeners; on error nothing is left open.
func (d *daemon) start(origin time.Time) (err error) {
	eo := backend.EngineOptions(d.o, d.log, origin)
	eo.OnProgress = d.progress
	var keeper keep.Store
	eo.Memory, keeper, d.pool = newPoolMemory(d.o, d.log, d.left[poolName])
	adopted, err := backup.AdoptClone(eo.FS, eo.DataDir)
	if err != nil {
		return fmt.Errorf("datadir %s is being replaced by a clone: %w", eo.DataDir, err)
	}
	if adopted {
		d.log.Info("the data directory holds the clone now")
	}
	if set, err := backup.Applying(eo.FS, eo.DataDir); err != nil || set != "" && os.Getenv(backup.ApplyEnv) == "" {
		return errors.Join(err, fmt.Errorf("datadir %s is being restored: the binary logs behind backup %s were not all applied; \"ember restore\" goes on with that", eo.DataDir, set))
	}
	if eo.FS, d.fetch, err = backup.Serve(context.Background(), eo.FS, eo.DataDir, eo.Direct, d.log); err != nil {
		return fmt.Errorf("datadir %s is being restored: %w", eo.DataDir, err)
	}
	if d.fetch != nil {
		eo.Hold = d.fetch.Begins()
	}
	// The log file may lie in the data directory, which the engine wants to itself until it is
	// initialised.
	openLog := func() error { return d.out.open(d.o.String("log_error"), d.dir) }
	if _, none := engine.Identity(eo.FS, eo.DataDir); none == nil {
		if err := openLog(); err != nil {
			return fmt.Errorf("log_error: %w", err)
		}
	}
	if d.eng, err = engine.Open(eo); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = d.eng.Close(false)
		}
	}()
	if err := openLog(); err != nil {
		return fmt.Errorf("log_error: %w", err)
	}
	fts.MinLength, fts.MaxLength = int(d.o.Int("innodb_ft_min_token_size")), int(d.o.Int("innodb_ft_max_token_size"))
	fts.TokenSize = int(d.o.Int("ngram_token_size"))
	heap := limitHeap(d.o)
	memory := statementMemory(heap)
	freeLeft(d.o, d.log)
	layer, err := planner.New(d.eng, sqllayer.Options{Memory: memory})
	if err != nil {
		return err
	}
	backend := backend.NewEngineBackend(d.eng, d.o, d.log)
	d.backend = backend
	if d.fetch != nil {
		backend.Restoring = d.fetch.Progress
	}
	d.srv, err = server.New(server.Config{
		Settings: d.o, SQL: layer.Engine, NewSession: layer.NewSession, Log: d.log, LogLevel: d.level,
		Backend:    backend,
		OnShutdown: func() { d.asked <- struct{}{} },
		Memory:     memory, HeapLimit: heap, Keeper: keeper, Moved: d.moved,
	})
	if err != nil {
		return err
	}
	if err = d.srv.Start(); err == nil {
		err = d.writePID()
	}
	if err != nil {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		d.srv.Shutdown(ctx)
	}
	return err
}

// progress hears once a second how far the start has come, until nothing is left to do.
func (d *daemon) progress(p engine.Progress) {
	d.health.Progress(p)
	if p.Opened && d.serving.Load() {
		_ = notify("STATUS=" + servingText(p))
	}
}

func servingText(p engine.Progress) string {
	if p.Phase == "" {
		return "Serving clients"
	}
	return "Serving clients; " + p.String()
}

func (d *daemon) writePID() error {
	path := d.o.String("pid_file")
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(d.dir, path)
	}
	d.o.Override("pid_file", path, d.o.Get("pid_file").Source)
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		return fmt.Errorf("pid_file: %w", err)
	}
	return nil
}

// serve accepts clients until a signal or SHUTDOWN, then closes everything.
func (d *daemon) serve() error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR2)
	go func() {
		defer close(d.served)
		d.srv.Serve()
	}()
	d.announce()
	d.listenForRestarts()
	if d.fetch != nil {
		d.fetch.Start(restoreReads, backup.Queries{Answered: d.backend.Answered(), Reads: d.eng.QueryReads})
	}
	for {
		select {
		case <-d.served:
			return d.stop(signals)
		case <-d.asked:
			return d.stop(signals)
		case t := <-d.requests:
			d.begin(t)
		case t := <-d.prepared:
			if left, err := d.complete(t); left {
				return d.leave(signals, err)
			}
		case sig := <-signals:
			if sig == syscall.SIGUSR2 {
				d.begin(newTransfer(""))
				continue
			}
			if sig != syscall.SIGHUP {
				d.log.Warn("shutting down", "signal", sig.String())
				return d.stop(signals)
			}
			if err := errors.Join(d.out.open(d.o.String("log_error"), d.dir), d.srv.FlushLogs()); err != nil {
				d.log.Error("log files not reopened", "error", err)
			}
		}
	}
}

// announce tells a person how to connect and the service manager that clients are served.
func (d *daemon) announce() {
	how := ""
	for _, a := range d.srv.Addrs() {
		if t, ok := a.(*net.TCPAddr); ok {
			host := t.IP.String()
			if t.IP.IsUnspecified() {
				host = "127.0.0.1"
			}
			how = fmt.Sprintf("mysql -h %s -P %d -u root", host, t.Port)
			break
		}
		how = "mysql -S " + a.String() + " -u root"
	}
	d.out.line(fmt.Sprintf("Ember %s is ready. Connect with: %s\n", version.Version, how))
	d.serving.Store(true)
	d.health.Serving(d.srv)
	if d.prev != nil {
		d.prev.Serving()
	}
	if err := notify("READY=1\nSTATUS=" + servingText(d.eng.Progress())); err != nil {
		d.log.Warn("service manager not notified", "error", err)
	}
}

// stop shuts down: clients first, then the engine. Another signal hurries it.
func (d *daemon) stop(signals <-chan os.Signal) error {
	start := time.Now()
	d.serving.Store(false)
	d.health.Stopping()
	defer keepPatient("STOPPING=1\n", func() string { return "stopping" })()
	ctx, cancel := context.WithTimeout(context.Background(), d.srv.ShutdownTimeout())
	defer cancel()
	d.fast.Store(d.srv.FastShutdown() == 2)
	go func() {
		for n := 0; ; n++ {
			if sig := <-signals; sig == syscall.SIGHUP {
				continue
			}
			d.fast.Store(true)
			cancel()
			d.log.Warn("shutting down at once; the next start recovers from the redo log")
		}
	}()
	d.abandon()
	d.control.Close()
	d.srv.Shutdown(ctx)
	if d.fetch != nil {
		d.fetch.Stop() // before another process may open the directory
	}
	err := d.eng.Close(d.fast.Load())
	if path := d.o.String("pid_file"); path != "" {
		if rerr := os.Remove(path); rerr != nil {
			d.log.Warn("pid_file not removed", "error", rerr)
		}
	}
	if err != nil {
		return err
	}
	d.out.line(fmt.Sprintf("Ember stopped after %v.\n", time.Since(start).Round(time.Millisecond)))
	return nil
}

// switchWriter is where the log goes: stderr, then the file of log_error.
type switchWriter struct {
	w atomic.Pointer[io.Writer]
	f *os.File
}

func newSwitchWriter(w io.Writer) *switchWriter {
	s := &switchWriter{}
	s.w.Store(&w)
	return s
}

func (s *switchWriter) Write(p []byte) (int, error) { return (*s.w.Load()).Write(p) }

// open switches to the file, or opens it again after it was moved away.
func (s *switchWriter) open(path, dir string) error {
	if path == "" || path == "stderr" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	var w io.Writer = f
	s.w.Store(&w)
	if s.f != nil {
		s.f.Close()
	}
	s.f = f
	return nil
}

// line writes a line for people, whatever the verbosity.
func (s *switchWriter) line(text string) {
	_, _ = io.WriteString(s, text)
	if s.f != nil {
		_, _ = io.WriteString(os.Stderr, text)
	}
}
