package compiled

import (
	"bytes"
	"io"
	"slices"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// level is a table being read.
type level struct {
	src   *source
	table *table.Table
	path  *path
	scans []keyRange
	scan  table.Scan
}

// options of the scans of a level.
func (x *Exec) options(l *level) table.ScanOptions {
	p := x.p
	o := table.ScanOptions{Index: l.path.index, Columns: l.src.needed, Lock: p.lock, Wait: p.wait, Reverse: l.path.back, Target: p.Writes(),
		All: p.Writes() && !p.limited && len(p.tables) == 1, First: l.src.tried}
	if o.Index.Clustered {
		o.Index = nil
	}
	if o.Lock == table.None && x.trx.Isolation() == txn.Serializable && !x.session.AutocommitDirect() {
		o.Lock = table.Shared
	}
	if p.Writes() && o.Index == nil && x.trx.Isolation() <= txn.ReadCommitted {
		o.Match = x.wanted // semi-consistent: a locked row whose last committed version does not match is passed by
	}
	return o
}

func (x *Exec) wanted(vals []row.Value) (bool, error) {
	x.cur = vals
	l := x.levels[0]
	return x.matches(l, l.src.where)
}

// each calls f for every row that matches, until f returns io.EOF.
func (x *Exec) each(f func(vals []row.Value) error) error {
	if n := len(x.p.tables); n > 1 {
		x.joined = slices.Grow(x.joined[:0], len(x.p.cols))[:len(x.p.cols)]
		clear(x.joined)
		x.cur = x.joined
	}
	err := x.best(x.levels[0])
	if err == nil {
		err = x.report()
	}
	if err == nil {
		err = x.level(0, f)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// manyRows is from how many rows on that are grouped, sorted or joined a statement is a report.
const manyRows = 20_000

// report refuses a statement that the server's executor runs better.
func (x *Exec) report() error {
	if p := x.p; !x.Reports || p.kept.Load() || !p.reports() || p.Writes() && x.trx.Isolation() != txn.RepeatableRead {
		return nil
	}
	cost, err := x.cost(x.levels[0])
	if err != nil || cost < manyRows {
		return err
	}
	x.why = ByReport
	return errNotMine
}

// reports tells programs that the executor runs better where there are many rows: it evaluates
// expressions for many rows at once.
func (p *Program) reports() bool {
	switch p.verb {
	case verbSelect:
		return p.lock == table.None && (p.aggregate || p.distinct || len(p.sorts) > 0 && !p.inOrder())
	case verbUpdate, verbDelete:
		return p.computes && !p.limited && p.order == nil && !p.fires && p.def.Partitioning == nil
	}
	return false
}

// Keep tells a program that the executor has refused its statement.
func (p *Program) Keep() { p.kept.Store(true) }

// level reads the table at depth n for the row under way, and the tables behind it for each of its
// rows.
func (x *Exec) level(n int, f func(vals []row.Value) error) error {
	if n == len(x.p.tables) {
		if f == nil {
			return x.take(x.cur)
		}
		return f(x.cur)
	}
	l, mark := x.levels[n], len(x.arena)
	if n > 0 {
		l.path = &l.src.paths[0]
		x.ranges(l)
	}
	matched := false
	o := x.options(l)
	for i := range l.scans {
		r := &l.scans[i]
		if l.path.back { // the last range first
			r = &l.scans[len(l.scans)-1-i]
		}
		o.Lower, o.Upper, o.LowerExcl, o.UpperIncl = r.lower, r.upper, r.lowerExcl, r.upperIncl
		l.scan.Restart(l.table, x.trx, o)
		any, err := x.scan(n, f)
		l.scan.Close()
		if err != nil {
			return err
		}
		if matched = matched || any; matched && l.src.exists != everyRow {
			break
		}
	}
	x.arena = x.arena[:mark]
	switch {
	case l.src.outer && !matched:
		return x.missing(n, f)
	case l.src.exists == anyRow && matched, l.src.exists == noRow && !matched:
		return x.level(n+1, f)
	}
	return nil
}

// scan reads a range of a level. any: a row matched.
func (x *Exec) scan(n int, f func(vals []row.Value) error) (any bool, err error) {
	l := x.levels[n]
	for {
		vals, err := l.scan.Next(x.ctx)
		if err == io.EOF {
			return any, nil
		}
		if err != nil {
			return any, err
		}
		if len(x.p.tables) == 1 {
			x.cur = vals
		} else {
			copy(x.cur[l.src.first:], vals[:len(l.src.def.Columns)])
		}
		ok, err := x.matches(l, l.src.where)
		if err != nil {
			return any, err
		}
		if !ok {
			l.scan.UnlockRow()
			continue
		}
		if l.src.tried != nil {
			if x.cur, err = l.scan.Rest(); err != nil {
				return any, err
			}
		}
		if any = true; l.src.exists != everyRow {
			return any, nil
		}
		if l.src.outer {
			if ok, err = x.matches(l, l.src.then); err != nil {
				return any, err
			}
		}
		if ok {
			if err := x.level(n+1, f); err != nil {
				return any, err
			}
		}
	}
}

// missing goes on with NULLs in place of a row of an outer table.
func (x *Exec) missing(n int, f func(vals []row.Value) error) error {
	l := x.levels[n]
	clear(x.cur[l.src.first : l.src.first+len(l.src.def.Columns)])
	if ok, err := x.matches(l, l.src.then); !ok || err != nil {
		return err
	}
	return x.level(n+1, f)
}

// read runs a SELECT; the end of the result is written by the caller, after the statement has
// ended.
func (x *Exec) read() error {
	x.out.header(x.p.header)
	err := x.result()
	x.tell()
	if err == nil && (len(x.p.formulas) > 0 || x.p.grouping != nil) && !x.out.Sent && x.sc.Session.WarningCount() > 0 {
		return errNotMine // how often a warning is given depends on how conditions are tried
	}
	return err
}

// tell tells the session how the statement has read its first table.
func (x *Exec) tell() {
	path := x.levels[0].path
	if path == nil {
		return // no row was wanted
	}
	way := txn.SelectScan
	switch {
	case len(path.bounds) > 0 || path.list >= 0:
		way = txn.SelectRange
	case path.looksUp():
		way = -1
	}
	if way >= 0 {
		x.session.Count(way, 1)
	}
	if x.sorts {
		x.session.Count(txn.SortScan, 1)
		x.session.Count(txn.SortRows, int(x.Result.Rows))
	}
}

// result writes the rows.
func (x *Exec) result() error {
	p := x.p
	x.sorts, x.levels[0].path = false, nil
	if x.limit == 0 && p.lock == table.None {
		return nil
	}
	x.skip = x.offset
	switch {
	case p.aggregate:
		return x.aggregates()
	case x.limit == 0:
		return nil
	}
	// The path is not chosen yet; where any of them needs sorting, all are sorted.
	if p.distinct || len(p.sorts) > 0 && (p.order == nil || !p.inOrder()) {
		return x.sorted()
	}
	return x.each(nil)
}

// inOrder tells whether the rows come in the wanted order whatever path is taken.
func (p *Program) inOrder() bool {
	for i := range p.tables[0].paths {
		if !p.tables[0].paths[i].ordered {
			return false
		}
	}
	return true
}

// take deals with a row of a SELECT.
func (x *Exec) take(vals []row.Value) error {
	switch {
	case x.p.aggregate:
		return x.gather(vals)
	case x.sorting:
		return x.collect(vals)
	case x.skip > 0:
		x.skip--
		return nil
	}
	if err := x.row(vals); err != nil {
		return err
	}
	if x.Result.Rows++; x.Result.Rows == x.limit {
		return io.EOF
	}
	return x.out.relieve()
}

// row writes a row of the result.
func (x *Exec) row(vals []row.Value) error {
	at := x.out.beginRow(len(x.p.items))
	for i := range x.p.items {
		it := &x.p.items[i]
		var err error
		if it.formula >= 0 {
			err = x.boxed(i, at, it)
		} else {
			err = x.value(i, at, it.col, vals[it.col])
		}
		if err != nil {
			x.out.drop(at)
			return err
		}
	}
	return x.out.endPacket(at)
}

// value writes the value of a column.
func (x *Exec) value(i, at, col int, v row.Value) error {
	c := &x.p.cols[col]
	err := x.out.value(i, at, c, v)
	if err != errOther {
		return err
	}
	given, err := x.p.tables[x.p.place[c.table]].info.Decode(x.session.Zone(), c.pos, v)
	if err != nil {
		return err
	}
	return x.out.computed(x.sc, c.typ, 0, given)
}

// sorter collects rows and their sort keys.
type sorter struct {
	mem   []byte
	spare []byte
	rows  []sortRow
}

type sortRow struct{ key, row, end uint32 }

func (s *sorter) key(r *sortRow) []byte { return s.mem[r.key:r.row] }
func (s *sorter) row(r *sortRow) []byte { return s.mem[r.row:r.end] }

func (s *sorter) reset() {
	if cap(s.mem) > 1<<20 {
		*s = sorter{}
	}
	s.mem, s.rows = s.mem[:0], s.rows[:0]
}

func (s *sorter) sort() {
	slices.SortStableFunc(s.rows, func(a, b sortRow) int { return bytes.Compare(s.key(&a), s.key(&b)) })
}

// keep drops all but the first n rows.
func (s *sorter) keep(n int) {
	s.sort()
	to := s.spare[:0]
	s.rows = s.rows[:min(n, len(s.rows))]
	for i := range s.rows {
		r := &s.rows[i]
		from := uint32(len(to))
		to = append(to, s.mem[r.key:r.end]...)
		*r = sortRow{from, from + r.row - r.key, uint32(len(to))}
	}
	s.mem, s.spare = to, s.mem
}

// maxSort bounds what is sorted, or grouped, here.
const maxSort = 64 << 20

// slack is how many rows more than those wanted are collected before the others are dropped.
const slack = 1000

// sorted runs a SELECT whose rows do not come in order.
func (x *Exec) sorted() error {
	s := &x.sorter
	s.reset()
	defer s.reset()
	x.sorting, x.sorts = true, true
	err := x.each(nil)
	x.sorting = false
	if err != nil {
		return err
	}
	s.sort()
	if x.p.distinct {
		if err := s.unique(); err != nil {
			return err
		}
	}
	return x.emit()
}

// collect keeps a row and its sort key.
func (x *Exec) collect(vals []row.Value) error {
	s := &x.sorter
	r := sortRow{key: uint32(len(s.mem))}
	for _, o := range x.p.sorts {
		if o.formula < 0 {
			s.mem = row.AppendKeyPart(s.mem, x.p.cols[o.col].Column, row.KeyPart{Desc: o.desc}, vals[o.col])
			continue
		}
		v, err := x.evaluate(o.formula)
		if err != nil {
			return errNotMine
		}
		if s.mem, err = x.sortKey(s.mem, x.bound.exprs[o.formula], v, o.desc); err != nil {
			return err
		}
	}
	r.row = uint32(len(s.mem))
	start, seq := len(x.out.buf), x.out.seq
	if err := x.row(vals); err != nil {
		return errNotMine // it may not be among the rows wanted
	}
	return x.stash(r, start, seq)
}

// stash moves the row that was written last out of the answer.
func (x *Exec) stash(r sortRow, start int, seq byte) error {
	s := &x.sorter
	s.mem = append(s.mem, x.out.buf[start:]...)
	x.out.buf, x.out.seq = x.out.buf[:start], seq
	r.end = uint32(len(s.mem))
	s.rows = append(s.rows, r)
	if few := x.limit + x.offset; !x.p.distinct && few >= 0 && few < 1<<20 && len(s.rows) >= 2*int(few)+slack {
		s.keep(int(few))
	}
	if len(s.mem) > maxSort {
		return errNotMine
	}
	return nil
}

// unique drops rows that are equal to the one before. Rows that are equal and look different are
// GMS's affair: which of them stays is not defined here.
func (s *sorter) unique() error {
	out := s.rows[:0]
	for i := range s.rows {
		r := s.rows[i]
		if n := len(out); n > 0 && bytes.Equal(s.key(&out[n-1]), s.key(&r)) {
			if !bytes.Equal(s.row(&out[n-1])[headerSize:], s.row(&r)[headerSize:]) {
				return errNotMine
			}
			continue
		}
		out = append(out, r)
	}
	s.rows = out
	return nil
}

// emit writes the sorted rows.
func (x *Exec) emit() error {
	s := &x.sorter
	for i := range s.rows {
		if int64(i) < x.offset {
			continue
		}
		if x.Result.Rows == x.limit {
			break
		}
		x.out.packets(s.row(&s.rows[i]))
		x.Result.Rows++
		if err := x.out.relieve(); err != nil {
			return err
		}
	}
	return nil
}
