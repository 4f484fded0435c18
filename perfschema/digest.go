package perfschema

import (
	"sync"
	"sync/atomic"

	"emberdb/sql/token"
)

// Digest is the sum of the statements of one schema that differ only in their values.
type Digest struct {
	Schema string // "" for none
	Text   string
	ID     string
	Lost   bool // it stands for those that found no room

	Histogram
	of      *Registry
	gone    atomic.Bool // by a reset
	stripes [stripes]stripe

	sampleAge atomic.Int64 // when the sample was seen, in microseconds of Unix
	sampled   atomic.Int64 // its time in nanoseconds
	sampling  sync.Mutex
	sample    string
}

// stripes keeps threads that run the same statement apart.
const stripes = 4

type stripe struct {
	sync.Mutex
	stats       Stats
	first, last int64
	_           [64]byte // the next one's cache line begins behind it
}

// Summary is what a Digest holds at one moment. Times of the clock are in microseconds of Unix.
type Summary struct {
	Stats
	First, Last int64
	Sample      string
	SampleSeen  int64
	SampleWait  int64 // nanoseconds
}

// Summary adds up the stripes.
func (d *Digest) Summary() (s Summary) {
	for i := range d.stripes {
		p := &d.stripes[i]
		p.Lock()
		s.merge(&p.stats)
		if p.first != 0 && (s.First == 0 || p.first < s.First) {
			s.First = p.first
		}
		s.Last = max(s.Last, p.last)
		p.Unlock()
	}
	d.sampling.Lock()
	defer d.sampling.Unlock()
	s.Sample, s.SampleSeen, s.SampleWait = d.sample, d.sampleAge.Load(), d.sampled.Load()
	return s
}

// add adds an event that ended at a time in microseconds of Unix.
func (d *Digest) add(thread uint64, e *Event, bucket int, ended, maxAge int64) {
	p := &d.stripes[thread%stripes]
	p.Lock()
	p.stats.add(e)
	if p.first == 0 {
		p.first = ended - e.Wait/1000
	}
	p.last = ended
	p.Unlock()
	d.Histogram.add(bucket, 1)
	if seen := d.sampleAge.Load(); seen == 0 || e.Wait > d.sampled.Load() || ended-seen > maxAge {
		d.sampling.Lock()
		d.sample = e.Text
		d.sampled.Store(e.Wait)
		d.sampleAge.Store(ended)
		d.sampling.Unlock()
	}
}

type digestKey struct{ schema, text string }

// digests is the table of them.
type digests struct {
	of    *Registry
	mu    sync.RWMutex
	byKey map[digestKey]*Digest
	lost  *Digest // nil: there was room for all
	limit int
}

func (t *digests) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.byKey {
		d.gone.Store(true)
	}
	if t.lost != nil {
		t.lost.gone.Store(true)
	}
	t.byKey, t.lost = map[digestKey]*Digest{}, nil
}

func (t *digests) get(schema, text string) *Digest {
	key := digestKey{schema, text}
	t.mu.RLock()
	d := t.byKey[key]
	t.mu.RUnlock()
	if d != nil {
		return d
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if d = t.byKey[key]; d != nil {
		return d
	}
	if len(t.byKey) >= t.limit {
		if t.lost == nil {
			t.lost = &Digest{of: t.of, Lost: true}
		}
		return t.lost
	}
	d = &Digest{of: t.of, Schema: schema, Text: text, ID: token.DigestID(text)}
	t.byKey[key] = d
	return d
}

func (t *digests) all() []*Digest {
	t.mu.RLock()
	defer t.mu.RUnlock()
	out := make([]*Digest, 0, len(t.byKey)+1)
	for _, d := range t.byKey {
		out = append(out, d)
	}
	if t.lost != nil {
		out = append(out, t.lost)
	}
	return out
}

// Slot keeps the digest of a statement that is run many times. Two of its texts may differ in
// whether rows follow the first: INSERT with one row and with several.
type Slot struct{ one, many atomic.Pointer[Digest] }

// Digest returns the digest of a statement's text; slot may be nil. verb stands before the text:
// EXECUTE, or PREPARE. It is nil while digests are not wanted.
func (r *Registry) Digest(slot *Slot, many bool, schema, verb, text string, mode token.Mode, cs *token.Charset) *Digest {
	if !r.on[Digests].Load() || !r.Enabled() {
		return nil
	}
	var keep *atomic.Pointer[Digest]
	if slot != nil {
		keep = &slot.one
		if many {
			keep = &slot.many
		}
		if d := keep.Load(); d != nil && d.of == r && d.Schema == schema && !d.gone.Load() {
			return d
		}
	}
	digest := token.Digest(text, mode, cs, r.o.DigestLength)
	if verb != "" {
		digest = verb + " " + digest
	}
	d := r.digests.get(schema, digest)
	if keep != nil {
		keep.Store(d)
	}
	return d
}

// Digests returns all digests, in no order.
func (r *Registry) Digests() []*Digest { return r.digests.all() }

// ResetDigests forgets them.
func (r *Registry) ResetDigests() { r.digests.reset() }

// LostDigests tells how many statements found no room.
func (r *Registry) LostDigests() uint64 {
	r.digests.mu.RLock()
	lost := r.digests.lost
	r.digests.mu.RUnlock()
	if lost == nil {
		return 0
	}
	return lost.Summary().Events
}
