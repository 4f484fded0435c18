package histogram

import (
	"encoding/binary"
	"sort"
)

// Histogram is what is known of a column's values. It is not changed once it is made.
type Histogram struct {
	EquiHeight bool
	Auto       bool   // ANALYZE TABLE makes it anew
	Type       string // DataType of the column
	Nulls      float64
	Collation  uint16
	Updated    string  // when
	Rate       float64 // the part of the rows that was looked at
	Specified  int     // the number of buckets that was asked for
	Buckets    []Bucket
}

// Bucket is a value, or the values between two.
type Bucket struct {
	Low, High  string  // literals of JSON
	Cumulative float64 // the part of the rows up to and with High
	Distinct   uint64

	low, high Point
}

// values is the part of the rows that are not NULL.
func (h *Histogram) values() float64 {
	if n := len(h.Buckets); n > 0 {
		return h.Buckets[n-1].Cumulative
	}
	return 0
}

// before is the part of the rows in the buckets before one.
func (h *Histogram) before(i int) float64 {
	if i == 0 {
		return 0
	}
	return h.Buckets[i-1].Cumulative
}

// reach is the first bucket that does not end below p.
func (h *Histogram) reach(p Point) int {
	return sort.Search(len(h.Buckets), func(i int) bool { return h.Buckets[i].high.compare(p) >= 0 })
}

// Equal is the part of the rows that equal p.
func (h *Histogram) Equal(p Point) float64 {
	i := h.reach(p)
	if i == len(h.Buckets) || h.Buckets[i].low.compare(p) > 0 {
		return 0
	}
	return (h.Buckets[i].Cumulative - h.before(i)) / float64(max(h.Buckets[i].Distinct, 1))
}

// Below is the part of the rows that are less than p.
func (h *Histogram) Below(p Point) float64 {
	i := h.reach(p)
	if i == len(h.Buckets) {
		return h.values()
	}
	b := &h.Buckets[i]
	if b.low.compare(p) >= 0 {
		return h.before(i)
	}
	return h.before(i) + (b.Cumulative-h.before(i))*h.distance(b, b.low, p)
}

// Above is the part of the rows that are greater than p.
func (h *Histogram) Above(p Point) float64 {
	i := h.reach(p)
	if i == len(h.Buckets) {
		return 0
	}
	b := &h.Buckets[i]
	if b.low.compare(p) > 0 {
		return h.values() - h.before(i)
	}
	return h.values() - b.Cumulative + (b.Cumulative-h.before(i))*h.distance(b, p, b.high)
}

// distance is the part of a bucket's width between two points in it.
func (h *Histogram) distance(b *Bucket, from, to Point) float64 {
	if b.low.text {
		skip := 0
		for skip < len(b.low.key) && skip < len(b.high.key) && b.low.key[skip] == b.high.key[skip] {
			skip++
		}
		width := leading(b.high.key, skip) - leading(b.low.key, skip)
		return share(leading(to.key, skip)-leading(from.key, skip), width)
	}
	width := b.high.n - b.low.n
	if h.Type == "int" || h.Type == "uint" || h.Type == "enum" || h.Type == "set" {
		width++
	}
	return share(to.n-from.n, width)
}

func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(max(part/whole, 0), 1)
}

// leading is the number that the bytes of a key behind its first ones make.
func leading(key []byte, skip int) float64 {
	var b [8]byte
	if skip < len(key) {
		copy(b[:], key[skip:])
	}
	return float64(binary.BigEndian.Uint64(b[:]))
}

// Value is the part of the rows that are not NULL.
func (h *Histogram) Value() float64 { return 1 - h.Nulls }
