package operand

import (
	"context"
	"math"
	"math/big"
	"strconv"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/geometry"
)

// Field is an operand whose value stands in the row.
type Field struct {
	Like
	At int
}

// Children implements sql.Expression: the operand is only asked for its type.
func (*Field) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (f *Field) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 0)
	}
	return f, nil
}

// Eval implements sql.Expression.
func (f *Field) Eval(_ *sql.Context, row sql.Row) (any, error) { return row[f.At], nil }

// WeightOf is the size of a text, or of a document or geometry up to AsideSize.
func WeightOf(v any) int64 {
	switch v := v.(type) {
	case types.GeometryValue:
		size, _ := geometry.Measure(v, AsideSize)
		return size
	case sql.JSONWrapper:
		if lazy, ok := v.(types.JSONBytes); ok {
			text, err := lazy.GetBytes(context.Background())
			if err == nil {
				return int64(len(text))
			}
		}
		m := Meter{Most: AsideSize}
		m.Add(v, 1)
		return m.Size
	}
	return SizeOf(v)
}

// LeastPacket is the smallest max_allowed_packet.
const LeastPacket = 1024

// TooLong tells whether a size is over max_allowed_packet.
func TooLong(ctx *sql.Context, size int64) bool { return size > LeastPacket && size > Most(ctx) }

// SizeOf is the length of a text. Others are too small to be counted before they are texts.
func SizeOf(v any) int64 {
	switch v := v.(type) {
	case string:
		return int64(len(v))
	case []byte:
		return int64(len(v))
	case Bytes:
		return int64(len(v))
	case types.GeometryValue, sql.JSONWrapper:
		return documentSize(v)
	}
	return 0
}

// Sum and product stay at the largest integer.
func Sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func Product(a, b int64) int64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// IntegerIn is a number among the arguments; NULL is zero.
func IntegerIn(ctx *sql.Context, v any) (int64, error) {
	n, null, err := NumberOf(ctx, v, types.Text)
	if err != nil || null {
		return 0, err
	}
	whole, large, _ := n.AsInteger()
	if large {
		return math.MaxInt64, nil
	}
	return whole, nil
}

// MostJSONDepth is how deep the arrays and objects of a document may nest.
const MostJSONDepth = 100

const erJSONDepth = 3157

// ErrJSONDepth is wrapped by no other error: it reaches the client as it is.
var ErrJSONDepth error = mysql.NewSQLError(erJSONDepth, "22032", "The JSON document exceeds the maximum depth.")

// FlatFrom is flat of a text whose outermost brackets are the depth-th around each other.
func FlatFrom(text []byte, depth int) bool {
	depth--
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > MostJSONDepth {
				return false
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return true
}

// documentSize is the size of a document as text, of a geometry as bytes.
func documentSize(v any) int64 {
	if g, ok := v.(types.GeometryValue); ok {
		size, _ := geometry.Measure(g, math.MaxInt64)
		return size
	}
	m := Meter{Most: math.MaxInt64}
	m.Add(v, 1)
	return m.Size
}

// Meter measures the text of a document. It stops behind the value with which size is over most,
// and at MostJSONDepth.
type Meter struct {
	Size, Most int64
	Depth      int
	Lines      bool // the text is JSON_PRETTY's
}

// Add adds a value whose arrays and objects are the depth-th around each other.
func (m *Meter) Add(v any, depth int) {
	switch v := v.(type) {
	case nil, bool:
		m.Size += int64(len("false"))
		if v != false {
			m.Size--
		}
	case string:
		m.Size += QuotedSize(v)
	case []any:
		if m.open(len(v), depth) {
			for _, e := range v {
				m.Add(e, depth+1)
				if m.Size > m.Most {
					return
				}
			}
		}
	case map[string]any:
		if m.open(len(v), depth) {
			for name, e := range v {
				m.Size += QuotedSize(name) + int64(len(": "))
				m.Add(e, depth+1)
				if m.Size > m.Most {
					return
				}
			}
		}
	case sql.JSONWrapper:
		m.wrapped(v, depth)
	case float64:
		var digits [32]byte
		m.Size += int64(len(AppendFloat(digits[:0], v, 64)))
	case int64:
		var digits [32]byte
		m.Size += int64(len(strconv.AppendInt(digits[:0], v, 10)))
	case uint64:
		var digits [32]byte
		m.Size += int64(len(strconv.AppendUint(digits[:0], v, 10)))
	case *apd.Decimal:
		m.Size += v.NumDigits() + int64(len("-.")) // a digit more or less
	default:
		m.Size += int64(len(`"2000-01-01 00:00:00.000000"`))
	}
}

// open adds the brackets and what stands between n values; false: the values are not looked at.
func (m *Meter) open(n, depth int) bool {
	m.Depth = max(m.Depth, depth)
	between := Product(int64(n-1), int64(len(", ")))
	if m.Lines && n > 0 {
		between = Product(int64(n), int64(len(",\n")+2*depth)) + int64(2*(depth-1))
	}
	m.Size += int64(len("[]")) + between
	return depth <= MostJSONDepth && m.Size <= m.Most
}

func (m *Meter) wrapped(v sql.JSONWrapper, depth int) {
	if d, ok := v.(*document); ok && !m.Lines {
		m.Size += int64(len(d.text))
		if !FlatFrom(d.text, depth) {
			m.Depth = MostJSONDepth + 1
		}
		return
	}
	inner, err := v.ToInterface(context.Background())
	if err != nil {
		return // the function that reads it tells
	}
	m.Add(inner, depth)
}

// QuotedSize is the size of a text between quotation marks.
func QuotedSize(v any) int64 {
	text, _, _ := TextOf(nil, v)
	n := int64(len(text)) + int64(len(`""`))
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\', c == '\b', c == '\f', c == '\n', c == '\r', c == '\t':
			n++
		case c < ' ':
			n += int64(len(`u0000`))
		}
	}
	return n
}

// Bytes is the value of such a literal: a number, if the column has numbers.
type Bytes []byte

// Number is the number that the last bytes are.
func (b Bytes) Number() uint64 { return new(big.Int).SetBytes(b[max(0, len(b)-8):]).Uint64() }
