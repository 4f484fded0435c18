package sqllayer

// Statements of stored programs that the grammar lacks, or that only the server can run: they stand in the body as a CALL of their own text,
//
//	FLUSH TABLES        CALL `\x00text`('FLUSH TABLES')
//	KILL QUERY x        CALL `\x00text`('KILL QUERY', x)
//	DO a, b             CALL `\x00text`('DO', a, b)
//
// and are run as if a client had sent it. What stands in a list behind the text are expressions, which may have variables of the program.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
)

// textMark is the name of what is called.
const textMark = lower.TextCall

// TextRunner runs a statement that is the server's; served is false for others, which may stand for another one. wanted: the client is to
// have its rows.
type TextRunner func(ctx *sql.Context, text string, wanted bool) (served bool, stands Bound, err error)

// Bound is the statement that EXECUTE stands for, with the values of its parameters. Text is "" for none. Done ends it.
type Bound struct {
	Text   string
	Values map[string]ast.Expr
	Done   func()
}

// textual are the words that begin such statements, with those that may follow; none: any may.
var textual = map[string][]string{
	"lock": {"table", "tables", "instance"}, "unlock": {"table", "tables", "instance"}, "use": nil, "load": {"data", "xml", "index"}, "kill": nil, "do": nil, "purge": nil,
	"analyze": maintained, "check": maintained, "checksum": maintained, "optimize": maintained, "repair": maintained,
	"flush": {"tables", "table", "privileges", "status", "logs", "binary", "engine", "error", "general", "relay", "slow", "user_resources", "optimizer_costs", "local",
		"no_write_to_binlog"},
	"reset": {"persist", "binary", "replica"}, "start": {"replica", "group_replication"}, "stop": {"replica", "group_replication"}, "change": {"replication"},
	"xa": {"start", "begin", "end", "prepare", "commit", "rollback", "recover"}, "install": {"plugin", "component"}, "uninstall": {"plugin", "component"},
	"shutdown": {"", ";"}, "restart": {"", ";"}, "cache": {"index"}, "clone": {"local", "instance"}, "import": {"table"}, "help": {"'"}, "handler": nil, "binlog": {"'"},
	"grant": nil, "revoke": nil, "rename": {"user"}, "set": {"password", "role", "default"}, "prepare": nil, "execute": nil, "deallocate": {"prepare"},
	"alter":  {"view", "algorithm", "definer", "sql", "procedure", "function", "user", "instance", "server", "tablespace"},
	"drop":   {"procedure", "function", "trigger", "user", "role", "server", "tablespace", "prepare"},
	"create": {"or", "algorithm", "definer", "sql", "view", "procedure", "function", "trigger", "event", "user", "role", "server", "tablespace"},
	"show":   nil,
}

var maintained = []string{"table", "tables", "local", "no_write_to_binlog"}

// storedText is the text that is logged and stored: what was written, where that is a program. The places in the statement become those in this text.
func storedText(stmt ast.Statement, query, prepared, parsed, rest string) string {
	n, ok := stmt.(*ast.DDL)
	if !ok || prepared == query || n.EventSpec == nil && n.ProcedureSpec == nil && n.TriggerSpec == nil && !isFunction(n) {
		return parsed
	}
	if rest != "" { // other statements
		first, found := strings.CutSuffix(query, rest)
		if !found {
			return parsed
		}
		query = first
	}
	query = strings.TrimRight(query, "; \t\r\n")
	n.SubStatementPositionStart, n.SubStatementPositionEnd = 0, 0 // places in another text than GMS knows
	if n.EventSpec != nil && n.EventSpec.Body != nil {
		n.SubStatementPositionStart, n.SubStatementPositionEnd = eventBegin(query), len(query)
	}
	return query
}

// nameColumns gives the columns of a SELECT the texts that the parser gives them outside of programs.
func (r *rewriterAST) nameColumns(n *ast.Select) {
	for _, e := range n.SelectExprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok || a.InputExpression != "" {
			continue
		}
		if a.StartParsePos < a.EndParsePos && a.EndParsePos <= len(r.text) {
			a.InputExpression = strings.TrimSpace(r.text[a.StartParsePos:a.EndParsePos])
		}
		if c, ok := a.Expr.(*ast.ColName); ok {
			a.InputExpression = ast.String(c)
		} else {
			nameColumn(a)
		}
	}
}

// programBody is the token that a program's body begins with; -1: the statement makes none.
func (d *dialectWriter) programBody() int {
	if at := d.eventBody(); at > 0 || !d.at(0).is("create") {
		return at
	}
	if r := parseRoutine(d.query); r != nil {
		return len(tokensOf(strings.TrimRight(d.query, "; \t\r\n"))) - len(r.bodyTokens)
	}
	for i := 1; i < len(d.tokens) && d.at(i-1).text != ";"; i++ {
		if d.at(i).is("row") && d.at(i-1).is("each") && d.at(i-2).is("for") {
			if d.at(i+1).is("follows", "precedes") {
				i += 2
			}
			return i + 1
		}
	}
	return -1
}

// singleBody tells whether a trigger's body is one statement that the grammar takes in a block only.
func (d *dialectWriter) singleBody() bool {
	if d.body < 0 || d.body >= d.behind || !d.at(d.body-1).is("row") && !d.at(d.body-2).is("follows", "precedes") {
		return false
	}
	return !d.isTextual(d.body) && !d.at(d.body).is("begin", "set", "call", "insert", "replace", "update", "delete", "declare")
}

// eventBody is the token that the body of an event begins with; -1: the statement has none.
func (d *dialectWriter) eventBody() int {
	event := false
	for i := 1; i < len(d.tokens) && d.at(0).is("create", "alter"); i++ {
		switch t := d.at(i); {
		case t.is("event"):
			event = true
		case t.is("do") && event:
			return i + 1
		case !event && t.is("procedure", "function", "trigger", "table", "view", "as", "("):
			return -1
		}
	}
	return -1
}

// isEvent tells CREATE EVENT and ALTER EVENT.
func (d *dialectWriter) isEvent() bool {
	_, i := d.definerAt(1)
	return d.at(0).is("create", "alter") && d.at(i).is("event")
}

// bodyEnd is the token behind the body that begins with a token: other statements may follow in the text.
func (d *dialectWriter) bodyEnd(i int) int {
	depth := 0
	for first := i; i < len(d.tokens); i++ {
		switch t := d.at(i); {
		case t.text == ";" && depth == 0:
			return i
		case t.is("begin", "case", "loop", "while"), t.is("repeat") && d.at(i+1).text != "(", t.is("if") && (i == first || d.begins(i)):
			depth++
		case t.is("end") && depth > 0:
			depth--
			if d.at(i+1).is("if", "case", "loop", "while", "repeat") {
				i++
			}
		}
	}
	return i
}

// eventBegin is the place of the body in the text of CREATE EVENT or ALTER EVENT.
func eventBegin(query string) int {
	d := &dialectWriter{query: query, tokens: tokensOf(query)}
	return d.at(d.eventBody()).at
}

// mayHaveTexts is quick.
func mayHaveTexts(query string) bool {
	return startsWith(query, "create") && (containsFold(query, "procedure") || containsFold(query, "trigger")) || containsFold(query, "event") && (startsWith(query, "create") || startsWith(query, "alter"))
}

// isTextual tells whether a token begins a statement that is run by its text.
func (d *dialectWriter) isTextual(i int) bool {
	if d.body < 0 || i < d.body || i >= d.behind || i > d.body && !d.begins(i) || d.at(i-1).is("found") && !d.at(i-3).is("for", ",") {
		return false
	}
	next := d.at(i + 1)
	follow, known := textual[strings.ToLower(d.at(i).text)]
	switch {
	case !known || next.is(":", "=", "end", "else", "when"):
		return false
	case next.is("role") && d.at(i).is("set"):
		return d.at(i+2).text != "=" // a variable
	case follow == nil:
		return true
	}
	return slices.ContainsFunc(follow, func(w string) bool { return next.is(w) || w == "'" && strings.HasPrefix(next.text, w) })
}

// byText writes such a statement; it gives the last token that is dealt with.
func (d *dialectWriter) byText(i int) int {
	end := i
	for end+1 < len(d.tokens) && d.at(end+1).text != ";" {
		end++
	}
	from := i + 1 // of the expressions
	if d.at(from).is("query", "connection") && d.at(i).is("kill") {
		from++
	}
	if !d.at(i).is("kill", "do") || from > end {
		d.replace(i, end, "CALL `"+textMark+"`("+quoteText(d.query[d.at(i).at:d.at(end).end()])+")")
		return end
	}
	d.replace(i, from-1, "CALL `"+textMark+"`("+quoteText(d.query[d.at(i).at:d.at(from-1).end()])+",")
	d.close(end)
	return from - 1
}

func quoteText(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", "''") + "'"
}

// calledText is the text that a statement stands for.
func calledText(stmt ast.Statement) (text string, operands []ast.Expr, ok bool) {
	n, is := stmt.(*ast.Call)
	if !is || n.ProcName.Name.String() != textMark {
		return "", nil, false
	}
	return string(n.Params[0].(*ast.SQLVal).Val), n.Params[1:], true
}

// runText runs a statement by its text.
func (a *activation) runText(text string, operands []ast.Expr) error {
	if strings.EqualFold(text, "do") {
		n := &ast.Select{}
		for _, e := range operands {
			n.SelectExprs = append(n.SelectExprs, &ast.AliasedExpr{Expr: e})
		}
		return a.attempt(func(ctx *sql.Context) error {
			a.s.noWarnings()
			err := a.evaluate(ctx, n, nil)
			a.counted(0, 0)
			return err
		})
	}
	for _, e := range operands {
		v, t, err := a.value(e)
		if err != nil {
			return err
		}
		text += " " + ast.String(literal(a.parent, t, v))
	}
	a.s.mu.Lock()
	run, nested := a.s.texts, a.s.stmt.depth > 0
	a.s.mu.Unlock()
	if nested {
		if err := refusedText(tokensOf(text), "function"); err != nil {
			return err
		}
	}
	return a.attempt(func(ctx *sql.Context) error {
		a.s.noWarnings()
		if d := (&dialectWriter{tokens: tokensOf(text)}); d.at(0).is("show") && d.at(1).is("warnings", "errors", "count") {
			a.s.told()
		}
		a.s.inProcedure(ctx, nil)
		var stands Bound
		if run != nil {
			served, other, err := run(ctx, text, a.receive != nil)
			if served || err != nil {
				a.counted(0, 0)
				a.s.leave()
				return err
			}
			if stands = other; stands.Text != "" {
				text, ctx = stands.Text, ctx.WithQuery(stands.Text)
				defer stands.Done()
			}
		}
		schema, iter, _, err := a.runner.QueryWithBindings(ctx, text, nil, stands.Values, nil)
		if err == nil {
			err = a.deliver(ctx, nil, nil, schema, iter)
		}
		a.s.leave()
		return err
	})
}

// told puts the warnings of the last statement that has left some where SHOW WARNINGS finds them.
func (s *Session) told() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.diagnostics.current {
		s.BaseSession.Warn(&sql.Warning{Level: c.level, Code: c.Num, Message: c.Message})
	}
}

// refusedText tells what a program of that kind may not have.
func refusedText(t []token, routine string) error {
	d := &dialectWriter{tokens: t}
	verb := strings.ToUpper(t[0].text)
	object := 1
	for ; object < len(t) && !d.at(object).is("view", "procedure", "function", "trigger", "event", "user", "role", "server", "tablespace"); object++ {
	}
	what := strings.ToUpper(d.at(object).text)
	switch {
	case d.at(0).is("use", "check", "handler", "help"), d.at(0).is("lock", "unlock") && !d.at(1).is("instance"):
		return NewError(1314, "%s is not allowed in stored procedures", verb)
	case d.at(0).is("load") && !d.at(1).is("index"):
		return NewError(1314, "LOAD %s is not allowed in stored procedures", strings.ToUpper(d.at(1).text))
	case verb == "ALTER" && what == "VIEW":
		return NewError(1314, "ALTER VIEW is not allowed in stored procedures")
	case verb == "CREATE" && (what == "PROCEDURE" || what == "FUNCTION" || what == "TRIGGER"):
		return NewError(1303, "Can't create a %s from within another stored routine", what)
	case verb == "CREATE" && what == "EVENT":
		return NewError(1576, "Recursion of EVENT DDL statements is forbidden when body is present")
	case (verb == "DROP" || verb == "ALTER") && (what == "PROCEDURE" || what == "FUNCTION"):
		return NewError(1357, "Can't drop or alter a %s from within another stored routine", what)
	case routine == "procedure":
		return nil
	case d.at(0).is("flush", "reset"):
		return notInFunction(verb)
	case d.at(0).is("prepare", "execute", "deallocate"), verb == "DROP" && d.at(1).is("prepare"):
		return notInFunction("Dynamic SQL")
	case verb == "SET" && d.at(1).is("password"):
		return NewError(1445, "Not allowed to set autocommit from a stored function or trigger")
	case verb == "SHOW" && !d.at(1).is("profiles", "plugins") && (!d.at(1).is("create") || !d.at(2).is("user")), d.at(0).is("analyze", "optimize", "repair", "checksum", "cache"):
		return NewError(1415, "Not allowed to return a result set from a %s", routine)
	case d.at(0).is("create", "alter", "drop", "grant", "revoke", "rename", "change"), d.at(0).is("start", "stop") && d.at(1).is("replica"),
		d.at(0).is("install", "uninstall") && d.at(1).is("plugin"):
		return errCommits
	}
	return nil
}

var errCommits = NewError(1422, "Explicit or implicit commit is not allowed in stored function or trigger.")

func notInFunction(what string) error {
	return NewError(1336, "%s is not allowed in stored function or trigger", what)
}

// committing refuses it in a procedure that a function or trigger calls.
func (a *activation) committing(stmt ast.Statement) error {
	a.s.mu.Lock()
	nested := a.s.stmt.depth > 0
	a.s.mu.Unlock()
	if !nested {
		return nil
	}
	return (&checker{routine: "function"}).endsTransaction(stmt)
}

// endsTransaction refuses what functions and triggers may not have of the statements that the grammar knows.
func (c *checker) endsTransaction(stmt ast.Statement) error {
	if c.routine == "procedure" {
		return nil
	}
	switch n := stmt.(type) {
	case *ast.DDL:
		if n.Temporary {
			return nil
		}
		return errCommits
	case *ast.AlterTable, *ast.DBDDL, *ast.Begin, *ast.Commit, *ast.Rollback:
		return errCommits
	case *ast.Show, *ast.Explain:
		return NewError(1415, "Not allowed to return a result set from a %s", c.routine)
	case *ast.Set:
		for _, e := range n.Exprs {
			if e.Name != nil && strings.EqualFold(e.Name.Name.String(), "autocommit") && !c.knows("variable", "autocommit") {
				return NewError(1445, "Not allowed to set autocommit from a stored function or trigger")
			}
		}
	}
	return nil
}
