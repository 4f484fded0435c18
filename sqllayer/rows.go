package sqllayer

// rows is a cursor over one partition. What it locks is decided at the first Next, when the
// statement's intentions are known:
//
//	lock clause                                  as it says
//	read for a foreign key                       S for the existence of a parent or a child, X for what a cascade changes; the newest rows
//	target of UPDATE or DELETE                   X; rows the statement has changed are skipped
//	other table of a statement that writes       S from REPEATABLE READ up (INSERT ... SELECT, subqueries of UPDATE)
//	SERIALIZABLE outside autocommit              S
//	else                                         none: a consistent read
//
// GMS may drop a cursor without Close: the session closes it when the command ends. A procedure's
// cursor may outlive its transaction: what is left of it is read before the transaction ends.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

type rows struct {
	t    *Table
	part *tableScan

	handle *table.Table
	trx    *txn.Trx
	opts   table.ScanOptions
	scan   *table.Scan
	next   int // range after the one being scanned
	key    []byte
	opened bool
	closed bool
	ids    bool // the hidden ids of the rows are needed: the statement may change them
}

// Next implements sql.RowIter.
func (r *rows) Next(ctx *sql.Context) (sql.Row, error) {
	s := r.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err := r.read(ctx)
	if err != nil {
		r.close()
		return nil, s.note(err)
	}
	s.stmt.last = r
	return out, nil
}

// read returns the next row in GMS's form.
func (r *rows) read(ctx *sql.Context) (sql.Row, error) {
	vals, err := r.advance(ctx)
	if err != nil {
		return nil, err
	}
	out, err := r.t.def.decodeRow(r.t.s.Zone(), vals, r.t.proj)
	if err == nil && r.t.ids {
		out = append(out, vals[len(vals)-1].N)
	}
	return out, err
}

// advance returns the next row of the ranges.
func (r *rows) advance(ctx *sql.Context) ([]row.Value, error) {
	if r.closed {
		return nil, io.EOF
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	for {
		if r.scan == nil {
			if r.next == len(r.part.ranges) {
				return nil, io.EOF
			}
			r.begin()
		}
		vals, err := r.scan.Next(ctx)
		if err == io.EOF {
			r.scan.Close()
			r.scan = nil
			continue
		}
		if err != nil {
			return nil, err
		}
		if !r.matches(vals) {
			r.scan.UnlockRow()
			continue
		}
		if r.ids {
			r.t.s.remember(r.t.def, vals)
		}
		return vals, nil
	}
}

// open takes the table and decides on locks.
func (r *rows) open(ctx *sql.Context) error {
	s := r.t.s
	if r.opened {
		if s.trx != r.trx {
			return fmt.Errorf("cursor of table %s: its transaction has ended", r.t.Name())
		}
		return nil
	}
	h, trx, err := r.t.open(ctx)
	if err != nil {
		return err
	}
	r.handle, r.trx, r.opened = h, trx, true
	r.opts = table.ScanOptions{Reverse: r.part.reverse, Columns: r.columns(), Parts: r.t.parts}
	if r.part.index != nil {
		r.opts.Index = r.part.index.idx
	}
	r.intend(trx)
	r.choose(ctx, trx)
	if s.stmt.cursors == nil {
		s.stmt.cursors = make(map[*rows]struct{})
	}
	s.stmt.cursors[r] = struct{}{}
	return nil
}

// intend decides what the cursor locks.
func (r *rows) intend(trx *txn.Trx) {
	t, s := r.t, r.t.s
	_, target := s.stmt.targets[t.def.def.ID]
	switch {
	case t.fk != fkNone:
		r.opts.Fresh = true
		r.opts.Lock = table.Shared
		if t.fk == fkChange && t.def.cascades() {
			r.opts.Lock = table.Exclusive
		}
	case t.lock != table.None:
		r.opts.Lock, r.opts.Wait = t.lock, t.wait
	case target && deletesFromItself(s.stmt.root, t.def.def):
		r.opts.Lock, r.opts.Fresh = table.Exclusive, true // a row that lost its parent on the way goes as it is now
	case target:
		r.opts.Lock, r.opts.Target = table.Exclusive, true
	case len(s.stmt.writes) > 0 && trx.Isolation() >= txn.RepeatableRead && !s.ddl:
		r.opts.Lock = table.Shared
	case trx.Isolation() == txn.Serializable && !s.autocommit():
		r.opts.Lock = table.Shared
	}
	r.ids = t.def.keyless && !t.ids && (r.opts.Lock == table.Exclusive || t.fk != fkNone)
}

// deletesFromItself tells a DELETE of rows that refer to rows of their own table.
func deletesFromItself(root sql.Node, def *catalog.Table) bool {
	if _, deletes := root.(*plan.DeleteFrom); !deletes {
		return false
	}
	return slices.ContainsFunc(def.ForeignKeys, func(fk catalog.ForeignKey) bool {
		return strings.EqualFold(fk.ParentSchema, def.Schema) && strings.EqualFold(fk.ParentTable, def.Name)
	})
}

// columns are those the scan must read: the projected ones and those of the checks.
func (r *rows) columns() []int {
	if r.t.proj == nil {
		return nil
	}
	cols := slices.Clone(r.t.proj)
	if cols == nil {
		cols = []int{}
	}
	for i := range r.part.ranges {
		for _, c := range r.part.ranges[i].checks {
			if !slices.Contains(cols, c.part.Column) {
				cols = append(cols, c.part.Column)
			}
		}
	}
	return cols
}

// begin starts the scan of the next range.
func (r *rows) begin() {
	k := &r.part.ranges[r.next]
	r.next++
	r.opts.Lower, r.opts.LowerExcl = k.lower, k.lowerExcl
	r.opts.Upper, r.opts.UpperIncl = k.upper, k.upperIncl
	r.scan = r.handle.NewScan(r.trx, r.opts)
}

// matches applies the checks that the bounds could not express.
func (r *rows) matches(vals []row.Value) bool {
	for _, c := range r.part.ranges[r.next-1].checks {
		r.key = row.AppendKeyPart(r.key[:0], r.t.def.cols[c.part.Column], c.part, vals[c.part.Column])
		if !c.holds(r.key) {
			return false
		}
	}
	return true
}

// Close implements sql.RowIter. It may be called twice, or never.
func (r *rows) Close(*sql.Context) error {
	r.t.s.mu.Lock()
	defer r.t.s.mu.Unlock()
	r.close()
	return nil
}

// close ends the scan. REQUIRES: the session's mu.
func (r *rows) close() {
	if r.scan != nil {
		r.scan.Close()
		r.scan = nil
	}
	r.closed = true
	delete(r.t.s.stmt.cursors, r)
	if r.t.s.stmt.last == r {
		r.t.s.stmt.last = nil
	}
}

// unlock gives up the lock of the newest row: it did not match. READ COMMITTED only; the scan
// knows.
func (s *Session) unlock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.stmt.last; r != nil && r.scan != nil {
		r.scan.UnlockRow()
	}
}
