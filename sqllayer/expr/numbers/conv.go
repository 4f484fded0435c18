package numbers

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// CONV, which go-mysql-server lets overflow.

func init() {
	operand.Register(operand.NewScalar("conv", 3, 3, types.LongText, func(ctx *sql.Context, args []any) (any, error) {
		if args[0] == nil {
			return nil, nil
		}
		var bases [2]int64
		for i := range bases {
			n, null, err := operand.NumberOf(ctx, args[1+i], types.Int64)
			if null || err != nil {
				return nil, err
			}
			bases[i] = n.Nearest()
		}
		text, err := convText(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return inBase(ctx, text, bases[0], bases[1]), nil
	}))
}

// convText is the text of what is converted: bytes of digits are the number that they are.
func convText(ctx *sql.Context, v any) (string, error) {
	if b, ok := v.(operand.Bytes); ok {
		v = b.Number()
	}
	return operand.ShownText(ctx, v)
}

// inBase reads the number that a text begins with, and writes it in another base. Negative bases
// are those of signed numbers. A number that is too large is the largest.
func inBase(ctx *sql.Context, text string, from, to int64) any {
	if text == "" || !isBase(from) || !isBase(to) {
		return nil
	}
	digits, negative := strings.CutPrefix(strings.TrimLeft(text, " \t\n\v\f\r"), "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	n, read, over := readDigits(digits, uint64(max(from, -from)))
	switch largest := uint64(math.MaxInt64); {
	case from < 0 && negative && (over || n > largest+1):
		n, over = largest+1, true
	case from < 0 && !negative && (over || n > largest):
		n, over = largest, true
	case over && negative:
		n = 0
	case over:
		n = math.MaxUint64
	}
	if read == 0 || over {
		ctx.Warn(1292, "Truncated incorrect DECIMAL value: '%s'", text)
	}
	if negative {
		n = -n
	}
	if to < 0 {
		return strings.ToUpper(strconv.FormatInt(int64(n), int(-to)))
	}
	return strings.ToUpper(strconv.FormatUint(n, int(to)))
}

func isBase(n int64) bool { return n >= 2 && n <= 36 || n <= -2 && n >= -36 }

// readDigits reads digits of a base; over tells that the number has no place.
func readDigits(text string, base uint64) (n uint64, read int, over bool) {
	for ; read < len(text); read++ {
		digit, err := strconv.ParseUint(text[read:read+1], int(base), 8)
		if err != nil {
			break
		}
		high, low := bits.Mul64(n, base)
		sum, carry := bits.Add64(low, digit, 0)
		n, over = sum, over || high != 0 || carry != 0
	}
	return n, read, over
}
