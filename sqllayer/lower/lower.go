// Package lower builds the trees that go-mysql-server (GMS) plans from the trees of package ast.
//
// # Contract
//
// Statement returns the tree of GMS's grammar that means what a statement means. It reads no text
// again: names, strings and structure come from the nodes. The text serves for the headings of
// columns and for definitions that are stored as they were written; both are cut out by spans.
//
// A tree is for one use: GMS and the layer change it. Lowering the same statement again gives
// another tree.
//
// What GMS's tree cannot say becomes a call of a function of package expr, whose name holds a zero
// byte: no client can write it. What is not lowered yet is an *Unsupported error with a Reason;
// nothing is lowered in part.
//
// The authorization of each node is what GMS's own grammar sets, since the layer's checks of rights
// start from it.
//
// # Files
//
// query.go holds queries, table.go what stands in FROM, dml.go changes of rows, expr.go operators,
// function.go and window.go calls, literal.go constants, load.go LOAD DATA, session.go SET,
// transactions and other statements about the session, schema.go, createtable.go and altertable.go
// definitions, program.go stored programs, show.go SHOW.
package lower

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// Reason says why a statement is not lowered.
type Reason string

// Unsupported is the error of a statement that is not lowered.
type Unsupported struct{ Reason Reason }

func (e *Unsupported) Error() string { return "not lowered: " + string(e.Reason) }

// Options say what a statement is lowered for.
type Options struct {
	Plain bool // GMS's own functions alone: DATE 'text' is the text
	Bytes bool // strings are bytes: those that are stored belong to no character set
	// Inner is told of each statement and query of a stored program, and of what it has become.
	Inner  func(became vt.Statement, n ast.Statement)
	Stored bool // SELECT and an expression that GMS has stored: parentheses around it say that it is no literal
}

// Statement lowers a statement that was parsed from text.
func Statement(text string, n ast.Statement, o Options) (out vt.Statement, err error) {
	defer recoverReason(&err)
	l := lowerer{Options: o, text: text}
	return l.statement(n), nil
}

// Expr lowers an expression that was parsed from text.
func Expr(text string, x ast.Expr) (out vt.Expr, err error) {
	defer recoverReason(&err)
	l := lowerer{text: text}
	return l.expr(x), nil
}

// recoverReason turns the panic of refuse into the error.
func recoverReason(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Unsupported:
		*err = r
	case *mysql.SQLError:
		*err = r
	default:
		panic(r)
	}
}

// lowerer lowers one statement.
type lowerer struct {
	Options
	text       string
	schema     ast.Ident // of the table that is defined; "": the session's
	table      bool      // in the definition of a table, whose expressions are stored as GMS prints them
	inFunction bool      // in the body of a stored function
	assigning  bool      // in a query or a change of rows that assigns user variables
	inKey      ast.Expr  // the part of a key at hand
	starred    bool      // in a query block with a star that shows all columns
}

// refuse ends the lowering.
func (l *lowerer) refuse(r Reason) { panic(&Unsupported{r}) }

// raise ends the lowering with an error of MySQL.
func (l *lowerer) raise(code int, state, format string, args ...any) {
	panic(mysql.NewSQLError(code, state, format, args...))
}

func (l *lowerer) refuseIf(b bool, r Reason) {
	if b {
		l.refuse(r)
	}
}

// written returns the text of a node.
func (l *lowerer) written(n ast.Node) string { return l.text[n.Pos():n.End()] }

func (l *lowerer) statement(n ast.Statement) vt.Statement {
	defer func(was bool) { l.assigning = was }(l.assigning)
	l.assigning = l.changesVariables(n)
	switch n := n.(type) {
	case *ast.Query:
		return l.query(n)
	case *ast.Insert:
		return l.insert(n)
	case *ast.Update:
		return l.update(n)
	case *ast.Delete:
		return l.delete(n)
	case *ast.Load:
		return l.load(n)
	}
	if out := l.schemaStatement(n); out != nil {
		return out
	}
	return l.sessionStatement(n)
}

// changesVariables reports whether a query or a change of rows gives user variables values in its
// expressions.
func (l *lowerer) changesVariables(n ast.Statement) bool {
	switch n.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
		return strings.Contains(l.written(n), ":=") && assignsIn(n)
	}
	return false
}

func assignsIn(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.Assignment)
		found = found || is
		return !found
	})
	return found
}

// schemaStatement lowers a statement about definitions; nil says that it is none.
func (l *lowerer) schemaStatement(n ast.Statement) vt.Statement {
	switch n := n.(type) {
	case *ast.CreateTable:
		return l.createTable(n)
	case *ast.CreateView:
		return l.createView(n)
	case *ast.DropView:
		return dropView(n)
	case *ast.DropTable:
		return dropTable(n)
	case *ast.TruncateTable:
		return truncateTable(n)
	case *ast.RenameTable:
		return renameTable(n)
	case *ast.AlterTable:
		return l.alterTable(n)
	case *ast.CreateIndex:
		return l.createIndex(n)
	case *ast.DropIndex:
		return dropIndex(n)
	case *ast.CreateDatabase:
		return l.createDatabase(n)
	case *ast.AlterDatabase:
		return l.alterDatabase(n)
	case *ast.DropDatabase:
		return dropDatabase(n)
	case *ast.CreateRoutine:
		return l.createRoutine(n)
	case *ast.CreateTrigger:
		return l.createTrigger(n)
	case *ast.CreateEvent:
		return l.createEvent(n)
	case *ast.DropProgram:
		return l.dropProgram(n)
	}
	return nil
}

// sessionStatement lowers a statement about the session.
func (l *lowerer) sessionStatement(n ast.Statement) vt.Statement {
	switch n := n.(type) {
	case *ast.Set:
		return l.set(n)
	case *ast.SetTransaction:
		return l.setTransaction(n)
	case *ast.Begin:
		return begin(n)
	case *ast.EndTransaction:
		return endTransaction(n)
	case *ast.Savepoint:
		return savepoint(n)
	case *ast.Prepare:
		return l.prepare(n)
	case *ast.Execute:
		return execute(n)
	case *ast.Deallocate:
		return &vt.Deallocate{Name: n.Name.Name}
	case *ast.Call:
		return l.call(n)
	case *ast.Use:
		return use(n)
	case *ast.Explain:
		return l.explain(n)
	case *ast.LockTables:
		return lockTables(n)
	case *ast.Unlock:
		l.refuseIf(n.Instance, "UNLOCK INSTANCE")
		return &vt.UnlockTables{}
	case *ast.MaintainTables:
		return l.analyze(n)
	case *ast.Signal:
		return l.signal(n)
	case *ast.GetDiagnostics:
		return l.getDiagnostics(n)
	case *ast.Show:
		return l.show(n)
	case *ast.ShowCreate:
		return l.showCreate(n)
	case *ast.Describe:
		return l.describe(n)
	}
	l.refuse(Reason("statement " + kindOf(n)))
	return nil
}

func colIdent(id ast.Ident) vt.ColIdent {
	if id.Name == "" && id.Given() {
		return vt.NewColIdent(Nameless)
	}
	return vt.NewColIdent(id.Name)
}

func tableIdent(id ast.Ident) vt.TableIdent { return vt.NewTableIdent(id.Name) }

func colIdents(ids []ast.Ident) []vt.ColIdent {
	if ids == nil {
		return nil
	}
	out := make([]vt.ColIdent, len(ids))
	for i, id := range ids {
		out[i] = colIdent(id)
	}
	return out
}

func tableName(n ast.TableName) vt.TableName {
	return vt.TableName{Name: tableIdent(n.Name), DbQualifier: tableIdent(n.Schema)}
}

func tableNames(list []ast.TableName) vt.TableNames {
	if list == nil {
		return nil
	}
	out := make(vt.TableNames, len(list))
	for i := range list {
		out[i] = tableName(list[i])
	}
	return out
}

// onTable is the authorization of one table.
func onTable(authType string, n ast.TableName) vt.AuthInformation {
	return vt.AuthInformation{
		AuthType: authType, TargetType: vt.AuthTargetType_SingleTableIdentifier, TargetNames: []string{n.Schema.Name, n.Name.Name},
	}
}

// ignoreCTEs frees the references to common tables from the rights that a table's name needs. It is
// called before the common tables become part of n: a name in them may be a table's.
func ignoreCTEs(n vt.SQLNode, with *vt.With) {
	if with == nil {
		return
	}
	names := make(map[string]bool, len(with.Ctes))
	for _, cte := range with.Ctes {
		names[cte.As.String()] = true
	}
	vt.WalkAuthNodes(n, func(node vt.AuthNode, auth vt.AuthInformation) {
		if target := auth.TargetNames; len(target) == 2 && target[0] == "" && names[target[1]] {
			node.SetAuthType(vt.AuthType_IGNORE)
		}
	})
}

// kindOf names the type of a statement.
func kindOf(n ast.Statement) string {
	return strings.TrimPrefix(typeName(n), "*ast.")
}
