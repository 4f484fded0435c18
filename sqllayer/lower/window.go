package lower

import (
	"github.com/dolthub/vitess/go/mysql"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// Errors of windows. MySQL finds them when it resolves names; they are found here because GMS's
// tree cannot hold what they are about.
const (
	erNotSupportedYet     = 1235
	erFrameStartIllegal   = 3584
	erFrameEndIllegal     = 3585
	erFrameIllegal        = 3586
	erIntervalInRows      = 3596
	unnamedWindow         = "<unnamed window>"
	notSupportedYetFormat = "This version of MySQL doesn't yet support '%s'"
)

func (l *lowerer) windowFunc(n *ast.WindowFunc) vt.Expr {
	switch {
	case n.Nulls == ast.IgnoreNulls:
		l.raise(erNotSupportedYet, "42000", notSupportedYetFormat, "IGNORE NULLS")
	case n.FromLast == ast.FromLast:
		l.raise(erNotSupportedYet, "42000", notSupportedYetFormat, "FROM LAST")
	}
	return &vt.FuncExpr{Name: colIdent(n.Name), Exprs: l.arguments(n.Args), Over: l.over(n.Over)}
}

func (l *lowerer) over(n *ast.Over) *vt.Over {
	switch {
	case n == nil:
		return nil
	case n.Window == nil:
		return &vt.Over{NameRef: colIdent(n.Name)}
	}
	return (*vt.Over)(l.window(n.Window, unnamedWindow))
}

func (l *lowerer) namedWindow(n *ast.NamedWindow) *vt.WindowDef {
	w := l.window(n.Window, n.Name.Name)
	w.Name = colIdent(n.Name)
	return w
}

func (l *lowerer) window(n *ast.Window, name string) *vt.WindowDef {
	w := &vt.WindowDef{NameRef: colIdent(n.Base), OrderBy: l.orderBy(n.OrderBy)}
	for i := range n.PartitionBy {
		w.PartitionBy = append(w.PartitionBy, l.expr(n.PartitionBy[i].X))
	}
	if n.Frame != nil {
		w.Frame = l.frame(n.Frame, name)
	}
	return w
}

func (l *lowerer) frame(n *ast.Frame, name string) *vt.Frame {
	l.checkFrame(n, name)
	f := &vt.Frame{Unit: vt.RowsUnit, Extent: &vt.FrameExtent{Start: l.frameBound(n.Start), End: l.frameBound(n.Stop)}}
	if n.Unit == ast.RangeFrame {
		f.Unit = vt.RangeUnit
	}
	return f
}

// checkFrame refuses what no frame can be, and what MySQL does not support.
func (l *lowerer) checkFrame(n *ast.Frame, name string) {
	switch {
	case n.Unit == ast.GroupsFrame:
		l.raise(erNotSupportedYet, "42000", notSupportedYetFormat, "GROUPS")
	case n.Exclude != ast.NoExclude:
		l.raise(erNotSupportedYet, "42000", notSupportedYetFormat, "EXCLUDE")
	case n.Start.Kind == ast.UnboundedFollowing:
		l.raise(erFrameStartIllegal, mysql.SSUnknownSQLState, "Window '%s': frame start cannot be UNBOUNDED FOLLOWING.", name)
	case n.Stop != nil && n.Stop.Kind == ast.UnboundedPreceding:
		l.raise(erFrameEndIllegal, mysql.SSUnknownSQLState, "Window '%s': frame end cannot be UNBOUNDED PRECEDING.", name)
	case n.Unit == ast.RowsFrame && (isInterval(n.Start) || isInterval(n.Stop)):
		l.raise(erIntervalInRows, mysql.SSUnknownSQLState, "Window '%s': INTERVAL can only be used with RANGE frames.", name)
	case n.Start.Kind > ast.CurrentRow && n.Stop == nil, n.Stop != nil && n.Start.Kind >= ast.CurrentRow && n.Stop.Kind < n.Start.Kind,
		!isBound(n.Unit, n.Start), n.Stop != nil && !isBound(n.Unit, n.Stop):
		l.raise(erFrameIllegal, mysql.SSUnknownSQLState, "Window '%s': frame start or end is negative, NULL or of non-integral type", name)
	}
}

func isInterval(n *ast.FrameBound) bool {
	if n == nil {
		return false
	}
	_, ok := n.X.(*ast.Interval)
	return ok
}

// isBound reports whether a bound can be a number of rows, or a distance.
func isBound(unit ast.FrameUnit, n *ast.FrameBound) bool {
	switch x := n.X.(type) {
	case *ast.Literal:
		return x.Kind == ast.IntLiteral || unit == ast.RangeFrame && (x.Kind == ast.DecimalLiteral || x.Kind == ast.FloatLiteral)
	case *ast.Interval:
		negative, ok := x.X.(*ast.Unary)
		return !ok || negative.Op != ast.Minus
	case *ast.Unary:
		return x.Op != ast.Minus
	}
	return true
}

var boundTypes = [...]vt.BoundType{ast.UnboundedPreceding: vt.UnboundedPreceding, ast.Preceding: vt.ExprPreceding,
	ast.CurrentRow: vt.CurrentRow, ast.Following: vt.ExprFollowing, ast.UnboundedFollowing: vt.UnboundedFollowing}

func (l *lowerer) frameBound(n *ast.FrameBound) *vt.FrameBound {
	if n == nil {
		return nil
	}
	return &vt.FrameBound{Type: boundTypes[n.Kind], Expr: l.expr(n.X)}
}
