package exec

import (
	"errors"
	"io"
	"math"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Access says which rows of a table are read: those of an index whose leading columns equal Equal
// and whose next one lies between Low and High, or begins with a text, or is NULL. What it lets
// through is filtered above: a bound that has no key leaves the range open.
type Access struct {
	Index      *catalog.Index // nil: the clustered one
	Equal      []fn.Expr
	Low, High  fn.Expr
	LowExcl    bool
	HighExcl   bool
	Begin      []byte   // a text without wild cards
	Null       bool     // the column behind Equal is NULL
	NotNull    bool     // it is not, for what has no other bound
	Branches   []Access // not nil: rows of any of these, and nothing of the above but Index
	Descending bool
}

// Ranged tells whether the column behind Equal is bounded.
func (a *Access) Ranged() bool { return a.Low != nil || a.High != nil || a.Begin != nil || a.Null }

// Scan reads the rows of a table for which all conditions hold.
//
// Where it reads the clustered index forward it takes rows of whole leaves, and makes values of a
// column only when they are needed: those of a condition for the rows that have passed the ones
// before it, the other columns for the rows that have passed all.
//
// A copy made by fork reads parts of the range, one after the other.
type Scan struct {
	Table   *table.Table
	Cols    []int // of the table, in the order of Ids
	Ids     []int
	Access  Access
	From    []byte    // without an index: the key to begin with
	Conds   []fn.Expr // over Cols
	Out     []int     // the places in Cols of the columns that are given; nil: all
	Read    int       // rows so far, whether the conditions hold for them or not
	First   int       // rows to read at first; 0: the usual number
	KeyID   int       // not 0: a column behind the others, of the rows' keys (changed.go)
	Locking table.Locking

	scan   table.Scan
	parts  func() (table.ScanOptions, bool) // of a copy, or of branches: the next part
	done   bool
	opened bool
	whole  bool
	want   int
	most   int // rows that the conditions are computed of at once
	load   []loader
	uses   [][]int // by condition: the places of its columns
	last   []int   // by column: the last condition that uses it; len(Conds) if it is given
	vecs   [2][]types.Vec
	keys   keyColumn
	rows   [][]byte // of the batch at hand, where whole
	from   *table.Rows
	work   types.Batch // columns that have values; others are nil
	pass   []int32
	given  []int
	ids    []int
	batch  types.Batch
	arena  []byte

	narrowings []*narrowing // of hash joins above

	lower []byte
	upper []byte
	account
}

// IDs implements Op.
func (s *Scan) IDs() []int {
	if s.Out == nil && s.KeyID == 0 {
		return s.Ids
	}
	if s.ids == nil {
		s.ids = []int{}
		for _, k := range s.places() {
			s.ids = append(s.ids, s.Ids[k])
		}
		if s.KeyID != 0 {
			s.ids = append(s.ids, s.KeyID)
		}
	}
	return s.ids
}

// Open implements Op.
func (s *Scan) Open(c *Ctx) error {
	s.prepare(c)
	if s.want = min(firstRows, s.most); s.First > 0 {
		s.want = min(s.First, s.most)
	}
	if s.Access.Branches != nil {
		return s.openBranches(c)
	}
	o, none, err := s.options(c)
	if err != nil {
		return err
	}
	s.scan.Restart(s.Table, c.Tx, o)
	s.whole = s.scan.Whole() && !s.single()
	s.done, s.opened = none, true
	return nil
}

// options are what is read; none tells that no row can be in it.
func (s *Scan) options(c *Ctx) (o table.ScanOptions, none bool, err error) {
	o = s.whatever(c)
	none, err = s.bounds(c, &s.Access, &o)
	return o, none, err
}

// whatever are options without a range.
func (s *Scan) whatever(c *Ctx) table.ScanOptions {
	lock := c.locking(s.Locking)
	o := table.ScanOptions{Index: s.Access.Index, Columns: s.Cols, Reverse: s.Access.Descending, Lock: lock.Lock, Wait: lock.Wait, Room: s.roomFor(c)}
	o.All = c.Still && !c.OneByOne && o.Lock != table.None
	if s.Cols == nil {
		o.Columns = []int{}
	}
	if o.Index != nil && o.Index.Clustered {
		o.Index = nil
	}
	return o
}

// roomFor accounts the leaves that a batch holds. Without room a batch is of one leaf.
func (s *Scan) roomFor(c *Ctx) func(int) bool {
	return func(n int) bool { return s.room(c, n, math.MaxInt) }
}

// again goes on with the next part of the range; false: there is none.
func (s *Scan) again(c *Ctx) bool {
	if s.parts == nil {
		return false
	}
	o, ok := s.parts()
	o.Room = s.roomFor(c)
	switch {
	case !ok:
		return false
	case s.opened:
		s.scan.Again(o)
	default:
		s.scan.Restart(s.Table, c.Tx, o)
	}
	s.done, s.opened = false, true
	return true
}

// single tells a range of one key.
func (s *Scan) single() bool {
	ix := s.Access.Index
	return ix != nil && s.Access.of(ix)
}

// of tells whether a range has one key of a unique index.
func (a *Access) of(ix *catalog.Index) bool { return ix.Unique && len(a.Equal) == len(ix.Parts) }

func (s *Scan) prepare(c *Ctx) {
	if s.load != nil {
		return
	}
	n := len(s.Cols)
	if s.most = mostRows(s.Conds); c.OneByOne && c.locking(s.Locking).Lock != table.None {
		s.most = 1
	}
	s.load, s.vecs, s.last = make([]loader, n), [2][]types.Vec{make([]types.Vec, n), make([]types.Vec, n)}, make([]int, n)
	s.work.Cols = make([]*types.Vec, n)
	for i, at := range s.Cols {
		s.load[i] = newLoader(at, s.Table.Def().Columns[at].Column, c.Local, &s.vecs[0][i])
		s.last[i] = -1
	}
	s.uses = make([][]int, len(s.Conds))
	for i, cond := range s.Conds {
		fn.Walk(cond, func(e fn.Expr) bool {
			if col, ok := e.(*fn.Column); ok {
				s.uses[i] = append(s.uses[i], col.At)
				s.last[col.At] = i
			}
			return true
		})
	}
	s.given = s.places()
	for _, k := range s.given {
		s.last[k] = len(s.Conds)
	}
}

// bounds makes the keys of the range; none tells that no row can be in it.
func (s *Scan) bounds(c *Ctx, a *Access, o *table.ScanOptions) (none bool, err error) {
	if a.Index == nil {
		o.Lower = s.From
		return false, nil
	}
	key := s.lower[:0]
	def := s.Table.Def()
	n := 0
	for ; n < len(a.Equal); n++ {
		p := a.Index.Parts[n]
		var state keyState
		if key, state, err = appendKey(c, key, &def.Columns[p.Column].Column, p, a.Equal[n]); err != nil {
			return false, err
		}
		if state == keyNone {
			return true, nil
		}
		if state == keyOpen {
			break
		}
	}
	s.lower = key
	s.upper = append(s.upper[:0], key...)
	if len(key) > 0 {
		o.Lower, o.Upper, o.UpperIncl = s.lower, s.upper, true
	}
	if n < len(a.Equal) || n >= len(a.Index.Parts) {
		return false, nil
	}
	return false, s.edges(c, a, o, n)
}

// edges adds the bounds of the column behind the equal ones.
func (s *Scan) edges(c *Ctx, a *Access, o *table.ScanOptions, n int) error {
	p := a.Index.Parts[n]
	col := &s.Table.Def().Columns[p.Column].Column
	switch {
	case a.Null:
		s.lower = row.AppendKeyPart(s.lower, nullable(col), p, row.NullValue)
		o.Lower, o.Upper, o.UpperIncl = s.lower, s.lower, true
		return nil
	case a.Begin != nil:
		s.lower = row.AppendBeginning(s.lower, *col, p, a.Begin)
		o.Lower, o.Upper, o.UpperIncl = s.lower, s.lower, true
		return nil
	}
	low, high := a.Low, a.High
	lowExcl, highExcl := a.LowExcl, a.HighExcl
	if p.Desc {
		low, high, lowExcl, highExcl = high, low, highExcl, lowExcl
	}
	if low != nil {
		key, state, err := appendKey(c, s.lower, col, p, low)
		if err != nil {
			return err
		}
		if state == keyExact {
			s.lower, o.Lower, o.LowerExcl = key, key, lowExcl && p.Prefix == 0
		}
	} else if (high != nil || a.NotNull) && !p.Desc { // NULL is in no range
		s.lower = row.AppendKeyPart(s.lower, nullable(col), p, row.NullValue)
		o.Lower, o.LowerExcl = s.lower, true
	}
	if high != nil {
		key, state, err := appendKey(c, s.upper, col, p, high)
		if err != nil {
			return err
		}
		if state == keyExact {
			s.upper, o.Upper, o.UpperIncl = key, key, !highExcl || p.Prefix > 0
		}
	}
	return nil
}

func nullable(c *row.Column) row.Column {
	out := *c
	out.Nullable = true
	return out
}

// Next implements Op.
func (s *Scan) Next(c *Ctx) (*types.Batch, error) {
	for !s.done || s.again(c) {
		read := s.readRows
		if s.whole {
			read = s.readLeaves
		}
		if err := read(c); err != nil {
			return nil, err
		}
		if s.work.N == 0 {
			continue
		}
		s.Read += s.work.N
		if err := s.filter(c); err != nil {
			return nil, err
		}
		if s.work.N == 0 {
			if s.most == 1 {
				s.scan.UnlockRow()
			}
			continue
		}
		s.batch.N, s.batch.Cols = s.work.N, s.batch.Cols[:0]
		for _, k := range s.given {
			s.batch.Cols = append(s.batch.Cols, s.work.Cols[k])
		}
		if s.KeyID != 0 {
			s.batch.Cols = append(s.batch.Cols, s.keys.vec())
		}
		return &s.batch, nil
	}
	return nil, nil
}

// readLeaves takes the next rows without values.
func (s *Scan) readLeaves(c *Ctx) (err error) {
	s.work.N = 0
	clear(s.work.Cols)
	s.from, err = s.scan.NextRows(c, s.want)
	if errors.Is(err, io.EOF) {
		s.done = true
		return nil
	}
	if err == nil {
		s.rows = s.from.Bytes
		s.work.N, s.want = len(s.rows), min(s.want*4, s.most)
	}
	return err
}

// readRows takes the next rows with all their values.
func (s *Scan) readRows(c *Ctx) error {
	n := s.want
	s.want = min(s.want*4, s.most)
	for i := range s.load {
		s.work.Cols[i] = &s.vecs[0][i]
		s.load[i].out = s.work.Cols[i]
		s.load[i].reset(n)
	}
	s.arena = s.arena[:0]
	s.keys.begin(s.KeyID, n)
	rows := 0
	for rows < n && len(s.arena) < batchBytes {
		vals, err := s.scan.Next(c)
		if errors.Is(err, io.EOF) {
			if s.again(c) {
				continue
			}
			s.done = true
			break
		}
		if err != nil {
			return err
		}
		for i := range s.load {
			l := &s.load[i]
			if s.arena, err = l.load(&vals[l.at], rows, s.arena); err != nil {
				return err
			}
		}
		if s.KeyID != 0 {
			s.arena = s.keys.add(rows, s.scan.RowKey(), s.arena)
		}
		rows++
	}
	s.work.N = rows
	return nil
}

// filter drops the rows for which a condition does not hold, and gives the others the columns that
// are wanted.
func (s *Scan) filter(c *Ctx) error {
	for i, cond := range s.Conds {
		if err := s.fill(s.uses[i]); err != nil {
			return err
		}
		v, err := cond.Eval(&c.Fn, &s.work)
		if err != nil {
			return err
		}
		if s.pass = fn.Passes(s.pass[:0], v, s.work.N); len(s.pass) < s.work.N {
			s.drop(i)
		}
		if s.work.N == 0 {
			return nil
		}
	}
	if err := s.narrow(); s.work.N == 0 || err != nil {
		return err
	}
	return s.fill(s.given)
}

// fill gives columns their values.
func (s *Scan) fill(cols []int) error {
	for _, k := range cols {
		if s.work.Cols[k] != nil {
			continue
		}
		l := &s.load[k]
		l.out = &s.vecs[0][k]
		if err := l.loadRows(s.Table.Layout(), s.from, s.rows); err != nil {
			return err
		}
		s.work.Cols[k] = l.out
	}
	return nil
}

// drop keeps the rows that have passed a condition.
func (s *Scan) drop(cond int) {
	if s.work.N = len(s.pass); s.work.N == 0 {
		return
	}
	if s.whole {
		for i, r := range s.pass {
			s.rows[i] = s.rows[r]
		}
		s.rows = s.rows[:len(s.pass)]
	}
	if s.KeyID != 0 {
		s.keys.gather(s.pass)
	}
	for k, v := range s.work.Cols {
		if v == nil || s.last[k] <= cond {
			continue
		}
		to := &s.vecs[1][k]
		if v == to {
			to = &s.vecs[0][k]
		}
		v.Gather(to, s.pass)
		s.work.Cols[k] = to
	}
}

// Close implements Op.
func (s *Scan) Close(c *Ctx) {
	s.release(c)
	if s.opened {
		s.scan.Close()
	}
	s.done, s.opened = true, false
}

// Estimate is about how many rows the range has, as far as its bounds are known before the plan
// runs.
func (s *Scan) Estimate(c *Ctx) (float64, error) {
	if s.Access.Branches != nil {
		return s.estimateBranches(c)
	}
	return s.estimate(c, &s.Access)
}

func (s *Scan) estimate(c *Ctx, a *Access) (float64, error) {
	o := table.ScanOptions{Index: a.Index}
	none, err := s.bounds(c, a, &o)
	if none || err != nil {
		return 0, err
	}
	if o.UpperIncl && o.Upper != nil {
		o.Upper = row.PrefixEnd(o.Upper)
	}
	if o.LowerExcl && o.Lower != nil {
		o.Lower = row.PrefixEnd(o.Lower)
	}
	return s.Table.Estimate(o.Index, o.Lower, o.Upper)
}
