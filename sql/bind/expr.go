package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
)

// exprs is where an expression stands.
type exprs struct {
	scope *scope
	aggs  *[]*Aggregate // nil: none may stand there
	items []Item        // whose names may be used

	windows *windows // nil: no window function may stand there
	having  *Query   // not nil: its HAVING
}

// condition binds an expression that is asked whether it holds.
func (b *binder) condition(x *exprs, e ast.Expr) (fn.Expr, error) {
	bound, err := b.expr(x, e)
	if err != nil {
		return nil, err
	}
	return bound, fn.Condition(bound)
}

// expr binds an expression whose value is no document.
func (b *binder) expr(x *exprs, e ast.Expr) (fn.Expr, error) {
	out, err := b.value(x, e)
	if err == nil && !b.set.Describes {
		err = noDocument(out)
	}
	return out, err
}

// noDocument refuses documents and geometries: they stand in select lists, in functions and in IS NULL alone.
func noDocument(e fn.Expr) error {
	if e.Type().Opaque() {
		return fn.Refuse(fn.ByType, "a document")
	}
	return nil
}

// value binds an expression.
func (b *binder) value(x *exprs, e ast.Expr) (fn.Expr, error) {
	if b.ended != nil { // constants of many megabytes are computed here
		if err := b.ended(); err != nil {
			return nil, err
		}
	}
	if b.set.Describes {
		if out, err := b.described(x, e); out != nil || err != nil {
			return out, err
		}
	}
	switch e := e.(type) {
	case *ast.Literal:
		return b.literal(e)
	case *ast.Param:
		if e.Index < len(b.params) && b.params[e.Index] != nil {
			return fn.Clone(b.params[e.Index]), nil
		}
		return nil, fn.Refuse(fn.ByVariable, "a parameter")
	case *ast.Column:
		return b.column(x, e)
	case *ast.Unary:
		return b.unary(x, e)
	case *ast.BinaryExpr:
		return b.binary(x, e)
	case *ast.Logical:
		return b.logical(x, e)
	case *ast.Is:
		return b.is(x, e)
	case *ast.Between:
		return b.between(x, e)
	case *ast.In:
		return b.in(x, e)
	case *ast.Like:
		return b.like(x, e)
	case *ast.Case:
		return b.caseOf(x, e)
	case *ast.DateArith:
		return b.dateArith(x, e)
	case *ast.Cast:
		return b.cast(x, e)
	case *ast.ConvertUsing:
		return b.using(x, e)
	case *ast.Collate:
		return b.collate(x, e)
	case *ast.Regexp:
		return b.regexp(x, e)
	case *ast.Position:
		return b.function(x, "locate", []ast.Expr{e.Sub, e.X})
	case *ast.Extract:
		arg, err := b.expr(x, e.X)
		if err != nil {
			return nil, err
		}
		return fn.Extract(strings.ToLower(e.Unit.String()), arg)
	case *ast.Func:
		if e.Schema.Given() || e.Aliases != nil {
			return nil, fn.Refuse(fn.ByFunction, "a stored function")
		}
		if strings.EqualFold(e.Name.Name, "grouping") {
			return b.grouping(x, e)
		}
		return b.function(x, e.Name.Name, e.Args)
	case *ast.Trim:
		if e.Remove != nil {
			return b.function(x, trimsOf[e.Side], []ast.Expr{e.X, e.Remove})
		}
		return b.function(x, trimNames[e.Side], []ast.Expr{e.X})
	case *ast.JSONPath:
		out, err := b.function(x, "json_extract", []ast.Expr{e.X, e.Path})
		if err != nil || !e.Unquote {
			return out, err
		}
		return b.set.Function("json_unquote", []fn.Expr{out})
	case *ast.WeightString:
		return b.weightString(x, e)
	case *ast.Char:
		if !e.Charset.Given() {
			return b.function(x, "char", e.Args)
		}
	case *ast.MemberOf:
		return b.function(x, "\x00member", []ast.Expr{e.X, e.Array})
	case *ast.GetFormat:
		return b.function(x, "get_format", []ast.Expr{&ast.Literal{Span: e.Span, Kind: ast.StringLiteral, Text: e.Type.Name}, e.X})
	case *ast.JSONValue:
		if e.Returning == nil && e.OnEmpty == nil && e.OnError == nil {
			return b.function(x, "json_value", []ast.Expr{e.X, e.Path})
		}
	case *ast.Aggregate:
		return b.aggregate(x, e)
	case *ast.Subquery:
		return b.scalar(x, e)
	case *ast.Exists:
		return b.exists(x, e)
	case *ast.WindowFunc:
		return b.windowFunc(x, e)
	case *ast.UserVar:
		switch name := strings.ToLower(e.Name.Name); {
		case b.variable == nil || b.inView:
		case !b.assigned[name]:
			return b.variable(e.Name.Name)
		case b.variables != nil && b.mayVary():
			return b.set.Assigned(name, b.variables)
		}
		return nil, fn.Refuse(fn.ByVariable, "a variable")
	case *ast.Assignment:
		if b.variables == nil || !b.mayVary() {
			return nil, fn.Refuse(fn.ByVariable, "an assignment")
		}
		arg, err := b.expr(x, e.Value)
		if err != nil {
			return nil, err
		}
		return b.set.Assign(strings.ToLower(e.Var.Name.Name), arg, b.variables)
	case *ast.SystemVar:
		if b.system != nil && !b.inView {
			return b.system(e)
		}
		return nil, fn.Refuse(fn.ByVariable, "a variable")
	}
	return nil, fn.Refuse(fn.ByFunction, "an expression")
}

// weightString binds WEIGHT_STRING.
func (b *binder) weightString(x *exprs, e *ast.WeightString) (fn.Expr, error) {
	arg, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Flags != nil:
		return nil, fn.Refuse(fn.ByFunction, "the internal form of WEIGHT_STRING")
	case e.Length == nil:
		return b.set.Function("weight_string", []fn.Expr{arg})
	}
	n := typeDigits(e.Length.Text, -1)
	if e.Binary {
		if arg, err = b.set.CastBytes(arg, n); err != nil {
			return nil, err
		}
		return b.set.Function("weight_string", []fn.Expr{arg})
	}
	return b.set.Function("weight_string", []fn.Expr{arg, fn.IntConst(int64(n))})
}

// trimsOf are the functions that take a given text away.
var trimsOf = map[ast.TrimSide]string{ast.TrimDefault: "trim both ", ast.TrimBoth: "trim both ", ast.TrimLeading: "trim leading ", ast.TrimTrailing: "trim trailing "}

var trimNames = map[ast.TrimSide]string{ast.TrimDefault: "trim", ast.TrimBoth: "trim", ast.TrimLeading: "ltrim", ast.TrimTrailing: "rtrim"}

// list binds several expressions.
func (b *binder) list(x *exprs, list []ast.Expr) (out []fn.Expr, err error) {
	for _, e := range list {
		bound, err := b.expr(x, e)
		if err != nil {
			return nil, err
		}
		out = append(out, bound)
	}
	return out, nil
}

func (b *binder) function(x *exprs, name string, list []ast.Expr) (fn.Expr, error) {
	args := make([]fn.Expr, len(list))
	for i, e := range list {
		var err error
		if args[i], err = b.value(x, e); err != nil {
			return nil, err
		}
	}
	if fn.Varying(name) && !b.mayVary() {
		return nil, fn.Refuse(fn.ByFunction, name)
	}
	return b.set.Function(name, args)
}

// column binds a name: of a column, or of an item of the select list where these may be used. One
// that could be both is refused.
func (b *binder) column(x *exprs, n *ast.Column) (fn.Expr, error) {
	if v, err := b.programVariable(n); v != nil || err != nil {
		return v, err
	}
	col, _, err := x.scope.find(n)
	if err != nil {
		return nil, err
	}
	var named fn.Expr
	if !n.Table.Given() {
		for i := range x.items {
			if !strings.EqualFold(x.items[i].Name, n.Name.Name) {
				continue
			}
			if named != nil && fn.Key(named) != fn.Key(x.items[i].Expr) {
				return nil, fn.Refuse(fn.ByName, "an ambiguous column")
			}
			named = x.items[i].Expr
		}
	}
	switch {
	case col == nil && named == nil:
		return nil, fn.Refuse(fn.ByName, "no column "+n.Name.Name)
	case col == nil:
		return fn.Clone(named), nil
	case x.having != nil && x.scope.owns(col.ID) && !x.having.mayHave(col.ID):
		return nil, fn.Refuse(fn.ByName, "HAVING of a column that is neither selected nor grouped by")
	case named != nil && fn.Key(named) != fn.Key(col):
		return nil, fn.Refuse(fn.ByName, "a name that is a column and an alias")
	}
	return col, nil
}

// programVariable is the value of a variable of the program that the query stands in; nil: the name
// is none.
func (b *binder) programVariable(n *ast.Column) (fn.Expr, error) {
	if b.local == nil || n.Table.Given() {
		return nil, nil
	}
	return b.local(n.Name.Name)
}

func (b *binder) unary(x *exprs, e *ast.Unary) (fn.Expr, error) {
	arg, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case ast.Minus:
		return fn.Minus(arg)
	case ast.Plus:
		return arg, nil
	case ast.Not, ast.Bang:
		return b.not(arg)
	case ast.BitNot:
		return fn.Invert(arg)
	case ast.Binary:
		return b.set.CastBytes(arg, -1)
	}
	return nil, fn.Refuse(fn.ByFunction, "an operator")
}

func (b *binder) not(arg fn.Expr) (fn.Expr, error) {
	if err := fn.Condition(arg); err != nil {
		return nil, err
	}
	if q, ok := arg.(*Subquery); ok && q.Kind != Scalar {
		n := *q
		n.Not = !n.Not
		return &n, nil
	}
	return fn.Not(arg)
}

var comparisons = map[ast.BinaryOp]string{ast.Equal: "=", ast.NullSafeEqual: "<=>", ast.NotEqual: "<>", ast.Less: "<", ast.LessEqual: "<=",
	ast.Greater: ">", ast.GreaterEqual: ">="}

var bitOperators = map[ast.BinaryOp]string{ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.ShiftLeft: "<<", ast.ShiftRight: ">>"}

var arithmetics = map[ast.BinaryOp]string{ast.Add: "+", ast.Sub: "-", ast.Mul: "*", ast.Div: "/", ast.IntDiv: "div", ast.Mod: "%"}

func (b *binder) binary(x *exprs, e *ast.BinaryExpr) (fn.Expr, error) {
	if l, row := e.L.(*ast.Row); row && (e.Op == ast.Equal || e.Op == ast.NotEqual) {
		out, err := b.rowsEqual(x, l, e.R)
		if err != nil || e.Op == ast.Equal {
			return out, err
		}
		return fn.Not(out)
	}
	l, err := b.expr(x, e.L)
	if err != nil {
		return nil, err
	}
	r, err := b.expr(x, e.R)
	if err != nil {
		return nil, err
	}
	if op := bitOperators[e.Op]; op != "" {
		return fn.Bits(op, l, r)
	}
	if op := comparisons[e.Op]; op != "" {
		sides := []fn.Expr{l, r}
		b.set.Dated(l, sides[1:]...)
		b.set.Dated(r, sides[:1]...)
		return fn.Compare(op, sides[0], sides[1])
	}
	if op := arithmetics[e.Op]; op != "" {
		return fn.Arith(op, l, r)
	}
	if e.Op == ast.Xor && fn.Condition(l) == nil && fn.Condition(r) == nil {
		return fn.Xor(l, r), nil
	}
	return nil, fn.Refuse(fn.ByFunction, "an operator")
}

// rowsEqual binds (a, b) = (c, d).
func (b *binder) rowsEqual(x *exprs, l *ast.Row, right ast.Expr) (fn.Expr, error) {
	r, ok := right.(*ast.Row)
	if !ok || len(r.Items) != len(l.Items) {
		return nil, fn.Refuse(fn.BySubquery, "a row beside what is none")
	}
	var parts []fn.Expr
	for i := range l.Items {
		pair, err := b.list(x, []ast.Expr{l.Items[i], r.Items[i]})
		if err != nil {
			return nil, err
		}
		eq, err := fn.Compare("=", pair[0], pair[1])
		if err != nil {
			return nil, err
		}
		parts = append(parts, eq)
	}
	return fn.And(parts...), nil
}

func (b *binder) logical(x *exprs, e *ast.Logical) (fn.Expr, error) {
	var parts []fn.Expr
	for _, item := range e.Items {
		p, err := b.condition(x, item)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if e.Or {
		return fn.Or(parts...), nil
	}
	return fn.And(parts...), nil
}

func (b *binder) is(x *exprs, e *ast.Is) (fn.Expr, error) {
	bind := b.expr
	if e.What == ast.IsNull {
		bind = b.value
	}
	arg, err := bind(x, e.X)
	if err != nil {
		return nil, err
	}
	var out fn.Expr
	switch e.What {
	case ast.IsNull, ast.IsUnknown:
		if _, known := e.X.(*ast.Column); e.What == ast.IsUnknown && !known && fn.Condition(arg) != nil {
			return nil, fn.Refuse(fn.ByType, "IS UNKNOWN of what is no condition")
		}
		if e.Not {
			return fn.IsNotNull(arg), nil
		}
		return fn.IsNull(arg), nil
	default:
		if err := fn.Condition(arg); err != nil {
			return nil, err
		}
		out = fn.Is(arg, e.What == ast.IsTrue)
	}
	if e.Not {
		return fn.Not(out)
	}
	return out, nil
}

func (b *binder) between(x *exprs, e *ast.Between) (fn.Expr, error) {
	args, err := b.list(x, []ast.Expr{e.X, e.Low, e.High})
	if err != nil {
		return nil, err
	}
	b.set.Dated(args[0], args[1:]...)
	out, err := fn.Between(args[0], args[1], args[2])
	if err != nil || !e.Not {
		return out, err
	}
	return fn.Not(out)
}

func (b *binder) in(x *exprs, e *ast.In) (fn.Expr, error) {
	if l, row := e.X.(*ast.Row); row && e.Query == nil {
		return b.rowIn(x, l, e)
	}
	left, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	if e.Query != nil {
		return b.inQuery(x, left, e)
	}
	list, err := b.list(x, e.List)
	if err != nil {
		return nil, err
	}
	b.set.Dated(left, list...)
	out, err := fn.In(left, list)
	if err != nil || !e.Not {
		return out, err
	}
	return fn.Not(out)
}

// rowIn binds (a, b) IN ((c, d), ...).
func (b *binder) rowIn(x *exprs, l *ast.Row, e *ast.In) (fn.Expr, error) {
	left, err := b.list(x, l.Items)
	if err != nil {
		return nil, err
	}
	list := make([][]fn.Expr, len(e.List))
	for i, item := range e.List {
		r, ok := item.(*ast.Row)
		if !ok || len(r.Items) != len(l.Items) {
			return nil, fn.Refuse(fn.BySubquery, "a row beside what is none")
		}
		if list[i], err = b.list(x, r.Items); err != nil {
			return nil, err
		}
	}
	out, err := fn.RowIn(left, list)
	if err != nil || !e.Not {
		return out, err
	}
	return fn.Not(out)
}

func (b *binder) like(x *exprs, e *ast.Like) (fn.Expr, error) {
	args, err := b.list(x, []ast.Expr{e.X, e.Pattern})
	if err != nil {
		return nil, err
	}
	if e.Escape != nil {
		by, err := b.expr(x, e.Escape)
		if err != nil {
			return nil, err
		}
		if args[1], err = fn.Escaped(args[1], by); err != nil {
			return nil, err
		}
	}
	out, err := fn.Like(args[0], args[1])
	if err != nil || !e.Not {
		return out, err
	}
	return fn.Not(out)
}

func (b *binder) caseOf(x *exprs, e *ast.Case) (fn.Expr, error) {
	var conds, thens []fn.Expr
	var subject fn.Expr
	var err error
	if e.X != nil {
		if subject, err = b.expr(x, e.X); err != nil {
			return nil, err
		}
	}
	for i := range e.Whens {
		cond, err := b.expr(x, e.Whens[i].Cond)
		if err != nil {
			return nil, err
		}
		if subject != nil {
			with := []fn.Expr{cond}
			b.set.Dated(subject, with...)
			if cond, err = fn.Compare("=", fn.Clone(subject), with[0]); err != nil {
				return nil, err
			}
		}
		then, err := b.expr(x, e.Whens[i].Then)
		if err != nil {
			return nil, err
		}
		conds, thens = append(conds, cond), append(thens, then)
	}
	if e.Else != nil {
		last, err := b.expr(x, e.Else)
		if err != nil {
			return nil, err
		}
		thens = append(thens, last)
	}
	return fn.NewCase(conds, thens)
}

func (b *binder) dateArith(x *exprs, e *ast.DateArith) (fn.Expr, error) {
	date, err := b.expr(x, e.Date)
	if err != nil {
		return nil, err
	}
	amount, err := b.expr(x, e.Interval.X)
	if err != nil {
		return nil, err
	}
	_, nested := e.Date.(*ast.DateArith)
	return fn.AddInterval(date, fn.Interval{Amount: amount, Unit: e.Interval.Unit.String(), Sub: e.Sub, Clock: nested}, b.set.Collation)
}
