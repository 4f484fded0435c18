package table

import (
	"context"
	"errors"
	"fmt"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
)

// A partitioned table is a Table without rows of its own, over Tables of its parts. A change goes to
// the part of the row, as the Placer tells. A scan reads the parts that can have rows of its range
// and merges them in the order of the index: see union.go. All unique keys hold the columns that
// decide about the part, so equal keys meet in one part.
//
// AUTO_INCREMENT values are the table's, in its own space. Hidden row ids are each part's. The
// binary log and errors name the table.

// Placer tells which part of a table a row belongs to. It comes from the layer that knows
// expressions; it belongs to one version of the definition and is used by many goroutines.
type Placer interface {
	// Place returns the number of the part in which the row stands; *NoPartError.
	Place(vals []row.Value) (int, error)
	// Columns are the columns that Place looks at.
	Columns() []int
	// Select returns the parts, in order, that can have rows within the bounds, which are by column.
	// The bounds of other columns may be missing.
	Select(bounds map[int]Bound) []int
}

// Bound says what is known of the values of a column.
type Bound struct {
	Low, High         row.Value // NULL: open, unless Null says that the value is NULL
	LowExcl, HighExcl bool
	Null              bool // the value is NULL
	NotNull           bool // the value is not NULL
}

// Equal is the bound of one value.
func Equal(v row.Value) Bound {
	if v.IsNull() {
		return Bound{Null: true}
	}
	return Bound{Low: v, High: v, NotNull: true}
}

// NoPartError tells that no partition of the table takes a row.
type NoPartError struct {
	Table *catalog.Table
	Value string // of the partitioning expression
}

func (e *NoPartError) Error() string {
	return fmt.Sprintf("table %s has no partition for value %s", e.Table.Name, e.Value)
}

// SetPlacer gives the tables of an engine what makes their Placers.
func (s *Services) SetPlacer(fn func(def *catalog.Table) (Placer, error)) { s.shared.placer.Store(&fn) }

// Divide gives t its parts: those of the definitions, in the order of the partitioning's leaves.
// They share counters with the parts of before that have the same storage.
// REQUIRES: nobody else knows t yet.
func (t *Table) Divide(defs []*catalog.Table, before *Table) {
	for _, def := range defs {
		var c *Counters
		if before != nil {
			for _, p := range before.parts {
				if p.def.Space == def.Space {
					c = p.Counters
				}
			}
		}
		p := New(def, t.svc, c)
		p.told, p.whole = t.def, t
		t.parts = append(t.parts, p)
	}
}

// Parts are the parts of a partitioned table.
func (t *Table) Parts() []*Table { return t.parts }

// placer returns the Placer of a partitioned table.
func (t *Table) placer() (Placer, error) {
	t.placing.once.Do(func() {
		bind := t.svc.shared.placer.Load()
		if bind == nil {
			t.placing.err = errors.New("partitioned tables need a Placer")
			return
		}
		t.placing.placer, t.placing.err = (*bind)(t.def)
	})
	return t.placing.placer, t.placing.err
}

// PartOf returns the number of the part in which a row stands.
func (t *Table) PartOf(vals []row.Value) (int, error) {
	p, err := t.placer()
	if err != nil {
		return 0, err
	}
	n, err := p.Place(vals)
	if err == nil && (n < 0 || n >= len(t.parts)) {
		return 0, fmt.Errorf("table %s: part %d of %d", t.def.Name, n, len(t.parts))
	}
	return n, err
}

// SelectParts is the Placer's Select.
func (t *Table) SelectParts(bounds map[int]Bound) ([]int, error) {
	p, err := t.placer()
	if err != nil {
		return nil, err
	}
	return p.Select(bounds), nil
}

// partFor returns the Table in which a row stands: t itself if it is not partitioned.
func (t *Table) partFor(vals []row.Value) (*Table, error) {
	if t.parts == nil {
		return t, nil
	}
	n, err := t.PartOf(vals)
	if err != nil {
		return nil, err
	}
	return t.parts[n], nil
}

// insertRowsParts is InsertRows: neighbours of one part go in together.
func (t *Table) insertRowsParts(ctx context.Context, tx *txn.Trx, vals []row.Value) (came int, err error) {
	width := len(t.cols)
	for len(vals) > 0 {
		part, err := t.partFor(vals[:width])
		if err != nil {
			return came, err
		}
		end := width
		for end < len(vals) {
			next, err := t.partFor(vals[end : end+width])
			if err != nil || next != part { // an error is that of the row when its turn comes
				break
			}
			end += width
		}
		n, err := part.InsertRows(ctx, tx, vals[:end:end])
		if came += n; err != nil {
			return came, err
		}
		vals = vals[end:]
	}
	return came, nil
}

// updateParts is Update: a row may move to another part.
func (t *Table) updateParts(ctx context.Context, tx *txn.Trx, old, new []row.Value) error {
	from, err := t.partFor(old)
	if err != nil {
		return err
	}
	to, err := t.partFor(new)
	if err != nil {
		return err
	}
	if from == to {
		return from.Update(ctx, tx, old, new)
	}
	for _, p := range []*Table{from, to} {
		if err := p.beginWrite(ctx, tx); err != nil {
			return err
		}
	}
	if err := from.checkRow(new); err != nil {
		return err
	}
	tx.Counts.Add(txn.Update, 1)
	from.count(tx, UpdateRow, 1)
	return from.atomically(ctx, tx, func() error { return from.moveTo(ctx, tx, to, old, new) })
}

// moveTo gives the row old new values in another part. The binary log is told of one change.
func (t *Table) moveTo(ctx context.Context, tx *txn.Trx, to *Table, old, new []row.Value) (err error) {
	w, w2 := getWork(), getWork()
	defer w.put()
	defer w2.put()
	if w.key, err = t.keyOf(w.key[:0], old); err != nil {
		return err
	}
	if err = t.deleteRow(ctx, tx, w); err != nil {
		return err
	}
	l := t.journal(tx)
	var was []row.Value
	if l != nil {
		if was, err = t.decodeOwned(w.key, w.old); err != nil {
			return err
		}
	}
	err = to.insertRow(ctx, tx, w2, new[:len(t.cols)], lock.S)
	if l != nil && err == nil {
		err = l.Updated(t.told, was, new)
	}
	return err
}
