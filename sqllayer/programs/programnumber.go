package programs

// Expressions of signed integers: counters, sums, conditions of loops. They become functions that
// call each other. What MySQL makes of an overflow, of a division by zero and of other types is
// told by the expression itself, which is evaluated then.

import (
	"math"
	"math/bits"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/store"
)

// Integers computes an expression over a row. ok is false if the expression has to be evaluated.
type Integers func(row sql.Row) (n int64, null, ok bool)

// IntegersOf makes the function of an expression as it was planned; nil if it has another type
// somewhere.
func IntegersOf(ctx *sql.Context, e sql.Expression) Integers {
	switch e := e.(type) {
	case *expression.GetField:
		return fieldInteger(ctx, e)
	case *expression.Literal:
		return literalInteger(e)
	case *numbers.Arithmetic:
		if f := arithmeticOf[e.Op]; f != nil {
			return twoIntegers(ctx, e.LeftChild, e.RightChild, f)
		}
	case *expression.Equals:
		return comparedIntegers(ctx, e, func(a, b int64) bool { return a == b })
	case *expression.LessThan:
		return comparedIntegers(ctx, e, func(a, b int64) bool { return a < b })
	case *expression.LessThanOrEqual:
		return comparedIntegers(ctx, e, func(a, b int64) bool { return a <= b })
	case *expression.GreaterThan:
		return comparedIntegers(ctx, e, func(a, b int64) bool { return a > b })
	case *expression.GreaterThanOrEqual:
		return comparedIntegers(ctx, e, func(a, b int64) bool { return a >= b })
	case *expression.And:
		return connected(ctx, e.LeftChild, e.RightChild, false)
	case *expression.Or:
		return connected(ctx, e.LeftChild, e.RightChild, true)
	case *expression.Not:
		return notInteger(ctx, e.Child)
	case *expression.IsNull:
		return nullInteger(ctx, e.Child)
	}
	return nil
}

func fieldInteger(ctx *sql.Context, e *expression.GetField) Integers {
	if !types.IsSigned(e.Type(ctx)) {
		return nil
	}
	at := e.Index()
	return func(row sql.Row) (int64, bool, bool) {
		switch n := row[at].(type) {
		case nil:
			return 0, true, true
		case int64:
			return n, false, true
		case int32:
			return int64(n), false, true
		case int16:
			return int64(n), false, true
		case int8:
			return int64(n), false, true
		}
		return 0, false, false
	}
}

func literalInteger(e *expression.Literal) Integers {
	if e.Val == nil || !types.IsInteger(e.Typ) {
		return nil
	}
	n, ok := store.Signed(e.Val)
	if !ok {
		return nil
	}
	return func(sql.Row) (int64, bool, bool) { return n, false, true }
}

// arithmeticOf are the operators; ok is false for what only the expression can tell.
var arithmeticOf = map[string]func(a, b int64) (n int64, ok bool){
	"+": func(a, b int64) (int64, bool) {
		n := a + b
		return n, (n > a) == (b > 0)
	},
	"-": func(a, b int64) (int64, bool) {
		n := a - b
		return n, (n < a) == (b > 0)
	},
	"*": func(a, b int64) (int64, bool) {
		if a == math.MinInt64 || b == math.MinInt64 {
			return 0, false
		}
		high, low := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
		return a * b, high == 0 && low <= math.MaxInt64
	},
	"%": func(a, b int64) (int64, bool) {
		if b == 0 || b == -1 {
			return 0, false
		}
		return a % b, true
	},
	"div": func(a, b int64) (int64, bool) {
		if b == 0 || b == -1 {
			return 0, false
		}
		return a / b, true
	},
}

func twoIntegers(ctx *sql.Context, left, right sql.Expression, f func(a, b int64) (int64, bool)) Integers {
	l, r := IntegersOf(ctx, left), IntegersOf(ctx, right)
	if l == nil || r == nil {
		return nil
	}
	return func(row sql.Row) (int64, bool, bool) {
		a, null, ok := l(row)
		if null || !ok {
			return 0, null, ok
		}
		b, null, ok := r(row)
		if null || !ok {
			return 0, null, ok
		}
		n, ok := f(a, b)
		return n, false, ok
	}
}

func comparedIntegers(ctx *sql.Context, e expression.Comparer, f func(a, b int64) bool) Integers {
	return twoIntegers(ctx, e.Left(), e.Right(), func(a, b int64) (int64, bool) { return truth(f(a, b)), true })
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// connected is AND, or OR if either operand decides by being true.
func connected(ctx *sql.Context, left, right sql.Expression, either bool) Integers {
	l, r := IntegersOf(ctx, left), IntegersOf(ctx, right)
	if l == nil || r == nil {
		return nil
	}
	return func(row sql.Row) (int64, bool, bool) {
		a, unknown, ok := l(row)
		if !ok {
			return 0, false, false
		}
		if !unknown && (a != 0) == either {
			return truth(either), false, true
		}
		b, null, ok := r(row)
		if !ok {
			return 0, false, false
		}
		if !null && (b != 0) == either {
			return truth(either), false, true
		}
		return truth(!either), unknown || null, true
	}
}

func notInteger(ctx *sql.Context, e sql.Expression) Integers {
	f := IntegersOf(ctx, e)
	if f == nil {
		return nil
	}
	return func(row sql.Row) (int64, bool, bool) {
		n, null, ok := f(row)
		return truth(n == 0), null, ok
	}
}

func nullInteger(ctx *sql.Context, e sql.Expression) Integers {
	f := IntegersOf(ctx, e)
	if f == nil {
		return nil
	}
	return func(row sql.Row) (int64, bool, bool) {
		_, null, ok := f(row)
		return truth(null), false, ok
	}
}

// HeldInteger is a number as a variable of an integer type holds it; nil if it is out of range or
// the type another one.
func HeldInteger(t sql.Type, n int64) any {
	switch t.Type() {
	case sqltypes.Int8:
		if int64(int8(n)) == n {
			return int8(n)
		}
	case sqltypes.Int16:
		if int64(int16(n)) == n {
			return int16(n)
		}
	case sqltypes.Int24:
		if n >= -1<<23 && n < 1<<23 {
			return int32(n)
		}
	case sqltypes.Int32:
		if int64(int32(n)) == n {
			return int32(n)
		}
	case sqltypes.Int64:
		return n
	case sqltypes.Uint64:
		if n >= 0 {
			return uint64(n)
		}
	case sqltypes.Uint32:
		if n >= 0 && int64(uint32(n)) == n {
			return uint32(n)
		}
	}
	return nil
}
