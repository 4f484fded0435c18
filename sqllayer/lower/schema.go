package lower

import (
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

func onDatabases(authType string, names ...string) vt.AuthInformation {
	return vt.AuthInformation{AuthType: authType, TargetType: vt.AuthTargetType_DatabaseIdentifiers, TargetNames: names}
}

func globally(authType string) vt.AuthInformation {
	return vt.AuthInformation{AuthType: authType, TargetType: vt.AuthTargetType_Global}
}

var viewAlgorithms = [...]string{ast.NoViewAlgorithm: "", ast.AlgorithmUndefined: "undefined", ast.AlgorithmMerge: "merge", ast.AlgorithmTemptable: "temptable"}

var viewSecurity = [...]string{ast.NoSecurity: "", ast.SecurityDefiner: "definer", ast.SecurityInvoker: "invoker"}

// createView lowers CREATE VIEW, and ALTER VIEW as a CREATE OR REPLACE. GMS cuts the query out of
// the text by its place.
func (l *lowerer) createView(n *ast.CreateView) *vt.DDL {
	l.refuseIf(n.Kind != ast.PlainView, "materialized or duality view")
	l.viewQuery(n.Query)
	name := tableName(n.Name)
	d := &vt.DDL{
		Action: vt.CreateStr, IfNotExists: n.IfNotExists, OrReplace: n.OrReplace || n.Alter,
		ViewSpec: &vt.ViewSpec{
			ViewName: name.ToViewName(), Algorithm: viewAlgorithms[n.Algorithm], Definer: definer(n.Definer),
			Security: viewSecurity[n.Security], Columns: colIdents(n.Columns), ViewExpr: l.subquery(n.Query),
		},
		SubStatementPositionStart: n.Query.Pos(), SubStatementPositionEnd: n.Query.End(),
		Auth: onDatabases(vt.AuthType_CREATE_VIEW, n.Name.Schema.Name),
	}
	switch n.Check {
	case ast.CheckOptionPlain, ast.CheckOptionCascaded:
		d.ViewSpec.CheckOption = vt.ViewCheckOptionCascaded
	case ast.CheckOptionLocal:
		d.ViewSpec.CheckOption = vt.ViewCheckOptionLocal
	}
	return d
}

// definer lowers DEFINER. CURRENT_USER is whoever runs the statement, as when none is given.
func definer(n *ast.Account) string {
	if n == nil || n.Current {
		return ""
	}
	a := vt.AccountName{Name: n.User.Name, Host: n.Host.Name, AnyHost: !n.Host.Given()}
	return a.String()
}

// viewQuery refuses what a view would not be the same with tomorrow.
func (l *lowerer) viewQuery(q *ast.Query) {
	ast.Inspect(q, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.UserVar, *ast.SystemVar, *ast.Param:
			l.raise(1351, "HY000", "View's SELECT contains a variable or parameter")
		case *ast.Into:
			l.raise(1350, "HY000", "View's SELECT contains a 'INTO' clause")
		}
		return true
	})
}

func dropView(n *ast.DropView) *vt.DDL {
	d := &vt.DDL{Action: vt.DropStr, IfExists: n.IfExists}
	for _, v := range n.Views {
		d.FromViews = append(d.FromViews, tableName(v).ToViewName())
	}
	d.Auth = onDatabases(vt.AuthType_DROP, d.FromViews.DbQualifiers()...)
	return d
}

func dropTable(n *ast.DropTable) *vt.DDL {
	tables := tableNames(n.Tables)
	return &vt.DDL{
		Action: vt.DropStr, FromTables: tables, IfExists: n.IfExists, Temporary: n.Temporary,
		Auth: vt.AuthInformation{
			AuthType: vt.AuthType_DROP, TargetType: vt.AuthTargetType_MultipleTableIdentifiers, TargetNames: tables.AuthMultipleTableIdentifiers(),
		},
	}
}

func truncateTable(n *ast.TruncateTable) *vt.DDL {
	return &vt.DDL{Action: vt.TruncateStr, Table: tableName(n.Table), Auth: onTable(vt.AuthType_DROP, n.Table)}
}

func renameTable(n *ast.RenameTable) *vt.DDL {
	d := &vt.DDL{Action: vt.RenameStr, Auth: vt.AuthInformation{AuthType: vt.AuthType_RENAME, TargetType: vt.AuthTargetType_Ignore}}
	for i := range n.Renames {
		from, to := n.Renames[i].From, n.Renames[i].To
		d.FromTables, d.ToTables = append(d.FromTables, tableName(from)), append(d.ToTables, tableName(to))
		d.Auth.TargetNames = append(d.Auth.TargetNames, from.Schema.Name, from.Name.Name, to.Schema.Name, to.Name.Name)
	}
	return d
}

func (l *lowerer) dropProgram(n *ast.DropProgram) *vt.DDL {
	d := &vt.DDL{Action: vt.DropStr, IfExists: n.IfExists}
	name, schema := colIdent(n.Name.Name), tableIdent(n.Name.Schema)
	switch n.Kind {
	case ast.DropTrigger:
		d.TriggerSpec = &vt.TriggerSpec{TrigName: vt.TriggerName{Name: name, Qualifier: schema}}
		d.Auth = onTable(vt.AuthType_TRIGGER, n.Name)
	case ast.DropProcedure:
		d.ProcedureSpec = &vt.ProcedureSpec{ProcName: vt.ProcedureName{Name: name, Qualifier: schema}}
		d.Auth = onDatabases(vt.AuthType_ALTER_ROUTINE, n.Name.Schema.Name)
	case ast.DropFunction:
		name = vt.NewColIdent(functionAddress(n.Name.Name.Name, n.IfExists))
		d.IfExists = false
		d.ProcedureSpec = &vt.ProcedureSpec{ProcName: vt.ProcedureName{Name: name, Qualifier: schema}}
		d.Auth = onDatabases(vt.AuthType_ALTER_ROUTINE, n.Name.Schema.Name)
	case ast.DropEvent:
		d.EventSpec = &vt.EventSpec{EventName: vt.EventName{Name: name, Qualifier: schema}}
		d.Auth = onDatabases(vt.AuthType_EVENT, n.Name.Schema.Name)
	default:
		l.refuse("DROP of a library")
	}
	return d
}
