package binlog

// GTID sets: for each source, a server or a tag of one, a sorted list of disjoint, not touching
// intervals. A set grows at the end of one source's list nearly always, which Add does without a
// search. The zero Set is empty and ready.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"unique"
)

// UUID names a server.
type UUID [16]byte

func (u UUID) String() string {
	var b [36]byte
	u.format(&b)
	return string(b[:])
}

func (u UUID) format(b *[36]byte) {
	hex.Encode(b[0:8], u[0:4])
	hex.Encode(b[9:13], u[4:6])
	hex.Encode(b[14:18], u[6:8])
	hex.Encode(b[19:23], u[8:10])
	hex.Encode(b[24:36], u[10:16])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
}

// Tag sets transactions of a server apart from its others: each tag has numbers of its own (MySQL
// 8.3). The zero Tag is that of transactions without one.
type Tag struct{ name unique.Handle[string] }

// MaxTag is the length of the longest tag.
const MaxTag = 32

// ParseTag reads a tag: letters, digits and underscores, not a digit first. It is kept in lower
// case.
func ParseTag(s string) (Tag, bool) {
	if s == "" || len(s) > MaxTag || s[0] >= '0' && s[0] <= '9' {
		return Tag{}, false
	}
	s = strings.ToLower(s)
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return Tag{}, false
		}
	}
	return Tag{unique.Make(s)}, true
}

func (t Tag) String() string {
	if t == (Tag{}) {
		return ""
	}
	return t.name.Value()
}

// Source is what numbers transactions: a server, or a tag of one. MySQL's sources call it TSID.
type Source struct {
	Server UUID
	Tag    Tag
}

func (s Source) String() string {
	if s.Tag == (Tag{}) {
		return s.Server.String()
	}
	return s.Server.String() + ":" + s.Tag.String()
}

// compare orders sources by server, then by tag.
func (s Source) compare(o Source) int {
	if c := bytes.Compare(s.Server[:], o.Server[:]); c != 0 || s.Tag == o.Tag {
		return c
	}
	return strings.Compare(s.Tag.String(), o.Tag.String())
}

// maxGNO bounds transaction numbers: they are below it.
const maxGNO = 1<<63 - 1

// GTID is the name of a transaction: whose it is and its number there. The zero GTID names none.
type GTID struct {
	Source Source
	N      int64
}

func (g GTID) String() string { return fmt.Sprintf("%s:%d", g.Source, g.N) }

// Interval is the numbers from Start up to, not including, End.
type Interval struct{ Start, End int64 }

type source struct {
	id  Source
	ivs []Interval
}

// Set is a set of GTIDs. Not safe for concurrent use.
type Set struct {
	sources []source // sorted by id, none empty
}

// find gives the place of a source, or where it would stand.
func (s *Set) find(id Source) (int, bool) {
	if n := len(s.sources); n > 0 && s.sources[n-1].id == id {
		return n - 1, true
	}
	return slices.BinarySearchFunc(s.sources, id, func(a source, id Source) int { return a.id.compare(id) })
}

// Add adds one GTID.
func (s *Set) Add(g GTID) { s.AddInterval(g.Source, g.N, g.N+1) }

// AddInterval adds the numbers of [start, end).
func (s *Set) AddInterval(id Source, start, end int64) {
	if start >= end {
		return
	}
	i, ok := s.find(id)
	if !ok {
		s.sources = slices.Insert(s.sources, i, source{id: id})
	}
	src := &s.sources[i]
	if n := len(src.ivs); n == 0 || src.ivs[n-1].End < start {
		src.ivs = append(src.ivs, Interval{start, end})
	} else if last := &src.ivs[n-1]; last.Start <= start {
		last.End = max(last.End, end)
	} else {
		src.insert(start, end)
	}
}

// insert merges [start, end) with all intervals it overlaps or touches.
func (c *source) insert(start, end int64) {
	i := sort.Search(len(c.ivs), func(i int) bool { return c.ivs[i].End >= start })
	j := i
	for ; j < len(c.ivs) && c.ivs[j].Start <= end; j++ {
		start, end = min(start, c.ivs[j].Start), max(end, c.ivs[j].End)
	}
	c.ivs = slices.Replace(c.ivs, i, j, Interval{start, end})
}

// remove cuts [start, end) out.
func (c *source) remove(start, end int64) {
	i := sort.Search(len(c.ivs), func(i int) bool { return c.ivs[i].End > start })
	j := i
	var rest [2]Interval
	left := rest[:0]
	for ; j < len(c.ivs) && c.ivs[j].Start < end; j++ {
		if c.ivs[j].Start < start {
			left = append(left, Interval{c.ivs[j].Start, start})
		}
		if c.ivs[j].End > end {
			left = append(left, Interval{end, c.ivs[j].End})
		}
	}
	c.ivs = slices.Replace(c.ivs, i, j, left...)
}

// Contains tells whether g is in the set.
func (s *Set) Contains(g GTID) bool {
	return s.containsInterval(g.Source, Interval{g.N, g.N + 1})
}

func (s *Set) containsInterval(id Source, iv Interval) bool {
	i, ok := s.find(id)
	if !ok {
		return false
	}
	ivs := s.sources[i].ivs
	j := sort.Search(len(ivs), func(j int) bool { return ivs[j].End > iv.Start })
	return j < len(ivs) && ivs[j].Start <= iv.Start && iv.End <= ivs[j].End
}

// ContainsSet tells whether all of o is in s.
func (s *Set) ContainsSet(o *Set) bool {
	for _, src := range o.sources {
		for _, iv := range src.ivs {
			if !s.containsInterval(src.id, iv) {
				return false
			}
		}
	}
	return true
}

// Intersects tells whether the sets have a GTID in common.
func (s *Set) Intersects(o *Set) bool {
	for _, src := range o.sources {
		i, ok := s.find(src.id)
		if !ok {
			continue
		}
		a, b := s.sources[i].ivs, src.ivs
		for len(a) > 0 && len(b) > 0 {
			if a[0].Start < b[0].End && b[0].Start < a[0].End {
				return true
			}
			if a[0].End < b[0].End {
				a = a[1:]
			} else {
				b = b[1:]
			}
		}
	}
	return false
}

// Union adds all of o.
func (s *Set) Union(o *Set) {
	if len(s.sources) == 0 {
		*s = *o.Clone()
		return
	}
	for _, src := range o.sources {
		for _, iv := range src.ivs {
			s.AddInterval(src.id, iv.Start, iv.End)
		}
	}
}

// Subtract takes all of o out.
func (s *Set) Subtract(o *Set) {
	for _, src := range o.sources {
		i, ok := s.find(src.id)
		if !ok {
			continue
		}
		for _, iv := range src.ivs {
			s.sources[i].remove(iv.Start, iv.End)
		}
		if len(s.sources[i].ivs) == 0 {
			s.sources = slices.Delete(s.sources, i, i+1)
		}
	}
}

// Remove takes one GTID out.
func (s *Set) Remove(g GTID) {
	if i, ok := s.find(g.Source); ok {
		s.sources[i].remove(g.N, g.N+1)
		if len(s.sources[i].ivs) == 0 {
			s.sources = slices.Delete(s.sources, i, i+1)
		}
	}
}

// Equal tells whether the sets hold the same GTIDs.
func (s *Set) Equal(o *Set) bool {
	return slices.EqualFunc(s.sources, o.sources, func(a, b source) bool { return a.id == b.id && slices.Equal(a.ivs, b.ivs) })
}

// IsEmpty tells whether no GTID is in the set.
func (s *Set) IsEmpty() bool { return len(s.sources) == 0 }

// Count is the number of GTIDs in the set, at most 2^63-1.
func (s *Set) Count() int64 {
	total := uint64(0)
	for _, src := range s.sources {
		for _, iv := range src.ivs {
			total = min(total+uint64(iv.End-iv.Start), maxGNO)
		}
	}
	return int64(total)
}

// Clone copies the set.
func (s *Set) Clone() *Set {
	c := &Set{sources: slices.Clone(s.sources)}
	for i := range c.sources {
		c.sources[i].ivs = slices.Clone(c.sources[i].ivs)
	}
	return c
}

// Of is the part of the set that began on one server.
func (s *Set) Of(server UUID) *Set {
	out := new(Set)
	for _, src := range s.sources {
		if src.id.Server == server {
			out.sources = append(out.sources, source{src.id, slices.Clone(src.ivs)})
		}
	}
	return out
}

// All gives the intervals of the set, in order.
func (s *Set) All() iter.Seq2[Source, Interval] {
	return func(yield func(Source, Interval) bool) {
		for _, src := range s.sources {
			for _, iv := range src.ivs {
				if !yield(src.id, iv) {
					return
				}
			}
		}
	}
}

// errNoGTID says that a source has no number left.
var errNoGTID = errors.New("no GTID is left for this server: its numbers are used up")

// next is the smallest number of the source that is not in the set.
func (s *Set) next(id Source) (int64, error) {
	n := int64(1)
	if i, ok := s.find(id); ok && s.sources[i].ivs[0].Start == 1 {
		n = s.sources[i].ivs[0].End
	}
	if n >= maxGNO {
		return 0, errNoGTID
	}
	return n, nil
}
