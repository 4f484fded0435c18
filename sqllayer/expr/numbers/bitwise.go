package numbers

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// Operations on bits. go-mysql-server makes numbers of all operands, by way of DOUBLE; in MySQL
// they work on the bytes of binary texts, and on whole numbers of 64 bits otherwise.

const (
	erBitsLength    = 3513
	ErBitsArgument  = 3514
	MostBytesOfBits = 511 // of the argument of an aggregate
	bitCount        = "bit_count"
)

// BitOperators are the names of the functions that Replace calls.
var BitOperators = map[string]bool{ast.BitAndStr: true, ast.BitOrStr: true, ast.BitXorStr: true, ast.ShiftLeftStr: true, ast.ShiftRightStr: true}

// Bitwise is an operation on the bits of one operand or two.
type Bitwise struct {
	operand.Many
	op string
}

var _ sql.FunctionExpression = (*Bitwise)(nil)

func init() {
	for op := range BitOperators {
		operand.Register(sql.FunctionN{Name: op, Fn: newBitwise(op, 2)})
	}
	operand.Register(sql.FunctionN{Name: Invert, Fn: newBitwise(Invert, 1)}, sql.FunctionN{Name: bitCount, Fn: newBitwise(bitCount, 1)})
}

func newBitwise(op string, operands int) sql.CreateFuncNArgs {
	return func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != operands {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(op), operands, len(args))
		}
		b := &Bitwise{Many: operand.OverMany(args), op: op}
		for _, a := range args {
			if a.Resolved() && op != bitCount && operand.IsSpatial(a.Type(ctx)) {
				return nil, operand.WrongArguments(op)
			}
		}
		return b, nil
	}
}

// BitLiteral is a literal of bits or bytes as an operand: it is a number unless the other operand
// is a binary text.
func BitLiteral(e ast.Expr) ast.Expr {
	if v, ok := e.(*ast.SQLVal); ok && IsBits(v) {
		return operand.CallOf(storedBytes, BytesLiteral(v))
	}
	return e
}

// FunctionName implements sql.FunctionExpression.
func (b *Bitwise) FunctionName() string { return b.op }

// Operator tells the calls of one type apart, see operand.Operated.
func (b *Bitwise) Operator() string { return b.op }

// Description implements sql.FunctionExpression.
func (b *Bitwise) Description() string { return "an operation on bits" }

func (b *Bitwise) String() string {
	e := b.ChildExpressions
	switch b.op {
	case Invert:
		return "~(" + e[0].String() + ")"
	case bitCount:
		return "bit_count(" + e[0].String() + ")"
	}
	return fmt.Sprintf("(%s %s %s)", e[0], b.op, e[1])
}

// IsNullable implements sql.Expression.
func (b *Bitwise) IsNullable(ctx *sql.Context) bool {
	for _, e := range b.ChildExpressions {
		if e.IsNullable(ctx) {
			return true
		}
	}
	return false
}

// WithChildren implements sql.Expression.
func (b *Bitwise) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(b, children)
}

// Type implements sql.Expression.
func (b *Bitwise) Type(ctx *sql.Context) sql.Type {
	if b.op == bitCount {
		return types.Int64
	}
	if !b.ofBytes(ctx) {
		return types.Uint64
	}
	length := uint32(0)
	for i, e := range b.ChildExpressions {
		if i == 0 || !b.shifts() {
			length = max(length, BytesLength(ctx, e))
		}
	}
	return BytesType(length)
}

// BytesLength is how many bytes the texts of an operand have at most.
func BytesLength(ctx *sql.Context, e sql.Expression) uint32 {
	if l, ok := e.(*expression.Literal); ok {
		if bytes, ok := l.Value().(operand.Bytes); ok {
			return uint32(len(bytes))
		}
	}
	return e.Type(ctx).MaxTextResponseByteLength(ctx)
}

// mostVarBinary is the length up to which MySQL makes such a result a VARBINARY.
const mostVarBinary = 512

// BytesType is the type of binary texts of at most so many bytes.
func BytesType(length uint32) sql.Type {
	switch {
	case length > math.MaxUint16:
		return types.LongBlob
	case length > mostVarBinary:
		return types.Blob
	}
	if t, err := types.CreateBinary(sqltypes.VarBinary, int64(length)); err == nil {
		return t
	}
	return types.LongBlob
}

func (b *Bitwise) shifts() bool { return b.op == ast.ShiftLeftStr || b.op == ast.ShiftRightStr }

// ofBytes tells whether the operation works on bytes. Literals of bits alone are numbers.
func (b *Bitwise) ofBytes(ctx *sql.Context) bool {
	bytes, literal := BytesOperand(ctx, b.ChildExpressions[0])
	if len(b.ChildExpressions) == 1 || b.shifts() {
		return bytes && !literal
	}
	other, otherLiteral := BytesOperand(ctx, b.ChildExpressions[1])
	return bytes && other && !(literal && otherLiteral)
}

// BytesOperand tells whether an operand is a binary text, and whether it is a literal of bits.
func BytesOperand(ctx *sql.Context, e sql.Expression) (bytes, literal bool) {
	if l, ok := e.(*expression.Literal); ok {
		_, literal = l.Value().(operand.Bytes)
	}
	t := e.Type(ctx)
	if v, ok := e.(*expression.UserVar); ok && ctx != nil && ctx.Session != nil {
		if known, _, err := ctx.GetUserVariable(ctx, v.Name); err == nil && known != nil {
			t = known
		}
	}
	return operand.IsBinary(t) || operand.IsSpatial(t), literal
}

// Eval implements sql.Expression.
func (b *Bitwise) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var values [2]any
	for i, e := range b.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if values[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		if _, ok := values[i].(types.GeometryValue); ok && b.op != bitCount {
			return nil, operand.WrongArguments(b.op)
		}
	}
	if b.ofBytes(ctx) {
		return b.bytes(ctx, values)
	}
	var n [2]uint64
	for i, e := range b.ChildExpressions {
		var err error
		if n[i], err = bitsAt(ctx, values[i], e); err != nil {
			return nil, err
		}
	}
	switch b.op {
	case bitCount:
		return int64(bits.OnesCount64(n[0])), nil
	case Invert:
		return ^n[0], nil
	case ast.ShiftLeftStr:
		return n[0] << n[1], nil
	case ast.ShiftRightStr:
		return n[0] >> n[1], nil
	}
	return CombineBits(b.op, n[0], n[1]), nil
}

func CombineBits[T uint64 | byte](op string, a, b T) T {
	switch op {
	case ast.BitAndStr:
		return a & b
	case ast.BitOrStr:
		return a | b
	}
	return a ^ b
}

// bytes is the operation on bytes.
func (b *Bitwise) bytes(ctx *sql.Context, values [2]any) (any, error) {
	left, err := BytesValue(ctx, values[0])
	if err != nil {
		return nil, err
	}
	switch {
	case b.op == bitCount:
		n := 0
		for _, c := range left {
			n += bits.OnesCount8(c)
		}
		return int64(n), nil
	case b.op == Invert:
		out := make([]byte, len(left))
		for i, c := range left {
			out[i] = ^c
		}
		return out, nil
	case b.shifts():
		by, err := BitsOf(ctx, values[1], b.ChildExpressions[1].Type(ctx))
		if err != nil {
			return nil, err
		}
		return shiftBytes(left, by, b.op == ast.ShiftLeftStr), nil
	}
	right, err := BytesValue(ctx, values[1])
	if err != nil {
		return nil, err
	}
	return CombineBytes(b.op, left, right)
}

// CombineBytes is & | or ^ of texts of one length.
func CombineBytes(op string, left, right []byte) ([]byte, error) {
	if len(left) != len(right) {
		return nil, mysql.NewSQLError(erBitsLength, "HY000", "Binary operands of bitwise operators must be of equal length")
	}
	out := make([]byte, len(left))
	for i := range left {
		out[i] = CombineBits(op, left[i], right[i])
	}
	return out, nil
}

// shiftBytes moves the bits of a text by a number of places. Those that leave it are lost.
func shiftBytes(text []byte, by uint64, left bool) []byte {
	out := make([]byte, len(text))
	if by >= uint64(len(text))*8 {
		return out
	}
	whole, rest := int(by/8), by%8
	for i := range text {
		from, beside := i-whole, i-whole-1
		if left {
			from, beside = i+whole, i+whole+1
		}
		at := func(i int) uint16 {
			if i < 0 || i >= len(text) {
				return 0
			}
			return uint16(text[i])
		}
		if left {
			out[i] = byte((at(from)<<8 | at(beside)) << rest >> 8)
		} else {
			out[i] = byte((at(beside)<<8 | at(from)) >> rest)
		}
	}
	return out
}

func BytesValue(ctx *sql.Context, v any) ([]byte, error) {
	switch v := v.(type) {
	case []byte:
		return v, nil
	case operand.Bytes:
		return v, nil
	case types.GeometryValue:
		return v.Serialize(), nil
	}
	text, err := operand.ShownText(ctx, v)
	return []byte(text), err
}

// bitsAt are the 64 bits of an operand's value. MySQL does not warn of what is no number in a user
// variable or in a column of TEXT or BLOB.
func bitsAt(ctx *sql.Context, v any, e sql.Expression) (uint64, error) {
	_, silent := e.(*expression.UserVar)
	if _, column := e.(*expression.GetField); column {
		silent = types.IsTextBlob(e.Type(ctx))
	}
	if silent {
		switch v := v.(type) {
		case string:
			n, _ := wholeOfText(v)
			return n, nil
		case []byte:
			n, _ := wholeOfText(string(v))
			return n, nil
		}
	}
	return BitsOf(ctx, v, e.Type(ctx))
}

// BitsOf are the 64 bits of a value as a whole number.
func BitsOf(ctx *sql.Context, v any, t sql.Type) (uint64, error) {
	switch v := v.(type) {
	case operand.Bytes:
		return v.Number(), nil
	case string:
		if !types.IsDecimal(t) {
			return bitsOfText(ctx, v), nil
		}
	case []byte:
		return bitsOfText(ctx, string(v)), nil
	case time.Time:
		return uint64(operand.TimeNumber(v.Round(time.Second), t).Whole), nil
	case sql.JSONWrapper:
		return bitsOfDocument(ctx, v)
	case types.Timespan:
		return uint64(operand.TimespanNumber(own.RoundTime(int64(v), 0)).Whole), nil
	}
	n, null, err := operand.NumberOf(ctx, v, t)
	if err != nil || null {
		return 0, err
	}
	return n.Clamped(), nil
}

// bitsOfDocument are the bits of a JSON scalar as a whole number.
func bitsOfDocument(ctx *sql.Context, doc sql.JSONWrapper) (uint64, error) {
	v, err := doc.ToInterface(ctx)
	if err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case bool, int64, uint64, float64, *apd.Decimal, json.Number:
		if written, ok := v.(json.Number); ok {
			return BitsOf(ctx, string(written), types.InternalDecimalType)
		}
		return BitsOf(ctx, v, types.Float64)
	case string:
		return bitsOfText(ctx, v), nil
	}
	operand.NoNumber(ctx, "INTEGER")
	return 0, nil
}

// bitsOfText are the bits of the whole number that a text begins with.
func bitsOfText(ctx *sql.Context, text string) uint64 {
	n, clean := wholeOfText(text)
	if !clean {
		ctx.Warn(1292, "Truncated incorrect INTEGER value: '%s'", warnedText(text))
	}
	return n
}

// wholeOfText are the bits of the whole number that a text begins with. clean: the text is a
// number that has 64 bits.
func wholeOfText(text string) (n uint64, clean bool) {
	trimmed := strings.TrimLeft(text, " \t\n\r\v\f")
	end := 0
	for end < len(trimmed) && (trimmed[end] >= '0' && trimmed[end] <= '9' || end == 0 && (trimmed[0] == '-' || trimmed[0] == '+')) {
		end++
	}
	digits, negative := strings.CutPrefix(strings.TrimPrefix(trimmed[:end], "+"), "-")
	n, err := strconv.ParseUint(digits, 10, 64) // the nearest number of too many digits, and zero of none
	if negative && n > 1<<63 {
		n, err = 1<<63, strconv.ErrRange
	}
	if negative {
		n = -n
	}
	return n, err == nil && strings.TrimRight(trimmed[end:], " \t\n\r\v\f") == ""
}

// warnedText is a text in a warning: bytes that are no characters are written by their numbers.
func warnedText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&out, `\x%02X`, text[0])
		} else {
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}

// Invert is the name of ~.
const Invert = "~"
