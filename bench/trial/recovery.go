package trial

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"emberdb/bench"
	"emberdb/bench/measure"
)

// RecoveryOptions says what Recovery measures.
type RecoveryOptions struct {
	Servers  []*Server
	Load     Load
	Workload string
	Threads  int
	Rounds   int
	Redo     []int64       // bytes of redo behind the checkpoint at the kill
	Most     time.Duration // of load to get there
	Watch    time.Duration // throughput after the start
	Between  string
	Report   Report
}

func (o *RecoveryOptions) check() error {
	switch {
	case o.Rounds < 1:
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	case len(o.Redo) == 0:
		return errors.New("--redo: at least one size")
	case o.Watch < time.Second || o.Most < time.Second:
		return errors.New("--seconds, --most: at least 1")
	}
	if err := checkThreads([]int{o.Threads}); err != nil {
		return err
	}
	if err := checkWorkloads([]string{o.Workload}); err != nil {
		return err
	}
	return needStart(o.Servers)
}

// RecoveryRun is the JSON line of one crash and what follows.
type RecoveryRun struct {
	line
	Round     int       `json:"round"`
	Workload  string    `json:"workload"`
	Threads   int       `json:"threads"`
	Wanted    int64     `json:"redo_wanted"`
	Redo      int64     `json:"redo"`        // bytes behind the checkpoint, as seen last before the kill
	Dirty     int64     `json:"dirty_pages"` // as seen last before the kill
	LoadTPS   float64   `json:"load_tps"`    // throughput before the kill
	First     float64   `json:"first_query_s"`
	Redone    float64   `json:"redone_s"` // until the last page was redone; a server that does not tell has none pending when it answers
	PerGB     float64   `json:"first_query_s_per_gb"`
	RedonePer float64   `json:"redone_s_per_gb"`
	First10   float64   `json:"first_10s_tps"`
	TPS       []float64 `json:"tps"` // of each second from the start command on
}

const gigabyte = 1e9

// Recovery loads each server until so much redo has gathered behind its checkpoint, kills it, and
// measures what the start then takes.
func Recovery(ctx context.Context, o RecoveryOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	var runs []RecoveryRun
	return o.Report.conduct(ctx, "recovery", o.Servers, o.Rounds, course{
		turn: func(s *Server, round int) error {
			for _, size := range o.Redo {
				run, err := o.one(ctx, s, size, round)
				if err != nil {
					return err
				}
				runs = append(runs, run)
			}
			return nil
		},
		finish: func() error { return o.finish(runs) },
	})
}

func (o *RecoveryOptions) one(ctx context.Context, s *Server, size int64, round int) (run RecoveryRun, err error) {
	if err := o.Load.ensure(ctx, s, o.Workload); err != nil {
		return run, err
	}
	run = RecoveryRun{line: o.Report.head("run", s), Round: round, Workload: o.Workload, Threads: o.Threads, Wanted: size}
	clients, err := o.Load.drivers(ctx, s, o.Workload, o.Threads)
	if err != nil {
		return run, err
	}
	defer clients.stop()
	from := time.Now()
	if err := o.gather(ctx, s, clients, &run); err != nil {
		return run, err
	}
	run.LoadTPS = measure.Mean(clients.line.PerSecond(from, time.Since(from)))
	_, st, err := s.again(ctx, Kill, o.Between)
	if err != nil {
		return run, err
	}
	run.First = st.First.Seconds()
	if err := s.waitZero(ctx, "ember_recovery_pages_pending"); err != nil {
		return run, err
	}
	if run.Redone = run.First; s.tells(ctx, "ember_recovery_pages_pending") {
		run.Redone = time.Since(st.At).Seconds()
	}
	run.PerGB, run.RedonePer = measure.Ratio(run.First, float64(run.Redo)/gigabyte), measure.Ratio(run.Redone, float64(run.Redo)/gigabyte)
	if err := clients.wait(ctx, st.At.Add(o.Watch)); err != nil {
		return run, err
	}
	for i := range int(o.Watch / time.Second) {
		run.TPS = append(run.TPS, measure.Mean(clients.line.PerSecond(st.At.Add(time.Duration(i)*time.Second), time.Second)))
	}
	run.First10 = measure.Mean(run.TPS[:min(10, len(run.TPS))])
	o.Report.say("round %d  %-16s %6.0f MB redo, %d dirty pages, %.0f tps: first query %.2f s (%.1f s/GB), redone %.2f s (%.1f s/GB), first 10 s %.0f tps\n",
		round, s.Name, float64(run.Redo)/1e6, run.Dirty, run.LoadTPS, run.First, run.PerGB, run.Redone, run.RedonePer, run.First10)
	return run, o.Report.write(run)
}

// gather waits until enough redo lies behind the checkpoint, or as long as it may.
func (o *RecoveryOptions) gather(ctx context.Context, s *Server, clients *drivers, run *RecoveryRun) error {
	db, err := s.open(ctx, "")
	if err != nil {
		return named(s, err)
	}
	defer db.Close()
	for from := time.Now(); time.Since(from) < o.Most; {
		v, err := bench.Pairs(ctx, db, "SHOW GLOBAL STATUS LIKE 'Innodb%'")
		if err != nil {
			return named(s, err)
		}
		if run.Redo, err = redoAge(v); err != nil {
			return named(s, err)
		}
		run.Dirty, _ = strconv.ParseInt(v["innodb_buffer_pool_pages_dirty"], 10, 64)
		if run.Redo >= run.Wanted {
			return nil
		}
		if err := clients.wait(ctx, time.Now().Add(100*time.Millisecond)); err != nil {
			return err
		}
	}
	o.Report.say("%s: %d bytes of redo after %v, not %d: its checkpoints keep up, or its log is smaller\n", s.Name, run.Redo, o.Most, run.Wanted)
	return nil
}

// redoAge is how much redo a crash now would leave, by the status variables of either family.
func redoAge(v map[string]string) (int64, error) {
	if age, err := strconv.ParseInt(v["innodb_checkpoint_age"], 10, 64); err == nil {
		return age, nil
	}
	now, err1 := strconv.ParseInt(v["innodb_redo_log_current_lsn"], 10, 64)
	then, err2 := strconv.ParseInt(v["innodb_redo_log_checkpoint_lsn"], 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		return 0, errors.New("its status tells no age of the checkpoint")
	}
	return now - then, nil
}

// waitZero waits until a status variable is 0; one that is missing counts as 0.
func (s *Server) waitZero(ctx context.Context, name string) error {
	db, err := s.open(ctx, "")
	if err != nil {
		return named(s, err)
	}
	defer db.Close()
	for ctx.Err() == nil {
		v, err := bench.Pairs(ctx, db, "SHOW GLOBAL STATUS LIKE '"+name+"'")
		if err != nil {
			return named(s, err)
		}
		if v[name] == "" || v[name] == "0" {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ctx.Err()
}

// tells reports whether the server has a status variable.
func (s *Server) tells(ctx context.Context, name string) bool {
	v, err := s.pairs(ctx, "SHOW GLOBAL STATUS LIKE '"+name+"'")
	return err == nil && v[name] != ""
}

func (o *RecoveryOptions) finish(runs []RecoveryRun) error {
	var groups []string
	for _, size := range o.Redo {
		groups = append(groups, fmt.Sprintf("%.0f MB", float64(size)/1e6))
	}
	o.Report.say("\n%-16s %10s %10s %10s %12s %12s %10s\n", "server", "wanted", "redo", "load tps", "first query", "all redone", "s/GB")
	var series []Series
	for _, s := range o.Servers {
		first, redone := Series{Name: s.Name + ", first query"}, Series{Name: s.Name + ", all redone"}
		for i, size := range o.Redo {
			m := RecoveryRun{line: o.Report.head("median", s), Workload: o.Workload, Threads: o.Threads, Wanted: size}
			some := only(runs, func(r *RecoveryRun) bool { return r.Server == s.Name && r.Wanted == size })
			of := func(f func(*RecoveryRun) float64) float64 { return medianOf(some, f) }
			m.Redo = int64(of(func(r *RecoveryRun) float64 { return float64(r.Redo) }))
			m.Dirty = int64(of(func(r *RecoveryRun) float64 { return float64(r.Dirty) }))
			m.LoadTPS = of(func(r *RecoveryRun) float64 { return r.LoadTPS })
			m.First, m.Redone = of(func(r *RecoveryRun) float64 { return r.First }), of(func(r *RecoveryRun) float64 { return r.Redone })
			m.PerGB, m.RedonePer = of(func(r *RecoveryRun) float64 { return r.PerGB }), of(func(r *RecoveryRun) float64 { return r.RedonePer })
			m.First10 = of(func(r *RecoveryRun) float64 { return r.First10 })
			o.Report.say("%-16s %10s %7.0f MB %10.0f %10.2f s %10.2f s %10.1f\n", s.Name, groups[i], float64(m.Redo)/1e6, m.LoadTPS, m.First, m.Redone, m.RedonePer)
			if err := o.Report.write(m); err != nil {
				return err
			}
			first.Values, redone.Values = append(first.Values, m.First), append(redone.Values, m.Redone)
		}
		series = append(series, first, redone)
	}
	if o.Report.Chart == "" {
		return nil
	}
	return drawBars(o.Report.Chart, "Start after kill -9: "+o.Workload, "redo behind the checkpoint", "seconds", groups, series)
}
