package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BlockJSON writes the description as FORMAT=JSON does, version 1.
func BlockJSON(b *Block) string {
	document := b.queryBlock()
	if isSet(b.Root) {
		document = []member{{"query_block", b.Root.parts()}}
	}
	var out strings.Builder
	write(&out, document, "")
	return out.String()
}

func isSet(n *Node) bool {
	if n.Kind == "table" && n.Table == nil && len(n.Inputs) == 1 {
		n = n.Inputs[0]
	}
	return setWords[n.Kind] != "" || n.Kind == "append"
}

func (b *Block) queryBlock() []member {
	n := b.Root
	block := []member{{"select_id", b.ID}}
	if n.Estimated && n.Kind != "rows_fetched_before_execution" && n.Kind != "zero_rows" && n.Kind != "zero_rows_aggregated" {
		block = append(block, member{"cost_info", []member{{"query_cost", fixed2(n.Cost)}}})
	}
	block = append(block, n.parts()...)
	if subs := attached(b.Subs); subs != nil {
		block = append(block, member{"select_list_subqueries", subs})
	}
	return []member{{"query_block", block}}
}

func attached(subs []*Sub) (out []any) {
	for _, s := range subs {
		out = append(out, append([]member{{"dependent", s.Dependent}, {"cacheable", !s.Dependent}}, s.Block.queryBlock()...))
	}
	return out
}

func fixed2(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// parts are the members that tell of an operator and what is below it.
func (n *Node) parts() []member {
	switch n.Kind {
	case "rows_fetched_before_execution":
		if n.Table != nil {
			return []member{{"table", n.tableParts()}}
		}
		return []member{{"message", "No tables used"}}
	case "zero_rows", "zero_rows_aggregated":
		return []member{{"message", n.Fields["zero_rows_cause"]}}
	case "count_rows":
		return []member{{"message", "Select tables optimized away"}}
	case "sort":
		return []member{{"ordering_operation", append([]member{{"using_filesort", true}}, n.below()...)}}
	case "temp_table_aggregate":
		return []member{{"grouping_operation", append([]member{{"using_temporary_table", true}, {"using_filesort", false}}, n.below()...)}}
	case "temp_table":
		return []member{{"duplicates_removal", append([]member{{"using_temporary_table", true}, {"using_filesort", false}}, n.below()...)}}
	case "window":
		return []member{{"windowing", append([]member{{"windows", []any{[]member{{"name", "<unnamed window>"}, {"functions", n.Fields["functions"]}}}}}, n.below()...)}}
	case "join":
		return []member{{"nested_loop", n.loop(nil)}}
	case "materialize":
		b := n.Blocks[0]
		return []member{{"materialized_from_subquery", append([]member{{"using_temporary_table", true}, {"dependent", false}, {"cacheable", true}}, b.queryBlock()...)}}
	case "union", "intersect", "except", "append":
		return n.setParts()
	case "update", "delete":
		below := n.below()
		if len(below) == 1 && below[0].name == "table" {
			below[0].value = append([]member{{n.Kind, true}}, below[0].value.([]member)...)
		}
		return below
	case "insert", "replace":
		out := []member{{"table", []member{{n.Kind, true}, {"table_name", n.Fields["table_name"]}, {"access_type", "ALL"}}}}
		if len(n.Inputs) > 0 && n.Inputs[0].Kind != "rows_fetched_before_execution" {
			out = append(out, member{"insert_from", n.below()})
		}
		return out
	}
	if n.Table != nil {
		return []member{{"table", append(n.tableParts(), n.below()...)}}
	}
	return n.below()
}

// loop lists what a tree of joins reads, the first one first.
func (n *Node) loop(out []any) []any {
	for _, in := range n.Inputs {
		if in.Kind == "hash" {
			in = in.Inputs[0]
		}
		if in.Kind == "join" {
			out = in.loop(out)
			continue
		}
		if in.Kind != "outer_rows" {
			out = append(out, in.parts())
		}
	}
	return out
}

func (n *Node) setParts() []member {
	var all []any
	ids := make([]string, len(n.Blocks))
	for i, b := range n.Blocks {
		all = append(all, append([]member{{"dependent", false}, {"cacheable", true}}, b.queryBlock()...))
		ids[i] = fmt.Sprint(b.ID)
	}
	kind, temporary := n.Kind, true
	if kind == "append" {
		kind, temporary = "union", false
	}
	result := []member{{"using_temporary_table", temporary}}
	if temporary {
		result = append(result, member{"table_name", "<" + kind + strings.Join(ids, ",") + ">"}, member{"access_type", "ALL"})
	}
	return []member{{kind + "_result", append(result, member{"query_specifications", all})}}
}

// below tells of what an operator reads, and of the subqueries beside.
func (n *Node) below() (out []member) {
	for _, in := range n.Inputs {
		out = append(out, in.parts()...)
	}
	for _, b := range n.Blocks {
		out = append(out, b.queryBlock()...)
	}
	subs := attached(n.Subs)
	if n.Kind == "filter" && len(out) == 1 && out[0].name == "table" {
		rows := n.Inputs[0].Rows
		table := out[0].value.([]member)
		for i := range table {
			switch table[i].name {
			case "filtered":
				if n.Estimated && rows > 0 {
					table[i].value = fixed2(math.Min(100, 100*n.Rows/rows))
				}
			case "rows_produced_per_join":
				table[i].value = int64(math.Round(n.Rows))
			}
		}
		table = append(table, member{"attached_condition", n.Fields["condition"]})
		if subs != nil {
			table = append(table, member{"attached_subqueries", subs})
		}
		out[0].value = table
		return out
	}
	if subs != nil {
		out = append(out, member{"optimized_away_subqueries", subs})
	}
	return out
}

func (n *Node) tableParts() []member {
	t := n.Table
	out := []member{{"table_name", t.Name}, {"access_type", t.Access}}
	if len(t.Possible) > 0 {
		out = append(out, member{"possible_keys", t.Possible})
	}
	if t.Key != "" {
		out = append(out, member{"key", t.Key})
		if t.Parts != nil {
			out = append(out, member{"used_key_parts", t.Parts})
		}
		out = append(out, member{"key_length", fmt.Sprint(t.Length)})
	}
	if t.Ref != nil {
		out = append(out, member{"ref", t.Ref})
	}
	if n.Estimated {
		out = append(out, member{"rows_examined_per_scan", int64(math.Round(t.Rows))}, member{"rows_produced_per_join", int64(math.Round(n.Rows))}, member{"filtered", "100.00"})
	}
	if t.Backward {
		out = append(out, member{"backward_index_scan", true})
	}
	if t.Covering {
		out = append(out, member{"using_index", true})
	}
	if n.Estimated {
		out = append(out, member{"cost_info", []member{{"read_cost", fixed2(n.Cost - n.Rows*costRow)}, {"eval_cost", fixed2(n.Rows * costRow)}, {"prefix_cost", fixed2(n.Cost)}}})
	}
	if t.Columns != nil {
		out = append(out, member{"used_columns", t.Columns})
	}
	return out
}
