package vectors

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

func init() {
	for _, name := range []string{"to_vector", "string_to_vector"} {
		operand.Register(function(name, "to_vector", Of(MostDimensions), isText, func(ctx *sql.Context, a []any) (any, error) {
			text, err := operand.ShownText(ctx, a[0])
			if err != nil {
				return nil, err
			}
			return parsed(text)
		}))
	}
	for _, name := range []string{"from_vector", "vector_to_string"} {
		operand.Register(function(name, "from_vector", types.LongText, isVector, func(_ *sql.Context, a []any) (any, error) {
			b, err := vectorOf(a[0])
			if err != nil {
				return nil, err
			}
			return shown(b), nil
		}))
	}
	operand.Register(function("vector_dim", "vector_dim", types.Int64, isVector, func(_ *sql.Context, a []any) (any, error) {
		b, err := vectorOf(a[0])
		if err != nil {
			return nil, err
		}
		return int64(len(b) / numberBytes), nil
	}))
}

// function is one whose operand is of a kind. Its errors name it by shown.
func function(name, shown string, t sql.Type, takes func(sql.Type) bool, eval func(*sql.Context, []any) (any, error)) sql.Function {
	f := operand.NewScalar(name, 1, 1, t, eval)
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		for _, e := range args {
			if e.Resolved() && e.Type(ctx) != types.Null && !takes(e.Type(ctx)) {
				return nil, wrongArgument(shown)
			}
		}
		return f.NewInstance(ctx, args)
	}}
}

func wrongArgument(name string) error {
	return mysql.NewSQLError(1210, "HY000", "Incorrect arguments to %s", name)
}

func isVector(t sql.Type) bool { return Is(t) || operand.IsBinary(t) }

func isText(t sql.Type) bool {
	return isVector(t) || operand.IsText(t) || types.IsTime(t) || types.IsTimespan(t)
}

// vectorOf is an operand that is a vector.
func vectorOf(v any) ([]byte, error) {
	if text, ok := v.(string); ok {
		v = []byte(text)
	}
	if !Whole(v) {
		return nil, noVector("")
	}
	b, _ := bytesOf(v)
	return b, nil
}

func noVector(text string) error {
	return mysql.NewSQLError(6138, "HY000", "Data cannot be converted to a valid vector: '%s'", text)
}

// shown is a vector as a text.
func shown(b []byte) string {
	text := []byte{'['}
	for i := 0; i < len(b); i += numberBytes {
		if i > 0 {
			text = append(text, ',')
		}
		f := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
		switch {
		case math.IsNaN(f):
			text = append(text, "nan"...)
		case math.IsInf(f, 0):
			text = append(text, map[bool]string{true: "-inf", false: "inf"}[f < 0]...)
		default:
			text = strconv.AppendFloat(text, f, 'e', 5, 64)
		}
	}
	return string(append(text, ']'))
}

const spaces = " \t\n\v\f\r"

// shownBytes is how much of a text an error shows.
const shownBytes = 32

// parsed is the vector that a text is.
func parsed(text string) (any, error) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, spaces), "[")
	rest, ended := strings.CutSuffix(strings.TrimRight(rest, spaces), "]")
	if !ok || !ended {
		return nil, noVector(untilZero(text))
	}
	var b []byte
	for part := range strings.SplitSeq(rest, ",") {
		f, ok := number(strings.Trim(part, spaces))
		switch {
		case !ok:
			return nil, noVector(untilZero(text))
		case len(b) == numberBytes*MostDimensions:
			return nil, mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s...  value is out of range in 'to_vector'", text[:min(len(text), shownBytes)])
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b, nil
}

func untilZero(text string) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// leastNormal is the least number above zero that has all its digits: lesser ones are no numbers
// here.
const leastNormal = 0x1p-126

// number reads a number as C does: also one in base 16, but nothing infinite.
func number(text string) (float32, bool) {
	digits := strings.ToLower(text)
	if strings.Contains(digits, "_") {
		return 0, false
	}
	hex := strings.HasPrefix(strings.TrimLeft(digits, "+-"), "0x")
	exponent := "e"
	if hex {
		exponent = "p"
	}
	mantissa, _, given := strings.Cut(digits, exponent)
	if hex && !given {
		digits += "p0"
	}
	f, err := strconv.ParseFloat(digits, 32)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, false
	}
	if math.Abs(f) < leastNormal && (f != 0 || strings.Trim(mantissa, "+-0x.") != "") {
		return 0, false
	}
	return float32(f), true
}
