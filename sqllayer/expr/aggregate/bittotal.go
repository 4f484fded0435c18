package aggregate

import (
	"bytes"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
)

// BitTotal is BIT_AND, BIT_OR or BIT_XOR: of binary texts a binary text, of others a number.
type BitTotal struct {
	sql.Aggregation
	Op string
}

func init() {
	total := func(name, op string, of func(sql.Expression) sql.Aggregation) sql.Function {
		return sql.Function1{Name: name, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &BitTotal{of(e), op} }}
	}
	operand.Register(
		total("bit_and", ast.BitAndStr, func(e sql.Expression) sql.Aggregation { return aggregation.NewBitAnd(e) }),
		total("bit_or", ast.BitOrStr, func(e sql.Expression) sql.Aggregation { return aggregation.NewBitOr(e) }),
		total("bit_xor", ast.BitXorStr, func(e sql.Expression) sql.Aggregation { return aggregation.NewBitXor(e) }),
	)
}

func (t *BitTotal) of() sql.Expression { return t.Aggregation.Children()[0] }

func (t *BitTotal) ofBytes(ctx *sql.Context) bool {
	is, literal := numbers.BytesOperand(ctx, t.of())
	return is && !literal
}

// Type implements sql.Expression. MySQL's binary text has room for one byte more than the operand.
func (t *BitTotal) Type(ctx *sql.Context) sql.Type {
	if !t.ofBytes(ctx) {
		return types.Uint64
	}
	return numbers.BytesType(min(numbers.BytesLength(ctx, t.of()), math.MaxUint16) + 1)
}

// IsNullable implements sql.Expression.
func (*BitTotal) IsNullable(*sql.Context) bool { return false }

// CollationCoercibility implements sql.CollationCoercible.
func (*BitTotal) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (t *BitTotal) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := t.Aggregation.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &BitTotal{e.(sql.Aggregation), t.Op}, nil
}

// WithWindow implements sql.WindowAdaptableExpression.
func (t *BitTotal) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &BitTotal{t.Aggregation.WithWindow(ctx, w).(sql.Aggregation), t.Op}
}

// WithId implements sql.IdExpression.
func (t *BitTotal) WithId(id sql.ColumnId) sql.IdExpression {
	return &BitTotal{t.Aggregation.WithId(id).(sql.Aggregation), t.Op}
}

// NewBuffer implements sql.Aggregation.
func (t *BitTotal) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) { return t.sum(ctx) }

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (t *BitTotal) NewWindowFunction(ctx *sql.Context) (sql.WindowFunction, error) {
	s, err := t.sum(ctx)
	if err != nil {
		return nil, err
	}
	return newOverFrames(ctx, s, t.of(), t.Window())
}

func (t *BitTotal) sum(ctx *sql.Context) (*bitSum, error) {
	s := &bitSum{of: t.of(), op: t.Op, typ: t.of().Type(ctx), bytes: t.ofBytes(ctx)}
	if s.bytes {
		s.length = int(s.typ.MaxTextResponseByteLength(ctx))
		if _, column := s.of.(*expression.GetField); column && s.length > numbers.MostBytesOfBits {
			return nil, bitsTooLong()
		}
	}
	s.reset()
	return s, nil
}

func bitsTooLong() error {
	return mysql.NewSQLError(numbers.ErBitsArgument, "HY000",
		"Aggregate bitwise functions cannot accept arguments longer than %d bytes; consider using the SUBSTRING() function", numbers.MostBytesOfBits)
}

// bitSum is the aggregate of the rows that it has seen.
type bitSum struct {
	of     sql.Expression
	op     string
	typ    sql.Type
	bytes  bool
	length int // of the text of no rows
	number uint64
	text   []byte // nil: there was no row
}

func (s *bitSum) reset() {
	s.number, s.text = 0, nil
	if s.op == ast.BitAndStr {
		s.number = math.MaxUint64
	}
}

// Update implements sql.AggregationBuffer.
func (s *bitSum) Update(ctx *sql.Context, row sql.Row) error {
	v, err := s.of.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return err
	}
	if !s.bytes {
		n, err := numbers.BitsOf(ctx, v, s.typ)
		s.number = numbers.CombineBits(s.op, s.number, n)
		return err
	}
	text, err := numbers.BytesValue(ctx, v)
	switch {
	case err != nil:
		return err
	case len(text) > numbers.MostBytesOfBits:
		return bitsTooLong()
	case s.text == nil:
		s.text = append([]byte{}, text...)
		return nil
	}
	s.text, err = numbers.CombineBytes(s.op, s.text, text)
	return err
}

// Eval implements sql.AggregationBuffer.
func (s *bitSum) Eval(*sql.Context) (any, error) {
	switch {
	case !s.bytes:
		return s.number, nil
	case s.text != nil:
		return s.text, nil
	}
	return bytes.Repeat([]byte{byte(s.number)}, min(s.length, numbers.MostBytesOfBits)), nil
}

// Dispose implements sql.Disposable.
func (*bitSum) Dispose(*sql.Context) {}
