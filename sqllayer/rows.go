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

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/trees"
)

type Rows struct {
	T    *Table
	Part *TableScan

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
func (r *Rows) Next(ctx *sql.Context) (sql.Row, error) {
	s := r.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	out, err := r.read(ctx)
	if err != nil {
		r.Release()
		return nil, s.Note(err)
	}
	s.Stmt.last = r
	return out, nil
}

// read returns the next row in GMS's form.
func (r *Rows) read(ctx *sql.Context) (sql.Row, error) {
	vals, err := r.Advance(ctx)
	if err != nil {
		return nil, err
	}
	out, err := r.T.Def.DecodeRow(r.T.S.Zone(), vals, r.T.Proj)
	if err == nil && r.T.Ids {
		out = append(out, vals[len(vals)-1].N)
	}
	return out, err
}

// Advance returns the next row of the ranges.
func (r *Rows) Advance(ctx *sql.Context) ([]row.Value, error) {
	if r.closed {
		return nil, io.EOF
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	for {
		if r.scan == nil {
			if r.next == len(r.Part.Ranges) {
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
			r.T.S.remember(r.T.Def, vals)
		}
		return vals, nil
	}
}

// open takes the table and decides on locks.
func (r *Rows) open(ctx *sql.Context) error {
	s := r.T.S
	if r.opened {
		if s.Trx != r.trx {
			return fmt.Errorf("cursor of table %s: its transaction has ended", r.T.Name())
		}
		return nil
	}
	h, trx, err := r.T.open(ctx)
	if err != nil {
		return err
	}
	r.handle, r.trx, r.opened = h, trx, true
	r.opts = table.ScanOptions{Reverse: r.Part.reverse, Columns: r.columns(), Parts: r.T.parts}
	if r.Part.index != nil {
		r.opts.Index = r.Part.index.Idx
	}
	r.intend(trx)
	r.choose(ctx, trx)
	if s.Stmt.cursors == nil {
		s.Stmt.cursors = make(map[*Rows]struct{})
	}
	s.Stmt.cursors[r] = struct{}{}
	return nil
}

// intend decides what the cursor locks.
func (r *Rows) intend(trx *txn.Trx) {
	t, s := r.T, r.T.S
	_, target := s.Stmt.targets[t.Def.Def.ID]
	switch {
	case t.fk != fkNone:
		r.opts.Fresh = true
		r.opts.Lock = table.Shared
		if t.fk == fkChange && t.Def.Cascades() {
			r.opts.Lock = table.Exclusive
		}
	case t.lock != table.None:
		r.opts.Lock, r.opts.Wait = t.lock, t.wait
	case target && trees.DeletesFromItself(s.Stmt.root, t.Def.Def):
		r.opts.Lock, r.opts.Fresh = table.Exclusive, true // a row that lost its parent on the way goes as it is now
	case target:
		r.opts.Lock, r.opts.Target = table.Exclusive, true
	case len(s.Stmt.writes) > 0 && trx.Isolation() >= txn.RepeatableRead && !s.ddl:
		r.opts.Lock = table.Shared
	case trx.Isolation() == txn.Serializable && !s.autocommit():
		r.opts.Lock = table.Shared
	}
	r.ids = t.Def.Keyless && !t.Ids && (r.opts.Lock == table.Exclusive || t.fk != fkNone)
}

// columns are those the scan must read: the projected ones and those of the checks.
func (r *Rows) columns() []int {
	if r.T.Proj == nil {
		return nil
	}
	cols := slices.Clone(r.T.Proj)
	if cols == nil {
		cols = []int{}
	}
	for i := range r.Part.Ranges {
		for _, c := range r.Part.Ranges[i].Checks {
			if !slices.Contains(cols, c.Part.Column) {
				cols = append(cols, c.Part.Column)
			}
		}
	}
	return cols
}

// begin starts the scan of the next range.
func (r *Rows) begin() {
	k := &r.Part.Ranges[r.next]
	r.next++
	r.opts.Lower, r.opts.LowerExcl = k.Lower, k.LowerExcl
	r.opts.Upper, r.opts.UpperIncl = k.Upper, k.UpperIncl
	r.scan = r.handle.NewScan(r.trx, r.opts)
}

// matches applies the checks that the bounds could not express.
func (r *Rows) matches(vals []row.Value) bool {
	for _, c := range r.Part.Ranges[r.next-1].Checks {
		r.key = row.AppendKeyPart(r.key[:0], r.T.Def.Cols[c.Part.Column], c.Part, vals[c.Part.Column])
		if !c.Holds(r.key) {
			return false
		}
	}
	return true
}

// Close implements sql.RowIter. It may be called twice, or never.
func (r *Rows) Close(*sql.Context) error {
	r.T.S.Mu.Lock()
	defer r.T.S.Mu.Unlock()
	r.Release()
	return nil
}

// Release ends the scan. REQUIRES: the session's mu.
func (r *Rows) Release() {
	if r.scan != nil {
		r.scan.Close()
		r.scan = nil
	}
	r.closed = true
	delete(r.T.S.Stmt.cursors, r)
	if r.T.S.Stmt.last == r {
		r.T.S.Stmt.last = nil
	}
}

// Unlock gives up the lock of the newest row: it did not match. READ COMMITTED only; the scan
// knows.
func (s *Session) Unlock() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if r := s.Stmt.last; r != nil && r.scan != nil {
		r.scan.UnlockRow()
	}
}
