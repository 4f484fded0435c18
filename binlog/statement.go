package binlog

// Row events of one statement. Body; on disk; fixed.
//
//	0 6 table id   6 2 flags (1: last event of the statement, 2: no foreign key checks, 4: no unique checks,
//	16: what foreign keys changed is logged)   8 2 size of extra data with this field (2)   number of columns, packed
//	columns of the image: bit set (an update has two: before, after)
//	then rows: NULL bits of the columns in the image, their values; an update has before and after
//	image
//
// The event being filled stands open at the end of the cache: it is closed when the next one
// begins, so that the last one of the statement can be marked as such. All table maps must stand
// before the first rows: a replica locks the tables then. A table that is first written in the
// middle of the statement (by a trigger, a cascade) ends what went before as a statement and
// repeats the maps of all.

import (
	"slices"

	"emberdb/engine/row"
)

// Image is binlog_row_image.
type Image uint8

// The images: all columns; what identifies the row before, and what changed after; all but long
// columns that neither identify the row nor have changed.
const (
	ImageFull Image = iota
	ImageMinimal
	ImageNoBlob
)

// DefaultRowEventSize is binlog_row_event_max_size: a row event is closed when the next row would
// make it longer.
const DefaultRowEventSize = 8192

const (
	rowsExtraSize   = 2
	rowsFlagEnd     = 1
	rowsFlagNoKeys  = 2
	rowsFlagRelaxed = 4
	rowsFlagLogged  = 16
	rowsFlagsOffset = headerSize + 6
)

// Statement gathers the rows a statement writes into its session's cache. A session uses one again
// and again.
type Statement struct {
	// NoKeys tells replicas not to check foreign keys, nor to cascade: the session had
	// foreign_key_checks off, or the statement may cascade. What cascades did is logged as such,
	// which MySQL from 9.6 on is told by a flag of every row event, and others must not do again.
	NoKeys bool
	// Relaxed tells replicas not to check unique secondary keys: the session had unique_checks off.
	Relaxed bool
	// Parts has updates tell what changes in JSON documents instead of the documents
	// (binlog_row_value_options=PARTIAL_JSON).
	Parts bool

	cache     *Cache
	head      Head
	image     Image
	maxSize   int
	rowsQuery string

	maps  []*Table // tables of the statement
	table *Table   // of the open event; nil: none is open
	shape *shape   // of the open event
	start int      // of the open event in the cache's memory
	last  int64    // where the newest row event of the statement begins, -1 if there is none
	rows  int      // in the open event

	made shape // of updates whose image is not FULL
	diff bitmap
	row  []byte      // one on its way to the next event
	was  []row.Value // the row at hand, without the engine's own columns
	is   []row.Value
	json jsonEncoder
	docs jsonDiff
}

// shape is what row events of one kind, of one table, with the same columns have in common.
type shape struct {
	before, after   bitmap // columns of the images; nil: there is none
	nBefore, nAfter int    // how many they are
	parts           bool   // documents may be told in parts
	head            []byte // the event up to its first row, without what is the session's
}

// make makes it one of t.
func (sh *shape) make(t *Table, kind EventType, before, after bitmap) {
	sh.parts = kind == EventPartialUpdateRows
	sh.nBefore, sh.nAfter = before.count(), after.count()
	sh.before, sh.after = append(sh.before[:0], before...), append(sh.after[:0], after...)
	b := appendUint(beginEvent(sh.head[:0], kind, Head{}), t.id, 6)
	b = append(b, rowsFlagLogged, 0, rowsExtraSize, 0)
	b = appendPacked(b, uint64(len(t.fields)))
	for _, cols := range []bitmap{before, after} {
		at := len(b)
		b = append(b, cols...)
		if len(cols) > 0 && slices.Equal(cols, t.all) {
			bitmap(b[at:]).fill()
		}
	}
	sh.head = b
}

// Begin starts a statement. rowsQuery is its text if binlog_rows_query_log_events asks for it.
func (s *Statement) Begin(c *Cache, h Head, image Image, maxSize int, rowsQuery string) {
	if maxSize <= 0 {
		maxSize = DefaultRowEventSize
	}
	s.cache, s.head, s.image, s.maxSize, s.rowsQuery = c, h, image, maxSize, rowsQuery
	s.maps, s.table, s.last = s.maps[:0], nil, -1
}

// Insert logs a new row. Values stand in column order.
func (s *Statement) Insert(t *Table, after []row.Value) error {
	s.cache.write(t, nil, after)
	return s.log(t, &t.inserts, nil, t.logged(&s.is, after))
}

// Delete logs the removal of a row.
func (s *Statement) Delete(t *Table, before []row.Value) error {
	s.cache.write(t, before, nil)
	return s.log(t, &t.deletes[s.image], t.logged(&s.was, before), nil)
}

// Update logs the change of a row.
func (s *Statement) Update(t *Table, before, after []row.Value) error {
	s.cache.write(t, before, after)
	before, after = t.logged(&s.was, before), t.logged(&s.is, after)
	kind, full := EventUpdateRows, &t.updates
	if s.Parts && t.documents > 0 {
		kind, full = EventPartialUpdateRows, &t.parts
	}
	if s.image == ImageFull {
		return s.log(t, full, before, after)
	}
	changed := s.difference(t, before, after)
	if s.table != t || s.shape != &s.made || !s.made.after.contains(changed) { // rather a column too many than an event more
		s.made.make(t, kind, t.identity(s.image), changed)
		s.shape = nil // if it was that of the open event, it is no more
	}
	return s.log(t, &s.made, before, after)
}

func (s *Statement) difference(t *Table, before, after []row.Value) bitmap {
	s.diff = resize(s.diff, len(t.fields))
	for i := range t.fields {
		if t.all.has(i) && (s.image == ImageNoBlob && !t.fields[i].long() || !before[i].Same(after[i])) {
			s.diff.set(i)
		}
	}
	return s.diff
}

func resize(b bitmap, columns int) bitmap {
	n := (columns + 7) / 8
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// log appends one row to the open event, or to a new one.
func (s *Statement) log(t *Table, sh *shape, before, after []row.Value) error {
	if s.table != t || s.shape != sh {
		if err := s.open(t, sh); err != nil {
			return err
		}
	}
	var err error
	c := s.cache
	at := len(c.buf)
	if before != nil {
		c.buf, err = s.appendImage(c.buf, t, before, sh.before, sh.nBefore)
	}
	switch {
	case after == nil || err != nil:
	case sh.parts:
		c.buf, err = s.appendParts(c.buf, t, before, after, sh)
	default:
		c.buf, err = s.appendImage(c.buf, t, after, sh.after, sh.nAfter)
	}
	if err != nil {
		c.buf = c.buf[:at]
		return err
	}
	if s.rows > 0 && len(c.buf)-s.start+checksumSize > s.maxSize {
		s.row = append(s.row[:0], c.buf[at:]...)
		c.buf = c.buf[:at]
		if err := s.open(t, sh); err != nil {
			return err
		}
		c.buf = append(c.buf, s.row...)
	}
	s.rows++
	return nil
}

// appendImage appends NULL bits and values of the columns in cols, which are so many.
func (s *Statement) appendImage(dst []byte, t *Table, values []row.Value, cols bitmap, in int) ([]byte, error) {
	start := len(dst)
	dst = append(dst, make([]byte, (in+7)/8)...)
	n := 0
	var err error
	for i := range t.fields {
		if in < len(t.fields) && !cols.has(i) {
			continue
		}
		if values[i].IsNull() {
			dst[start+n/8] |= 1 << (n % 8)
		} else if dst, err = t.fields[i].append(dst, values[i], &s.json); err != nil {
			return dst, err
		}
		n++
	}
	return dst, nil
}

// appendParts appends the image of a row in an event that may tell parts of documents: 1 if it
// does, else 0; then a bit for each JSON column of the table, low bit first, set if a difference
// stands in the place of the document; then what any image has.
func (s *Statement) appendParts(dst []byte, t *Table, before, after []row.Value, sh *shape) ([]byte, error) {
	start, set, some := len(dst), (t.documents+7)/8, false
	dst = append(append(dst, 1), make([]byte, set+(sh.nAfter+7)/8)...)
	n, document := 0, 0
	for i := range t.fields {
		at := document
		if t.fields[i].code == typeJSON {
			document++
		}
		if !sh.after.has(i) {
			continue
		}
		nth := n
		n++
		if after[i].IsNull() {
			dst[start+1+set+nth/8] |= 1 << (nth % 8)
			continue
		}
		told, err := false, error(nil)
		if t.fields[i].code == typeJSON && !before[i].IsNull() {
			dst, told, err = s.appendDiff(dst, before[i].B, after[i].B)
		}
		switch {
		case err != nil:
		case told:
			dst[start+1+at/8] |= 1 << (at % 8)
			some = true
		default:
			dst, err = t.fields[i].append(dst, after[i], &s.json)
		}
		if err != nil {
			return dst, err
		}
	}
	if !some {
		dst[start] = 0
		dst = slices.Delete(dst, start+1, start+1+set)
	}
	return dst, nil
}

// appendDiff appends the difference of two documents, behind its length; false: nothing.
func (s *Statement) appendDiff(dst, before, after []byte) ([]byte, bool, error) {
	at := len(dst)
	dst, told, err := s.docs.append(append(dst, 0, 0, 0, 0), before, after)
	if !told || err != nil {
		return dst[:at], false, err
	}
	putUint(dst[at:], len(dst)-at-4, 4)
	return dst, true, nil
}

// open closes the open event and begins one for t, with the table maps it needs.
func (s *Statement) open(t *Table, sh *shape) error {
	known := slices.Contains(s.maps, t)
	if err := s.close(!known); err != nil {
		return err
	}
	c := s.cache
	if len(s.maps) == 0 && s.rowsQuery != "" {
		c.buf = AppendRowsQuery(c.buf, s.head, s.rowsQuery)
	}
	if !known {
		s.maps = append(s.maps, t)
		for _, m := range s.maps {
			c.buf = m.AppendTableMap(c.buf, s.head)
		}
	}
	if err := c.maybeSpill(); err != nil {
		return err
	}
	s.table, s.shape, s.start, s.rows = t, sh, len(c.buf), 0
	s.last = c.spilled + int64(s.start)
	c.buf = append(c.buf, sh.head...)
	event := c.buf[s.start:]
	s.head.put(event)
	if s.NoKeys {
		event[rowsFlagsOffset] |= rowsFlagNoKeys
	}
	if s.Relaxed {
		event[rowsFlagsOffset] |= rowsFlagRelaxed
	}
	return nil
}

// close ends the open event, if there is one.
func (s *Statement) close(end bool) error {
	if s.table == nil {
		return nil
	}
	c := s.cache
	if end {
		c.buf[s.start+rowsFlagsOffset] |= rowsFlagEnd
	}
	c.buf = endEvent(c.buf, s.start)
	s.table = nil
	return c.maybeSpill()
}

// End closes the statement. It has logged nothing if it wrote no row.
func (s *Statement) End() error {
	if s.table == nil && s.last >= 0 { // a Return has left it closed, and in memory
		s.cache.buf[s.last-s.cache.spilled+rowsFlagsOffset] |= rowsFlagEnd
	}
	err := s.close(true)
	s.last = -1
	return err
}

// Bound is a point of a transaction that Return goes back to: between statements, or between two
// rows of one.
type Bound struct {
	end        int64 // of the events
	last       int64 // where the statement's newest row event begins, -1 if it has none
	rows, maps int32
	open       bool // that event was open
	statements bool
}

// NoEvents is the point before all events of a transaction.
var NoEvents = Bound{last: -1}

// BoundOf is the present point between statements.
func BoundOf(c *Cache) Bound { return Bound{end: c.Len(), last: -1, statements: c.statements} }

// Bound is the present point of a statement that has begun.
func (s *Statement) Bound() Bound {
	return Bound{end: s.cache.Len(), last: s.last, open: s.table != nil, rows: int32(s.rows), maps: int32(len(s.maps)), statements: s.cache.statements}
}

// Return forgets what was logged behind a bound.
// REQUIRES: the bound is of the running statement, or was taken before it began.
func (s *Statement) Return(b Bound) error {
	c := s.cache
	same := s.table != nil && s.last == b.last
	if b.last < 0 || b.last >= c.spilled {
		if err := c.Truncate(b.end); err != nil {
			return err
		}
	} else if err := c.unspill(b.last, b.end); err != nil {
		return err
	}
	s.maps, s.last, c.statements = s.maps[:min(int(b.maps), len(s.maps))], b.last, b.statements
	switch {
	case same && b.open:
		s.rows = int(b.rows)
	default:
		s.table = nil
		if b.open {
			c.buf = endEvent(c.buf, int(b.last-c.spilled))
		}
	}
	return nil
}
