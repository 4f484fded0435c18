package tpcc

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"emberdb/bench"
)

// Latencies are recorded in microseconds, up to ten minutes, with three significant digits.
const maxLatency = int64(10 * time.Minute / time.Microsecond)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, maxLatency, 3) }

// TxStats describes the transactions of one profile.
type TxStats struct {
	Count  int64   `json:"count"`
	MeanMS float64 `json:"mean_ms"`
	P50MS  float64 `json:"p50_ms"`
	P95MS  float64 `json:"p95_ms"`
	P99MS  float64 `json:"p99_ms"`
	MaxMS  float64 `json:"max_ms"`
}

// Counters are the outcomes other than a commit.
type Counters struct {
	RolledBack  int64 `json:"rolled_back"`  // New-Orders that named an unknown item
	Retries     int64 `json:"retries"`      // attempts ended by a deadlock or a lock wait timeout
	Lost        int64 `json:"lost"`         // transactions cut off by a lost connection
	Errors      int64 `json:"errors"`       // anything else
	ConnectFail int64 `json:"connect_fail"` // failed attempts to connect
}

// Interval is one line of the running report.
type Interval struct {
	T        float64            `json:"t"`       // seconds since the start
	UnixMS   int64              `json:"unix_ms"` // end of the interval
	Warmup   bool               `json:"warmup,omitempty"`
	TPS      float64            `json:"tps"`
	NOTPM    float64            `json:"notpm"`
	Tx       map[string]TxStats `json:"tx"`
	Counters                    // of this interval
}

// Summary describes the measured time, without the warm-up.
type Summary struct {
	Summary    bool               `json:"summary"` // always true: marks the last JSON line
	Warehouses int                `json:"warehouses"`
	Threads    int                `json:"threads"`
	Protocol   string             `json:"protocol"`
	Seed       uint64             `json:"seed"`
	Seconds    float64            `json:"seconds"`
	TPS        float64            `json:"tps"`
	NOTPM      float64            `json:"notpm"` // committed New-Orders per minute
	Tx         map[string]TxStats `json:"tx"`
	Counters
	FirstError string `json:"first_error,omitempty"`
}

// reporter collects what the terminals did. Two sets of histograms: the current interval's and the
// whole run's.
type reporter struct {
	o     *RunOptions
	start time.Time

	mu struct {
		sync.Mutex
		now, all           [txTypes]*hdrhistogram.Histogram
		nowCount, allCount Counters
		firstError         string
		logged             int
		warm               bool      // the warm-up is over
		measuredFrom       time.Time // when it ended
	}
}

func newReporter(o *RunOptions) *reporter {
	r := &reporter{o: o, start: time.Now()}
	for t := range r.mu.now {
		r.mu.now[t], r.mu.all[t] = newHistogram(), newHistogram()
	}
	r.mu.measuredFrom = r.start
	return r
}

func (r *reporter) committed(t txType, d time.Duration) {
	us := min(max(d.Microseconds(), 1), maxLatency)
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.mu.now[t].RecordValue(us) // in range by the line above
	_ = r.mu.all[t].RecordValue(us)
}

func (r *reporter) count(f func(*Counters)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.mu.nowCount)
	f(&r.mu.allCount)
}

func (r *reporter) rolledBack() { r.count(func(c *Counters) { c.RolledBack++ }) }
func (r *reporter) retried()    { r.count(func(c *Counters) { c.Retries++ }) }
func (r *reporter) lost()       { r.count(func(c *Counters) { c.Lost++ }) }

// connectFailed is expected while the server is down. The first reason is kept: a wrong password
// looks the same.
func (r *reporter) connectFailed(err error) {
	r.count(func(c *Counters) { c.ConnectFail++ })
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.firstError == "" {
		r.mu.firstError = fmt.Sprintf("connect: %v", err)
	}
}

// mostLoggedErrors bounds the log: a broken server fails every transaction the same way.
const mostLoggedErrors = 20

func (r *reporter) failed(t txType, err error) {
	r.count(func(c *Counters) { c.Errors++ })
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.firstError == "" {
		r.mu.firstError = fmt.Sprintf("%s: %v", t, err)
	}
	if r.mu.logged++; r.mu.logged <= mostLoggedErrors && r.o.Log != nil {
		fmt.Fprintf(r.o.Log, "%s: %v\n", t, err)
	}
}

// loop prints a line per interval, and starts the measurement after the warm-up, until stopped is
// closed.
func (r *reporter) loop(stopped <-chan struct{}) {
	last := r.start
	bench.Intervals(r.o.ReportInterval, r.o.Warmup, stopped, r.measureFrom, func(now time.Time) {
		line := r.interval(now, now.Sub(last))
		last = now
		if r.o.ReportInterval > 0 {
			r.printInterval(line)
		}
	})
}

// measureFrom starts the measurement: what came before does not count in the summary.
func (r *reporter) measureFrom(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.warm, r.mu.measuredFrom = true, now
	r.mu.allCount = Counters{}
	for _, h := range r.mu.all {
		h.Reset()
	}
}

// interval takes the current interval's numbers and starts the next one.
func (r *reporter) interval(now time.Time, length time.Duration) Interval {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := Interval{T: now.Sub(r.start).Seconds(), UnixMS: now.UnixMilli(), Warmup: !r.mu.warm, Counters: r.mu.nowCount}
	line.TPS, line.NOTPM, line.Tx = rates(&r.mu.now, length)
	for _, h := range r.mu.now {
		h.Reset()
	}
	r.mu.nowCount = Counters{}
	return line
}

func rates(h *[txTypes]*hdrhistogram.Histogram, length time.Duration) (tps, notpm float64, tx map[string]TxStats) {
	tx = make(map[string]TxStats, txTypes)
	total := int64(0)
	ms := func(us int64) float64 { return float64(us) / 1000 }
	for t, h := range h {
		n := h.TotalCount()
		total += n
		tx[txType(t).String()] = TxStats{
			Count: n, MeanMS: h.Mean() / 1000, P50MS: ms(h.ValueAtPercentile(50)), P95MS: ms(h.ValueAtPercentile(95)),
			P99MS: ms(h.ValueAtPercentile(99)), MaxMS: ms(h.Max()),
		}
	}
	secs := max(length.Seconds(), 1e-9)
	return float64(total) / secs, float64(h[newOrder].TotalCount()) / secs * 60, tx
}

func (r *reporter) summary(warehouses int) Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	length := time.Since(r.mu.measuredFrom)
	s := Summary{Summary: true, Warehouses: warehouses, Threads: r.o.Threads, Protocol: "text", Seed: r.o.Seed,
		Seconds: length.Seconds(), Counters: r.mu.allCount, FirstError: r.mu.firstError}
	if r.o.Prepared {
		s.Protocol = "prepared"
	}
	s.TPS, s.NOTPM, s.Tx = rates(&r.mu.all, length)
	return s
}

func (r *reporter) printInterval(l Interval) {
	if r.o.JSON {
		_ = writeJSON(r.o.Out, l) // the summary's write reports a broken pipe
		return
	}
	mark := ""
	if l.Warmup {
		mark = " (warm-up)"
	}
	fmt.Fprintf(r.o.Out, "[%5.0fs] tps %7.1f  NOTPM %8.0f  p95/p99 ms:", l.T, l.TPS, l.NOTPM)
	for t := range txTypes {
		s := l.Tx[t.String()]
		fmt.Fprintf(r.o.Out, "  %s %.1f/%.1f", shortName[t], s.P95MS, s.P99MS)
	}
	fmt.Fprintf(r.o.Out, "  retries %d errors %d lost %d%s\n", l.Retries, l.Errors, l.Lost, mark)
}

var shortName = [txTypes]string{"NO", "P", "OS", "D", "SL"}

// print writes the summary.
func (r *reporter) print(s Summary) error {
	if r.o.JSON {
		return writeJSON(r.o.Out, s)
	}
	w := r.o.Out
	fmt.Fprintf(w, "\n%d warehouses, %d threads, %s protocol, seed %d: %.1f s measured\n",
		s.Warehouses, s.Threads, s.Protocol, s.Seed, s.Seconds)
	fmt.Fprintf(w, "%-13s %9s %9s %9s %9s %9s %9s\n", "transaction", "count", "mean ms", "p50 ms", "p95 ms", "p99 ms", "max ms")
	for t := range txTypes {
		x := s.Tx[t.String()]
		fmt.Fprintf(w, "%-13s %9d %9.2f %9.2f %9.2f %9.2f %9.2f\n", t, x.Count, x.MeanMS, x.P50MS, x.P95MS, x.P99MS, x.MaxMS)
	}
	if s.FirstError != "" {
		fmt.Fprintf(w, "first error: %s\n", s.FirstError)
	}
	_, err := fmt.Fprintf(w, "NOTPM %.0f  tps %.1f  rolled back %d  retries %d  lost %d  errors %d\n",
		s.NOTPM, s.TPS, s.RolledBack, s.Retries, s.Lost, s.Errors)
	return err
}

func writeJSON(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
