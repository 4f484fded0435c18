package trial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emberdb/bench/measure"
)

// BinlogSyncOptions says what BinlogSync measures.
type BinlogSyncOptions struct {
	Servers  []*Server
	Load     Load
	Workload string
	Threads  []int
	Sync     []int // values of sync_binlog
	Rounds   int
	Warmup   time.Duration
	Duration time.Duration
	Report   Report
}

func (o *BinlogSyncOptions) check() error {
	switch {
	case o.Rounds < 1:
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	case o.Duration <= 0:
		return errors.New("--seconds: more than 0")
	case len(o.Sync) == 0:
		return errors.New("--sync: at least one value")
	}
	for _, v := range o.Sync {
		if v < 0 {
			return fmt.Errorf("--sync %d: at least 0", v)
		}
	}
	if err := checkThreads(o.Threads); err != nil {
		return err
	}
	return checkWorkloads([]string{o.Workload})
}

// noBinlog stands for sessions that write no binary log, among the values of sync_binlog.
const noBinlog = -1

func syncName(v int) string {
	if v == noBinlog {
		return "no binlog"
	}
	return fmt.Sprintf("sync %d", v)
}

// BinlogSyncRun is the JSON line of one run.
type BinlogSyncRun struct {
	line
	Round int    `json:"round,omitempty"`
	Sync  string `json:"binlog"`
	cell
	Outcome
	// Of the median: what is lost of the throughput of the same round without a binary log, and with sync_binlog = 0. First, second and third quartile of the rounds.
	Loss       [3]float64 `json:"loss"`
	LossToSync [3]float64 `json:"loss_to_sync_0"`
}

// BinlogSync runs a workload without a binary log and with each value of sync_binlog, and tells what the binary log costs.
func BinlogSync(ctx context.Context, o BinlogSyncOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	values := append([]int{noBinlog}, o.Sync...)
	before := map[*Server]string{} // sync_binlog as its user set it
	var runs []BinlogSyncRun
	return o.Report.conduct(ctx, "binlog-sync", o.Servers, o.Rounds, course{
		admit: func(s *Server, settings map[string]string) error {
			before[s] = promises(settings)["sync_binlog"]
			if before[s] == noBinaryLog {
				return fmt.Errorf("%s: it writes no binary log (log_bin)", s.Name)
			}
			return nil
		},
		turn: func(s *Server, round int) (err error) {
			defer func() {
				if e := s.set(context.WithoutCancel(ctx), "SET GLOBAL sync_binlog = "+before[s]); err == nil {
					err = e
				}
			}()
			for _, n := range o.Threads {
				for i := range values { // each of them comes first in its turn: what one run has dirtied the next one pays for
					run, err := o.one(ctx, s, cell{o.Workload, n}, values[(i+round-1)%len(values)], round)
					if err != nil {
						return err
					}
					runs = append(runs, run)
				}
			}
			return nil
		},
		finish: func() error { return o.finish(values, runs) },
	})
}

func (o *BinlogSyncOptions) one(ctx context.Context, s *Server, c cell, value, round int) (run BinlogSyncRun, err error) {
	if err := o.Load.ensure(ctx, s, c.Workload); err != nil {
		return run, err
	}
	spec := runSpec{workload: c.Workload, threads: c.Threads, warmup: o.Warmup, duration: o.Duration}
	if value == noBinlog {
		spec.init = []string{"SET SESSION sql_log_bin = 0"}
	} else if err := s.set(ctx, fmt.Sprintf("SET GLOBAL sync_binlog = %d", value)); err != nil {
		return run, err
	}
	out, err := o.Load.run(ctx, s, spec)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return run, err
	}
	run = BinlogSyncRun{line: o.Report.head("run", s), Round: round, Sync: syncName(value), cell: c, Outcome: out}
	o.Report.say("round %d  %-16s %-22s %-10s tps %9.1f  p95 %8.2f ms  errors %d\n", round, s.Name, c, run.Sync, out.TPS, out.Latency.P95MS, out.Errors)
	return run, o.Report.write(run)
}

func (s *Server) set(ctx context.Context, text string) error {
	db, err := s.open(ctx, "")
	if err == nil {
		defer db.Close()
		_, err = db.ExecContext(ctx, text)
	}
	return named(s, err)
}

func (o *BinlogSyncOptions) finish(values []int, runs []BinlogSyncRun) error {
	o.Report.say("\n%-16s %-22s %-10s %10s %10s %26s %9s\n", "server", "workload", "binlog", "tps", "p95 ms", "loss (quartiles)", "to sync 0")
	var groups []string
	series := make([]Series, len(o.Servers))
	for _, n := range o.Threads {
		c := cell{o.Workload, n}
		for _, v := range values {
			groups = append(groups, fmt.Sprintf("x%d %s", n, syncName(v)))
		}
		for i, s := range o.Servers {
			of := func(v int) []BinlogSyncRun {
				return only(runs, func(r *BinlogSyncRun) bool { return r.Server == s.Name && r.cell == c && r.Sync == syncName(v) })
			}
			for _, v := range values {
				some := of(v)
				m := BinlogSyncRun{line: o.Report.head("median", s), Sync: syncName(v), cell: c, Loss: losses(some, of(noBinlog)), LossToSync: losses(some, of(0))}
				m.TPS = medianOf(some, func(r *BinlogSyncRun) float64 { return r.TPS })
				m.Latency.P95MS = medianOf(some, func(r *BinlogSyncRun) float64 { return r.Latency.P95MS })
				o.Report.say("%-16s %-22s %-10s %10.1f %10.2f %7.1f %% (%5.1f to %5.1f) %7.1f %%\n", s.Name, c, m.Sync, m.TPS, m.Latency.P95MS,
					100*m.Loss[1], 100*m.Loss[0], 100*m.Loss[2], 100*m.LossToSync[1])
				if err := o.Report.write(m); err != nil {
					return err
				}
				series[i].Name, series[i].Values = s.Name, append(series[i].Values, m.TPS)
			}
		}
	}
	if o.Report.Chart == "" {
		return nil
	}
	return drawBars(o.Report.Chart, "The cost of the binary log: "+o.Workload, "", "transactions/s", groups, series)
}

// losses are the quartiles of what runs lose against others of their rounds: a machine whose speed changes gives both runs of a round about the same.
func losses(runs, against []BinlogSyncRun) [3]float64 {
	var lost []float64
	for _, r := range runs {
		for _, a := range against {
			if a.Round == r.Round && a.TPS > 0 {
				lost = append(lost, 1-r.TPS/a.TPS)
			}
		}
	}
	return measure.Quartiles(lost)
}
