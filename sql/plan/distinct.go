package plan

import (
	"maps"
	"math"
	"slices"

	"emberdb/engine/table"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// valued is a column of a table in a statement.
type valued struct {
	base *bind.Base
	col  int
}

// fewer reckons how many times fewer rows than all pairs equalities leave, from the numbers of
// different values of the columns: each value of the side with fewer of them is one of the other's.
// Later equalities count less, because columns depend on each other. It is 0 where nothing is known.
func (p *planner) fewer(eqs []pair) float64 {
	var counts []float64
	for _, e := range eqs {
		if n := p.different(e); n > 1 {
			counts = append(counts, n)
		}
	}
	slices.SortFunc(counts, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	out, power := 0.0, 1.0
	for i, n := range counts {
		if i == 0 {
			out = 1
		}
		out *= math.Pow(n, power)
		power /= 2
	}
	return out
}

// different is the greater number of different values of the two sides; 0 if none is known. The
// side of a unique key is not compared with the other.
func (p *planner) different(e pair) (most float64) {
	plain := [...]fn.Expr{e.plainLeft, e.plainRight}
	for _, x := range plain {
		if n, unique := p.keys(x); unique {
			return n
		}
	}
	for _, x := range plain {
		most = max(most, p.distinct(x, e.keyer))
	}
	return most
}

// keys is how many different values a column has that is the first of an index, and whether no two
// rows share one; 0 for others.
func (p *planner) keys(x fn.Expr) (n float64, unique bool) {
	v, ok := p.valued[column(x)]
	if !ok {
		return 0, false
	}
	t := v.base.Table
	total, err := p.stats.size(t.Handle)
	if err != nil {
		return 0, false
	}
	for _, ix := range t.Def.Indexes {
		if !usable(ix) || ix.Parts[0].Column != v.col || ix.Parts[0].Prefix > 0 {
			continue
		}
		if ix.Unique && len(ix.Parts) == 1 {
			return total, true
		}
		if fan, err := p.stats.fanout(t.Handle, ix, 1); err == nil {
			n = max(n, total/fan)
		}
	}
	return n, false
}

// distinct is about how many different values a column has; 0 if that is not known.
func (p *planner) distinct(x fn.Expr, keyer types.Keyer) float64 {
	id := column(x)
	v, ok := p.valued[id]
	if !ok {
		return 0
	}
	if n, known := p.distincts[id]; known {
		return n
	}
	n, _ := p.keys(x)
	if n == 0 && p.stats.large {
		n, _ = p.stats.distinct(v.base.Table.Handle, v.col, keyer)
	}
	p.distincts[id] = n
	return n
}

// distinct reckons from a sample how many different values a column has.
func (s *statistics) distinct(t *table.Table, col int, keyer types.Keyer) (float64, error) {
	k, changes, err := s.known(t)
	if err != nil {
		return 0, err
	}
	if n, ok := k.distincts[col]; ok {
		return n, nil
	}
	if k, err = s.sampled(t, map[int]bool{col: true}); err != nil || k.rows == 0 {
		return 0, err
	}
	total, err := s.size(t)
	if err != nil {
		return 0, err
	}
	n, err := different(&k.cols[col].vec, k.rows, total, keyer)
	if err != nil {
		return 0, err
	}
	more := &known{rows: k.rows, cols: k.cols, fanouts: k.fanouts, distincts: maps.Clone(k.distincts)}
	if more.distincts == nil {
		more.distincts = make(map[int]float64)
	}
	more.distincts[col] = n
	s.keep(t, more, changes)
	return n, nil
}

// different is about how many different values a column has in all its rows, of which a sample is
// there.
// Source: P. J. Haas and L. Stokes, "Estimating the Number of Classes in a Finite Population",
// 1998, the estimator Duj1.
func different(sample *types.Vec, rows int, total float64, keyer types.Keyer) (float64, error) {
	times, key, n := make(map[string]int, rows), []byte(nil), 0.0
	for i := range rows {
		if sample.IsNull(i) {
			continue
		}
		var err error
		if key, err = keyer.Append(key[:0], sample, i); err != nil {
			return 0, err
		}
		times[string(key)]++
		n++
	}
	if n == 0 {
		return 1, nil
	}
	once := 0.0
	for _, many := range times {
		if many == 1 {
			once++
		}
	}
	return n * float64(len(times)) / (n - once + once*min(float64(rows)/total, 1)), nil
}
