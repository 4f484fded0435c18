package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// checkVariables refuses a statement that names a system variable that there is not, or reads one in
// a scope that it has not. MySQL finds both in the text, also in that of a stored program.
func checkVariables(text string, tree ast.Statement) error {
	program := false
	switch tree.(type) {
	case *ast.CreateRoutine, *ast.CreateTrigger, *ast.CreateEvent:
		program = true
	case *ast.Set:
	case nil, *ast.CreateView:
		return nil // a view may name none, whichever they are
	default:
		if !strings.Contains(text, "@@") {
			return nil
		}
	}
	var err error
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SystemVar:
			err = readsVariable(n)
		case *ast.SetVariable:
			err = setsVariable(n, program)
		}
		return err == nil
	})
	return err
}

// foundVariable finds a variable by the parts of its name.
func foundVariable(component, name ast.Ident) (sql.SystemVariable, error) {
	written := name.Name
	if component.Given() {
		written = component.Name + "." + written
	}
	if v, _, ok := sql.SystemVariables.GetGlobal(written); ok && !ofAbsent(component.Name) {
		return v, nil
	}
	return nil, sqlerr.NewError(1193, "Unknown system variable '%s'", written)
}

// ofAbsent tells the components of MySQL that are not part of this server: the library knows their
// variables all the same.
func ofAbsent(component string) bool {
	return strings.EqualFold(component, "dragnet") || strings.EqualFold(component, "syseventlog")
}

// readsVariable checks an expression.
func readsVariable(n *ast.SystemVar) error {
	v, err := foundVariable(n.Component, n.Name)
	if err != nil {
		return err
	}
	m, ok := v.(*sql.MysqlSystemVariable)
	if !ok {
		return nil
	}
	switch scope := m.Scope; {
	case scope == nil:
	case scope.Type == sql.SystemVariableScope_Global && (n.Scope == ast.SessionScope || n.Scope == ast.LocalScope):
		return sqlerr.NewError(1238, "Variable '%s' is a GLOBAL variable", m.Name)
	case scope.Type == sql.SystemVariableScope_Session && n.Scope == ast.GlobalScope:
		return sqlerr.NewError(1238, "Variable '%s' is a SESSION variable", m.Name)
	}
	return nil
}

// setsVariable checks an assignment. One without a scope may be to a variable of a program or to a
// field of a row, which is known elsewhere; a plain name outside of programs is checked when it runs.
func setsVariable(n *ast.SetVariable, program bool) error {
	plain := n.Scope == ast.NoScope && !n.At
	field := plain && (strings.EqualFold(n.Component.Name, "new") || strings.EqualFold(n.Component.Name, "old"))
	if n.Default.Given() || field || !n.Component.Given() && (plain || !program) {
		return nil
	}
	_, err := foundVariable(n.Component, n.Name)
	return err
}
