package trial

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/bench/measure"
	"emberdb/bench/wire"
)

// FollowersOptions says what Followers measures.
type FollowersOptions struct {
	Servers   []*Server
	Load      Load
	Workload  string
	Threads   int
	Followers []int
	Rounds    int
	Warmup    time.Duration
	Duration  time.Duration // of each number of followers in each round
	Report    Report
}

func (o *FollowersOptions) check() error {
	switch {
	case o.Rounds < 1:
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	case o.Duration <= 0:
		return errors.New("--seconds: more than 0")
	case len(o.Followers) == 0:
		return errors.New("--followers: at least one number")
	case o.Workload == TPCC:
		return errors.New("--workload tpcc: choose one of the others")
	}
	for _, n := range o.Followers {
		if n < 0 {
			return fmt.Errorf("--followers %d: at least 0", n)
		}
	}
	if err := checkThreads([]int{o.Threads}); err != nil {
		return err
	}
	return checkWorkloads([]string{o.Workload})
}

// FollowersRun is the JSON line of one number of followers in one round.
type FollowersRun struct {
	line
	Round     int `json:"round,omitempty"`
	Followers int `json:"followers"`
	cell
	TPS       float64 `json:"tps"`
	ServerCPU float64 `json:"server_cpu_us"` // per transaction; known over a unix socket
	MBs       float64 `json:"mb_s"`          // of events to all followers together, 10^6 bytes
	EventsS   float64 `json:"events_s"`      // to all followers together
	BehindMS  float64 `json:"behind_ms"`     // from the end of the writes until the last follower had everything
}

// Followers has replicas read the binary log of a server under load, which is all that they do with
// it, and tells what that costs: the writers, and the server's processor time.
func Followers(ctx context.Context, o FollowersOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	var runs []FollowersRun
	return o.Report.conduct(ctx, "followers", o.Servers, o.Rounds, course{
		admit: func(s *Server, settings map[string]string) error {
			if promises(settings)["sync_binlog"] == noBinaryLog {
				return fmt.Errorf("%s: it writes no binary log (log_bin)", s.Name)
			}
			return nil
		},
		turn: func(s *Server, round int) error {
			if err := o.Load.ensure(ctx, s, o.Workload); err != nil {
				return err
			}
			for _, n := range o.Followers {
				run, err := o.one(ctx, s, n)
				if err != nil {
					return named(s, err)
				}
				run.Round = round
				o.Report.say("round %d  %-16s %4d followers  tps %9.1f  %8.1f MB/s  behind %6.0f ms\n", round, s.Name, n, run.TPS, run.MBs, run.BehindMS)
				if err := o.Report.write(run); err != nil {
					return err
				}
				runs = append(runs, run)
			}
			return nil
		},
		finish: func() error { return o.finish(runs) },
	})
}

// one measures with a number of followers.
func (o *FollowersOptions) one(ctx context.Context, s *Server, n int) (run FollowersRun, err error) {
	crew, err := o.Load.crew(ctx, s, cell{o.Workload, o.Threads})
	if err != nil {
		return run, err
	}
	defer crew.Close()
	all, err := s.follow(ctx, n)
	if err != nil {
		return run, err
	}
	defer all.close()
	cpu, err := s.cpu(ctx)
	if err != nil {
		return run, err
	}
	if _, err := crew.Work(ctx, o.Warmup); err != nil {
		return run, err
	}
	spent, bytes, events := cpu(), all.bytes.Load(), all.events.Load()
	did, err := crew.Work(ctx, o.Duration)
	if err != nil {
		return run, err
	}
	ended := time.Now()
	if err := all.arrive(ctx); err != nil {
		return run, err
	}
	seconds := did.Time.Seconds()
	return FollowersRun{line: o.Report.head("run", s), Followers: n, cell: cell{o.Workload, o.Threads}, TPS: float64(did.Transactions) / seconds,
		ServerCPU: measure.Ratio(float64((cpu() - spent).Microseconds()), float64(did.Transactions)), MBs: float64(all.bytes.Load()-bytes) / 1e6 / seconds,
		EventsS: float64(all.events.Load()-events) / seconds, BehindMS: float64(time.Since(ended).Microseconds()) / 1000}, nil
}

// followers read the binary log of a server.
type followers struct {
	s      *Server
	conns  []*wire.Conn
	places []atomic.Pointer[logPlace]
	ended  sync.WaitGroup
	err    atomic.Pointer[error]
	bytes  atomic.Int64
	events atomic.Int64
}

// logPlace is a place in the binary log.
type logPlace struct {
	file string
	pos  uint64
}

// firstFollower is the server id of the first one.
const firstFollower = 3_000_000_000

// follow connects followers, which read from the end of the log on.
func (s *Server) follow(ctx context.Context, n int) (_ *followers, err error) {
	f := &followers{s: s, places: make([]atomic.Pointer[logPlace], n)}
	at, err := s.logEnd(ctx)
	if err != nil {
		return nil, err
	}
	cfg, err := s.Target.Config(true)
	if err != nil {
		return nil, err
	}
	cfg.DBName = ""
	for i := range n {
		c, err := wire.Dial(ctx, cfg)
		if err == nil {
			f.conns = append(f.conns, c)
			_, err = c.Exec("SET @source_binlog_checksum = 'NONE', @master_binlog_checksum = 'NONE', @source_heartbeat_period = 1000000000, @master_heartbeat_period = 1000000000, @mariadb_slave_capability = 4")
		}
		if err == nil {
			err = c.Dump(firstFollower+uint32(i), at.file, uint32(at.pos))
		}
		if err != nil {
			f.close()
			return nil, fmt.Errorf("follower %d: %w", i+1, err)
		}
		f.ended.Go(func() { f.read(i, c) })
	}
	return f, nil
}

func (f *followers) read(i int, c *wire.Conn) {
	var at logPlace
	for {
		e, err := c.Event()
		if err != nil {
			f.err.CompareAndSwap(nil, &err)
			return
		}
		f.bytes.Add(int64(e.Size))
		f.events.Add(1)
		switch {
		case e.File != "":
			at = logPlace{e.File, e.Next}
		case e.End > 0:
			at.pos = uint64(e.End)
		}
		now := at
		f.places[i].Store(&now)
	}
}

// arrive waits until all have what the log holds now.
func (f *followers) arrive(ctx context.Context) error {
	end, err := f.s.logEnd(ctx)
	if err != nil {
		return err
	}
	for i := range f.places {
		for at := f.places[i].Load(); at == nil || at.file == end.file && at.pos < end.pos || at.file < end.file; at = f.places[i].Load() {
			if err := f.err.Load(); err != nil {
				return fmt.Errorf("follower: %w", *err)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Millisecond):
			}
		}
	}
	return nil
}

func (f *followers) close() {
	for _, c := range f.conns {
		_ = c.Hang()
	}
	f.ended.Wait()
}

// logEnd is the end of the binary log.
func (s *Server) logEnd(ctx context.Context) (at logPlace, err error) {
	db, err := s.open(ctx, "")
	if err != nil {
		return at, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SHOW BINARY LOG STATUS")
	if err != nil && strings.Contains(err.Error(), "1064") {
		rows, err = db.QueryContext(ctx, "SHOW MASTER STATUS") // MariaDB, and MySQL before 8.2
	}
	if err != nil {
		return at, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return at, err
	}
	if !rows.Next() {
		return at, errors.Join(errors.New("it writes no binary log"), rows.Err())
	}
	into := []any{&at.file, &at.pos}
	for range columns[2:] {
		into = append(into, new(sql.RawBytes))
	}
	return at, rows.Scan(into...)
}

func (o *FollowersOptions) finish(runs []FollowersRun) error {
	o.Report.say("\n%-16s %10s %10s %10s %14s %12s %10s %10s\n", "server", "followers", "tps", "of first", "cpu us/tx", "MB/s", "events/s", "behind ms")
	var groups []string
	series := make([]Series, len(o.Servers))
	for _, n := range o.Followers {
		groups = append(groups, fmt.Sprint(n))
	}
	for i, s := range o.Servers {
		first := 0.0
		for _, n := range o.Followers {
			some := only(runs, func(r *FollowersRun) bool { return r.Server == s.Name && r.Followers == n })
			of := func(figure func(*FollowersRun) float64) float64 { return medianOf(some, figure) }
			m := FollowersRun{line: o.Report.head("median", s), Followers: n, cell: cell{o.Workload, o.Threads},
				TPS: of(func(r *FollowersRun) float64 { return r.TPS }), ServerCPU: of(func(r *FollowersRun) float64 { return r.ServerCPU }),
				MBs: of(func(r *FollowersRun) float64 { return r.MBs }), EventsS: of(func(r *FollowersRun) float64 { return r.EventsS }),
				BehindMS: of(func(r *FollowersRun) float64 { return r.BehindMS })}
			if first == 0 {
				first = m.TPS
			}
			o.Report.say("%-16s %10d %10.1f %10.2f %14.1f %12.1f %10.0f %10.0f\n", s.Name, n, m.TPS, measure.Ratio(m.TPS, first), m.ServerCPU, m.MBs, m.EventsS, m.BehindMS)
			if err := o.Report.write(m); err != nil {
				return err
			}
			series[i].Name, series[i].Values = s.Name, append(series[i].Values, m.TPS)
		}
	}
	if o.Report.Chart == "" {
		return nil
	}
	return drawBars(o.Report.Chart, "Writes beside replicas that read the log: "+o.Workload, "followers", "transactions/s", groups, series)
}
