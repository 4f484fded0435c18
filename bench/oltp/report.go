package oltp

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"emberdb/bench"
	"emberdb/bench/measure"
)

// Counters tell what happened.
type Counters struct {
	Transactions int64 `json:"transactions"`
	Statements   int64 `json:"statements"` // of the committed transactions, BEGIN and COMMIT included
	Rows         int64 `json:"rows"`       // returned to the client
	Retries      int64 `json:"retries"`    // transactions ended by a deadlock or a lock wait timeout
	Lost         int64 `json:"lost"`       // transactions cut off by a lost connection
	Errors       int64 `json:"errors"`     // anything else
	ConnectFail  int64 `json:"connect_fail"`
}

func (c *Counters) add(o Counters) {
	c.Transactions += o.Transactions
	c.Statements += o.Statements
	c.Rows += o.Rows
	c.Retries += o.Retries
	c.Lost += o.Lost
	c.Errors += o.Errors
	c.ConnectFail += o.ConnectFail
}

// Interval is one line of the running report.
type Interval struct {
	T       float64         `json:"t"`       // seconds since the start
	UnixMS  int64           `json:"unix_ms"` // end of the interval
	Warmup  bool            `json:"warmup,omitempty"`
	TPS     float64         `json:"tps"`
	QPS     float64         `json:"qps"`
	Latency measure.Latency `json:"latency"`
	Counters
}

// Summary describes the measured time, without the warm-up.
type Summary struct {
	Summary   bool            `json:"summary"` // always true: marks the last JSON line
	Workload  string          `json:"workload"`
	Protocol  string          `json:"protocol"`
	Threads   int             `json:"threads"`
	Tables    int             `json:"tables"`
	TableSize int64           `json:"table_size"`
	Random    string          `json:"distribution"`
	Seed      uint64          `json:"seed"`
	Seconds   float64         `json:"seconds"`
	TPS       float64         `json:"tps"`
	QPS       float64         `json:"qps"`
	Latency   measure.Latency `json:"latency"`
	Counters
	ClientCPU  float64 `json:"client_cpu_us"`           // processor time of this client per statement
	ServerCPU  float64 `json:"server_cpu_us,omitempty"` // of the server; known over a unix socket
	FirstError string  `json:"first_error,omitempty"`
}

// meter is what one thread did in the current interval. Its lock is the thread's own but for a
// moment each interval.
type meter struct {
	rep *reporter

	mu    sync.Mutex
	hist  *measure.Histogram
	count Counters
}

func (m *meter) done(d time.Duration, statements, rows int64) {
	m.mu.Lock()
	m.hist.Record(d)
	m.count.Transactions++
	m.count.Statements += statements
	m.count.Rows += rows
	m.mu.Unlock()
}

func (m *meter) bump(f func(*Counters)) {
	m.mu.Lock()
	f(&m.count)
	m.mu.Unlock()
}

func (m *meter) lost()    { m.bump(func(c *Counters) { c.Lost++ }) }
func (m *meter) retried() { m.bump(func(c *Counters) { c.Retries++ }) }

func (m *meter) failed(err error) {
	m.bump(func(c *Counters) { c.Errors++ })
	m.rep.note(err, true)
}

// connectFailed is expected while the server is down. The first reason is kept: a wrong password
// looks the same.
func (m *meter) connectFailed(err error) {
	m.bump(func(c *Counters) { c.ConnectFail++ })
	m.rep.note(fmt.Errorf("connect: %w", err), false)
}

// mostLoggedErrors bounds the log: a broken server fails every transaction the same way.
const mostLoggedErrors = 20

// reporter gathers the threads' meters each interval. Only its loop touches the sums.
type reporter struct {
	o         *RunOptions
	serverPID int
	meters    []*meter
	start     time.Time

	measuredFrom time.Time
	warm         bool // the warm-up is over
	all          *measure.Histogram
	allCount     Counters
	clientCPU    time.Duration // at measuredFrom
	serverCPU    time.Duration

	mu         sync.Mutex
	firstError string
	logged     int
}

func newReporter(o *RunOptions, serverPID int) *reporter {
	r := &reporter{o: o, serverPID: serverPID, start: time.Now(), all: measure.NewHistogram()}
	for range o.Threads {
		r.meters = append(r.meters, &meter{rep: r, hist: measure.NewHistogram()})
	}
	r.measureFrom(r.start)
	r.warm = o.Warmup == 0
	return r
}

// note keeps the first error, and logs some of those that should not be.
func (r *reporter) note(err error, log bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.firstError == "" {
		r.firstError = err.Error()
	}
	if !log || r.o.Log == nil {
		return
	}
	if r.logged++; r.logged <= mostLoggedErrors {
		fmt.Fprintln(r.o.Log, err)
	}
}

// gather takes what the meters hold and adds it to the sums.
func (r *reporter) gather() (*measure.Histogram, Counters) {
	h, count := measure.NewHistogram(), Counters{}
	for _, m := range r.meters {
		m.mu.Lock()
		h.Add(m.hist)
		count.add(m.count)
		m.hist.Reset()
		m.count = Counters{}
		m.mu.Unlock()
	}
	r.all.Add(h)
	r.allCount.add(count)
	return h, count
}

// measureFrom starts the measurement: what came before does not count in the summary.
func (r *reporter) measureFrom(now time.Time) {
	r.all.Reset()
	r.allCount = Counters{}
	r.measuredFrom, r.warm = now, true
	r.clientCPU, r.serverCPU = measure.OwnCPU(), r.serverTime()
}

// serverTime is 0 when the server's process is not known or has ended.
func (r *reporter) serverTime() time.Duration {
	if r.serverPID == 0 {
		return 0
	}
	d, err := measure.ProcessCPU(r.serverPID)
	if err != nil {
		return 0
	}
	return d
}

// loop prints a line per interval until stopped is closed.
func (r *reporter) loop(stopped <-chan struct{}) {
	last := r.start
	warm := func(now time.Time) {
		if !r.warm {
			r.gather()
			r.measureFrom(now)
		}
	}
	bench.Intervals(r.o.ReportInterval, r.o.Warmup, stopped, warm, func(now time.Time) {
		line := r.interval(now, now.Sub(last))
		last = now
		if r.o.ReportInterval > 0 {
			r.printInterval(line)
		}
	})
	r.gather()
}

func (r *reporter) interval(now time.Time, length time.Duration) Interval {
	h, count := r.gather()
	secs := max(length.Seconds(), 1e-9)
	return Interval{T: now.Sub(r.start).Seconds(), UnixMS: now.UnixMilli(), Warmup: !r.warm, Latency: h.Latency(), Counters: count,
		TPS: float64(count.Transactions) / secs, QPS: float64(count.Statements) / secs}
}

func (r *reporter) summary() Summary {
	length := time.Since(r.measuredFrom)
	s := Summary{Summary: true, Workload: r.o.Workload, Protocol: "text", Threads: r.o.Threads, Tables: r.o.Tables, TableSize: r.o.TableSize,
		Random: r.o.Distribution, Seed: r.o.Seed, Seconds: length.Seconds(), Latency: r.all.Latency(), Counters: r.allCount}
	if r.o.Prepared {
		s.Protocol = "prepared"
	}
	s.TPS, s.QPS = float64(s.Transactions)/s.Seconds, float64(s.Statements)/s.Seconds
	perStatement := func(d time.Duration) float64 {
		return measure.Ratio(float64(d.Nanoseconds())/1000, float64(s.Statements))
	}
	s.ClientCPU = perStatement(measure.OwnCPU() - r.clientCPU)
	if t := r.serverTime(); t > 0 {
		s.ServerCPU = perStatement(t - r.serverCPU)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.FirstError = r.firstError
	return s
}

func (r *reporter) printInterval(l Interval) {
	if r.o.JSON {
		_ = json.NewEncoder(r.o.Out).Encode(l) // the summary's write reports a broken pipe
		return
	}
	mark := ""
	if l.Warmup {
		mark = " (warm-up)"
	}
	fmt.Fprintf(r.o.Out, "[%5.0fs] tps %9.1f  qps %9.1f  p50/p95/p99 ms %.2f/%.2f/%.2f  retries %d errors %d lost %d%s\n",
		l.T, l.TPS, l.QPS, l.Latency.P50MS, l.Latency.P95MS, l.Latency.P99MS, l.Retries, l.Errors, l.Lost, mark)
}

func (r *reporter) print(s Summary) error {
	w := r.o.Out
	if r.o.JSON {
		return json.NewEncoder(w).Encode(s)
	}
	fmt.Fprintf(w, "\n%s, %d threads, %s protocol, %d x %d rows, %s, seed %d: %.1f s measured\n",
		s.Workload, s.Threads, s.Protocol, s.Tables, s.TableSize, s.Random, s.Seed, s.Seconds)
	l := s.Latency
	fmt.Fprintf(w, "latency ms    mean %.2f  p50 %.2f  p95 %.2f  p99 %.2f  p99.9 %.2f  max %.2f\n", l.MeanMS, l.P50MS, l.P95MS, l.P99MS, l.P999MS, l.MaxMS)
	fmt.Fprintf(w, "cpu us/stmt   client %.1f", s.ClientCPU)
	if s.ServerCPU > 0 {
		fmt.Fprintf(w, "  server %.1f", s.ServerCPU)
	}
	fmt.Fprintln(w)
	if s.FirstError != "" {
		fmt.Fprintf(w, "first error: %s\n", s.FirstError)
	}
	_, err := fmt.Fprintf(w, "tps %.1f  qps %.1f  transactions %d  retries %d  lost %d  errors %d\n", s.TPS, s.QPS, s.Transactions, s.Retries, s.Lost, s.Errors)
	return err
}
