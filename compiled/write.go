package compiled

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// insert runs an INSERT or REPLACE.
func (x *Exec) insert() error {
	x.numbers = table.AutoNumbers{Mode: x.session.AutoIncModeDirect(), Rows: uint64(len(x.p.rows))}
	defer x.numbers.Release()
	defer func() { x.Result.GeneratedID = x.numbers.First }()
	insert := x.insertRows
	if x.p.bulk != nil {
		x.numbers.Rows = uint64(x.bulk.Rows)
		insert = x.insertBulk
	}
	if x.p.autoInc >= 0 {
		if err := x.numbers.Watch(x.table); err != nil {
			return err
		}
	}
	err := insert()
	if errors.Is(err, errNotMine) { // GMS takes the numbers anew
		x.numbers.Return()
	}
	return err
}

// insertRows inserts the rows of x.given.
func (x *Exec) insertRows() error {
	n := len(x.p.cols)
	if x.p.fires {
		for rest := x.given; len(rest) > 0; rest = rest[n:] {
			if err := x.insertFiring(rest[:n:n]); err != nil {
				return err
			}
		}
		return nil
	}
	for rest := x.given; len(rest) > 0; {
		rows := x.together(rest)
		vals := rest[: rows*n : rows*n]
		err := x.ready(vals)
		if err != nil {
			return err
		}
		if rest = rest[rows*n:]; rows == 1 {
			err = x.insertRow(vals)
		} else {
			err = x.insertMany(vals)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ready completes new rows and gives them their AUTO_INCREMENT values. A row that is refused takes no
// value, but where that refers to another table.
func (x *Exec) ready(vals []row.Value) error {
	p := x.p
	first := p.autoInc >= 0 && slices.ContainsFunc(p.parents, func(k parent) bool { return slices.Contains(k.cols, p.autoInc) })
	if !first {
		if err := x.completeAll(vals); err != nil {
			return err
		}
	}
	for at, n := 0, len(p.cols); p.autoInc >= 0 && at < len(vals); at += n {
		if err := x.number(vals[at : at+n]); err != nil {
			return err
		}
	}
	if first {
		return x.completeAll(vals)
	}
	return nil
}

// completeAll completes new rows. Each one's foreign keys are looked up before those in front of it
// have come in: a key that only they would fulfil is GMS's.
func (x *Exec) completeAll(vals []row.Value) error {
	if len(x.p.generated)+len(x.p.checks)+len(x.parents) == 0 {
		return nil
	}
	for n := len(x.p.cols); len(vals) > 0; vals = vals[n:] {
		if err := x.complete(nil, vals[:n:n]); err != nil {
			return err
		}
	}
	return nil
}

// together tells how many rows at the head of rest may go in at once: where an error ends the
// statement, those whose AUTO_INCREMENT values do not depend on what the one before them did to the
// counter.
func (x *Exec) together(rest []row.Value) (rows int) {
	p, n := x.p, len(x.p.cols)
	all := len(rest) / n
	if p.duplicate != dupError {
		all = 1
	}
	if p.autoInc < 0 {
		return all
	}
	made := x.unnumbered(&rest[p.autoInc])
	if x.numbers.Mode == 0 || made && x.numbers.First == 0 { // the first value is known once its row has come in
		all = 1
	}
	for rows < all && x.unnumbered(&rest[rows*n+p.autoInc]) == made {
		rows++
	}
	return rows
}

// insertMany inserts several rows of a statement that any error ends.
func (x *Exec) insertMany(vals []row.Value) error {
	n := len(x.p.cols)
	came, err := x.table.InsertRows(x.ctx, x.trx, vals)
	for ; came > 0; came-- {
		x.cameIn(vals[:n])
		vals = vals[n:]
	}
	if err != nil {
		return x.refused(err, vals[:n])
	}
	return nil
}

// unnumbered tells the AUTO_INCREMENT values that have to be made.
func (x *Exec) unnumbered(v *row.Value) bool { return v.IsNull() || v.N == 0 && !x.p.keepZero }

// passOver leaves a row out with a warning.
func (x *Exec) passOver(said error, vals []row.Value) {
	x.Result.Records++
	x.Result.Duplicates++
	x.valueOf(vals)
	x.numbers.Back()
	x.sc.Session.Warn(&sql.Warning{Level: "Note", Code: sql.CastSQLError(said).Num, Message: said.Error()})
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
		x.cameIn(vals)
		return nil
	}
	var none *table.NoPartError
	if p.duplicate == dupIgnore && errors.As(err, &none) {
		x.passOver(sql.ErrPartitionNotFound.New(none.Value), vals)
		return nil
	}
	if !errors.As(err, &dup) {
		return err
	}
	switch p.duplicate {
	case dupIgnore:
		x.passOver(x.refused(err, vals), vals)
		return nil
	case dupReplace:
		if x.numbers.InTheWay(p.def, dup) {
			break
		}
		return x.replace(vals, dup)
	case dupUpdate:
		res.Records++
		changed, err := x.updateRow(dup.Row, vals)
		if err != nil {
			return err
		}
		if changed {
			res.Duplicates++
			res.Affected += 2
			x.valueOf(x.new)
		} else {
			res.Matched++ // counts for clients that want found rows
		}
		x.numbers.Back()
		return nil
	}
	return x.refused(err, vals)
}

// replace puts a row in the place of those that have its keys. One that is in the way by the last
// unique key is changed, as MySQL does: no key behind it can be in the way. It does not count if it
// is the same. Rows that refer to it stay if it keeps what they refer to.
func (x *Exec) replace(vals []row.Value, dup *table.DuplicateError) error {
	res := &x.Result
	for {
		if slices.ContainsFunc(x.p.info.Referenced, func(col int) bool { return !dup.Row[col].Same(vals[col]) }) {
			return errNotMine // rows that refer to it are asked, or follow
		}
		var err error
		if dup.Index != x.p.lastUnique {
			if err = x.table.Delete(x.ctx, x.trx, dup.Row); err != nil {
				return err
			}
			res.Duplicates++
			res.Affected++
			err = x.table.InsertOrLock(x.ctx, x.trx, vals)
		} else if !slices.EqualFunc(dup.Row[:len(vals)], vals, row.Value.Same) {
			if err = x.table.Update(x.ctx, x.trx, dup.Row, vals); err == nil {
				res.Duplicates++
				res.Affected++
			}
		}
		if err == nil {
			x.cameIn(vals)
			return nil
		}
		if !errors.As(err, &dup) {
			return err
		}
	}
}

// cameIn counts a row that was inserted.
func (x *Exec) cameIn(vals []row.Value) {
	x.Result.Affected++
	x.Result.Records++
	x.numbers.Came()
	x.valueOf(vals)
}

// valueOf notes the AUTO_INCREMENT value of a row that came in, was changed, or was left out by
// IGNORE: the id of a statement that made none.
func (x *Exec) valueOf(vals []row.Value) {
	if x.p.autoInc >= 0 {
		x.Result.LastValue = vals[x.p.autoInc].N
	}
}

// number gives a row its AUTO_INCREMENT value where it has none.
func (x *Exec) number(vals []row.Value) error {
	col := &x.p.cols[x.p.autoInc]
	v := &vals[x.p.autoInc]
	if !x.unnumbered(v) {
		given := v.N
		if v.Kind == row.Int && v.Int() < 0 || v.Kind == row.Float {
			given = 0
		}
		x.numbers.Given(given)
		return nil
	}
	next, err := x.numbers.Next(x.ctx, x.table, x.trx)
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
	x.changes.Begin(x.table, x.trx)
	defer x.changes.End()
	err := x.each(func(vals []row.Value) error {
		if x.p.verb == verbDelete {
			if err := x.deleteRow(vals); err != nil {
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
	if err == nil {
		err = x.changes.Flush(x.ctx)
	}
	return err
}

// updateRow sets columns of a row. inserted is the row that ON DUPLICATE KEY UPDATE could not
// insert.
func (x *Exec) updateRow(vals, inserted []row.Value) (changed bool, err error) {
	x.new = append(x.new[:0], vals[:len(x.p.cols)]...)
	for i := range x.p.sets {
		a := &x.p.sets[i]
		v, ok := x.sets[i], true
		switch {
		case a.formula > 0:
			v, ok = x.assigned(a)
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
	if !changed && !x.p.fires {
		return false, nil
	}
	for i := range x.p.derived {
		if !changed {
			break
		}
		a := &x.p.derived[i]
		v, ok := x.compute(a.scalar, a.col, x.new, inserted)
		if !ok {
			return false, errNotMine
		}
		x.new[a.col] = v
	}
	if x.p.fires {
		return x.updateFiring(vals, x.new)
	}
	if err := x.storeUpdated(vals, x.new, inserted != nil); err != nil {
		return false, err
	}
	return true, nil
}

// storeUpdated stores a row that has changed; alone: not among the statement's other changes.
func (x *Exec) storeUpdated(old, vals []row.Value, alone bool) (err error) {
	if err := x.complete(old, vals); err != nil {
		return err
	}
	if alone {
		err = x.table.Update(x.ctx, x.trx, old, vals)
	} else {
		err = x.changes.Update(x.ctx, old, vals)
	}
	if err != nil {
		return x.refused(err, vals)
	}
	return nil
}

// assigned evaluates what UPDATE assigns, for the row as it is by now.
func (x *Exec) assigned(a *assignment) (row.Value, bool) {
	x.cur = x.new
	v, err := x.evaluate(a.formula - 1)
	if err != nil || x.sc.Session.WarningCount() > 0 {
		return row.Value{}, false
	}
	return x.storeComputed(a.col, v)
}

// alike tells values that differ and yet compare equal in their column: whether that is a change is
// for GMS to say.
func (x *Exec) alike(col int, a, b row.Value) bool {
	c := &x.p.cols[col]
	switch {
	case a.IsNull() || b.IsNull():
		return false
	case a.Kind == row.Float:
		return a.Float() == b.Float()
	case c.Type == row.TJSON || c.Type == row.TGeometry:
		l, err1 := x.p.info.Decode(nil, col, a)
		r, err2 := x.p.info.Decode(nil, col, b)
		if err1 != nil || err2 != nil {
			return true
		}
		n, err := x.p.info.Type(col).Compare(x.sc, l, r)
		return err != nil || n == 0
	}
	return false
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
