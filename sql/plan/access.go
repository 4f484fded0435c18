package plan

import (
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// What reading costs, in rows of the clustered index read in order.
const (
	costFetch  = 30.0 // a row behind an entry of another index
	costSeek   = 10.0 // the way to a key
	costBuild  = 2.5  // a row put into a hash table
	costProbe  = 1.0  // one looked up
	costSift   = 0.3  // one dropped where it is read, because it has no partner
	costResult = 0.4  // one that comes out

	// costLocks makes the whole of a table the last choice where rows are locked: all others wait.
	costLocks = 1000.0

	// costForced is how many times more the whole of a table costs under FORCE INDEX.
	costForced = 1000.0

	// fewRows are those of a table of a page or two: there a row costs the same wherever it is, and
	// the index that MySQL would choose is as good as the whole table.
	fewRows = 128
)

// prepare chooses the range of an index that a table's conditions make cheapest, and estimates what
// passes.
func (p *planner) prepare(r *relation) error {
	if r.base == nil {
		return nil
	}
	t := r.base.Table.Handle
	var err error
	if r.total, err = p.stats.size(t); err != nil {
		return err
	}
	r.cost, r.access = costSeek+r.total, exec.Access{}
	if p.c.Still || r.base.Locking.Lock != table.None {
		r.cost += costLocks
	}
	if r.base.Hints.Forced {
		r.cost *= costForced
	}
	ranged := r.total
	for _, ix := range t.Def().Indexes {
		a, ok := p.rangeOf(r, ix)
		if !ok {
			continue
		}
		rows, err := p.inRange(r, ix, a)
		if err != nil {
			return err
		}
		cost := r.seeks(&a) + rows
		if !ix.Clustered && !covers(t.Def(), ix, r.cols) {
			if fetch := rows * costFetch; r.total > fewRows {
				cost += fetch
			}
		}
		if a.Branches != nil && r.total > fewRows && rows > r.total/2 && !r.base.Hints.Forced {
			continue // the whole table is read faster, and by several goroutines
		}
		if cost < r.cost {
			r.cost, r.access, ranged = cost, a, rows
		}
	}
	return p.estimate(r, ranged)
}

// seeks is what the ways to the ranges of an access cost. A small table has one leaf for all.
func (r *relation) seeks(a *exec.Access) float64 {
	if r.total <= fewRows {
		return costSeek
	}
	return costSeek * float64(max(len(a.Branches), 1))
}

// estimate finds about how many rows of a relation pass. ranged are those of its range.
func (p *planner) estimate(r *relation, ranged float64) error {
	r.rows = ranged
	if len(r.conds) == 0 {
		return nil
	}
	share := 1.0
	for range r.conds {
		share *= 0.4
	}
	if p.stats.large && p.local(r) {
		placed, err := exec.PlaceAll(r.conds, r.ids, p.cells)
		if err != nil {
			return err
		}
		passed := 0
		if share, passed, err = p.stats.passing(r.base.Table.Handle, r.cols, placed); err != nil {
			if _, refused := fn.IsRefusal(err); !refused {
				return err
			}
			share = 0.3
		} else if passed < fewPassed {
			share = p.byHistogram(r, share)
		}
	}
	r.rows = max(min(ranged, r.total*share), 1)
	return nil
}

// fewPassed are so few rows of a sample that histograms tell more.
const fewPassed = 4

// byHistogram is the part of a relation's rows that pass if histograms tell, else share.
func (p *planner) byHistogram(r *relation, share float64) float64 {
	known := true
	s := spreads{p.stats, func(int) *bind.Base { return r.base }}
	told := s.all(r.conds, func(fn.Expr) float64 {
		known = false
		return 1
	})
	if !known {
		return share
	}
	return told
}

// local tells whether a relation's conditions depend on its columns alone.
func (p *planner) local(r *relation) bool {
	for _, c := range r.conds {
		if !columnsOf(c).in(r.set) {
			return false
		}
	}
	return true
}

// usable tells indexes whose keys are values of columns.
func usable(ix *catalog.Index) bool {
	return ix.Kind == "" && !ix.Invisible && !ix.Building && len(ix.Parts) > 0
}

// finds tells indexes that may find rows of a table.
func (r *relation) finds(ix *catalog.Index) bool {
	return usable(ix) && !slices.Contains(r.base.Hints.Rows, ix.Name)
}

func covers(def *catalog.Table, ix *catalog.Index, cols []int) bool {
	for _, c := range cols {
		found := false
		for _, parts := range [][]row.KeyPart{ix.Parts, def.Indexes[0].Parts} {
			for _, p := range parts {
				found = found || p.Column == c && row.Decodable(def.Columns[c].Column, p)
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// known tells expressions that depend on no rows but those of queries around.
func (p *planner) known(e fn.Expr) bool {
	for id := range columnsOf(e) {
		if _, outer := p.cells[id]; !outer {
			return false
		}
	}
	return true
}

// column is the ID of a column, 0 for another expression.
func column(e fn.Expr) int {
	if c, ok := e.(*fn.Column); ok {
		return c.ID
	}
	return 0
}

// keyed tells whether a value of type v compares with a column of type c as their keys in an index
// do.
func keyed(c, v types.Type) bool {
	switch {
	case c.Kind.Integer():
		return v.Kind.Integer()
	case c.Kind == types.Enum:
		return v.Kind == types.Enum
	case c.Kind == types.Date, c.Kind == types.DateTime && c.Wire == types.WireDateTime:
		return v.Kind == types.Date || v.Kind == types.DateTime
	case c.Kind == types.String && v.Kind == types.String && c.Wire != types.WireBlob:
		coll, _, err := fn.Collate(c, v)
		return err == nil && coll == c.Collation
	}
	return false
}

// inRange is about how many rows a range has.
func (p *planner) inRange(r *relation, ix *catalog.Index, a exec.Access) (float64, error) {
	for i := range a.Branches {
		if !constant(&a.Branches[i]) {
			one, err := p.inRange(r, ix, a.Branches[i])
			return one * float64(len(a.Branches)), err
		}
	}
	if !constant(&a) { // known when the plan runs
		if len(a.Equal) > 0 {
			return p.stats.fanout(r.base.Table.Handle, ix, len(a.Equal))
		}
		return r.total / 3, nil
	}
	if ix.Unique && len(a.Equal) == len(ix.Parts) {
		return 1, nil
	}
	scan := &exec.Scan{Table: r.base.Table.Handle, Access: a}
	n, err := scan.Estimate(p.c)
	return max(n, 1), err
}

// constant tells a range whose bounds are constants.
func constant(a *exec.Access) bool {
	for _, e := range append(append([]fn.Expr(nil), a.Equal...), a.Low, a.High) {
		if _, is := e.(*fn.Const); e != nil && !is {
			return false
		}
	}
	return true
}

// reader makes the operator that reads a relation, with its conditions.
func (p *planner) reader(r *relation) (exec.Op, error) {
	p.cost += r.cost
	placed, err := exec.PlaceAll(r.conds, r.ids, p.cells)
	if err != nil {
		return nil, err
	}
	if r.base == nil {
		if len(placed) == 0 {
			return r.op, nil
		}
		return only(&exec.Filter{In: r.op, Conds: placed}, p.needed(r)), nil
	}
	scan := &exec.Scan{Table: r.base.Table.Handle, Cols: r.cols, Ids: r.ids, Access: r.access, Conds: placed, KeyID: r.base.KeyID, Locking: r.base.Locking}
	if len(placed) > 0 {
		scan.Out = []int{}
		needed := p.needed(r)
		for i, id := range r.ids {
			if needed[id] {
				scan.Out = append(scan.Out, i)
			}
		}
		if len(scan.Out) == 0 && len(r.ids) > 0 && scan.KeyID == 0 {
			scan.Out = []int{0}
		}
	}
	return scan, nil
}

// readsFirst notes how the first table of a join is read.
func (p *planner) readsFirst(r *relation) {
	switch a := &r.access; {
	case r.base == nil:
	case a.Index == nil || a.Branches == nil && len(a.Equal) == 0 && !a.Ranged():
		p.reads = append(p.reads, txn.SelectScan)
	case a.Branches != nil || a.Ranged():
		p.reads = append(p.reads, txn.SelectRange)
	}
}

// needed are the columns of a relation that are named elsewhere than in its own conditions.
func (p *planner) needed(r *relation) idSet {
	inside := make(map[int]int)
	for _, c := range r.own {
		fn.Walk(c, func(x fn.Expr) bool {
			if id := column(x); id != 0 {
				inside[id]++
			}
			return true
		})
	}
	out := make(idSet)
	for _, id := range r.ids {
		if p.uses[id] > inside[id] {
			out[id] = true
		}
	}
	return out
}
