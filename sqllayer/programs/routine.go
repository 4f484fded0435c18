package programs

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/trees"
)

const (
	functionMark   = lower.FunctionMark
	functionName   = lower.FunctionName
	functionIf     = lower.FunctionIf
	FunctionResult = lower.FunctionResult
	functionBody   = lower.FunctionBody
)

// IsFunction tells whether a statement is CREATE FUNCTION or DROP FUNCTION.
func IsFunction(stmt ast.Statement) bool {
	n, ok := stmt.(*ast.DDL)
	if !ok {
		return false
	}
	name := ""
	if n.ProcedureSpec != nil {
		name = n.ProcedureSpec.ProcName.Name.String()
	}
	_, _, ok = FunctionOf(name)
	return ok
}

// FunctionOf takes the name apart that GMS knows a function by.
func FunctionOf(procedure string) (name string, lenient, ok bool) {
	if !strings.HasPrefix(procedure, functionMark) || len(procedure) < len(functionName) {
		return "", false, false
	}
	return procedure[len(functionName):], procedure[:len(functionName)] == functionIf, true
}

// DefinerOf is the account in a definer as written: the session's where none is.
func DefinerOf(ctx *sql.Context, written string) string {
	if account := AccountOf(written); account != "" {
		return account
	}
	c := ctx.Client()
	return c.User + "@" + c.Address
}

// AccountOf is the account that a definer names: empty where that is whoever ran the statement.
func AccountOf(written string) string {
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
		return trees.BareName(s)
	}
	return unquoted(user) + "@" + unquoted(host)
}
