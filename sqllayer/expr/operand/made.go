package operand

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Made is a document that a function has made: a tree whose text is MySQL's. The library's own
// documents write doubles without exponents.
type Made struct{ val any }

var _ types.JSONBytes = Made{}

// MadeOf is the document of a tree.
func MadeOf(val any) sql.JSONWrapper { return Made{val} }

// Remade is a value whose documents of the library are of our own.
func Remade(v any) any {
	if d, ok := v.(types.JSONDocument); ok {
		return Made{d.Val}
	}
	return v
}

// Clone implements sql.JSONWrapper.
func (m Made) Clone(context.Context) sql.JSONWrapper {
	return Made{types.DeepCopyJson(m.val)}
}

// ToInterface implements sql.JSONWrapper.
func (m Made) ToInterface(context.Context) (any, error) { return m.val, nil }

// GetBytes implements types.JSONBytes.
func (m Made) GetBytes(ctx context.Context) ([]byte, error) { return AppendDocument(ctx, nil, m.val) }

// AppendDocument appends the text of a document.
func AppendDocument(ctx context.Context, dst []byte, val any) (_ []byte, err error) {
	switch v := val.(type) {
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range MemberNames(v) {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst, err = AppendDocument(ctx, dst, name); err != nil {
				return nil, err
			}
			if dst, err = AppendDocument(ctx, append(dst, ": "...), v[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst, err = AppendDocument(ctx, dst, e); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= ExactDoubles {
			return strconv.AppendInt(dst, int64(v), 10), nil
		}
		return AppendFloat(dst, v, 64), nil
	case *apd.Decimal:
		if f, ok := WholeDouble(v); ok && math.Abs(f) >= longestWhole {
			return AppendFloat(dst, f, 64), nil
		}
	case *document: // whose text is MySQL's
		return append(dst, v.text...), nil
	case sql.JSONWrapper:
		inner, err := v.ToInterface(ctx)
		if err != nil {
			return nil, err
		}
		return AppendDocument(ctx, dst, inner)
	}
	text, err := types.JsonToMySqlBytes(ctx, types.JSONDocument{Val: val})
	return append(dst, text...), err
}

// DocumentNumber is the number that a document is; ok is false of other values.
func DocumentNumber(ctx context.Context, v any) (n any, ok bool) {
	j, ok := v.(sql.JSONWrapper)
	if !ok {
		return nil, false
	}
	val, err := j.ToInterface(ctx)
	if err != nil {
		return nil, false
	}
	switch n := val.(type) {
	case float64:
		if n == math.Trunc(n) && math.Abs(n) <= ExactDoubles {
			return int64(n), true
		}
		return n, true
	case int64, uint64:
		return n, true
	case *apd.Decimal:
		if f, ok := WholeDouble(n); ok {
			return f, true
		}
		return n, true
	}
	return nil, false
}

// WholeDouble is the whole double that a number with a digit behind its point stands for.
func WholeDouble(d *apd.Decimal) (float64, bool) {
	if d.Exponent != -1 || !strings.HasSuffix(d.Text('f'), ".0") {
		return 0, false
	}
	f, err := d.Float64()
	return f, err == nil
}

// MemberNames are the names of an object's members in MySQL's order: the shorter one first.
func MemberNames(object map[string]any) []string {
	return slices.SortedFunc(maps.Keys(object), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
}
