package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"emberdb/bench/measure"
)

// RestartOptions says what Restart measures.
type RestartOptions struct {
	Servers  []*Server
	Load     Load
	Workload string
	Threads  int
	Rounds   int
	How      []string
	Before   string        // shell command before the clients begin
	Between  string        // shell command between end and start
	Warmup   time.Duration // at least so long before the end
	Most     time.Duration // at most so long, however the throughput rises
	Watch    time.Duration // from the start on, at most
	Held     time.Duration // the watch ends when the highest level has been held so long; 0: it does not
	ReadRate float64       // bytes a second the volume reads in sequence; 0: not told
	Resume   bool          // what stands in Report.Lines is not measured again
	Title    string        // of the chart; empty: one is made
	Report   Report
}

func (o *RestartOptions) check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	}
	if o.Watch < time.Second || o.Warmup < time.Second {
		return errors.New("--seconds, --warmup: at least 1")
	}
	if o.Held != 0 && o.Held < hold*time.Second {
		return fmt.Errorf("--held: at least %d, or 0", hold)
	}
	if err := checkThreads([]int{o.Threads}); err != nil {
		return err
	}
	if err := checkHows(o.How, Hows...); err != nil {
		return err
	}
	if err := checkWays(o.Servers, o.How); err != nil {
		return err
	}
	if err := checkWorkloads([]string{o.Workload}); err != nil {
		return err
	}
	return needStart(o.Servers)
}

// RestartRun is the JSON line of one restart. Times are in seconds from the start command; null:
// not reached.
type RestartRun struct {
	line
	How       string              `json:"how"`
	Round     int                 `json:"round"`
	Workload  string              `json:"workload"`
	Threads   int                 `json:"threads"`
	SteadyTPS float64             `json:"steady_tps"` // before the end
	PoolBytes float64             `json:"pool_bytes"` // in the buffer pool then
	Stopping  float64             `json:"stopping_s"` // from the order to end until it had ended
	First     float64             `json:"first_query_s"`
	FirstTx   *float64            `json:"first_transaction_s"`
	Second    float64             `json:"first_second_tps"` // that follows the first transaction
	First10   float64             `json:"first_10s_tps"`
	Pause     float64             `json:"longest_pause_s"` // without any transaction
	Reached   map[string]*float64 `json:"seconds_to_percent_of_steady"`
	TPS       []float64           `json:"tps,omitempty"`      // of each second
	Fine      []float64           `json:"tps_fine,omitempty"` // of each 0.1 s, from lead before the start command on
	*IdleLoad
}

const (
	bin  = 100 * time.Millisecond
	lead = 2 * time.Second // that are told of the time before the start command
	hold = 5               // seconds a level must be held, on average, to count as reached
)

var levels = []int{50, 90, 95}

// Restart loads each server, runs it to a steady state, ends and starts it under the eyes of the
// same clients, and records throughput from the start on.
func Restart(ctx context.Context, o RestartOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	runs, err := o.measured()
	if err != nil {
		return err
	}
	missing := func(s *Server, round int) (hows []string) {
		for _, how := range s.ways(o.How) {
			if !slices.ContainsFunc(runs, func(r RestartRun) bool { return r.Server == s.Name && r.How == how && r.Round == round }) {
				hows = append(hows, how)
			}
		}
		return hows
	}
	return o.Report.conduct(ctx, "restart", o.Servers, o.Rounds, course{
		done: func(s *Server, round int) bool { return len(missing(s, round)) == 0 },
		turn: func(s *Server, round int) error {
			for _, how := range missing(s, round) {
				if err := s.ready(ctx, how); err != nil {
					return err
				}
				run, err := o.one(ctx, s, how, round)
				if err != nil {
					return err
				}
				runs = append(runs, run)
			}
			return s.ready(ctx, Clean)
		},
		finish: func() error { return o.finish(runs) },
	})
}

// measured reads the runs that an earlier Restart has left.
func (o *RestartOptions) measured() (runs []RestartRun, err error) {
	if !o.Resume {
		return nil, nil
	}
	b, err := os.ReadFile(o.Report.Lines)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for text := range bytes.Lines(b) {
		var r RestartRun
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Report.Lines, err)
		}
		if r.Bench == "restart" && r.Kind == "run" && r.Workload == o.Workload && r.Threads == o.Threads {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// one measures one restart of a running server.
func (o *RestartOptions) one(ctx context.Context, s *Server, how string, round int) (run RestartRun, err error) {
	if err := o.Load.ensure(ctx, s, o.Workload); err != nil {
		return run, err
	}
	run = RestartRun{line: o.Report.head("run", s), How: how, Round: round, Workload: o.Workload, Threads: o.Threads}
	if o.Before != "" {
		if out, err := shell(ctx, o.Before); err != nil {
			return run, fmt.Errorf("--before: %w: %s", err, out)
		}
	}
	clients, err := o.Load.drivers(ctx, s, o.Workload, o.Threads)
	if err != nil {
		return run, err
	}
	defer clients.stop()
	if run.SteadyTPS, err = clients.steady(ctx, o.Warmup, o.Most); err != nil {
		return run, err
	}
	if run.PoolBytes, err = s.poolBytes(ctx); err != nil {
		return run, err
	}
	if how == Idle {
		clients.stop()
		err = o.idle(ctx, s, &run)
	} else {
		err = o.busy(ctx, s, &run, clients)
	}
	if err != nil {
		return run, err
	}
	o.Report.say("%s\n", run.words(o.ReadRate))
	return run, o.Report.write(run)
}

// busy restarts the server under the eyes of the clients.
func (o *RestartOptions) busy(ctx context.Context, s *Server, run *RestartRun, clients *drivers) error {
	stopping, st, err := s.again(ctx, run.How, o.Between)
	if err != nil {
		return err
	}
	run.Stopping, run.First = stopping.Seconds(), st.First.Seconds()
	for watched := time.Second; ; watched = min(watched+time.Second, o.Watch) {
		if err := clients.wait(ctx, st.At.Add(watched)); err != nil {
			return err
		}
		fine := clients.line.PerSecond(st.At, watched)
		if watched >= o.Watch || o.held(fine, run.SteadyTPS) {
			run.fill(fine)
			run.Fine = append(clients.line.PerSecond(st.At.Add(-lead), lead), fine...)
			return nil
		}
	}
}

// held tells whether the bins since the start command end with the highest level, held as long as
// it takes to stop watching. What is told of the first ten seconds is seen whole.
func (o *RestartOptions) held(fine []float64, steady float64) bool {
	n := int(o.Held / bin)
	if n == 0 || len(fine) < max(n, int(10*time.Second/bin)) {
		return false
	}
	return measure.Mean(fine[len(fine)-n:]) >= steady*float64(levels[len(levels)-1])/100
}

// fill sums up the rates of the bins since the start command.
func (r *RestartRun) fill(fine []float64) {
	answers := int(time.Duration(r.First*float64(time.Second)) / bin) // before, they are the last ones of the old process
	for i, v := range fine {
		if v > 0 && i >= answers {
			at := (time.Duration(i+1) * bin).Seconds()
			r.FirstTx = &at
			next := fine[i+1:]
			r.Second = measure.Mean(next[:min(len(next), int(time.Second/bin))])
			break
		}
	}
	empty, longest := 0, 0
	for _, v := range fine {
		if empty++; v > 0 {
			empty = 0
		}
		longest = max(longest, empty)
	}
	r.Pause = (time.Duration(longest) * bin).Seconds()
	perSecond := int(time.Second / bin)
	for i := 0; i+perSecond <= len(fine); i += perSecond {
		r.TPS = append(r.TPS, measure.Mean(fine[i:i+perSecond]))
	}
	r.First10 = measure.Mean(r.TPS[:min(10, len(r.TPS))])
	r.Reached = map[string]*float64{}
	for _, level := range levels {
		key := fmt.Sprint(level)
		r.Reached[key] = nil
		if at, ok := measure.Reached(r.TPS, time.Second, r.SteadyTPS*float64(level)/100, min(hold, len(r.TPS))); ok {
			r.Reached[key] = &at
		}
	}
}

func (r *RestartRun) words(rate float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d  %-16s %-16s  steady %.0f tps, stopping %.1f s, first query %.3f s, ", r.Round, r.Server, r.How, r.SteadyTPS, r.Stopping, r.First)
	if r.IdleLoad != nil {
		b.WriteString(r.IdleLoad.words(r.PoolBytes, rate))
		return b.String()
	}
	fmt.Fprintf(&b, "first second at %.0f %%, first 10 s %.0f tps, longest pause %.1f s", 100*measure.Ratio(r.Second, r.SteadyTPS), r.First10, r.Pause)
	for _, level := range levels {
		if at := r.Reached[fmt.Sprint(level)]; at != nil {
			fmt.Fprintf(&b, ", %d %% after %.0f s", level, *at)
		} else {
			fmt.Fprintf(&b, ", %d %% not reached", level)
		}
	}
	if rate > 0 {
		fmt.Fprintf(&b, "; the volume reads the pool's %.0f MB in %.1f s", r.PoolBytes/1e6, r.PoolBytes/rate)
	}
	return b.String()
}

// finish tells medians and draws the chart. A level that was not reached counts as never.
func (o *RestartOptions) finish(runs []RestartRun) error {
	o.Report.say("\n%-16s %-16s %10s %12s %12s %12s %8s %10s %10s %10s\n", "server", "how", "steady", "first query", "first second", "first 10 s", "pause", "50 %", "90 %", "95 %")
	var series []Series
	for i, s := range o.Servers {
		for _, how := range s.ways(o.How) {
			all := only(runs, func(r *RestartRun) bool { return r.Server == s.Name && r.How == how })
			m := medianRestart(all)
			m.line, m.Round = o.Report.head("median", s), 0
			if err := o.Report.write(m); err != nil {
				return err
			}
			o.sayMedian(&m)
			if how != Idle {
				series = append(series, Series{Name: s.Name + " " + how, Colour: i, Values: o.drawn(&m), Dash: dashes[how]})
			}
		}
	}
	if o.Report.Chart == "" || len(series) == 0 {
		return nil
	}
	if o.Title == "" {
		o.Title = fmt.Sprintf("Throughput after a restart: %s, %d threads", o.Workload, o.Threads)
	}
	if o.isShort() {
		return drawLines(o.Report.Chart, o.Title, "seconds since the command to start it", "transactions/s", -lead.Seconds(), bin.Seconds(), series)
	}
	return drawLines(o.Report.Chart, o.Title, "seconds since the command to start it", "transactions/s", 0, 1, series)
}

// dashes tell the ways of a server apart.
var dashes = map[string]float64{Kill: 3, AttachKill: 3, Upgrade: 1, Keep: 1}

// finest is the longest watch of which the chart shows every bin.
const finest = 20 * time.Second

func (o *RestartOptions) isShort() bool { return o.Watch <= finest }

// drawn are the values of the chart.
func (o *RestartOptions) drawn(m *RestartRun) []float64 {
	if o.isShort() {
		return m.Fine
	}
	return m.TPS
}

func (o *RestartOptions) sayMedian(m *RestartRun) {
	o.Report.say("%-16s %-16s %10.0f %10.3f s ", m.Server, m.How, m.SteadyTPS, m.First)
	if m.IdleLoad != nil {
		o.Report.say("%s\n", m.IdleLoad.words(m.PoolBytes, o.ReadRate))
		return
	}
	o.Report.say("%10.0f %% %12.0f %6.1f s", 100*measure.Ratio(m.Second, m.SteadyTPS), m.First10, m.Pause)
	for _, level := range levels {
		if at := m.Reached[fmt.Sprint(level)]; at != nil {
			o.Report.say(" %8.0f s", *at)
		} else {
			o.Report.say(" %10s", "never")
		}
	}
	o.Report.say("\n")
}

func medianRestart(runs []RestartRun) RestartRun {
	of := func(f func(*RestartRun) float64) float64 { return medianOf(runs, f) }
	reached := func(f func(*RestartRun) *float64) *float64 {
		v := of(func(r *RestartRun) float64 {
			if at := f(r); at != nil {
				return *at
			}
			return math.Inf(1)
		})
		if math.IsInf(v, 1) {
			return nil
		}
		return &v
	}
	m := runs[0]
	m.SteadyTPS = of(func(r *RestartRun) float64 { return r.SteadyTPS })
	m.Stopping = of(func(r *RestartRun) float64 { return r.Stopping })
	m.First = of(func(r *RestartRun) float64 { return r.First })
	m.Pause = of(func(r *RestartRun) float64 { return r.Pause })
	m.Second = of(func(r *RestartRun) float64 { return r.Second })
	m.First10 = of(func(r *RestartRun) float64 { return r.First10 })
	m.PoolBytes = of(func(r *RestartRun) float64 { return r.PoolBytes })
	if m.IdleLoad != nil {
		m.IdleLoad = medianIdle(runs)
		return m
	}
	m.FirstTx = reached(func(r *RestartRun) *float64 { return r.FirstTx })
	m.Reached = map[string]*float64{}
	for _, level := range levels {
		key := fmt.Sprint(level)
		m.Reached[key] = reached(func(r *RestartRun) *float64 { return r.Reached[key] })
	}
	m.TPS = medianBins(runs, func(r *RestartRun) []float64 { return r.TPS })
	m.Fine = medianBins(runs, func(r *RestartRun) []float64 { return r.Fine })
	return m
}

// medianBins are the medians of each bin. Some runs were watched for a shorter time.
func medianBins[T any](runs []T, bins func(*T) []float64) []float64 {
	out := slices.Clone(bins(&runs[0]))
	for i := range runs {
		out = out[:min(len(out), len(bins(&runs[i])))]
	}
	for i := range out {
		out[i] = medianOf(runs, func(r *T) float64 { return bins(r)[i] })
	}
	return out
}
