package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// What is bound for its type alone: columns are made of a query's expressions also where nothing
// here computes them.

// described is an expression as its type; nil: it is bound as any other one.
func (b *binder) described(x *exprs, e ast.Expr) (fn.Expr, error) {
	switch e := e.(type) {
	case *ast.Literal:
		return b.describedLiteral(e)
	case *ast.Cast:
		return b.describedCast(x, e)
	case *ast.ConvertUsing:
		return b.describedUsing(x, e)
	case *ast.Char:
		return b.describedChar(e)
	case *ast.Collate:
		arg, err := b.collate(x, e)
		if err != nil {
			return nil, nil
		}
		return b.set.Function("collate", []fn.Expr{arg})
	case *ast.Case:
		return b.describedCase(x, e)
	case *ast.Logical:
		return b.describedLogical(x, e)
	case *ast.Trim:
		if e.Remove != nil {
			return b.function(x, "trim of", []ast.Expr{e.X, e.Remove})
		}
	case *ast.GetFormat:
		return b.function(x, "get_format", []ast.Expr{e.X})
	case *ast.Extract:
		return b.describedExtract(x, e)
	case *ast.TimestampFunc:
		if !e.Diff {
			return b.dateArith(x, &ast.DateArith{Span: e.Span, Date: e.B, Interval: &ast.Interval{Span: e.Span, X: e.A, Unit: e.Unit}})
		}
		return typed(types.IntType(21, true)), nil
	case *ast.Aggregate:
		return b.describedExtreme(x, e)
	case *ast.BinaryExpr:
		if e.Op == ast.Mod {
			args, err := b.list(x, []ast.Expr{e.L, e.R})
			if err != nil {
				return nil, nil
			}
			out, err := b.set.Function("%", args)
			if d, ok := out.(*fn.Described); ok && err == nil {
				return d, nil
			}
		}
	case *ast.WindowFunc:
		return b.describedNeighbour(x, e)
	case *ast.Assignment:
		return b.describedAssignment(x, e)
	}
	return nil, nil
}

func typed(t types.Type) fn.Expr { return &fn.Described{T: t} }

// collationOf is the default collation of a character set.
func (b *binder) collationOf(charset string) (uint16, bool) {
	if b.charsetID == nil {
		return 0, false
	}
	return b.charsetID(charset)
}

func (b *binder) describedLiteral(l *ast.Literal) (fn.Expr, error) {
	switch {
	case l.Charset != "" && !strings.EqualFold(l.Charset, "binary") && l.Kind == ast.StringLiteral:
		if id, ok := b.collationOf(l.Charset); ok && isASCII(l.Text) {
			return typed(types.StringType(uint32(len(l.Text)), id, types.Literal, false)), nil
		}
	case l.Kind == ast.NationalLiteral:
		if id, ok := b.collationOf("utf8mb3"); ok && isASCII(l.Text) {
			return typed(types.StringType(uint32(len(l.Text)), id, types.Literal, false)), nil
		}
	case l.Charset == "" && l.Kind == ast.HexLiteral:
		return typed(types.StringType(uint32(len(l.Text)+1)/2, types.Binary, types.Literal, false)), nil
	case l.Charset == "" && l.Kind == ast.BitLiteral:
		return typed(types.StringType(uint32(len(l.Text)+7)/8, types.Binary, types.Literal, false)), nil
	}
	return nil, nil
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

func (b *binder) describedCast(x *exprs, e *ast.Cast) (fn.Expr, error) {
	if e.Array || e.Zone != nil || e.Local {
		return nil, nil
	}
	arg, err := b.value(x, e.X)
	if err != nil {
		return nil, err
	}
	from := arg.Type()
	length := typeDigits(e.Type.Length, -1)
	switch e.Type.Kind {
	case ast.TypeChar:
		id := b.set.Collation
		if e.Type.National {
			id, _ = b.collationOf("utf8mb3")
		} else if e.Type.Charset.Given() {
			id, _ = b.collationOf(e.Type.Charset.Name)
		}
		if e.Type.Binary || e.Type.Shorthand != ast.NoCharsetWord || id == 0 {
			return nil, nil
		}
		return typed(b.set.Recast(from, id, length)), nil
	case ast.TypeBinary:
		return typed(b.set.Recast(from, types.Binary, length)), nil
	case ast.TypeTime:
		return typed(types.TimeType(uint8(max(length, 0)), true)), nil
	case ast.TypeDatetime:
		return typed(types.DateTimeType(uint8(max(length, 0)), true)), nil
	}
	return nil, nil
}

func (b *binder) describedUsing(x *exprs, e *ast.ConvertUsing) (fn.Expr, error) {
	arg, err := b.value(x, e.X)
	if err != nil {
		return nil, err
	}
	id, ok := b.collationOf(e.Charset.Name)
	if !ok {
		return nil, nil
	}
	if strings.EqualFold(e.Charset.Name, "utf8mb4") && b.set.Collation != types.Binary && types.SameCharset(id, b.set.Collation) {
		id = b.set.Collation
	}
	return typed(b.set.Recast(arg.Type(), id, -1)), nil
}

func (b *binder) describedChar(e *ast.Char) (fn.Expr, error) {
	n := uint32(4 * len(e.Args))
	if !e.Charset.Given() {
		return typed(types.StringType(n, types.Binary, types.Literal, true)), nil
	}
	id, ok := b.collationOf(e.Charset.Name)
	if !ok {
		return nil, nil
	}
	return typed(types.StringType(n, id, types.Literal, true)), nil
}

// describedCase is CASE; its conditions say nothing of its type.
func (b *binder) describedCase(x *exprs, e *ast.Case) (fn.Expr, error) {
	var thens []fn.Expr
	add := func(e ast.Expr) error {
		then, err := b.value(x, e)
		thens = append(thens, then)
		return err
	}
	for i := range e.Whens {
		if err := add(e.Whens[i].Then); err != nil {
			return nil, err
		}
	}
	if e.Else == nil {
		thens = append(thens, fn.NullConst())
	} else if err := add(e.Else); err != nil {
		return nil, err
	}
	t, err := b.set.Choice(thens)
	return typed(t), err
}

// describedLogical is AND and OR: NULL if an operand may be, whatever the constants among them.
func (b *binder) describedLogical(x *exprs, e *ast.Logical) (fn.Expr, error) {
	list, err := b.list(x, e.Items)
	if err != nil {
		return nil, err
	}
	t := types.BoolType(false)
	for _, p := range list {
		t.Nullable = t.Nullable || p.Type().Nullable
	}
	return typed(t), nil
}

// extractLengths are the digits of the units whose values are more than a part of a date.
var extractLengths = map[string]uint32{"year": 5, "year_month": 7, "day_hour": 5, "day_minute": 7, "day_second": 9, "hour_minute": 5, "hour_second": 7,
	"minute_second": 5, "microsecond": 7, "second_microsecond": 9, "minute_microsecond": 11, "hour_microsecond": 13, "day_microsecond": 20}

func (b *binder) describedExtract(x *exprs, e *ast.Extract) (fn.Expr, error) {
	if _, err := b.value(x, e.X); err != nil {
		return nil, err
	}
	n := extractLengths[strings.ToLower(e.Unit.String())]
	return typed(types.IntType(max(n, 3), true)), nil
}

// describedExtreme is MIN or MAX: of the type of a column it is asked for.
func (b *binder) describedExtreme(x *exprs, e *ast.Aggregate) (fn.Expr, error) {
	name := strings.ToLower(e.Name.Name)
	if name != "min" && name != "max" || len(e.Args) != 1 || x.aggs == nil {
		return nil, nil
	}
	arg, err := b.value(&exprs{scope: x.scope}, e.Args[0])
	if err != nil {
		return nil, err
	}
	t := arg.Type().Nullify(true)
	if _, column := arg.(*fn.Column); !column || e.Over != nil {
		if t.Wire == types.WireString && t.Kind == types.String {
			t.Wire = types.WireVarString
		}
		if t.Kind == types.Enum {
			t = types.StringType(t.Length, t.Collation, t.Coerce, true)
		}
	}
	return &fn.Described{T: t, Whole: true}, nil
}

// describedNeighbour is LAG or LEAD, whose integers are BIGINT.
func (b *binder) describedNeighbour(x *exprs, e *ast.WindowFunc) (fn.Expr, error) {
	if name := strings.ToLower(e.Name.Name); name != "lag" && name != "lead" {
		return nil, nil
	}
	out, err := b.windowFunc(x, e)
	if err != nil {
		return nil, err
	}
	t := out.Type()
	if t.Kind.Integer() {
		t.Wire = types.WireLongLong
	}
	return &fn.Described{T: t, Whole: t.Kind.Integer()}, nil
}

// describedAssignment is @name := value.
func (b *binder) describedAssignment(x *exprs, e *ast.Assignment) (fn.Expr, error) {
	arg, err := b.value(x, e.Value)
	if err != nil {
		return nil, err
	}
	t := arg.Type()
	if t.Kind.Temporal() || t.Kind == types.Enum {
		t = b.set.Recast(t, b.set.Collation, -1)
	}
	return typed(t), nil
}
