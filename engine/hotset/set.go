package hotset

import (
	"bytes"
	"cmp"
	"hash/crc32"
	"maps"
	"slices"
)

// Index names an index of a table.
type Index struct{ Schema, Table, Name string }

func (x Index) compare(y Index) int {
	return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Table, y.Table), cmp.Compare(x.Name, y.Name))
}

// Range is neighbouring hot leaves: those that hold keys from First to Last.
type Range struct {
	First, Last []byte
	Heat        uint8 // quarter of the LRU list, 0..3
}

// Quarters is the number of degrees of heat.
const Quarters = 4

// Set is what is hot.
type Set struct {
	of    map[Index][]Range // ascending by First
	bytes int               // of all ranges, about
	bad   bool              // a part was refused; only a whole delta makes it good
}

const (
	rangeBytes = 64       // of memory, beside the keys
	maxBytes   = 64 << 20 // of memory
	cutEvery   = 256      // leaves
)

func (r *Range) size() int { return rangeBytes + len(r.First) + len(r.Last) }

// Ranges is the number of ranges.
func (s *Set) Ranges() (n int) {
	for _, rs := range s.of {
		n += len(rs)
	}
	return n
}

// Indexes are the indexes with hot leaves, in order.
func (s *Set) Indexes() []Index { return slices.SortedFunc(maps.Keys(s.of), Index.compare) }

// Of are the ranges of an index, ascending by First. They belong to the set.
func (s *Set) Of(x Index) []Range { return s.of[x] }

// Leaf is a hot leaf. The keys are its first and its last one.
type Leaf struct {
	First, Last []byte
	Next        bool // the leaf behind it in the tree is the next one of the slice
	Quarter     uint8
}

// Add names the hot leaves of an index, which ascend. The set keeps their keys.
func (s *Set) Add(x Index, leaves []Leaf) {
	if s.of == nil {
		s.of = map[Index][]Range{}
	}
	heat, n := 0, 0
	var first []byte
	for i, l := range leaves {
		if first == nil {
			first, heat, n = l.First, 0, 0
		}
		heat += int(l.Quarter)
		n++
		if l.Next && i+1 < len(leaves) && crc32.ChecksumIEEE(l.First)%cutEvery != 0 {
			continue
		}
		r := Range{first, l.Last, uint8((heat + n/2) / n)}
		first = nil
		if s.bytes+r.size() > maxBytes {
			return
		}
		s.bytes += r.size()
		s.of[x] = append(s.of[x], r)
	}
}

// find returns the place of the range that begins with a key, or where it would stand.
func find(rs []Range, first []byte) (int, bool) {
	return slices.BinarySearchFunc(rs, first, func(r Range, key []byte) int { return bytes.Compare(r.First, key) })
}

// differs tells whether replicas shall hear of a change. Heat that moves by one is no news.
func (r *Range) differs(x *Range) bool {
	return !bytes.Equal(r.Last, x.Last) || r.Heat > x.Heat+1 || x.Heat > r.Heat+1
}

// Snapshot is the set as it is now; parts that are applied later do not change it.
func (s *Set) Snapshot() *Set { return &Set{of: maps.Clone(s.of), bytes: s.bytes} }
