package plandesc

// How the description of a plan tells of tables: scans, look-ups, the ranges of an index.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sql/explain"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// scan describes a table that is read from its first row to its last.
func (p *Planner) scan(ctx *sql.Context, n *plan.ResolvedTable, alias string) *explain.Node {
	if n.Name() == "" || sqllayer.IsDual(n.Table) {
		return explain.RowsBefore()
	}
	out := &explain.Table{Name: alias, Base: n.Name(), Columns: columnsOf(ctx, n)}
	if d := n.Database(); d != nil {
		out.Schema = d.Name()
	}
	s := explain.Scan(out)
	if t := sqllayer.OwnTable(n); t != nil {
		out.Possible, out.Partitions = possibleKeys(t, p.condition), t.ReadParts()
		count, _, _ := t.RowCount(ctx)
		estimate(s, float64(max(count, 1)), explain.CostScan(1, float64(max(count, 1))))
	}
	return s
}

func columnsOf(ctx *sql.Context, n sql.Node) (names []string) {
	for _, c := range n.Schema(ctx) {
		names = append(names, c.Name)
	}
	return names
}

// estimate notes how many rows an access reads, and what that costs.
func estimate(s *explain.Node, rows, cost float64) {
	s.Rows, s.Cost, s.Estimated, s.Table.Rows = rows, cost, true, rows
}

// lookup describes a table that is read through an index.
func (p *Planner) lookup(ctx *sql.Context, n *plan.IndexedTableAccess, alias string) *explain.Node {
	a, ok := indexAccess(ctx, n)
	if !ok {
		return &explain.Node{Kind: "index", Text: "Index lookup on " + explain.Name(alias), Fields: make(map[string]any), Table: &explain.Table{Name: alias, Access: "ref"}}
	}
	columns := columnsOf(ctx, n)
	t := &explain.Table{Name: alias, Base: a.table.Name(), Schema: a.table.Def.Def.Schema, Possible: possibleKeys(a.table, p.condition, a.index.ID()), Key: a.index.ID(),
		Length: a.length, Columns: columns, Partitions: a.table.ReadParts(), Clustered: a.index.Idx.Clustered, Covering: !a.index.Idx.Clustered && a.index.CoversColumns(columns)}
	for _, part := range a.index.Idx.Parts[:max(a.fixed, 1)] {
		t.Parts = append(t.Parts, a.table.Def.Def.Columns[part.Column].Name)
	}
	single := a.fixed == len(a.index.Idx.Parts) && a.index.Idx.Unique
	if !n.IsStatic() {
		for _, e := range n.Expressions() {
			t.Ref = append(t.Ref, referenceWords(e))
		}
		s := explain.IndexLookup(t, keysText(a.index, n.Expressions()), single)
		estimate(s, a.rows, explain.CostLookup(a.rows, t.Covering))
		return s
	}
	lookup := plan.GetIndexLookup(n)
	ranges, _ := lookup.Ranges.(sql.MySQLRangeCollection)
	conditions := rangesText(a.index, ranges)
	t.Backward = lookup.IsReverse
	var s *explain.Node
	switch {
	case len(conditions) == 0:
		t.Parts, t.Possible = nil, possibleKeys(a.table, p.condition)
		s = explain.IndexScan(t)
		estimate(s, a.rows, explain.CostRange(1, a.rows, a.rows, 1, a.index.Idx.Clustered, t.Covering))
	case a.fixed == 0:
		s = explain.IndexRange(t, conditions)
		estimate(s, a.rows, explain.CostRange(float64(len(conditions)), a.rows, a.all, 1, a.index.Idx.Clustered, t.Covering))
	default:
		for range t.Parts {
			t.Ref = append(t.Ref, "const")
		}
		s = explain.IndexLookup(t, strings.ReplaceAll(conditions[0], " AND ", ", "), single)
		if estimate(s, a.rows, explain.CostLookup(a.rows, t.Covering)); single {
			t.Access = "const"
		}
	}
	return s
}

// keysText is the condition of a lookup for each row of another table.
func keysText(x *tabledef.Index, keys []sql.Expression) string {
	var parts []string
	for i, e := range keys {
		if i < len(x.Idx.Parts) {
			parts = append(parts, x.Owner.Def.Columns[x.Idx.Parts[i].Column].Name+" = "+exprWords(e))
		}
	}
	return strings.Join(parts, ", ")
}

// rangesText are the conditions of a lookup whose keys are known; nil if there are none.
func rangesText(x *tabledef.Index, ranges sql.MySQLRangeCollection) (all []string) {
	for _, r := range ranges {
		var parts []string
		for i, c := range r {
			if i >= len(x.Idx.Parts) {
				break
			}
			if text := rangeText(x.Owner.Def.Columns[x.Idx.Parts[i].Column].Name, c); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) == 0 {
			return nil
		}
		all = append(all, strings.Join(parts, " AND "))
	}
	return all
}

// rangeText is the condition on one column, "" if it is none.
func rangeText(column string, r sql.MySQLRangeColumnExpr) string {
	value := func(c sql.MySQLRangeCut) string {
		if sql.MySQLRangeCutIsBinding(c) {
			return literalText(sql.GetMySQLRangeCutKey(c))
		}
		return "NULL"
	}
	if _, null := r.UpperBound.(sql.AboveNull); null {
		return column + " = NULL"
	}
	lower, upper := r.HasLowerBound(), r.HasUpperBound()
	less := func(inclusive bool) string { return map[bool]string{true: " <= ", false: " < "}[inclusive] }
	switch {
	case lower && upper:
		from, to := value(r.LowerBound), value(r.UpperBound)
		if from == to {
			return column + " = " + from
		}
		if from == "NULL" {
			return from + " < " + column + less(r.UpperBound.TypeAsUpperBound().Inclusive()) + to
		}
		return from + less(r.LowerBound.TypeAsLowerBound().Inclusive()) + column + less(r.UpperBound.TypeAsUpperBound().Inclusive()) + to
	case lower:
		return value(r.LowerBound) + less(r.LowerBound.TypeAsLowerBound().Inclusive()) + column
	case upper:
		return column + less(r.UpperBound.TypeAsUpperBound().Inclusive()) + value(r.UpperBound)
	}
	return ""
}

func literalText(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + v + "'"
	case []byte:
		return fmt.Sprintf("0x%x", v)
	}
	return fmt.Sprint(v)
}
