package operand

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// ExactDoubles are the integers up to which doubles, which the library's functions expect, are
// exact.
const ExactDoubles = 1 << 53

func NumberIn(text string) any {
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			if -ExactDoubles <= n && n <= ExactDoubles {
				return float64(n)
			}
			if n > 0 {
				return uint64(n)
			}
			return n
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return n
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	if f == math.Trunc(f) && math.Abs(f) <= ExactDoubles {
		return apdOf(f)
	}
	return f
}

// apdOf is a whole double with its digit behind the point.
func apdOf(f float64) *apd.Decimal {
	d, _, _ := apd.NewFromString(strconv.FormatFloat(f, 'f', 1, 64))
	return d
}

// documentNumber is the double that a document is: 0 with a warning where it is none.
func documentNumber(ctx *sql.Context, doc sql.JSONWrapper) (n Number, null bool, err error) {
	v, err := doc.ToInterface(ctx)
	if err != nil {
		return n, false, err
	}
	switch v := v.(type) {
	case bool, int64, uint64, float64, *apd.Decimal:
		if n, null, err = NumberOf(ctx, v, types.Float64); err == nil {
			n = Number{Kind: Double, Float: n.AsFloat()}
		}
		return n, null, err
	case json.Number:
		return textNumber(ctx, string(v), types.Float64)
	case string:
		return textNumber(ctx, NumberPart(ctx, v, "DOUBLE"), types.Float64)
	}
	NoNumber(ctx, "DOUBLE")
	return Number{Kind: Double}, false, nil
}

// NumberPart is the number that a text of a document begins with. It warns of what is none; an empty
// text is a zero of DOUBLE alone.
func NumberPart(ctx *sql.Context, text, kind string) string {
	end := NumberPrefix(text)
	if end < len(text) || end == 0 && kind != "DOUBLE" {
		NoNumber(ctx, kind)
	}
	if end == 0 {
		return "0"
	}
	return text[:end]
}

// NoNumber warns of a document that is no number.
func NoNumber(ctx *sql.Context, kind string) {
	ctx.Warn(3156, "Invalid JSON value for CAST to %s from column %s at row 1", kind, "cast_as_json")
}

// NewDocument is a stored document: read when somebody looks into it.
func NewDocument(text []byte) sql.JSONWrapper { return &document{text: text} }

type document struct {
	text []byte
	mu   sync.Mutex
	read bool
	val  any
}

var _ types.JSONBytes = (*document)(nil)

// Clone implements sql.JSONWrapper.
func (d *document) Clone(context.Context) sql.JSONWrapper { return NewDocument(d.text) }

// ToInterface implements sql.JSONWrapper. A statement that ends meanwhile leaves the document unread.
func (d *document) ToInterface(ctx context.Context) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.read {
		v, err := (&jsonReader{text: string(d.text), steps: Interrupts{Ctx: ctx}, kept: true}).document()
		if err != nil {
			return nil, err
		}
		d.val, d.read = v, true
	}
	return d.val, nil
}

// GetBytes implements types.JSONBytes.
func (d *document) GetBytes(context.Context) ([]byte, error) { return d.text, nil }

func (d *document) String() string { return string(d.text) }
