package trial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"emberdb/bench/measure"
)

// Companions of a server, by what stands behind its name.
const (
	restoredSuffix = "/restored" // the start command makes it of the backup of the server's
	cloneSuffix    = "/clone"    // the start command makes it of the running server
)

// BackupOptions says what Backup measures.
type BackupOptions struct {
	Servers  []*Server // with their companions
	Load     Load
	Workload string
	Threads  int
	Rounds   int
	Warmup   time.Duration // of load before the backup, at least
	Most     time.Duration // at most
	Watch    time.Duration // a restored server is watched from its start command on
	Changed  float64       // part of the data that is changed before the incremental backup
	DDL      bool          // a table is made, altered and dropped every second while a backup is taken under load
	Device   string        // directory of the volume that is measured; empty: none
	Between  string        // shell command before each backup and restore
	Report   Report

	rates measure.DeviceRates
}

// deviceBytes is how much of the volume is written to measure it. It is a multiple of what direct
// I/O wants.
const deviceBytes = 512 << 20

// Copied is what a backup took.
type Copied struct {
	Took     float64 `json:"s"`
	Rate     float64 `json:"bytes_per_s"`            // of the data that there is
	Share    float64 `json:"share_of_device"`        // of the volume's rate of copying; 0: not known
	Stored   int64   `json:"stored_bytes,omitempty"` // by which the backups have grown
	TPS      float64 `json:"tps,omitempty"`          // of the clients meanwhile
	LostTx   float64 `json:"lost_tx,omitempty"`      // that they would have done at the steady throughput
	LostPart float64 `json:"loss,omitempty"`         // of the throughput meanwhile
}

// Appeared is what it took until another server had the data. Times are in seconds from its command;
// null: not reached.
type Appeared struct {
	First    float64   `json:"first_query_s"`
	Complete *float64  `json:"complete_s"`           // restored: all pages were there; cloned: all that the source had done by the first query
	Reached  *float64  `json:"to_90_percent_s"`      // restored: of the steady throughput of the server that was lost
	TPS      []float64 `json:"tps,omitempty"`        // of each second; restored: its own, cloned: none
	Source   float64   `json:"source_tps,omitempty"` // cloned: of the source meanwhile
}

// BackupRun is the JSON line of one turn.
type BackupRun struct {
	line
	Round       int                 `json:"round"`
	Workload    string              `json:"workload"`
	Threads     int                 `json:"threads"`
	Data        int64               `json:"data_bytes"`
	Device      measure.DeviceRates `json:"device_bytes_per_s"`
	SteadyTPS   float64             `json:"steady_tps"`
	Loaded      Copied              `json:"under_load"`
	Idle        Copied              `json:"idle"`
	Incremental *Copied             `json:"incremental,omitempty"`
	Restored    *Appeared           `json:"restored,omitempty"`
	Clone       *Appeared           `json:"clone,omitempty"`
}

func (o *BackupOptions) check(servers []*Server) error {
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	}
	if o.Watch < time.Second || o.Warmup < time.Second {
		return errors.New("--seconds, --warmup: at least 1")
	}
	if o.Changed < 0 || o.Changed > 1 {
		return errors.New("--changed: a percentage")
	}
	if err := checkThreads([]int{o.Threads}); err != nil {
		return err
	}
	if err := checkWorkloads([]string{o.Workload}); err != nil {
		return err
	}
	for _, s := range servers {
		if s.Backup == "" || s.Data == "" {
			return fmt.Errorf("--backup %[1]s=COMMAND, --data %[1]s=DIR: needed", s.Name)
		}
	}
	return nil
}

// companion finds a companion of the server; nil if there is none.
func (o *BackupOptions) companion(s *Server, suffix string) *Server {
	for _, c := range o.Servers {
		if c.Name == s.Name+suffix {
			return c
		}
	}
	return nil
}

// sources are the servers that are no companions.
func (o *BackupOptions) sources() (out []*Server, err error) {
	for _, s := range o.Servers {
		name, kind, found := strings.Cut(s.Name, "/")
		switch {
		case !found:
			out = append(out, s)
		case "/"+kind != restoredSuffix && "/"+kind != cloneSuffix:
			return nil, fmt.Errorf("--server %s: want NAME, NAME%s or NAME%s", s.Name, restoredSuffix, cloneSuffix)
		case s.Start == "":
			return nil, fmt.Errorf("--start %s=COMMAND: needed, it makes the server", s.Name)
		case !hasServer(o.Servers, name):
			return nil, fmt.Errorf("--server %s: no --server is named %s", s.Name, name)
		}
	}
	return out, nil
}

// Backup takes backups of each server, under load and idle, and makes servers of them.
func Backup(ctx context.Context, o BackupOptions) (err error) {
	servers, err := o.sources()
	if err == nil {
		err = o.check(servers)
	}
	if err != nil {
		return err
	}
	defer downAll(ctx, o.Servers, &err)
	if o.Device != "" {
		if o.rates, err = measure.Device(o.Device, deviceBytes); err != nil {
			return err
		}
		o.Report.say("device: writes %.0f MB/s, reads %.0f, copies %.0f\n", o.rates.Write/1e6, o.rates.Read/1e6, o.rates.Copy/1e6)
	}
	var runs []BackupRun
	return o.Report.conduct(ctx, "backup", servers, o.Rounds, course{
		turn: func(s *Server, round int) error {
			run, err := o.one(ctx, s, round)
			runs = append(runs, run)
			return err
		},
		finish: func() error { return o.finish(servers, runs) },
	})
}

// one measures a turn of a running server.
func (o *BackupOptions) one(ctx context.Context, s *Server, round int) (run BackupRun, err error) {
	if err := o.Load.ensure(ctx, s, o.Workload); err != nil {
		return run, err
	}
	run = BackupRun{line: o.Report.head("run", s), Round: round, Workload: o.Workload, Threads: o.Threads, Device: o.rates}
	for _, step := range []func(context.Context, *Server, *BackupRun) error{o.underLoad, o.idle, o.incremental, o.restore} {
		if err := step(ctx, s, &run); err != nil {
			return run, err
		}
	}
	o.Report.say("%s\n", run.words())
	return run, o.Report.write(run)
}

// underLoad takes a backup, and then a clone, under the eyes of clients.
func (o *BackupOptions) underLoad(ctx context.Context, s *Server, run *BackupRun) error {
	clients, err := o.Load.drivers(ctx, s, o.Workload, o.Threads)
	if err != nil {
		return err
	}
	defer clients.stop()
	if run.SteadyTPS, err = clients.steady(ctx, o.Warmup, o.Most); err != nil {
		return err
	}
	stopDDL := func() error { return nil }
	if o.DDL {
		if stopDDL, err = o.define(ctx, s); err != nil {
			return err
		}
	}
	from := time.Now()
	run.Loaded, err = o.copied(ctx, s, s.Backup, run)
	if err = errors.Join(err, stopDDL()); err != nil {
		return err
	}
	c := &run.Loaded
	c.TPS = measure.Mean(clients.line.PerSecond(from, max(bin, time.Duration(c.Took*float64(time.Second)))))
	c.LostTx, c.LostPart = (run.SteadyTPS-c.TPS)*c.Took, 1-measure.Ratio(c.TPS, run.SteadyTPS)
	clone := o.companion(s, cloneSuffix)
	if clone == nil {
		return nil
	}
	run.Clone, err = o.clone(ctx, s, clone, clients)
	return err
}

// define makes, alters and drops a table every second until it is stopped.
func (o *BackupOptions) define(ctx context.Context, s *Server) (stop func() error, err error) {
	db, conn, err := s.session(ctx, o.Load.target(s, o.Workload).Database)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		defer db.Close()
		defer conn.Close()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			for _, q := range []string{"DROP TABLE IF EXISTS bench_ddl", "CREATE TABLE bench_ddl (a INT PRIMARY KEY)", "ALTER TABLE bench_ddl ADD b INT"} {
				if _, err := conn.ExecContext(ctx, q); err != nil && ctx.Err() == nil {
					done <- named(s, err)
					return
				}
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				done <- nil
				return
			}
		}
	}()
	return func() error {
		cancel()
		return <-done
	}, nil
}

// copied runs a backup command.
func (o *BackupOptions) copied(ctx context.Context, s *Server, command string, run *BackupRun) (c Copied, err error) {
	if err := o.between(ctx); err != nil {
		return c, err
	}
	before, err := bytesBelow(s.Kept)
	if err != nil {
		return c, err
	}
	if run.Data, err = bytesBelow(s.Data); err != nil {
		return c, err
	}
	from := time.Now()
	if out, err := shell(ctx, command); err != nil {
		return c, fmt.Errorf("%s: backup: %w: %s", s.Name, err, out)
	}
	c.Took = time.Since(from).Seconds()
	c.Rate = measure.Ratio(float64(run.Data), c.Took)
	c.Share = measure.Ratio(c.Rate, o.rates.Copy)
	after, err := bytesBelow(s.Kept)
	c.Stored = after - before
	return c, err
}

func (o *BackupOptions) between(ctx context.Context) error {
	if o.Between == "" {
		return nil
	}
	if out, err := shell(ctx, o.Between); err != nil {
		return fmt.Errorf("--between: %w: %s", err, out)
	}
	return nil
}

// bytesBelow is what the files of a directory have, 0 of none.
func bytesBelow(dir string) (n int64, err error) {
	if dir == "" {
		return 0, nil
	}
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // not made yet, or removed meanwhile
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}

func (o *BackupOptions) idle(ctx context.Context, s *Server, run *BackupRun) (err error) {
	run.Idle, err = o.copied(ctx, s, s.Backup, run)
	return err
}

// incremental changes a part of the data and backs that up.
func (o *BackupOptions) incremental(ctx context.Context, s *Server, run *BackupRun) error {
	if s.Incremental == "" {
		return nil
	}
	if err := o.Load.change(ctx, s, o.Workload, o.Changed); err != nil {
		return named(s, err)
	}
	c, err := o.copied(ctx, s, s.Incremental, run)
	run.Incremental = &c
	return err
}

// restore ends the server and makes one of its backup, under the eyes of clients.
func (o *BackupOptions) restore(ctx context.Context, s *Server, run *BackupRun) error {
	restored := o.companion(s, restoredSuffix)
	if restored == nil {
		return nil
	}
	if err := s.Down(ctx); err != nil {
		return err
	}
	if err := o.between(ctx); err != nil {
		return err
	}
	st, err := restored.Up(ctx)
	if err != nil {
		return err
	}
	clients, err := o.Load.drivers(ctx, restored, o.Workload, o.Threads)
	if err != nil {
		return err
	}
	defer clients.stop()
	a := &Appeared{First: st.First.Seconds()}
	run.Restored = a
	if err := restored.waitZero(ctx, bytesLeft); err != nil {
		return err
	}
	complete := a.First // a server that does not tell has all when it answers
	if restored.tells(ctx, bytesLeft) {
		complete = time.Since(st.At).Seconds()
	}
	a.Complete = &complete
	if err := clients.wait(ctx, st.At.Add(o.Watch)); err != nil {
		return err
	}
	for i := range int(o.Watch / time.Second) {
		a.TPS = append(a.TPS, measure.Mean(clients.line.PerSecond(st.At.Add(time.Duration(i)*time.Second), time.Second)))
	}
	if at, ok := measure.Reached(a.TPS, time.Second, 0.9*run.SteadyTPS, min(hold, len(a.TPS))); ok {
		a.Reached = &at
	}
	clients.stop()
	return restored.Down(ctx)
}

// bytesLeft is the status variable of a server that serves while its pages are still in a backup.
const bytesLeft = "ember_restore_bytes_left"

// clone makes a server of the running one, and waits until it has what that had done by then.
func (o *BackupOptions) clone(ctx context.Context, s, clone *Server, clients *drivers) (*Appeared, error) {
	if err := o.between(ctx); err != nil {
		return nil, err
	}
	st, err := clone.Up(ctx)
	if err != nil {
		return nil, err
	}
	a := &Appeared{First: st.First.Seconds()}
	if err := clone.catchUp(ctx, s); err != nil {
		return nil, err
	}
	complete := time.Since(st.At)
	seconds := complete.Seconds()
	a.Complete, a.Source = &seconds, measure.Mean(clients.line.PerSecond(st.At, max(bin, complete)))
	return a, clone.Down(ctx)
}

// catchUp waits until the server has executed what its source has by now.
func (s *Server) catchUp(ctx context.Context, source *Server) error {
	from, err := source.open(ctx, "")
	if err != nil {
		return named(source, err)
	}
	defer from.Close()
	var done string
	if err := from.QueryRowContext(ctx, "SELECT @@GLOBAL.gtid_executed").Scan(&done); err != nil {
		return fmt.Errorf("%s: a clone is followed by GTIDs: %w", source.Name, err)
	}
	to, err := s.open(ctx, "")
	if err != nil {
		return named(s, err)
	}
	defer to.Close()
	for has := false; ; time.Sleep(probePause) {
		if err := to.QueryRowContext(ctx, "SELECT GTID_SUBSET(?, @@GLOBAL.gtid_executed)", done).Scan(&has); err != nil || has {
			return named(s, err)
		}
	}
}
