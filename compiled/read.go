package compiled

import (
	"bytes"
	"io"
	"math/bits"
	"slices"
	"strconv"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// options of the scans of a statement.
func (x *Exec) options() table.ScanOptions {
	p := x.p
	o := table.ScanOptions{Index: p.path.index, Columns: p.needed, Lock: p.lock, Wait: p.wait, Reverse: p.path.back, Target: p.Writes()}
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

func (x *Exec) wanted(vals []row.Value) (bool, error) { return x.matches(vals), nil }

// each calls f for every row that matches, until f returns io.EOF.
func (x *Exec) each(f func(vals []row.Value) error) error {
	x.ranges()
	o := x.options()
	for i := range x.scans {
		r := &x.scans[i]
		o.Lower, o.Upper, o.LowerExcl, o.UpperIncl = r.lower, r.upper, r.lowerExcl, r.upperIncl
		scan := x.table.NewScan(x.trx, o)
		for {
			vals, err := scan.Next(x.ctx)
			if err == io.EOF {
				break
			}
			if err == nil {
				if !x.matches(vals) {
					scan.UnlockRow()
					continue
				}
				err = f(vals)
			}
			if err != nil {
				scan.Close()
				if err == io.EOF {
					return nil
				}
				return err
			}
		}
		scan.Close()
	}
	return nil
}

// read runs a SELECT; the end of the result is written by the caller, after the statement has ended.
func (x *Exec) read() error {
	p := x.p
	x.out.header(p.header)
	switch {
	case p.aggregate:
		return x.aggregates()
	case p.order != nil:
		return x.sorted()
	case x.limit == 0:
		return nil
	}
	skip := x.offset
	return x.each(func(vals []row.Value) error {
		if skip > 0 {
			skip--
			return nil
		}
		if err := x.row(vals); err != nil {
			return err
		}
		if x.Result.Rows++; x.Result.Rows == x.limit {
			return io.EOF
		}
		return x.out.relieve()
	})
}

// row writes a row of the result.
func (x *Exec) row(vals []row.Value) error {
	at := x.out.beginRow(len(x.p.items))
	for i := range x.p.items {
		it := &x.p.items[i]
		if err := x.out.value(i, at, &x.p.cols[it.col], vals[it.col]); err != nil {
			return err
		}
	}
	return x.out.endPacket(at)
}

// sorter collects rows and their sort keys.
type sorter struct {
	mem  []byte
	rows []sortRow
}

type sortRow struct{ key, row, end uint32 }

func (s *sorter) key(r *sortRow) []byte { return s.mem[r.key:r.row] }
func (s *sorter) row(r *sortRow) []byte { return s.mem[r.row:r.end] }

// maxSort bounds what is sorted here.
const maxSort = 64 << 20

// sorted runs a SELECT whose rows do not come in order.
func (x *Exec) sorted() error {
	s := &x.sorter
	s.mem, s.rows = s.mem[:0], s.rows[:0]
	start := len(x.out.buf)
	seq := x.out.seq
	err := x.each(func(vals []row.Value) error {
		r := sortRow{key: uint32(len(s.mem))}
		for _, o := range x.p.order {
			s.mem = row.AppendKeyPart(s.mem, x.p.cols[o.Column].Column, o, vals[o.Column])
		}
		r.row = uint32(len(s.mem))
		if err := x.row(vals); err != nil {
			return err
		}
		s.mem = append(s.mem, x.out.buf[start:]...)
		x.out.buf, x.out.seq = x.out.buf[:start], seq
		r.end = uint32(len(s.mem))
		s.rows = append(s.rows, r)
		if len(s.mem) > maxSort {
			return errNotMine
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(s.rows, func(a, b sortRow) int { return bytes.Compare(s.key(&a), s.key(&b)) })
	if x.p.distinct {
		if err := s.unique(); err != nil {
			return err
		}
	}
	return x.emit()
}

// unique drops rows that are equal to the one before. Rows that are equal and look different are GMS's affair: which of them stays is not defined here.
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
	defer func() {
		if cap(s.mem) > 1<<20 {
			*s = sorter{}
		}
	}()
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

// sum is an aggregate under way: a count, a sum of 128 bits, or the value kept.
type sum struct {
	n      int64
	hi, lo uint64
	v      row.Value
	mem    []byte
}

func (s *sum) add(v row.Value) {
	lo, hi := v.N, uint64(0)
	if v.Kind == row.Int && v.Int() < 0 {
		hi = ^uint64(0)
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

func (s *sum) keep(v row.Value) {
	s.mem = append(s.mem[:0], v.B...)
	s.v = v
	if v.Kind == row.Bytes {
		s.v.B = s.mem
	}
}

// less compares numbers and decimals.
func less(a, b row.Value) bool {
	switch a.Kind {
	case row.Int:
		return a.Int() < b.Int()
	case row.Uint:
		return a.N < b.N
	}
	return bytes.Compare(a.B, b.B) < 0
}

// aggregates runs a SELECT of functions over all rows.
func (x *Exec) aggregates() error {
	items := x.p.items
	if len(x.sums) < len(items) {
		x.sums = make([]sum, len(items))
	}
	for i := range items {
		x.sums[i] = sum{mem: x.sums[i].mem}
	}
	err := x.each(func(vals []row.Value) error {
		for i := range items {
			s := &x.sums[i]
			if items[i].col < 0 {
				s.n++
				continue
			}
			v := vals[items[i].col]
			if v.IsNull() {
				continue
			}
			switch s.n++; items[i].fn {
			case aggSum:
				s.add(v)
			case aggMin:
				if s.n == 1 || less(v, s.v) {
					s.keep(v)
				}
			case aggMax:
				if s.n == 1 || less(s.v, v) {
					s.keep(v)
				}
			}
		}
		return nil
	})
	if err != nil || x.limit == 0 || x.offset > 0 {
		return err
	}
	x.Result.Rows = 1
	return x.aggregateRow()
}

func (x *Exec) aggregateRow() error {
	at := x.out.beginRow(len(x.p.items))
	for i := range x.p.items {
		it, s := &x.p.items[i], &x.sums[i]
		switch it.fn {
		case aggCount:
			x.out.integer(s.n)
			continue
		case aggSum:
			if s.n == 0 {
				x.out.null(i, at)
				continue
			}
			if int64(s.lo)>>63 != int64(s.hi) {
				return errNotMine // beyond 64 bits
			}
			x.keep = strconv.AppendInt(x.keep[:0], int64(s.lo), 10)
			x.out.bytes(x.keep)
			continue
		}
		if err := x.out.value(i, at, &x.p.cols[it.col], s.v); err != nil {
			return err
		}
	}
	return x.out.endPacket(at)
}
