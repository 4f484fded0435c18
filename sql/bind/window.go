package bind

import (
	"fmt"
	"slices"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Window is a partition and an order, and the functions that are computed over them.
type Window struct {
	Partition []fn.Expr
	Order     []Order
	Funcs     []*WindowFunc
}

// WindowFunc is a function over a window. Its column has ID.
type WindowFunc struct {
	ID    int
	Kind  fn.WindowKind
	Agg   fn.AggregateKind // of fn.Aggregated
	Args  []fn.Expr        // the value; of LAG and LEAD also the default
	N     int64            // rows of LAG and LEAD, the row of NTH_VALUE, the buckets of NTILE, the bytes of a document
	Frame fn.Frame
	T     types.Type
}

// windows is what window functions of a block are bound into.
type windows struct {
	list  []*Window
	named []ast.NamedWindow
	used  map[*ast.NamedWindow]bool
}

// unused tells whether the block names windows that no function uses, even to extend them.
func (x *windows) unused() bool { return len(x.used) < len(x.named) }

// EachExpr calls f with every expression of the window; what it returns takes its place.
func (w *Window) EachExpr(f func(fn.Expr) fn.Expr) {
	for i := range w.Partition {
		w.Partition[i] = f(w.Partition[i])
	}
	for i := range w.Order {
		w.Order[i].Expr = f(w.Order[i].Expr)
	}
	for _, fun := range w.Funcs {
		for i := range fun.Args {
			fun.Args[i] = f(fun.Args[i])
		}
		for _, b := range []*fn.Bound{&fun.Frame.From, &fun.Frame.To} {
			if b.Value != nil {
				b.Value = f(b.Value)
			}
		}
	}
}

// stored binds a value that a window keeps: MySQL's tables know no truth values, but numbers.
func (b *binder) stored(x *exprs, e ast.Expr) (fn.Expr, error) {
	arg, err := b.expr(x, e)
	if err != nil || arg.Type().Kind != types.Int || arg.Type().Length > 1 {
		return arg, err
	}
	if _, constant := arg.(*fn.Const); constant {
		return arg, nil
	}
	return fn.CastInteger(arg, false)
}

// windowed binds an aggregate function over a window.
func (b *binder) windowed(x *exprs, n *ast.Aggregate) (fn.Expr, error) {
	kind, known := aggregateKinds[strings.ToLower(n.Name.Name)]
	f := &WindowFunc{Kind: fn.Aggregated, Agg: kind}
	switch {
	case !known || kind == fn.GroupConcat || n.Distinct || len(n.Args) != 1 && kind != fn.JSONObject:
		return nil, fn.Refuse(fn.ByWindow, "an aggregate function over a window")
	case kind > fn.GroupConcat:
		arg, err := b.gathered(x.inWindow(), kind, n, b.stored)
		if err != nil {
			return nil, err
		}
		f.Args, f.T, f.N = []fn.Expr{arg}, types.DocumentType(true), int64(b.packet)
		return b.addWindow(x, f, n.Over)
	}
	if _, star := n.Args[0].(*ast.Star); star {
		f.Agg, f.T = fn.CountRows, types.IntType(21, false)
		return b.addWindow(x, f, n.Over)
	}
	arg, err := b.expr(x.inWindow(), n.Args[0])
	if err != nil {
		return nil, err
	}
	if arg, err = summand(kind, arg); err != nil {
		return nil, err
	}
	if f.T, err = aggregateType(kind, arg.Type()); err != nil {
		return nil, err
	}
	f.Args = []fn.Expr{arg}
	return b.addWindow(x, f, n.Over)
}

// inWindow is where the operands of a window function stand: aliases and other window functions are
// not known there.
func (x *exprs) inWindow() *exprs { return &exprs{scope: x.scope, aggs: x.aggs} }

// ranks are the functions that go by the place of a row alone.
var ranks = map[string]fn.WindowKind{"row_number": fn.RowNumber, "rank": fn.Rank, "dense_rank": fn.DenseRank, "percent_rank": fn.PercentRank, "cume_dist": fn.CumeDist}

// picks are the functions that pick the value of another row.
var picks = map[string]fn.WindowKind{"lag": fn.Lag, "lead": fn.Lead, "first_value": fn.FirstValue, "last_value": fn.LastValue, "nth_value": fn.NthValue}

// windowFunc binds a function that works over a window only.
func (b *binder) windowFunc(x *exprs, n *ast.WindowFunc) (fn.Expr, error) {
	if n.FromLast == ast.FromLast || n.Nulls == ast.IgnoreNulls {
		return nil, fn.Refuse(fn.ByWindow, "FROM LAST or IGNORE NULLS")
	}
	name := strings.ToLower(n.Name.Name)
	f := &WindowFunc{Kind: ranks[name], N: 1}
	count := types.UintType(21, false)
	switch {
	case name == "ntile" && len(n.Args) == 1:
		rows, err := b.rows(n.Args[0])
		if err != nil || rows < 1 {
			return nil, fn.Refuse(fn.ByWindow, "NTILE of no known number")
		}
		f.Kind, f.N, f.T = fn.Ntile, rows, count
	case f.Kind == fn.PercentRank || f.Kind == fn.CumeDist:
		f.T = types.FloatType(false)
	case f.Kind != fn.Aggregated:
		f.T = count
	default:
		if f.Kind = picks[name]; f.Kind == fn.Aggregated || len(n.Args) == 0 {
			return nil, fn.Refuse(fn.ByWindow, name)
		}
		if err := b.pick(x, f, n.Args); err != nil {
			return nil, err
		}
	}
	return b.addWindow(x, f, n.Over)
}

// pick binds the operands of LAG, LEAD, FIRST_VALUE, LAST_VALUE and NTH_VALUE.
func (b *binder) pick(x *exprs, f *WindowFunc, args []ast.Expr) error {
	value, err := b.expr(x.inWindow(), args[0])
	if err != nil {
		return err
	}
	if f.T = value.Type(); f.T.Kind == types.Null || f.T.Kind == types.Enum {
		return fn.Refuse(fn.ByWindow, "a function over a window of NULL or of words")
	}
	if f.T.Kind == types.Float && (f.Kind == fn.Lag || f.Kind == fn.Lead) {
		f.T.Length = 23
	}
	f.Args = []fn.Expr{value}
	if len(args) > 1 {
		if f.N, err = b.rows(args[1]); err != nil || f.N > 1<<31 || f.Kind == fn.NthValue && f.N < 1 {
			return fn.Refuse(fn.ByWindow, "a row that is no known number")
		}
	}
	if len(args) > 2 {
		other, err := b.expr(x.inWindow(), args[2])
		if err != nil {
			return err
		}
		f.Args = append(f.Args, other)
		if f.T, err = fn.Unify(f.Args); err != nil {
			return err
		}
		for i := range f.Args {
			f.Args[i] = fn.Convert(f.Args[i], f.T)
		}
	}
	if f.T = f.T.Nullify(len(args) < 3); f.T.Kind == types.String {
		f.T.Coerce = types.Implicit
	}
	return nil
}

// addWindow puts a function into the window of its partition and order.
func (b *binder) addWindow(x *exprs, f *WindowFunc, over *ast.Over) (fn.Expr, error) {
	if x.windows == nil || over == nil {
		return nil, fn.Refuse(fn.ByWindow, "a window where none may stand")
	}
	spec, err := x.windows.spec(over, 0)
	if err != nil {
		return nil, err
	}
	w, frame := &Window{}, spec.Frame
	for _, it := range spec.PartitionBy {
		e, err := b.windowKey(x, it.X)
		if err != nil {
			return nil, err
		}
		w.Partition = append(w.Partition, e)
	}
	for _, it := range spec.OrderBy {
		e, err := b.windowKey(x, it.X)
		if err != nil {
			return nil, err
		}
		w.Order = append(w.Order, Order{e, it.Direction == ast.Descending})
	}
	if f.Frame, err = b.frame(x, w, frame); err != nil {
		return nil, err
	}
	f.ID = b.ids(1)
	for _, have := range x.windows.list {
		if have.same(w) {
			return have.column(f), nil
		}
	}
	w.Funcs = []*WindowFunc{f}
	x.windows.list = append(x.windows.list, w)
	return &fn.Column{ID: f.ID, T: f.T}, nil
}

// column adds a function to a window, unless it has the same one already: ORDER BY then means that
// of the select list.
func (w *Window) column(f *WindowFunc) fn.Expr {
	for _, have := range w.Funcs {
		if have.key() == f.key() {
			f = have
		}
	}
	if !slices.Contains(w.Funcs, f) {
		w.Funcs = append(w.Funcs, f)
	}
	return &fn.Column{ID: f.ID, T: f.T}
}

// key is the same for functions of one window that mean the same.
func (f *WindowFunc) key() string {
	parts := []string{fmt.Sprint(f.Kind, f.Agg, f.N, f.Frame.Range)}
	for _, e := range f.Args {
		parts = append(parts, fn.Key(e))
	}
	for _, b := range []fn.Bound{f.Frame.From, f.Frame.To} {
		parts = append(parts, fmt.Sprint(b.Kind, b.Rows))
		if b.Value != nil {
			parts = append(parts, fn.Key(b.Value))
		}
	}
	return strings.Join(parts, ",")
}

func (b *binder) windowKey(x *exprs, e ast.Expr) (fn.Expr, error) {
	if l, ok := e.(*ast.Literal); ok && l.Kind == ast.IntLiteral {
		return nil, fn.Refuse(fn.ByWindow, "a window by a position")
	}
	return b.expr(x.inWindow(), e)
}

func (w *Window) same(o *Window) bool {
	if len(w.Partition) != len(o.Partition) || len(w.Order) != len(o.Order) {
		return false
	}
	for i, e := range w.Partition {
		if fn.Key(e) != fn.Key(o.Partition[i]) {
			return false
		}
	}
	for i, e := range w.Order {
		if fn.Key(e.Expr) != fn.Key(o.Order[i].Expr) || e.Desc != o.Order[i].Desc {
			return false
		}
	}
	return true
}

// spec is the window that OVER names or describes, with what it takes from the one it extends.
func (x *windows) spec(over *ast.Over, depth int) (*ast.Window, error) {
	var w ast.Window
	if over.Window != nil {
		w = *over.Window
	} else {
		w.Base = over.Name
	}
	if !w.Base.Given() {
		return &w, nil
	}
	for i := range x.named {
		if n := &x.named[i]; strings.EqualFold(n.Name.Name, w.Base.Name) && depth < mostDepth {
			x.used[n] = true
			base, err := x.spec(&ast.Over{Window: n.Window}, depth+1)
			if err != nil {
				return nil, err
			}
			if over.Window == nil {
				return base, nil
			}
			if base.Frame != nil || len(w.PartitionBy) > 0 || len(base.OrderBy) > 0 && len(w.OrderBy) > 0 {
				break
			}
			if w.PartitionBy = base.PartitionBy; len(w.OrderBy) == 0 {
				w.OrderBy = base.OrderBy
			}
			return &w, nil
		}
	}
	return nil, fn.Refuse(fn.ByWindow, "a window that is not there or cannot be extended")
}

// frame binds a frame. Without one it goes to the last peer of the row where there is an order,
// else it is the whole partition.
func (b *binder) frame(x *exprs, w *Window, f *ast.Frame) (out fn.Frame, err error) {
	if f == nil {
		out = fn.Frame{Range: true, To: fn.Bound{Kind: fn.ToTheEnd}}
		if len(w.Order) > 0 {
			out.To.Kind = fn.AtRow
		}
		return out, nil
	}
	if f.Unit == ast.GroupsFrame || f.Exclude != ast.NoExclude {
		return out, fn.Refuse(fn.ByWindow, "GROUPS or EXCLUDE")
	}
	out.Range = f.Unit == ast.RangeFrame
	if out.From, err = b.bound(x, w, f.Start, out.Range); err != nil {
		return out, err
	}
	out.To = fn.Bound{Kind: fn.AtRow}
	if f.Stop != nil {
		out.To, err = b.bound(x, w, f.Stop, out.Range)
	}
	if out.From.Kind == fn.ToTheEnd || out.To.Kind == fn.FromStart || out.From.Kind > out.To.Kind {
		return out, fn.Refuse(fn.ByWindow, "a frame that ends before it begins")
	}
	return out, err
}

var boundKinds = map[ast.FrameBoundKind]fn.BoundKind{ast.UnboundedPreceding: fn.FromStart, ast.Preceding: fn.Before, ast.CurrentRow: fn.AtRow,
	ast.Following: fn.After, ast.UnboundedFollowing: fn.ToTheEnd}

func (b *binder) bound(x *exprs, w *Window, f *ast.FrameBound, byValue bool) (out fn.Bound, err error) {
	out.Kind = boundKinds[f.Kind]
	if out.Kind != fn.Before && out.Kind != fn.After {
		return out, nil
	}
	if !byValue {
		out.Rows, err = b.rows(f.X)
		return out, err
	}
	if len(w.Order) != 1 {
		return out, fn.Refuse(fn.ByWindow, "a range without one order")
	}
	less := (out.Kind == fn.Before) != w.Order[0].Desc
	by := fn.Clone(w.Order[0].Expr)
	if i, ok := f.X.(*ast.Interval); ok {
		amount, err := b.expr(x.inWindow(), i.X)
		if err != nil {
			return out, err
		}
		if !wholeNumber(amount) || by.Type().Kind == types.String {
			return out, fn.Refuse(fn.ByWindow, "a range of no known number")
		}
		out.Value, err = fn.AddInterval(by, fn.Interval{Amount: amount, Unit: i.Unit.String(), Sub: less}, b.set.Collation)
		return out, err
	}
	amount, err := b.expr(x.inWindow(), f.X)
	if err != nil {
		return out, err
	}
	if c, ok := amount.(*fn.Const); !ok || c.IsNull() || !c.T.Kind.Number() || c.V.Kind == types.Float && c.V.F[0] < 0 || c.V.Kind != types.Float && c.V.Wide(0).Negative() {
		return out, fn.Refuse(fn.ByWindow, "a range of no known number")
	}
	if !by.Type().Kind.Number() {
		return out, fn.Refuse(fn.ByWindow, "a range of numbers over what is none")
	}
	op := "+"
	if less {
		op = "-"
	}
	out.Value, err = fn.Arith(op, by, amount)
	return out, err
}

// windowItem is the item of a window function that an expression of GROUP BY or HAVING names; nil: it
// names none. Windows come behind both.
func (out *Query) windowItem(e fn.Expr, list []*Window) (item *Item) {
	for i := range out.Items {
		it := &out.Items[i]
		if key := fn.Key(it.Expr); usesWindow(it.Expr, list) {
			fn.Walk(e, func(x fn.Expr) bool {
				if fn.Key(x) == key {
					item = it
				}
				return item == nil
			})
		}
	}
	return item
}

// usesWindow tells whether an expression has the result of a window function in it.
func usesWindow(e fn.Expr, list []*Window) (uses bool) {
	fn.Walk(e, func(x fn.Expr) bool {
		c, ok := x.(*fn.Column)
		if !ok {
			return true
		}
		for _, w := range list {
			for _, f := range w.Funcs {
				uses = uses || f.ID == c.ID
			}
		}
		return true
	})
	return uses
}

// windowFuncOf is the first window function whose result is in an expression; nil if there is none.
func windowFuncOf(e fn.Expr, list []*Window) (found *WindowFunc) {
	fn.Walk(e, func(x fn.Expr) bool {
		for _, w := range list {
			for _, fun := range w.Funcs {
				if found == nil && fun.ID == columnID(x) {
					found = fun
				}
			}
		}
		return found == nil
	})
	return found
}

// wholeNumber tells a constant integer that is not negative, or a text of digits.
func wholeNumber(e fn.Expr) bool {
	c, ok := e.(*fn.Const)
	if !ok || c.IsNull() {
		return false
	}
	switch c.T.Kind {
	case types.Int:
		return c.V.I[0] >= 0
	case types.String:
		v, scale, ok := types.ParseDecimal(string(c.V.S[0]))
		_, small := v.Int64()
		return ok && scale == 0 && small && !v.Negative()
	}
	return false
}
