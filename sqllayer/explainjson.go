package sqllayer

// EXPLAIN FORMAT=JSON. explain_json_format_version chooses between the tree of steps (2) and the
// older form, a query block of tables (1).

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// member is a member of a JSON object, whose order is kept.
type member struct {
	name  string
	value any
}

// tree is the document of version 2.
func (s *step) tree() any {
	if s.kind == "block" {
		in := s.inputs[0].tree().([]member)
		for _, name := range []string{"subquery", "subquery_location", "dependent", "cacheable"} {
			if v, ok := s.fields[name]; ok {
				in = append(in, member{name, v})
			}
		}
		if s.heading != "" {
			in = append(in, member{"heading", s.heading})
		}
		return bySize(in)
	}
	out := []member{{"operation", s.operation}, {"access_type", s.kind}}
	for name, v := range s.fields {
		out = append(out, member{name, v})
	}
	if s.known {
		out = append(out, member{"estimated_rows", s.rows}, member{"estimated_total_cost", s.cost})
	}
	if a := s.actual; a != nil && a.loops > 0 {
		first, all, rows := a.perLoop()
		out = append(out, member{"actual_rows", rows}, member{"actual_loops", a.loops}, member{"actual_first_row_ms", first}, member{"actual_last_row_ms", all})
	}
	if len(s.inputs) > 0 {
		var inputs []any
		for _, in := range s.inputs {
			inputs = append(inputs, in.tree())
		}
		out = append(out, member{"inputs", inputs})
	}
	return bySize(out)
}

// bySize is the order that MySQL keeps the members of objects in.
func bySize(all []member) []member {
	slices.SortFunc(all, func(a, b member) int {
		if d := len(a.name) - len(b.name); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	return all
}

// queryBlock is the document of version 1.
func (s *step) queryBlock(id any) []member {
	block := []member{{"select_id", id}}
	if s.known && s.kind != "rows_fetched_before_execution" && s.kind != "zero_rows" {
		block = append(block, cost("query_cost", s.cost))
	}
	return []member{{"query_block", append(block, s.parts()...)}}
}

func cost(name string, v float64) member {
	return member{"cost_info", []member{{name, fixed2(v)}}}
}

func fixed2(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// parts are the members that tell of a step and what is below it.
func (s *step) parts() []member {
	switch s.kind {
	case "rows_fetched_before_execution":
		return []member{{"message", "No tables used"}}
	case "zero_rows":
		return []member{{"message", "Impossible WHERE"}}
	case "count_rows", "other":
		return []member{{"message", s.operation}}
	case "block":
		return s.inputs[0].queryBlock(s.fields["select_id"])
	case "sort":
		return []member{{"ordering_operation", append([]member{{"using_filesort", true}}, s.below()...)}}
	case "temp_table_aggregate":
		return []member{{"grouping_operation", append([]member{{"using_temporary_table", true}, {"using_filesort", false}}, s.below()...)}}
	case "temp_table":
		return []member{{"duplicates_removal", append([]member{{"using_temporary_table", true}, {"using_filesort", false}}, s.below()...)}}
	case "window":
		return []member{{"windowing", append([]member{{"windows", []any{[]member{{"name", "<unnamed window>"}}}}}, s.below()...)}}
	case "join":
		var loop []any
		var add func(s *step)
		add = func(s *step) {
			if s.kind == "join" {
				for _, in := range s.inputs {
					add(in)
				}
				return
			}
			loop = append(loop, s.parts())
		}
		add(s)
		return []member{{"nested_loop", loop}}
	case "union":
		var all []any
		for _, in := range s.inputs {
			all = append(all, append([]member{{"dependent", false}, {"cacheable", true}}, in.parts()...))
		}
		ids := make([]string, len(s.inputs))
		for i, in := range s.inputs {
			ids[i] = fmt.Sprint(in.fields["select_id"])
		}
		return []member{{"union_result", []member{{"using_temporary_table", true}, {"table_name", "<union" + strings.Join(ids, ",") + ">"}, {"access_type", "ALL"},
			{"query_specifications", all}}}}
	case "update", "delete":
		below := s.below()
		if len(below) == 1 && below[0].name == "table" {
			below[0].value = append([]member{{s.kind, true}}, below[0].value.([]member)...)
		}
		return below
	}
	switch verb, _, change := strings.Cut(s.kind, "_"); {
	case change && (verb == "insert" || verb == "replace"):
		out := []member{{"table", []member{{verb, true}, {"table_name", s.table.name}, {"access_type", "ALL"}}}}
		if strings.HasSuffix(s.kind, "select") {
			out = append(out, member{"insert_from", s.below()})
		}
		return out
	}
	if s.table != nil {
		return []member{{"table", s.tableParts()}}
	}
	return s.below()
}

// below tells of the inputs.
func (s *step) below() (out []member) {
	var subqueries []any
	for _, in := range s.inputs {
		if in.heading == "" {
			out = append(out, in.parts()...)
			continue
		}
		subqueries = append(subqueries, append([]member{{"dependent", in.fields["dependent"]}, {"cacheable", in.fields["cacheable"]}}, in.parts()...))
	}
	if s.kind == "filter" && len(out) == 1 && out[0].name == "table" {
		rows := s.inputs[0].rows
		table := out[0].value.([]member)
		for i := range table {
			switch table[i].name {
			case "filtered":
				if s.known && rows > 0 {
					table[i].value = fixed2(math.Min(100, 100*s.rows/rows))
				}
			case "rows_produced_per_join":
				table[i].value = int64(s.rows)
			}
		}
		if subqueries != nil {
			table = append(table, member{"attached_subqueries", subqueries})
		}
		out[0].value = table
		return out
	}
	if subqueries != nil {
		out = append(out, member{"optimized_away_subqueries", subqueries})
	}
	return out
}

func (s *step) tableParts() []member {
	t := s.table
	out := []member{{"table_name", t.name}, {"access_type", t.access}}
	if t.possible != "" {
		out = append(out, member{"possible_keys", strings.Split(t.possible, ",")})
	}
	if t.key != "" {
		out = append(out, member{"key", t.key})
		if t.parts != nil {
			out = append(out, member{"used_key_parts", t.parts})
		}
		out = append(out, member{"key_length", fmt.Sprint(t.length)})
	}
	if t.ref != nil {
		out = append(out, member{"ref", t.ref})
	}
	if s.known {
		out = append(out, member{"rows_examined_per_scan", int64(t.rows)}, member{"rows_produced_per_join", int64(s.rows)}, member{"filtered", "100.00"})
	}
	if t.covering {
		out = append(out, member{"using_index", true})
	}
	if s.known {
		out = append(out, member{"cost_info", []member{{"read_cost", fixed2(s.cost - s.rows/10)}, {"eval_cost", fixed2(s.rows / 10)}, {"prefix_cost", fixed2(s.cost)}}})
	}
	if t.columns != nil {
		out = append(out, member{"used_columns", t.columns})
	}
	if s.filter != "" {
		out = append(out, member{"attached_condition", s.filter})
	}
	for _, in := range s.inputs {
		if in.kind == "materialize" {
			out = append(out, member{"materialized_from_subquery", append([]member{{"using_temporary_table", true}, {"dependent", false}, {"cacheable", true}}, in.below()...)})
		}
	}
	return out
}

// writeJSON writes a document on lines of its own.
func writeJSON(out *strings.Builder, v any, indent string) {
	inner := indent + "  "
	switch v := v.(type) {
	case []member:
		out.WriteString("{")
		for i, m := range v {
			out.WriteString(map[bool]string{true: ",\n", false: "\n"}[i > 0] + inner)
			writeJSON(out, m.name, inner)
			out.WriteString(": ")
			writeJSON(out, m.value, inner)
		}
		out.WriteString("\n" + indent + "}")
	case []any:
		out.WriteString("[")
		for i, e := range v {
			out.WriteString(map[bool]string{true: ",\n", false: "\n"}[i > 0] + inner)
			writeJSON(out, e, inner)
		}
		out.WriteString("\n" + indent + "]")
	case []string:
		all := make([]any, len(v))
		for i := range v {
			all[i] = v[i]
		}
		writeJSON(out, all, indent)
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		out.WriteString(text)
	case string:
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if enc.Encode(v) == nil {
			out.WriteString(strings.TrimSuffix(text.String(), "\n"))
		}
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("null")
		}
		out.Write(text)
	}
}
