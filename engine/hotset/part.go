package hotset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

const (
	version = 1

	flagWhole = 1
	flagLast  = 2

	kindIndex   = 0
	kindRemoved = 1
	kindAdded   = 2 // and heat

	partBytes = 64 << 10 // after so many a part ends
	headBytes = 2

	maxName = 4 * 64   // bytes of a name
	maxKey  = 16 << 10 // a page; trees have shorter ones
)

// Delta returns parts that make a set follow new when they are applied to old; nil: to nothing. It
// ends after about limit bytes, 0 for never. turn chooses the index that comes first, so that each
// has its turn when not all changes fit.
func Delta(old, new *Set, turn, limit int) [][]byte {
	w := &writer{}
	flags := byte(0)
	if old == nil {
		old, flags = new.empty(), flagWhole
	}
	all := &Set{of: map[Index][]Range{}}
	for _, s := range []*Set{old, new} {
		for x := range s.of {
			all.of[x] = nil
		}
	}
	names := all.Indexes()
	w.begin(flags)
	for i := range names {
		x := names[(i+turn)%len(names)]
		w.index = &x
		if !w.changes(old.of[x], new.of[x], limit) {
			break
		}
	}
	w.part[1] |= flagLast
	return append(w.done, w.part)
}

func (s *Set) empty() *Set { return &Set{} }

// writer gathers parts.
type writer struct {
	done  [][]byte
	part  []byte
	size  int    // of what is done
	key   []byte // the one before, in this part
	index *Index // not written yet, or nil
	open  Index  // under which entries stand
}

func (w *writer) begin(flags byte) {
	w.part, w.key = append(make([]byte, 0, headBytes), version, flags), nil
}

// changes writes what makes old new. false: the limit is reached.
func (w *writer) changes(old, new []Range, limit int) bool {
	for len(old) > 0 || len(new) > 0 {
		order := 0
		switch {
		case len(old) == 0:
			order = 1
		case len(new) == 0:
			order = -1
		default:
			order = bytes.Compare(old[0].First, new[0].First)
		}
		switch {
		case order < 0:
			w.entry(kindRemoved, old[0].First)
			old = old[1:]
		case order > 0:
			w.entry(kindAdded+new[0].Heat, new[0].First, new[0].Last)
			new = new[1:]
		default:
			if old[0].differs(&new[0]) {
				w.entry(kindAdded+new[0].Heat, new[0].First, new[0].Last)
			}
			old, new = old[1:], new[1:]
		}
		if limit > 0 && w.size+len(w.part) >= limit {
			return false
		}
	}
	return true
}

// entry writes one, below its index.
func (w *writer) entry(kind byte, keys ...[]byte) {
	if len(w.part) >= partBytes {
		w.done, w.size = append(w.done, w.part), w.size+len(w.part)
		w.begin(0)
		if w.index == nil {
			w.index = &w.open
		}
	}
	if w.index != nil {
		w.part = append(w.part, kindIndex)
		for _, text := range []string{w.index.Schema, w.index.Table, w.index.Name} {
			w.part = append(binary.AppendUvarint(w.part, uint64(len(text))), text...)
		}
		w.open, w.index = *w.index, nil
	}
	w.part = append(w.part, kind)
	for _, key := range keys {
		shared := 0
		for shared < min(len(key), len(w.key)) && key[shared] == w.key[shared] {
			shared++
		}
		w.part = binary.AppendUvarint(w.part, uint64(shared))
		w.part = append(binary.AppendUvarint(w.part, uint64(len(key)-shared)), key[shared:]...)
		w.key = key
	}
}

// Errors of Apply.
var (
	ErrVersion = errors.New("hot set: a version that is not known here")
	ErrDamaged = errors.New("hot set: damaged")
	ErrTooBig  = errors.New("hot set: larger than this server keeps")
)

// Apply applies a part. last: it ends its delta. After an error, parts are passed over until one
// begins a whole delta.
func (s *Set) Apply(part []byte) (last bool, err error) {
	if len(part) < headBytes || part[0] != version {
		*s = Set{bad: true}
		return false, ErrVersion
	}
	if part[1]&flagWhole != 0 {
		*s = Set{}
	}
	if s.bad {
		return false, nil
	}
	if s.of == nil {
		s.of = map[Index][]Range{}
	}
	r := reader{rest: part[headBytes:]}
	for len(r.rest) > 0 && err == nil {
		err = s.applyIndex(&r)
	}
	if err != nil {
		*s = Set{bad: true}
		return false, err
	}
	return part[1]&flagLast != 0, nil
}

// applyIndex applies the entries of one index.
func (s *Set) applyIndex(r *reader) error {
	if r.byte() != kindIndex {
		return ErrDamaged
	}
	x := Index{r.text(), r.text(), r.text()}
	old := s.of[x]
	var out []Range // what stands before the entry at hand
	var before []byte
	at := 0 // in old: what comes next
	copyOld := func(until int) { out, at = append(out, old[at:until]...), until }
	for len(r.rest) > 0 && r.rest[0] != kindIndex {
		kind := r.byte()
		n := Range{First: r.key()}
		if kind >= kindAdded {
			n.Heat, n.Last = kind-kindAdded, r.key()
		}
		if r.bad || n.Heat >= Quarters || before != nil && bytes.Compare(before, n.First) >= 0 || kind >= kindAdded && bytes.Compare(n.First, n.Last) > 0 {
			return ErrDamaged
		}
		i, found := find(old[at:], n.First)
		if before == nil && i == len(old) { // behind all of them: whole sets come in this way
			out, at = old, len(old)
		} else {
			copyOld(at + i)
		}
		if before = n.First; found {
			s.bytes -= old[at].size()
			at++
		}
		if kind >= kindAdded {
			if s.bytes += n.size(); s.bytes > maxBytes {
				return ErrTooBig
			}
			out = append(out, n)
		}
	}
	if r.bad {
		return ErrDamaged
	}
	if before == nil {
		return nil
	}
	copyOld(len(old))
	if s.of[x] = out; len(out) == 0 {
		delete(s.of, x)
	}
	return nil
}

// reader reads a part. What is damaged makes it bad, and the rest empty.
type reader struct {
	rest []byte
	last []byte // key
	bad  bool
}

func (r *reader) fail() {
	r.rest, r.bad = nil, true
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// number reads one that is at most so large.
func (r *reader) number(most int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(most) {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) text() string { return string(r.bytes(r.number(maxName))) }

func (r *reader) key() []byte {
	shared := r.number(min(maxKey, len(r.last)))
	tail := r.bytes(r.number(maxKey - shared))
	if r.bad {
		return nil
	}
	r.last = slices.Concat(r.last[:shared], tail)
	return r.last
}
