package documents

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// ValueOf is JSON_VALUE with words behind its path, which the grammar lacks: they are a text that
// is its third argument, and begins with a zero byte.
const ValueOf = "\x00json_value"

// What happens where there is no value, or none of the type.
const (
	giveNull = iota
	giveError
	giveDefault
)

type otherwise struct {
	what  int
	value any
}

// jsonValue is JSON_VALUE.
type jsonValue struct {
	operand.Many
	doc     documentReader
	typ     sql.Type
	kind    string // the type's name in errors
	length  int    // of a text; 0: any
	onEmpty otherwise
	onError otherwise
}

var _ sql.CollationCoercible = (*jsonValue)(nil)

func newJSONValue(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) < 2 || len(args) > 3 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_VALUE", 2, len(args))
	}
	v := &jsonValue{Many: operand.OverMany(args), doc: documentReader{args[0], "json_value", 0}, kind: "STRING", length: 512, typ: types.MustCreateString(sqltypes.VarChar, 512, sql.Collation_Default)}
	if len(args) == 2 {
		return v, nil
	}
	l, ok := args[2].(*expression.Literal)
	if !ok {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_VALUE", 2, len(args))
	}
	tail, _ := l.Value().(string)
	return v, v.read(ctx, strings.TrimPrefix(tail, "\x00"))
}

func valueSyntax(near string) error {
	return mysql.NewSQLError(mysql.ERParseError, "42000", "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%s'", near)
}

// read takes the words apart: [RETURNING type] [NULL | ERROR | DEFAULT literal ON EMPTY] [... ON
// ERROR].
func (v *jsonValue) read(ctx *sql.Context, tail string) error {
	words := strings.Fields(tail)
	is := func(i int, word string) bool { return i < len(words) && strings.EqualFold(words[i], word) }
	behaviour := func(i int) bool { return is(i, "null") || is(i, "error") || is(i, "default") }
	i := 0
	if is(0, "returning") {
		for i = 1; i < len(words) && !behaviour(i); i++ {
		}
		if err := v.returning(strings.Join(words[1:i], " ")); err != nil {
			return err
		}
	}
	for i < len(words) {
		start := i
		for i < len(words) && !is(i, "on") {
			i++
		}
		if !behaviour(start) || !is(i+1, "empty") && !is(i+1, "error") {
			return valueSyntax(strings.Join(words[start:], " "))
		}
		to := &v.onEmpty
		if is(i+1, "error") {
			to = &v.onError
		}
		switch {
		case is(start, "error"):
			to.what = giveError
		case is(start, "default"):
			value, err := literalIn(strings.Join(words[start+1:i], " "))
			if err != nil {
				return err
			}
			converted, ok := v.convert(ctx, value)
			if !ok {
				return v.outOfRange()
			}
			*to = otherwise{giveDefault, converted}
		}
		i += 2
	}
	return nil
}

// literalIn is the value of a literal as a document holds it.
func literalIn(text string) (any, error) {
	stmt, err := ast.Parse("SELECT " + text)
	if s, ok := stmt.(*ast.Select); ok && err == nil && len(s.SelectExprs) == 1 {
		if e, ok := s.SelectExprs[0].(*ast.AliasedExpr); ok {
			sign := ""
			if u, ok := e.Expr.(*ast.UnaryExpr); ok && u.Operator == ast.UMinusStr {
				sign, e.Expr = "-", u.Expr
			}
			if l, ok := e.Expr.(*ast.SQLVal); ok {
				if l.Type == ast.StrVal {
					return string(l.Val), nil
				}
				return operand.NumberIn(sign + string(l.Val)), nil
			}
		}
	}
	return nil, valueSyntax(text)
}

func (v *jsonValue) returning(text string) error {
	stmt, err := ast.Parse("SELECT CAST(NULL AS " + text + ")")
	if err != nil {
		return valueSyntax("returning " + text)
	}
	cast, ok := stmt.(*ast.Select).SelectExprs[0].(*ast.AliasedExpr).Expr.(*ast.ConvertExpr)
	if !ok {
		return valueSyntax("returning " + text)
	}
	size := func(n *ast.SQLVal, otherwise int) int {
		if n == nil {
			return otherwise
		}
		i, _ := strconv.Atoi(string(n.Val))
		return i
	}
	v.kind, v.length = strings.ToUpper(cast.Type.Type), 0
	switch strings.ToLower(cast.Type.Type) {
	case "signed", "signed integer":
		v.kind, v.typ = "SIGNED", types.Int64
	case "unsigned", "unsigned integer":
		v.kind, v.typ = "UNSIGNED", types.Uint64
	case "char", "nchar":
		v.kind, v.length = "STRING", size(cast.Type.Length, 0)
		v.typ = types.CreateLongText(sql.Collation_Default)
	case "decimal":
		v.typ, err = types.CreateDecimalType(uint8(size(cast.Type.Length, 10)), uint8(size(cast.Type.Scale, 0)))
	case "double", "real":
		v.typ = types.Float64
	case "float":
		v.typ = types.Float32
	case "date":
		v.typ = types.Date
	case "datetime":
		v.length = size(cast.Type.Length, 0)
		v.typ, err = types.CreateDatetimeType(sqltypes.Datetime, v.length)
	case "time":
		v.typ, v.length = types.Time, size(cast.Type.Length, 0)
	case "year":
		v.typ = types.Year
	case "json":
		v.typ = types.JSON
	default:
		return valueSyntax("returning " + text)
	}
	return err
}

func (v *jsonValue) outOfRange() error {
	return mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s value is out of range in 'json_value'", v.kind)
}

func (v *jsonValue) String() string {
	return "json_value(" + v.ChildExpressions[0].String() + ", " + v.ChildExpressions[1].String() + ")"
}

// Type implements sql.Expression.
func (v *jsonValue) Type(*sql.Context) sql.Type { return v.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (v *jsonValue) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if s, ok := v.typ.(sql.StringType); ok {
		return s.Collation(), 4
	}
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (v *jsonValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	changed, err := operand.WithChildren(v, children)
	if err == nil {
		changed.(*jsonValue).doc.doc = children[0]
	}
	return changed, err
}

const (
	erNoValue      = 3966
	erSeveralValue = 3967
)

// Eval implements sql.Expression.
func (v *jsonValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	p, err := pathOf(ctx, v.ChildExpressions[1], row, false)
	if err != nil || p == nil {
		return nil, err
	}
	doc, null, err := v.doc.value(ctx, row)
	if null && err == nil {
		return nil, nil
	}
	if isBytes(err) {
		return nil, err
	}
	if err != nil {
		return v.onError.give(err)
	}
	all, err := p.find(ctx, doc)
	if err != nil {
		return nil, err
	}
	switch {
	case len(all) == 0:
		return v.onEmpty.give(mysql.NewSQLError(erNoValue, "22035", "No value was found by 'json_value' on the specified path."))
	case len(all) > 1:
		return v.onError.give(mysql.NewSQLError(erSeveralValue, "22034", "More than one value was found by 'json_value' on the specified path."))
	case all[0].value == nil:
		return nil, nil
	default:
		if out, ok := v.convert(ctx, all[0].value); ok {
			return out, nil
		}
		return v.onError.give(v.outOfRange())
	}
}

func (o otherwise) give(err error) (any, error) {
	switch o.what {
	case giveError:
		return nil, err
	case giveDefault:
		return o.value, nil
	}
	return nil, nil
}

// convert makes a value of a document one of the type; ok is false if it is none.
func (v *jsonValue) convert(ctx *sql.Context, value any) (any, bool) {
	if types.IsJSON(v.typ) {
		return operand.MadeOf(value), true
	}
	text, isString := value.(string)
	if v.kind == "STRING" {
		if !isString {
			b, err := operand.AppendDocument(ctx, nil, value)
			if err != nil {
				return nil, false
			}
			text = string(b)
		}
		return text, v.length == 0 || utf8.RuneCountInString(text) <= v.length
	}
	switch value.(type) {
	case map[string]any, []any:
		return nil, false
	}
	if types.IsTime(v.typ) || types.IsTimespan(v.typ) {
		if !isString {
			return nil, false
		}
		return v.moment(ctx, text)
	}
	if b, ok := value.(bool); ok {
		value = int64(0)
		if b {
			value = int64(1)
		}
	}
	if !isString {
		if !types.IsNumber(v.typ) && !types.IsYear(v.typ) {
			return nil, false
		}
		if f, ok := value.(float64); ok {
			text = strconv.FormatFloat(f, 'f', -1, 64)
		} else if d, ok := value.(*apd.Decimal); ok {
			text = d.Text('f')
		}
	}
	if types.IsInteger(v.typ) && text != "" {
		d, err := operand.ParseDecimal(text)
		if err != nil || isString && strings.ContainsAny(text, ".eE") {
			return nil, false
		}
		if d, err = operand.Rounded(d, 0); err != nil {
			return nil, false
		}
		text = d.Text('f')
		if v.kind == "UNSIGNED" {
			n, err := strconv.ParseUint(text, 10, 64)
			return n, err == nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
	if text != "" {
		if types.IsFloat(v.typ) {
			if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
				return nil, false
			}
		}
		value = text
	}
	out, in, err := v.typ.Convert(ctx, value)
	return out, err == nil && in == sql.InRange && out != nil
}

// moment reads a date, with a time of day for a DATETIME, or a TIME. Digits that the type lacks are
// cut.
func (v *jsonValue) moment(ctx *sql.Context, text string) (any, bool) {
	unit := time.Second / time.Duration(own.Pow10(min(v.length, 6)))
	if types.IsTimespan(v.typ) {
		micros, c, ok := operand.ReadClock(text)
		return types.Timespan(micros - micros%unit.Microseconds()), ok && !c.Cut && !c.Dated
	}
	operand.WarnOfDelimiter(ctx, text, 1)
	at, clock, is := operand.ReadMoment(text, operand.DatesOf(ctx), operand.Zone(ctx))
	if v.kind == "DATE" {
		return at.Truncate(24 * time.Hour), is == operand.AMoment
	}
	return at.Truncate(unit), is == operand.AMoment && clock
}

func init() {
	operand.Register(sql.FunctionN{Name: "json_value", Fn: newJSONValue}, sql.FunctionN{Name: ValueOf, Fn: newJSONValue})
}

// IsNullable implements sql.Expression.
func (v *jsonValue) IsNullable(*sql.Context) bool { return true }

// Fitting is a document or geometry that a function made, NULL if it is too large, an error if it
// nests too deep.
func Fitting(ctx *sql.Context, name string, v any) (any, error) {
	limit := operand.Most(ctx)
	switch v := v.(type) {
	case types.GeometryValue:
		size, depth := geometry.Measure(v, limit)
		if depth > geometry.MaxDepth {
			return nil, operand.NestsTooDeep()
		}
		if size > limit {
			return operand.TooLarge(ctx, name)
		}
	case sql.JSONWrapper:
		m := operand.Meter{Most: limit}
		if m.Add(v, 1); m.Depth > operand.MostJSONDepth {
			return nil, operand.ErrJSONDepth
		}
		if m.Size > limit {
			return operand.TooLarge(ctx, name)
		}
	}
	return operand.Remade(v), nil
}
