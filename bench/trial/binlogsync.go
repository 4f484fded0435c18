package trial

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"emberdb/bench/measure"
	"emberdb/bench/oltp"
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
	Duration time.Duration // of each value in each round, in
	Slice    time.Duration // pieces of this length: the values take turns by it
	Report   Report
}

func (o *BinlogSyncOptions) check() error {
	switch {
	case o.Rounds < 1:
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	case o.Duration <= 0:
		return errors.New("--seconds: more than 0")
	case o.Slice <= 0 || o.Slice > o.Duration:
		return errors.New("--slice: more than 0, and at most --seconds")
	case len(o.Sync) == 0:
		return errors.New("--sync: at least one value")
	case o.Workload == TPCC:
		return errors.New("--workload tpcc: its transactions are too long to take turns by")
	}
	for i, v := range o.Sync {
		switch {
		case v < 0:
			return fmt.Errorf("--sync %d: at least 0", v)
		case slices.Contains(o.Sync[:i], v):
			return fmt.Errorf("--sync %d: given twice", v)
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

// BinlogSyncRun is the JSON line of one value of sync_binlog in one round.
type BinlogSyncRun struct {
	line
	Round int    `json:"round,omitempty"`
	Sync  string `json:"binlog"`
	cell
	Outcome
	// Of the median: what is lost of the throughput without a binary log, and with sync_binlog = 0,
	// of the means of all slices.
	Loss       *measure.Loss `json:"loss,omitempty"`
	LossToSync *measure.Loss `json:"loss_to_sync_0,omitempty"`

	slices []float64 // transactions a second
}

// BinlogSync runs a workload without a binary log and with each value of sync_binlog, and tells
// what the binary log costs.
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
				some, err := o.one(ctx, s, cell{o.Workload, n}, values, round)
				if err != nil {
					return named(s, err)
				}
				runs = append(runs, some...)
			}
			return nil
		},
		finish: func() error { return o.finish(values, runs) },
	})
}

// one measures all values with a number of threads, which take turns by the slice on the same
// connections.
func (o *BinlogSyncOptions) one(ctx context.Context, s *Server, c cell, values []int, round int) ([]BinlogSyncRun, error) {
	if err := o.Load.ensure(ctx, s, c.Workload); err != nil {
		return nil, err
	}
	crew, err := o.Load.crew(ctx, s, c)
	if err != nil {
		return nil, err
	}
	defer crew.Close()
	cpu, err := s.cpu(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := crew.Work(ctx, o.Warmup); err != nil {
		return nil, err
	}
	all := make([]syncValue, len(values))
	for range max(1, int(o.Duration/o.Slice)) {
		for _, at := range rand.Perm(len(values)) { // what one slice has dirtied the next one pays for: no value always follows the same one
			if err := all[at].slice(ctx, s, crew, values[at], o.Slice, cpu); err != nil {
				return nil, err
			}
		}
	}
	var runs []BinlogSyncRun
	for i := range all {
		run := BinlogSyncRun{line: o.Report.head("run", s), Round: round, Sync: syncName(values[i]), cell: c, Outcome: all[i].outcome(), slices: all[i].tps}
		o.Report.say("round %d  %-16s %-22s %-10s tps %9.1f  p95 %8.2f ms\n", round, s.Name, c, run.Sync, run.TPS, run.Latency.P95MS)
		if err := o.Report.write(run); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// syncValue is what was measured of one value of sync_binlog.
type syncValue struct {
	tps   []float64
	sum   oltp.Spell
	spent time.Duration // processor time of the server
}

func (v *syncValue) slice(ctx context.Context, s *Server, crew *oltp.Crew, value int, length time.Duration, cpu func() time.Duration) error {
	logs := 0
	if value != noBinlog {
		logs = 1
		if err := s.set(ctx, fmt.Sprintf("SET GLOBAL sync_binlog = %d", value)); err != nil {
			return err
		}
	}
	if err := crew.Tell(fmt.Sprintf("SET SESSION sql_log_bin = %d", logs)); err != nil {
		return err
	}
	from := cpu()
	did, err := crew.Work(ctx, length)
	if err != nil {
		return err
	}
	v.spent += cpu() - from
	v.tps = append(v.tps, float64(did.Transactions)/did.Time.Seconds())
	v.sum.Add(did)
	return nil
}

func (v *syncValue) outcome() Outcome {
	n := float64(v.sum.Transactions)
	return Outcome{TPS: n / v.sum.Time.Seconds(), QPS: float64(v.sum.Statements) / v.sum.Time.Seconds(), Latency: v.sum.Latency.Latency(), Retries: v.sum.Retries,
		ServerCPU: measure.Ratio(float64(v.spent.Microseconds()), n)}
}

func (s *Server) set(ctx context.Context, text string) error {
	db, err := s.open(ctx, "")
	if err == nil {
		defer db.Close()
		_, err = db.ExecContext(ctx, text)
	}
	return err
}

func (o *BinlogSyncOptions) finish(values []int, runs []BinlogSyncRun) error {
	o.Report.say("\n%-16s %-22s %-10s %10s %10s %26s %26s\n", "server", "workload", "binlog", "tps", "p95 ms", "loss (90 % interval)", "to sync 0")
	var groups []string
	series := make([]Series, len(o.Servers))
	for _, n := range o.Threads {
		c := cell{o.Workload, n}
		for _, v := range values {
			groups = append(groups, fmt.Sprintf("x%d %s", n, syncName(v)))
		}
		for i, s := range o.Servers {
			of := func(v int) (some []BinlogSyncRun, tps []float64) {
				some = only(runs, func(r *BinlogSyncRun) bool { return r.Server == s.Name && r.cell == c && r.Sync == syncName(v) })
				for i := range some {
					tps = append(tps, some[i].slices...)
				}
				return some, tps
			}
			_, none := of(noBinlog)
			_, unsynced := of(0)
			for _, v := range values {
				some, tps := of(v)
				m := BinlogSyncRun{line: o.Report.head("median", s), Sync: syncName(v), cell: c, Loss: measure.LossOf(tps, none), LossToSync: measure.LossOf(tps, unsynced)}
				m.TPS = measure.Median(tps)
				m.Latency.P95MS = medianOf(some, func(r *BinlogSyncRun) float64 { return r.Latency.P95MS })
				o.Report.say("%-16s %-22s %-10s %10.1f %10.2f %26s %26s\n", s.Name, c, m.Sync, m.TPS, m.Latency.P95MS, m.Loss, m.LossToSync)
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
