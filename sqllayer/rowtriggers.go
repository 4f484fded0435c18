package sqllayer

// REPLACE deletes rows that are in the way, and ON DUPLICATE KEY UPDATE updates them: which
// triggers a row fires is known when it is written. GMS runs the triggers for INSERT alone. The
// plan of such a statement gets the table's triggers for DELETE or UPDATE around it, too, and all
// of these but BEFORE INSERT run from the editor of the table, around what it does to a row; BEFORE
// UPDATE is the last of the assignments, in front of generated columns and checks:
//
//	AFTER INSERT (AFTER UPDATE (BEFORE UPDATE (InsertInto (BEFORE INSERT (rows)))))

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/rules"
)

// changesRows tells whether an INSERT may change or delete rows that were there.
func changesRows(n *plan.InsertInto) bool { return n.IsReplace || n.OnDupExprs.HasUpdates() }

// changesTemporary tells whether a statement changes a temporary table: that has no triggers, where
// GMS goes by the name.
func changesTemporary(n sql.Node) bool {
	var target sql.Node
	switch n := n.(type) {
	case *plan.InsertInto:
		target = n.Destination
	case *plan.Update:
		target = n.Child
	case *plan.DeleteFrom:
		target = n.Child
	}
	t, ok := tableBelow(target).(*Table)
	return ok && t.temporary
}

// mendTriggers lets the rule that puts triggers around statements do so with those of other events.
func mendTriggers(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "applyTriggers", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if changesTemporary(n) {
				return n, transform.SameTree, nil
			}
			if _, insert := n.(*plan.InsertInto); insert { // also LOAD DATA, of which the flags do not tell
				flags.Set(sql.QFlagInsert)
			}
			if _, deletes := n.(*plan.DeleteFrom); deletes { // as GMS does with the others: what triggers run must not change the table
				scope = scope.Memo(n)
			}
			apply := func(n sql.Node, scope *plan.Scope) (sql.Node, transform.TreeIdentity, error) {
				out, same, err := rule(ctx, a, n, scope, sel, flags)
				if err != nil {
					defer sessionOf(ctx).runPrograms()()
					return rule(ctx, a, n, scope, sel, flags)
				}
				return out, same, nil
			}
			out, same, err := apply(n, scope)
			if _, create := n.(*plan.CreateTrigger); err != nil || create || !flags.DmlIsSet() {
				return out, same, err
			}
			out, more, err := transform.NodeWithCtx(ctx, out, outsideBodies, func(ctx *sql.Context, c transform.Context) (sql.Node, transform.TreeIdentity, error) {
				insert, ok := c.Node.(*plan.InsertInto)
				if !ok || !changesRows(insert) {
					return c.Node, transform.SameTree, nil
				}
				return otherTriggers(ctx, insert, func(stand sql.Node) (sql.Node, error) {
					own := (*plan.Scope)(nil).WithMemos(scope.Memo(stand).MemoNodes()).WithProcedureCache(scope.ProcedureCache()) // without the row of an outer trigger
					planned, _, err := apply(stand, own)
					return planned, err
				})
			})
			return out, same && more, err
		}
	})
}

// mendDrops leaves the triggers of a table that is dropped to Database.DropTable: GMS drops them by
// the table's name, also where it is that of a temporary one.
func mendDrops(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "loadTriggers", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if _, drop := n.(*plan.DropTable); drop {
				return n, transform.SameTree, nil
			}
			return rule(ctx, a, n, scope, sel, flags)
		}
	})
}

// outsideBodies passes by the bodies of triggers, which were planned.
func outsideBodies(_ *sql.Context, c transform.Context) bool {
	t, ok := c.Parent.(*plan.TriggerExecutor)
	return !ok || t.Right() != c.Node
}

// otherTriggers puts the triggers around insert that its table has for DELETE or UPDATE, as apply
// puts them around a statement that stands for such a one.
func otherTriggers(ctx *sql.Context, insert *plan.InsertInto, apply func(stand sql.Node) (sql.Node, error)) (sql.Node, transform.TreeIdentity, error) {
	var table *plan.ResolvedTable
	transform.Inspect(insert.Destination, func(n sql.Node) bool {
		table, _ = n.(*plan.ResolvedTable)
		return table == nil
	})
	if table == nil {
		return insert, transform.SameTree, nil
	}
	stand := sql.Node(plan.NewUpdate(ctx, table, false, nil))
	if insert.IsReplace {
		stand = plan.NewDeleteFrom(table, []sql.Node{table}, false)
	}
	planned, err := apply(stand)
	if err != nil {
		return nil, transform.SameTree, err
	}
	out := sql.Node(insert)
	for _, t := range slices.Backward(executors(planned)) {
		out = plan.NewTriggerExecutor(out, t.Right(), t.TriggerEvent, t.TriggerTime, t.TriggerDefinition)
	}
	return out, transform.TreeIdentity(out == sql.Node(insert)), nil
}

// executors are the triggers around and in front of a statement, from the last that runs to the
// first.
func executors(n sql.Node) (out []*plan.TriggerExecutor) {
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
func (b *builder) rowTriggers(ctx *sql.Context, n *plan.TriggerExecutor, r sql.Row) (sql.RowIter, error) {
	list := executors(n)
	insert, ok := list[len(list)-1].Left().(*plan.InsertInto)
	if !ok || !changesRows(insert) {
		return nil, nil
	}
	table, err := plan.GetInsertable(insert.Destination)
	if err != nil {
		return nil, err
	}
	target := &watchedTarget{wrapper: around(insert.Destination), InsertableTable: table, triggers: &boundTriggers{}}
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
		sessionOf(ctx).watchDeletes()
	}
	return b.base.Build(ctx, &changed, r)
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
