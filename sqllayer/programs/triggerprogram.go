package programs

import (
	"reflect"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// IsProgram tells whether a body is more than branches and statements that GMS knows. GMS gives all
// statements of a branch the row that was there before it, and keeps what the last one makes of it.
func IsProgram(stmt ast.Statement, isColumn func(name string) bool) bool {
	if block, ok := stmt.(*ast.BeginEndBlock); ok && block.Label == "" {
		return slices.ContainsFunc(block.Statements, func(one ast.Statement) bool {
			nested, ok := one.(*ast.BeginEndBlock)
			return ok && changesRow(nested.Statements) || IsProgram(one, isColumn)
		})
	}
	var inside []ast.Statements
	switch n := stmt.(type) {
	case *ast.Declare, *ast.Loop, *ast.While, *ast.Repeat, *ast.Leave, *ast.Resignal:
		return true
	case *ast.Signal:
		return slices.ContainsFunc(n.Info, func(i ast.SignalInfo) bool {
			_, text := i.Value.(*ast.SQLVal)
			return !text || i.ConditionItemName == ast.SignalConditionItemName_MysqlErrno
		})
	case *ast.Delete:
		return lower.Ignores(n)
	case *ast.Call:
		_, _, text := CalledText(n)
		return text || slices.ContainsFunc(n.Params, func(e ast.Expr) bool {
			c, ok := e.(*ast.ColName)
			return ok && TriggerRow(c) != ""
		})
	case *ast.Insert:
		return trees.ReadsQueries(n.Rows) || trees.Within(ast.AssignmentExprs(n.OnDup), func(n ast.SQLNode) bool {
			c, column := n.(*ast.ColName)
			_, query := n.(*ast.Subquery)
			return query || column && TriggerRow(c) != ""
		})
	case *ast.Set:
		return slices.ContainsFunc(n.Exprs, func(e *ast.SetVarExpr) bool {
			name, user := strings.CutPrefix(e.Name.Name.String(), "@")
			return (user || e.Scope == ast.SetScope_User) && isColumn(name)
		})
	case *ast.BeginEndBlock:
		return true
	case *ast.IfStatement:
		for _, c := range n.Conditions {
			inside = append(inside, c.Statements)
		}
		inside = append(inside, n.Else)
	case *ast.CaseStatement:
		for _, c := range n.Cases {
			inside = append(inside, c.Statements)
		}
		inside = append(inside, n.Else)
	}
	return slices.ContainsFunc(inside, func(list ast.Statements) bool {
		return changesRow(list) || slices.ContainsFunc(list, func(one ast.Statement) bool { return IsProgram(one, isColumn) })
	})
}

// changesRow tells whether the statements change a column of the row, and do something besides.
func changesRow(list ast.Statements) bool {
	sets := (&Visitor{Seen: make(map[uintptr]bool)})
	found, several := false, len(list) > 1
	sets.Look = func(v reflect.Value) (within bool) {
		if set, ok := v.Interface().(*ast.Set); ok {
			found = found || slices.ContainsFunc(set.Exprs, func(e *ast.SetVarExpr) bool { return TriggerRow(e.Name) != "" })
			several = several || len(set.Exprs) > 1
		}
		return true
	}
	sets.Value(reflect.ValueOf(list))
	return found && several
}

// CheckRows refuses rows that the trigger does not have, columns that these have not, and changes
// of those that it may not change.
func CheckRows(t *ast.TriggerSpec, isColumn func(name string) bool) error {
	event := strings.ToLower(t.Event)
	missing := map[string]string{ast.InsertStr: "old", ast.DeleteStr: "new"}[event]
	f := &rowFinder{missing: missing, isColumn: isColumn, after: strings.EqualFold(t.Time, ast.AfterStr)}
	(&Visitor{Seen: make(map[uintptr]bool), Look: f.look}).Value(reflect.ValueOf(t.Body))
	switch {
	case f.absent:
		return sqlerr.NewError(1363, "There is no %s row in on %s trigger", strings.ToUpper(missing), strings.ToUpper(event))
	case f.sets == "old":
		return sqlerr.NewError(1362, "Updating of OLD row is not allowed in trigger")
	case f.sets == "new":
		return sqlerr.NewError(1362, "Updating of NEW row is not allowed in after trigger")
	case f.unknown != nil:
		return sqlerr.NewError(1054, "Unknown column '%s' in '%s'", f.unknown.Name.String(), strings.ToUpper(TriggerRow(f.unknown)))
	}
	return nil
}

// rowFinder looks for uses of NEW and OLD.
type rowFinder struct {
	missing  string
	after    bool
	isColumn func(name string) bool
	absent   bool
	sets     string       // what must not be set, and is
	unknown  *ast.ColName // the first that is no column
}

// look is visitor.look.
func (f *rowFinder) look(v reflect.Value) (within bool) {
	switch n := v.Interface().(type) {
	case *ast.ColName:
		row := TriggerRow(n)
		f.absent = f.absent || row != "" && row == f.missing
		if f.unknown == nil && row != "" && !f.isColumn(n.Name.String()) {
			f.unknown = n
		}
	case *ast.SetVarExpr:
		if row := TriggerRow(n.Name); row == "old" || row == "new" && f.after {
			f.sets = row
		}
	}
	return true
}

// TriggerRow tells which row of a trigger a name is of: new, old or "".
func TriggerRow(c *ast.ColName) string {
	if c == nil || !c.Qualifier.DbQualifier.IsEmpty() {
		return ""
	}
	if row := strings.ToLower(c.Qualifier.Name.String()); row == "new" || row == "old" {
		return row
	}
	return ""
}
