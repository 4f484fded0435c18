package sqllayer

import (
	"context"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// PeekNextAutoIncrementValue implements sql.AutoIncrementGetter.
func (t *Table) PeekNextAutoIncrementValue(ctx *sql.Context) (next uint64, err error) {
	err = t.Estimate(ctx, func(h *table.Table) (err error) {
		next, err = h.PeekAutoInc()
		return err
	})
	return next, err
}

// GetNextAutoIncrementValue implements sql.AutoIncrementTable. A value the statement gives itself
// is the engine's to note when the row comes.
func (t *Table) GetNextAutoIncrementValue(ctx *sql.Context, given any) (uint64, error) {
	t.S.Mu.Lock()
	defer t.S.Mu.Unlock()
	if given != nil {
		v, _, err := types.Uint64.Convert(ctx, given)
		if err != nil {
			return 0, err
		}
		t.nextAuto = max(t.nextAuto, v.(uint64))
		if n := t.S.Numbers(t); n != nil {
			n.Given(v.(uint64))
		}
		return v.(uint64), nil
	}
	if t.Def.Def.AutoInc < 0 {
		t.nextAuto++ // ALTER TABLE gives the table its AUTO_INCREMENT column right now
		return t.nextAuto, nil
	}
	h, trx, err := t.open(ctx)
	if err != nil {
		return 0, t.S.Note(err)
	}
	n := t.S.Numbers(t)
	if n == nil { // a statement of a trigger
		n = &table.AutoNumbers{Rows: 1}
		t.S.setNumbers(n)
		defer n.Release()
	}
	forces := n.Forced > 0
	v, err := n.Next(t.S.Patient(ctx), h, trx)
	if forces && err == nil {
		err = t.S.SetSessionVariable(ctx, "insert_id", int64(0)) // it counts once
	}
	return v, t.S.Note(err)
}

// NumberUnused takes the AUTO_INCREMENT value of the row before back if that did not come in.
func (s *Session) NumberUnused() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth == 0 {
		s.Stmt.Tally.numbers.Unused()
	}
}

// Numbers are those of the running INSERT if t is its table, nil if it is not. REQUIRES: s.mu.
func (s *Session) Numbers(t *Table) *table.AutoNumbers {
	l := &s.Stmt.Tally
	if s.Stmt.Depth > 0 || l.table != 0 && l.table != t.Def.Def.ID {
		return nil
	}
	if !l.numbered {
		l.table, l.numbered = t.Def.Def.ID, true
		s.setNumbers(&l.numbers)
		if n := insertOf(s.Stmt.root); n != nil {
			l.numbers.Rows = ValueRows(n.Source)
		}
	}
	return &l.numbers
}

// SetNumbers gives numbers the settings they obey.
func (s *Session) setNumbers(n *table.AutoNumbers) {
	n.Mode = s.settings().autoMode
	n.Step, n.Offset = s.unsigned("auto_increment_increment"), s.unsigned("auto_increment_offset")
	n.Forced = s.unsigned("insert_id")
}

// unsigned reads a session variable that is a number.
func (s *Session) unsigned(name string) uint64 {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return 0
	}
	n, _, err := types.Uint64.Convert(context.Background(), v)
	if err != nil || n == nil {
		return 0
	}
	return n.(uint64)
}

// insertOf finds the INSERT that a plan is, nil if it is none.
func insertOf(root sql.Node) (found *plan.InsertInto) {
	for n := root; n != nil && found == nil; {
		if i, ok := n.(*plan.InsertInto); ok {
			return i
		}
		if t, ok := n.(*plan.TriggerExecutor); ok {
			n = t.Left()
			continue
		}
		children := n.Children()
		if len(children) != 1 {
			return nil
		}
		n = children[0]
	}
	return nil
}

// ValueRows is the number of rows of VALUES, 0 of anything else.
func ValueRows(n sql.Node) uint64 {
	for n != nil {
		switch v := n.(type) {
		case *plan.Values:
			return uint64(len(v.ExpressionTuples))
		case *plan.TriggerExecutor:
			n = v.Left()
			continue
		}
		children := n.Children()
		if len(children) != 1 {
			return 0
		}
		n = children[0]
	}
	return 0
}

// AutoIncrementSetter implements sql.AutoIncrementTable.
func (t *Table) AutoIncrementSetter(*sql.Context) sql.AutoIncrementSetter { return &Editor{T: t} }

// SetAutoIncrementValue implements sql.AutoIncrementSetter. The counter may sink, to behind the
// greatest value that is there.
func (e *Editor) SetAutoIncrementValue(ctx *sql.Context, v uint64) error {
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := e.T.open(ctx)
	if err != nil {
		return s.Note(err)
	}
	used, err := lastAuto(s.Patient(ctx), h, trx)
	if err != nil {
		return s.Note(err)
	}
	return s.Note(h.ResetAutoInc(max(v, used+min(1, ^used))))
}

// lastAuto reads the greatest positive value of the AUTO_INCREMENT column, 0 if there is none. The
// lock it leaves keeps others from putting one behind it.
func lastAuto(ctx context.Context, h *table.Table, trx *txn.Trx) (uint64, error) {
	def := h.Def()
	o := table.ScanOptions{Lock: table.Exclusive, Columns: []int{def.AutoInc}}
	for _, idx := range def.Indexes {
		if p := idx.Parts; len(p) > 0 && p[0].Column == def.AutoInc && !idx.Building {
			o.Index, o.Reverse = idx, !p[0].Desc
			break
		}
	}
	scan := h.NewScan(trx, o)
	defer scan.Close()
	vals, err := scan.Next(ctx)
	if err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	switch v := vals[def.AutoInc]; {
	case v.Kind == row.Uint:
		return v.N, nil
	case v.Kind == row.Int && v.Int() > 0:
		return v.N, nil
	case v.Kind == row.Float && v.Float() > 0:
		return uint64(v.Float()), nil
	}
	return 0, nil
}

// AcquireAutoIncrementLock implements sql.AutoIncrementSetter: the numbers take the lock that
// innodb_autoinc_lock_mode wants, to the end of the statement.
func (e *Editor) AcquireAutoIncrementLock(*sql.Context) (func(), error) {
	s := e.T.S
	return func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.Stmt.Tally.numbers.Release()
	}, nil
}
