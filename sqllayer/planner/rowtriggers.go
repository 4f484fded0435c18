package planner

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/run"
)

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
	t, ok := sqllayer.TableBelow(target).(*sqllayer.Table)
	return ok && t.Temporary
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
			s := sqllayer.SessionOf(ctx)
			apply := func(n sql.Node, scope *plan.Scope) (sql.Node, transform.TreeIdentity, error) {
				s.BeforeTriggers()
				out, same, err := rule(ctx, a, n, scope, sel, flags)
				if err != nil {
					defer s.RunPrograms()()
					out, same, err = rule(ctx, a, n, scope, sel, flags)
				}
				if err == nil {
					err = s.UnreadTrigger(n)
				}
				return out, same, err
			}
			if d, ok := n.(*plan.DeleteFrom); ok && d.HasExplicitTargets() {
				return targetTriggers(ctx, d, func(stand sql.Node) (sql.Node, error) {
					planned, _, err := apply(stand, scope)
					return planned, err
				})
			}
			out, same, err := apply(n, scope)
			if _, create := n.(*plan.CreateTrigger); err != nil || create || !flags.DmlIsSet() {
				return out, same, err
			}
			out, more, err := transform.NodeWithCtx(ctx, out, outsideBodies, func(ctx *sql.Context, c transform.Context) (sql.Node, transform.TreeIdentity, error) {
				insert, ok := c.Node.(*plan.InsertInto)
				if !ok || !run.ChangesRows(insert) {
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

// mendDrops leaves the triggers of a table that GMS drops to Database.DropTable: GMS drops them by
// the table's name, also where it is that of a temporary one. Only its own suites get so far.
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
	table := resolvedBelow(insert.Destination)
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
	for _, t := range slices.Backward(run.Executors(planned)) {
		out = plan.NewTriggerExecutor(out, t.Right(), t.TriggerEvent, t.TriggerTime, t.TriggerDefinition)
	}
	return out, transform.TreeIdentity(out == sql.Node(insert)), nil
}

// resolvedBelow is the table of a target; nil: it is none.
func resolvedBelow(target sql.Node) (table *plan.ResolvedTable) {
	transform.Inspect(target, func(n sql.Node) bool {
		table, _ = n.(*plan.ResolvedTable)
		return table == nil
	})
	return table
}

// targetTriggers finds the triggers of the targets of a DELETE, as apply puts them around a DELETE
// from one of them alone.
func targetTriggers(ctx *sql.Context, n *plan.DeleteFrom, apply func(stand sql.Node) (sql.Node, error)) (sql.Node, transform.TreeIdentity, error) {
	targets, fires := n.GetDeleteTargets(), false
	stands := make([]sql.Node, len(targets))
	for i, target := range targets {
		table := resolvedBelow(target)
		if table == nil {
			continue
		}
		if stands[i] = plan.NewDeleteFrom(table, []sql.Node{table}, false); changesTemporary(stands[i]) {
			continue
		}
		planned, err := apply(stands[i])
		if err != nil {
			return nil, transform.SameTree, err
		}
		stands[i], fires = planned, fires || len(run.Executors(planned)) > 0
	}
	if !fires {
		return n, transform.SameTree, nil
	}
	out, err := n.WithChildren(ctx, run.NewTriggered(n.Child, stands))
	return out, transform.NewTree, err
}
