package texts

import (
	"cmp"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sql/charset"
	"emberdb/sqllayer/expr/operand"
)

// WeightString is the name of WEIGHT_STRING; the number of an AS CHAR follows the operand, or the
// numbers of the internal form: most bytes of the result, characters, flags.
const WeightString = "weight_string"

// weighed is WEIGHT_STRING: the bytes by which a text is ordered. Decimals and floating-point
// numbers have none in MySQL.
type weighed struct {
	operand.Many
	weigh   func(dst []byte, text string) []byte // nil: the operand is a number, or bytes
	bytes   bool                                 // weights are the bytes of the character set
	pads    bool                                 // AS CHAR pads with spaces
	refused error                                // of the first value: a parameter's type is known late
}

func init() {
	operand.Register(sql.FunctionN{Name: WeightString, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if n := len(args); n != 1 && n != 2 && n != 4 {
			return nil, sql.ErrInvalidArgumentNumber.New("WEIGHT_STRING", 1, len(args))
		}
		return newWeighed(ctx, args), nil
	}})
}

// newWeighed finds the weights of the operand's collation.
func newWeighed(ctx *sql.Context, args []sql.Expression) *weighed {
	w := &weighed{Many: operand.OverMany(args)}
	if !args[0].Resolved() {
		return w
	}
	t := args[0].Type(ctx)
	switch {
	case operand.IsBinary(t) || types.IsNullType(t) || isCounted(t) || types.IsDecimal(t) || types.IsFloat(t):
		return w
	case !operand.IsText(t):
		w.refused = unweighed("values of the type " + strings.ToUpper(t.String()))
		return w
	}
	collation, _ := sql.GetCoercibility(ctx, args[0])
	if collation == sql.Collation_binary {
		return w
	}
	if w.weigh = weigherOf(collation.Name()); w.weigh == nil {
		w.refused = unweighed(collation.Name())
	}
	w.pads = collation.Collation().PadAttribute != "NO PAD"
	w.bytes = strings.HasSuffix(collation.Name(), "_0900_bin")
	return w
}

// weigherOf returns nil for a collation whose weights are not known.
func weigherOf(collation string) func(dst []byte, text string) []byte {
	weigh, ok := charset.Weights(collation)
	if !ok {
		order, levels := charset.OrderOf(collation)
		if order == nil {
			return nil
		}
		return func(dst []byte, text string) []byte { return order.AppendBytes(dst, []byte(text), levels) }
	}
	return func(dst []byte, text string) []byte {
		for _, r := range text {
			dst = weigh(dst, r)
		}
		return dst
	}
}

func isCounted(t sql.Type) bool { return types.IsInteger(t) || types.IsBoolean(t) || types.IsYear(t) }

func unweighed(what string) error {
	return mysql.NewSQLError(mysql.ERNotSupportedYet, "42000", "This version of Ember doesn't yet support 'WEIGHT_STRING of %s'", what)
}

// FunctionName implements sql.FunctionExpression.
func (w *weighed) FunctionName() string { return WeightString }

// Description implements sql.FunctionExpression.
func (w *weighed) Description() string { return "MySQL's " + WeightString }

func (w *weighed) String() string {
	of := w.ChildExpressions[0].String()
	switch args := w.ChildExpressions[1:]; len(args) {
	case 1:
		of += " as char(" + args[0].String() + ")"
	case 3:
		of += "," + args[0].String() + "," + args[1].String() + "," + args[2].String()
	}
	return WeightString + "(" + of + ")"
}

// Type implements sql.Expression.
func (w *weighed) Type(ctx *sql.Context) sql.Type {
	t, ok := w.ChildExpressions[0].Type(ctx).(sql.StringType)
	if !ok {
		return types.MustCreateBinary(sqltypes.VarBinary, 8)
	}
	if t.MaxCharacterLength() > 8192 {
		return types.LongBlob
	}
	return types.MustCreateBinary(sqltypes.VarBinary, max(8, t.MaxByteLength()))
}

// IsNullable implements sql.Expression.
func (w *weighed) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (w *weighed) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 4
}

// WithChildren implements sql.Expression.
func (w *weighed) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newWeighed(ctx, children), nil
}

// Eval implements sql.Expression.
func (w *weighed) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	of := w.ChildExpressions[0]
	v, err := of.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil || w.refused != nil {
		return nil, cmp.Or(err, w.refused)
	}
	if !isText {
		return weightOfNumber(ctx, v, of.Type(ctx))
	}
	s, err := w.size(ctx, row)
	if err != nil {
		return nil, err
	}
	if operand.TooLong(ctx, operand.Product(max(s.chars, int64(utf8.RuneCountInString(text))), int64(w.widest()))) || operand.TooLong(ctx, s.most) {
		return operand.TooLarge(ctx, WeightString)
	}
	if s.most == 0 && s.fixed && w.bytes {
		s.most = s.chars * utf8.UTFMax
	}
	return w.cut(w.weights(text, s.chars, s.fixed), s), nil
}

// weighedSize is how much of a text counts, and how long the result is.
type weighedSize struct {
	chars int64 // to which the text is cut or padded
	fixed bool  // it is
	most  int64 // bytes of the result; 0: all
	fill  bool  // as many, padded
}

// fillFlag is the flag of the internal form that pads the result.
const fillFlag = 0x80

func (w *weighed) size(ctx *sql.Context, row sql.Row) (s weighedSize, err error) {
	numbers := make([]int64, len(w.ChildExpressions)-1)
	for i, e := range w.ChildExpressions[1:] {
		v, err := e.Eval(ctx, row)
		if err == nil {
			numbers[i], err = wholeOf(ctx, v)
		}
		if err != nil {
			return s, err
		}
	}
	switch len(numbers) {
	case 1:
		s.chars, s.fixed = numbers[0], true
	case 3:
		s.most, s.chars, s.fixed = numbers[0], numbers[1], numbers[1] != 0
		s.fill = numbers[2]&fillFlag != 0
	}
	return s, nil
}

// cut brings weights to the length of the internal form.
func (w *weighed) cut(weights []byte, s weighedSize) []byte {
	pad := "\x00"
	if w.weigh != nil && w.pads {
		pad = cmp.Or(string(w.weigh(nil, " ")), pad)
	}
	for s.fill && int64(len(weights)) < s.most {
		weights = append(weights, pad...)
	}
	if s.most != 0 && int64(len(weights)) > s.most {
		weights = weights[:s.most]
	}
	return weights
}

func wholeOf(ctx *sql.Context, v any) (int64, error) {
	n, _, err := types.Int64.Convert(ctx, v)
	whole, _ := n.(int64)
	return whole, err
}

// widest is how many bytes a character weighs at most.
func (w *weighed) widest() int {
	if w.weigh == nil {
		return 1
	}
	return 8
}

// weights are those of a text, which fixed cuts or pads to a number of characters.
func (w *weighed) weights(text string, chars int64, fixed bool) []byte {
	if fixed {
		text = operand.Cut(text, 0, chars, w.weigh != nil)
	}
	if w.weigh == nil {
		return []byte(text)
	}
	if missing := chars - int64(utf8.RuneCountInString(text)); fixed && w.pads && missing > 0 {
		text += strings.Repeat(" ", int(missing))
	}
	return w.weigh([]byte{}, text)
}

// weightOfNumber is that of a whole number: eight bytes that are ordered as the numbers are.
func weightOfNumber(ctx *sql.Context, v any, t sql.Type) (any, error) {
	switch {
	case !isCounted(t):
		return nil, nil
	case types.IsUnsigned(t) || types.IsYear(t):
		n, _, err := types.Uint64.Convert(ctx, v)
		whole, _ := n.(uint64)
		return binary.BigEndian.AppendUint64(nil, whole), err
	}
	whole, err := wholeOf(ctx, v)
	return binary.BigEndian.AppendUint64(nil, uint64(whole)^1<<63), err
}

var _ sql.FunctionExpression = (*weighed)(nil)
var _ sql.CollationCoercible = (*weighed)(nil)
