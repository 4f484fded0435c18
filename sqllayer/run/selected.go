package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
)

// selected is the query of INSERT ... SELECT and its kin, whose rows may come from elsewhere than
// GMS (see sqllayer.Selecting).
type selected struct {
	plan.UnaryNode
}

var _ sql.Node = (*selected)(nil)

// IsReadOnly implements sql.Node.
func (n *selected) IsReadOnly() bool { return true }

// String implements sql.Node.
func (n *selected) String() string { return n.Child.String() }

// Schema implements sql.Node.
func (n *selected) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *selected) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &selected{plan.UnaryNode{Child: children[0]}}, nil
}

// build opens the rows.
func (n *selected) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	rows, err := sqllayer.SessionOf(ctx).SelectedRows(ctx, n.Child.Schema(ctx))
	if rows != nil || err != nil {
		return rows, err
	}
	return b.Base.Build(ctx, n.Child, r)
}

// selecting lets the rows of an INSERT come from elsewhere: those of its query, on which the
// projection to the columns of the table stands. Rows of one table as it stands are read by GMS's way.
func selecting(n sql.Node) sql.Node {
	p, ok := n.(*plan.Project)
	if !ok || sqllayer.ValueRows(n) > 0 {
		return n
	}
	if _, loads := p.Child.(*plan.LoadData); loads {
		return n
	}
	if t, _ := scanned(p.Child); t != nil {
		return n
	}
	own := *p
	own.Child = &selected{plan.UnaryNode{Child: p.Child}}
	return &own
}
