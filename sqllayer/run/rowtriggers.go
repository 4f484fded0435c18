package run

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
)

// ChangesRows tells whether an INSERT may change or delete rows that were there.
func ChangesRows(n *plan.InsertInto) bool { return n.IsReplace || n.OnDupExprs.HasUpdates() }

// Executors are the triggers around and in front of a statement, from the last that runs to the
// first.
func Executors(n sql.Node) (out []*plan.TriggerExecutor) {
	for n != nil {
		switch below := n.(type) {
		case *plan.TriggerExecutor:
			out = append(out, below)
			n = below.Left()
		case *plan.Update:
			n = below.Child
		case *plan.DeleteFrom:
			n = below.Child
		default:
			n = nil
		}
	}
	return out
}

// rowTriggers builds an INSERT whose triggers run as its rows are written; nil for other
// statements.
func (b *Builder) rowTriggers(ctx *sql.Context, n *plan.TriggerExecutor, r sql.Row) (sql.RowIter, error) {
	list := Executors(n)
	insert, ok := list[len(list)-1].Left().(*plan.InsertInto)
	if !ok || !ChangesRows(insert) {
		return nil, nil
	}
	table, err := plan.GetInsertable(insert.Destination)
	if err != nil {
		return nil, err
	}
	target := &watchedTarget{wrapper: Around(insert.Destination), InsertableTable: table, triggers: &boundTriggers{}}
	for _, t := range slices.Backward(list) {
		if err := target.triggers.bind(ctx, b, t, insert.Destination.Schema(ctx), r); err != nil {
			return nil, err
		}
	}
	changed := *insert
	changed.Destination, changed.HasAfterTrigger = target, false
	if !insert.IsReplace {
		changed.OnDupExprs = withBeforeUpdate(ctx, insert, target.triggers)
	} else if slices.ContainsFunc(list, func(t *plan.TriggerExecutor) bool { return t.TriggerEvent == plan.DeleteTrigger }) {
		sqllayer.SessionOf(ctx).WatchDeletes()
	}
	return b.Base.Build(ctx, &changed, r)
}

// withBeforeUpdate puts BEFORE UPDATE triggers behind the assignments of ON DUPLICATE KEY UPDATE
// and the times of ON UPDATE, which go by what the assignments change, and in front of generated
// columns.
func withBeforeUpdate(ctx *sql.Context, insert *plan.InsertInto, triggers *boundTriggers) *plan.UpdateExprs {
	schema, _ := exactSchema(insert.Destination.Schema(ctx))
	before := &beforeUpdate{Expression: expression.NewLiteral(nil, types.Null), triggers: triggers, columns: schema}
	var generated []sql.Expression
	for _, e := range insert.OnDupExprs.DerivedUpdateExprs() {
		f := e.(*expression.SetField).LeftChild.(*expression.GetField)
		if schema[f.Index()].Generated != nil {
			generated = append(generated, e)
		} else {
			before.times = append(before.times, e)
		}
	}
	exprs := append(slices.Clone(insert.OnDupExprs.ExplicitUpdateExprs()), before)
	return plan.NewUpdateExprs(append(exprs, generated...), len(exprs))
}
