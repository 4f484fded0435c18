package server

import (
	"github.com/dolthub/vitess/go/mysql"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"emberdb/sqllayer"
)

// windowError finds in a statement that go-mysql-server's grammar refuses what MySQL refuses in window functions; nil if there is none.
func windowError(nodes []ast.StmtNode) *mysql.SQLError {
	v := &windowVisitor{}
	for _, n := range nodes {
		n.Accept(v)
	}
	return v.err
}

type windowVisitor struct{ err *mysql.SQLError }

// Enter implements ast.Visitor.
func (v *windowVisitor) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.WindowSpec:
		if v.err == nil && n.Frame != nil {
			name := n.Name.O
			if name == "" {
				name = "<unnamed window>"
			}
			v.err = frameError(n.Frame, name)
		}
	case *ast.WindowFuncExpr:
		what := ""
		switch {
		case n.IgnoreNull:
			what = "IGNORE NULLS"
		case n.FromLast:
			what = "FROM LAST"
		}
		if what != "" {
			v.err = sqllayer.NewError(1235, "This version of MySQL doesn't yet support '%s'", what)
		}
	}
	return n, v.err != nil
}

// Leave implements ast.Visitor.
func (v *windowVisitor) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func badBound(name string) *mysql.SQLError {
	return sqllayer.NewError(3586, "Window '%s': frame start or end is negative, NULL or of non-integral type", name)
}

func frameError(f *ast.FrameClause, name string) *mysql.SQLError {
	start, end := f.Extent.Start, f.Extent.End
	switch {
	case f.Type == ast.Groups:
		return sqllayer.NewError(1235, "This version of MySQL doesn't yet support 'GROUPS'")
	case start.Type == ast.Following && start.UnBounded:
		return sqllayer.NewError(3584, "Window '%s': frame start cannot be UNBOUNDED FOLLOWING.", name)
	case end.Type == ast.Preceding && end.UnBounded:
		return sqllayer.NewError(3585, "Window '%s': frame end cannot be UNBOUNDED PRECEDING.", name)
	case start.Type == ast.CurrentRow && end.Type == ast.Preceding, start.Type == ast.Following && end.Type != ast.Following, f.Type == ast.Rows:
		return badBound(name)
	}
	for _, b := range []ast.FrameBound{start, end} {
		if _, negative := b.Expr.(*ast.UnaryOperationExpr); negative {
			return badBound(name)
		}
	}
	return nil
}
