package fn

import (
	"bytes"
	"math"

	"emberdb/sql/types"
)

// What texts of columns are long that are made of a query.

// utf8mb3 is the collation of what the server tells about itself.
const utf8mb3 = 33

func systemText(n uint32, null bool) typeOf {
	return func(*Setting, []Expr) (types.Type, error) {
		return types.StringType(n, utf8mb3, types.Sysconst, null), nil
	}
}

// LongText is LONGTEXT, or LONGBLOB.
func LongText(collation uint16, null bool) types.Type {
	t := types.StringType(math.MaxUint32, collation, types.Implicit, null)
	t.Wire = types.WireLongBlob
	return t
}

// asText is the type of an operand of which a text is made.
func (s *Setting) asText(t types.Type) types.Type {
	switch {
	case t.Kind == types.String:
		return t
	case t.Kind == types.Enum:
		return types.StringType(t.Length, t.Collation, t.Coerce, t.Nullable)
	case t.Wire == types.WireBit:
		return types.StringType(t.Length, types.Binary, types.Implicit, t.Nullable)
	case t.Kind == types.Null:
		return types.StringType(0, s.Collation, types.Ignored, true)
	}
	return types.StringType(shownWidth(t), s.Collation, types.Numeric, t.Nullable)
}

// byteLength is how many bytes a text has at most.
func byteLength(t types.Type) uint32 {
	if t.Kind != types.String && t.Kind != types.Enum {
		return shownWidth(t)
	}
	if t.Wire == types.WireBlob || t.Wire == types.WireLongBlob {
		return t.Length
	}
	return uint32(min(uint64(t.Length)*uint64(types.CharBytes(t.Collation)), math.MaxUint32))
}

// common is the type of a text that is made of several, without its length, and the lengths of
// these: in bytes if the text is one of bytes.
func (s *Setting) common(all []types.Type) (t types.Type, lengths []uint64, err error) {
	for i, o := range all {
		o = s.asText(o)
		switch null := t.Nullable || o.Nullable; {
		case i == 0:
			t = o
		default:
			if t.Collation, t.Coerce, err = mixed(t, o); err != nil {
				return t, nil, err
			}
			t.Nullable = null
		}
	}
	for _, o := range all {
		n := byteLength(o)
		if t.Collation != types.Binary {
			n = s.asText(o).Length
		}
		lengths = append(lengths, uint64(n))
	}
	t.Wire, t.Scale = types.WireVarString, types.NotFixed
	return t, lengths, nil
}

// mixed is the collation of a text that is made of two.
func mixed(a, b types.Type) (uint16, types.Coercibility, error) {
	switch {
	case a.Coerce < b.Coerce:
		return a.Collation, a.Coerce, nil
	case b.Coerce < a.Coerce:
		return b.Collation, b.Coerce, nil
	case a.Collation == types.Binary, b.Collation == types.Binary:
		return types.Binary, a.Coerce, nil
	case a.Coerce == types.Explicit || types.SameCharset(a.Collation, b.Collation):
		return Collate(a, b)
	}
	switch x, y := types.ReachOf(a.Collation), types.ReachOf(b.Collation); {
	case x < y:
		return b.Collation, b.Coerce, nil
	case x == y && x != types.AllUnicode:
		return 0, 0, Refuse(ByType, "texts of several character sets")
	}
	return a.Collation, a.Coerce, nil
}

func kinds(args []Expr) (out []types.Type) {
	for _, a := range args {
		out = append(out, a.Type())
	}
	return out
}

// sized is a text with so many characters.
func sized(t types.Type, n uint64) types.Type {
	t.Length = uint32(min(n, math.MaxUint32))
	return t
}

func (s *Setting) concatText(args []Expr) (types.Type, error) {
	t, lengths, err := s.common(kinds(args))
	n := uint64(0)
	for _, l := range lengths {
		n += l
	}
	return sized(t.Nullify(true), n), err
}

// likeText is a text as long as an operand.
func likeText(at int) typeOf {
	return func(s *Setting, args []Expr) (types.Type, error) {
		t, lengths, err := s.common(kinds(args[at : at+1]))
		if err != nil || args[at].Type().Document() {
			return t, Refuse(ByType, "a text")
		}
		return sized(t.Nullify(true), lengths[0]), nil
	}
}

// cutOf is LEFT and RIGHT.
func (s *Setting) cutOf(args []Expr) (types.Type, error) {
	t, err := likeText(0)(s, args)
	if n, bad := integer(args[1]); bad == nil {
		t.Length = uint32(min(uint64(max(n, 0)), uint64(t.Length)))
	}
	return t.Nullify(args[1].Type().Nullable), err
}

func (s *Setting) spaces(args []Expr) (types.Type, error) {
	if n, err := integer(args[0]); err == nil {
		return types.StringType(uint32(min(max(n, 0), math.MaxUint32)), s.Collation, types.Literal, true), nil
	}
	return LongText(s.Collation, true), nil
}

func (s *Setting) madeSet(args []Expr) (types.Type, error) {
	t, err := s.concatText(args[1:])
	t.Nullable = args[0].Type().Nullable
	return sized(t, uint64(t.Length)+uint64(len(args)-2)), err
}

func (s *Setting) exportedSet(args []Expr) (types.Type, error) {
	words := args[1:3]
	separator := uint64(1)
	if len(args) > 3 {
		words = args[1:4]
	}
	t, lengths, err := s.common(kinds(words))
	if err != nil {
		return t, err
	}
	if len(args) > 3 {
		separator = lengths[2]
	}
	return sized(t.Nullify(true), 64*max(lengths[0], lengths[1])+63*separator), nil
}

func (s *Setting) formattedNumber(args []Expr) (types.Type, error) {
	n := s.asText(args[0].Type()).Length
	return types.StringType(n+n/3+32, s.Collation, types.Literal, true), nil
}

func (s *Setting) quotedDocument(args []Expr) (types.Type, error) {
	t := types.DocumentTextType(0)
	return types.StringType(6*s.asText(args[0].Type()).Length+2, t.Collation, types.Literal, true), nil
}

// formatted is DATE_FORMAT and TIME_FORMAT: ten times as long as a format that is no constant.
func (s *Setting) formatted(args []Expr) (types.Type, error) {
	if t, err := formattedDate(s, args); err == nil {
		return t, nil
	}
	return types.StringType(10*s.asText(args[1].Type()).Length, s.Collation, types.Literal, true), nil
}

// formattedTime is TIME_FORMAT, whose hours may have seven digits.
func (s *Setting) formattedTime(args []Expr) (types.Type, error) {
	t, err := s.formatted(args)
	if c, ok := args[1].(*Const); ok && c.T.Kind == types.String {
		t.Length += 5 * uint32(bytes.Count(c.V.S[0], []byte("%H"))+bytes.Count(c.V.S[0], []byte("%k")))
	}
	return t, err
}

func compressed(t types.Type) uint32 {
	n := byteLength(t)
	return n + n>>12 + n>>14 + n>>25 + 13 + 5
}

// collated is COLLATE: the operand is in the collation already.
func (s *Setting) collated(args []Expr) (types.Type, error) {
	t := args[0].Type()
	if t.Wire == types.WireBlob {
		return LongText(t.Collation, true), nil
	}
	t.Wire = types.WireVarString
	return t.Nullify(true), nil
}

// Recast is a cast to a text of so many characters; -1: as many as there are.
func (s *Setting) Recast(from types.Type, collation uint16, length int) types.Type {
	t := s.asText(from)
	n := uint64(t.Length)
	switch {
	case from.Kind == types.Null:
		n = 0
	case from.Document() && length < 0:
		return LongText(collation, true)
	case collation == types.Binary:
		n = uint64(byteLength(t))
	case isBlob(t):
		n = uint64(t.Length) / uint64(types.CharBytes(t.Collation))
	}
	if length >= 0 {
		n = uint64(length)
	}
	return sized(types.StringType(0, collation, types.Implicit, true), n)
}
