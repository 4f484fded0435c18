package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// triggerStep is a statement of a trigger's body.
type triggerStep struct {
	wrapper
	fired *sqllayer.FiredTrigger
	table tabledef.TableName // whose change fires it
}

var _ sql.Node = (*triggerStep)(nil)

// WithChildren implements sql.Node.
func (n *triggerStep) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// triggeringTable is the table whose change fires a trigger.
func triggeringTable(n *plan.TriggerExecutor) tabledef.TableName {
	text, schema := sqllayer.CutFired(n.TriggerDefinition.CreateStatement)
	at, end := sqllayer.TriggerTable(text)
	return tabledef.TableName{Schema: schema, Name: trees.BareName(text[at:end])}
}

// trigger wraps the statements of a trigger's body; nil if they are wrapped.
func (b *Builder) trigger(ctx *sql.Context, n *plan.TriggerExecutor, r sql.Row) (sql.RowIter, error) {
	var body sql.Node
	fired, table := sqllayer.SessionOf(ctx).Fired(n.TriggerDefinition), triggeringTable(n)
	step := func(n sql.Node) sql.Node { return &triggerStep{Around(n), fired, table} }
	switch logic := n.Right().(type) {
	case *sqllayer.TriggerProgram:
		return b.program(ctx, n, logic, r)
	case *triggerStep:
		return nil, nil
	case *plan.TriggerBeginEndBlock:
		if len(logic.Children()) == 0 { // BEGIN END
			return b.Base.Build(ctx, n.Left(), r)
		}
		steps := make([]sql.Node, len(logic.Children()))
		for i, s := range logic.Children() {
			if _, wrapped := s.(*triggerStep); wrapped {
				return nil, nil
			}
			steps[i] = step(s)
		}
		body = plan.NewTriggerBeginEndBlock(plan.NewBeginEndBlock("", plan.NewBlock(steps)))
	case *plan.Set: // GMS looks for SET of NEW's columns as the whole body or in a block
		body = plan.NewTriggerBeginEndBlock(plan.NewBeginEndBlock("", plan.NewBlock([]sql.Node{step(logic)})))
	default:
		body = step(logic)
	}
	wrapped, err := n.WithChildren(ctx, n.Left(), body)
	if err != nil {
		return nil, err
	}
	return b.Base.Build(ctx, wrapped, r)
}

// step builds a statement of a trigger.
func (b *Builder) step(ctx *sql.Context, n *triggerStep, r sql.Row) (sql.RowIter, error) {
	s := sqllayer.SessionOf(ctx)
	leave, err := n.fired.Enter(ctx, s, true)
	if err != nil {
		return nil, err
	}
	s.EnterTrigger(n.table)
	end := s.OwnWarnings()
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		end(true)
		s.LeaveTrigger()
		leave()
		return nil, err
	}
	return &stepIter{RowIter: child, s: s, leave: leave, end: end}, nil
}

// stepIter runs it.
type stepIter struct {
	sql.RowIter
	s     *sqllayer.Session
	leave func() // the definer's rights
	end   func(stay bool)
	left  bool
}

// Close implements sql.RowIter.
func (i *stepIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	if !i.left {
		i.left = true
		i.end(false)
		i.s.LeaveTrigger()
		i.leave()
	}
	return err
}
