package aggregate

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// appendDocument adds a document's part of a key: equal documents have the same, 1 and 1.0 among
// them.
func appendDocument(ctx *sql.Context, dst []byte, j sql.JSONWrapper) ([]byte, error) {
	v, err := j.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	return appendInside(ctx, append(dst, documentPart), v)
}

func appendInside(ctx *sql.Context, dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		dst = binary.AppendUvarint(append(dst, '{'), uint64(len(names)))
		for _, name := range names {
			var err error
			if dst, err = appendInside(ctx, appendWord(dst, name), v[name]); err != nil {
				return nil, err
			}
		}
		return dst, nil
	case []any:
		dst = binary.AppendUvarint(append(dst, '['), uint64(len(v)))
		for _, e := range v {
			var err error
			if dst, err = appendInside(ctx, dst, e); err != nil {
				return nil, err
			}
		}
		return dst, nil
	case string:
		return appendWord(append(dst, '"'), v), nil
	}
	if n, ok := numberInside(v); ok {
		return appendWord(append(dst, '#'), n), nil
	}
	shown, err := operand.AppendDocument(ctx, nil, v)
	return appendWord(append(dst, '.'), string(shown)), err
}

func appendWord(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// numberInside is a number of a document, written in one way whatever its type.
func numberInside(v any) (string, bool) {
	switch v := v.(type) {
	case int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, uint:
		n, ok := types.ApproximateTypeFromValue(v).(sql.NumberType)
		if !ok {
			return "", false
		}
		shown, err := n.SQL(nil, nil, v)
		return string(shown.Raw()), err == nil
	case float32:
		return numberInside(float64(v))
	case float64:
		if math.Trunc(v) == v && math.Abs(v) < 1<<63 {
			return strconv.FormatInt(int64(v), 10), true
		}
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case *apd.Decimal:
		d, _ := new(apd.Decimal).Reduce(v)
		return d.Text('f'), true
	}
	return "", false
}
