package exec

import (
	"math"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/types"
)

// together finds the rows of several rows of a probe at once, and gives them in the probe's order.
// Rows with the same key share what is found.
type together struct {
	many   table.Lookups
	state  togetherState
	most   int // rows of the probe to look up at once
	from   int // rows of the probe from here on
	upto   int // to here have been looked up
	refs   []row.KeyRef
	mem    []byte
	ends   []int
	keys   [][]byte
	number []int32 // by row of the probe, from on: of its key; -1: it has none
	starts []int   // by number of a key: of its rows; one more at the end
	next   int     // of the rows of the probe's row under way
	end    int
	rows   [][]byte // of the batch
	size   int      // accounted
	account
}

type togetherState uint8

const (
	notBegun togetherState = iota
	begun
	impossible // the table, or the memory, does not let it
)

const (
	mostFound    = 4 * types.BatchRows // so many rows are found at once
	firstLookups = 32                  // so many rows of a probe are looked up at first
)

// lookUp looks up the rows of the probe from j.at on, as many as are found at once. If j.upto stays
// at j.at the row there is to be looked up alone.
func (j *LookupJoin) lookUp(c *Ctx) error {
	t := &j.together
	if t.state == notBegun {
		t.state, t.most = impossible, firstLookups
		if c.locking(j.Locking).Lock == table.None && j.KeyID == 0 && t.many.Begin(j.Table, c.Tx, j.options(c), j.one()) {
			t.state = begun
		}
	}
	for t.upto = j.at; t.state == begun; {
		j.gatherKeys(min(j.at+t.most, j.probe.N))
		n, err := t.many.Find(c, t.keys, mostFound)
		if err != nil {
			return err
		}
		if size := t.many.Size(); size > t.size {
			if !t.room(c, size-t.size, math.MaxInt) {
				t.state = impossible
				t.many = table.Lookups{}
				return nil
			}
			t.size = size
		}
		if n == len(t.keys) {
			j.found()
			return nil
		}
		if t.most == 1 {
			return nil
		}
		t.most = max(min(n, t.most)/2, 1)
	}
	return nil
}

// gatherKeys makes the different keys of the probe's rows from j.at up to upto, ascending.
func (j *LookupJoin) gatherKeys(upto int) {
	t := &j.together
	t.from = j.at
	t.refs, t.mem, t.ends, t.keys, t.number = t.refs[:0], t.mem[:0], t.ends[:0], t.keys[:0], t.number[:0]
	for i := t.from; i < upto; i++ {
		from := len(t.mem)
		var ok bool
		if t.mem, ok = j.appendKey(t.mem, i); ok {
			t.refs = append(t.refs, row.NewKeyRef(t.mem[from:], i-t.from))
		}
		t.ends, t.number = append(t.ends, len(t.mem)), append(t.number, -1)
	}
	row.SortKeys(t.refs, t.key)
	for _, r := range t.refs {
		key := t.key(r.At)
		if n := len(t.keys); n == 0 || string(t.keys[n-1]) != string(key) {
			t.keys = append(t.keys, key)
		}
		t.number[r.At] = int32(len(t.keys) - 1)
	}
}

// key is the one of a row of the probe.
func (t *together) key(at int32) []byte {
	from := 0
	if at > 0 {
		from = t.ends[at-1]
	}
	return t.mem[from:t.ends[at]]
}

// found notes where the rows of each key are.
func (j *LookupJoin) found() {
	t := &j.together
	t.starts = t.starts[:0]
	of := t.many.Of()
	for i, key := range of {
		for len(t.starts) <= int(key) {
			t.starts = append(t.starts, i)
		}
	}
	for len(t.starts) <= len(t.keys) {
		t.starts = append(t.starts, len(of))
	}
	if len(of) < mostFound/8 {
		t.most = min(4*t.most, types.BatchRows)
	}
	t.upto = t.from + len(t.number)
	j.enter()
}

// enter begins with the rows of the probe's row at j.at, if it has been looked up.
func (j *LookupJoin) enter() {
	t := &j.together
	if t.next, t.end = 0, 0; j.at < t.upto {
		if n := t.number[j.at-t.from]; n >= 0 {
			t.next, t.end = t.starts[n], t.starts[n+1]
		}
	}
}

// give makes pairs of what has been looked up.
func (j *LookupJoin) give() error {
	t := &j.together
	all := t.many.Rows()
	t.rows = t.rows[:0]
	for j.at < t.upto && j.roomy() {
		if t.next < t.end {
			t.rows, j.left = append(t.rows, all.Bytes[t.next]), append(j.left, int32(j.at))
			t.next, j.some = t.next+1, true
			continue
		}
		if !j.some {
			j.bare++
		}
		j.at, j.some = j.at+1, false
		j.enter()
	}
	for i := range j.load {
		if err := j.load[i].loadRows(j.Table.Layout(), all, t.rows); err != nil {
			return err
		}
	}
	return nil
}
