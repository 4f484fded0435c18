package sqllayer

// INSERT DELAYED and DELETE IGNORE, which GMS's trees cannot say.

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/lower"
)

// ignores reports whether the DELETE that runs has IGNORE.
func (s *Session) ignores(ctx *sql.Context) bool {
	if a := s.program; a != nil && a.stmt != nil {
		n, ok := a.stmt.(*ast.Delete)
		return ok && lower.Ignores(n)
	}
	n, ok := s.runningTree(ctx).(*sqlast.Delete)
	return ok && n.Ignore
}

const erLegacySyntax = 3005

// delayed warns of INSERT DELAYED.
func (s *Session) delayed(ctx *sql.Context, n *plan.InsertInto) {
	s.mu.Lock()
	said := s.stmt.delayed
	s.stmt.delayed = true
	s.mu.Unlock()
	tree, is := s.runningTree(ctx).(*sqlast.Insert)
	if said || !is || tree.Priority != sqlast.Delayed {
		return
	}
	verb := "INSERT"
	if n.IsReplace {
		verb = "REPLACE"
	}
	s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erLegacySyntax,
		Message: verb + " DELAYED is no longer supported. The statement was converted to " + verb + "."})
}

// ignoring builds DELETE IGNORE; nil for other statements.
func (b *builder) ignoring(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	if s := sessionOf(ctx); s == nil || !s.ignores(ctx) {
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
		targets[i] = &ignoringTarget{around(t), deletable}
	}
	return b.base.Build(ctx, n.WithTargets(targets), r)
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
	return &ignoringDeleter{RowDeleter: n.DeletableTable.Deleter(ctx), s: sessionOf(ctx)}
}

// ignoringDeleter leaves rows that a foreign key holds.
type ignoringDeleter struct {
	sql.RowDeleter
	s     *Session
	bound bound
}

// Delete implements sql.RowDeleter.
func (d *ignoringDeleter) Delete(ctx *sql.Context, r sql.Row) error {
	d.s.mu.Lock()
	trx := d.s.trx
	if trx != nil {
		d.bound.move(trx)
	}
	d.s.mu.Unlock()
	err := d.RowDeleter.Delete(ctx, r)
	if !sql.ErrForeignKeyParentViolation.Is(err) {
		return err
	}
	known := Translate(Detail(ctx, err), ctx.GetCurrentDatabase())
	d.s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: known.Num, Message: known.Message})
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	d.s.stmt.tally.kept++
	if trx == nil || trx != d.s.trx {
		return nil
	}
	return d.s.undo(d.bound.mark)
}
