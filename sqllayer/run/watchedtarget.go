package run

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	goerrors "gopkg.in/src-d/go-errors.v1"

	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// boundTriggers are the triggers of the rows of a statement, in the order in which they run.
type boundTriggers struct {
	list []boundTrigger
	old  sql.Row // the row that was in the way of the last insert
}

type boundTrigger struct {
	event plan.TriggerEvent
	time  plan.TriggerTime
	given *givenRow
	iter  sql.RowIter // a row as the trigger leaves it, for each that is given
}

// bind adds a trigger of a table with those columns.
func (l *boundTriggers) bind(ctx *sql.Context, b *Builder, t *plan.TriggerExecutor, columns sql.Schema, r sql.Row) error {
	if t.TriggerEvent == plan.UpdateTrigger { // old and new
		columns = append(slices.Clone(columns), columns...)
	}
	given := &givenRow{columns: columns}
	trigger, err := t.WithChildren(ctx, given, t.Right())
	if err != nil {
		return err
	}
	iter, err := b.Base.Build(ctx, trigger, r)
	l.list = append(l.list, boundTrigger{t.TriggerEvent, t.TriggerTime, given, iter})
	return err
}

// run runs the triggers of an event for a row, and gives the row as they leave it.
func (l *boundTriggers) run(ctx *sql.Context, event plan.TriggerEvent, time plan.TriggerTime, row sql.Row) (sql.Row, error) {
	for _, t := range l.list {
		if t.event != event || t.time != time {
			continue
		}
		t.given.row = row
		left, err := t.iter.Next(ctx)
		if err != nil {
			return nil, sqlerr.Translate(sqllayer.Detail(ctx, err), ctx.GetCurrentDatabase()) // GMS would take a duplicate key for one of the row
		}
		row = left
	}
	return row, nil
}

// delete runs the triggers around the deletion of a row.
func (l *boundTriggers) delete(ctx *sql.Context, from sql.RowDeleter, row sql.Row) error {
	_, err := l.run(ctx, plan.DeleteTrigger, plan.BeforeTrigger, row)
	if err == nil {
		err = from.Delete(ctx, row)
	}
	if err == nil {
		_, err = l.run(ctx, plan.DeleteTrigger, plan.AfterTrigger, row)
	}
	return err
}

// closeWith ends the triggers' iterators, and then the editor.
func (l *boundTriggers) closeWith(ctx *sql.Context, editor sql.Closer) error {
	err := l.close(ctx)
	if e := editor.Close(ctx); err == nil {
		err = e
	}
	return err
}

// close ends the triggers' iterators.
func (l *boundTriggers) close(ctx *sql.Context) (err error) {
	for _, t := range l.list {
		if e := t.iter.Close(ctx); err == nil {
			err = e
		}
	}
	return err
}

// givenRow has one row after the other, whenever it is asked.
type givenRow struct {
	plan.Nothing
	columns sql.Schema
	row     sql.Row
}

var _ sql.ExecSourceRel = (*givenRow)(nil)

// Schema implements sql.Node.
func (n *givenRow) Schema(*sql.Context) sql.Schema { return n.columns }

// WithChildren implements sql.Node.
func (n *givenRow) WithChildren(*sql.Context, ...sql.Node) (sql.Node, error) { return n, nil }

// RowIter implements sql.ExecSourceRel.
func (n *givenRow) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) { return n, nil }

// Next implements sql.RowIter.
func (n *givenRow) Next(*sql.Context) (sql.Row, error) { return n.row, nil }

// Close implements sql.RowIter.
func (*givenRow) Close(*sql.Context) error { return nil }

// beforeUpdate is the last assignment of ON DUPLICATE KEY UPDATE: it runs the BEFORE UPDATE
// triggers.
type beforeUpdate struct {
	sql.Expression
	triggers *boundTriggers
	columns  sql.Schema
	times    []sql.Expression // set the columns that bear the time of a change
}

// WithChildren implements sql.Expression.
func (e *beforeUpdate) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return e, nil
}

// Eval implements sql.Expression. The row is that of the table, and behind it the one that was to
// be inserted.
func (e *beforeUpdate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	old := e.triggers.old
	same, err := old.Equals(ctx, row[:len(old)], e.columns)
	if err != nil {
		return nil, err
	}
	for _, set := range e.times {
		if same {
			break
		}
		changed, err := set.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		row = changed.(sql.Row)
	}
	left, err := e.triggers.run(ctx, plan.UpdateTrigger, plan.BeforeTrigger, old.Append(row[:len(old)]))
	if err != nil {
		return nil, err
	}
	return left[len(old):].Append(row[len(old):]), nil
}

// watchedTarget is the table of an INSERT whose triggers run as its rows are written.
type watchedTarget struct {
	wrapper
	sql.InsertableTable
	triggers *boundTriggers
}

var (
	_ sql.ReplaceableTable = (*watchedTarget)(nil)
	_ sql.UpdatableTable   = (*watchedTarget)(nil)
	_ sql.TableWrapper     = (*watchedTarget)(nil)
)

// String implements sql.Node and sql.Table.
func (n *watchedTarget) String() string { return n.wrapper.String() }

// Schema implements sql.Node and sql.Table.
func (n *watchedTarget) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// Underlying implements sql.TableWrapper.
func (n *watchedTarget) Underlying() sql.Table { return n.InsertableTable }

// WithChildren implements sql.Node.
func (n *watchedTarget) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// Inserter implements sql.InsertableTable.
func (n *watchedTarget) Inserter(ctx *sql.Context) sql.RowInserter {
	return &watchedInserter{n.InsertableTable.Inserter(ctx), n.triggers}
}

// Replacer implements sql.ReplaceableTable.
func (n *watchedTarget) Replacer(ctx *sql.Context) sql.RowReplacer {
	replacer := n.InsertableTable.(sql.ReplaceableTable).Replacer(ctx)
	return &watchedReplacer{watchedInserter{replacer, n.triggers}, replacer}
}

// Updater implements sql.UpdatableTable.
func (n *watchedTarget) Updater(ctx *sql.Context) sql.RowUpdater {
	return &watchedUpdater{n.InsertableTable.(sql.UpdatableTable).Updater(ctx), n.triggers}
}

type watchedInserter struct {
	sql.RowInserter
	triggers *boundTriggers
}

// Insert implements sql.RowInserter.
func (w *watchedInserter) Insert(ctx *sql.Context, row sql.Row) error {
	err := w.RowInserter.Insert(ctx, row)
	if e, ok := err.(*goerrors.Error); ok {
		if duplicate, ok := e.Cause().(sql.UniqueKeyError); ok {
			w.triggers.old = duplicate.Existing
		}
	}
	if err == nil {
		_, err = w.triggers.run(ctx, plan.InsertTrigger, plan.AfterTrigger, row)
	}
	return err
}

// Close implements sql.Closer.
func (w *watchedInserter) Close(ctx *sql.Context) error {
	return w.triggers.closeWith(ctx, w.RowInserter)
}

type watchedReplacer struct {
	watchedInserter
	deleter sql.RowDeleter // the inserter, too
}

// Delete implements sql.RowDeleter.
func (w *watchedReplacer) Delete(ctx *sql.Context, row sql.Row) error {
	return w.triggers.delete(ctx, w.deleter, row)
}

type watchedUpdater struct {
	sql.RowUpdater
	triggers *boundTriggers
}

// Update implements sql.RowUpdater.
func (w *watchedUpdater) Update(ctx *sql.Context, old, new sql.Row) error {
	err := w.RowUpdater.Update(ctx, old, new)
	if err == nil {
		_, err = w.triggers.run(ctx, plan.UpdateTrigger, plan.AfterTrigger, old.Append(new))
	}
	return err
}
