package exec

import (
	"errors"
	"io"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// LookupJoin finds for each row of the left side those of a table whose leading columns of an index
// equal its keys. The columns of Semi and Anti are those of the left side. Keys that are no values
// of the index's columns find nothing, so the planner only uses expressions whose kind and
// collation are the column's.
//
// The rows of a probe are looked up together (lookupmany.go), or one after the other where a key
// has very many rows.
type LookupJoin struct {
	Kind    JoinKind
	L       Op
	Table   *table.Table
	Index   *catalog.Index
	Keys    []fn.Expr
	Cols    []int
	On      []fn.Expr // asked about pairs, over the columns of both sides
	Ids     []int
	Looks   int // keys that were looked up so far
	Read    int // rows that were found
	KeyID   int // not 0: a column behind the others, of the keys of the right side's rows (changed.go)
	Locking table.Locking

	probe   *types.Batch
	keyed   []*types.Vec // values of Keys
	at      int
	open    bool // the scan of row at is open
	scan    table.Scan
	key     []byte
	matched []bool
	some    bool // row at has pairs
	single  bool // pairs are given one by one
	bare    int  // rows that may be given without a partner, beside the pairs at hand
	alone   int  // Left: rows of the probe before it were given

	load  []loader
	vecs  []types.Vec
	arena []byte
	left  []int32
	gl    []types.Vec
	gr    []types.Vec
	rows  keyColumn // of the right side
	both  types.Batch
	pace  pace
	wide  narrow // what keys are computed of
	keep  Filter
	fill  filler
	together
}

// IDs implements Op.
func (j *LookupJoin) IDs() []int { return j.Ids }

// Open implements Op.
func (j *LookupJoin) Open(c *Ctx) error {
	j.probe, j.at, j.open, j.some, j.state = nil, 0, false, false, notBegun
	j.fill.begin()
	j.prepare(c)
	j.pace.bound = mostRows(j.On)
	j.single = c.OneByOne && c.locking(j.Locking).Lock != table.None
	j.wide.begin(j.Keys...)
	return j.L.Open(c)
}

func (j *LookupJoin) prepare(c *Ctx) {
	if j.load != nil {
		return
	}
	j.load, j.vecs, j.gr = make([]loader, len(j.Cols)), make([]types.Vec, len(j.Cols)), make([]types.Vec, len(j.Cols))
	for i, at := range j.Cols {
		col := j.Table.Def().Columns[at].Column
		j.load[i] = newLoader(at, col, c.Local, &j.vecs[i])
	}
}

// Close implements Op.
func (j *LookupJoin) Close(c *Ctx) {
	if j.open {
		j.scan.Close()
		j.open = false
	}
	if j.state == begun {
		j.many.Close()
	}
	j.state, j.size = notBegun, 0
	j.release(c)
	j.fill.end(c)
	j.L.Close(c)
	j.probe = nil
}

// Next implements Op.
func (j *LookupJoin) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if j.probe == nil {
			b, err := j.wide.next(func() (*types.Batch, error) { return j.fill.next(c, j.L) })
			if b == nil || err != nil {
				return nil, err
			}
			j.probe, j.at, j.alone, j.upto, j.keyed = b, 0, 0, 0, j.keyed[:0]
			j.pace.expect(rowBytes(b))
			for _, e := range j.Keys {
				v, err := e.Eval(&c.Fn, b)
				if err != nil {
					return nil, err
				}
				j.keyed = append(j.keyed, v)
			}
			j.matched = append(j.matched[:0], make([]bool, b.N)...)
			j.Looks += b.N
		}
		out, err := j.pairs(c)
		if err != nil {
			return nil, err
		}
		if out != nil && out.N > 0 {
			return out, nil
		}
	}
}

// pairs gives the next pairs of the probe.
func (j *LookupJoin) pairs(c *Ctx) (*types.Batch, error) {
	j.left, j.arena, j.bare = j.left[:0], j.arena[:0], 0
	if j.open || j.some {
		j.bare = 1
	}
	if err := j.find(c); err != nil {
		return nil, err
	}
	if err := j.check(c); err != nil {
		return nil, err
	}
	ended := j.at >= j.probe.N
	if j.Kind > Left {
		if !ended {
			return nil, nil
		}
		out := j.passed()
		j.probe = nil
		return out, nil
	}
	if j.Kind == Left {
		j.addAlone()
	}
	if ended {
		j.probe = nil
	}
	return &j.both, nil
}

// find makes the next pairs, whose conditions are still to be asked.
func (j *LookupJoin) find(c *Ctx) error {
	if !j.open && j.at >= j.upto {
		if err := j.lookUp(c); err != nil {
			return err
		}
	}
	if j.at < j.upto {
		return j.give()
	}
	return j.oneByOne(c)
}

// oneByOne makes pairs of the probe's row at hand, and of those behind it where none are looked up
// together.
func (j *LookupJoin) oneByOne(c *Ctx) error {
	for i := range j.load {
		j.load[i].reset(types.BatchRows)
	}
	j.rows.begin(j.KeyID, types.BatchRows)
	for {
		if !j.open && !j.seek(c) {
			j.at, j.bare = j.at+1, j.bare+1
		} else if err := j.read(c); err != nil {
			return err
		}
		if j.state != impossible || j.at == j.probe.N || !j.roomy() {
			return nil
		}
	}
}

// seek opens the scan of row at; false: no row can be found.
func (j *LookupJoin) seek(c *Ctx) (ok bool) {
	if j.key, ok = j.appendKey(j.key[:0], j.at); !ok {
		return false
	}
	o := j.options(c)
	o.Lower, o.Upper, o.UpperIncl = j.key, j.key, true
	j.scan.Restart(j.Table, c.Tx, o)
	j.open, j.some = true, false
	return true
}

// appendKey appends the key of a row of the probe; false: no row can have it.
func (j *LookupJoin) appendKey(key []byte, at int) ([]byte, bool) {
	from := len(key)
	def := j.Table.Def()
	for k, v := range j.keyed {
		p := j.Index.Parts[k]
		col := &def.Columns[p.Column].Column
		val, state := keyValue(col, v, at)
		if state != keyExact {
			return key[:from], false
		}
		key = row.AppendKeyPart(key, *col, p, val)
	}
	return key, true
}

// options are what is read of the table.
func (j *LookupJoin) options(c *Ctx) table.ScanOptions {
	lock := c.locking(j.Locking)
	o := table.ScanOptions{Index: j.Index, Columns: j.Cols, Lock: lock.Lock, Wait: lock.Wait}
	if o.Columns == nil {
		o.Columns = []int{}
	}
	if j.Index.Clustered {
		o.Index = nil
	}
	return o
}

// roomy tells whether the batch may have one pair more.
func (j *LookupJoin) roomy() bool {
	if j.single {
		return len(j.left) == 0 && (j.Kind != Left || j.at == j.alone)
	}
	return len(j.left)+j.bare < j.pace.rows() && len(j.arena) < batchBytes
}

// one tells whether one row of each key is enough.
func (j *LookupJoin) one() bool { return j.Kind > Left && len(j.On) == 0 }

// read takes rows of the scan that is open.
func (j *LookupJoin) read(c *Ctx) error {
	for j.roomy() {
		vals, err := j.scan.Next(c)
		if errors.Is(err, io.EOF) {
			j.scan.Close()
			if !j.some {
				j.bare++
			}
			j.open, j.some = false, false
			j.at++
			return nil
		}
		if err != nil {
			return err
		}
		n := len(j.left)
		for i := range j.load {
			l := &j.load[i]
			if j.arena, err = l.load(&vals[l.at], n, j.arena); err != nil {
				return err
			}
		}
		if j.KeyID != 0 {
			j.arena = j.rows.add(n, j.scan.RowKey(), j.arena)
		}
		j.left, j.some = append(j.left, int32(j.at)), true
		if j.one() {
			j.scan.Close()
			j.open, j.some = false, false
			j.at++
			return nil
		}
	}
	return nil
}

// check makes the batch of the pairs for which the conditions hold.
func (j *LookupJoin) check(c *Ctx) error {
	j.both.N = len(j.left)
	j.Read += j.both.N
	if len(j.left) == 0 {
		return nil
	}
	j.pairUp()
	j.pace.after(&j.both)
	for i := range j.On {
		v, err := j.On[i].Eval(&c.Fn, &j.both)
		if err != nil {
			return err
		}
		rows := fn.Passes(nil, v, j.both.N)
		if len(rows) == j.both.N {
			continue
		}
		for k, r := range rows {
			j.left[k] = j.left[r]
		}
		j.left = j.left[:len(rows)]
		for k := range j.vecs {
			j.vecs[k].Gather(&j.gr[k], rows)
			j.vecs[k], j.gr[k] = j.gr[k], j.vecs[k]
		}
		if j.KeyID != 0 {
			j.rows.gather(rows)
		}
		if j.both.N = len(rows); j.both.N == 0 {
			if j.single {
				j.scan.UnlockRow()
			}
			break
		}
		j.pairUp()
	}
	for _, l := range j.left {
		j.matched[l] = true
	}
	return nil
}

func (j *LookupJoin) pairUp() {
	if len(j.gl) != len(j.probe.Cols) {
		j.gl = make([]types.Vec, len(j.probe.Cols))
	}
	j.both.N, j.both.Cols = len(j.left), j.both.Cols[:0]
	for k, v := range j.probe.Cols {
		v.Gather(&j.gl[k], j.left)
		j.both.Cols = append(j.both.Cols, &j.gl[k])
	}
	for k := range j.vecs {
		j.both.Cols = append(j.both.Cols, &j.vecs[k])
	}
	if j.KeyID != 0 {
		j.both.Cols = append(j.both.Cols, j.rows.vec())
	}
}

// addAlone adds the rows of the left side without a partner to the pairs, each at its place.
func (j *LookupJoin) addAlone() {
	right := make([]int32, len(j.left))
	for k := range right {
		right[k] = int32(k)
	}
	pairs := len(j.left)
	j.left, right = withAlone(j.left, right, j.alone, j.at, func(i int) bool { return !j.matched[i] })
	if j.alone = j.at; len(j.left) == pairs {
		return
	}
	for k := range j.vecs {
		j.vecs[k].Gather(&j.gr[k], right)
		j.vecs[k], j.gr[k] = j.gr[k], j.vecs[k]
	}
	if j.KeyID != 0 {
		j.rows.gather(right)
	}
	j.pairUp()
}

// passed makes the batch of the rows that a semi or anti join lets pass.
func (j *LookupJoin) passed() *types.Batch {
	rows := j.keep.rows[:0]
	for i, m := range j.matched {
		if m == (j.Kind == Semi) {
			rows = append(rows, int32(i))
		}
	}
	j.keep.rows = rows
	if len(rows) == j.probe.N {
		return j.probe
	}
	return j.keep.gather(j.probe, 0)
}
