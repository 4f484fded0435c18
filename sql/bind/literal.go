package bind

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// literal binds a constant of the text.
func (b *binder) literal(l *ast.Literal) (fn.Expr, error) {
	switch l.Kind {
	case ast.NullLiteral:
		return fn.NullConst(), nil
	case ast.TrueLiteral, ast.FalseLiteral:
		c := fn.IntConst(bit(l.Kind == ast.TrueLiteral))
		c.T.Length = 1
		return c, nil
	case ast.IntLiteral:
		return Integer(l.Text)
	case ast.DecimalLiteral:
		return Decimal(l.Text)
	case ast.FloatLiteral:
		return Double(l.Text)
	case ast.StringLiteral:
		return b.textLiteral(l)
	case ast.DateLiteral, ast.TimestampLiteral:
		return Moment(l.Text, l.Kind == ast.TimestampLiteral)
	case ast.HexLiteral, ast.BitLiteral:
		if l.Charset == "" {
			return digits(l)
		}
	case ast.TimeLiteral:
		if c, ok := fn.ClockConst(l.Text, -1); ok {
			return c, nil
		}
	}
	return nil, fn.Refuse(fn.ByType, "a literal")
}

// digits binds a constant of hexadecimal or binary digits: bytes, or a number where one is wanted.
func digits(l *ast.Literal) (fn.Expr, error) {
	c := Bytes([]byte(l.Bytes())).(*fn.Const)
	if c.Digits = 16; l.Kind == ast.BitLiteral {
		c.Digits = 2
	}
	return c, nil
}

// textLiteral binds a constant text. Views are kept with an introducer before each text: that of
// UTF-8 changes nothing where the text has the usual collation.
func (b *binder) textLiteral(l *ast.Literal) (fn.Expr, error) {
	switch {
	case l.Charset == "" && b.set.Collation == types.Binary:
		return nil, fn.Refuse(fn.ByType, "a string of bytes")
	case l.Charset == "", strings.EqualFold(l.Charset, "utf8mb4") && b.set.Collation == usualCollation:
		return Text(l.Text, b.set.Collation)
	case strings.EqualFold(l.Charset, "binary"):
		return Bytes([]byte(l.Bytes())), nil
	}
	return nil, fn.Refuse(fn.ByType, "a text with a character set")
}

// usualCollation is utf8mb4_0900_ai_ci, which texts of utf8mb4 have unless they say otherwise.
const usualCollation = 255

// Moment is the constant DATETIME that a text is, or DATE if it has no clock.
func Moment(text string, clock bool) (fn.Expr, error) {
	m, has, ok := types.ParseMoment(text)
	if !ok || has != clock {
		return nil, fn.Refuse(fn.ByType, "a date")
	}
	_, fraction, _ := strings.Cut(text, ".")
	return moment(m, clock, len(fraction)), nil
}

func moment(m types.Moment, clock bool, digits int) fn.Expr {
	t := types.DateType(false)
	if clock {
		t = types.DateTimeType(uint8(digits), false)
	}
	v := types.NewVec(t.Kind, 1)
	v.I[0] = types.Pack(m)
	return fn.NewConst(v, t)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Integer is the constant that digits are.
func Integer(text string) (fn.Expr, error) {
	u, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, fn.Refuse(fn.ByType, "an integer out of range")
	}
	if u <= math.MaxInt64 {
		c := fn.IntConst(int64(u))
		c.T.Length = uint32(len(text)) + 1
		return c, nil
	}
	return unsigned(u, len(text)), nil
}

// Unsigned is the constant BIGINT UNSIGNED that digits are.
func Unsigned(text string) (fn.Expr, error) {
	u, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, fn.Refuse(fn.ByType, "an integer out of range")
	}
	return unsigned(u, len(text)), nil
}

func unsigned(u uint64, digits int) fn.Expr {
	v := types.NewVec(types.Uint, 1)
	v.I[0] = int64(u)
	return fn.NewConst(v, types.UintType(uint32(digits), false))
}

// Decimal is the constant that digits with a point are.
func Decimal(text string) (fn.Expr, error) {
	w, scale, ok := types.ParseDecimal(text)
	if !ok || scale > types.MaxScale {
		return nil, fn.Refuse(fn.ByType, "a DECIMAL out of range")
	}
	v := types.NewVec(types.Decimal, 1)
	v.Scale = scale
	if n, small := w.Int64(); small {
		v.I[0] = n
	} else {
		v.W = []types.Int128{w}
	}
	digits := len(strings.Trim(text, "+-")) - strings.Count(text, ".")
	return fn.NewConst(v, types.DecimalType(max(digits, 1), scale, false)), nil
}

// Double is the constant DOUBLE that a number with an exponent is.
func Double(text string) (fn.Expr, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, fn.Refuse(fn.ByType, "a number out of range")
	}
	t := types.FloatType(false)
	t.Length = uint32(len(text))
	return Float(f, t), nil
}

// Float is a constant DOUBLE.
func Float(f float64, t types.Type) fn.Expr {
	v := types.NewVec(types.Float, 1)
	v.F[0] = f
	return fn.NewConst(v, t)
}

// Text is a constant string under the collation of the connection.
func Text(s string, collation uint16) (fn.Expr, error) {
	if !utf8.ValidString(s) {
		return nil, fn.Refuse(fn.ByType, "a text that is not UTF-8")
	}
	v := types.NewVec(types.String, 1)
	v.S[0] = []byte(s)
	return fn.NewConst(v, types.StringType(uint32(utf8.RuneCountInString(s)), collation, types.Literal, false)), nil
}

// Bytes is a constant string of bytes.
func Bytes(b []byte) fn.Expr {
	v := types.NewVec(types.String, 1)
	v.S[0] = b
	return fn.NewConst(v, types.StringType(uint32(len(b)), types.Binary, types.Literal, false))
}
