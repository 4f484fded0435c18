package lower

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/texts"
)

func typeName(n any) string { return fmt.Sprintf("%T", n) }

// call is a call of a function with these arguments.
func call(name string, args ...vt.Expr) *vt.FuncExpr {
	f := &vt.FuncExpr{Name: vt.NewColIdent(name)}
	if len(args) > 0 {
		f.Exprs = make(vt.SelectExprs, len(args))
		for i, x := range args {
			f.Exprs[i] = &vt.AliasedExpr{Expr: x}
		}
	}
	return f
}

// arguments lowers the arguments of a call.
func (l *lowerer) arguments(list []ast.Expr) vt.SelectExprs {
	if len(list) == 0 {
		return nil
	}
	out := make(vt.SelectExprs, len(list))
	for i, x := range list {
		if star, ok := x.(*ast.Star); ok {
			out[i] = starExpr(star)
		} else {
			out[i] = &vt.AliasedExpr{Expr: l.expr(x)}
		}
	}
	return out
}

// function lowers what is written as a call.
func (l *lowerer) function(x ast.Expr) vt.Expr {
	switch x := x.(type) {
	case *ast.Func:
		return l.plainCall(x)
	case *ast.Aggregate:
		return l.aggregate(x)
	case *ast.WindowFunc:
		return l.windowFunc(x)
	case *ast.Cast:
		l.refuseIf(x.Zone != nil || x.Local, "CAST at a time zone")
		if x.Array {
			return l.arrayCast(x)
		}
		l.checkPrecision(x.Type, x.X)
		return &vt.ConvertExpr{Name: either(x.Convert, "convert", "cast"), Expr: l.expr(x.X), Type: l.convertType(x.Type)}
	case *ast.ConvertUsing:
		return &vt.ConvertUsingExpr{Expr: l.expr(x.X), Type: x.Charset.Name}
	case *ast.Char:
		return &vt.CharExpr{Exprs: l.arguments(x.Args), Type: x.Charset.Name}
	case *ast.Trim:
		return l.trim(x)
	case *ast.Extract:
		return &vt.ExtractFuncExpr{Name: "extract", Unit: x.Unit.String(), Expr: l.expr(x.X)}
	case *ast.Position:
		return call("LOCATE", l.expr(x.Sub), l.expr(x.X))
	case *ast.GetFormat:
		return call("get_format", str(x.Type.Name), l.expr(x.X))
	case *ast.TimestampFunc:
		return &vt.TimestampFuncExpr{
			Name: either(x.Diff, "timestampdiff", "timestampadd"), Unit: x.Unit.String(), Expr1: l.expr(x.A), Expr2: l.expr(x.B),
		}
	case *ast.WeightString:
		return l.weightString(x)
	case *ast.Match:
		return l.match(x)
	case *ast.JSONValue:
		return l.jsonValue(x)
	case *ast.DefaultOf:
		return l.defaultOf(x)
	case *ast.ValuesOf:
		return &vt.ValuesFuncExpr{Name: &vt.ColName{Name: colIdent(x.Column.Name)}} // always of the table that is inserted into
	}
	l.refuse(Reason("expression " + strings.TrimPrefix(typeName(x), "*ast.")))
	return nil
}

// preciseClocks are the functions that GMS's grammar gives a precision when none is written.
var preciseClocks = map[string]bool{"current_time": true, "utc_time": true, "utc_timestamp": true,
	"current_timestamp": true, "localtime": true, "localtimestamp": true}

// clockNames are the functions that take the digits of a second, by the names in errors.
var clockNames = map[string]string{"curtime": "curtime", "current_time": "curtime", "utc_time": "utc_time", "utc_timestamp": "utc_timestamp",
	"sysdate": "sysdate", "now": "now", "current_timestamp": "now", "localtime": "now", "localtimestamp": "now"}

// checkDigits refuses more digits than a second has.
func (l *lowerer) checkDigits(n *ast.Func) {
	name, ok := clockNames[strings.ToLower(n.Name.Name)]
	if !ok || n.Schema.Name != "" || len(n.Args) != 1 {
		return
	}
	digits, ok := n.Args[0].(*ast.Literal)
	if !ok || digits.Kind != ast.IntLiteral {
		return
	}
	if asked, err := strconv.Atoi(digits.Text); err == nil && asked > 6 {
		l.raise(1426, "42000", "Too-big precision %d specified for '%s'. Maximum is 6.", asked, name)
	}
}

func (l *lowerer) plainCall(n *ast.Func) vt.Expr {
	l.checkArguments(n)
	l.checkDigits(n)
	l.refuseIf(n.Aliases != nil, "arguments with aliases")
	f := &vt.FuncExpr{Name: colIdent(n.Name), Qualifier: tableIdent(n.Schema), Exprs: l.arguments(n.Args)}
	switch {
	case n.Schema.Name == "" && f.Name.Lowered() == "name_const" && len(n.Args) == 2:
		f.Exprs = l.nameConst(n.Args[0], n.Args[1])
	case !n.Keyword:
	case f.Name.Lowered() == "interval":
		f.Name = vt.NewColIdent(operand.IntervalOf)
	case len(n.Args) == 0 && preciseClocks[f.Name.Lowered()]:
		f.Exprs = vt.SelectExprs{&vt.AliasedExpr{Expr: vt.NewIntVal([]byte{'0'})}}
	}
	return f
}

// nameConst lowers the arguments of NAME_CONST, which are constants.
func (l *lowerer) nameConst(name, value ast.Expr) vt.SelectExprs {
	wrong := func() { l.raise(1210, "HY000", "Incorrect arguments to NAME_CONST") }
	if n, ok := name.(*ast.Literal); !ok {
		wrong()
	} else if n.Kind == ast.NullLiteral {
		l.raise(1382, "HY000", "The 'NAME_CONST' syntax is reserved for purposes internal to the MySQL server")
	}
	negative, x := false, value
	for u, ok := x.(*ast.Unary); ok && (u.Op == ast.Plus || u.Op == ast.Minus && !negative); u, ok = x.(*ast.Unary) {
		negative, x = negative || u.Op == ast.Minus, u.X
	}
	of := x
	if c, ok := x.(*ast.Collate); ok {
		of = c.X
	}
	n, ok := of.(*ast.Literal)
	if !ok {
		wrong()
	}
	out := l.expr(x)
	if negative && (n.Kind == ast.IntLiteral || n.Kind == ast.DecimalLiteral || n.Kind == ast.FloatLiteral) {
		number := *out.(*vt.SQLVal)
		number.Val = append([]byte{'-'}, number.Val...)
		out = &number
	} else if negative {
		out = l.expr(value)
	}
	return vt.SelectExprs{&vt.AliasedExpr{Expr: l.expr(name)}, &vt.AliasedExpr{Expr: out}}
}

func (l *lowerer) aggregate(n *ast.Aggregate) vt.Expr {
	l.refuseIf(n.Nulls != ast.NoNullClause, "null clause of a JSON aggregate")
	if strings.EqualFold(n.Name.Name, "group_concat") {
		return l.groupConcat(n)
	}
	return &vt.FuncExpr{Name: colIdent(n.Name), Distinct: n.Distinct, Exprs: l.arguments(n.Args), Over: l.over(n.Over)}
}

func (l *lowerer) groupConcat(n *ast.Aggregate) vt.Expr {
	l.refuseIf(n.Over != nil, "GROUP_CONCAT over a window")
	out := &vt.GroupConcatExpr{Exprs: l.arguments(n.Args), OrderBy: l.orderBy(n.OrderBy)}
	if n.Distinct {
		out.Distinct = vt.DistinctStr
	}
	if n.Separator == nil {
		out.Separator.DefaultSeparator = true
	} else {
		out.Separator.SeparatorString = n.Separator.Bytes()
	}
	return out
}

func (l *lowerer) trim(n *ast.Trim) vt.Expr {
	t := &vt.TrimExpr{Str: l.expr(n.X), Pattern: l.expr(n.Remove), Dir: vt.Both}
	if n.Remove == nil {
		t.Pattern = str(" ")
	}
	switch n.Side {
	case ast.TrimLeading:
		t.Dir = vt.Leading
	case ast.TrimTrailing:
		t.Dir = vt.Trailing
	}
	return t
}

var matchOptions = [...]string{ast.MatchDefault: "", ast.MatchNatural: vt.NaturalLanguageModeStr, ast.MatchBoolean: vt.BooleanModeStr,
	ast.MatchNaturalExpansion: vt.NaturalLanguageModeWithQueryExpansionStr, ast.MatchExpansion: vt.QueryExpansionStr}

func (l *lowerer) match(n *ast.Match) vt.Expr {
	m := &vt.MatchExpr{Expr: l.expr(n.X), Option: matchOptions[n.Mode], Columns: make(vt.SelectExprs, len(n.Columns))}
	for i, c := range n.Columns {
		m.Columns[i] = &vt.AliasedExpr{Expr: column(c)}
	}
	return m
}

// defaultOf lowers DEFAULT(c) to the function that finds the column; a table's definition has a
// node of its own for it.
func (l *lowerer) defaultOf(n *ast.DefaultOf) vt.Expr {
	if l.table {
		l.refuseIf(n.Column.Table.Given(), "DEFAULT of a qualified column in a definition")
		return &vt.Default{ColName: n.Column.Name.Name}
	}
	return call(expr.DefaultOf, column(n.Column))
}

// jsonValue lowers JSON_VALUE. What stands behind the path is three arguments more: the type as it
// is written, and what is given ON EMPTY and ON ERROR.
func (l *lowerer) jsonValue(n *ast.JSONValue) vt.Expr {
	if n.Returning == nil && n.OnEmpty == nil && n.OnError == nil {
		return call("json_value", l.expr(n.X), l.expr(n.Path))
	}
	returning := ""
	if n.Returning != nil {
		l.checkPrecision(n.Returning, n.X)
		returning = l.text[n.Returning.Pos():n.Returning.End()]
	}
	return call(documents.ValueOf, l.expr(n.X), l.expr(n.Path), str("\x00"+returning), l.instead(n.OnEmpty), l.instead(n.OnError))
}

func (l *lowerer) instead(d *ast.JSONDefault) vt.Expr {
	switch {
	case d == nil || d.Action == ast.JSONNull:
		return &vt.NullVal{}
	case d.Action == ast.JSONError:
		return str(documents.RaisesError)
	}
	return l.expr(d.Value)
}

// weightString lowers WEIGHT_STRING: AS BINARY is a cast, the number of AS CHAR an argument, and so
// are the three numbers of the internal form.
func (l *lowerer) weightString(n *ast.WeightString) vt.Expr {
	switch {
	case n.Flags != nil:
		args := []vt.Expr{l.expr(n.X)}
		for _, f := range n.Flags {
			args = append(args, vt.NewIntVal([]byte(wholePart(l.text[f.Pos():f.End()]))))
		}
		return call(texts.WeightString, args...)
	case n.Length == nil:
		return call(texts.WeightString, l.expr(n.X))
	case n.Binary:
		to := &vt.ConvertType{Type: "BINARY", Length: number(n.Length.Text)}
		return call(texts.WeightString, &vt.ConvertExpr{Name: "cast", Expr: l.expr(n.X), Type: to})
	}
	return call(texts.WeightString, l.expr(n.X), vt.NewIntVal([]byte(n.Length.Text)))
}

// wholePart is as much of a number as is one of digits: MySQL reads no more here.
func wholePart(text string) string {
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		n, _ := strconv.ParseUint(text[2:], 16, 64)
		return strconv.FormatUint(n, 10)
	}
	return cmp.Or(text[:len(text)-len(strings.TrimLeft(text, "0123456789"))], "0")
}

var castTypes = map[ast.TypeKind]string{ast.TypeBinary: "BINARY", ast.TypeChar: "CHAR", ast.TypeDate: "DATE",
	ast.TypeDatetime: "DATETIME", ast.TypeDecimal: "DECIMAL", ast.TypeDouble: "DOUBLE", ast.TypeFloat: "FLOAT", ast.TypeReal: "REAL",
	ast.TypeJSON: "JSON", ast.TypeSigned: "SIGNED", ast.TypeTime: "TIME", ast.TypeUnsigned: "UNSIGNED", ast.TypeYear: "YEAR",
	ast.TypePoint: "POINT", ast.TypeLineString: "LINESTRING", ast.TypePolygon: "POLYGON", ast.TypeMultiPoint: "MULTIPOINT",
	ast.TypeMultiLineString: "MULTILINESTRING", ast.TypeMultiPolygon: "MULTIPOLYGON", ast.TypeGeometryCollection: "GEOMETRYCOLLECTION"}

// checkPrecision refuses digits that no value of the type of a CAST has.
func (l *lowerer) checkPrecision(t *ast.CastType, x ast.Expr) {
	length, _ := strconv.Atoi(t.Length)
	scale, _ := strconv.Atoi(t.Scale)
	most, of := 0, "CAST"
	switch t.Kind {
	case ast.TypeDatetime, ast.TypeTime:
		most = 6
	case ast.TypeFloat:
		most = 53
	case ast.TypeDecimal:
		most, of = 65, l.text[x.Pos():x.End()]
		if scale > 30 {
			l.raise(1425, "42000", "Too big scale %d specified for column '%s'. Maximum is 30.", scale, of)
		}
		if length <= most && scale > max(length, 0) && t.Length != "" {
			l.raise(1427, "42000", "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '').")
		}
	default:
		return
	}
	if length > most {
		l.raise(1426, "42000", "Too-big precision %d specified for '%s'. Maximum is %d.", length, of, most)
	}
}

func (l *lowerer) convertType(n *ast.CastType) *vt.ConvertType {
	name, ok := castTypes[n.Kind]
	l.refuseIf(!ok || n.Binary, "type of a CAST")
	t := &vt.ConvertType{Type: name, Length: number(n.Length), Scale: number(n.Scale)}
	if n.Kind != ast.TypeChar {
		return t
	}
	if n.National {
		t.Type = "NCHAR"
		return t
	}
	t.Operator = vt.CharacterSetStr
	switch {
	case n.Charset.Given():
		t.Charset = n.Charset.Name
	case n.Shorthand == ast.AsciiWord:
		t.Charset = "latin1"
	case n.Shorthand == ast.UnicodeWord:
		t.Charset = "ucs2"
	case n.Shorthand == ast.ByteWord:
		t.Charset = "binary"
	}
	return t
}
