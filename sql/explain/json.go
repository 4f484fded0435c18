package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// member is a member of a JSON object, whose order is kept.
type member struct {
	name  string
	value any
}

// JSON writes the description as FORMAT=JSON does, version 2. query is the text of the statement,
// kind what it is: select, insert, replace, update or delete.
func JSON(b *Block, query, kind string) string {
	var out strings.Builder
	write(&out, []member{{"query", query}, {"query_plan", b.document()}, {"query_type", kind}, {"json_schema_version", "2.0"}}, "")
	return out.String()
}

// document is the plan of a block.
func (b *Block) document() []member {
	out := b.Root.members()
	var inputs []any
	for i, m := range out {
		if m.name == "inputs" {
			inputs, out = m.value.([]any), slices.Delete(out, i, i+1)
			break
		}
	}
	for _, s := range b.Subs {
		inputs = append(inputs, s.document())
	}
	if inputs != nil {
		out = append(out, member{"inputs", inputs})
	}
	return bySize(out)
}

func (s *Sub) document() []member {
	return bySize(append(s.Block.document(), member{"heading", s.heading()}, member{"subquery", true}, member{"subquery_location", s.Where},
		member{"dependent", s.Dependent}, member{"cacheable", !s.Dependent}))
}

// accessTypes are the kinds that the document tells by another name, with the member that says which
// it is.
var accessTypes = map[string][2]string{"union": {"materialize", "union"}, "intersect": {"materialize", "intersect"}, "except": {"materialize", "except"},
	"temp_table": {"materialize", "temp_table"}, "delete": {"delete_rows"}, "insert": {"insert_values"}, "replace": {"replace_values"}, "update": {}}

func (n *Node) members() []member {
	if n.Kind == "hash" || n.Kind == "repeat" { // a heading of what is below
		return bySize(append(n.Inputs[0].members(), member{"heading", n.Text}))
	}
	out := []member{{"operation", n.Text}, {"access_type", n.Kind}}
	if other, ok := accessTypes[n.Kind]; ok {
		out[1].value = other[0]
		if other[1] != "" {
			out = append(out, member{other[1], true})
		}
		if of := len(n.Changes) > 0 && n.Kind != "delete"; of && (len(n.Inputs) == 0 || n.Inputs[0].Kind != "rows_fetched_before_execution") {
			out = slices.Delete(out, 1, 2) // MySQL has no name for it
		}
	}
	for name, v := range n.Fields {
		out = append(out, member{name, v})
	}
	if n.Estimated {
		out = append(out, member{"estimated_rows", n.Rows}, member{"estimated_total_cost", n.Cost})
		if n.First > 0 || n.Cost == 0 {
			out = append(out, member{"estimated_first_row_cost", n.First})
		}
	}
	if a := n.Actual; a != nil && a.Loops > 0 {
		first, all, rows := a.perLoop()
		out = append(out, member{"actual_rows", rows}, member{"actual_loops", a.Loops}, member{"actual_first_row_ms", first}, member{"actual_last_row_ms", all})
	}
	var inputs []any
	for _, in := range n.Inputs {
		inputs = append(inputs, in.members())
	}
	for _, b := range n.Blocks {
		inputs = append(inputs, b.document())
	}
	for _, s := range n.Subs {
		inputs = append(inputs, s.document())
	}
	if inputs != nil {
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

// write writes a value as MySQL does: two blanks for each level.
func write(out *strings.Builder, v any, margin string) {
	list := func(open, end string, n int, item func(i int)) {
		if n == 0 {
			out.WriteString(open + end)
			return
		}
		out.WriteString(open + "\n")
		for i := range n {
			out.WriteString(margin + "  ")
			item(i)
			if i < n-1 {
				out.WriteString(",")
			}
			out.WriteString("\n")
		}
		out.WriteString(margin + end)
	}
	switch v := v.(type) {
	case []member:
		list("{", "}", len(v), func(i int) {
			out.WriteString(text(v[i].name) + ": ")
			write(out, v[i].value, margin+"  ")
		})
	case []any:
		list("[", "]", len(v), func(i int) { write(out, v[i], margin+"  ") })
	case []string:
		list("[", "]", len(v), func(i int) { out.WriteString(text(v[i])) })
	case float64:
		number := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(number, ".") {
			number += ".0"
		}
		out.WriteString(number)
	case string:
		out.WriteString(text(v))
	default:
		data, err := json.Marshal(v)
		if err != nil {
			data = []byte(fmt.Sprintf("%q", fmt.Sprint(v)))
		}
		out.Write(data)
	}
}

// text is a JSON string, in which HTML has no meaning.
func text(s string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(out.String(), "\n")
}
