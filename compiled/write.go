package compiled

import (
	"errors"
	"math"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// insert runs an INSERT.
func (x *Exec) insert() error {
	p, n := x.p, len(x.p.cols)
	res := &x.Result
	for r := range p.rows {
		vals := x.given[r*n : (r+1)*n]
		if p.autoInc >= 0 {
			if err := x.number(vals, r); err != nil {
				return err
			}
		}
		if err := x.table.Insert(x.ctx, x.trx, vals); err != nil {
			return x.duplicate(err, vals)
		}
		res.Affected++
	}
	return nil
}

// number gives a row its AUTO_INCREMENT value where it has none.
func (x *Exec) number(vals []row.Value, r int) error {
	col := &x.p.cols[x.p.autoInc]
	v := &vals[x.p.autoInc]
	if v.IsNull() || v.N == 0 {
		next, err := x.table.NextAutoInc(x.ctx, x.trx, 1)
		if err != nil {
			return err
		}
		*v = row.UintValue(next)
		if col.Type <= row.TInt64 {
			*v = row.IntValue(int64(next))
		}
		if next > math.MaxInt64 || !col.Fits(*v) {
			return errNotMine
		}
		if !x.Result.Generated {
			x.Result.Generated, x.Result.GeneratedID = true, next
		}
	}
	if r == 0 {
		x.Result.InsertID = v.N
	}
	return nil
}

func (x *Exec) duplicate(err error, vals []row.Value) error {
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return err
	}
	return x.p.info.Duplicate(x.sc, err, vals)
}

// change runs an UPDATE or a DELETE.
func (x *Exec) change() error {
	if x.p.verb == verbDelete {
		return x.each(func(vals []row.Value) error {
			if err := x.table.Delete(x.ctx, x.trx, vals); err != nil {
				return err
			}
			x.Result.Affected++
			return nil
		})
	}
	return x.each(x.updateRow)
}

// updateRow changes one row.
func (x *Exec) updateRow(vals []row.Value) error {
	x.new = append(x.new[:0], vals[:len(x.p.cols)]...)
	same := true
	for i := range x.p.sets {
		a := &x.p.sets[i]
		v := x.given[i]
		if a.from >= 0 {
			var ok bool
			if v, ok = x.add(a, vals[a.from], v.Int()); !ok {
				return errNotMine
			}
		}
		if old := vals[a.col]; !old.Same(v) {
			if x.alike(&x.p.cols[a.col], old, v) {
				return errNotMine
			}
			same = false
		}
		x.new[a.col] = v
	}
	x.Result.Matched++
	if same {
		return nil
	}
	if err := x.table.Update(x.ctx, x.trx, vals, x.new); err != nil {
		return x.duplicate(err, x.new)
	}
	x.Result.Changed++
	return nil
}

// alike tells values that compare equal under the column's collation: whether that is a change is for GMS to say.
func (x *Exec) alike(c *column, a, b row.Value) bool {
	if !c.character || a.IsNull() || b.IsNull() {
		return false
	}
	x.key = row.AppendKeyPart(x.key[:0], c.Column, c.key, a)
	n := len(x.key)
	x.key = row.AppendKeyPart(x.key, c.Column, c.key, b)
	return string(x.key[:n]) == string(x.key[n:])
}

// add computes column + n, or column - n; false if the result does not fit.
func (x *Exec) add(a *assignment, v row.Value, n int64) (row.Value, bool) {
	to := &x.p.cols[a.col]
	if v.IsNull() {
		return row.NullValue, to.Nullable
	}
	if a.sub {
		n = -n
	}
	have := v.Int()
	sum := have + n
	if (sum > have) != (n > 0) && n != 0 || v.Kind == row.Uint && sum < 0 {
		return v, false
	}
	out := row.IntValue(sum)
	if to.Type >= row.TUint8 && to.Type <= row.TUint64 {
		if sum < 0 {
			return v, false
		}
		out = row.UintValue(uint64(sum))
	}
	return out, to.Fits(out)
}
