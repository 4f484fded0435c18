package compiled

import (
	"errors"
	"io"
	"math"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// insert runs an INSERT or REPLACE.
func (x *Exec) insert() error {
	p, n := x.p, len(x.p.cols)
	x.numbered, x.generated = false, -1
	if p.autoInc >= 0 {
		x.generated = x.firstGenerated()
	}
	for r := range p.rows {
		vals := x.given[r*n : (r+1)*n : (r+1)*n]
		if p.autoInc >= 0 {
			if err := x.number(vals); err != nil {
				return err
			}
		}
		if err := x.insertRow(vals); err != nil {
			return err
		}
	}
	return nil
}

// firstGenerated finds the first row whose AUTO_INCREMENT value has to be made.
func (x *Exec) firstGenerated() int {
	for r := range x.p.rows {
		if v := x.given[r*len(x.p.cols)+x.p.autoInc]; v.IsNull() || v.N == 0 {
			return r
		}
	}
	return -1
}

// insertRow inserts a row, or does what the statement wants done where its key is there already.
func (x *Exec) insertRow(vals []row.Value) error {
	p, res := x.p, &x.Result
	insert := x.table.Insert
	if p.duplicate >= dupReplace {
		insert = x.table.InsertOrLock
	}
	err := insert(x.ctx, x.trx, vals)
	var dup *table.DuplicateError
	if err == nil {
		res.Affected++
		res.Records++
		x.cameIn(vals)
		return nil
	}
	if !errors.As(err, &dup) {
		return err
	}
	switch p.duplicate {
	case dupIgnore:
		res.Records++
		res.Duplicates++
		said := x.refused(err, vals)
		x.sc.Session.Warn(&sql.Warning{Level: "Note", Code: sql.CastSQLError(said).Num, Message: said.Error()})
		return nil
	case dupReplace:
		return x.replace(vals, dup.Row)
	case dupUpdate:
		res.Records++
		changed, err := x.updateRow(dup.Row, vals)
		if changed {
			res.Duplicates++
			res.Affected += 2
		} else if err == nil {
			res.Matched++ // counts for clients that want found rows
		}
		return err
	}
	return x.refused(err, vals)
}

// replace puts a row in the place of one. A row that is in the way of several is left to GMS.
func (x *Exec) replace(vals, old []row.Value) error {
	if err := x.table.Delete(x.ctx, x.trx, old); err != nil {
		return err
	}
	err := x.table.InsertOrLock(x.ctx, x.trx, vals)
	var dup *table.DuplicateError
	if errors.As(err, &dup) {
		return errNotMine
	}
	x.Result.Records++
	x.Result.Duplicates++
	x.Result.Affected += 2
	return err
}

// cameIn notes the AUTO_INCREMENT value of a row that was inserted.
func (x *Exec) cameIn(vals []row.Value) {
	if x.p.autoInc < 0 || x.p.duplicate == dupReplace {
		return
	}
	v := vals[x.p.autoInc].N
	if !x.numbered {
		x.numbered, x.Result.InsertID = true, v
	}
	if x.generated == 0 {
		x.Result.Generated, x.Result.GeneratedID = true, v
	}
	x.generated--
}

// number gives a row its AUTO_INCREMENT value where it has none.
func (x *Exec) number(vals []row.Value) error {
	col := &x.p.cols[x.p.autoInc]
	v := &vals[x.p.autoInc]
	if !v.IsNull() && v.N != 0 {
		return nil
	}
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
	return nil
}

// refused makes the error of a row whose key is there already.
func (x *Exec) refused(err error, vals []row.Value) error {
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return err
	}
	return x.p.info.Duplicate(x.sc, err, vals)
}

// change runs an UPDATE or a DELETE.
func (x *Exec) change() error {
	if x.limit == 0 {
		return nil
	}
	left := x.limit
	return x.each(func(vals []row.Value) error {
		if x.p.verb == verbDelete {
			if err := x.table.Delete(x.ctx, x.trx, vals); err != nil {
				return err
			}
			x.Result.Affected++
		} else {
			x.Result.Matched++
			changed, err := x.updateRow(vals, nil)
			if err != nil {
				return err
			}
			if changed {
				x.Result.Changed++
			}
		}
		if left--; left == 0 {
			return io.EOF
		}
		return nil
	})
}

// updateRow sets columns of a row. inserted is the row that ON DUPLICATE KEY UPDATE could not insert.
func (x *Exec) updateRow(vals, inserted []row.Value) (changed bool, err error) {
	x.new = append(x.new[:0], vals[:len(x.p.cols)]...)
	given := x.given[len(x.given)-len(x.p.sets):]
	for i := range x.p.sets {
		a := &x.p.sets[i]
		v, ok := given[i], true
		switch {
		case a.scalar == nil:
		case a.from >= 0 && v.Kind == row.Int:
			v, ok = x.add(a, x.new[a.from], v.Int())
		default:
			v, ok = x.compute(a.scalar, a.col, x.new, inserted)
		}
		if !ok {
			return false, errNotMine
		}
		if old := vals[a.col]; !old.Same(v) {
			if x.alike(a.col, old, v) {
				return false, errNotMine
			}
			changed = true
		}
		x.new[a.col] = v
	}
	if !changed {
		return false, nil
	}
	for i := range x.p.derived {
		a := &x.p.derived[i]
		v, ok := x.compute(a.scalar, a.col, x.new, inserted)
		if !ok {
			return false, errNotMine
		}
		x.new[a.col] = v
	}
	if err := x.table.Update(x.ctx, x.trx, vals, x.new); err != nil {
		return false, x.refused(err, x.new)
	}
	return true, nil
}

// alike tells values that differ and yet compare equal in their column: whether that is a change is for GMS to say.
func (x *Exec) alike(col int, a, b row.Value) bool {
	c := &x.p.cols[col]
	switch {
	case a.IsNull() || b.IsNull():
		return false
	case a.Kind == row.Float:
		return a.Float() == b.Float()
	case c.Type == row.TJSON || c.Type == row.TGeometry:
		l, err1 := x.p.info.Decode(col, a)
		r, err2 := x.p.info.Decode(col, b)
		if err1 != nil || err2 != nil {
			return true
		}
		n, err := x.p.info.Type(col).Compare(x.sc, l, r)
		return err != nil || n == 0
	case !c.character:
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
