package documents

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/charset"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// ValueOf is JSON_VALUE with more than a document and a path. Its third argument is a text: a zero
// byte and the type behind RETURNING. What is given ON EMPTY and ON ERROR follows, as RaisesError
// tells.
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
	length  int    // of a text, 0: any; the digits of a second
	set     *charset.Set
	onEmpty otherwise
	onError otherwise
}

var (
	_ sql.CollationCoercible = (*jsonValue)(nil)
	_ sql.FunctionExpression = (*jsonValue)(nil)
)

// textKind is the type's name in errors of values of documents.
const textKind = "STRING"

func newJSONValue(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) != 2 && len(args) != 5 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_VALUE", 2, len(args))
	}
	v := &jsonValue{Many: operand.OverMany(args), doc: documentReader{args[0], "json_value", 0}, kind: textKind, length: 512, typ: types.MustCreateString(sqltypes.VarChar, 512, sql.Collation_utf8mb4_0900_bin)}
	if len(args) == 2 {
		return v, nil
	}
	typ, ok := constantOf(args[2])
	if !ok {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_VALUE", 2, len(args))
	}
	if typ = strings.TrimPrefix(typ, "\x00"); typ != "" {
		if err := v.returning(typ); err != nil {
			return nil, err
		}
	}
	var err error
	if v.onEmpty, err = v.instead(ctx, args[3]); err == nil {
		v.onError, err = v.instead(ctx, args[4])
	}
	return v, err
}

func valueSyntax(near string) error {
	return mysql.NewSQLError(mysql.ERParseError, "42000", "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%s'", near)
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
	case "char", "nchar", "binary":
		v.kind, v.length = textKind, size(cast.Type.Length, 0)
		v.typ, err = v.textType(strings.ToLower(cast.Type.Type), strings.ToLower(cast.Type.Charset))
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

// textType is the type of a text in a character set; "": the document's own.
func (v *jsonValue) textType(kind, set string) (sql.Type, error) {
	collation := sql.Collation_utf8mb4_0900_bin
	switch {
	case kind == "binary" || set == "binary":
		collation = sql.Collation_binary
	case set != "":
		id, err := sql.ParseCharacterSet(set)
		if err != nil {
			return nil, err
		}
		v.set, collation = operand.SetOf(id), id.DefaultCollation()
	}
	switch {
	case v.length == 0:
		return types.CreateLongText(collation), nil
	case collation == sql.Collation_binary:
		return types.CreateBinary(sqltypes.VarBinary, int64(v.length))
	}
	return types.CreateString(sqltypes.VarChar, int64(v.length), collation)
}

// holds tells whether the type holds a text.
func (v *jsonValue) holds(text string) bool {
	if v.set != nil {
		if _, lost := v.set.Encode(nil, []byte(text)); lost > 0 {
			return false
		}
	}
	return v.length == 0 || operand.Length(text, !operand.IsBinary(v.typ)) <= int64(v.length)
}

func (v *jsonValue) outOfRange() error {
	return mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s value is out of range in 'json_value'", v.kind)
}

func (v *jsonValue) String() string {
	return "json_value(" + v.ChildExpressions[0].String() + ", " + v.ChildExpressions[1].String() + ")"
}

// FunctionName implements sql.FunctionExpression.
func (*jsonValue) FunctionName() string { return "json_value" }

// Description implements sql.FunctionExpression.
func (*jsonValue) Description() string { return "a value of a document, as one of a type" }

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
	if err != nil {
		if told := (*mysql.SQLError)(nil); errors.As(err, &told) && told.Num == mysql.ERInvalidJSONTextInParams {
			return v.onError.give(err)
		}
		return nil, err
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
		return text, v.holds(text)
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
		b, err := operand.AppendDocument(ctx, nil, value)
		if err != nil {
			return nil, false
		}
		text = string(b)
	}
	return v.number(ctx, text, isString)
}

// number reads a number of a document, or a text that is one.
func (v *jsonValue) number(ctx *sql.Context, text string, isText bool) (any, bool) {
	if types.IsFloat(v.typ) {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && (text != "" || !isText) || math.IsInf(f, 0) {
			return nil, false
		}
		out, in, err := v.typ.Convert(ctx, f)
		return out, err == nil && in == sql.InRange
	}
	d, err := operand.ParseDecimal(text)
	if err != nil {
		return nil, false
	}
	switch {
	case types.IsDecimal(v.typ):
		return v.decimal(ctx, d)
	case isText && strings.ContainsAny(text, ".eE"):
		return nil, false
	}
	var fraction apd.Decimal
	d.Modf(d, &fraction)
	if text = d.Text('f'); v.kind == "UNSIGNED" {
		n, err := strconv.ParseUint(text, 10, 64)
		return n, err == nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if types.IsYear(v.typ) {
		return int16(n), err == nil && isYear(n)
	}
	return n, err == nil
}

// moment reads a date, with a time of day for a DATETIME, or a TIME. Digits that the type lacks are
// cut.
func (v *jsonValue) moment(ctx *sql.Context, text string) (any, bool) {
	unit := time.Second / time.Duration(own.Pow10(min(v.length, 6)))
	if types.IsTimespan(v.typ) {
		micros, c, ok := operand.ReadClock(text)
		return types.Timespan(micros - micros%unit.Microseconds()), ok && !c.Cut && (c.Dated || strings.Contains(text, ":"))
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
