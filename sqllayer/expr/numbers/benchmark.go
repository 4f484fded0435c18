package numbers

import (
	"fmt"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Benchmark is BENCHMARK: it evaluates an expression many times, and gives 0.
type Benchmark struct{ operand.Many }

var _ sql.FunctionExpression = (*Benchmark)(nil)

var _ sql.CollationCoercible = (*Benchmark)(nil)

var _ sql.NonDeterministicExpression = (*Benchmark)(nil)

func init() {
	operand.Register(sql.FunctionN{Name: "benchmark", Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("BENCHMARK", 2, len(args))
		}
		return &Benchmark{operand.OverMany(args)}, nil
	}})
}

// FunctionName implements sql.FunctionExpression.
func (b *Benchmark) FunctionName() string { return "benchmark" }

// Description implements sql.FunctionExpression.
func (b *Benchmark) Description() string { return "evaluates an expression many times" }

func (b *Benchmark) String() string {
	return fmt.Sprintf("benchmark(%s,%s)", b.ChildExpressions[0], b.ChildExpressions[1])
}

// Type implements sql.Expression.
func (b *Benchmark) Type(*sql.Context) sql.Type { return types.Int32 }

// IsNullable implements sql.Expression.
func (b *Benchmark) IsNullable(*sql.Context) bool { return true }

// IsNonDeterministic implements sql.NonDeterministicExpression: it is run where it stands.
func (b *Benchmark) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (b *Benchmark) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (b *Benchmark) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(b, children)
}

// Eval implements sql.Expression.
func (b *Benchmark) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := b.ChildExpressions[0].Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, v, b.ChildExpressions[0].Type(ctx))
	if err != nil || null {
		return nil, err
	}
	times, large, _ := n.AsInteger()
	if times < 0 && !large {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: operand.ErWrongValueForType,
			Message: "Incorrect count value: '" + strconv.FormatInt(times, 10) + "' for function benchmark"})
		return nil, nil
	}
	for left := uint64(times); left > 0; left-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := b.ChildExpressions[1].Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	return int32(0), nil
}
