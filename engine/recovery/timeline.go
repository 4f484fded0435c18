package recovery

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"emberdb/internal/vfs"
)

// Timeline records what a start spent its time on. Phases may overlap: background work runs beside
// serving.
//
// The starts of a data directory are kept in the file StartsFile: a JSON array of Start, oldest
// first, the last keptStarts. It is for people: one that cannot be read is begun again.
type Timeline struct {
	mu     sync.Mutex
	origin time.Time
	phases []*Phase

	earlier []Start
	save    func(starts []Start) // nil: nothing is kept yet
}

// Phase is one named stretch of a start. Notes hold its numbers as text.
type Phase struct {
	Name  string        `json:"phase"`
	Start time.Duration `json:"start_ns"` // since the origin
	Took  time.Duration `json:"took_ns"`  // 0 while it runs
	Done  bool          `json:"done"`
	Note  string        `json:"note,omitempty"`
}

// Start is the recorded timeline of one start.
type Start struct {
	Began  time.Time `json:"began"`
	Phases []Phase   `json:"phases"`
}

// StartsFile is where the starts of a data directory are recorded.
const StartsFile = "ember_starts.json"

const keptStarts = 20

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
		t.saveLocked()
	}
}

// Note sets the note of a phase that has begun, while it runs.
func (t *Timeline) Note(name, note string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.phases {
		if p.Name == name && !p.Done {
			p.Note = note
		}
	}
	t.saveLocked()
}

// Mark records a moment, for example the first query.
func (t *Timeline) Mark(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, &Phase{Name: name, Start: time.Since(t.origin), Done: true})
	t.saveLocked()
}

// Passed records a phase that began with the timeline and ends now.
func (t *Timeline) Passed(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, &Phase{Name: name, Took: time.Since(t.origin), Done: true})
}

// Keep records this start in the data directory from now on, whenever a phase ends.
func (t *Timeline) Keep(fsys vfs.FS, dir string, logger *slog.Logger) {
	earlier, err := ReadStarts(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		logger.Warn("record of earlier starts not read", "err", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.earlier = earlier[max(0, len(earlier)-keptStarts+1):]
	t.save = func(starts []Start) {
		if err := writeStarts(fsys, dir, starts); err != nil {
			logger.Warn("start not recorded", "err", err)
			t.save = nil
		}
	}
	t.saveLocked()
}

func (t *Timeline) saveLocked() {
	if t.save != nil {
		t.save(t.startsLocked())
	}
}

// Starts are the earlier starts, oldest first, and this one.
func (t *Timeline) Starts() []Start {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.startsLocked()
}

func (t *Timeline) startsLocked() []Start {
	return append(append([]Start(nil), t.earlier...), Start{t.origin, t.phasesLocked()})
}

// ReadStarts reads the recorded starts of a data directory, oldest first. fs.ErrNotExist: none was
// recorded.
func ReadStarts(fsys vfs.FS, dir string) (starts []Start, err error) {
	path := filepath.Join(dir, StartsFile)
	data, err := vfs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &starts); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return starts, nil
}

func writeStarts(fsys vfs.FS, dir string, starts []Start) error {
	return writeJSON(fsys, filepath.Join(dir, StartsFile), starts)
}

// writeJSON replaces a file as a whole.
func writeJSON(fsys vfs.FS, path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := fsys.Open(path+".tmp", vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.SyncAll()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return fsys.Rename(path+".tmp", path)
}

// Phases returns a copy, in order of their beginning.
func (t *Timeline) Phases() []Phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phasesLocked()
}

func (t *Timeline) phasesLocked() []Phase {
	out := make([]Phase, len(t.phases))
	for i, p := range t.phases {
		out[i] = *p
	}
	return out
}

// String is one line for the log.
func (t *Timeline) String() string {
	const fine = 100 * time.Microsecond
	var parts []string
	for _, p := range t.Phases() {
		s := fmt.Sprintf("%s %s", p.Name, p.Took.Round(fine))
		switch {
		case p.Done && p.Took == 0:
			s = fmt.Sprintf("%s at %s", p.Name, p.Start.Round(fine))
		case !p.Done:
			s = fmt.Sprintf("%s since %s", p.Name, p.Start.Round(fine))
		}
		if p.Note != "" {
			s += " (" + p.Note + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
