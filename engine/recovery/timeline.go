package recovery

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Timeline records what a start spent its time on. Phases may overlap: background work runs beside serving.
type Timeline struct {
	mu     sync.Mutex
	origin time.Time
	phases []*Phase
}

// Phase is one named stretch of a start. Notes hold its numbers as text.
type Phase struct {
	Name  string
	Start time.Duration // since the origin
	Took  time.Duration // 0 while it runs
	Done  bool
	Note  string
}

// NewTimeline starts a timeline at the given moment, normally the start of the process.
func NewTimeline(origin time.Time) *Timeline { return &Timeline{origin: origin} }

// Begin opens a phase and returns the function that closes it with a note.
func (t *Timeline) Begin(name string) func(note string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Phase{Name: name, Start: time.Since(t.origin)}
	t.phases = append(t.phases, p)
	return func(note string) {
		t.mu.Lock()
		defer t.mu.Unlock()
		p.Took, p.Done, p.Note = time.Since(t.origin)-p.Start, true, note
	}
}

// Mark records a moment, for example the first query.
func (t *Timeline) Mark(name string) { t.Begin(name)("") }

// Phases returns a copy, in order of their beginning.
func (t *Timeline) Phases() []Phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]Phase, len(t.phases))
	for i, p := range t.phases {
		out[i] = *p
	}
	return out
}

// String is one line for the log.
func (t *Timeline) String() string {
	var parts []string
	for _, p := range t.Phases() {
		s := fmt.Sprintf("%s %s", p.Name, p.Took.Round(100*time.Microsecond))
		if p.Note != "" {
			s += " (" + p.Note + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
