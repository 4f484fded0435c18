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

// What a recovery costs. It has parts, each with its own rate for each of its units:
//
//	start    the process, its files, the catalog                once
//	scan     the end of the log, and what needs redo, found     bytes parsed: see ParsedBytes
//	gather   the log read, its records filed by page            bytes of log
//	apply    pages read and brought forward                     pages, of those that gather builds a fiftieth
//
// These pages are written later, as others are: nobody waits for that.
//
// A recovery measures each part, so each of those that this data directory has seen teaches all
// rates. A rate is their median, as one recovery beside which the machine did something else tells
// nothing of the next; the newer and the nearer in size count more, for pages that stand together
// are read together, those built from nothing are not read, and what a round costs in itself is in
// the rates, too. A guess from the processors and the device counts little beside any.

// Sample is what one crash recovery found and took. The last keptSamples are kept in the data
// directory, oldest first, in SamplesFile, a JSON array. It is for estimates only: one that cannot
// be read is begun again.
type Sample struct {
	When      time.Time     `json:"when"`
	Parsed    int64         `json:"parsed_bytes"` // about: see ParsedBytes
	Log       int64         `json:"log_bytes"`
	Pages     int64         `json:"pages"`
	Built     int64         `json:"built_pages"` // of them, without being read
	Open      time.Duration `json:"open_ns"`     // from the start of the process until the server was open
	Scan      time.Duration `json:"scan_ns"`     // of that; 0: written by a version that did not measure the parts
	Redo      time.Duration `json:"redone_ns"`   // from there until the last page was redone
	Gather    time.Duration `json:"gather_ns"`   // of that; the rest is apply
	Estimated time.Duration `json:"estimated_ns"`
}

// SamplesFile is where the recoveries of a data directory are recorded.
const SamplesFile = "ember_recoveries.json"

const keptSamples = 16

// ParsedBytes is how much of the log a start reads before it opens, given what stands in the
// segment in which the log ends, and all since the checkpoint: the former, about 1 % of the others,
// and what each start reads.
func ParsedBytes(tail, log int64) int64 { return min(tail, log) + log/64 + eachStart }

const eachStart = 8 << 20

type part int

const (
	start part = iota
	scan
	gather
	apply
	parts
)

// costs are seconds, or units, of each part.
type costs [parts]float64

func (s *Sample) units() costs {
	return costs{1, float64(s.Parsed), float64(s.Log), float64(s.Pages) - (1-builtCosts)*float64(min(s.Built, s.Pages))}
}

func (s *Sample) took() costs {
	return costs{(s.Open - s.Scan).Seconds(), s.Scan.Seconds(), s.Gather.Seconds(), (s.Redo - s.Gather).Seconds()}
}

// Rates are what a data directory's recoveries, and its device, have shown.
type Rates struct {
	guess costs // seconds for each unit
	seen  []Sample
}

// Device is what is known without a recovery: the time of a page read alone and the bytes a second
// of large reads, 0 if they are not known, the readers at work, and the processors.
type Device struct {
	Read    time.Duration
	Bytes   float64
	Readers int
	Cores   int
}

const (
	newerCounts = 0.85 // the weight of the recovery before one
	guessCounts = 0.03 // the weight of the guess beside the recoveries
	builtCosts  = 0.02 // of what a page costs that is read: gather has built it
)

// What a processor of today needs, and a device of which nothing is known. What all processors
// share is told for one of them.
const (
	startSeconds  = 0.3 // most of it the program, read from disk
	scanSeconds   = 1.0 / (256 << 20)
	gatherSeconds = 1.0 / (256 << 20)
	applySeconds  = 80e-6 // of a page that is read
	readAlone     = 0.25  // of the pages: others are read beside them, or built from nothing
	unknownDevice = 100 * time.Microsecond
)

// NewRates makes rates of what the device does and of the recoveries seen, oldest first.
func NewRates(seen []Sample, d Device) Rates {
	if d.Read == 0 {
		d.Read = unknownDevice
	}
	cores := float64(max(1, min(laneMost, d.Cores)))
	g := costs{startSeconds, scanSeconds, gatherSeconds / cores, applySeconds/cores + readAlone*d.Read.Seconds()/float64(max(1, d.Readers))}
	if d.Bytes > 0 {
		g[gather] = max(g[gather], 1/d.Bytes)
	}
	return Rates{g, seen}
}

// Estimate is how long a recovery takes: until the server answers, and from there for reading the
// log, and for the pages.
func (r Rates) Estimate(parsed, log, pages, built int64) (open, reading, redoing time.Duration) {
	s := Sample{Parsed: parsed, Log: log, Pages: pages, Built: built}
	took := s.units()
	for p := range parts {
		took[p] *= r.rate(&s, p)
	}
	return seconds(took[start] + took[scan]), seconds(took[gather]), seconds(took[apply])
}

// rate is the time for each unit of a part in a recovery of about this size.
func (r Rates) rate(size *Sample, p part) float64 {
	logs := []weighed{{guessCounts, math.Log(r.guess[p])}}
	weight := 1.0
	for k := len(r.seen) - 1; k >= 0; k-- {
		s := &r.seen[k]
		if n, t := s.units()[p], s.took()[p]; n > 0 && t > 0 && s.Scan > 0 {
			logs = append(logs, weighed{weight / (1 + s.far(size, p)), math.Log(t / n)})
		}
		weight *= newerCounts
	}
	return math.Exp(median(logs))
}

// far is how often the sizes that matter to a part must be doubled to go from one recovery to the
// other.
func (s *Sample) far(other *Sample, p part) float64 {
	doubled := func(a, b int64) float64 { return math.Log2(float64(max(1, a)) / float64(max(1, b))) }
	switch p {
	case start:
		return 0
	case scan:
		return math.Abs(doubled(s.Parsed, other.Parsed))
	default:
		return math.Hypot(doubled(s.Log, other.Log), doubled(s.Pages, other.Pages))
	}
}

type weighed struct{ weight, value float64 }

// median is the value with half of the weight on either side, between its neighbours by how far
// that half reaches into them.
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
