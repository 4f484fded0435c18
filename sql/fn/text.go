package fn

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"emberdb/sql/types"
)

// texts refuses operands that are no strings, and binary ones, whose characters are bytes.
func texts(args ...Expr) error {
	for _, a := range args {
		if t := a.Type(); t.Kind != types.String || t.Collation == types.Binary {
			return Refuse(ByType, "a text function of what is no text")
		}
	}
	return nil
}

// stringsOf refuses operands that are neither texts nor bytes.
func stringsOf(args ...Expr) error {
	for _, a := range args {
		if a.Type().Kind != types.String {
			return Refuse(ByType, "a text function of what is no text")
		}
	}
	return nil
}

// skipChars returns what follows the first n characters.
func skipChars(s []byte, n int) []byte {
	for ; n > 0 && len(s) > 0; n-- {
		w := 1
		if s[0] >= utf8.RuneSelf {
			_, w = utf8.DecodeRune(s)
		}
		s = s[w:]
	}
	return s
}

// integer is the constant that an operand is.
func integer(e Expr) (int64, error) {
	c, ok := e.(*Const)
	if !ok || c.IsNull() || c.T.Kind != types.Int {
		return 0, Refuse(ByType, "an operand that is no known integer")
	}
	return c.V.I[0], nil
}

// substring is SUBSTRING(a, from[, length]) with known numbers.
func substring(args []Expr) (Expr, error) {
	if err := stringsOf(args[0]); err != nil {
		return nil, err
	}
	from, err := integer(args[1])
	if err != nil {
		return nil, err
	}
	t := args[0].Type()
	length := int64(t.Length)
	if len(args) == 3 {
		if length, err = integer(args[2]); err != nil {
			return nil, err
		}
	}
	if max(from, -from) > 1<<30 || length > 1<<31 {
		return nil, Refuse(ByType, "a long substring")
	}
	rest := int64(t.Length)
	if from > 0 {
		rest -= from - 1
	} else if from < 0 {
		rest = min(rest, -from)
	}
	most := uint32(max(min(length, rest), 0))
	cut := cut
	if t.Collation == types.Binary {
		cut = cutBytes
	}
	f := func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args[:1], out)
		for i := range n {
			if !out.IsNull(i) {
				out.S[i] = cut(args[0].S[i], int(from), int(length))
			}
		}
		return nil
	}
	return call("substring", f, types.StringType(most, t.Collation, t.Coerce, true), args...), nil
}

// cut returns length characters from the from-th on, which counts from the end if it is below zero.
func cut(s []byte, from, length int) []byte {
	if from == 0 || length <= 0 {
		return nil
	}
	if from < 0 {
		chars := utf8.RuneCount(s)
		if from += chars; from < 0 {
			return nil
		}
		from++
	}
	s = skipChars(s, from-1)
	return s[:len(s)-len(skipChars(s, length))]
}

// cutBytes is cut of bytes.
func cutBytes(s []byte, from, length int) []byte {
	if from < 0 {
		from += len(s) + 1
	}
	if from <= 0 || from > len(s) || length <= 0 {
		return nil
	}
	return s[from-1:][:min(length, len(s)-from+1)]
}

// left is LEFT(a, n).
func left(args []Expr) (Expr, error) {
	e, err := substring([]Expr{args[0], IntConst(1), args[1]})
	return e, err
}

// length is LENGTH(a), charLength CHAR_LENGTH(a).
func length(args []Expr) (Expr, error) {
	if args[0].Type().Kind != types.String {
		return nil, Refuse(ByType, "the length of what is no text")
	}
	if !types.UTF8(args[0].Type().Collation) {
		return nil, Refuse(ByType, "bytes of another character set than UTF-8")
	}
	return count("length", args[0], func(s []byte) int { return len(s) }), nil
}

func charLength(args []Expr) (Expr, error) {
	if err := stringsOf(args[0]); err != nil {
		return nil, err
	}
	if args[0].Type().Collation == types.Binary {
		return count("char_length", args[0], func(s []byte) int { return len(s) }), nil
	}
	return count("char_length", args[0], utf8.RuneCount), nil
}

func count(name string, a Expr, f func([]byte) int) Expr {
	return call(name, func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.I[i] = int64(f(args[0].S[i]))
			}
		}
		return nil
	}, types.IntType(11, a.Type().Nullable), a)
}

// concat is CONCAT of strings.
func concat(args []Expr) (Expr, error) {
	if err := stringsOf(args...); err != nil {
		return nil, err
	}
	args = slices.Clone(args)
	for i := range args {
		for _, o := range args {
			args[i] = asText(args[i], o.Type())
		}
	}
	t := args[0].Type()
	length := uint64(t.Length)
	for _, a := range args[1:] {
		o := a.Type()
		coll, c, err := Collate(t, o)
		if err != nil {
			return nil, err
		}
		if coll == types.Binary { // the length of bytes
			length = uint64(bytesOf(types.StringType(uint32(length), t.Collation, t.Coerce, true)))
			o.Length = bytesOf(o)
		}
		t.Collation, t.Coerce = coll, c
		length += uint64(o.Length)
	}
	if length > 1<<28 {
		return nil, Refuse(ByType, "a long text")
	}
	f := func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		var arena []byte
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			from := len(arena)
			for _, a := range args {
				arena = append(arena, a.S[i]...)
			}
			out.S[i] = arena[from:len(arena):len(arena)]
		}
		return nil
	}
	return call("concat", f, types.StringType(uint32(length), t.Collation, t.Coerce, true), args...), nil
}

// caseOf changes the case of ASCII texts; others are refused row by row.
func caseOf(name string, change func([]byte) []byte) func(args []Expr) (Expr, error) {
	own := ofText(name, func(s []byte) ([]byte, error) {
		if utf8.RuneCount(s) != len(s) {
			return nil, Refuse(ByRow, "the case of a text that is not ASCII")
		}
		return change(s), nil
	})
	bytes := ofText(name, func(s []byte) ([]byte, error) { return s, nil })
	return func(args []Expr) (Expr, error) {
		if args[0].Type().Collation == types.Binary { // bytes have no case
			return bytes(args)
		}
		return own(args)
	}
}

// reverse is REVERSE: the characters of a text, or bytes, from the last to the first.
func reverse(args []Expr) (Expr, error) {
	bytesOnly := args[0].Type().Collation == types.Binary
	return ofText("reverse", func(s []byte) ([]byte, error) {
		out := make([]byte, 0, len(s))
		for len(s) > 0 {
			width := 1
			if !bytesOnly {
				_, width = utf8.DecodeLastRune(s)
			}
			out = append(out, s[len(s)-width:]...)
			s = s[:len(s)-width]
		}
		return out, nil
	})(args)
}

// trimSpace is TRIM, LTRIM, RTRIM of spaces.
func trimSpace(name string, before, behind bool) func(args []Expr) (Expr, error) {
	return ofText(name, func(s []byte) ([]byte, error) {
		if before {
			s = bytes.TrimLeft(s, " ")
		}
		if behind {
			s = bytes.TrimRight(s, " ")
		}
		return s, nil
	})
}

// ofText is a function of one text that gives a text of its type, no longer than it.
func ofText(name string, change func(s []byte) ([]byte, error)) func(args []Expr) (Expr, error) {
	return func(args []Expr) (Expr, error) {
		if err := stringsOf(args[0]); err != nil {
			return nil, err
		}
		t := args[0].Type()
		f := func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) (err error) {
			nulls(n, args, out)
			for i := range n {
				if out.IsNull(i) {
					continue
				}
				if out.S[i], err = change(args[0].S[i]); err != nil {
					return err
				}
			}
			return nil
		}
		return call(name, f, types.StringType(t.Length, t.Collation, t.Coerce, true), args[0]), nil
	}
}
