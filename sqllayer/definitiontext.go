package sqllayer

import (
	"strings"

	sqlast "emberdb/sql/ast"
)

// routine is what the text of a CREATE FUNCTION or CREATE PROCEDURE says.
type routine struct {
	kind          string // FUNCTION, PROCEDURE
	definer       string // as written
	schema, name  string
	lenient       bool // IF NOT EXISTS
	params        []routineParam
	paramText     string
	returns       string
	deterministic bool
	access        string // READS SQL DATA and its like
	invoker       bool
	comment       string
	head          string // the text before the characteristics
	body          string
	returning     bool // there is a RETURN
}

// routineParam is a parameter; mode is IN, OUT or INOUT.
type routineParam struct{ mode, name, typ string }

var paramModes = [...]string{sqlast.DefaultMode: "IN", sqlast.ParamIn: "IN", sqlast.ParamOut: "OUT", sqlast.ParamInOut: "INOUT"}

// parseRoutine reads the text of CREATE FUNCTION or CREATE PROCEDURE; nil if it is something else.
func parseRoutine(text string) *routine {
	text = strings.TrimRight(text, "; \t\r\n")
	n, ok := storedTree(text).(*sqlast.CreateRoutine)
	if !ok || n.Body == nil {
		return nil
	}
	r := &routine{kind: "PROCEDURE", definer: writtenAccount(text, n.Definer), schema: n.Name.Schema.Name, name: n.Name.Name.Name,
		lenient: n.IfNotExists, access: "CONTAINS SQL", body: text[n.Body.Pos():]}
	open := nextPlace(text, n.Name.End()) + 1
	end := open
	for i := range n.Params {
		p := &n.Params[i]
		typ := text[p.Type.Pos():p.End()]
		r.params, end = append(r.params, routineParam{paramModes[p.Mode], p.Name.Name, typ}), p.End()
	}
	end = nextPlace(text, end)
	r.paramText, r.head = text[open:end], text[:end+1]
	if n.Kind == sqlast.Function {
		r.kind, end = "FUNCTION", n.Returns.End()
		if n.ReturnsCollate.Given() {
			end = n.ReturnsCollate.End()
		}
		r.returns, r.head = text[n.Returns.Pos():end], text[:end]
	}
	r.characterize(n.Characteristics)
	sqlast.Inspect(n.Body, func(n sqlast.Node) bool {
		_, is := n.(*sqlast.Return)
		r.returning = r.returning || is
		return !r.returning
	})
	return r
}

// writtenAccount is the text of an account; "" if there is none.
func writtenAccount(text string, n *sqlast.Account) string {
	if n == nil {
		return ""
	}
	return text[n.Pos():n.End()]
}

// characterize takes over the characteristics that a statement says.
func (r *routine) characterize(list []sqlast.Characteristic) {
	for i := range list {
		switch c := &list[i]; c.Kind {
		case sqlast.RoutineComment:
			r.comment = c.Text.Bytes()
		case sqlast.NotDeterministic:
			r.deterministic = false
		case sqlast.Deterministic:
			r.deterministic = true
		case sqlast.NoSQL:
			r.access = "NO SQL"
		case sqlast.ContainsSQL:
			r.access = "CONTAINS SQL"
		case sqlast.ReadsSQLData:
			r.access = "READS SQL DATA"
		case sqlast.ModifiesSQLData:
			r.access = "MODIFIES SQL DATA"
		case sqlast.RoutineSecurity:
			r.invoker = c.Security == sqlast.SecurityInvoker
		}
	}
}

// viewText is what the text of a CREATE VIEW says.
type viewText struct {
	algorithm, definer string
	invoker            bool
	columns            []string
	body, check        string
}

var viewAlgorithms = [...]string{sqlast.NoViewAlgorithm: "UNDEFINED", sqlast.AlgorithmUndefined: "UNDEFINED", sqlast.AlgorithmMerge: "MERGE",
	sqlast.AlgorithmTemptable: "TEMPTABLE"}

var viewChecks = [...]string{sqlast.NoCheckOption: "", sqlast.CheckOptionPlain: "CASCADED", sqlast.CheckOptionCascaded: "CASCADED", sqlast.CheckOptionLocal: "LOCAL"}

// parseView reads the text of CREATE VIEW or ALTER VIEW.
func parseView(text string) (v viewText, ok bool) {
	n, ok := storedTree(text).(*sqlast.CreateView)
	if !ok || n.Query == nil {
		return viewText{algorithm: "UNDEFINED"}, false
	}
	return viewTextOf(text, n), true
}

func viewTextOf(text string, n *sqlast.CreateView) viewText {
	v := viewText{algorithm: viewAlgorithms[n.Algorithm], definer: writtenAccount(text, n.Definer), invoker: n.Security == sqlast.SecurityInvoker,
		body: text[n.Query.Pos():n.Query.End()], check: viewChecks[n.Check]}
	for _, c := range n.Columns {
		v.columns = append(v.columns, c.Name)
	}
	return v
}
