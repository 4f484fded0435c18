package engine

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/recovery"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Recovery time as a setting. What a start would cost if the server died now follows from the log
// since the checkpoint, the pages that are dirty, and the rates that real recoveries and the device
// have shown (recovery.Rates). With a target set, the page cleaner is told each second how much log
// it may leave (buffer.Flusher.SetMaxAge). Nobody is ever made to wait for the target: a device
// that is too slow for it exceeds it, and the estimate tells.

const (
	leastAge    = 1 << 20          // of log; less gains nothing
	targetUse   = 0.95             // of the target that is meant to be used
	ratesWindow = 60 * time.Second // of the moving averages
)

// RecoveryEstimate tells what the next start would cost if the server died now.
type RecoveryEstimate struct {
	RedoBytes, Pages           int64         // log since the checkpoint; pages whose changes are only there
	Built                      int64         // of them those that need not be read
	Open, Log, Redo            time.Duration // until the server answers; reading the log; the pages
	Target                     time.Duration // 0: none
	MaxRedo                    int64         // log bytes the page cleaner may leave for the target; 0: no target
	Samples                    int           // recoveries the rates were learned from
	LastTook, LastEstimate     time.Duration // of the last of them
	LogBytesSecond, PageSecond float64       // the rates
}

// Total is from the start of the process until all is redone.
func (r *RecoveryEstimate) Total() time.Duration { return r.Open + r.Log + r.Redo }

// recoveryTarget keeps the estimate and the pace.
type recoveryTarget struct {
	e      *Engine
	target atomic.Int64 // nanoseconds
	maxAge atomic.Int64

	mu      sync.Mutex
	samples []recovery.Sample

	tail int64 // log in its newest segment when the engine opened

	// Owned by tick; mean under mu.
	stretch float64
	last    loadPoint
	mean    loadMean
}

// loadPoint is what was counted up to a moment.
type loadPoint struct {
	at      time.Time
	end     base.LSN
	written uint64 // pages
	took    time.Duration
}

// loadMean is a second's mean of late.
type loadMean struct {
	log, written float64       // bytes, pages
	pageTook     time.Duration // of a page write

	pageRead time.Duration // the least of all seconds: a recovery reads many pages at once, with the device for itself
	inRow    float64       // bytes a second of large reads; measured where no recovery has told
	times    int           // how often that was measured
}

func newRecoveryTarget(e *Engine) *recoveryTarget {
	t := &recoveryTarget{e: e, stretch: 1}
	t.target.Store(int64(e.o.RecoveryTarget))
	return t
}

// begin reads what earlier recoveries took. REQUIRES: the log is positioned.
func (t *recoveryTarget) begin() {
	t.tail = t.e.tail(t.e.redo.End())
	seen, err := recovery.ReadSamples(t.e.o.FS, t.e.o.DataDir)
	if err != nil {
		t.e.o.Logger.Warn("record of earlier recoveries not read", "err", err)
	}
	t.mu.Lock()
	t.samples = seen
	t.mu.Unlock()
}

// rates are the current factors.
func (t *recoveryTarget) rates() (recovery.Rates, []recovery.Sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := recovery.Device{Read: t.mean.pageRead, Bytes: t.mean.inRow, Readers: recovery.Readers, Cores: base.Processors}
	return recovery.NewRates(t.samples, d), t.samples
}

// tail is how much of the log stands in its newest segment.
func (e *Engine) tail(end base.LSN) int64 {
	for _, s := range slices.Backward(e.log.Segments()) {
		if s.Start <= end {
			return int64(end - s.Start)
		}
	}
	return 0
}

// RecoveryEstimate tells what the next start would cost if the server died now.
func (e *Engine) RecoveryEstimate() RecoveryEstimate {
	rates, seen := e.target.rates()
	p := e.pool.Stats()
	end := e.log.Appended()
	est := RecoveryEstimate{RedoBytes: int64(end - e.log.CheckpointLSN()), Pages: int64(p.PagesDirty + p.PagesInFlight), Built: int64(p.PagesBuilt),
		Target: time.Duration(e.target.target.Load()), MaxRedo: e.target.maxAge.Load(), Samples: len(seen)}
	if e.redo != nil {
		est.Pages += e.redo.Left()
	}
	est.Open, est.Log, est.Redo = rates.Estimate(recovery.ParsedBytes(e.tail(end), est.RedoBytes), est.RedoBytes, est.Pages, est.Built)
	_, log, pages := rates.Estimate(0, max(1, est.RedoBytes), max(1, est.Pages), est.Built)
	est.LogBytesSecond, est.PageSecond = float64(max(1, est.RedoBytes))/log.Seconds(), float64(max(1, est.Pages))/pages.Seconds()
	if len(seen) > 0 {
		s := seen[len(seen)-1]
		est.LastTook, est.LastEstimate = s.Open+s.Redo, s.Estimated
	}
	return est
}

// SetRecoveryTarget sets the time a recovery may take; 0: no limit but the log's size.
func (e *Engine) SetRecoveryTarget(d time.Duration) { e.target.target.Store(int64(d)) }

// tick follows the load and sets the pace.
func (t *recoveryTarget) tick() {
	e := t.e
	t.measure()
	t.measureReads()
	est := e.RecoveryEstimate()
	age := int64(0)
	if est.Target > 0 && e.redo.Left() == 0 { // before, the log cannot be shorter
		age = t.allowed(&est)
	}
	if old := t.maxAge.Swap(age); old != age {
		e.pool.Flusher().SetMaxAge(age)
	}
}

// allowed is how much log may wait for the cleaner. Log and dirty pages grow together, so what the
// log may be follows from what it costs now. The cleaner holds the age near half of what it is
// allowed to be: what it does not use is given to it.
func (t *recoveryTarget) allowed(est *RecoveryEstimate) int64 {
	budget := targetUse*est.Target.Seconds() - est.Open.Seconds()
	cost := (est.Log + est.Redo).Seconds()
	if cost > 0.9*budget {
		t.stretch = max(1, t.stretch*0.9)
	} else {
		t.stretch = min(2, t.stretch*1.02)
	}
	if budget <= 0 {
		return leastAge
	}
	age := float64(max(est.RedoBytes, leastAge)) * budget / max(cost, 1e-3) * t.stretch
	return max(leastAge, min(int64(age), t.e.log.Limit()))
}

// measure moves the means by what was counted since the last call.
func (t *recoveryTarget) measure() {
	f := t.e.files.Stats()
	now := loadPoint{time.Now(), t.e.log.Appended(), f.PagesWritten, f.WriteTook}
	last := t.last
	t.last = now
	span := now.at.Sub(last.at)
	if last.at.IsZero() || span <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	part := min(1, span.Seconds()/ratesWindow.Seconds())
	t.mean.log += (float64(now.end-last.end)/span.Seconds() - t.mean.log) * part
	t.mean.written += (float64(now.written-last.written)/span.Seconds() - t.mean.written) * part
	if n := now.written - last.written; n >= 64 {
		each, mean := (now.took-last.took)/time.Duration(n), &t.mean
		if mean.pageTook == 0 {
			mean.pageTook = each
		}
		mean.pageTook += (each - mean.pageTook) / 8
	}
	t.mean.pageRead = least(t.mean.pageRead, f.ReadLatency)
}

// measureReads finds out, where no recovery was seen, how fast the log could be read, from the
// beginning of its newest segment: the best of some times, for what else the volume does makes it
// slower. It is for the estimate only: what cannot be read is not told.
func (t *recoveryTarget) measureReads() {
	const block, readers, each, times = 1 << 20, 4, 2, 16
	t.mu.Lock()
	known := t.mean.times >= times || len(t.samples) > 0
	t.mean.times++
	t.mu.Unlock()
	if known {
		return
	}
	segs := t.e.log.Segments()
	if len(segs) == 0 {
		return
	}
	file, err := t.e.o.FS.Open(segs[len(segs)-1].Path, vfs.Options{ReadOnly: true, Direct: true})
	if err != nil {
		return
	}
	defer file.Close()
	var read atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for k := range int64(readers) {
		wg.Go(func() {
			buf := vfs.AlignedBlock(block)
			for i := range int64(each) {
				n, err := file.ReadAt(buf, (k*each+i)*block)
				if read.Add(int64(n)); err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if read.Load() < readers*each*block {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mean.inRow = max(t.mean.inRow, readers*each*block/max(time.Since(began).Seconds(), 1e-6))
}

// least is the smaller of two, of which 0 is not known.
func least(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// learn records a recovery that has ended. before is what it had done when the server opened.
func (t *recoveryTarget) learn(opened time.Duration, before recovery.Stats) {
	e := t.e
	st := e.redo.Stats()
	s := recovery.Sample{When: time.Now().UTC(), Log: int64(st.To - st.From), Parsed: recovery.ParsedBytes(t.tail, int64(st.To-st.From)), Pages: st.PagesTotal, Built: st.PagesBuilt,
		Open: opened, Scan: st.ScanTook, Redo: st.RedoTook, Gather: st.ParseTook - before.ParseTook}
	rates, seen := t.rates()
	open, reading, redoing := rates.Estimate(s.Parsed, s.Log, s.Pages, s.Built)
	s.Estimated = open + reading + redoing
	e.o.Logger.Info("recovery is complete", "took", (opened + s.Redo).Round(time.Millisecond), "estimated", s.Estimated.Round(time.Millisecond),
		"opened after", opened.Round(time.Millisecond), "log", s.Log, "pages", s.Pages)
	seen, err := recovery.AddSample(e.o.FS, e.o.DataDir, seen, s)
	if err != nil {
		e.o.Logger.Warn("recovery not recorded", "err", err)
	}
	t.mu.Lock()
	t.samples = seen
	t.mu.Unlock()
}

// RecoveryAdvice tells what a target would mean under the load of the last minute.
type RecoveryAdvice struct {
	Target        time.Duration // 0: none
	Current       bool
	Estimated     time.Duration // of a recovery; above the target if that cannot be held
	RedoBytes     int64
	DirtyPages    int64
	Writes, Extra float64 // pages a second, and how many more than without a target
	DeviceBusy    float64 // share of the time the page cleaner would be writing; above 1 it cannot keep up
	Throughput    float64 // what the extra writes leave of it, if all else waits for the same device: a lower bound
}

// adviceTargets are the targets the advice is given for, beside the current one and none.
var adviceTargets = []time.Duration{1, 2, 5, 10, 20, 30, 60, 120, 300}

// RecoveryAdvice compares targets. It is empty until pages have been changed.
func (e *Engine) RecoveryAdvice() (out []RecoveryAdvice) {
	trace := e.pool.Flusher().Trace()
	if len(trace) == 0 {
		return nil
	}
	rates, _ := e.target.rates()
	e.target.mu.Lock()
	mean := e.target.mean
	e.target.mu.Unlock()
	pool := e.pool.Stats()
	c := costs{rates: rates, trace: trace, limit: e.log.Limit() / 2, tail: e.tail(e.log.Appended()), built: float64(pool.PagesBuilt) / float64(max(1, pool.PagesDirty))}
	current := time.Duration(e.target.target.Load())
	targets := []time.Duration{0, current}
	for _, s := range adviceTargets {
		targets = append(targets, s*time.Second)
	}
	slices.SortFunc(targets, func(a, b time.Duration) int { return cmp.Compare(uint64(a)-1, uint64(b)-1) }) // none comes last
	targets = slices.Compact(targets)
	held := min(c.limit, int64(e.log.Appended()-e.log.CheckpointLSN())) // what is written now belongs to this age
	other := mean.written - mean.log*c.at(held).Writes
	without := max(0, other+mean.log*c.at(c.limit).Writes)
	for _, target := range targets {
		age := c.limit
		if target > 0 {
			age = c.ageFor(target)
		}
		w := c.at(age)
		a := RecoveryAdvice{Target: target, Current: target == current, Estimated: c.total(age), RedoBytes: age, DirtyPages: w.Dirty,
			Writes: max(0, other+mean.log*w.Writes)}
		a.Extra = a.Writes - without
		a.DeviceBusy = a.Writes * mean.pageTook.Seconds()
		a.Throughput = max(0, min(1, 1-a.Extra*mean.pageTook.Seconds()))
		out = append(out, a)
	}
	return out
}

// costs tells what an age of the log costs.
type costs struct {
	rates recovery.Rates
	trace []buffer.WritesAtAge
	limit int64 // without a target
	tail  int64
	built float64 // part of the pages that need not be read
}

// at interpolates the trace, in powers.
func (c *costs) at(age int64) buffer.WritesAtAge {
	t := c.trace
	k, _ := slices.BinarySearchFunc(t, age, func(w buffer.WritesAtAge, age int64) int { return cmp.Compare(w.Age, age) })
	if k == 0 || k == len(t) {
		w := t[max(0, k-1)]
		if k == 0 { // below the least age pages and log shrink together
			w.Dirty = int64(float64(w.Dirty) * float64(age) / float64(w.Age))
		}
		w.Age = age
		return w
	}
	lo, hi := t[k-1], t[k]
	part := math.Log(float64(age)/float64(lo.Age)) / math.Log(float64(hi.Age)/float64(lo.Age))
	between := func(a, b float64) float64 {
		return math.Exp(math.Log(max(a, 1e-12))*(1-part) + math.Log(max(b, 1e-12))*part)
	}
	return buffer.WritesAtAge{Age: age, Writes: between(lo.Writes, hi.Writes), Dirty: int64(between(float64(lo.Dirty), float64(hi.Dirty)))}
}

// total is what a recovery takes with so much log.
func (c *costs) total(age int64) time.Duration {
	pages := c.at(age).Dirty
	open, reading, redoing := c.rates.Estimate(recovery.ParsedBytes(c.tail, age), age, pages, int64(c.built*float64(pages)))
	return open + reading + redoing
}

// ageFor is the most log with which a recovery keeps the target.
func (c *costs) ageFor(target time.Duration) int64 {
	want := time.Duration(targetUse * float64(target))
	lo, hi := int64(leastAge), max(c.limit, leastAge)
	for hi-lo > lo/64 {
		mid := lo + (hi-lo)/2
		if c.total(mid) <= want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
