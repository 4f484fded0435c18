package lower

import (
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
)

// signal lowers SIGNAL and RESIGNAL.
func (l *lowerer) signal(n *ast.Signal) vt.Statement {
	s := vt.Signal{ConditionName: n.Name.Name}
	if n.State != nil {
		s.SqlStateValue = n.State.Bytes()
	}
	for i := range n.Items {
		s.Info = append(s.Info, vt.SignalInfo{
			ConditionItemName: vt.SignalConditionItemName(strings.ToLower(n.Items[i].Name)), Value: l.expr(n.Items[i].Value),
		})
	}
	if n.Resignal {
		return &vt.Resignal{Signal: s}
	}
	return &s
}

// getDiagnostics lowers GET DIAGNOSTICS: a SET of the targets to calls that read the area.
func (l *lowerer) getDiagnostics(n *ast.GetDiagnostics) *vt.Set {
	out := &vt.Set{}
	for i := range n.Items {
		item := &n.Items[i]
		call := operand.DiagnosticCall(item.Name, l.expr(n.Condition), n.Area == ast.StackedArea)
		l.refuseIf(call == nil, "item of a diagnostics area")
		e := &vt.SetVarExpr{Expr: call}
		switch target := item.Target.(type) {
		case *ast.UserVar:
			e.Name, e.Scope = vt.NewColName(target.Name.Name), vt.SetScope_User
		case *ast.Column:
			e.Name, e.Scope = column(target), vt.SetScope_None
		default:
			l.refuse("target of GET DIAGNOSTICS")
		}
		out.Exprs = append(out.Exprs, e)
	}
	return out
}
