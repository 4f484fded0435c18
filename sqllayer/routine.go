package sqllayer

// Stored functions. GMS knows none, so each is a procedure to it, whose name no client can write:
// package lower makes its body, functioncall.go runs it. What is stored is the text that was
// written.

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
