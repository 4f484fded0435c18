package sqllayer

// Scans are bounded by the start of their statement. What a trigger runs must see more: what the
// statement, and the trigger for the rows before, have changed so far. So every statement of a
// trigger's body moves the boundary to where it begins, and the boundary returns to the start of
// the outer statement when the trigger is done; scans that are open keep theirs.
//
// GMS builds the body anew for every row. Each statement of it is wrapped in a triggerStep, which
// the builder recognises.

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
)

// triggered tells whether a table has triggers; one whose table is not known is everybody's.
func (l *Layer) triggered(ctx context.Context, t *catalog.Table) (bool, error) {
	stored, err := l.objects(ctx, nil, catalog.KindTrigger, t.Schema)
	if err != nil {
		return false, err
	}
	for _, o := range stored {
		var def sql.TriggerDefinition
		if err := json.Unmarshal(o.Data, &def); err != nil {
			return false, err
		}
		if at, end := triggerTable(def.CreateStatement); at == end || strings.EqualFold(bareName(def.CreateStatement[at:end]), t.Name) {
			return true, nil
		}
	}
	return false, nil
}

// triggerStep is a statement of a trigger's body.
type triggerStep struct {
	wrapper
	fired *firedTrigger
	table tableName // whose change fires it
}

var _ sql.Node = (*triggerStep)(nil)

// WithChildren implements sql.Node.
func (n *triggerStep) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// triggeringTable is the table whose change fires a trigger.
func triggeringTable(n *plan.TriggerExecutor) tableName {
	text, schema := cutFired(n.TriggerDefinition.CreateStatement)
	at, end := triggerTable(text)
	return tableName{schema, bareName(text[at:end])}
}

// trigger wraps the statements of a trigger's body; nil if they are wrapped.
func (b *builder) trigger(ctx *sql.Context, n *plan.TriggerExecutor, r sql.Row) (sql.RowIter, error) {
	var body sql.Node
	fired, table := sessionOf(ctx).fired(n.TriggerDefinition), triggeringTable(n)
	step := func(n sql.Node) sql.Node { return &triggerStep{around(n), fired, table} }
	switch logic := n.Right().(type) {
	case *triggerProgram:
		return b.program(ctx, n, logic, r)
	case *triggerStep:
		return nil, nil
	case *plan.TriggerBeginEndBlock:
		if len(logic.Children()) == 0 { // BEGIN END
			return b.base.Build(ctx, n.Left(), r)
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
	return b.base.Build(ctx, wrapped, r)
}

// step builds a statement of a trigger.
func (b *builder) step(ctx *sql.Context, n *triggerStep, r sql.Row) (sql.RowIter, error) {
	s := sessionOf(ctx)
	leave, err := n.fired.enter(ctx, s, true)
	if err != nil {
		return nil, err
	}
	s.enterTrigger(n.table)
	child, err := b.base.Build(ctx, n.Child, r)
	if err != nil {
		s.leaveTrigger()
		leave()
		return nil, err
	}
	return &stepIter{RowIter: child, s: s, leave: leave}, nil
}

// stepIter runs it.
type stepIter struct {
	sql.RowIter
	s     *Session
	leave func() // the definer's rights
	left  bool
}

// Close implements sql.RowIter.
func (i *stepIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	if !i.left {
		i.left = true
		i.s.leaveTrigger()
		i.leave()
	}
	return err
}

// enterTrigger begins what a trigger of that table, or a function, runs.
func (s *Session) enterTrigger(table tableName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stmt.depth++
	s.stmt.callers = append(s.stmt.callers, s.caller(table))
	s.step()
}

func (s *Session) leaveTrigger() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stmt.depth--
	s.stmt.callers = s.stmt.callers[:s.stmt.depth]
	if s.stmt.depth == 0 && s.trx != nil && s.stmt.marked {
		s.trx.SetStatement(s.stmt.mark)
	}
}

// stepInTrigger begins a statement that stands deeper in a trigger's body: in an IF or a loop.
func (s *Session) stepInTrigger(n sql.Node) {
	switch n.(type) {
	case *plan.Update, *plan.DeleteFrom, *plan.InsertInto, *plan.Set, *plan.Into, *plan.IfConditional:
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.stmt.depth > 0 {
			s.step()
		}
	}
}

// step moves the statement boundary to the present. REQUIRES: s.mu.
func (s *Session) step() {
	if s.trx != nil && s.stmt.marked {
		s.trx.SetStatement(s.trx.Savepoint())
	}
}
