package sqllayer

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Scans are bounded by the start of their statement. What a trigger runs must see more: what the
// statement, and the trigger for the rows before, have changed so far. So every statement of a
// trigger's body moves the boundary to where it begins, and the boundary returns to the start of
// the outer statement when the trigger is done; scans that are open keep theirs.
//
// GMS builds the body anew for every row. Each statement of it is wrapped in a triggerStep, which
// the builder recognises.

// Triggered tells whether a table has triggers; one whose table is not known is everybody's.
func (l *Layer) Triggered(ctx context.Context, t *catalog.Table) (bool, error) {
	stored, err := l.objects(ctx, nil, catalog.KindTrigger, t.Schema)
	if err != nil {
		return false, err
	}
	for _, o := range stored {
		var def sql.TriggerDefinition
		if err := json.Unmarshal(o.Data, &def); err != nil {
			return false, err
		}
		if at, end := TriggerTable(def.CreateStatement); at == end || strings.EqualFold(trees.BareName(def.CreateStatement[at:end]), t.Name) {
			return true, nil
		}
	}
	return false, nil
}

// EnterTrigger begins what a trigger of that table, or a function, runs.
func (s *Session) EnterTrigger(table tabledef.TableName) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stmt.Depth++
	s.Stmt.callers = append(s.Stmt.callers, s.caller(table))
	s.step()
}

func (s *Session) LeaveTrigger() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stmt.Depth--
	s.Stmt.callers = s.Stmt.callers[:s.Stmt.Depth]
	if s.Stmt.Depth == 0 && s.Trx != nil && s.Stmt.marked {
		s.Trx.SetStatement(s.Stmt.mark)
	}
}

// StepInTrigger begins a statement that stands deeper in a trigger's body: in an IF or a loop.
func (s *Session) StepInTrigger(n sql.Node) {
	switch n.(type) {
	case *plan.Update, *plan.DeleteFrom, *plan.InsertInto, *plan.Set, *plan.Into, *plan.IfConditional:
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if s.Stmt.Depth > 0 {
			s.step()
		}
	}
}

// step moves the statement boundary to the present. REQUIRES: s.mu.
func (s *Session) step() {
	if s.Trx != nil && s.Stmt.marked {
		s.Trx.SetStatement(s.Trx.Savepoint())
	}
}

// REPLACE deletes rows that are in the way, and ON DUPLICATE KEY UPDATE updates them: which
// triggers a row fires is known when it is written. GMS runs the triggers for INSERT alone. The
// plan of such a statement gets the table's triggers for DELETE or UPDATE around it, too, and all
// of these but BEFORE INSERT run from the editor of the table, around what it does to a row; BEFORE
// UPDATE is the last of the assignments, in front of generated columns and checks:
//
//	AFTER INSERT (AFTER UPDATE (BEFORE UPDATE (InsertInto (BEFORE INSERT (rows)))))
