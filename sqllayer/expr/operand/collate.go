package operand

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Collated compares texts as MySQL does: by the weights of their characters, and as if padded with
// spaces where the collation says so.
type Collated struct {
	sorter sql.CollationSorter // nil: bytes
	Pad    bool
}

func Collate(id sql.CollationID) Collated {
	c := id.Collation()
	if id == sql.Collation_binary || c.Sorter == nil {
		return Collated{}
	}
	return Collated{c.Sorter, c.PadAttribute != "NO PAD"}
}

// Compare compares two texts while the statement goes on.
func (c Collated) Compare(ctx *sql.Context, a, b string) (int, error) {
	if c.sorter == nil {
		return strings.Compare(a, b), nil
	}
	same := alike(a, b)
	a, b = a[same:], b[same:]
	steps := Interrupts{Ctx: ctx}
	for len(a) > 0 && len(b) > 0 {
		if err := steps.Next(); err != nil {
			return 0, err
		}
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if v, w := c.sorter(x), c.sorter(y); v != w {
			return sign(v, w), nil
		}
		a, b = a[n:], b[m:]
	}
	if !c.Pad || a == b {
		return sign(len(a), len(b)), nil
	}
	n, err := c.behind(&steps, a)
	if n != 0 || err != nil {
		return n, err
	}
	n, err = c.behind(&steps, b)
	return -n, err
}

// behind compares the rest of the longer text with spaces.
func (c Collated) behind(steps *Interrupts, rest string) (int, error) {
	for _, r := range rest {
		if err := steps.Next(); err != nil {
			return 0, err
		}
		if v, w := c.sorter(r), c.sorter(' '); v != w {
			return sign(v, w), nil
		}
	}
	return 0, nil
}

// alike is how many bytes, of whole characters, two long texts begin with alike; 0 for short ones.
func alike(a, b string) int {
	const block = 64
	n := 0
	for len(a)-n >= block && len(b)-n >= block && a[n:n+block] == b[n:n+block] {
		n += block
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// Append adds to dst bytes that are the same for texts that are equal, and end by themselves.
func (c Collated) Append(dst []byte, text string) []byte {
	if c.Pad {
		text = strings.TrimRight(text, " ")
	}
	if c.sorter == nil {
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		return append(dst, text...)
	}
	for _, r := range text {
		dst = binary.BigEndian.AppendUint32(dst, uint32(c.sorter(r))|1<<31)
	}
	return append(dst, 0)
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
