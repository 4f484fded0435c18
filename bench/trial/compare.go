package trial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emberdb/bench/measure"
)

// CompareOptions says what Compare measures.
type CompareOptions struct {
	Servers   []*Server // the first is held against the others, its peers
	Load      Load
	Workloads []string
	Threads   []int
	Rounds    int
	Warmup    time.Duration
	Duration  time.Duration
	Unequal   bool // measure servers whose settings promise different things
	Report    Report
}

func (o *CompareOptions) check() error {
	if len(o.Servers) < 2 {
		return errors.New("--server NAME=DSN: at least two to compare")
	}
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	}
	if o.Duration <= 0 {
		return errors.New("--seconds: more than 0")
	}
	if err := checkThreads(o.Threads); err != nil {
		return err
	}
	return checkWorkloads(o.Workloads)
}

func checkThreads(threads []int) error {
	if len(threads) == 0 {
		return errors.New("--threads: at least one number")
	}
	for _, n := range threads {
		if n < 1 {
			return fmt.Errorf("--threads %d: at least 1", n)
		}
	}
	return nil
}

// cell is a workload with a number of threads.
type cell struct {
	Workload string `json:"workload"`
	Threads  int    `json:"threads"`
}

func (c cell) String() string { return fmt.Sprintf("%s x%d", c.Workload, c.Threads) }

// compareRun is the JSON line of one run.
type compareRun struct {
	line
	Round int `json:"round"`
	cell
	Seconds float64 `json:"seconds"`
	Outcome
}

// Standing is what the rounds of a cell come to for one server.
type Standing struct {
	line
	cell
	TPS       float64 `json:"tps"`    // median
	P95MS     float64 `json:"p95_ms"` // median
	Spread    float64 `json:"spread"` // largest less smallest tps, as a share of the median
	ServerCPU float64 `json:"server_cpu_us,omitempty"`
	Ratio     float64 `json:"ratio"` // to the better peer of the first server; the first server's own is what counts
}

// Compare runs every workload with every number of threads on all servers in turn, and tells
// medians and how they relate.
func Compare(ctx context.Context, o CompareOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	c := &comparison{o: &o, runs: map[*Server]map[cell][]Outcome{}, settings: map[*Server]map[string]string{}}
	return o.Report.conduct(ctx, "compare", o.Servers, o.Rounds, course{
		admit:  c.admit,
		turn:   func(s *Server, round int) error { return c.turn(ctx, s, round) },
		finish: c.finish,
	})
}

type comparison struct {
	o        *CompareOptions
	settings map[*Server]map[string]string
	runs     map[*Server]map[cell][]Outcome
}

func (c *comparison) cells() (cells []cell) {
	for _, w := range c.o.Workloads {
		for _, n := range c.o.Threads {
			cells = append(cells, cell{w, n})
		}
	}
	return cells
}

// turn runs all cells on a server.
func (c *comparison) turn(ctx context.Context, s *Server, round int) error {
	o := c.o
	for _, cell := range c.cells() {
		if err := o.Load.ensure(ctx, s, cell.Workload); err != nil {
			return err
		}
		out, err := o.Load.run(ctx, s, runSpec{workload: cell.Workload, threads: cell.Threads, warmup: o.Warmup, duration: o.Duration})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		c.runs[s][cell] = append(c.runs[s][cell], out)
		o.Report.say("round %d  %-20s %-16s tps %9.1f  p95 %8.2f ms  errors %d\n", round, cell, s.Name, out.TPS, out.Latency.P95MS, out.Errors)
		if err := o.Report.write(compareRun{o.Report.head("run", s), round, cell, o.Duration.Seconds(), out}); err != nil {
			return err
		}
	}
	return nil
}

// admit holds a server's settings against those of the others.
func (c *comparison) admit(s *Server, settings map[string]string) error {
	c.settings[s], c.runs[s] = settings, map[cell][]Outcome{}
	if c.o.Unequal {
		return nil
	}
	for _, other := range c.o.Servers {
		if c.settings[other] == nil {
			continue
		}
		if err := alike(other, s, c.settings[other], settings); err != nil {
			return err
		}
	}
	return nil
}

// standings sums the rounds up.
func (c *comparison) standings() (all []Standing) {
	for _, cell := range c.cells() {
		first := len(all)
		best := 0.0 // among the peers
		for i, s := range c.o.Servers {
			var tps, p95, cpu []float64
			for _, out := range c.runs[s][cell] {
				tps, p95, cpu = append(tps, out.TPS), append(p95, out.Latency.P95MS), append(cpu, out.ServerCPU)
			}
			st := Standing{line: c.o.Report.head("median", s), cell: cell, TPS: measure.Median(tps), P95MS: measure.Median(p95),
				Spread: measure.Spread(tps), ServerCPU: measure.Median(cpu)}
			if i > 0 {
				best = max(best, st.TPS)
			}
			all = append(all, st)
		}
		for i := first; i < len(all); i++ {
			all[i].Ratio = measure.Ratio(all[i].TPS, best)
		}
	}
	return all
}

func (c *comparison) finish() error {
	o := c.o
	all := c.standings()
	o.Report.say("\n%-20s %-16s %10s %10s %8s %8s %12s\n", "workload", "server", "tps", "p95 ms", "spread", "ratio", "cpu us/tx")
	for _, st := range all {
		o.Report.say("%-20s %-16s %10.1f %10.2f %6.0f %% %8.2f %12.1f\n", st.cell, st.Server, st.TPS, st.P95MS, 100*st.Spread, st.Ratio, st.ServerCPU)
		if err := o.Report.write(st); err != nil {
			return err
		}
	}
	if err := c.chart(all); err != nil {
		return err
	}
	for _, s := range o.Servers {
		for _, outs := range c.runs[s] {
			for _, out := range outs {
				if out.Errors+out.Refused > 0 {
					return fmt.Errorf("%s: %d transactions and %d connections failed in a run: its figures are not for what was meant", s.Name, out.Errors, out.Refused)
				}
			}
		}
	}
	return nil
}

func (c *comparison) chart(all []Standing) error {
	o := c.o
	if o.Report.Chart == "" {
		return nil
	}
	var groups []string
	series := make([]Series, len(o.Servers))
	for i, s := range o.Servers {
		series[i].Name = s.Name
	}
	for i, st := range all {
		if i%len(series) == 0 {
			groups = append(groups, st.cell.String())
		}
		series[i%len(series)].Values = append(series[i%len(series)].Values, st.Ratio)
	}
	title := fmt.Sprintf("Throughput beside the better peer, medians of %d rounds", o.Rounds)
	return drawBars(o.Report.Chart, title, "", "transactions/s, better peer = 1", groups, series)
}
