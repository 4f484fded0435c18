package expr

import (
	"math"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
)

// No function gives a value of more than max_allowed_packet bytes: the result is NULL with warning
// 1301. Lookup puts a Bounded around each function whose result may be larger than its arguments.
// sizes says how large a result will be before it is made, where that is more than twice the
// arguments; every other result is measured behind the function. The functions of aside.go have a
// Bounded too: what is known of their operands says where they run.

// predicted is a size that is known before the function runs. args are evaluated; b runs others.
type predicted func(ctx *sql.Context, b *Bounded, args []any) (int64, error)

// sizes are the functions that are bounded. A nil prediction means that the result is never much
// larger than the arguments are.
var sizes = map[string]predicted{
	"aes_encrypt": nil, "compress": nil, "insert": nil, "lcase": nil, "lower": nil, "lpad": nil, "repeat": nil, "rpad": nil, "ucase": nil, "upper": nil,
	"extractvalue": nil, "updatexml": nil,
	"st_asbinary": nil, "st_asgeojson": nil, "st_astext": nil, "st_aswkb": nil, "st_aswkt": nil, "vec_totext": nil, "from_vector": nil, "vector_to_string": nil,
	"concat":        func(_ *sql.Context, _ *Bounded, args []any) (int64, error) { return totalSize(args), nil },
	"concat_ws":     sizeOfJoined,
	"date_format":   sizeOfFormatted,
	"export_set":    sizeOfExported,
	"from_unixtime": sizeOfFormatted,
	"hex":           sizeOfHex,
	"json_quote":    func(_ *sql.Context, _ *Bounded, args []any) (int64, error) { return operand.QuotedSize(args[0]), nil },
	"json_pretty":   sizeOfPretty,
	"make_set":      sizeOfMembers,
	"quote":         sizeOfQuoted,
	"replace":       sizeOfReplaced,
	"time_format":   sizeOfFormatted,
	"to_base64": func(_ *sql.Context, _ *Bounded, args []any) (int64, error) {
		return base64Size(operand.SizeOf(args[0])), nil
	},
}

// Bounded is a function of sizes. Its operands are the function's.
type Bounded struct {
	operand.Many
	name  string
	f     sql.Function
	call  sql.Expression // the function of the operands
	given sql.Expression // the function of the fields of a row of evaluated operands
	small bool           // the operands' types say that they and the result are
	sized bool           // the result is measured
}

var (
	_ sql.CollationCoercible = (*Bounded)(nil)
	_ sql.FunctionExpression = (*Bounded)(nil)
)

// smallResult is the size of a result that may be made before it is measured.
const smallResult = 1 << 20

// manifold are the functions that make much of small operands.
var manifold = map[string]bool{"replace": true, "export_set": true, "concat_ws": true, "repeat": true, "lpad": true, "rpad": true}

func init() {
	operand.Surround(operand.Bounding, func(name string) bool { _, sized := sizes[name]; return sized || runsAside(name) }, bounded)
}

// Call is the function itself, of its operands.
func (b *Bounded) Call() sql.Expression { return b.call }

func bounded(name string, f sql.Function) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return newBounded(ctx, name, f, args)
	}}
}

func newBounded(ctx *sql.Context, name string, f sql.Function, args []sql.Expression) (sql.Expression, error) {
	call, err := f.NewInstance(ctx, args)
	if err != nil {
		return nil, err
	}
	size, sized := sizes[name]
	b := &Bounded{Many: operand.OverMany(args), name: name, f: f, call: call, small: size == nil && !runsAside(name), sized: sized}
	if !b.Resolved() || b.small {
		return b, nil
	}
	// Twenty times the operands is more than any function but these makes of them.
	most := int64(0)
	for _, e := range args {
		most += largest(ctx, e)
	}
	if b.small = !manifold[name] && most <= smallResult/20; b.small {
		return b, nil
	}
	fields := make([]sql.Expression, len(args))
	for i, e := range args {
		if _, literal := e.(*expression.Literal); literal {
			fields[i] = e
		} else {
			fields[i] = &operand.Field{Like: operand.LikeOf(e), At: i}
		}
	}
	b.given, err = f.NewInstance(ctx, fields)
	return b, err
}

// largest is the most bytes that an expression gives as a text.
func largest(ctx *sql.Context, e sql.Expression) int64 {
	if l, ok := e.(*expression.Literal); ok {
		return 100 + operand.SizeOf(l.Value())
	}
	t := e.Type(ctx)
	if s, ok := t.(sql.StringType); ok {
		return s.MaxByteLength()
	}
	if types.IsNumber(t) || types.IsYear(t) || types.IsTime(t) || types.IsTimespan(t) || types.IsEnum(t) || types.IsNullType(t) {
		return 400
	}
	return math.MaxInt32
}

// Called is the function itself of a call that is bounded; other expressions stay.
func Called(e sql.Expression) sql.Expression {
	if b, ok := e.(*Bounded); ok {
		return b.call
	}
	return e
}

// FunctionName implements sql.FunctionExpression.
func (b *Bounded) FunctionName() string { return b.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (b *Bounded) Operator() string { return b.name }

// Description implements sql.FunctionExpression.
func (b *Bounded) Description() string { return "MySQL's " + b.name }

// Type implements sql.Expression.
func (b *Bounded) Type(ctx *sql.Context) sql.Type { return b.call.Type(ctx) }

// IsNullable implements sql.Expression.
func (b *Bounded) IsNullable(ctx *sql.Context) bool { return b.call.IsNullable(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (b *Bounded) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, b.call)
}

func (b *Bounded) String() string { return b.call.String() }

// WithChildren implements sql.Expression.
func (b *Bounded) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(b.ChildExpressions) {
		return nil, sql.ErrInvalidChildrenNumber.New(b, len(children), len(b.ChildExpressions))
	}
	return newBounded(ctx, b.name, b.f, children)
}

// Eval implements sql.Expression.
func (b *Bounded) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if b.small {
		return b.measured(ctx, b.call, row)
	}
	args := make(sql.Row, len(b.ChildExpressions))
	for i, e := range b.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if args[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
	}
	return compare.Aside(ctx, b.work(args), func(ctx *sql.Context) (any, error) {
		if predict := sizes[b.name]; predict != nil {
			size, err := predict(ctx, b, args)
			if err != nil {
				return nil, err
			}
			if operand.TooLong(ctx, size) {
				return operand.TooLarge(ctx, b.name)
			}
		}
		return b.measured(ctx, b.given, args)
	})
}

// work guesses how many bytes a call reads, or makes where these are many more. It looks no further
// than AsideSize.
func (b *Bounded) work(args sql.Row) (n int64) {
	for _, a := range args {
		n = operand.Sum(n, operand.WeightOf(a))
	}
	if strings.HasPrefix(b.name, "st_") {
		n = operand.Product(n, 64) // each part of a geometry may be compared with each
	}
	switch b.name {
	case "repeat":
		n = operand.Product(n, integerOf(args[1]))
	case "lpad", "rpad":
		n = operand.Sum(n, integerOf(args[1]))
	}
	return n
}

// integerOf is an integer operand as it is, 0 for any other.
func integerOf(v any) int64 {
	switch n := reflect.ValueOf(v); {
	case n.CanInt():
		return max(n.Int(), 0)
	case n.CanUint():
		return int64(min(n.Uint(), math.MaxInt64))
	}
	return 0
}

// measured is what a function makes of a row, unless it is too large.
func (b *Bounded) measured(ctx *sql.Context, call sql.Expression, row sql.Row) (any, error) {
	v, err := call.Eval(ctx, row)
	if err == nil && b.sized && operand.TooLong(ctx, operand.SizeOf(v)) {
		return operand.TooLarge(ctx, b.name)
	}
	return v, err
}

func totalSize(args []any) (n int64) {
	for _, a := range args {
		n = operand.Sum(n, operand.SizeOf(a))
	}
	return n
}

func sizeOfJoined(_ *sql.Context, _ *Bounded, args []any) (int64, error) {
	n := int64(-1)
	for _, a := range args[1:] {
		if a != nil {
			n++
		}
	}
	return operand.Sum(totalSize(args[1:]), operand.Product(n, operand.SizeOf(args[0]))), nil
}

func sizeOfExported(ctx *sql.Context, _ *Bounded, args []any) (int64, error) {
	n, between := int64(64), int64(1)
	if len(args) > 3 {
		between = operand.SizeOf(args[3])
	}
	if len(args) > 4 {
		given, err := operand.IntegerIn(ctx, args[4])
		if err != nil {
			return 0, err
		}
		if given >= 0 && given < n {
			n = given
		}
	}
	return operand.Sum(operand.Product(n, max(operand.SizeOf(args[1]), operand.SizeOf(args[2]))), operand.Product(n-1, between)), nil
}

func sizeOfMembers(ctx *sql.Context, _ *Bounded, args []any) (n int64, err error) {
	bits, err := operand.IntegerIn(ctx, args[0])
	for i, a := range args[1:] {
		if a != nil && i < 64 && bits&(1<<i) != 0 {
			n = operand.Sum(n, 1+operand.SizeOf(a))
		}
	}
	return n - 1, err
}

func sizeOfHex(_ *sql.Context, _ *Bounded, args []any) (int64, error) {
	return 2 * operand.SizeOf(args[0]), nil
}

func sizeOfReplaced(ctx *sql.Context, _ *Bounded, args []any) (int64, error) {
	for _, a := range args {
		if a == nil {
			return 0, nil
		}
	}
	text, err := operand.ShownText(ctx, args[0])
	if err != nil {
		return 0, err
	}
	from, err := operand.ShownText(ctx, args[1])
	if err != nil || from == "" {
		return int64(len(text)), err
	}
	each := operand.SizeOf(args[2]) - int64(len(from))
	if each <= 0 {
		return 0, nil
	}
	return operand.Sum(int64(len(text)), operand.Product(int64(strings.Count(text, from)), each)), nil
}

func sizeOfQuoted(ctx *sql.Context, _ *Bounded, args []any) (int64, error) {
	if args[0] == nil {
		return 0, nil
	}
	text, err := operand.ShownText(ctx, args[0])
	n := 2 + int64(len(text))
	for i := range len(text) {
		if operand.QuotedAs(text[i]) != 0 {
			n++
		}
	}
	return n, err
}

// base64Size is the size of the lines of TO_BASE64.
func base64Size(n int64) int64 {
	const line = 76
	out := (n + 2) / 3 * 4
	return out + max(out-1, 0)/line
}

// sizeOfFormatted measures what is made of each kind of specifier once.
func sizeOfFormatted(ctx *sql.Context, b *Bounded, args []any) (int64, error) {
	const longest = 16 // no specifier gives more for each of its two characters
	if len(args) < 2 || args[0] == nil || args[1] == nil || !operand.TooLong(ctx, operand.Product(longest, operand.SizeOf(args[1]))) {
		return 0, nil
	}
	format, err := operand.ShownText(ctx, args[1])
	if err != nil {
		return 0, err
	}
	var known [256]int64
	n := int64(0)
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			n++
			continue
		}
		i++
		c := format[i]
		if known[c] == 0 {
			one, err := b.given.Eval(ctx, sql.Row{args[0], format[i-1 : i+1]})
			if err != nil {
				return 0, err
			}
			known[c] = 1 + operand.SizeOf(one)
		}
		n += known[c] - 1
	}
	return n, nil
}
