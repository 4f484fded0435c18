package run

import (
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
)

// Triggered is what a DELETE with a list of targets reads, with the triggers of the targets. The
// rows are read before the first one goes. Then the targets lose theirs, one target after the other
// as on MySQL, and each row once, however often it stands in the join.
type Triggered struct {
	wrapper
	stands []sql.Node // for each target: a DELETE from it alone, with its triggers
}

// NewTriggered puts n below a DELETE.
func NewTriggered(n sql.Node, stands []sql.Node) *Triggered { return &Triggered{Around(n), stands} }

var _ sql.Node = (*Triggered)(nil)

// Schema implements sql.Node.
func (n *Triggered) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *Triggered) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// firing builds a DELETE with a list of targets and triggers; nil for other statements.
func (b *Builder) firing(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	t, ok := n.Child.(*Triggered)
	if !ok {
		return nil, nil
	}
	iter, err := b.Base.Build(ctx, &watched{Around(t.Child)}, r)
	if err != nil {
		return nil, err
	}
	rows, targets := &keptRows{Around(t.Child), nil, memory.Keep(ctx)}, n.GetDeleteTargets()
	rows.rows, err = rows.kept.Rows(ctx, iter)
	for i, target := range targets {
		if err == nil {
			iter, err = b.deleteKept(ctx, n, target, t.stands[i], rows, r)
		}
		if err == nil && i < len(targets)-1 {
			err = drain(ctx, iter)
		}
	}
	if err != nil {
		rows.kept.Release()
		return nil, err
	}
	return &lastTarget{iter, &rows.kept}, nil
}

// lastTarget deletes what the last target has; GMS looks at it to know the statement.
type lastTarget struct {
	sql.RowIter
	kept *memory.Kept
}

// GetChildIter implements sql.MutableRowIter.
func (i *lastTarget) GetChildIter() sql.RowIter { return i.RowIter }

// WithChildIter implements sql.MutableRowIter.
func (i *lastTarget) WithChildIter(iter sql.RowIter) sql.RowIter { return &lastTarget{iter, i.kept} }

// Close implements sql.RowIter.
func (i *lastTarget) Close(ctx *sql.Context) error {
	i.kept.Release()
	return i.RowIter.Close(ctx)
}

// drain runs an iterator to its end.
func drain(ctx *sql.Context, iter sql.RowIter) (err error) {
	for err == nil {
		_, err = iter.Next(ctx)
	}
	return endOf(ctx, iter, err)
}

// deleteKept deletes what one target has in the rows.
func (b *Builder) deleteKept(ctx *sql.Context, n *plan.DeleteFrom, target, stand sql.Node, rows *keptRows, r sql.Row) (sql.RowIter, error) {
	table, err := plan.GetDeletable(target)
	if err != nil {
		return nil, err
	}
	from := &firingTarget{Around(target), table, &boundTriggers{}, &rows.kept}
	for _, t := range slices.Backward(Executors(stand)) {
		if err := from.triggers.bind(ctx, b, t, table.Schema(ctx), r); err != nil {
			return nil, err
		}
	}
	one := *n.WithTargets([]sql.Node{from})
	one.Child = rows
	return b.Base.Build(ctx, &one, r)
}

// keptRows are the rows of a node, read ahead.
type keptRows struct {
	wrapper
	rows []sql.Row
	kept memory.Kept
}

var _ sql.ExecSourceRel = (*keptRows)(nil)

// Schema implements sql.Node.
func (n *keptRows) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *keptRows) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// RowIter implements sql.ExecSourceRel.
func (n *keptRows) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return sql.RowsToRowIter(n.rows...), nil
}

// firingTarget is a table whose triggers run as its rows are deleted.
type firingTarget struct {
	wrapper
	sql.DeletableTable
	triggers *boundTriggers
	kept     *memory.Kept // accounts the rows that are gone
}

// String implements sql.Node and sql.Table.
func (n *firingTarget) String() string { return n.wrapper.String() }

// Schema implements sql.Node and sql.Table.
func (n *firingTarget) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *firingTarget) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// Deleter implements sql.DeletableTable.
func (n *firingTarget) Deleter(ctx *sql.Context) sql.RowDeleter {
	return &firingDeleter{RowDeleter: n.DeletableTable.Deleter(ctx), of: n, gone: map[string]struct{}{}}
}

type firingDeleter struct {
	sql.RowDeleter
	of   *firingTarget
	gone map[string]struct{}
	key  []byte
}

// Delete implements sql.RowDeleter.
func (d *firingDeleter) Delete(ctx *sql.Context, row sql.Row) error {
	d.key = d.key[:0]
	for _, v := range row {
		text := fmt.Sprint(v)
		d.key = fmt.Appendf(d.key, "%d:%s", len(text), text)
	}
	if _, gone := d.gone[string(d.key)]; gone {
		return nil
	}
	if err := d.of.kept.Add(int64(len(d.key)) + 32); err != nil {
		return err
	}
	d.gone[string(d.key)] = struct{}{}
	copies := 1
	if t, ok := sqllayer.TableBelow(d.of.Child).(*sqllayer.Table); ok {
		n, err := t.Copies(ctx, row)
		if err != nil {
			return err
		}
		copies = n
	}
	for range copies {
		if err := d.of.triggers.delete(ctx, d.RowDeleter, row); err != nil {
			return err
		}
	}
	return nil
}

// Close implements sql.Closer.
func (d *firingDeleter) Close(ctx *sql.Context) error {
	return d.of.triggers.closeWith(ctx, d.RowDeleter)
}

// endOf closes an iterator that ended with err, which is io.EOF behind the last row.
func endOf(ctx *sql.Context, iter sql.RowIter, err error) error {
	closed := iter.Close(ctx)
	if err != io.EOF {
		return err
	}
	return closed
}
