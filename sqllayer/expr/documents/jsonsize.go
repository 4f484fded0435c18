package documents

import (
	"math"
	"math/bits"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// storageSize is JSON_STORAGE_SIZE: the bytes of a document as MySQL stores it, a byte for the type
// in front of the value.
func storageSize(ctx *sql.Context, doc documentReader, _ []sql.Expression, row sql.Row) (any, error) {
	v, null, err := doc.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	return 1 + storedSize(v), nil
}

// storageFree is JSON_STORAGE_FREE: nothing is changed in place.
func storageFree(ctx *sql.Context, doc documentReader, _ []sql.Expression, row sql.Row) (any, error) {
	_, null, err := doc.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	return int64(0), nil
}

// storedSize is the size of a value without its type. Lists begin with two numbers, how many and
// how large, and have an entry for each name and each value; these numbers have two bytes, or four
// in a list that is too large for two. Small values stand in their entries.
func storedSize(v any) int64 {
	switch v := v.(type) {
	case nil, bool:
		return 1
	case float64: // see document.go: a whole one is an integer, and a double with nothing behind its point is a decimal
		if v == math.Trunc(v) && math.Abs(v) <= operand.ExactDoubles {
			return integerSize(int64(v))
		}
		return 8
	case string:
		return withLength(len(v))
	case []any:
		return listSize(nil, v)
	case map[string]any:
		values := make([]any, 0, len(v))
		names := operand.MemberNames(v)
		for _, name := range names {
			values = append(values, v[name])
		}
		return listSize(names, values)
	}
	return 8
}

func integerSize(n int64) int64 {
	switch {
	case n == int64(int16(n)):
		return 2
	case n == int64(int32(n)):
		return 4
	}
	return 8
}

// withLength is the size of bytes behind their number, which has seven bits in a byte.
func withLength(n int) int64 { return int64(n) + int64(max(1, (bits.Len(uint(n))+6)/7)) }

func listSize(names []string, values []any) int64 {
	size := func(width int64) int64 {
		total := 2*width + int64(len(names))*(width+2) + int64(len(values))*(1+width)
		for _, name := range names {
			total += int64(len(name))
		}
		for _, v := range values {
			if n := storedSize(v); n > width || !inEntry(v) {
				total += n
			}
		}
		return total
	}
	if small := size(2); small <= math.MaxUint16 {
		return small
	}
	return size(4)
}

// inEntry tells values that may stand in their entries.
func inEntry(v any) bool {
	switch v := v.(type) {
	case nil, bool:
		return true
	case float64:
		return v == math.Trunc(v)
	}
	return false
}
