package recovery

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"time"

	"emberdb/internal/vfs"
)

// What a recovery costs. Two costs are fitted, each to two quantities:
//
//	until the server opens   = fixed               + bytes parsed at the start (the open segment, and the heads of the others)
//	until all is redone      = bytes of log        + pages to be redone
//
// The factors begin as what the device and the processor suggest and follow the recoveries this data directory has seen. What they cannot express (pages that stand
// together are read together, those built from nothing are not read, a round has costs of its own) is much the same in recoveries of the same size: the estimate is
// moved by the median of what the factors miss those by, the newer and the nearer the more.

// Sample is what one crash recovery found and took. The last keptSamples are kept in the data directory, oldest first, in SamplesFile, a JSON array. It is for
// estimates only: one that cannot be read is begun again.
type Sample struct {
	When      time.Time     `json:"when"`
	Parsed    int64         `json:"parsed_bytes"` // about: see ParsedBytes
	Log       int64         `json:"log_bytes"`
	Pages     int64         `json:"pages"`
	Open      time.Duration `json:"open_ns"` // from the start of the process until the server was open
	Redo      time.Duration `json:"redo_ns"` // from there until the last page was redone and written
	Estimated time.Duration `json:"estimated_ns"`
}

// SamplesFile is where the recoveries of a data directory are recorded.
const SamplesFile = "ember_recoveries.json"

const keptSamples = 16

// ParsedBytes is how much of the log a start reads before it opens: the segment in which the log ends, and about 1 % of the others.
func ParsedBytes(tail, log int64) int64 { return tail + log/64 }

// Rates are seconds for each unit.
type Rates struct {
	Fixed, Parsed float64 // until open: for every start, for each byte parsed
	Log, Page     float64 // redo: for each byte of log, for each page

	opens, redos []fitPoint // the recoveries seen
}

// Device is what is known without a recovery: seconds for a page read and a page written in the background, and the readers at work.
type Device struct {
	Read, Write time.Duration
	Readers     int
}

const (
	newerCounts = 0.85 // the weight of the recovery before one
	nearFactor  = 2.0  // sizes that differ by so much count half
	factorsTrue = 0.1  // the weight of the factors beside the recoveries near
)

// What a processor of today needs.
const (
	fixedSeconds = 0.25
	parseSeconds = 1.0 / (300 << 20)
	logSeconds   = 1.0 / (400 << 20)
	pageSeconds  = 60e-6
)

// Fit makes rates of what the device does and of the recoveries seen, newer ones counting more.
func Fit(seen []Sample, d Device) Rates {
	r := Rates{Fixed: fixedSeconds, Parsed: parseSeconds, Log: logSeconds,
		Page: pageSeconds + d.Read.Seconds()/float64(max(1, d.Readers)) + d.Write.Seconds()}
	var opens, redos fit
	weight := 1.0
	for i := len(seen) - 1; i >= 0; i-- {
		s := &seen[i]
		opens.add(weight, 1, float64(s.Parsed), s.Open.Seconds())
		redos.add(weight, float64(s.Log), float64(s.Pages), s.Redo.Seconds())
		weight *= newerCounts
	}
	r.opens, r.redos = opens.points, redos.points
	r.Fixed, r.Parsed = opens.solve(r.Fixed, r.Parsed)
	r.Log, r.Page = redos.solve(r.Log, r.Page)
	return r
}

// Open is the time until the server answers.
func (r Rates) Open(parsed int64) time.Duration {
	return seconds((r.Fixed + r.Parsed*float64(parsed)) * missed(r.opens, r.Fixed, r.Parsed, 1, float64(parsed)))
}

// Redo is the time from there until nothing is left to be redone: for reading the log, and for the pages.
func (r Rates) Redo(log, pages int64) (reading, redoing time.Duration) {
	m := missed(r.redos, r.Log, r.Page, float64(log), float64(pages))
	return seconds(r.Log * float64(log) * m), seconds(r.Page * float64(pages) * m)
}

// missed is by how much a*x + b*y has missed the recoveries of about this size: the median, as one recovery beside which the machine did something else
// tells nothing of the next.
func missed(seen []fitPoint, a, b, x, y float64) float64 {
	logs := []weighed{{factorsTrue, 0}}
	for _, p := range seen {
		guess := a*p.x + b*p.y
		if guess <= 0 {
			continue
		}
		dx, dy := math.Log(max(1, x)/max(1, p.x))/math.Log(nearFactor), math.Log(max(1, y)/max(1, p.y))/math.Log(nearFactor)
		logs = append(logs, weighed{p.weight / (1 + dx*dx + dy*dy), math.Log(p.t / guess)})
	}
	return math.Exp(median(logs))
}

type weighed struct{ weight, value float64 }

// median is the value with half of the weight on either side, between its neighbours by how far that half reaches into them.
func median(of []weighed) float64 {
	slices.SortFunc(of, func(a, b weighed) int { return cmp.Compare(a.value, b.value) })
	half, below := 0.0, 0.0
	for _, w := range of {
		half += w.weight / 2
	}
	for k, w := range of {
		middle := below + w.weight/2
		if middle >= half {
			if k == 0 {
				return w.value
			}
			before := of[k-1]
			part := (half - (below - before.weight/2)) / (middle - (below - before.weight/2))
			return before.value + part*(w.value-before.value)
		}
		below += w.weight
	}
	return of[len(of)-1].value
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// fit finds a and b with a*x + b*y close to t in proportion, near what was guessed where the samples leave it open.
type fit struct{ points []fitPoint }

type fitPoint struct{ weight, x, y, t float64 }

func (f *fit) add(weight, x, y, t float64) {
	if t > 0 {
		f.points = append(f.points, fitPoint{weight * t / (t + 0.3), x, y, t}) // short ones are mostly noise
	}
}

// solve scales the guess to the samples, then moves its two parts by least squares of the errors in proportion: by factors, so that both stay positive, and
// one sample alone changes nothing but the scale.
func (f *fit) solve(a, b float64) (float64, float64) {
	const rounds = 200
	var sum, logs float64
	for _, p := range f.points {
		if guess := a*p.x + b*p.y; guess > 0 {
			sum += p.weight
			logs += p.weight * math.Log(p.t/guess)
		}
	}
	if sum == 0 {
		return a, b
	}
	scale := math.Exp(logs / sum)
	a, b = a*scale, b*scale
	for range rounds {
		var x1, y1, xg, yg float64
		for _, p := range f.points {
			x, y := p.weight*p.x/p.t, p.weight*p.y/p.t
			guess := (a*p.x + b*p.y) / p.t
			x1, y1, xg, yg = x1+x, y1+y, xg+x*guess, yg+y*guess
		}
		if xg > 0 {
			a *= x1 / xg
		}
		if yg > 0 {
			b *= y1 / yg
		}
	}
	return a, b
}

// ReadSamples reads the recorded recoveries of a data directory; none if none was recorded.
func ReadSamples(fsys vfs.FS, dir string) (seen []Sample, err error) {
	path := filepath.Join(dir, SamplesFile)
	data, err := vfs.ReadFile(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return seen, nil
}

// AddSample records one more recovery and returns all that are kept.
func AddSample(fsys vfs.FS, dir string, seen []Sample, s Sample) ([]Sample, error) {
	seen = append(seen[max(0, len(seen)-keptSamples+1):len(seen):len(seen)], s)
	return seen, writeJSON(fsys, filepath.Join(dir, SamplesFile), seen)
}
