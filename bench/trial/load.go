package trial

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"emberdb/bench"
	"emberdb/bench/measure"
	"emberdb/bench/oltp"
	"emberdb/bench/tpcc"
)

// Load says what data the servers hold and how it is used. It is the same for all of them.
type Load struct {
	Tables       int
	TableSize    int64
	Distribution string
	Warehouses   int
	Small        bool // small warehouses, for smoke tests
	Prepared     bool
	Progress     io.Writer // of loading; nil: silent
	Log          io.Writer // errors of the workload
}

// TPCC is the name of the workload that is not one of package oltp.
const TPCC = "tpcc"

// Workloads are all names a run may be given.
func Workloads() []string { return append(oltp.Workloads(), TPCC) }

func checkWorkloads(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("--workload: at least one")
	}
	for _, n := range names {
		if !slices.Contains(Workloads(), n) {
			return fmt.Errorf("--workload %q: want some of %s", n, strings.Join(Workloads(), ", "))
		}
	}
	return nil
}

// Databases of the two kinds of data, when the data source name has none.
const (
	oltpDatabase = "sbtest"
	tpccDatabase = "tpcc"
)

// target is the server's database for a workload.
func (l *Load) target(s *Server, workload string) bench.Target {
	t := s.Target
	t.Database = oltpDatabase
	if workload == TPCC {
		t.Database = tpccDatabase
	}
	return t
}

// ensure loads the data of a workload unless it is there.
func (l *Load) ensure(ctx context.Context, s *Server, workload string) error {
	target := l.target(s, workload)
	if workload == TPCC {
		loaded, err := tpcc.Loaded(ctx, target, l.Warehouses)
		if err == nil && !loaded {
			_, err = tpcc.Load(ctx, tpcc.LoadOptions{Target: target, Warehouses: l.Warehouses, Small: l.Small, Threads: loaders,
				Force: true, Seed: 1, Progress: l.Progress, Quiet: l.Progress == nil})
		}
		if err != nil {
			return fmt.Errorf("%s: load: %w", s.Name, err)
		}
		return nil
	}
	loaded, err := oltp.Loaded(ctx, target, l.Tables, l.TableSize)
	if err == nil && !loaded {
		_, err = oltp.Prepare(ctx, oltp.PrepareOptions{Target: target, Tables: l.Tables, TableSize: l.TableSize, Threads: loaders,
			Force: true, Seed: 1, Progress: l.Progress, Quiet: l.Progress == nil})
	}
	if err != nil {
		return fmt.Errorf("%s: load: %w", s.Name, err)
	}
	return nil
}

const (
	loaders   = 4
	rangeSize = 100 // rows of a range
)

// Outcome is what a run came to.
type Outcome struct {
	TPS       float64         `json:"tps"`
	QPS       float64         `json:"qps,omitempty"`   // statements; oltp only
	NOTPM     float64         `json:"notpm,omitempty"` // New-Orders a minute; tpcc only
	Latency   measure.Latency `json:"latency"`         // of a transaction; tpcc: of New-Order
	Retries   int64           `json:"retries"`
	Errors    int64           `json:"errors"`
	Lost      int64           `json:"lost,omitempty"`
	Refused   int64           `json:"connect_fail,omitempty"`  // attempts to connect that failed
	ClientCPU float64         `json:"client_cpu_us,omitempty"` // per statement; oltp only
	ServerCPU float64         `json:"server_cpu_us,omitempty"` // per transaction, warm-up included; known over a unix socket
}

// runSpec is one run.
type runSpec struct {
	workload string
	threads  int
	warmup   time.Duration
	duration time.Duration
	init     []string
	observe  func(time.Time)
}

// run drives a workload.
func (l *Load) run(ctx context.Context, s *Server, r runSpec) (Outcome, error) {
	cpu, err := s.cpu(ctx)
	if err != nil {
		return Outcome{}, err
	}
	commits, observe := atomic.Int64{}, r.observe
	r.observe = func(at time.Time) {
		commits.Add(1)
		if observe != nil {
			observe(at)
		}
	}
	out, err := l.drive(ctx, s, r)
	if err != nil {
		return out, fmt.Errorf("%s: %w", s.Name, err)
	}
	if spent := cpu(); spent > 0 {
		out.ServerCPU = measure.Ratio(float64(spent.Nanoseconds())/1000, float64(commits.Load()))
	}
	return out, nil
}

func (l *Load) drive(ctx context.Context, s *Server, r runSpec) (Outcome, error) {
	target, log := l.target(s, r.workload), &prefixed{l.Log, s.Name + ": "}
	run := bench.Run{Target: target, Threads: r.threads, Warmup: r.warmup, Duration: r.duration, Prepared: l.Prepared, Init: r.init, Observe: r.observe,
		Out: io.Discard, Log: log}
	if r.workload == TPCC {
		sum, err := tpcc.Run(ctx, tpcc.RunOptions{Run: run, Warehouses: l.Warehouses})
		n := sum.Tx["new_order"]
		return Outcome{TPS: sum.TPS, NOTPM: sum.NOTPM, Retries: sum.Retries, Errors: sum.Errors, Lost: sum.Lost, Refused: sum.ConnectFail,
			Latency: measure.Latency{Count: n.Count, MeanMS: n.MeanMS, P50MS: n.P50MS, P95MS: n.P95MS, P99MS: n.P99MS, MaxMS: n.MaxMS}}, err
	}
	sum, err := oltp.Run(ctx, oltp.RunOptions{Run: run, Workload: r.workload, Tables: l.Tables, TableSize: l.TableSize, RangeSize: rangeSize, Distribution: l.Distribution})
	return Outcome{TPS: sum.TPS, QPS: sum.QPS, Latency: sum.Latency, Retries: sum.Retries, Errors: sum.Errors, Lost: sum.Lost, Refused: sum.ConnectFail,
		ClientCPU: sum.ClientCPU}, err
}

// crew connects threads that run a workload of oltp in turns.
func (l *Load) crew(ctx context.Context, s *Server, c cell) (*oltp.Crew, error) {
	return oltp.NewCrew(ctx, oltp.RunOptions{Run: bench.Run{Target: l.target(s, c.Workload), Threads: c.Threads, Prepared: l.Prepared, Out: io.Discard},
		Workload: c.Workload, Tables: l.Tables, TableSize: l.TableSize, RangeSize: rangeSize, Distribution: l.Distribution})
}

// prefixed puts a name before each line; its lines are written whole.
type prefixed struct {
	w    io.Writer // nil: silent
	name string
}

func (p *prefixed) Write(b []byte) (int, error) {
	if p.w == nil {
		return len(b), nil
	}
	if _, err := io.WriteString(p.w, p.name+string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
