package trees

// Definitions of windows: in OVER (...) and in WINDOW.

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// namedWindows are the windows of a WINDOW clause by their names in small letters.
func namedWindows(list ast.Window) (map[string]*ast.WindowDef, error) {
	windows := map[string]*ast.WindowDef{}
	for _, w := range list {
		if first := windows[w.Name.Lowered()]; first != nil {
			return nil, sqlerr.NewError(3591, "Window '%s' is defined twice.", first.Name.String())
		}
		windows[w.Name.Lowered()] = w
	}
	for _, w := range list {
		if err := inherits(w, windows); err != nil {
			return nil, err
		}
	}
	for _, w := range list {
		if err := checkWindow(w, windows); err != nil {
			return nil, err
		}
	}
	return windows, nil
}

// inherits follows the windows that one depends on.
func inherits(w *ast.WindowDef, windows map[string]*ast.WindowDef) error {
	for n := 0; !w.NameRef.IsEmpty(); n++ {
		next := windows[w.NameRef.Lowered()]
		if next == nil {
			return sqlerr.NewError(3579, "Window name '%s' is not defined.", w.NameRef.String())
		}
		if n > len(windows) {
			return sqlerr.NewError(3580, "There is a circularity in the window dependency graph.")
		}
		w = next
	}
	return nil
}

// shownWindow is a window's name in texts of errors.
func shownWindow(w *ast.WindowDef) string {
	switch {
	case !w.Name.IsEmpty():
		return w.Name.String()
	case refersOnly(w):
		return w.NameRef.String()
	}
	return "<unnamed window>"
}

// refersOnly tells whether a window is OVER name.
func refersOnly(w *ast.WindowDef) bool {
	return w.Name.IsEmpty() && !w.NameRef.IsEmpty() && len(w.PartitionBy) == 0 && len(w.OrderBy) == 0 && w.Frame == nil
}

// checkWindow refuses what MySQL does in a window.
func checkWindow(w *ast.WindowDef, windows map[string]*ast.WindowDef) error {
	if err := inherits(w, windows); err != nil {
		return err
	}
	name := shownWindow(w)
	if ref := windows[w.NameRef.Lowered()]; ref != nil && !refersOnly(w) {
		switch {
		case len(w.PartitionBy) > 0:
			return sqlerr.NewError(3581, "A window which depends on another cannot define partitioning.")
		case ref.Frame != nil:
			return sqlerr.NewError(3582, "Window '%s' has a frame definition, so cannot be referenced by another window.", ref.Name.String())
		case len(w.OrderBy) > 0 && len(windowOrder(ref, windows)) > 0:
			return sqlerr.NewError(3583, "Window '%s' cannot inherit '%s' since both contain an ORDER BY clause.", name, ref.Name.String())
		}
	}
	by := append(ast.Exprs{}, w.PartitionBy...)
	for _, o := range w.OrderBy {
		by = append(by, o.Expr)
	}
	for _, e := range by {
		if v, ok := e.(*ast.SQLVal); ok && v.Type == ast.IntVal {
			return sqlerr.NewError(3592, "Window '%s': ORDER BY or PARTITION BY uses legacy position indication which is not supported, use expression.", name)
		}
	}
	if err := tabledef.Calls(func(f *ast.FuncExpr) error {
		if f.Over != nil {
			return sqlerr.NewError(3595, "You cannot nest a window function in the specification of window '%s'.", name)
		}
		return nil
	}, w.PartitionBy, w.OrderBy); err != nil {
		return err
	}
	return checkFrame(w, name, len(windowOrder(w, windows)))
}

// windowOrder is the order of a window, its own or one that it inherits.
func windowOrder(w *ast.WindowDef, windows map[string]*ast.WindowDef) ast.OrderBy {
	for w != nil && len(w.OrderBy) == 0 {
		w = windows[w.NameRef.Lowered()]
	}
	if w == nil {
		return nil
	}
	return w.OrderBy
}

// checkFrame looks at the bounds of a window's frame, of which the grammar knows that they are in
// the right order.
func checkFrame(w *ast.WindowDef, name string, order int) error {
	if w.Frame == nil || w.Frame.Extent == nil {
		return nil
	}
	for _, b := range []*ast.FrameBound{w.Frame.Extent.Start, w.Frame.Extent.End} {
		if b == nil || b.Expr == nil {
			continue
		}
		interval, timed := b.Expr.(*ast.IntervalExpr)
		switch {
		case w.Frame.Unit == ast.RowsUnit && timed:
			return sqlerr.NewError(3596, "Window '%s': INTERVAL can only be used with RANGE frames.", name)
		case w.Frame.Unit == ast.RangeUnit && order != 1:
			return sqlerr.NewError(3587, "Window '%s' with RANGE N PRECEDING/FOLLOWING frame requires exactly one deterministic ORDER BY expression, of numeric or temporal type", name)
		case timed:
			if _, null := interval.Expr.(*ast.NullVal); null {
				return sqlerr.NewError(3586, "Window '%s': frame start or end is negative, NULL or of non-integral type", name)
			}
		}
	}
	return nil
}
