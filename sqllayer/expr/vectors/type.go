package vectors

import (
	"bytes"
	"context"
	"fmt"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// MostDimensions is how many numbers a vector has at most, UsualDimensions how many one has whose
// definition does not say it.
const (
	MostDimensions  = types.MaxVectorDimensions
	UsualDimensions = types.DefaultVectorDimensions
)

const numberBytes = 4

// Type is VECTOR(n): vectors of at most so many numbers. go-mysql-server's takes those of so many
// alone.
type Type struct{ types.VectorType }

// Of is the type of vectors of at most so many numbers.
func Of(dimensions int) Type { return Type{types.VectorType{Dimensions: dimensions}} }

// Bytes is how many bytes a value has at most.
func (t Type) Bytes() int { return numberBytes * t.Dimensions }

// Is tells whether a type is VECTOR.
func Is(t sql.Type) bool {
	_, ok := t.(Type)
	return ok
}

func (t Type) String() string { return fmt.Sprintf("vector(%d)", t.Dimensions) }

// Equals implements sql.Type.
func (t Type) Equals(other sql.Type) bool { return other == sql.Type(t) }

// Promote implements sql.Type.
func (t Type) Promote() sql.Type { return t }

// Zero implements sql.Type.
func (Type) Zero() any { return []byte{} }

// Compare implements sql.Type.
func (t Type) Compare(ctx context.Context, a, b any) (int, error) {
	if null, n := types.CompareNulls(a, b); null {
		return n, nil
	}
	x, _, err := t.Convert(ctx, a)
	if err != nil {
		return 0, err
	}
	y, _, err := t.Convert(ctx, b)
	if err != nil {
		return 0, err
	}
	return bytes.Compare(x.([]byte), y.([]byte)), nil
}

// Convert implements sql.Type.
func (t Type) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil || v == nil {
		return nil, sql.InRange, err
	}
	if b, ok := bytesOf(v); ok && len(b)%numberBytes == 0 {
		return b, sql.InRange, nil
	}
	return nil, sql.InRange, NotOne(v)
}

// bytesOf is a value that is bytes.
func bytesOf(v any) (b []byte, ok bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case operand.Bytes:
		return []byte(v), true
	}
	return nil, false
}

// Whole tells whether bytes are a vector's.
func Whole(v any) bool {
	b, ok := bytesOf(v)
	return ok && len(b) > 0 && len(b)%numberBytes == 0
}

// NotOne is the error of a value that is no vector.
func NotOne(v any) error {
	kind, size := "string", 0
	switch v := v.(type) {
	case string:
		size = len(v)
	case sql.JSONWrapper:
		text, _ := operand.AppendDocument(context.Background(), nil, v)
		size = len(text)
	case *apd.Decimal:
		kind, size = "numeric", 64
	case bool, int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, float32, float64:
		kind, size = "numeric", 8
	default:
		if b, ok := bytesOf(v); ok {
			size = len(b)
		} else {
			size = len(fmt.Sprint(v))
		}
	}
	return mysql.NewSQLError(6136, "HY000", "Value of type '%s, size: %d' cannot be converted to 'vector' type.", kind, size)
}
