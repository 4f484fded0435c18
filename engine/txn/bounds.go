package txn

// The points a transaction may go back to, and what it had logged there.
//
// A bound is kept for each: where the statement began, and savepoints. A statement with IGNORE goes
// back to the start of a row, and lets go of the one before with Move: however many rows it has,
// their bounds take no memory. Of a transaction that has logged nothing no bound is kept, for there
// is nothing to go back to: first, its point when the first event came, tells later that a point
// before it is one of those.

import (
	"cmp"
	"errors"
	"slices"

	"emberdb/binlog"
)

type bound struct {
	mark    Mark
	number  uint64 // ascending, never used twice
	holders int32  // who may go back to it; at 0 it is forgotten
	keeps   int32  // of these, who may do so when the statement is over: savepoints
	point   binlog.Bound
}

// startStatement: a statement begins at m.
func (j *Journal) startStatement(m Mark) {
	j.endStatement()
	j.asked = false
	if j.gatherer != nil {
		j.bounds = slices.DeleteFunc(j.bounds, func(b bound) bool { return b.keeps == 0 })
		j.addBound(m)
	}
}

func (j *Journal) addBound(m Mark) {
	j.numbers++
	j.bounds = append(j.bounds, bound{mark: m, number: j.numbers, holders: 1, point: j.point()})
}

// boundary: the transaction may go back to m, until the end of the statement.
func (j *Journal) boundary(m Mark) {
	if j.gatherer == nil {
		return
	}
	if n := len(j.bounds); n > 0 && j.bounds[n-1].mark == m {
		j.bounds[n-1].holders++
		return
	}
	j.addBound(m)
}

// Move is boundary for one who will not go back to the bound it held before, of which it knows the
// number (0: none). It returns that of the new one.
func (j *Journal) Move(held uint64, m Mark) uint64 {
	if j.gatherer == nil {
		return 0
	}
	if i, known := j.find(held); known {
		if j.bounds[i].mark == m {
			return held
		}
		j.drop(i)
	}
	j.boundary(m)
	return j.bounds[len(j.bounds)-1].number
}

// Bounds is how many points are kept.
func (j *Journal) Bounds() int {
	if j.gatherer == nil {
		return 0
	}
	return len(j.bounds)
}

func (j *Journal) find(number uint64) (at int, known bool) {
	return slices.BinarySearchFunc(j.bounds, number, func(b bound, n uint64) int { return cmp.Compare(b.number, n) })
}

// drop tells that one fewer may go back to a bound.
func (j *Journal) drop(i int) {
	b := &j.bounds[i]
	if b.holders--; b.holders == 0 && b.keeps == 0 {
		j.bounds = slices.Delete(j.bounds, i, i+1)
	}
}

// Keep is boundary for a savepoint, which outlives its statement. It returns the number of the
// bound, for Release.
func (j *Journal) Keep(m Mark) uint64 {
	if j.gatherer == nil {
		return 0
	}
	j.boundary(m)
	b := &j.bounds[len(j.bounds)-1]
	b.keeps++
	return b.number
}

// Release tells that nobody will go back to the savepoint any more. One that is not released is
// kept to the end of the transaction.
func (j *Journal) Release(held uint64) {
	if j.gatherer == nil {
		return
	}
	if i, known := j.find(held); known {
		j.bounds[i].keeps--
		j.drop(i)
	}
}

func (j *Journal) point() binlog.Bound {
	if j.open {
		return j.stmt.Bound()
	}
	return binlog.BoundOf(j.cache)
}

// rolledBack: the transaction has gone back to m.
func (j *Journal) rolledBack(m Mark) {
	if j.gatherer == nil || m >= j.logged || j.broken != nil {
		return // what was taken back was not logged
	}
	point := binlog.NoEvents
	switch i := slices.IndexFunc(j.bounds, func(b bound) bool { return b.mark == m }); {
	case i >= 0:
		point, j.bounds = j.bounds[i].point, j.bounds[:i+1]
	case m <= j.first:
		j.first, j.bounds = m, j.bounds[:0]
	default:
		j.fail(errors.New("binary log: the transaction went back to a point nobody has announced"))
		return
	}
	j.fail(j.stmt.Return(point))
	j.logged = m
	if j.rows && j.isEmpty() {
		j.rows = false
	}
}
