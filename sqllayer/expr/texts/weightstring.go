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

// WeightString is the name of WEIGHT_STRING; the number of an AS CHAR follows the operand.
const WeightString = "weight_string"

// weighed is WEIGHT_STRING: the bytes by which a text is ordered. Decimals and floating-point
// numbers have none in MySQL.
type weighed struct {
	operand.Many
	weigh   charset.Weigher // nil: the operand is a number, or bytes
	pads    bool            // AS CHAR pads with spaces
	refused error           // of the first value: a parameter's type is known late
}

func init() {
	operand.Register(sql.FunctionN{Name: WeightString, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) == 0 || len(args) > 2 {
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
	var ok bool
	if w.weigh, ok = charset.Weights(collation.Name()); !ok {
		w.refused = unweighed(collation.Name())
	}
	w.pads = !strings.HasSuffix(collation.Name(), "_0900_bin")
	return w
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
	if len(w.ChildExpressions) > 1 {
		of += " as char(" + w.ChildExpressions[1].String() + ")"
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
	chars, fixed := int64(0), len(w.ChildExpressions) > 1
	if fixed {
		n, err := w.ChildExpressions[1].Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if chars, err = wholeOf(ctx, n); err != nil {
			return nil, err
		}
	}
	if operand.TooLong(ctx, operand.Product(max(chars, int64(utf8.RuneCountInString(text))), int64(w.widest()))) {
		return operand.TooLarge(ctx, WeightString)
	}
	return w.weights(text, chars, fixed), nil
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
	return 4
}

// weights are those of a text, which fixed cuts or pads to a number of characters.
func (w *weighed) weights(text string, chars int64, fixed bool) []byte {
	out, n := []byte{}, int64(0)
	if w.weigh == nil {
		if fixed {
			text = text[:min(int64(len(text)), chars)]
		}
		return append(out, text...)
	}
	for _, r := range text {
		if fixed && n == chars {
			return out
		}
		out = w.weigh(out, r)
		n++
	}
	for ; fixed && w.pads && n < chars; n++ {
		out = w.weigh(out, ' ')
	}
	return out
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
