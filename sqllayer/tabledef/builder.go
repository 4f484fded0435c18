package tabledef

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// Fixed is the number of leading columns of which a range has one value.
func (x *Index) Fixed(ctx *sql.Context, r sql.MySQLRange) (n int, err error) {
	if x.Idx == nil {
		return 0, nil
	}
	for ; n < len(r) && n < len(x.extended); n++ {
		v, err := x.interval(ctx, x.partOf(x.extended[n]), r[n])
		if err != nil || !v.single() {
			return n, err
		}
	}
	return n, nil
}

// InOrder tells whether the index's keys, read in one direction, have the wanted order, and in
// which. The leading columns up to fixed have one value.
func (x *Index) InOrder(order sql.SortConditions, fixed int) (backwards, ok bool) {
	if x.Idx == nil || x.prefixes != nil || len(order) == 0 {
		return false, false
	}
	next := fixed
	for _, o := range order {
		f, ok := o.Expr.(*expression.GetField)
		if !ok {
			return false, false
		}
		c := x.Owner.Find(f.Name())
		if slices.Contains(x.extended[:fixed], c) {
			continue
		}
		if next == len(x.extended) || x.extended[next] != c {
			return false, false
		}
		turned := x.partOf(c).Desc != (o.Order == sql.Descending)
		if next > fixed && turned != backwards {
			return false, false
		}
		backwards = turned
		next++
	}
	return backwards, true
}
