package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sql/statement"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/sqlerr"
)

// checkVariables refuses a statement that names a system variable that there is not, or reads one in
// a scope that it has not. MySQL finds both in the text, also in that of a stored program. The
// statement gets warnings of variables that will go and are read.
func checkVariables(st *statement.Statement) error {
	program := false
	switch n := st.Tree.(type) {
	case *ast.CreateRoutine, *ast.CreateTrigger, *ast.CreateEvent:
		program = true
	case *ast.Set:
		return checkSet(st, n)
	case nil, *ast.CreateView:
		return nil // a view may name none, whichever they are
	default:
		if !strings.Contains(st.Text, "@@") {
			return nil
		}
	}
	var err error
	ast.Inspect(st.Tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SystemVar:
			err = readsVariable(st, n)
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
func readsVariable(st *statement.Statement, n *ast.SystemVar) error {
	v, err := foundVariable(n.Component, n.Name)
	if err != nil {
		return err
	}
	switch global, session := sysvar.Scopes(v); {
	case !session && (n.Scope == ast.SessionScope || n.Scope == ast.LocalScope):
		return sqlerr.NewError(1238, "Variable '%s' is a GLOBAL variable", v.GetName())
	case !global && n.Scope == ast.GlobalScope:
		return sqlerr.NewError(1238, "Variable '%s' is a SESSION variable", v.GetName())
	}
	if w, ok := deprecation(strings.ToLower(n.Name.Name)); ok && w.Code == 1287 {
		st.Warnings = append(st.Warnings, w)
	}
	return nil
}

// checkSet refuses SET before anything of it is set. MySQL looks for character sets while it reads
// the statement, then for the variables, then for their scopes, and last at the values.
func checkSet(st *statement.Statement, n *ast.Set) error {
	for _, item := range n.Items {
		if err := checkCharset(item); err != nil {
			return err
		}
	}
	var err error
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SystemVar:
			err = readsVariable(st, n)
		case *ast.SetVariable:
			if !n.Default.Given() {
				_, err = foundVariable(n.Component, n.Name)
			}
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	for _, item := range n.Items {
		if v, ok := item.(*ast.SetVariable); ok && !v.Default.Given() {
			if err := checkScope(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCharset looks at the names behind NAMES and CHARACTER SET.
func checkCharset(item ast.Node) error {
	var charset, collation ast.Ident
	switch n := item.(type) {
	case *ast.SetNames:
		charset, collation = n.Charset, n.Collation
	case *ast.SetCharset:
		charset = n.Charset
	}
	if !charset.Given() {
		return nil
	}
	if _, err := charsetNamed(charset.Name); err != nil {
		return err
	}
	if err := library.ClientCharset(charset.Name); err != nil {
		return err
	}
	if !collation.Given() {
		return nil
	}
	if _, err := collationName(collation.Name); err != nil {
		return err
	}
	if _, err := sql.ParseCollation(charset.Name, collation.Name, false); err != nil {
		return sqlerr.NewError(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", collation.Name, charset.Name)
	}
	return nil
}

// checkScope refuses a variable that nobody sets, and one that has no value for the session, or none
// for all.
func checkScope(n *ast.SetVariable) error {
	v, err := foundVariable(n.Component, n.Name)
	if err != nil {
		return err
	}
	if _, own := v.(*sysvar.Variable); v.IsReadOnly() && own && n.Scope != ast.PersistOnlyScope {
		return sqlerr.NewError(1238, "Variable '%s' is a read only variable", v.GetName())
	} else if v.IsReadOnly() {
		return nil // refused when the statement runs, if it is
	}
	all := n.Scope == ast.GlobalScope || n.Scope == ast.PersistScope || n.Scope == ast.PersistOnlyScope
	switch global, session := sysvar.Scopes(v); {
	case all && !global:
		return sqlerr.NewError(1228, "Variable '%s' is a SESSION variable and can't be used with SET GLOBAL", v.GetName())
	case !all && !session:
		return sqlerr.NewError(1229, "Variable '%s' is a GLOBAL variable and should be set with SET GLOBAL", v.GetName())
	}
	return nil
}

// setsVariable checks an assignment. One without a scope may be to a variable of a program or to a
// field of a row, which is known elsewhere; SET of a client has checkSet.
func setsVariable(n *ast.SetVariable, program bool) error {
	plain := n.Scope == ast.NoScope && !n.At
	field := plain && (strings.EqualFold(n.Component.Name, "new") || strings.EqualFold(n.Component.Name, "old"))
	if n.Default.Given() || field || !n.Component.Given() && (plain || !program) {
		return nil
	}
	_, err := foundVariable(n.Component, n.Name)
	return err
}
