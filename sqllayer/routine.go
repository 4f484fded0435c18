package sqllayer

// The texts of stored functions. Neither the grammar nor GMS knows functions, so each is a procedure to them, whose name no client can write:
//
//	CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a + 1
//	CREATE PROCEDURE `\x00fn f`() `ember body`: BEGIN DECLARE `a` INT; DECLARE `ember result` INT;
//	    BEGIN SET `ember result` = a + 1; LEAVE `ember body`; END; END
//
// What is stored is the text that was written; functioncall.go runs the procedure's statements. DROP FUNCTION is DROP PROCEDURE of that name.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
)

const (
	functionMark   = lower.FunctionMark
	functionName   = lower.FunctionName
	functionIf     = lower.FunctionIf
	functionResult = lower.FunctionResult
	functionBody   = lower.FunctionBody
)

// routine is what the text of a CREATE FUNCTION or CREATE PROCEDURE says.
type routine struct {
	kind          string // FUNCTION, PROCEDURE
	definer       string
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
	bodyTokens    []token
}

// routineParam is a parameter; mode is IN, OUT or INOUT.
type routineParam struct{ mode, name, typ string }

func tokensOf(query string) (tokens []token) {
	words := lexer{text: query}
	for word, at := words.next(); word != ""; word, at = words.next() {
		tokens = append(tokens, token{word, at})
	}
	return tokens
}

// parseRoutine reads the text of CREATE FUNCTION or CREATE PROCEDURE; nil if it is something else, or none that can be read.
func parseRoutine(query string) *routine {
	query = strings.TrimRight(query, "; \t\r\n")
	d := &dialectWriter{query: query, tokens: tokensOf(query)}
	r, i := &routine{access: "CONTAINS SQL"}, 1
	if d.at(i).is("definer") {
		for i += 2; i < len(d.tokens) && i < 12 && !d.at(i).is("function", "procedure"); i++ {
			r.definer = query[d.at(3).at:d.at(i).end()]
		}
	}
	if !d.at(0).is("create") || !d.at(i).is("function", "procedure") {
		return nil
	}
	r.kind = strings.ToUpper(d.at(i).text)
	i++
	if d.at(i).is("if") && d.at(i+1).is("not") && d.at(i+2).is("exists") {
		r.lenient = true
		i += 3
	}
	r.name, i = bareName(d.at(i).text), i+1
	if d.at(i).text == "." {
		r.schema, r.name, i = r.name, bareName(d.at(i+1).text), i+2
	}
	end := d.closing(i)
	if d.at(i).text != "(" || end == 0 {
		return nil
	}
	r.paramText = query[d.at(i).end():d.at(end).at]
	r.parameters(d, i+1, end)
	if i = end + 1; r.kind == "FUNCTION" {
		if !d.at(i).is("returns") {
			return nil
		}
		i = d.typeEnd(i + 1)
		r.returns = query[d.at(end+2).at:d.at(i-1).end()]
	}
	r.head = query[:d.at(i-1).end()]
	if i = r.traits(d, i); i >= len(d.tokens) {
		return nil
	}
	r.body, r.bodyTokens = query[d.at(i).at:], d.tokens[i:]
	return r
}

// written is the text of the statement that runs.
func (s *Session) written(ctx *sql.Context) string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log.text != "" {
		return s.log.text
	}
	return ctx.Query()
}

// sameRoutine tells whether a text creates the procedure of that name.
func sameRoutine(text, name string) bool {
	r := parseRoutine(text)
	return r != nil && r.kind == "PROCEDURE" && strings.EqualFold(r.name, name)
}

// parameters reads those between two tokens.
func (r *routine) parameters(d *dialectWriter, i, end int) {
	for i < end {
		p := routineParam{mode: "IN"}
		if d.at(i).is("in", "out", "inout") && d.at(i+1).text != "," {
			p.mode = strings.ToUpper(d.at(i).text)
			i++
		}
		p.name = bareName(d.at(i).text)
		from, depth := i+1, 0
		for i = from; i < end && (depth > 0 || d.at(i).text != ","); i++ {
			switch d.at(i).text {
			case "(":
				depth++
			case ")":
				depth--
			}
		}
		if i > from {
			p.typ = d.query[d.at(from).at:d.at(i-1).end()]
		}
		r.params = append(r.params, p)
		i++
	}
}

// typeEnd is the token behind a column type.
func (d *dialectWriter) typeEnd(i int) int {
	for i++; i < len(d.tokens); i++ {
		switch t := d.at(i); {
		case t.text == "(":
			i = max(d.closing(i), i)
		case t.is("character", "char") && d.at(i+1).is("set"):
			i += 2
		case t.is("charset", "collate"):
			i++
		case t.is("unsigned", "signed", "zerofill", "precision", "binary", "varying", "ascii", "unicode", "varchar", "varbinary", "character", "char"):
		default:
			return i
		}
	}
	return i
}

// traits reads the characteristics and gives the token behind them.
func (r *routine) traits(d *dialectWriter, i int) int {
	for ; ; i += 2 {
		switch t, next := d.at(i), d.at(i+1); {
		case t.is("comment"):
			if len(next.text) > 1 {
				r.comment = strings.ReplaceAll(next.text[1:len(next.text)-1], "''", "'")
			}
		case t.is("language"):
		case t.is("not") && next.is("deterministic"):
			r.deterministic = false
		case t.is("deterministic"):
			r.deterministic = true
			i--
		case t.is("contains", "no") && next.is("sql"):
			r.access = strings.ToUpper(t.text) + " SQL"
		case t.is("reads", "modifies") && next.is("sql"):
			r.access = strings.ToUpper(t.text) + " SQL DATA"
			i++
		case t.is("sql") && next.is("security"):
			r.invoker = d.at(i + 2).is("invoker")
			i++
		default:
			return i
		}
	}
}

// returning tells whether there is a RETURN.
func (r *routine) returning() bool {
	for _, t := range r.bodyTokens {
		if t.is("return") {
			return true
		}
	}
	return false
}

// isFunction tells whether a statement is CREATE FUNCTION or DROP FUNCTION.
func isFunction(stmt ast.Statement) bool {
	n, ok := stmt.(*ast.DDL)
	if !ok {
		return false
	}
	name := ""
	if n.ProcedureSpec != nil {
		name = n.ProcedureSpec.ProcName.Name.String()
	}
	_, _, ok = functionOf(name)
	return ok
}

// functionOf takes the name apart that GMS knows a function by.
func functionOf(procedure string) (name string, lenient, ok bool) {
	if !strings.HasPrefix(procedure, functionMark) || len(procedure) < len(functionName) {
		return "", false, false
	}
	return procedure[len(functionName):], procedure[:len(functionName)] == functionIf, true
}

func containsFold(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// definerOf is the account in a definer as written: the session's where none is.
func definerOf(ctx *sql.Context, written string) string {
	if account := accountOf(written); account != "" {
		return account
	}
	c := ctx.Client()
	return c.User + "@" + c.Address
}

// accountOf is the account that a definer names: empty where that is whoever ran the statement.
func accountOf(written string) string {
	if written == "" || strings.HasPrefix(strings.ToLower(written), "current_user") {
		return ""
	}
	user, host, ok := strings.Cut(written, "@")
	if !ok {
		host = "%"
	}
	unquoted := func(s string) string {
		s = strings.TrimSpace(s)
		if len(s) > 1 && s[0] == '\'' {
			return s[1 : len(s)-1]
		}
		return bareName(s)
	}
	return unquoted(user) + "@" + unquoted(host)
}
