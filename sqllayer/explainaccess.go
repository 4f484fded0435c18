package sqllayer

// How EXPLAIN FORMAT=TREE and FORMAT=JSON tell of a table's reading: scans, look-ups, the ranges of
// an index.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

func (p *planner) scan(ctx *sql.Context, n *plan.ResolvedTable) *step {
	fields := map[string]any{"table_name": n.Name(), "used_columns": columnsOf(ctx, n)}
	if d := n.Database(); d != nil && d.Name() != "" {
		fields["schema_name"] = d.Name()
	}
	s := &step{kind: "table", operation: "Table scan on " + n.Name(), fields: fields, table: &tableStep{name: n.Name(), access: "ALL", columns: columnsOf(ctx, n)}}
	t := ownTable(n)
	if t == nil {
		if n.Name() == "" || isDual(n.Table) {
			return &step{kind: "rows_fetched_before_execution", operation: "Rows fetched before execution", rows: 1, known: true}
		}
		return s
	}
	count, _, _ := t.RowCount(ctx)
	s.table.possible, _ = possibleKeys(t, p.condition).(string)
	return reads(s, float64(max(count, 1)))
}

func (p *planner) lookup(ctx *sql.Context, n *plan.IndexedTableAccess) *step {
	a, ok := indexAccess(ctx, n, p.condition)
	if !ok {
		return &step{kind: "index", operation: "Index lookup on " + n.Name(), table: &tableStep{name: n.Name(), access: "ref"}}
	}
	columns := columnsOf(ctx, n)
	t := &tableStep{name: a.table.Name(), access: a.access, key: a.index.ID(), length: a.length, columns: columns}
	t.possible, _ = a.possible.(string)
	for _, part := range a.index.idx.Parts[:max(a.fixed, 1)] {
		t.parts = append(t.parts, a.table.def.def.Columns[part.Column].Name)
	}
	how, condition, reverse := "Index lookup", "", ""
	fields := map[string]any{"table_name": t.name, "index_name": t.key, "schema_name": a.table.def.def.Schema, "used_columns": columns, "index_access_type": "index_lookup"}
	if n.IsStatic() {
		lookup := plan.GetIndexLookup(n)
		ranges, _ := lookup.Ranges.(sql.MySQLRangeCollection)
		condition = rangesText(a.index, ranges)
		if reverse = map[bool]string{true: " (reverse)"}[lookup.IsReverse]; lookup.IsReverse {
			fields["reverse"] = true
		}
	} else {
		condition = keysText(a.index, n.Expressions())
		for _, e := range n.Expressions() {
			t.ref = append(t.ref, e.String())
		}
	}
	t.covering = !a.index.idx.Clustered && a.index.CoversColumns(columns)
	fields["covering"] = t.covering
	switch {
	case condition == "":
		how, t.access, t.parts = "Index scan", "index", nil
		fields["index_access_type"] = "index_scan"
	case a.fixed == 0 && n.IsStatic():
		how, condition = "Index range scan", " over ("+condition+")"
		fields["index_access_type"], fields["ranges"] = "index_range_scan", []string{condition[6:]}
	default:
		if a.access == "const" || a.access == "eq_ref" {
			how = "Single-row index lookup"
		}
		if fields["lookup_condition"], fields["key_columns"] = condition, t.parts; n.IsStatic() {
			for range t.parts {
				t.ref = append(t.ref, "const")
			}
		}
		fields["lookup_references"] = t.ref
		condition = " (" + condition + ")"
	}
	if t.covering {
		how = "Covering " + strings.ToLower(how[:1]) + how[1:]
	}
	return reads(&step{kind: "index", operation: how + " on " + t.name + " using " + t.key + condition + reverse, fields: fields, table: t}, float64(a.rows))
}

// keysText is the condition of a lookup for each row of another table.
func keysText(x *Index, keys []sql.Expression) string {
	var parts []string
	for i, e := range keys {
		if i < len(x.idx.Parts) {
			parts = append(parts, x.table.def.Columns[x.idx.Parts[i].Column].Name+" = "+e.String())
		}
	}
	return strings.Join(parts, ", ")
}

// rangesText is the condition of a lookup whose keys are known, "" if it is none.
func rangesText(x *Index, ranges sql.MySQLRangeCollection) string {
	var all []string
	for _, r := range ranges {
		var parts []string
		for i, c := range r {
			if i >= len(x.idx.Parts) {
				break
			}
			if text := rangeText(x.table.def.Columns[x.idx.Parts[i].Column].Name, c); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) == 0 {
			return ""
		}
		all = append(all, strings.Join(parts, " AND "))
	}
	if len(all) > 5 {
		all = append(all[:4:4], fmt.Sprintf("%d more", len(all)-4))
	}
	return strings.Join(all, ") OR (")
}

// rangeText is the condition on one column, "" if it is none.
func rangeText(column string, r sql.MySQLRangeColumnExpr) string {
	value := func(c sql.MySQLRangeCut) string {
		if sql.MySQLRangeCutIsBinding(c) {
			return literalText(sql.GetMySQLRangeCutKey(c))
		}
		return "NULL"
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
		if _, ok := r.UpperBound.(sql.AboveNull); ok {
			return column + " = NULL"
		}
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

func literalNumber(e sql.Expression) any {
	if l, ok := e.(*expression.Literal); ok {
		if v, err := strconv.ParseFloat(fmt.Sprint(l.Value()), 64); err == nil {
			return int64(v)
		}
	}
	return e.String()
}
