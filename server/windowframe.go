package server

import (
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// windowError finds in a statement that go-mysql-server's grammar refuses what MySQL refuses in
// window functions; nil if there is none.
func windowError(tree ast.Statement) (e *mysql.SQLError) {
	check := func(w *ast.Window, name ast.Ident) {
		if w == nil || w.Frame == nil || e != nil {
			return
		}
		e = frameError(w.Frame, "<unnamed window>")
		if name.Given() {
			e = frameError(w.Frame, name.Name)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.NamedWindow:
			check(n.Window, n.Name)
			return e == nil
		case *ast.Over:
			check(n.Window, ast.Ident{})
		case *ast.WindowFunc:
			what := ""
			switch {
			case n.Nulls == ast.IgnoreNulls:
				what = "IGNORE NULLS"
			case n.FromLast == ast.FromLast:
				what = "FROM LAST"
			}
			if what != "" {
				e = sqlerr.NewError(1235, "This version of MySQL doesn't yet support '%s'", what)
			}
		}
		return e == nil
	})
	return e
}

func badBound(name string) *mysql.SQLError {
	return sqlerr.NewError(3586, "Window '%s': frame start or end is negative, NULL or of non-integral type", name)
}

func frameError(f *ast.Frame, name string) *mysql.SQLError {
	start, end := f.Start, f.Stop
	if end == nil {
		end = &ast.FrameBound{Kind: ast.CurrentRow}
	}
	switch {
	case f.Unit == ast.GroupsFrame:
		return sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'GROUPS'")
	case start.Kind == ast.UnboundedFollowing:
		return sqlerr.NewError(3584, "Window '%s': frame start cannot be UNBOUNDED FOLLOWING.", name)
	case end.Kind == ast.UnboundedPreceding:
		return sqlerr.NewError(3585, "Window '%s': frame end cannot be UNBOUNDED PRECEDING.", name)
	case start.Kind == ast.CurrentRow && end.Kind == ast.Preceding, start.Kind == ast.Following && end.Kind != ast.Following && end.Kind != ast.UnboundedFollowing,
		f.Unit == ast.RowsFrame:
		return badBound(name)
	}
	for _, b := range []*ast.FrameBound{start, end} {
		if _, negative := b.X.(*ast.Unary); negative {
			return badBound(name)
		}
	}
	return nil
}
