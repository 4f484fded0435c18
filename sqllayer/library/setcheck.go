package library

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// What SET is refused for before anything of it is set. MySQL looks for character sets while it
// reads the statement, then for the variables, then for their scopes, and last at the values.

// CheckSet refuses a client's SET of character sets and of variables that there are not, and of
// variables in a scope that they do not have.
func CheckSet(n *ast.Set) error {
	for i, e := range n.Exprs {
		if err := checkCharset(e, n.Exprs[i+1:]); err != nil {
			return err
		}
	}
	for _, e := range n.Exprs {
		names := make([]string, 0, 2)
		if name, ok := systemVariable(e); ok {
			names = append(names, name)
		}
		if read, ok := e.Expr.(*ast.ColName); ok && read.Qualifier.IsEmpty() {
			if name, ok := strings.CutPrefix(read.Name.String(), "@@"); ok && !strings.Contains(name, ".") {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if _, _, known := sql.SystemVariables.GetGlobal(name); !known {
				return sqlerr.NewError(1193, "Unknown system variable '%s'", name)
			}
		}
	}
	for _, e := range n.Exprs {
		if name, ok := systemVariable(e); ok {
			if err := checkScope(name, e.Scope == ast.SetScope_Global); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCharset looks at the names behind NAMES and CHARACTER SET. The collation that NAMES names
// is the assignment behind it.
func checkCharset(e *ast.SetVarExpr, behind ast.SetVarExprs) error {
	name := e.Name.String()
	if name != "names" && name != "charset" {
		return nil
	}
	v, ok := e.Expr.(*ast.SQLVal)
	if !ok {
		return nil
	}
	charset := string(v.Val)
	if _, err := sql.ParseCharacterSet(charset); err != nil {
		return sqlerr.NewError(1115, "Unknown character set: '%s'", charset)
	}
	if err := ClientCharset(charset); err != nil {
		return err
	}
	if name != "names" || len(behind) == 0 || behind[0].Name.String() != "collation_connection" {
		return nil
	}
	v, ok = behind[0].Expr.(*ast.SQLVal)
	if !ok {
		return nil
	}
	collation := string(v.Val)
	if _, err := sql.ParseCollation("", collation, false); err != nil {
		return sqlerr.NewError(1273, "Unknown collation: '%s'", collation)
	}
	if _, err := sql.ParseCollation(charset, collation, false); err != nil {
		return sqlerr.NewError(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", collation, charset)
	}
	return nil
}

// ClientCharset refuses the character sets that no client may write its statements in.
func ClientCharset(name string) error {
	if slices.Contains([]string{"ucs2", "utf16", "utf16le", "utf32"}, strings.ToLower(name)) {
		return sqlerr.NewError(1231, "Variable 'character_set_client' can't be set to the value of '%s'", name)
	}
	return nil
}

// systemVariable is the name of the system variable that is set; ok is false if it is none.
func systemVariable(e *ast.SetVarExpr) (name string, ok bool) {
	name = e.Name.Name.String()
	if e.Name.Qualifier.Name.String() != "" {
		name = e.Name.Qualifier.Name.String() + "." + name
	}
	switch {
	case e.Scope == ast.SetScope_User, strings.HasPrefix(name, "@"):
		return "", false
	}
	switch strings.ToLower(name) {
	case "names", "charset", ast.TransactionStr:
		return "", false
	}
	return name, true
}

// checkScope refuses a variable that has no value for the session, or none for all. A variable
// that nobody sets is refused when the statement runs.
func checkScope(name string, global bool) error {
	v, _, ok := sql.SystemVariables.GetGlobal(name)
	m, is := v.(*sql.MysqlSystemVariable)
	switch {
	case !ok || !is || v.IsReadOnly():
		return nil
	case global && m.Scope.IsSessionOnly():
		return sqlerr.NewError(1228, "Variable '%s' is a SESSION variable and can't be used with SET GLOBAL", v.GetName())
	case !global && v.IsGlobalOnly():
		return sqlerr.NewError(1229, "Variable '%s' is a GLOBAL variable and should be set with SET GLOBAL", v.GetName())
	}
	return nil
}
