package sqllayer

// EXPLAIN FORMAT=TREE and FORMAT=JSON: the plan as a tree of steps. Each step has MySQL's words
// and, for JSON, its fields; nodes of GMS that read, drop or order nothing are no steps. EXPLAIN
// ANALYZE runs the statement and tells what each step gave, see explainanalyze.go; JSON is written
// in explainjson.go.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// step is a part of a plan.
type step struct {
	kind      string // access_type
	operation string
	heading   string // of what stands beside the inputs
	rows      float64
	cost      float64
	known     bool // rows and cost are estimated
	fields    map[string]any
	inputs    []*step

	table  *tableStep
	filter string // what the rows of the table are tested against, names quoted
	actual *actual
}

// tableStep is what the older form tells of a table.
type tableStep struct {
	name, access  string
	possible, key string
	parts         []string
	length        int64
	ref           []string
	rows          float64
	columns       []string
	covering      bool
}

// planner makes steps of a plan.
type planner struct {
	s         *Session
	blocks    int // SELECTs so far
	actuals   map[sql.Node]*actual
	condition sql.Expression // that the next table's rows are tested against
}

// steps makes the tree of a plan, and of the subqueries in its expressions.
func (p *planner) steps(ctx *sql.Context, n sql.Node) *step {
	s := p.step(ctx, n)
	if a := p.actuals[n]; a != nil && s.actual == nil {
		s.actual = a
	}
	return s
}

// mended is what is run in place of a node.
func (p *planner) mended(n sql.Node) sql.Node {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if m := p.s.stmt.mended[n]; m != nil && hashable(n) {
		return m
	}
	return n
}

func (p *planner) step(ctx *sql.Context, n sql.Node) *step {
	if hashable(n) {
		if m := p.mended(n); m != n {
			return p.steps(ctx, m)
		}
	}
	switch n := n.(type) {
	case *plan.ResolvedTable:
		return p.scan(ctx, n)
	case *plan.IndexedTableAccess:
		return p.lookup(ctx, n)
	case *plan.TableAlias:
		s := p.steps(ctx, n.Child)
		s.rename(n.Name())
		return s
	case *plan.Filter:
		return p.filter(ctx, n.Expression, n.Child)
	case *plan.Having:
		return p.filter(ctx, n.Cond, n.Child)
	case *plan.Sort:
		return p.sort(ctx, n.SortConditions, n.Child)
	case *plan.TopN:
		s := p.sort(ctx, n.SortConditions, n.Child)
		s.operation += ", limit input to " + n.Limit.String() + " row(s) per chunk"
		s.fields["per_chunk_limit"] = literalNumber(n.Limit)
		return s
	case *plan.Limit:
		return p.limit(ctx, n)
	case *plan.Offset:
		return p.above(&step{kind: "limit", operation: "Offset: " + n.Offset.String() + " row(s)"}, p.steps(ctx, n.Child))
	case *plan.GroupBy:
		return p.group(ctx, n)
	case *plan.Window:
		s := p.above(&step{kind: "window", operation: "Window aggregate"}, p.steps(ctx, n.Child))
		return p.subqueries(ctx, s, "projection", n.SelectExprs...)
	case *plan.Project:
		return p.subqueries(ctx, p.steps(ctx, n.Child), "projection", n.Projections...)
	case *plan.Distinct, *plan.OrderedDistinct:
		return p.above(&step{kind: "temp_table", operation: "Remove duplicates with a temporary table"}, p.steps(ctx, n.Children()[0]))
	case *plan.JoinNode:
		return p.join(ctx, n)
	case *plan.HashLookup:
		return p.above(&step{kind: "hash", operation: "Hash"}, p.steps(ctx, n.Child))
	case *plan.SubqueryAlias:
		return p.derived(n.Name(), p.block(ctx, n.Child))
	case *plan.RecursiveCte:
		return p.derived(n.Name(), p.above(&step{kind: "union", operation: "Repeat until convergence"}, p.block(ctx, n.Left()), p.block(ctx, n.Right())))
	case *plan.RecursiveTable:
		return &step{kind: "table", operation: "Scan new records on " + n.Name(), fields: map[string]any{"table_name": n.Name()}, table: &tableStep{name: n.Name(), access: "ALL"}}
	case *plan.SetOp:
		return p.set(ctx, n)
	case *plan.InsertInto:
		return p.insert(ctx, n)
	case *plan.Update:
		return p.change(ctx, "update", n.Child)
	case *plan.DeleteFrom:
		return p.change(ctx, "delete", n.Child)
	case *plan.EmptyTable:
		return &step{kind: "zero_rows", operation: "Zero rows (Impossible WHERE)", known: true, fields: map[string]any{"zero_rows_cause": "Impossible WHERE"}}
	case *plan.TableCountLookup:
		return &step{kind: "count_rows", operation: "Count rows in " + n.Name(), fields: map[string]any{"table_name": n.Name()}, rows: 1, known: true}
	}
	children := n.Children()
	switch len(children) {
	case 0:
		return &step{kind: "rows_fetched_before_execution", operation: "Rows fetched before execution", rows: 1, known: true}
	case 1:
		return p.steps(ctx, children[0])
	}
	s := &step{kind: "other", operation: strings.TrimPrefix(fmt.Sprintf("%T", n), "*plan.")}
	for _, c := range children {
		s.inputs = append(s.inputs, p.steps(ctx, c))
	}
	return s
}

// block is a SELECT of its own.
func (p *planner) block(ctx *sql.Context, n sql.Node) *step {
	before := p.condition
	p.condition = nil
	defer func() { p.condition = before }()
	p.blocks++
	id := p.blocks
	s := p.steps(ctx, n)
	return &step{kind: "block", inputs: []*step{s}, rows: s.rows, cost: s.cost, known: s.known, fields: map[string]any{"select_id": id}}
}

// above puts a step on others, whose rows it hands on.
func (p *planner) above(s *step, inputs ...*step) *step {
	s.known = true
	for _, in := range inputs {
		s.rows, s.cost, s.known = s.rows+in.rows, s.cost+in.cost, s.known && in.known
	}
	s.inputs = append(s.inputs, inputs...)
	if s.fields == nil {
		s.fields = make(map[string]any)
	}
	return s
}

// rename gives a table its alias.
func (s *step) rename(name string) {
	t := s
	for t.table == nil && len(t.inputs) > 0 {
		t = t.inputs[0]
	}
	if t.table == nil {
		return
	}
	t.operation = strings.Replace(t.operation, " on "+t.table.name, " on "+name, 1)
	t.table.name = name
	if t.fields["alias"] = name; t.fields["table_name"] == name {
		delete(t.fields, "alias")
	}
}

func columnsOf(ctx *sql.Context, n sql.Node) (names []string) {
	for _, c := range n.Schema(ctx) {
		names = append(names, c.Name)
	}
	return names
}

// reads estimates what reading rows costs.
func reads(s *step, rows float64) *step {
	s.rows, s.cost, s.known, s.table.rows = rows, 0.25+rows/10, true, rows
	return s
}

// filter is a condition on rows. MySQL's guess of what passes: a tenth by an equality, a third by
// another comparison.
func (p *planner) filter(ctx *sql.Context, condition sql.Expression, child sql.Node) *step {
	before := p.condition
	p.condition = condition
	in := p.steps(ctx, child)
	p.condition = before
	s := p.above(&step{kind: "filter", operation: "Filter: " + condition.String()}, in)
	s.fields["condition"] = condition.String()
	for _, part := range expression.SplitConjunction(ctx, condition) {
		if _, equal := part.(*expression.Equals); equal {
			s.rows /= 10
		} else {
			s.rows /= 3
		}
	}
	if in.table != nil {
		in.filter = condition.String()
	}
	return p.subqueries(ctx, s, "condition", condition)
}

func (p *planner) sort(ctx *sql.Context, by sql.SortConditions, child sql.Node) *step {
	var names []string
	for _, f := range by {
		name := f.Expr.String()
		if f.Order == sql.Descending {
			name += " DESC"
		}
		names = append(names, name)
	}
	s := p.above(&step{kind: "sort", operation: "Sort: " + strings.Join(names, ", ")}, p.steps(ctx, child))
	s.fields["sort_fields"] = names
	return s
}

func (p *planner) limit(ctx *sql.Context, n *plan.Limit) *step {
	child, operation := n.Child, "Limit: "+n.Limit.String()+" row(s)"
	fields := map[string]any{"limit": literalNumber(n.Limit)}
	if o, ok := child.(*plan.Offset); ok {
		child, operation = o.Child, "Limit/Offset: "+n.Limit.String()+"/"+o.Offset.String()+" row(s)"
		fields["limit_offset"] = literalNumber(o.Offset)
	}
	s := p.above(&step{kind: "limit", operation: operation, fields: fields}, p.steps(ctx, child))
	if v, ok := fields["limit"].(int64); ok {
		s.rows = math.Min(s.rows, float64(v))
	}
	return s
}

func (p *planner) group(ctx *sql.Context, n *plan.GroupBy) *step {
	s := &step{kind: "temp_table_aggregate", operation: "Aggregate using temporary table"}
	if len(n.GroupByExprs) == 0 {
		var names []string
		for _, e := range n.SelectDeps {
			if _, plain := e.(*expression.GetField); !plain {
				names = append(names, e.String())
			}
		}
		s.kind, s.operation, s.fields = "aggregate", "Aggregate: "+strings.Join(names, ", "), map[string]any{"functions": names}
	}
	p.above(s, p.steps(ctx, n.Child))
	if s.kind == "aggregate" {
		s.rows = 1
	}
	return p.subqueries(ctx, s, "projection", n.SelectDeps...)
}

// join is two tables, the first one read first.
func (p *planner) join(ctx *sql.Context, n *plan.JoinNode) *step {
	before := p.condition
	p.condition = nil
	left, right := p.steps(ctx, n.Left()), p.steps(ctx, n.Right())
	p.condition = before
	kind := "inner join"
	switch {
	case n.Op.IsLeftOuter():
		kind = "left join"
	case n.Op.IsRightOuter():
		kind = "right join"
	case n.Op.IsFullOuter():
		kind = "full join"
	case n.Op.IsAnti():
		kind = "antijoin"
	case n.Op.IsSemi():
		kind = "semijoin"
	}
	algorithm, words := "nested_loop", "Nested loop "+kind
	switch {
	case n.Op.IsHash():
		algorithm, words = "hash", strings.ToUpper(kind[:1])+strings.TrimSuffix(kind[1:], "join")+"hash join"
	case n.Op.IsMerge():
		algorithm, words = "merge", "Merge "+kind
	}
	s := &step{kind: "join", operation: words, inputs: []*step{left, right}, known: left.known && right.known,
		fields: map[string]any{"join_type": kind, "join_algorithm": algorithm}}
	s.rows, s.cost = left.rows*right.rows, left.cost+left.rows*right.cost
	if algorithm != "nested_loop" {
		s.cost = left.cost + right.cost
	}
	if n.Filter != nil && n.Filter.String() != "true" {
		s.operation += " " + n.Filter.String()
		s.fields["join_condition"] = n.Filter.String()
		return p.subqueries(ctx, s, "condition", n.Filter)
	}
	return s
}

// derived is a table that is made first.
func (p *planner) derived(name string, block *step) *step {
	made := p.above(&step{kind: "materialize", operation: "Materialize"}, block)
	s := p.above(&step{kind: "table", operation: "Table scan on " + name, table: &tableStep{name: name, access: "ALL", rows: block.rows}}, made)
	s.fields["table_name"] = name
	return s
}

func (p *planner) set(ctx *sql.Context, n *plan.SetOp) *step {
	words := map[int]string{plan.UnionType: "Union", plan.IntersectType: "Intersect", plan.ExceptType: "Except"}[n.SetOpType]
	operation := words + " all materialize"
	if n.Distinct {
		operation = words + " materialize with deduplication"
	}
	var parts []*step
	var add func(n sql.Node)
	add = func(m sql.Node) {
		if o, ok := m.(*plan.SetOp); ok && o.SetOpType == n.SetOpType && o.Distinct == n.Distinct && o.Limit == nil && len(o.SortConditions) == 0 {
			add(o.Left())
			add(o.Right())
			return
		}
		if len(parts) == 0 { // the first SELECT is the statement's own
			parts = append(parts, &step{kind: "block", inputs: []*step{p.steps(ctx, m)}, fields: map[string]any{"select_id": 1}})
			first := parts[0].inputs[0]
			parts[0].rows, parts[0].cost, parts[0].known = first.rows, first.cost, first.known
			return
		}
		parts = append(parts, p.block(ctx, m))
	}
	add(n.Left())
	add(n.Right())
	s := p.above(&step{kind: "union", operation: operation}, parts...)
	s.fields["deduplication"] = n.Distinct
	if len(n.SortConditions) > 0 {
		by := &step{kind: "sort", operation: "Sort: " + n.SortConditions.ToExpressions()[0].String()}
		s = p.above(by, s)
	}
	if n.Limit != nil {
		s = p.above(&step{kind: "limit", operation: "Limit: " + n.Limit.String() + " row(s)"}, s)
	}
	return s
}

func (p *planner) insert(ctx *sql.Context, n *plan.InsertInto) *step {
	name, kind, word := "", "insert_values", "Insert into "
	if t := tableBelow(n.Destination); t != nil {
		name = t.Name()
	}
	if n.IsReplace {
		kind, word = "replace_values", "Replace into "
	}
	source := p.steps(ctx, n.Source)
	if source.kind != "rows_fetched_before_execution" {
		kind = strings.Replace(kind, "values", "from_select", 1)
	}
	s := p.above(&step{kind: kind, operation: word + name, table: &tableStep{name: name, access: "ALL"}}, source)
	s.known = false
	s.fields["table_name"] = name
	return s
}

func (p *planner) change(ctx *sql.Context, kind string, child sql.Node) *step {
	in := p.steps(ctx, child)
	name := ""
	for t := in; t != nil; {
		if t.table != nil {
			name = t.table.name
		}
		if len(t.inputs) == 0 {
			break
		}
		t = t.inputs[0]
	}
	word := map[string]string{"update": "Update ", "delete": "Delete from "}[kind]
	s := p.above(&step{kind: kind, operation: word + name + " (immediate)"}, in)
	s.known = false
	s.fields["table_name"] = name
	return s
}

// subqueries adds the subqueries of expressions to a step.
func (p *planner) subqueries(ctx *sql.Context, s *step, where string, exprs ...sql.Expression) *step {
	for _, e := range exprs {
		sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
			q, ok := e.(*plan.Subquery)
			if !ok {
				return true
			}
			if s.fields == nil {
				s.fields = make(map[string]any)
			}
			b := p.block(ctx, q.Query)
			how := "run only once"
			if !q.Correlated().Empty() {
				how = "dependent"
			}
			b.heading = fmt.Sprintf("Select #%d (subquery in %s; %s)", b.fields["select_id"], where, how)
			if text, ok := s.fields["condition"].(string); ok {
				s.fields["condition"] = strings.ReplaceAll(text, q.String(), fmt.Sprintf("(select #%d)", b.fields["select_id"]))
			}
			s.operation = strings.ReplaceAll(s.operation, q.String(), fmt.Sprintf("(select #%d)", b.fields["select_id"]))
			b.fields["subquery"], b.fields["subquery_location"], b.fields["dependent"], b.fields["cacheable"] = true, where, how == "dependent", how != "dependent"
			s.inputs = append(s.inputs, b)
			return true
		})
	}
	return s
}

// text writes the tree as FORMAT=TREE shows it.
func (s *step) text(out *strings.Builder, depth int) {
	if s.kind == "block" {
		if s.heading != "" {
			fmt.Fprintf(out, "%s-> %s\n", strings.Repeat("    ", depth), s.heading)
			depth++
		}
		for _, in := range s.inputs {
			in.text(out, depth)
		}
		return
	}
	fmt.Fprintf(out, "%s-> %s", strings.Repeat("    ", depth), s.operation)
	if s.known {
		fmt.Fprintf(out, "  (cost=%s rows=%s)", short(s.cost), short(s.rows))
	}
	if s.actual != nil {
		out.WriteString(s.actual.text())
	}
	out.WriteString("\n")
	for _, in := range s.inputs {
		in.text(out, depth+1)
	}
}

// short is a number with three digits, as MySQL shows costs and times.
func short(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
