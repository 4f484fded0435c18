package programs

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

// textMark is the name of what is called.
const textMark = lower.TextCall

// TextRunner runs a statement that is the server's; served is false for others, which may stand for
// another one. wanted: the client is to have its rows.
type TextRunner func(ctx *sql.Context, text string, wanted bool) (served bool, stands Bound, err error)

// Bound is the statement that EXECUTE stands for, with the values of its parameters. Text is "" for
// none. Done ends it.
type Bound struct {
	Text   string
	Values map[string]ast.Expr
	Outs   Outs // of a CALL
	Done   func()
	Sent   bool // the client has the rows of the text
}

// CalledText is the text that a statement stands for, with its tree.
func CalledText(stmt ast.Statement) (text *lower.Text, operands []ast.Expr, ok bool) {
	n, is := stmt.(*ast.Call)
	if !is || n.ProcName.Name.String() != textMark || len(n.Params) == 0 {
		return nil, nil, false
	}
	text, ok = n.Params[0].(*lower.Text)
	return text, n.Params[1:], ok
}

// ShowsConditions are the lists that show the conditions of the statement before.
var ShowsConditions = map[sqlast.ShowKind]bool{sqlast.ShowWarnings: true, sqlast.ShowErrors: true, sqlast.ShowCountWarnings: true, sqlast.ShowCountErrors: true}

// RefusedStatement tells what a program of that kind may not have of the statements that run by
// their text.
func RefusedStatement(text string, tree sqlast.Statement, routine string) error {
	verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), " ")
	function := routine != "procedure"
	switch n := tree.(type) {
	case *sqlast.Use, *sqlast.Handler, *sqlast.Help, *sqlast.LockTables, *sqlast.Unlock:
		if unlock, ok := n.(*sqlast.Unlock); !ok || !unlock.Instance {
			return sqlerr.NewError(1314, "%s is not allowed in stored procedures", verb)
		}
	case *sqlast.Load:
		if n.XML {
			return sqlerr.NewError(1314, "LOAD XML is not allowed in stored procedures")
		}
		return sqlerr.NewError(1314, "LOAD DATA is not allowed in stored procedures")
	case *sqlast.CreateView:
		if n.Alter {
			return sqlerr.NewError(1314, "ALTER VIEW is not allowed in stored procedures")
		}
	case *sqlast.CreateRoutine:
		return sqlerr.NewError(1303, "Can't create a %s from within another stored routine", [...]string{sqlast.Procedure: "PROCEDURE", sqlast.Function: "FUNCTION"}[n.Kind])
	case *sqlast.CreateTrigger:
		return sqlerr.NewError(1303, "Can't create a TRIGGER from within another stored routine")
	case *sqlast.CreateEvent:
		if n.Body == nil {
			break
		}
		return sqlerr.NewError(1576, "Recursion of EVENT DDL statements is forbidden when body is present")
	case *sqlast.DropProgram:
		if n.Kind == sqlast.DropProcedure || n.Kind == sqlast.DropFunction {
			return inRoutine(n.Kind == sqlast.DropFunction)
		}
	case *sqlast.AlterRoutine:
		return inRoutine(n.Kind == sqlast.Function)
	case *sqlast.MaintainTables:
		if n.What == sqlast.CheckTable {
			return sqlerr.NewError(1314, "CHECK is not allowed in stored procedures")
		}
		if function {
			return sqlerr.NewError(1415, "Not allowed to return a result set from a %s", routine)
		}
	case *sqlast.Explain:
		if function {
			return sqlerr.NewError(1415, "Not allowed to return a result set from a %s", routine)
		}
	case *sqlast.CacheIndex, *sqlast.Show, *sqlast.ShowGrants, *sqlast.ShowEngine, *sqlast.ShowProfile, *sqlast.ShowCreate:
		if function && returnsRows(n) {
			return sqlerr.NewError(1415, "Not allowed to return a result set from a %s", routine)
		}
	case *sqlast.Flush, *sqlast.FlushTables, *sqlast.Reset, *sqlast.ResetPersist:
		if function {
			return notInFunction(verb)
		}
	case *sqlast.Prepare, *sqlast.Execute, *sqlast.Deallocate:
		if function {
			return notInFunction("Dynamic SQL")
		}
	case *sqlast.SetPassword:
		if function {
			return sqlerr.NewError(1445, "Not allowed to set autocommit from a stored function or trigger")
		}
	case *sqlast.InstallPlugin, *sqlast.ChangeSource, *sqlast.ChangeFilter, *sqlast.StartReplica:
		if function {
			return errCommits
		}
	}
	if function && effect.Of(tree).Has(effect.Commits) {
		return errCommits
	}
	return nil
}

// returnsRows leaves out those kinds of SHOW that MySQL lets a function have.
func returnsRows(n sqlast.Statement) bool {
	switch n := n.(type) {
	case *sqlast.Show:
		return n.Kind != sqlast.ShowProfiles && n.Kind != sqlast.ShowPlugins
	case *sqlast.ShowCreate:
		return n.Kind != sqlast.ShowCreateUser
	}
	return true
}

func inRoutine(function bool) error {
	if function {
		return sqlerr.NewError(1357, "Can't drop or alter a FUNCTION from within another stored routine")
	}
	return sqlerr.NewError(1357, "Can't drop or alter a PROCEDURE from within another stored routine")
}

var errCommits = sqlerr.NewError(1422, "Explicit or implicit commit is not allowed in stored function or trigger.")

func notInFunction(what string) error {
	return sqlerr.NewError(1336, "%s is not allowed in stored function or trigger", what)
}

// Commits tells the definitions, which commit the open transaction before they run.
func Commits(stmt ast.Statement) bool {
	switch n := stmt.(type) {
	case *ast.DDL:
		return !n.Temporary
	case *ast.AlterTable, *ast.DBDDL:
		return true
	}
	return false
}

// EndsTransaction refuses what functions and triggers may not have of the statements that the
// grammar knows.
func (c *Checker) EndsTransaction(stmt ast.Statement) error {
	if c.Routine == "procedure" {
		return nil
	}
	if Commits(stmt) {
		return errCommits
	}
	switch n := stmt.(type) {
	case *ast.Begin, *ast.Commit, *ast.Rollback:
		return errCommits
	case *ast.Show, *ast.Explain:
		return sqlerr.NewError(1415, "Not allowed to return a result set from a %s", c.Routine)
	case *ast.Set:
		for _, e := range n.Exprs {
			if e.Name != nil && strings.EqualFold(e.Name.Name.String(), "autocommit") && !c.knows("variable", "autocommit") {
				return sqlerr.NewError(1445, "Not allowed to set autocommit from a stored function or trigger")
			}
		}
	}
	return nil
}
