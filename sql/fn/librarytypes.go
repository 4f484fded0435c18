package fn

import (
	"emberdb/sql/locale"
	"emberdb/sql/types"
)

// What clients are told of the results of the library's functions.

// typeOf finds the type of a result.
type typeOf = func(s *Setting, args []Expr) (types.Type, error)

// textOf is the type of an operand where a text is expected.
func (s *Setting) textOf(a Expr) (types.Type, error) {
	t := a.Type()
	if t.Kind == types.String {
		return t, nil
	}
	length, err := textLength(t)
	return types.StringType(length, s.Collation, types.Numeric, t.Nullable), err
}

// bytesOf is how many bytes an operand has at most where a text is expected.
func bytesOf(t types.Type) uint32 {
	if t.Kind == types.String {
		return types.CharBytes(t.Collation) * t.Length
	}
	length, _ := textLength(t)
	return length
}

// longestText is the most characters of a text whose type is told.
const longestText = 1 << 28

// ofTexts is a text under the collation of some operands, with so many characters.
func (s *Setting) ofTexts(length uint64, args ...Expr) (types.Type, error) {
	var t types.Type
	for i, a := range args {
		o, err := s.textOf(a)
		if err != nil {
			return t, err
		}
		if i == 0 {
			t = o
		} else if t.Collation, t.Coerce, err = Collate(t, o); err != nil {
			return t, err
		}
	}
	if length > longestText {
		return t, Refuse(ByType, "a long text")
	}
	return types.StringType(uint32(length), t.Collation, t.Coerce, true), nil
}

// lengths is the sum of the characters of operands.
func (s *Setting) lengths(args ...Expr) (n uint64, err error) {
	for _, a := range args {
		t, err := s.textOf(a)
		if err != nil {
			return 0, err
		}
		n += uint64(t.Length)
	}
	return n, nil
}

// textLike is a text as long as an operand.
func textLike(at int) typeOf {
	return func(s *Setting, args []Expr) (types.Type, error) {
		n, err := s.lengths(args[at])
		if err != nil {
			return types.Type{}, err
		}
		return s.ofTexts(n, args[at])
	}
}

// cutAround is a text from whose ends another one is taken.
func cutAround(s *Setting, args []Expr) (types.Type, error) {
	n, err := s.lengths(args[0])
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(n, args...)
}

// fixedText is a text of the connection's collation.
func fixedText(n uint32) typeOf {
	return func(s *Setting, _ []Expr) (types.Type, error) {
		return types.StringType(n, s.Collation, types.Literal, true), nil
	}
}

func dayNames(s *Setting, _ []Expr) (types.Type, error) {
	return types.StringType(s.locale().LongestDay(), s.Collation, types.Literal, true), nil
}

func monthNames(s *Setting, _ []Expr) (types.Type, error) {
	return types.StringType(s.locale().LongestMonth(), s.Collation, types.Literal, true), nil
}

func (s *Setting) locale() *locale.Locale {
	if s.Locale == nil {
		return locale.English()
	}
	return s.Locale
}

func binaryText(n func(types.Type) uint32) typeOf {
	return func(_ *Setting, args []Expr) (types.Type, error) {
		return types.StringType(n(args[0].Type()), types.Binary, types.Literal, true), nil
	}
}

func hexText(s *Setting, args []Expr) (types.Type, error) {
	t := args[0].Type()
	n := 2 * bytesOf(t)
	if t.Kind.Number() {
		n = 16
	}
	return types.StringType(n, s.Collation, types.Literal, true), nil
}

var digests = map[int64]uint32{0: 64, 224: 56, 256: 64, 384: 96, 512: 128}

func digest(s *Setting, args []Expr) (types.Type, error) {
	bits, err := integer(args[1])
	if n := digests[bits]; err == nil && n > 0 {
		return types.StringType(n, s.Collation, types.Literal, true), nil
	}
	return types.Type{}, Refuse(ByType, "a digest of unknown length")
}

// characters is a constant number of characters.
func characters(e Expr) (uint64, error) {
	n, err := integer(e)
	if err != nil || n < 0 || n > longestText {
		return 0, Refuse(ByType, "a text of unknown length")
	}
	return uint64(n), nil
}

// textAndNumber is the length of a text, and the number of characters that stands behind it.
func (s *Setting) textAndNumber(args []Expr) (length, n uint64, err error) {
	if n, err = characters(args[1]); err == nil {
		length, err = s.lengths(args[0])
	}
	return length, n, err
}

func cutText(s *Setting, args []Expr) (types.Type, error) {
	length, n, err := s.textAndNumber(args)
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(min(n, length), args[0])
}

func padded(s *Setting, args []Expr) (types.Type, error) {
	n, err := characters(args[1])
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(n, args[0], args[2])
}

func repeated(s *Setting, args []Expr) (types.Type, error) {
	length, n, err := s.textAndNumber(args)
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(n*length, args[0])
}

func replaced(s *Setting, args []Expr) (types.Type, error) {
	lengths := [3]uint64{}
	for i, a := range args {
		n, err := s.lengths(a)
		if err != nil {
			return types.Type{}, err
		}
		lengths[i] = n
	}
	if a, b := args[1].Type(), args[2].Type(); a.Kind != types.String || b.Kind != types.String || bytesOf(b) > 4*bytesOf(a) {
		return types.Type{}, Refuse(ByType, "a text that grows")
	}
	return s.ofTexts(lengths[0], args...)
}

func joined(s *Setting, args []Expr) (types.Type, error) {
	n, err := s.lengths(args[1:]...)
	if err != nil {
		return types.Type{}, err
	}
	separator, err := s.lengths(args[0])
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(n+separator*uint64(len(args)-2), args...)
}

func chosen(s *Setting, args []Expr) (types.Type, error) {
	longest := uint64(0)
	for _, a := range args[1:] {
		n, err := s.lengths(a)
		if err != nil {
			return types.Type{}, err
		}
		longest = max(longest, n)
	}
	return s.ofTexts(longest, args[1:]...)
}

func inserted(s *Setting, args []Expr) (types.Type, error) {
	n, err := s.lengths(args[0], args[3])
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(n, args[0], args[3])
}

func quoted(s *Setting, args []Expr) (types.Type, error) {
	n, err := s.lengths(args[0])
	if err != nil {
		return types.Type{}, err
	}
	if args[0].Type().Collation == types.Binary {
		return types.StringType(uint32(min(2*n+2, longestText)), s.Collation, types.Literal, true), nil
	}
	return s.ofTexts(2*n+2, args[0])
}

func sounded(s *Setting, args []Expr) (types.Type, error) {
	n, err := s.lengths(args[0])
	if err != nil {
		return types.Type{}, err
	}
	return s.ofTexts(max(n, 4), args[0])
}

func base64Text(s *Setting, args []Expr) (types.Type, error) {
	n := (bytesOf(args[0].Type()) + 2) / 3 * 4
	if n > 0 {
		n += (n - 1) / 76 // line breaks
	}
	return types.StringType(n, s.Collation, types.Literal, true), nil
}

// formatWidths are how many characters DATE_FORMAT writes for a letter.
var formatWidths = map[byte]uint32{'M': 64, 'W': 64, 'D': 4, 'Y': 4, 'x': 4, 'X': 4, 'a': 32, 'b': 32, 'j': 3, 'u': 2, 'y': 2, 'm': 2, 'd': 2, 'h': 2, 'i': 2, 'I': 2,
	'H': 2, 'S': 2, 's': 2, 'l': 2, 'k': 2, 'e': 2, 'c': 2, 'v': 2, 'V': 2, 'U': 2, 'p': 2, 'w': 1, 'f': 6, 'r': 11, 'T': 8}

func formattedDate(s *Setting, args []Expr) (types.Type, error) {
	c, ok := args[1].(*Const)
	if !ok || c.T.Kind != types.String {
		return types.Type{}, Refuse(ByType, "a format that is no constant")
	}
	n, text := uint32(0), c.V.S[0]
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			n++
			continue
		}
		i++
		if width := formatWidths[text[i]]; width > 0 {
			n += width
		} else {
			n++
		}
	}
	return types.StringType(n, s.Collation, types.Literal, true), nil
}

// anyNull tells whether an operand may be NULL.
func anyNull(args []Expr) bool {
	for _, a := range args {
		if a.Type().Nullable {
			return true
		}
	}
	return false
}

func integers(length uint32) typeOf {
	return func(_ *Setting, args []Expr) (types.Type, error) { return types.IntType(length, anyNull(args)), nil }
}

func nullIntegers(length uint32) typeOf {
	return func(*Setting, []Expr) (types.Type, error) { return types.IntType(length, true), nil }
}

func certainIntegers(length uint32) typeOf {
	return func(*Setting, []Expr) (types.Type, error) { return types.IntType(length, false), nil }
}

func unsigned(length uint32) typeOf {
	return func(_ *Setting, args []Expr) (types.Type, error) { return types.UintType(length, anyNull(args)), nil }
}

func years(*Setting, []Expr) (types.Type, error) { return yearType(), nil }

func dates(*Setting, []Expr) (types.Type, error) { return types.DateType(true), nil }

func doubles(*Setting, []Expr) (types.Type, error) { return types.FloatType(true), nil }

func magnitude(_ *Setting, args []Expr) (types.Type, error) {
	t := args[0].Type()
	switch t.Kind {
	case types.Int:
		return types.IntType(t.Length, t.Nullable), nil
	case types.Uint:
		return types.UintType(t.Length, t.Nullable), nil
	case types.String:
		return types.FloatType(t.Nullable), nil
	}
	return t, Refuse(ByType, "ABS of a date")
}

// rounded is a number without digits behind the point, or with so many as a constant says.
func rounded(_ *Setting, args []Expr) (types.Type, error) {
	t := args[0].Type()
	if len(args) > 1 {
		if n, err := integer(args[1]); err != nil || n < 0 {
			return t, Refuse(ByType, "a rounding to an unknown digit")
		}
	}
	switch {
	case t.Kind == types.Int:
		return types.IntType(21, t.Nullable), nil
	case t.Kind == types.Uint:
		return types.UintType(21, t.Nullable), nil
	case t.Kind != types.Decimal:
		return types.FloatType(t.Nullable), nil
	case len(args) > 1:
		return t, Refuse(ByType, "a rounding of a DECIMAL")
	case t.Precision-t.Scale < 18:
		return types.IntType(21, t.Nullable), nil
	}
	return types.DecimalType(int(t.Precision-t.Scale)+1, 0, t.Nullable), nil
}

// extreme is the type of GREATEST and LEAST of operands of one kind.
func extreme(_ *Setting, args []Expr) (types.Type, error) {
	first := args[0].Type().Kind
	for _, a := range args[1:] {
		if k := a.Type().Kind; k != first && !(k.Number() && first.Number()) {
			return types.Type{}, Refuse(ByType, "the extreme of different kinds")
		}
	}
	t, err := Unify(args)
	return t.Nullify(anyNull(args)), err
}

func isDocument(e Expr) bool { return e.Type().Document() }

// document is the type of a function that makes documents.
func document(*Setting, []Expr) (types.Type, error) { return types.DocumentType(true), nil }

// documentText is that of a function that makes texts of documents.
func documentText(length uint32) typeOf {
	return func(*Setting, []Expr) (types.Type, error) { return types.DocumentTextType(length), nil }
}
