package sqllayer

// What sessions do to rows, for SHOW STATUS: every session counts for itself; the layer adds up the
// sessions there are and those that are gone.

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/txn"
	"emberdb/sqllayer/tabledef"
)

// counting is the layer's part.
type counting struct {
	mu   sync.Mutex
	live map[*Session]struct{}
	gone txn.RowCounts
}

// enter makes a session one that is counted, until it leaves.
func (l *Layer) enter(s *Session) *Session {
	c := &l.counting
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live == nil {
		c.live = make(map[*Session]struct{})
	}
	c.live[s] = struct{}{}
	return s
}

func (l *Layer) leave(s *Session) {
	c := &l.counting
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.live, s)
	s.counts.MoveTo(&c.gone)
}

// RowCounts adds up what all sessions have counted.
func (l *Layer) RowCounts() (sum txn.RowSums) {
	c := &l.counting
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone.AddTo(&sum)
	for s := range c.live {
		s.counts.AddTo(&sum)
	}
	return sum
}

// Layer is the layer that provides.
func (p *Provider) Layer() *Layer { return p.Owner }

// FlushCounts makes the session's counters zero; the sums stay.
func (s *Session) FlushCounts() {
	c := &s.layer.counting
	c.mu.Lock()
	defer c.mu.Unlock()
	s.counts.MoveTo(&c.gone)
}

// RowCount is one of the session's counters.
func (s *Session) RowCount(k txn.RowCount) uint64 { return s.counts.Get(k) }

// LockWaited is how many nanoseconds the session has waited for locks of rows, tables and
// definitions.
func (s *Session) LockWaited() uint64 { return uint64(s.owner.Waited()) }

// Count adds to one.
func (s *Session) Count(k txn.RowCount, n int) { s.counts.Add(k, n) }

// SetStatus gives the session the source of its status variables beyond GMS's.
func (s *Session) SetStatus(read func(put func(name string, v any))) { s.status = read }

// GetAllStatusVariables implements sql.Session.
func (s *Session) GetAllStatusVariables(ctx *sql.Context) map[string]sql.StatusVarValue {
	all := s.BaseSession.GetAllStatusVariables(ctx)
	for k, name := range txn.RowCountNames {
		if k := txn.RowCount(k); !k.Global() {
			all[name] = statusValue(name, s.counts.Get(k))
		}
	}
	if s.status != nil {
		s.status(func(name string, v any) { all[name] = statusValue(name, v) })
	}
	return all
}

func statusValue(name string, v any) sql.StatusVarValue {
	return &sql.ImmutableStatusVarValue{Var: &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Both}, Val: v}
}

// CountSelect counts how a SELECT that GMS has run read its tables, and the rows it sorted.
func (s *Session) CountSelect(ctx *sql.Context, rows int64) {
	s.Mu.Lock()
	root := s.Stmt.root
	s.Mu.Unlock()
	first, sorts := true, false
	var way txn.RowCount = -1
	transform.Inspect(root, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.InsertInto, *plan.Update, *plan.DeleteFrom:
			return false
		case *plan.Sort, *plan.TopN:
			sorts = true
		case *plan.ResolvedTable:
			if _, ok := sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table); !ok {
				break
			}
			if first {
				way = txn.SelectScan
			} else {
				s.Count(txn.SelectFullJoin, 1)
			}
			first = false
		case *plan.IndexedTableAccess:
			if _, ok := sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table); ok && first {
				way = access(ctx, n)
			}
			first = false
			return false
		}
		return true
	})
	if way >= 0 {
		s.Count(way, 1)
	}
	if sorts {
		s.Count(txn.SortRows, int(rows))
		s.Count(txn.SortScan, 1)
	}
}

// access tells whether a table is read entirely, by ranges of an index, or, -1, by values of its
// leading columns.
func access(ctx *sql.Context, n *plan.IndexedTableAccess) txn.RowCount {
	lookup := plan.GetIndexLookup(n)
	x, ok := lookup.Index.(*tabledef.Index)
	ranges, isMySQL := lookup.Ranges.(sql.MySQLRangeCollection)
	if !n.IsStatic() || !ok || !isMySQL {
		return -1
	}
	if len(ranges) != 1 {
		return txn.SelectRange
	}
	fixed, err := x.Fixed(ctx, ranges[0])
	if err != nil {
		return -1
	}
	for _, r := range ranges[0][fixed:] {
		if r.Type() != sql.RangeType_All {
			return txn.SelectRange
		}
	}
	if fixed > 0 {
		return -1
	}
	return txn.SelectScan
}
