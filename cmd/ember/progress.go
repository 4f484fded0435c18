package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sys/unix"
)

// progress shows how far a long work is: a bar with time left on a terminal, otherwise a line every
// ten seconds. The total may be corrected while it runs.
type progress struct {
	unit  string
	bars  *mpb.Progress // nil unless on a terminal
	bar   *mpb.Bar
	out   io.Writer // nil: silent
	start time.Time

	mu          sync.Mutex
	done, total int64
	name        string
	next        time.Time // of the next line
}

const lineEvery = 10 * time.Second

func newProgress(out io.Writer, quiet bool, verb, unit string) *progress {
	p := &progress{unit: unit, start: time.Now(), next: time.Now().Add(lineEvery)}
	if out == nil || quiet {
		return p
	}
	p.out = out
	f, ok := out.(*os.File)
	if !ok {
		return p
	}
	if _, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS); err != nil {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
	p.bar = p.bars.AddBar(0,
		mpb.PrependDecorators(decor.Name(verb+" "), decor.Percentage(decor.WCSyncSpace)),
		mpb.AppendDecorators(
			decor.CountersNoUnit("%d / %d "+unit),
			decor.Name("  ETA "), decor.AverageETA(decor.ET_STYLE_GO),
			decor.Any(func(decor.Statistics) string { return "  " + p.at() })),
		mpb.BarRemoveOnComplete())
	return p
}

// at is what is worked on, short enough for a line.
func (p *progress) at() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := []rune(p.name); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return p.name
}

// set tells how far the work is.
func (p *progress) set(done, total int64, name string) {
	p.mu.Lock()
	changed := total != p.total
	p.done, p.total, p.name = done, total, name
	line := p.out != nil && p.bar == nil && time.Now().After(p.next)
	if line {
		p.next = time.Now().Add(lineEvery)
	}
	p.mu.Unlock()
	switch {
	case p.bar != nil:
		if changed {
			p.bar.SetTotal(total, false)
		}
		p.bar.SetCurrent(min(done, total-1)) // the bar ends in finish
	case line:
		spent := time.Since(p.start)
		left := time.Duration(float64(spent) * float64(total-done) / float64(max(done, 1)))
		fmt.Fprintf(p.out, "%d / %d %s (%.0f %%), ETA %s, %s\n", done, total, p.unit, 100*float64(done)/float64(max(total, 1)), left.Round(time.Second), name)
	}
}

// finish ends the display.
func (p *progress) finish() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
