package bench

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sys/unix"
)

// Progress shows how far a long work is: a bar with rate and time left on a terminal, otherwise a
// line every ten seconds.
type Progress struct {
	done  atomic.Int64
	total int64
	unit  string

	bars *mpb.Progress // nil unless on a terminal
	bar  *mpb.Bar

	out  io.Writer // nil: silent
	stop chan struct{}
	idle chan struct{}
}

// NewProgress starts the display of a work of total units on out.
func NewProgress(out io.Writer, quiet bool, unit string, total int64) *Progress {
	p := &Progress{total: total, unit: unit}
	if out == nil || quiet {
		return p
	}
	if isTerminal(out) {
		p.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		p.bar = p.bars.AddBar(total,
			mpb.PrependDecorators(decor.Name("load "), decor.Percentage(decor.WCSyncSpace)),
			mpb.AppendDecorators(
				decor.CountersNoUnit("%d / %d "+unit),
				decor.Name("  "), decor.AverageSpeed(0, "%.0f/s"),
				decor.Name("  ETA "), decor.AverageETA(decor.ET_STYLE_GO)))
		return p
	}
	p.out, p.stop, p.idle = out, make(chan struct{}), make(chan struct{})
	go p.lines(time.Now())
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

func (p *Progress) lines(start time.Time) {
	defer close(p.idle)
	t := time.NewTicker(10 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			n := max(p.done.Load(), 1)
			spent := time.Since(start)
			left := time.Duration(float64(spent) * float64(max(p.total-n, 0)) / float64(n))
			fmt.Fprintf(p.out, "%d / %d %s (%.0f %%), %.0f/s, ETA %s\n", n, p.total, p.unit,
				100*float64(n)/float64(p.total), float64(n)/spent.Seconds(), left.Round(time.Second))
		}
	}
}

// Add tells that n more units are done.
func (p *Progress) Add(n int) {
	p.done.Add(int64(n))
	if p.bar != nil {
		p.bar.IncrBy(n)
	}
}

// Count is how many units are done.
func (p *Progress) Count() int64 { return p.done.Load() }

// Finish ends the display; complete says whether the work was done.
func (p *Progress) Finish(complete bool) {
	switch {
	case p.bar != nil && complete:
		p.bar.SetTotal(p.done.Load(), true)
		p.bars.Wait()
	case p.bar != nil:
		p.bar.Abort(false)
		p.bars.Wait()
	case p.stop != nil:
		close(p.stop)
		<-p.idle
	}
}
