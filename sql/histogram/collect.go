package histogram

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"emberdb/engine/row"
)

// Collector takes the values of rows. Where different values need more room than it may use it goes
// on with half of the rows.
type Collector struct {
	col   Column
	limit int
	room  int
	rate  float64
	seen  map[string]*seen
	rows  uint64 // that were taken
	nulls uint64
	key   []byte
}

// seen is a value.
type seen struct {
	literal string
	n       uint64
}

// seenBytes is what a value takes beside its texts.
const seenBytes = 100

// NewCollector takes values of a column, in about so many bytes.
func NewCollector(col Column, limit int) *Collector {
	col.Nullable = true
	return &Collector{col: col, limit: limit, rate: 1, seen: make(map[string]*seen)}
}

// Add takes the value of a row.
func (c *Collector) Add(v row.Value) {
	if c.rate < 1 && rand.Float64() >= c.rate {
		return
	}
	c.rows++
	if v.IsNull() {
		c.nulls++
		return
	}
	v = c.col.cut(v)
	c.key = row.AppendKeyPart(c.key[:0], c.col.Column, row.KeyPart{}, v)
	if s := c.seen[string(c.key)]; s != nil {
		s.n++
		return
	}
	s := &seen{c.col.literal(v), 1}
	c.seen[string(c.key)] = s
	for c.room += len(c.key) + len(s.literal) + seenBytes; c.room > c.limit && len(c.seen) > 1; {
		c.halve()
	}
}

// halve drops about half of the rows.
func (c *Collector) halve() {
	c.rate /= 2
	c.nulls = half(c.nulls)
	c.rows, c.room = c.nulls, 0
	for key, s := range c.seen {
		if s.n = half(s.n); s.n == 0 {
			delete(c.seen, key)
			continue
		}
		c.rows, c.room = c.rows+s.n, c.room+len(key)+len(s.literal)+seenBytes
	}
}

// half is how many of n rows stay.
func half(n uint64) (kept uint64) {
	if n > 1000 {
		return uint64(max(float64(n)/2+rand.NormFloat64()*math.Sqrt(float64(n))/2, 0))
	}
	for range n {
		kept += rand.Uint64() & 1
	}
	return kept
}

// entry is a value, in the order of the column.
type entry struct {
	key string
	*seen
}

// Histogram makes buckets of the values.
func (c *Collector) Histogram(buckets int, auto bool, at time.Time) *Histogram {
	h := &Histogram{Auto: auto, Type: c.col.DataType(), Collation: c.col.CollationID(), Updated: at.UTC().Format("2006-01-02 15:04:05.000000"), Rate: c.rate, Specified: buckets}
	if c.rows == 0 {
		return h
	}
	h.Nulls = float64(c.nulls) / float64(c.rows)
	all := make([]entry, 0, len(c.seen))
	for key, s := range c.seen {
		all = append(all, entry{key, s})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].key < all[j].key })
	size := uint64(0)
	if h.EquiHeight = len(all) > buckets; h.EquiHeight {
		size = bucketSize(all, buckets)
	}
	total := uint64(0)
	for from := 0; from < len(all); {
		to, rows, once := from, uint64(0), 0
		for to < len(all) && (rows == 0 || rows+all[to].n <= size) {
			rows += all[to].n
			if all[to].n == 1 {
				once++
			}
			to++
		}
		total += rows
		h.Buckets = append(h.Buckets, Bucket{Low: all[from].literal, High: all[to-1].literal, Cumulative: float64(total) / float64(c.rows),
			Distinct: c.different(to-from, once)})
		from = to
	}
	return h
}

// different estimates how many values a bucket has, of which some were seen, and of these some in
// one row alone. That estimate is never off by more than the root of what was left out.
func (c *Collector) different(seen, once int) uint64 {
	return uint64(math.Round(float64(seen-once) + math.Sqrt(1/c.rate)*float64(once)))
}

// bucketSize is the least number of rows for which the values fit into so many buckets.
func bucketSize(all []entry, buckets int) uint64 {
	total := uint64(0)
	for _, e := range all {
		total += e.n
	}
	least := (total + uint64(buckets) - 1) / uint64(buckets)
	n := sort.Search(int(total-least), func(more int) bool { return fits(all, least+uint64(more), buckets) })
	return least + uint64(n)
}

func fits(all []entry, size uint64, buckets int) bool {
	rows := uint64(0)
	for _, e := range all {
		if rows > 0 && rows+e.n > size {
			buckets--
			rows = 0
		}
		rows += e.n
	}
	return buckets > 0
}
