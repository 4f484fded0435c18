package operand

import (
	"encoding/binary"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/go-mysql-server/sql/types"

	texts "emberdb/sql/types"
)

// Collated compares texts as MySQL does: by what they weigh, and as if padded with spaces where the
// collation says so.
type Collated struct {
	by     *texts.Collator // nil: bytes
	sorter sql.CollationSorter
}

func Collate(id sql.CollationID) Collated {
	by := texts.CollatorOf(uint16(id))
	if id == sql.Collation_binary || by == nil {
		return Collated{}
	}
	return Collated{by, id.Sorter()}
}

// Compare compares two texts.
func (c Collated) Compare(a, b string) int {
	if c.by == nil {
		return strings.Compare(a, b)
	}
	return c.by.Compare(encodings.StringToBytes(a), encodings.StringToBytes(b))
}

// Same tells whether two texts are equal without padding.
func (c Collated) Same(a, b string) bool {
	return a == b || c.by != nil && c.by.EqualChars(encodings.StringToBytes(a), encodings.StringToBytes(b))
}

// Append adds to dst bytes that are the same for texts that are equal, and end by themselves.
func (c Collated) Append(dst []byte, text string) []byte {
	if c.by == nil {
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		return append(dst, text...)
	}
	return c.by.AppendKey(dst, encodings.StringToBytes(text))
}

func sign[T int | int32 | int64 | uint64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// CollationOf is the collation by which two expressions that are texts compare.
func CollationOf(ctx *sql.Context, l, r sql.Expression) sql.CollationID {
	lc, ln := sql.GetCoercibility(ctx, l)
	rc, rn := sql.GetCoercibility(ctx, r)
	if c, _ := sql.ResolveCoercibility(lc, ln, rc, rn); c != sql.Collation_Unspecified {
		return c
	}
	return lc
}

// IsText tells character strings from binary ones and everything else.
func IsText(t sql.Type) bool { return types.IsTextOnly(t) }

// IsBinary tells binary strings.
func IsBinary(t sql.Type) bool {
	s, ok := t.(sql.StringType)
	return ok && s.Collation() == sql.Collation_binary
}

// TextOf is the value of a text.
func TextOf(ctx *sql.Context, v any) (string, bool, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", false, err
	}
	switch v := v.(type) {
	case string:
		return v, true, nil
	case []byte:
		return string(v), true, nil
	}
	return "", false, nil
}
