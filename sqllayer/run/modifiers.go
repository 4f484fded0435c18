package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// ignoring builds DELETE IGNORE; nil for other statements.
func (b *Builder) ignoring(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	if s := sqllayer.SessionOf(ctx); s == nil || !s.Ignores(ctx) {
		return nil, nil
	}
	targets := make([]sql.Node, len(n.GetDeleteTargets()))
	for i, t := range n.GetDeleteTargets() {
		if _, done := t.(*ignoringTarget); done {
			return nil, nil
		}
		deletable, err := plan.GetDeletable(t)
		if err != nil {
			return nil, nil
		}
		targets[i] = &ignoringTarget{Around(t), deletable}
	}
	return b.Base.Build(ctx, n.WithTargets(targets), r)
}

// ignoringTarget is a table that DELETE IGNORE deletes from.
type ignoringTarget struct {
	wrapper
	sql.DeletableTable
}

// String implements sql.Node and sql.Table.
func (n *ignoringTarget) String() string { return n.wrapper.String() }

// Schema implements sql.Node and sql.Table.
func (n *ignoringTarget) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *ignoringTarget) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// Deleter implements sql.DeletableTable.
func (n *ignoringTarget) Deleter(ctx *sql.Context) sql.RowDeleter {
	return &ignoringDeleter{RowDeleter: n.DeletableTable.Deleter(ctx), s: sqllayer.SessionOf(ctx)}
}

// ignoringDeleter leaves rows that a foreign key holds.
type ignoringDeleter struct {
	sql.RowDeleter
	s     *sqllayer.Session
	bound sqllayer.Bound
}

// Delete implements sql.RowDeleter.
func (d *ignoringDeleter) Delete(ctx *sql.Context, r sql.Row) error {
	d.s.Mu.Lock()
	trx := d.s.Trx
	if trx != nil {
		d.bound.Move(trx)
	}
	d.s.Mu.Unlock()
	err := d.RowDeleter.Delete(ctx, r)
	if !sql.ErrForeignKeyParentViolation.Is(err) {
		return err
	}
	known := sqlerr.Translate(sqllayer.Detail(ctx, err), ctx.GetCurrentDatabase())
	d.s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: known.Num, Message: known.Message})
	d.s.Mu.Lock()
	defer d.s.Mu.Unlock()
	d.s.Stmt.Tally.Kept++
	if trx == nil || trx != d.s.Trx {
		return nil
	}
	return d.s.Undo(d.bound.Mark)
}
