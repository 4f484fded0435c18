package sqllayer

// Semi-consistent reads: below REPEATABLE READ, UPDATE and DELETE do not wait for a row that
// somebody else has locked if its last committed version does not match their condition. The
// condition is the filter right above the scan; the scan asks it through table.ScanOptions.Match.

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// targetFilter is the condition on the rows of a target table.
type targetFilter struct {
	cond sql.Expression // nil: there are several, for one table under two names
}

// seek notes the filter above a scan of a target of the statement. A filter with a subquery is none
// to ask in the middle of a scan.
func (s *Session) seek(ctx *sql.Context, n *plan.Filter) {
	var t *Table
	switch c := n.Child.(type) {
	case *plan.ResolvedTable:
		t, _ = sql.GetUnderlyingTable(c.UnderlyingTable()).(*Table)
	case *plan.IndexedTableAccess:
		t, _ = sql.GetUnderlyingTable(c.UnderlyingTable()).(*Table)
	}
	if t == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := t.def.def.ID
	if _, target := s.stmt.targets[id]; !target || s.stmt.depth > 0 {
		return
	}
	if s.stmt.filters == nil {
		s.stmt.filters = make(map[base.TableID]*targetFilter)
	}
	f := &targetFilter{}
	if s.stmt.filters[id] == nil && !hasSubquery(ctx, n.Expression) {
		f.cond = n.Expression
	}
	s.stmt.filters[id] = f
}

func hasSubquery(ctx *sql.Context, e sql.Expression) (found bool) {
	transform.InspectExpr(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e.(type) {
		case *plan.Subquery, *functionCall:
			found = true
		}
		return found
	})
	return found
}

// choose gives the scan of a target the statement's condition. REQUIRES: the session's mu.
func (r *rows) choose(ctx *sql.Context, trx *txn.Trx) {
	s := r.t.s
	f := s.stmt.filters[r.t.def.def.ID]
	if f == nil || f.cond == nil || !r.opts.Target || r.opts.Lock != table.Exclusive || trx.Isolation() > txn.ReadCommitted {
		return
	}
	r.opts.Match = func(vals []row.Value) (bool, error) {
		out, err := r.t.def.decodeRow(s.Zone(), vals, r.t.proj)
		if err != nil {
			return false, err
		}
		s.mu.Unlock() // the condition may ask the session
		defer s.mu.Lock()
		res, err := sql.EvaluateCondition(ctx, f.cond, out)
		return err == nil && sql.IsTrue(res), err
	}
}
