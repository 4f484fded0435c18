package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/recovery"
	"emberdb/internal/base"
)

// Progress is how far a start has come. The zero value: nothing is left to do.
type Progress struct {
	Phase       string // "starting", "recovering", "warming"
	Opened      bool   // statements can be served
	Done, Total int64  // pages; 0: not known
	ETA         time.Duration
}

// Percent is how much of the phase is done.
func (p Progress) Percent() float64 { return 100 * float64(p.Done) / float64(max(p.Total, 1)) }

func (p Progress) String() string {
	if p.Phase == "" {
		return "ready"
	}
	s := p.Phase
	if p.Total > 0 {
		s = fmt.Sprintf("%s %.0f %%", p.Phase, p.Percent())
	}
	if p.ETA > 0 {
		s += fmt.Sprintf(", %.0f s left", p.ETA.Seconds())
	}
	return s
}

const (
	progressEvery = time.Second
	progressLines = 3 // seconds between lines in the log
)

// reporter tells how a start goes on: to OnProgress, and, of a recovery that takes longer, to the
// log and the timeline.
type reporter struct {
	redo     atomic.Pointer[recovery.Redo] // from the time it exists
	opened   atomic.Bool
	repaired atomic.Int64 // pages, from the doublewrite area
	since    atomic.Int64 // nanoseconds after the origin at which the redo of pages began
	quit     chan struct{}
	done     chan struct{}
	end      sync.Once
}

func (r *reporter) start(e *Engine) {
	r.quit, r.done = make(chan struct{}), make(chan struct{})
	go r.run(e)
}

func (r *reporter) stop() {
	r.end.Do(func() {
		close(r.quit)
		<-r.done
	})
}

func (r *reporter) run(e *Engine) {
	defer close(r.done)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-r.quit:
			return
		case <-tick.C:
		}
		p := e.Progress()
		if e.o.OnProgress != nil {
			e.o.OnProgress(p)
		}
		switch {
		case p.Phase == "":
			return
		case p.Phase != "warming" && n%progressLines == 0:
			e.o.Logger.Warn(p.String(), "pages done", p.Done, "of", p.Total, "since", time.Since(e.o.Origin).Round(100*time.Millisecond))
			e.timeline.Note("redo", p.String())
		}
	}
}

// Progress tells how far the start has come.
func (e *Engine) Progress() Progress {
	p := Progress{Phase: "starting", Opened: e.reporter.opened.Load()}
	if r := e.reporter.redo.Load(); r != nil {
		if p.Done, p.Total = r.Progress(); p.Done < p.Total {
			p.Phase, p.ETA = "recovering", e.reporter.eta(e, p.Done, p.Total)
			return p
		}
	}
	if !p.Opened {
		return p
	}
	p = Progress{Opened: true}
	if w := e.warm.Status(); w.Loading {
		p.Phase, p.Done, p.Total, p.ETA = "warming", int64(w.Load.Done+w.Load.Skipped), int64(w.Load.Total), w.LoadETA
	}
	return p
}

// eta is what the rest takes at the pace so far, or, of a recovery that has just begun, by what
// earlier ones took.
func (r *reporter) eta(e *Engine, done, total int64) time.Duration {
	now := int64(time.Since(e.o.Origin))
	r.since.CompareAndSwap(0, now)
	took := time.Duration(now - r.since.Load())
	if done*20 < total || took < 2*time.Second {
		if !e.reporter.opened.Load() {
			return 0
		}
		rates, _ := e.target.rates()
		st := e.redo.Stats()
		_, reading, redoing := rates.Estimate(0, int64(st.To-st.From), total, st.PagesBuilt)
		return max(0, reading+redoing-took)
	}
	return time.Duration(float64(took) * float64(total-done) / float64(done))
}

// RecoveryPhase is one part of what a start does, while it runs and afterwards.
type RecoveryPhase struct {
	Name, State string // waiting, running, done, or what the timeline says of a failure
	Began, Took time.Duration
	Unit        string
	Done, Total int64
	ETA         time.Duration // negative: not known
	Bytes       int64         // read by the phase
	Note        string
}

// RecoveryPhases lists them in order: torn pages, looking for what needs redo, redo, undo of
// unfinished transactions, load of the LRU list.
func (e *Engine) RecoveryPhases() []RecoveryPhase {
	st := e.redo.Stats()
	out := []RecoveryPhase{
		{Name: "doublewrite", Unit: "pages repaired", Done: e.reporter.repaired.Load(), Total: e.reporter.repaired.Load()},
		{Name: "redo scan", Unit: "segments", Done: int64(st.Segments), Total: int64(st.Segments), Bytes: int64(st.To - st.From)},
		{Name: "redo", Unit: "pages", Done: st.PagesTotal - st.PagesPending, Total: st.PagesTotal, Bytes: st.Bytes, ETA: -1},
	}
	if p := e.Progress(); p.Phase == "recovering" {
		out[2].ETA = p.ETA
	}
	now := time.Since(e.o.Origin)
	for i := range out {
		r := &out[i]
		r.State = "waiting"
		for _, p := range e.timeline.Phases() {
			if p.Name == r.Name {
				r.State, r.Began, r.Took, r.Note = "done", p.Start, p.Took, p.Note
				if !p.Done {
					r.State, r.Took = "running", now-p.Start
				}
			}
		}
		if r.State == "done" {
			r.ETA = 0
		}
	}
	out = append(out, e.undoPhase())
	w := e.warm.Status()
	load := RecoveryPhase{Name: "load", State: "done", Unit: "pages", Done: int64(w.Load.Done + w.Load.Skipped), Total: int64(w.Load.Total), Bytes: w.Load.Bytes, Note: w.LoadStatus}
	if w.Loading {
		load.State, load.ETA = "running", w.LoadETA
	}
	return append(out, load)
}

// undoPhase is the undo of transactions that a crash left unfinished.
func (e *Engine) undoPhase() RecoveryPhase {
	u := RecoveryPhase{Name: "undo", State: "done", Unit: "rows"}
	for _, t := range e.txns.Aborted() {
		if !t.Recovered {
			continue
		}
		u.State = "waiting"
		if t.Working {
			u.State = "running"
		}
		u.Done += int64(t.Done)
		u.Total += int64(t.Done) + int64(t.Left)
		if t.ETA < 0 || u.ETA < 0 {
			u.ETA = -1
		} else {
			u.ETA += t.ETA
		}
	}
	return u
}

// RecoveryCounter is a number of the recovery at this start, in the manner of XtraDB's recovery
// statistics.
type RecoveryCounter struct {
	Phase, Name string
	Value       uint64
	Unit        string
}

// RecoveryCounters lists them; all grow while recovery runs.
func (e *Engine) RecoveryCounters() []RecoveryCounter {
	st, f := e.redo.Stats(), e.files.Stats()
	ms := func(d time.Duration) uint64 { return uint64(d.Milliseconds()) }
	return []RecoveryCounter{
		{"doublewrite", "pages_repaired", uint64(e.reporter.repaired.Load()), "pages"},
		{"redo scan", "time", ms(st.ScanTook), "ms"},
		{"redo scan", "checkpoint_lsn", uint64(st.From), "lsn"},
		{"redo scan", "end_lsn", uint64(st.To), "lsn"},
		{"redo scan", "log_since_checkpoint", uint64(st.To - st.From), "bytes"},
		{"redo scan", "segments", uint64(st.Segments), "segments"},
		{"redo scan", "segments_parsed", uint64(st.Parsed), "segments"},
		{"redo scan", "page_index", uint64(st.IndexBytes), "bytes"},
		{"redo scan", "pages_to_redo", uint64(st.PagesTotal), "pages"},
		{"redo", "time", ms(st.RedoTook), "ms"},
		{"redo", "time_parsing", ms(st.ParseTook), "ms"},
		{"redo", "time_applying", ms(st.ApplyTook), "ms"},
		{"redo", "groups_parsed", uint64(st.Groups), "groups"},
		{"redo", "bytes_parsed", uint64(st.Bytes), "bytes"},
		{"redo", "records_applied", uint64(st.Applied), "records"},
		{"redo", "records_skipped", uint64(st.Skipped), "records"},
		{"redo", "pages_requested", uint64(st.PagesRead), "pages"},
		{"redo", "pages_changed", uint64(st.PagesChanged), "pages"},
		{"redo", "pages_built", uint64(st.PagesNew), "pages"},
		{"redo", "pages_on_demand", uint64(st.PagesDemanded), "pages"},
		{"redo", "pages_left", uint64(st.PagesPending), "pages"},
		{"redo", "passes", uint64(st.Passes), "passes"},
		{"files", "pages_read", f.PagesRead, "pages"},
		{"files", "pages_written", f.PagesWritten, "pages"},
		{"files", "bytes_read", f.PagesRead * base.PageSize, "bytes"},
		{"undo", "rows_undone", uint64(e.txns.Stats().UndoneRows), "rows"},
		{"undo", "transactions_left", uint64(e.txns.Stats().Aborted), "transactions"},
	}
}
