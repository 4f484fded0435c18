package trees

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/tabledef"
)

// LockedName is a table under the name that a statement may use.
type LockedName struct {
	At    tabledef.TableName
	Alias string
	Write bool
}

// LockedNames are the tables and views of LOCK TABLES.
type LockedNames struct {
	Names   []LockedName
	Views   []tabledef.TableName
	Aliased bool // some table has another name, or is there because of a view or trigger
}

// Holds tells whether a table or view may be used under some name.
func (l *LockedNames) Holds(at tabledef.TableName) bool {
	return slices.ContainsFunc(l.Views, at.Same) || slices.ContainsFunc(l.Names, func(n LockedName) bool { return n.At.Same(at) })
}

// Writes tells whether a table may be changed under some name, readOnly that it is there only to be
// read.
func (l *LockedNames) Writes(at tabledef.TableName) (writes, readOnly bool) {
	for _, n := range l.Names {
		if n.At.Same(at) && n.Write {
			return true, false
		}
		readOnly = readOnly || n.At.Same(at)
	}
	return false, readOnly
}

// Rename follows a table to its new name.
func (l *LockedNames) Rename(from, to tabledef.TableName) {
	for i := range l.Names {
		if n := &l.Names[i]; n.At.Same(from) {
			if n.At = to; strings.EqualFold(n.Alias, from.Name) {
				n.Alias = to.Name
			}
		}
	}
}

// Cascades tells whether an action of a foreign key changes rows of the child.
func Cascades(action string) bool {
	return strings.EqualFold(action, "CASCADE") || strings.EqualFold(action, "SET NULL")
}

// ParseStored parses the text of a view or trigger; nil if it is something else.
func ParseStored(ctx *sql.Context, text, mode string) (*ast.DDL, error) {
	stmt, err := TreeOf(text, ModeOf(mode))
	create, _ := stmt.(*ast.DDL)
	return create, err
}

// TargetsOf gives the names, in small letters, under which a text changes tables; of an UPDATE of
// several those whose columns it names with them.
func TargetsOf(text ast.SQLNode) map[string]bool {
	targets := make(map[string]bool)
	add := func(name string) {
		if name != "" {
			targets[strings.ToLower(name)] = true
		}
	}
	only := func(from ast.TableExprs) {
		if len(from) == 1 {
			if e, ok := from[0].(*ast.AliasedTableExpr); ok {
				_, alias := UsedAs(nil, e)
				add(alias)
			}
		}
	}
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.Insert:
			add(n.Table.Name.String())
		case *ast.Load:
			add(n.Table.Name.String())
		case *ast.Update:
			only(n.TableExprs)
			for _, e := range n.Exprs {
				add(e.Name.Qualifier.Name.String())
			}
		case *ast.Delete:
			if len(n.Targets) == 0 {
				only(n.TableExprs)
			}
			for _, t := range n.Targets {
				add(t.Name.String())
			}
		}
		return true, nil
	}, text)
	return targets
}

// UsedAs is the table of a table expression and its name in the statement.
func UsedAs(ctx *sql.Context, e *ast.AliasedTableExpr) (at tabledef.TableName, alias string) {
	name, ok := e.Expr.(ast.TableName)
	if !ok {
		return at, ""
	}
	if alias = e.As.String(); alias == "" {
		alias = name.Name.String()
	}
	if at = (tabledef.TableName{Schema: name.DbQualifier.String(), Name: name.Name.String()}); at.Schema == "" && ctx != nil {
		at.Schema = ctx.GetCurrentDatabase()
	}
	return at, alias
}

const ErNoSuchKey = 1176
