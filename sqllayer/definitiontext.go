package sqllayer

import (
	"strings"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/trees"
)

// Routine is what the text of a CREATE FUNCTION or CREATE PROCEDURE says.
type Routine struct {
	Kind          string // FUNCTION, PROCEDURE
	Definer       string // as written
	schema, name  string
	lenient       bool // IF NOT EXISTS
	Params        []routineParam
	ParamText     string
	Returns       string
	Deterministic bool
	Access        string // READS SQL DATA and its like
	Invoker       bool
	Language      string // in capitals
	uses          []sqlast.LibraryUse
	Comment       string
	head          string // the text before the characteristics
	Body          string // the source, in another language
	returning     bool   // there is a RETURN
}

// routineParam is a parameter; mode is IN, OUT or INOUT.
type routineParam struct{ Mode, Name, Typ string }

var paramModes = [...]string{sqlast.DefaultMode: "IN", sqlast.ParamIn: "IN", sqlast.ParamOut: "OUT", sqlast.ParamInOut: "INOUT"}

// ParseRoutine reads the text of CREATE FUNCTION or CREATE PROCEDURE; nil if it is something else.
func ParseRoutine(text string) *Routine {
	text = strings.TrimRight(text, "; \t\r\n")
	n, ok := trees.StoredTree(text).(*sqlast.CreateRoutine)
	if !ok {
		return nil
	}
	r := &Routine{Kind: "PROCEDURE", Definer: writtenAccount(text, n.Definer), schema: n.Name.Schema.Name, name: n.Name.Name.Name,
		lenient: n.IfNotExists, Access: "CONTAINS SQL", Language: "SQL"}
	open := trees.NextPlace(text, n.Name.End()) + 1
	end := open
	for i := range n.Params {
		p := &n.Params[i]
		typ := text[p.Type.Pos():p.End()]
		r.Params, end = append(r.Params, routineParam{paramModes[p.Mode], p.Name.Name, typ}), p.End()
	}
	end = trees.NextPlace(text, end)
	r.ParamText, r.head = text[open:end], text[:end+1]
	if n.Kind == sqlast.Function {
		r.Kind, end = "FUNCTION", n.Returns.End()
		if n.ReturnsCollate.Given() {
			end = n.ReturnsCollate.End()
		}
		r.Returns, r.head = text[n.Returns.Pos():end], text[:end]
	}
	r.characterize(n.Characteristics)
	if n.Source != nil {
		r.Body = n.Source.Text
		return r
	}
	r.Body = text[n.Body.Pos():]
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
func (r *Routine) characterize(list []sqlast.Characteristic) {
	for i := range list {
		switch c := &list[i]; c.Kind {
		case sqlast.RoutineComment:
			if text := c.Text.Bytes(); text != "" { // an empty one leaves what is there
				r.Comment = text
			}
		case sqlast.NotDeterministic:
			r.Deterministic = false
		case sqlast.Deterministic:
			r.Deterministic = true
		case sqlast.NoSQL:
			r.Access = "NO SQL"
		case sqlast.ContainsSQL:
			r.Access = "CONTAINS SQL"
		case sqlast.ReadsSQLData:
			r.Access = "READS SQL DATA"
		case sqlast.ModifiesSQLData:
			r.Access = "MODIFIES SQL DATA"
		case sqlast.RoutineSecurity:
			r.Invoker = c.Security == sqlast.SecurityInvoker
		case sqlast.RoutineLanguage:
			r.Language = strings.ToUpper(c.Name.Name)
		case sqlast.UsingLibraries:
			r.uses = c.Libraries
		}
	}
}

// viewText is what the text of a CREATE VIEW says.
type viewText struct {
	algorithm, Definer string
	invoker            bool
	columns            []string
	body, Check        string
}

var viewAlgorithms = [...]string{sqlast.NoViewAlgorithm: "UNDEFINED", sqlast.AlgorithmUndefined: "UNDEFINED", sqlast.AlgorithmMerge: "MERGE",
	sqlast.AlgorithmTemptable: "TEMPTABLE"}

var viewChecks = [...]string{sqlast.NoCheckOption: "", sqlast.CheckOptionPlain: "CASCADED", sqlast.CheckOptionCascaded: "CASCADED", sqlast.CheckOptionLocal: "LOCAL"}

// ParseView reads the text of CREATE VIEW or ALTER VIEW.
func ParseView(text string) (v viewText, ok bool) {
	n, ok := trees.StoredTree(text).(*sqlast.CreateView)
	if !ok || n.Query == nil {
		return viewText{algorithm: "UNDEFINED"}, false
	}
	return viewTextOf(text, n), true
}

func viewTextOf(text string, n *sqlast.CreateView) viewText {
	v := viewText{algorithm: viewAlgorithms[n.Algorithm], Definer: writtenAccount(text, n.Definer), invoker: n.Security == sqlast.SecurityInvoker,
		body: text[n.Query.Pos():n.Query.End()], Check: viewChecks[n.Check]}
	for _, c := range n.Columns {
		v.columns = append(v.columns, c.Name)
	}
	return v
}
