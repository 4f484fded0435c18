package run

import (
	"errors"
	"io"
	"math"
	"unsafe"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// rowSource is where the rows of such a statement come from.
type rowSource interface {
	// next reads a row; io.EOF behind the last.
	next(ctx *sql.Context) error
	// Value is a field of the row as column col stores it; what it makes of it stands in buf. ok is
	// false if the row has to take GMS's way.
	Value(ctx *sql.Context, field, col int, buf []byte) (v row.Value, grown []byte, ok bool)
	// Given is the row in GMS's form.
	Given(ctx *sql.Context) (sql.Row, error)
	// apart reports whether reading needs nothing of the transaction, so that rows are read while
	// others are inserted.
	apart() bool
	Close(ctx *sql.Context) error
}

// Where the value of a column comes from, if not from a field of the source.
const (
	fromDefault = -1 // the same for all rows
	fromCounter = -2 // AUTO_INCREMENT
)

// bulkInsert runs such a statement. It answers with what GMS answers an INSERT with, counts aside.
type bulkInsert struct {
	source rowSource
	from   []int       // by column
	fixed  []row.Value // of fromDefault

	settle  *storeIter // of the row that takes GMS's way: what stands in given
	given   *bulkSource
	insert  sql.RowIter // of what settle gives, or stands in settled
	settled *bulkSource

	edit *sqllayer.Editor
	rowBatch
	spare rowBatch // empty
	puts  chan put // of rows that go in while others are gathered; nil: none do
	most  int      // bytes that are gathered
	taken int64    // bytes accounted for what exceeds bulkBytes
	read  int64    // rows of the source
	chunk int      // how many rows go in together: few where rows are refused

	came   int         // rows, of those that took GMS's way too
	answer sql.RowIter // GMS's, of what insert still gives: nothing
	done   bool
}

const (
	bulkBytes = 4 << 20  // about how much is gathered at first
	bulkMost  = 32 << 20 // and in the end: entries of random keys then share the read of a leaf
	bulkValue = int(unsafe.Sizeof(row.Value{}))
)

// insertMany builds the statement; nil if its rows all take GMS's way.
func (b *Builder) insertMany(ctx *sql.Context, n *plan.InsertInto, source *storeSource, r sql.Row) (sql.RowIter, error) {
	t, err := b.bulkTarget(ctx, n, source)
	if t == nil || err != nil {
		return nil, err
	}
	d := &sqllayer.DirectTable{Def: t.Def.Def, TableDef: t.Def}
	x := &bulkInsert{chunk: math.MaxInt / 2 / len(d.TableDef.Codecs), most: bulkBytes}
	leaf, ok := x.divide(ctx, d, source.Child, n)
	if !ok {
		return nil, nil
	}
	x.edit = t.Edit(ctx, sqllayer.IntentInsert).(*sqllayer.Editor)
	if x.edit.Orphaned() {
		return nil, nil
	}
	if x.source, err = b.bulkRows(ctx, d, leaf, r); x.source == nil || err != nil {
		return nil, err
	}
	if err := x.build(ctx, b, n, source, leaf, r); err != nil {
		return nil, errors.Join(err, x.source.Close(ctx))
	}
	return x, nil
}

// bulkTarget is the table of the statement, nil if it is none of these.
func (b *Builder) bulkTarget(ctx *sql.Context, n *plan.InsertInto, source *storeSource) (*sqllayer.Table, error) {
	s := sqllayer.SessionOf(ctx)
	if len(n.Returning) > 0 || n.OnDupExprs.HasUpdates() || n.HasAfterTrigger || len(n.Checks()) > 0 || s.Program != nil || s.Stmt.Depth > 0 || s.Analysis != nil {
		return nil, nil
	}
	if _, triggers := source.Child.(*plan.TriggerExecutor); triggers || sqllayer.ValueRows(source.Child) > 0 {
		return nil, nil
	}
	insertable, err := plan.GetInsertable(n.Destination)
	if err != nil {
		return nil, err
	}
	t, ok := insertable.(*sqllayer.Table)
	if !ok || t.Temporary || t.Through != nil || t.Proj != nil || len(t.Def.Words) > 0 || len(source.columns) != len(t.Def.Codecs) {
		return nil, nil
	}
	if into, err := s.InsertsInto(ctx, t); into != nil || err != nil {
		return nil, err
	}
	if triggered, err := b.Layer.Triggered(ctx, t.Def.Def); triggered || err != nil || t.Def.Def.Options[tabledef.SpecialOption] != "" || tabledef.IsFullTextTable(t.Def.Name) {
		return nil, err
	}
	return t, nil
}

// divide finds what the columns are made of: fields of the rows that leaf gives.
func (x *bulkInsert) divide(ctx *sql.Context, d *sqllayer.DirectTable, below sql.Node, n *plan.InsertInto) (leaf sql.Node, ok bool) {
	p, ok := below.(*plan.Project)
	if !ok || len(p.Projections) != len(d.TableDef.Codecs) {
		return nil, false
	}
	counts := !n.Ignore && !n.IsReplace // what a row that is refused does to the counter is GMS's affair
	for i, e := range p.Projections {
		c, from, value := &d.Def.Columns[i], fromDefault, row.NullValue
		if a, ok := e.(*expression.AutoIncrement); ok {
			if e, from = a.Child, fromCounter; !counts && !isField(e) {
				return nil, false
			}
		}
		switch e := e.(type) {
		case *expression.GetField:
			from = e.Index()
		case nil:
			if from == fromDefault && !c.Nullable {
				return nil, false
			}
		case *sql.ColumnDefaultValue:
			if from == fromDefault {
				if value, ok = d.SameDefault(ctx, i, e); !ok {
					return nil, false
				}
			}
		default:
			return nil, false
		}
		if c.Generated != "" || c.Virtual || c.Required && from == fromDefault {
			return nil, false
		}
		x.from, x.fixed = append(x.from, from), append(x.fixed, value)
	}
	return p.Child, true
}

func isField(e sql.Expression) bool {
	_, ok := e.(*expression.GetField)
	return ok
}

// build makes GMS's way.
func (x *bulkInsert) build(ctx *sql.Context, b *Builder, n *plan.InsertInto, source *storeSource, leaf sql.Node, r sql.Row) error {
	x.given = &bulkSource{like: leaf}
	var below sql.Node = x.given
	if leaf != source.Child {
		var err error
		if below, err = source.Child.WithChildren(ctx, x.given); err != nil {
			return err
		}
	}
	own := *source
	own.wrapper = Around(below)
	settle, err := own.build(ctx, b, r)
	if err != nil {
		return err
	}
	x.settle = settle.(*storeIter)
	x.settled = &bulkSource{like: source, below: settle}
	x.insert, err = b.Base.Build(ctx, n.WithSource(x.settled), r)
	return err
}

var _ sql.MutableRowIter = (*bulkInsert)(nil)

// GetChildIter implements sql.MutableRowIter: GMS makes its answer around it.
func (x *bulkInsert) GetChildIter() sql.RowIter { return x.insert }

// WithChildIter implements sql.MutableRowIter.
func (x *bulkInsert) WithChildIter(answer sql.RowIter) sql.RowIter {
	x.answer = answer
	return x
}

// Next implements sql.RowIter.
func (x *bulkInsert) Next(ctx *sql.Context) (sql.Row, error) {
	if x.done || x.answer == nil {
		return nil, io.EOF
	}
	x.done = true
	err := x.run(ctx)
	if closed := x.source.Close(ctx); err == nil { // a client's file ends before the answer begins
		err = closed
	}
	if err != nil {
		if undone := x.edit.DiscardChanges(ctx, err); undone != nil {
			err = errors.Join(err, undone)
		}
		return nil, err
	}
	r, err := x.answer.Next(ctx)
	if err != nil || len(r) != 1 {
		return r, err
	}
	if ok, is := r[0].(types.OkResult); is {
		ok.RowsAffected += uint64(x.came)
		ctx.GetLastQueryInfo().RowCount.Store(int64(ok.RowsAffected))
		r = sql.NewRow(ok)
	}
	return r, nil
}

// run inserts the rows of the source.
func (x *bulkInsert) run(ctx *sql.Context) (err error) {
	defer func() {
		if first := x.await(ctx); first != nil { // of rows that came before
			err = first
		}
	}()
	for {
		before := ctx.Session.WarningCount()
		err := x.source.next(ctx)
		if told := x.settle.storer.Warned(ctx, before); told != nil {
			return told
		}
		if err == io.EOF { //nolint:errorlint // rows end with io.EOF itself
			return x.flush(ctx)
		}
		if err != nil {
			return err
		}
		x.read++
		ok, err := x.gather(ctx)
		switch {
		case err != nil:
		case !ok:
			if err = x.flush(ctx); err == nil {
				err = x.slowly(ctx)
			}
		case len(x.rows)*bulkValue+len(x.arena) >= x.most:
			if err = x.pass(ctx); err == nil {
				x.widen()
			}
		}
		if err != nil {
			return err
		}
	}
}

// widen has twice as much gathered, where memory allows: the rows, those that go in meanwhile, and
// as much again for entries.
func (x *bulkInsert) widen() {
	more := int64(3 * x.most)
	if 2*x.most > bulkMost || x.edit.T.S.Memory().Take(more) != nil {
		return
	}
	x.taken += more
	x.most *= 2
}

// gather adds the row of the source to those gathered; false: it has to take GMS's way.
func (x *bulkInsert) gather(ctx *sql.Context) (ok bool, err error) {
	d := x.edit.T.Def
	from, auto := len(x.rows), d.Def.AutoInc
	for col, field := range x.from {
		v := x.fixed[col]
		if field >= 0 {
			if v, x.arena, ok = x.source.Value(ctx, field, col, x.arena); !ok || v.IsNull() && (!d.Cols[col].Nullable || col == auto) {
				x.rows = x.rows[:from]
				return false, nil
			}
		}
		x.rows = append(x.rows, v)
	}
	if auto < 0 {
		return true, nil
	}
	if ok, err = x.number(ctx, &x.rows[from+auto]); !ok {
		x.rows = x.rows[:from]
	}
	return ok, err
}

// number gives a row its AUTO_INCREMENT value, or notes the one it has.
func (x *bulkInsert) number(ctx *sql.Context, v *row.Value) (ok bool, err error) {
	e := x.edit
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := s.Numbers(e.T)
	if n == nil {
		return false, nil
	}
	if x.from[e.T.Def.Def.AutoInc] >= 0 {
		if v.Kind == row.Float || v.N == 0 || v.Kind == row.Int && v.Int() < 0 {
			return false, nil
		}
		n.Given(v.N)
		return true, nil
	}
	if n.First == 0 { // it is known once the first row has come in
		return false, nil
	}
	h, trx, err := e.Begin(ctx)
	if err != nil {
		return false, s.Note(err)
	}
	next, err := n.Next(s.Patient(ctx), h, trx)
	if err != nil {
		return false, s.Note(err)
	}
	col := &e.T.Def.Cols[e.T.Def.Def.AutoInc]
	if *v = row.UintValue(next); col.Type <= row.TInt64 {
		*v = row.IntValue(int64(next))
	}
	if next > math.MaxInt64 || !col.Fits(*v) {
		n.Back()
		return false, nil
	}
	return true, nil
}

// slowly sends the row of the source GMS's way.
func (x *bulkInsert) slowly(ctx *sql.Context) (err error) {
	if x.given.row, err = x.source.Given(ctx); err != nil {
		return err
	}
	x.settle.storer.Row = x.read - 1
	if n := x.settle.node.numbers; n != nil {
		n.Row = x.read - 1
	}
	x.settled.armed = true
	return x.one(ctx)
}

// one has GMS insert the row that stands in x.settled or is about to.
func (x *bulkInsert) one(ctx *sql.Context) error {
	_, err := x.insert.Next(ctx)
	if _, left := err.(sql.IgnorableError); left || err == io.EOF { //nolint:errorlint // as GMS asks
		return nil
	}
	if err == nil {
		x.came++
	}
	return err
}

// Close implements sql.RowIter.
func (x *bulkInsert) Close(ctx *sql.Context) error {
	err := x.source.Close(ctx)
	_ = x.edit.T.S.Memory().Take(-x.taken) // what is given back is never refused
	x.taken = 0
	way := x.answer
	if way == nil {
		way = x.insert
	}
	if closed := way.Close(ctx); err == nil {
		err = closed
	}
	return err
}
