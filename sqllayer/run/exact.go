package run

// UPDATE changes a row if a value gets other bytes. GMS compares the old row with the new one by
// the types of the schema, so under a collation that ignores case it would not make 'Bob' of 'bob'.
// The source of an UPDATE gets a schema whose texts compare byte by byte: the node of the table is
// wrapped, that of a join becomes a projection. The rows stay what they are.

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// exactText is a text type whose values are equal if their bytes are.
type exactText struct{ sql.StringType }

// Compare implements sql.Type.
func (t exactText) Compare(ctx context.Context, a, b any) (int, error) {
	if a == nil || b == nil {
		return t.StringType.Compare(ctx, a, b)
	}
	x, err := t.text(ctx, a)
	if err != nil {
		return 0, err
	}
	y, err := t.text(ctx, b)
	return strings.Compare(x, y), err
}

func (t exactText) text(ctx context.Context, v any) (string, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return types.ConvertToString(ctx, v, t.StringType, nil)
}

// exactSchema is a schema with exact texts; the same one if it has none that differ.
func exactSchema(schema sql.Schema) (out sql.Schema, changed bool) {
	for i, c := range schema {
		t, ok := c.Type.(sql.StringType)
		if _, done := c.Type.(exactText); !ok || done || !types.IsTextOnly(c.Type) {
			continue
		}
		if !changed {
			out, changed = append(sql.Schema(nil), schema...), true
		}
		c := *c
		c.Type = exactText{t}
		out[i] = &c
	}
	if !changed {
		return schema, false
	}
	return out, true
}

// exactTarget is the table of an UPDATE below its source.
type exactTarget struct {
	wrapper
	sql.UpdatableTable
	schema sql.Schema
}

// String implements sql.Node and sql.Table.
func (n *exactTarget) String() string { return n.wrapper.String() }

// Schema implements sql.Node and sql.Table.
func (n *exactTarget) Schema(*sql.Context) sql.Schema { return n.schema }

// WithChildren implements sql.Node.
func (n *exactTarget) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// exactly builds an UPDATE over exact texts; nil if there is nothing to change.
func (b *Builder) exactly(ctx *sql.Context, n *plan.Update, r sql.Row) (sql.RowIter, error) {
	child, changed, err := exactSource(ctx, n.Child)
	if err != nil || !changed {
		return nil, err
	}
	out := *n
	out.Child = child
	return b.Base.Build(ctx, &out, r)
}

// exactSource finds the source of an UPDATE and changes what is below it.
func exactSource(ctx *sql.Context, n sql.Node) (sql.Node, bool, error) {
	switch n := n.(type) {
	case *plan.UpdateSource:
		return exactBelow(ctx, n)
	case *plan.TriggerExecutor:
		left, changed, err := exactSource(ctx, n.Left())
		if err != nil || !changed {
			return n, false, err
		}
		out, err := n.WithChildren(ctx, left, n.Right())
		return out, true, err
	case *plan.ForeignKeyHandler:
		below, changed, err := exactSource(ctx, n.OriginalNode)
		if err != nil || !changed {
			return n, false, err
		}
		out := *n
		out.OriginalNode = below
		out.Sch, _ = exactSchema(n.Sch)
		return &out, true, nil
	case *plan.UpdateJoin:
		below, changed, err := exactSource(ctx, n.Child)
		if err != nil || !changed {
			return n, false, err
		}
		out, err := n.WithChildren(ctx, below)
		return out, true, err
	}
	return n, false, nil
}

func exactBelow(ctx *sql.Context, n *plan.UpdateSource) (sql.Node, bool, error) {
	out := *n
	if joins(n.Child) {
		schema, changed := exactSchema(n.Child.Schema(ctx))
		if !changed {
			return n, false, nil
		}
		columns := make([]sql.Expression, len(schema))
		for i, c := range schema {
			columns[i] = expression.NewGetFieldWithTable(i, 0, c.Type, c.DatabaseSource, c.Source, c.Name, c.Nullable)
		}
		out.Child = plan.NewProject(ctx, columns, n.Child)
		return &out, true, nil
	}
	target, err := plan.GetUpdatable(n.Child)
	if err != nil {
		return n, false, nil
	}
	schema, changed := exactSchema(target.Schema(ctx))
	if !changed {
		return n, false, nil
	}
	out.Child = &exactTarget{Around(n.Child), target, schema}
	return &out, true, nil
}

// joins tells whether a source of rows joins tables.
func joins(n sql.Node) (joined bool) {
	transform.Inspect(n, func(n sql.Node) bool {
		_, join := n.(*plan.JoinNode)
		joined = joined || join
		return !joined
	})
	return joined
}

// exactDestination lets ON DUPLICATE KEY UPDATE see whether a row has changed and gets the time of
// it.
func exactDestination(ctx *sql.Context, n *plan.InsertInto) {
	if schema, changed := exactSchema(n.Destination.Schema(ctx)); changed && n.OnDupExprs.HasDerivedUpdates() {
		n.Destination = plan.NewInsertDestination(schema, n.Destination)
	}
}

// wideDestination lets dates that the calendar lacks pass into a table, once they are read for its
// columns.
func wideDestination(ctx *sql.Context, n *plan.InsertInto) {
	if dates := operand.DatesOf(ctx); dates.NoZeroIn && !dates.Invalid {
		return
	}
	schema := slices.Clone(n.Destination.Schema(ctx))
	changed := false
	for i, c := range schema {
		if wide, ok := operand.Wide(c.Type); ok {
			c := *c
			c.Type, changed = wide, true
			schema[i] = &c
		}
	}
	if changed {
		n.Destination = plan.NewInsertDestination(schema, n.Destination)
	}
}
