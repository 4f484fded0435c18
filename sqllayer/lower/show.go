package lower

import (
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// showTypes are the words of GMS's grammar for the lists that it knows.
var showTypes = map[ast.ShowKind]string{
	ast.ShowDatabases: "databases", ast.ShowTables: "tables", ast.ShowTableStatus: "table status", ast.ShowTriggers: "triggers",
	ast.ShowEvents: "events", ast.ShowColumns: "columns", ast.ShowIndex: vt.IndexStr, ast.ShowVariables: "variables",
	ast.ShowStatus: "status", ast.ShowWarnings: "warnings", ast.ShowErrors: "errors", ast.ShowCountWarnings: "warnings",
	ast.ShowCountErrors: "errors", ast.ShowEngines: "engines", ast.ShowPlugins: "plugins", ast.ShowProcesslist: "processlist",
	ast.ShowCharset: vt.CharsetStr, ast.ShowCollation: "collation", ast.ShowFunctionStatus: "function status",
	ast.ShowProcedureStatus: "procedure status", ast.ShowBinaryLogs: "binary logs", ast.ShowBinaryLogStatus: "binary log status",
	ast.ShowReplicaStatus: "replica status", ast.ShowReplicas: "replicas",
}

// showRights are the rights of GMS's grammar where they are not those of SHOW.
var showRights = map[ast.ShowKind]string{
	ast.ShowProcesslist: vt.AuthType_PROCESS, ast.ShowBinaryLogs: vt.AuthType_REPLICATION_CLIENT,
	ast.ShowBinaryLogStatus: vt.AuthType_REPLICATION_CLIENT, ast.ShowReplicaStatus: vt.AuthType_REPLICATION_CLIENT,
}

var showScopes = [...]string{ast.NoScope: "", ast.SessionScope: vt.SessionStr, ast.LocalScope: vt.SessionStr, ast.GlobalScope: vt.GlobalStr}

// showing is the authorization of most kinds of SHOW: the layer decides about their rights.
func showing() vt.AuthInformation {
	return vt.AuthInformation{AuthType: vt.AuthType_SHOW, TargetType: vt.AuthTargetType_TODO}
}

func (l *lowerer) show(n *ast.Show) vt.Statement {
	if n.Kind == ast.ShowPrivileges {
		return &vt.ShowPrivileges{Auth: showing()}
	}
	word, ok := showTypes[n.Kind]
	l.refuseIf(!ok || n.Channel != nil, "SHOW of this list")
	out := &vt.Show{Type: word, Full: n.Full, Extended: n.Extended, Limit: l.limit(n.Limit), Auth: showing()}
	if right := showRights[n.Kind]; right != "" {
		out.Auth = globally(right)
	}
	switch n.Kind {
	case ast.ShowCountWarnings, ast.ShowCountErrors:
		out.CountStar = true
	case ast.ShowVariables:
		if out.Scope = showScopes[n.Scope]; n.Where != nil && readsValue(n.Where) { // the layer takes the rows
			return out
		}
	case ast.ShowStatus:
		out.Scope = showScopes[n.Scope]
	case ast.ShowTables, ast.ShowTriggers, ast.ShowEvents:
		out.ShowTablesOpt = &vt.ShowTablesOpt{DbName: n.Schema.Name, Filter: l.showFilter(n)}
		return out
	case ast.ShowColumns:
		out.Table, out.ShowTablesOpt = tableName(n.Table), &vt.ShowTablesOpt{DbName: n.Schema.Name, Filter: l.showFilter(n)}
		if n.Like != nil {
			out.ShowTablesOpt.Filter = columnsLike(literalString(n.Like))
		}
		return out
	case ast.ShowIndex:
		out.Table, out.Database, out.ShowIndexFilterOpt = tableName(n.Table), n.Schema.Name, l.expr(n.Where)
		return out
	case ast.ShowCollation:
		if out.ShowCollationFilterOpt = l.expr(n.Where); n.Like != nil {
			out.ShowCollationFilterOpt = &vt.ComparisonExpr{Operator: vt.LikeStr, Left: vt.NewColName("collation"), Right: literalString(n.Like)}
		}
		return out
	case ast.ShowTableStatus:
		out.Database = n.Schema.Name
	}
	out.Filter = l.showFilter(n)
	return out
}

// readsValue reports whether a condition of SHOW VARIABLES asks for more than the name.
func readsValue(where ast.Expr) (reads bool) {
	ast.Inspect(where, func(n ast.Node) bool {
		c, ok := n.(*ast.Column)
		reads = reads || ok && strings.EqualFold(c.Name.Name, "value")
		return !reads
	})
	return reads
}

func (l *lowerer) showFilter(n *ast.Show) *vt.ShowFilter {
	switch {
	case n.Like != nil:
		return &vt.ShowFilter{Like: n.Like.Bytes()}
	case n.Where != nil:
		return &vt.ShowFilter{Filter: l.expr(n.Where)}
	}
	return nil
}

var showCreateTypes = map[ast.ShowCreateKind]string{
	ast.ShowCreateTable: vt.CreateTableStr, ast.ShowCreateView: "create view", ast.ShowCreateDatabase: "create database",
	ast.ShowCreateProcedure: vt.CreateProcedureStr, ast.ShowCreateTrigger: vt.CreateTriggerStr, ast.ShowCreateEvent: vt.CreateEventStr,
}

func (l *lowerer) showCreate(n *ast.ShowCreate) *vt.Show {
	word, ok := showCreateTypes[n.Kind]
	l.refuseIf(!ok, "SHOW CREATE of this object")
	out := &vt.Show{Type: word, Auth: showing()}
	switch n.Kind {
	case ast.ShowCreateDatabase:
		out.Database, out.IfNotExists = n.Name.Name.Name, n.IfNotExists
		return out
	case ast.ShowCreateTable:
		out.ShowTablesOpt = &vt.ShowTablesOpt{}
	case ast.ShowCreateProcedure:
		out.Auth = vt.AuthInformation{AuthType: vt.AuthType_SHOW_CREATE_PROCEDURE, TargetType: vt.AuthTargetType_Ignore, TargetNames: []string{n.Name.Schema.Name}}
	}
	out.Table = tableName(n.Name)
	return out
}

// describe lowers DESCRIBE, which shows columns.
func (l *lowerer) describe(n *ast.Describe) *vt.Show {
	out := &vt.Show{Type: "columns", Table: tableName(n.Table), ShowTablesOpt: &vt.ShowTablesOpt{}, Auth: showing()}
	switch {
	case n.Pattern != nil:
		out.ShowTablesOpt.Filter = columnsLike(literalString(n.Pattern))
	case n.Column.Given():
		out.ShowTablesOpt.Filter = columnsLike(str(n.Column.Name))
	}
	return out
}

// columnsLike asks for columns whose names are like a pattern, in whichever case.
func columnsLike(pattern vt.Expr) *vt.ShowFilter {
	return &vt.ShowFilter{Filter: &vt.ComparisonExpr{Operator: vt.LikeStr, Left: vt.NewColName("field"),
		Right: &vt.CollateExpr{Expr: pattern, Collation: "utf8mb4_general_ci"}}}
}
