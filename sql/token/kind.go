package token

// Kind says what a token is.
type Kind uint16

// Kinds below Ident are single characters, except EOF.
const (
	EOF Kind = 0

	Ident         Kind = 256 + iota // a word that is no keyword
	QuotedIdent                     // `word`, or "word" under ANSI_QUOTES
	Hostname                        // what follows @ when it is neither quoted nor another @
	Introducer                      // _utf8mb4
	String                          // 'text' or "text"
	NString                         // N'text'
	DollarString                    // $$text$$ or $tag$text$tag$
	HexNum                          // x'4d' or 0x4d
	BinNum                          // b'01' or 0b01
	Int                             // fits 64 bits without sign
	Decimal                         // 1.5, or an integer too large for Int
	Float                           // 1e5
	Param                           // ? in a text to be prepared
	Assign                          // :=
	Arrow                           // ->
	ArrowText                       // ->>
	LessEqual                       // <=
	GreaterEqual                    // >=
	NotEqual                        // <> or !=
	NullSafeEqual                   // <=>
	ShiftLeft                       // <<
	ShiftRight                      // >>
	AndAnd                          // &&
	OrOr                            // || that means OR
	Concat                          // || under PIPES_AS_CONCAT
	Not2                            // NOT under HIGH_NOT_PRECEDENCE
	Invalid                         // no token: an open string, a stray byte, a malformed number

	firstKeyword = Kind(512)
)

// class says where a keyword may stand for an identifier.
type class uint8

const (
	classFree     class = 0
	classReserved class = 1 << iota
	classNolabel
	classNorole
	classNolvalue
	classFunction // a keyword only when an opening parenthesis follows; a reserved one unless it is also free
)

// Span is a range of bytes of the text.
type Span struct{ From, To uint32 }

// Pos returns the offset of the first byte.
func (s Span) Pos() int { return int(s.From) }

// End returns the offset behind the last byte.
func (s Span) End() int { return int(s.To) }

// Given reports whether the span was set: an optional part that is absent has the zero span.
func (s Span) Given() bool { return s.To != 0 }

// Token is a kind and its place. Hint is the offset behind the optimizer hint comment that follows
// SELECT, INSERT, REPLACE, UPDATE or DELETE, or zero.
type Token struct {
	Span
	Hint uint32
	Kind Kind
}

// IsKeyword reports whether k is a keyword, reserved or not.
func (k Kind) IsKeyword() bool { return k >= firstKeyword }

func (k Kind) class() class { return keywordClasses[k-firstKeyword] }

// Reserved reports whether k is a keyword that needs quotes to be an identifier.
func (k Kind) Reserved() bool {
	return k.IsKeyword() && k.class()&(classReserved|classFunction) != 0
}

// IsIdent reports whether k can be an identifier.
func (k Kind) IsIdent() bool {
	if k.IsKeyword() {
		return k.class()&(classReserved|classFunction) == 0
	}
	return k == Ident || k == QuotedIdent
}

// IsLabel reports whether k can be the label of a block or a loop.
func (k Kind) IsLabel() bool { return k.IsIdent() && !k.has(classNolabel) }

// IsRole reports whether k can be the name of a role.
func (k Kind) IsRole() bool { return k.IsIdent() && !k.has(classNorole) }

// IsVariable reports whether k can be the name of a variable on the left of an assignment.
func (k Kind) IsVariable() bool { return k.IsIdent() && !k.has(classNolvalue) }

func (k Kind) has(c class) bool { return k.IsKeyword() && k.class()&c != 0 }

var kindNames = map[Kind]string{
	EOF: "end of text", Ident: "identifier", QuotedIdent: "quoted identifier", Hostname: "host name",
	Introducer: "character set introducer", String: "string", NString: "national string", DollarString: "dollar-quoted string", HexNum: "hexadecimal number",
	BinNum: "binary number", Int: "integer", Decimal: "decimal", Float: "float", Param: "?", Assign: ":=",
	Arrow: "->", ArrowText: "->>", LessEqual: "<=", GreaterEqual: ">=", NotEqual: "<>", NullSafeEqual: "<=>",
	ShiftLeft: "<<", ShiftRight: ">>", AndAnd: "&&", OrOr: "||", Concat: "||", Not2: "NOT", Invalid: "invalid",
}

// String returns the keyword, the punctuation character or a description.
func (k Kind) String() string {
	switch {
	case k.IsKeyword() && int(k-firstKeyword) < len(keywordNames):
		return keywordNames[k-firstKeyword]
	case k > EOF && k < 128:
		return string(rune(k))
	}
	return kindNames[k]
}

// maxWord is the length of the longest keyword with room to spare.
const maxWord = 48

// Keyword finds the kind of a word in any case. function says that an opening parenthesis follows:
// names of special functions are keywords only then. It returns Ident when the word is no keyword.
func Keyword(word string, function bool) Kind {
	if len(word) > maxWord || len(word) < 2 {
		return Ident
	}
	var buf [maxWord]byte
	for i := 0; i < len(word); i++ {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		buf[i] = c
	}
	upper := buf[:len(word)]
	for at := hash(upper) % uint32(len(wordTable)); ; at = (at + 1) % uint32(len(wordTable)) {
		i := wordTable[at]
		if i == 0 {
			return Ident
		}
		if words[i-1] == string(upper) {
			return wordKind(i-1, function)
		}
	}
}

// PlainWord reports whether a name can be written without quotes in any character set and mode.
// function says that an opening parenthesis follows.
func PlainWord(name string, function bool) bool {
	for i := 0; i < len(name); i++ {
		c := name[i] | 0x20
		if !in(c, 'a', 'z') && (i == 0 || !in(name[i], '0', '9') && name[i] != '_') {
			return false
		}
	}
	return name != "" && Keyword(name, function) == Ident
}

func wordKind(i uint16, function bool) Kind {
	if functionWords[i/64]&(1<<(i%64)) != 0 && !function {
		return Ident
	}
	return wordKinds[i]
}

func hash(s []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range s {
		h = (h ^ uint32(c)) * 16777619
	}
	return h ^ h>>15
}
