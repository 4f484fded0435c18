package explain

import (
	"fmt"
	"slices"
	"strings"
)

// over makes an operator on others, whose rows it hands on.
func over(kind, text string, fields map[string]any, inputs ...*Node) *Node {
	n := &Node{Kind: kind, Text: text, Fields: fields, Inputs: inputs, Estimated: true}
	for _, in := range inputs {
		n.Rows, n.First, n.Cost, n.Estimated = n.Rows+in.Rows, n.First+in.First, n.Cost+in.Cost, n.Estimated && in.Estimated
	}
	if n.Fields == nil {
		n.Fields = make(map[string]any)
	}
	return n
}

// RowsBefore are rows that are known before the statement runs.
func RowsBefore() *Node {
	return &Node{Kind: "rows_fetched_before_execution", Text: "Rows fetched before execution", Rows: 1, Estimated: true}
}

// ZeroRows is a plan without rows; why is the reason.
func ZeroRows(why string) *Node {
	return &Node{Kind: "zero_rows", Text: "Zero rows (" + why + ")", Estimated: true, Fields: map[string]any{"zero_rows_cause": why}}
}

// ZeroAggregated is an aggregation of no rows; why is the reason.
func ZeroAggregated(why string) *Node {
	return &Node{Kind: "zero_rows_aggregated", Text: "Zero input rows (" + why + "), aggregated into one output row", Rows: 1, Estimated: true,
		Fields: map[string]any{"zero_rows_cause": why}}
}

// CountRows counts the rows of a table.
func CountRows(name string) *Node {
	return &Node{Kind: "count_rows", Text: "Count rows in " + Name(name), Fields: map[string]any{"table_name": name}}
}

// fields are those of a table.
func (t *Table) fields() map[string]any {
	f := map[string]any{"table_name": t.Name, "used_columns": t.Columns}
	if t.Base != "" && t.Base != t.Name {
		f["table_name"], f["alias"] = t.Base, t.Name
	}
	if t.Schema != "" {
		f["schema_name"] = t.Schema
	}
	return f
}

// Scan reads a whole table.
func Scan(t *Table) *Node {
	t.Access = "ALL"
	return &Node{Kind: "table", Text: "Table scan on " + Name(t.Name), Fields: t.fields(), Table: t}
}

// covering puts the word before the name of an access.
func (t *Table) covering(words string) string {
	if t.Covering {
		return "Covering " + strings.ToLower(words[:1]) + words[1:]
	}
	return words
}

// back tells an index that is read from its end.
func (t *Table) back() string {
	if t.Backward {
		return " (reverse)"
	}
	return ""
}

func (t *Table) indexFields(access string) map[string]any {
	f := t.fields()
	f["index_name"], f["index_access_type"], f["covering"] = t.Key, access, t.Covering
	if t.Backward {
		f["reverse"] = true
	}
	return f
}

// IndexScan reads a whole index.
func IndexScan(t *Table) *Node {
	t.Access = "index"
	return &Node{Kind: "index", Text: t.covering("Index scan") + " on " + Name(t.Name) + " using " + keyName(t.Key) + t.back(), Fields: t.indexFields("index_scan"), Table: t}
}

// mostRanges is how many ranges are told of.
const mostRanges = 5

// IndexRange reads ranges of an index.
func IndexRange(t *Table, ranges []string) *Node {
	t.Access = "range"
	f := t.indexFields("index_range_scan")
	if f["ranges"] = ranges; len(ranges) > mostRanges {
		ranges = append(slices.Clone(ranges[:mostRanges-2]), fmt.Sprintf("%d more", len(ranges)-mostRanges+2))
	}
	return &Node{Kind: "index", Text: t.covering("Index range scan") + " on " + Name(t.Name) + " using " + keyName(t.Key) + " over (" + strings.Join(ranges, ") OR (") + ")" + t.back(),
		Fields: f, Table: t}
}

// IndexLookup reads the rows that have a key; condition is what the key is, single tells that there
// is at most one.
func IndexLookup(t *Table, condition string, single bool) *Node {
	words := "Index lookup"
	if t.Access = "ref"; single {
		words, t.Access = "Single-row index lookup", "eq_ref"
		if t.Covering {
			words = "Single-row covering index lookup"
		}
	} else {
		words = t.covering(words)
	}
	f := t.indexFields("index_lookup")
	f["lookup_condition"], f["key_columns"], f["lookup_references"] = condition, t.Parts, t.Ref
	return &Node{Kind: "index", Text: words + " on " + Name(t.Name) + " using " + keyName(t.Key) + " (" + condition + ")" + t.back(), Fields: f, Table: t}
}

// Filter lets rows pass for which a condition holds.
func Filter(condition string, in *Node) *Node {
	return over("filter", "Filter: "+condition, map[string]any{"condition": condition}, in)
}

// Sort orders rows; at most most of them are wanted, if that is not negative.
func Sort(keys []string, most int64, in *Node) *Node {
	n := over("sort", "Sort: "+strings.Join(keys, ", "), map[string]any{"sort_fields": keys}, in)
	if n.First = 0; most >= 0 {
		n.Text += fmt.Sprintf(", limit input to %d row(s) per chunk", most)
		n.Fields["per_chunk_limit"] = most
		n.Rows = min(n.Rows, float64(most))
	}
	return n
}

// Limit hands on count rows behind offset ones; a negative count is no limit.
func Limit(count, offset int64, in *Node) *Node {
	if count < 0 {
		return over("limit", fmt.Sprintf("Offset: %d row(s)", offset), map[string]any{"limit_offset": offset}, in)
	}
	n := over("limit", fmt.Sprintf("Limit: %d row(s)", count), map[string]any{"limit": count}, in)
	if offset > 0 {
		n.Text, n.Fields["limit_offset"] = fmt.Sprintf("Limit/Offset: %d/%d row(s)", count, offset), offset
	}
	n.Rows = min(n.Rows, float64(count))
	return n
}

// Aggregate makes one row of all.
func Aggregate(functions []string, in *Node) *Node {
	n := over("aggregate", "Aggregate: "+strings.Join(functions, ", "), map[string]any{"functions": functions}, in)
	n.Cost += n.Rows * costRow
	n.Rows = 1
	return n
}

// Group makes groups in a temporary table.
func Group(rows float64, in *Node) *Node {
	n := over("temp_table_aggregate", "Aggregate using temporary table", nil, in)
	n.Rows = rows
	return onTemporary(n)
}

// onTemporary reads the rows of a temporary table.
func onTemporary(n *Node) *Node {
	n.Estimated = false
	return over("table", "Table scan on <temporary>", map[string]any{"table_name": "<temporary>"}, n)
}

// Distinct drops rows that are there already.
func Distinct(in *Node) *Node {
	n := over("temp_table", "Temporary table with deduplication", map[string]any{"deduplication": true}, in)
	n.First = n.Cost
	return onTemporary(n)
}

// Window computes window functions; buffered tells that it looks at rows behind the one at hand,
// sorts that it orders its rows.
func Window(functions []string, buffered, sorts bool, in *Node) *Node {
	text := "Window aggregate: "
	if buffered {
		text = "Window aggregate with buffering: "
	}
	n := over("window", text+strings.Join(functions, ", "), map[string]any{"functions": functions, "buffering": buffered}, in)
	n.Sorts = sorts
	n.Estimated = false
	return n
}

// JoinKind is the kind of a join.
type JoinKind uint8

const (
	Inner JoinKind = iota
	Left
	Right
	Full
	Semi
	Anti
)

var joinWords = [...]string{Inner: "inner join", Left: "left join", Right: "right join", Full: "full join", Semi: "semijoin", Anti: "antijoin"}

// NestedLoop reads the right side for each row of the left one.
func NestedLoop(kind JoinKind, condition string, l, r *Node) *Node {
	n := over("join", "Nested loop "+joinWords[kind], map[string]any{"join_type": joinWords[kind], "join_algorithm": "nested_loop"}, l, r)
	if condition != "" {
		n.Text += " " + condition
		n.Fields["join_condition"] = condition
	}
	n.Rows, n.Cost = l.Rows*r.Rows, l.Cost+l.Rows*r.Cost
	return n.kept(kind, l)
}

// kept bounds the rows of a join from below or above, where its kind does.
func (n *Node) kept(kind JoinKind, l *Node) *Node {
	switch kind {
	case Left:
		n.Rows = max(n.Rows, l.Rows)
	case Semi, Anti:
		n.Rows = min(n.Rows, l.Rows)
	}
	return n
}

// HashJoin joins by equal keys, of which there may be none; the right side is kept. more are
// conditions beside the keys.
func HashJoin(kind JoinKind, keys, more []string, l, r *Node) *Node {
	words := strings.TrimSuffix(joinWords[kind], " join") + " hash join"
	if kind == Semi || kind == Anti {
		words = "hash " + joinWords[kind]
	}
	words = strings.ToUpper(words[:1]) + words[1:]
	condition := strings.Join(keys, ", ")
	if condition == "" {
		condition = "no condition"
	}
	hash := over("hash", "Hash", nil, r)
	hash.Estimated = false
	n := over("join", words+" ("+strings.Trim(condition, "()")+")", map[string]any{"join_type": joinWords[kind], "join_algorithm": "hash"}, l, hash)
	n.Estimated = l.Estimated && r.Estimated
	if len(keys) > 0 {
		n.Fields["hash_condition"] = keys
	}
	if len(keys) > 1 {
		n.Text = words + " " + strings.Join(keys, ", ")
	}
	if len(more) > 0 {
		n.Text += ", extra conditions: " + strings.Join(more, " and ")
		n.Fields["extra_condition"] = more
	}
	n.Rows, n.Cost = l.Rows*r.Rows, l.Cost+r.Cost+l.Rows*r.Rows*costRow
	if len(keys) > 0 {
		n.Rows *= selectEqual
	}
	return n.kept(kind, l)
}

// Materialize makes a table of the rows of a query, and reads it.
func Materialize(t *Table, b *Block) *Node {
	made := &Node{Kind: "materialize", Text: "Materialize", Rows: b.Root.Rows, Estimated: b.Root.Estimated, Blocks: []*Block{b}, Fields: make(map[string]any)}
	made.First = b.Root.Cost + made.Rows*costRow
	made.Cost = made.First
	t.Access = "ALL"
	n := over("table", "Table scan on "+Name(t.Name), map[string]any{"table_name": t.Name}, made)
	n.Table, t.Rows = t, n.Rows
	n.First, n.Cost = n.First+costStart, n.Cost+costStart+n.Rows*costRow
	return n
}

// Stream hands on the rows of a derived table as its query gives them.
func Stream(name string, b *Block) *Node {
	n := over("stream", "Stream results of "+Name(name), map[string]any{"table_name": name}, b.Root)
	n.Inputs, n.Blocks, n.Table = nil, []*Block{b}, &Table{Name: name, Access: "ALL", Rows: b.Root.about()}
	return n
}

// about is about how many rows an operator gives, even where costs are not known.
func (n *Node) about() float64 {
	if n.Rows > 0 || len(n.Inputs) == 0 {
		return n.Rows
	}
	return n.Inputs[0].about()
}

// costStart is what reading a temporary table costs before its first row.
const costStart = 2.5

// setWords name set operations.
var setWords = map[string]string{"union": "Union", "intersect": "Intersect", "except": "Except"}

// Set brings the rows of queries together: kind is union, intersect or except.
func Set(kind string, distinct bool, blocks []*Block) *Node {
	words := setWords[kind] + " all materialize"
	if distinct {
		words = setWords[kind] + " materialize with deduplication"
	}
	n := &Node{Kind: kind, Text: words, Blocks: blocks, Estimated: true, Fields: map[string]any{"deduplication": distinct}}
	for _, b := range blocks {
		n.Rows, n.Cost, n.Estimated = n.Rows+b.Root.Rows, n.Cost+b.Root.Cost, n.Estimated && b.Root.Estimated
	}
	n.First = n.Cost
	out := over("table", "Table scan on <"+kind+" temporary>", map[string]any{"table_name": "<" + kind + " temporary>"}, n)
	out.First, out.Cost = out.First+costStart, out.Cost+costStart+out.Rows*costRow
	return out
}

// Append hands on the rows of queries one after the other.
func Append(blocks []*Block) *Node {
	n := &Node{Kind: "append", Text: "Append", Blocks: blocks, Estimated: true, Fields: make(map[string]any)}
	for _, b := range blocks {
		n.Rows, n.Cost, n.Estimated = n.Rows+b.Root.Rows, n.Cost+b.Root.Cost, n.Estimated && b.Root.Estimated
		b.Root = over("stream", "Stream results", nil, b.Root)
	}
	return n
}

// Change changes rows of tables: kind is insert, replace, update or delete.
func Change(kind string, tables []string, source *Node) *Node {
	words := map[string]string{"insert": "Insert into ", "replace": "Replace into ", "update": "Update ", "delete": "Delete from "}[kind]
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = Name(t)
		if kind == "update" || kind == "delete" {
			names[i] += " (immediate)"
		}
	}
	n := &Node{Kind: kind, Text: words + strings.Join(names, ", "), Fields: map[string]any{"table_name": strings.Join(tables, ", ")}, Changes: tables}
	if source != nil {
		n.Inputs = []*Node{source}
	}
	return n
}

// NewRecords reads what the last round of a recursion gave.
func NewRecords(name string) *Node {
	t := &Table{Name: name, Access: "ALL", Extra: []string{"Recursive"}}
	return &Node{Kind: "scan_new_records", Text: "Scan new records on " + Name(name), Fields: map[string]any{"table_name": name}, Table: t}
}

// Outer is the rows around a subquery that runs for many of them at once.
func Outer() *Node { return &Node{Kind: "outer_rows", Text: "Rows of the outer query"} }

// Recursive makes a table of what a recursion gives: the first block, then the others again and
// again.
func Recursive(name string, blocks []*Block) *Node {
	made := &Node{Kind: "materialize", Text: "Materialize recursive CTE " + Name(name), Blocks: blocks, Fields: map[string]any{"cte": true, "recursive": true}}
	for _, b := range blocks[1:] {
		b.Root = over("repeat", "Repeat until convergence", nil, b.Root)
		b.Root.Estimated = false
	}
	n := over("table", "Table scan on "+Name(name), map[string]any{"table_name": name}, made)
	n.Table = &Table{Name: name, Access: "ALL"}
	n.Estimated = false
	return n
}

// keyName is the name of an index as the tree form shows it.
func keyName(s string) string {
	if s == "PRIMARY" {
		return s
	}
	return Name(s)
}
