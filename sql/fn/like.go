package fn

import (
	"bytes"
	"unicode/utf8"

	"emberdb/sql/types"
)

// Like is a LIKE pattern, for a pattern that is known.
func Like(a, pattern Expr) (Expr, error) {
	a, err := wordText(a)
	if err != nil {
		return nil, err
	}
	c, ok := pattern.(*Const)
	if !ok || c.T.Kind != types.String || c.IsNull() || a.Type().Kind != types.String {
		return nil, Refuse(ByType, "LIKE of what is no text, or of a pattern that is not known")
	}
	id, _, err := Collate(a.Type(), c.T)
	if err != nil {
		return nil, err
	}
	p := newPattern(c.V.S[0], types.CollatorOf(id))
	if p == nil {
		return nil, Refuse(ByType, "LIKE under a collation without ranks")
	}
	like := call("like"+string(c.V.S[0]), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.I[i] = bit(p.match(args[0].S[i]))
			}
		}
		return nil
	}, types.BoolType(a.Type().Nullable), a)
	return listed(like, [][]Expr{{c}}), nil
}

// Escaped is a pattern in which a character makes the next one stand for itself, as a pattern in which
// the backslash does. Without a character, none does.
func Escaped(pattern, by Expr) (Expr, error) {
	p, ok := pattern.(*Const)
	e, known := by.(*Const)
	if !ok || !known || p.T.Kind != types.String || e.T.Kind != types.String || p.IsNull() || e.IsNull() || utf8.RuneCount(e.V.S[0]) > 1 {
		return nil, Refuse(ByType, "ESCAPE of what is not known, or is no character")
	}
	out, escape := NewConst(types.NewVec(types.String, 1), p.T), e.V.S[0]
	var text []byte
	for s := p.V.S[0]; len(s) > 0; {
		plain := len(escape) > 0 && bytes.HasPrefix(s, escape)
		if plain && len(s) > len(escape) { // at the end it stands for itself
			s = s[len(escape):]
		}
		_, n := utf8.DecodeRune(s)
		if c := s[0]; c == '\\' || plain && (c == '%' || c == '_') {
			text = append(text, '\\')
		}
		text, s = append(text, s[:n]...), s[n:]
	}
	out.V.S[0] = text
	return out, nil
}

// pattern is a LIKE pattern: parts between % signs. Characters are compared one by one, by their
// weights.
type pattern struct {
	coll  *types.Collator
	parts [][]char
	plain [][]byte // the parts as ranks of ASCII characters, 0 for any character; nil if one has none
}

// char is a character of a pattern; zero stands for _, which is any one.
type char struct {
	any  bool
	text []byte
}

func newPattern(text []byte, coll *types.Collator) *pattern {
	p := &pattern{coll: coll}
	part := []char{}
	for len(text) > 0 {
		n := 1
		switch {
		case text[0] == '%':
			p.parts, part = append(p.parts, part), []char{}
			text = text[1:]
			continue
		case text[0] == '_':
			part = append(part, char{any: true})
			text = text[1:]
			continue
		case text[0] == '\\' && len(text) > 1:
			text = text[1:]
		}
		if text[0] >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(text)
		}
		part = append(part, char{text: text[:n]})
		text = text[n:]
	}
	p.parts = append(p.parts, part)
	if !coll.Ranked() {
		return nil
	}
	p.makePlain()
	return p
}

// makePlain makes the parts as ranks.
func (p *pattern) makePlain() {
	for _, part := range p.parts {
		ranks := make([]byte, len(part))
		for i, c := range part {
			if !c.any {
				if c.text[0] >= utf8.RuneSelf || p.coll.Rank(c.text[0]) == 0 {
					p.plain = nil
					return
				}
				ranks[i] = p.coll.Rank(c.text[0])
			}
		}
		p.plain = append(p.plain, ranks)
	}
}

func (p *pattern) match(s []byte) bool {
	if p.plain != nil {
		if yes, ok := p.matchPlain(s); ok {
			return yes
		}
	}
	var chars []char
	for len(s) > 0 {
		n := 1
		if s[0] >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(s)
		}
		chars = append(chars, char{text: s[:n]})
		s = s[n:]
	}
	return wild(p.parts, chars, func(x, c char) bool { return x.any || p.coll.EqualChars(x.text, c.text) })
}

// matchPlain matches a string of ASCII characters that have ranks; ok is false for any other.
func (p *pattern) matchPlain(s []byte) (yes, ok bool) {
	for _, c := range s {
		if c >= utf8.RuneSelf || p.coll.Rank(c) == 0 {
			return false, false
		}
	}
	return wild(p.plain, s, func(x, c byte) bool { return x == 0 || x == p.coll.Rank(c) }), true
}

// wild matches parts with anything between: the first at the start, the last at the end, those
// between where they come first.
func wild[P, C any](parts [][]P, s []C, equal func(P, C) bool) bool {
	at := func(part []P, i int) bool {
		for j := range part {
			if !equal(part[j], s[i+j]) {
				return false
			}
		}
		return true
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return len(s) == len(first) && at(first, 0)
	}
	if len(s) < len(first)+len(last) || !at(first, 0) || !at(last, len(s)-len(last)) {
		return false
	}
	from, end := len(first), len(s)-len(last)
	for _, part := range parts[1 : len(parts)-1] {
		for ; ; from++ {
			if from+len(part) > end {
				return false
			}
			if at(part, from) {
				break
			}
		}
		from += len(part)
	}
	return true
}
