package plan

import (
	"strconv"
	"strings"

	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

var aggregateNames = map[fn.AggregateKind]string{fn.CountRows: "count", fn.Count: "count", fn.Sum: "sum", fn.Avg: "avg", fn.Min: "min", fn.Max: "max", fn.BitAnd: "bit_and",
	fn.BitOr: "bit_or", fn.BitXor: "bit_xor", fn.StdPop: "std", fn.StdSamp: "stddev_samp", fn.VarPop: "variance", fn.VarSamp: "var_samp", fn.GroupConcat: "group_concat",
	fn.JSONArray: "json_arrayagg", fn.JSONObject: "json_objectagg"}

var windowNames = map[fn.WindowKind]string{fn.RowNumber: "row_number", fn.Rank: "rank", fn.DenseRank: "dense_rank", fn.PercentRank: "percent_rank", fn.CumeDist: "cume_dist",
	fn.Ntile: "ntile", fn.Lag: "lag", fn.Lead: "lead", fn.FirstValue: "first_value", fn.LastValue: "last_value", fn.NthValue: "nth_value"}

func itoa(n int) string { return strconv.Itoa(n) }

func (d *describer) aggregate(a *exec.Aggregate) string {
	arg := "0"
	if a.Arg != nil {
		arg = d.text(a.Arg)
	}
	if a.Distinct {
		arg = "distinct " + arg
	}
	return aggregateNames[a.Kind] + "(" + arg + ")"
}

// all writes conditions of which all have to hold.
func (d *describer) all(conds []fn.Expr) string {
	if len(conds) == 1 {
		return d.text(conds[0])
	}
	parts := d.texts(conds)
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, " and ") + ")"
}

func (d *describer) texts(list []fn.Expr) (out []string) {
	for _, e := range list {
		out = append(out, d.text(e))
	}
	return out
}

// wordOperators are calls that are written with a word or sign between their operands.
var wordOperators = map[string]string{"and": "and", "or": "or", "xor": "xor", "like": "like", "=": "=", "<=>": "<=>", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
	"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "div": "DIV", "mod": "%", "&": "&", "|": "|", "^": "^", "<<": "<<", ">>": ">>"}

// behind are calls that are written with words behind their operand.
var behind = map[string]string{"isnull": "is null", "isnotnull": "is not null", "istrue": "is true", "isfalse": "is false"}

// text writes an expression as MySQL's EXPLAIN does.
func (d *describer) text(e fn.Expr) string {
	switch e := e.(type) {
	case *fn.Column:
		if name := d.columns[e.ID]; name != "" {
			return name
		}
		return e.Name
	case *exec.Param:
		return d.columns[e.ID]
	case *fn.Const:
		return constText(e)
	case *fn.Case:
		out := "(case"
		for i := range e.Conds {
			out += " when " + d.text(e.Conds[i]) + " then " + d.text(e.Thens[i])
		}
		return out + " else " + d.text(e.Thens[len(e.Thens)-1]) + " end)"
	case *fn.Call:
		if op, rounded := strings.CutSuffix(e.Name, fn.Rounded); rounded {
			plain := *e
			plain.Name = op
			return d.text(&plain)
		}
		word := wordOperators[e.Name]
		switch {
		case word != "" && len(e.Args) > 1:
			return "(" + strings.Join(d.texts(e.Args), " "+word+" ") + ")"
		case behind[e.Name] != "" && len(e.Args) == 1:
			return "(" + d.text(e.Args[0]) + " " + behind[e.Name] + ")"
		case e.List() != nil:
			return d.listed(e)
		case strings.HasPrefix(e.Name, "interval "):
			sign, unit, _ := strings.Cut(strings.TrimPrefix(e.Name, "interval "), " ")
			return "(" + d.text(e.Args[0]) + " " + sign + " interval " + d.text(e.Args[1]) + " " + strings.ToLower(unit) + ")"
		case e.Name == "neg":
			return "-(" + d.text(e.Args[0]) + ")"
		case e.Name == "not":
			return "(not(" + d.text(e.Args[0]) + "))"
		}
		return e.Name + "(" + strings.Join(d.texts(e.Args), ",") + ")"
	}
	parts := d.texts(e.Parts())
	if len(parts) == 1 {
		return parts[0] // a conversion
	}
	name := "expression"
	if n, ok := e.(interface{ KeyName() string }); ok {
		name = n.KeyName()
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}

// listed writes IN and LIKE.
func (d *describer) listed(e *fn.Call) string {
	rows := make([]string, 0, len(e.List()))
	for _, r := range e.List() {
		rows = append(rows, inRow(d.texts(r)))
	}
	if strings.HasPrefix(e.Name, "like") {
		return "(" + d.text(e.Args[0]) + " like " + rows[0] + ")"
	}
	if strings.HasPrefix(e.Name, "json_extract") {
		return "json_extract(" + d.text(e.Args[0]) + "," + rows[0] + ")"
	}
	return "(" + inRow(d.texts(e.Args)) + " in (" + strings.Join(rows, ",") + "))"
}

// inRow writes a row; one of one value is that value.
func inRow(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "(" + strings.Join(values, ",") + ")"
}

// constText writes a value; texts stand in quotes.
func constText(e *fn.Const) string {
	if e.IsNull() {
		return "NULL"
	}
	text, err := types.AppendText(nil, &e.T, e.V, 0)
	if err != nil {
		return "?"
	}
	switch {
	case e.T.Kind == types.Date:
		return "DATE'" + string(text) + "'"
	case e.T.Kind == types.DateTime:
		return "TIMESTAMP'" + string(text) + "'"
	case e.T.Kind.Number():
		return string(text)
	}
	return "'" + strings.ReplaceAll(string(text), "'", "\\'") + "'"
}
