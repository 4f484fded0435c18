package token

// Mode holds the switches of sql_mode and of the statement that change how a text is read.
type Mode uint8

const (
	AnsiQuotes         Mode = 1 << iota // "x" is an identifier
	NoBackslashEscapes                  // \ is an ordinary character
	PipesAsConcat                       // || concatenates
	IgnoreSpace                         // spaces may stand between a function's name and its parenthesis
	HighNotPrecedence                   // NOT binds like !
	Prepared                            // ? is a parameter
	RealAsFloat                         // REAL is FLOAT, not DOUBLE
)

// VersionID is the version up to which executable comments are code, unless SetVersion says
// otherwise.
const VersionID = 90704

// state says how the next token starts, where that depends on the one before.
type state uint8

const (
	stateStart    state = iota
	stateDot            // a dot and the name behind it follow
	stateName           // behind a dot: a word is a name, whatever it spells
	stateHost           // behind @
	stateAt             // behind the first @ of @@
	stateVariable       // behind @@
)

// Lexer reads the tokens of one text. It is a value: a copy keeps its place.
type Lexer struct {
	text string
	pos  int
	cs   *Charset
	mode Mode
	next state
	code bool // inside an executable comment

	version int // executable comments for later ones are comments
	glued   int // see Glued
}

// NewLexer returns a Lexer at the front of text. A nil character set means utf8mb4. A text must be
// shorter than 4 GiB.
func NewLexer(text string, mode Mode, cs *Charset) Lexer {
	if cs == nil {
		cs = UTF8MB4
	}
	return Lexer{text: text, mode: mode, cs: cs, version: VersionID}
}

// SetVersion sets the version up to which executable comments are code.
func (l *Lexer) SetVersion(version int) { l.version = version }

// Glued is how many comments so far have code right behind their version.
func (l *Lexer) Glued() int { return l.glued }

// Text returns the text that the lexer reads.
func (l *Lexer) Text() string { return l.text }

// Mode returns the switches that the lexer was made with.
func (l *Lexer) Mode() Mode { return l.mode }

// Seek moves the lexer to an offset between two tokens.
func (l *Lexer) Seek(pos int) { l.pos, l.next, l.code = pos, stateStart, false }

// peek returns the byte n behind the current one, or 0 behind the end.
func (l *Lexer) peek(n int) byte {
	if l.pos+n < len(l.text) {
		return l.text[l.pos+n]
	}
	return 0
}

func (l *Lexer) isWord(c byte) bool { return l.cs.high[c] >= charWord }

func (l *Lexer) token(kind Kind, from int) Token {
	return Token{Kind: kind, Span: Span{uint32(from), uint32(l.pos)}}
}

// take returns the token of n bytes at the current place.
func (l *Lexer) take(kind Kind, n int) Token {
	from := l.pos
	l.pos = min(l.pos+n, len(l.text))
	return l.token(kind, from)
}

// Next returns the next token.
func (l *Lexer) Next() Token {
	s := l.next
	l.next = stateStart
	switch s {
	case stateDot:
		return l.dot()
	case stateName:
		return l.afterDot()
	case stateHost:
		return l.host()
	case stateAt:
		if l.peek(1) != '`' {
			l.next = stateVariable
		}
		return l.take('@', 1)
	case stateVariable:
		return l.variable()
	}
	if bad, ok := l.skip(); !ok {
		return bad
	}
	return l.start()
}

// start reads a token whose first byte is the current one.
func (l *Lexer) start() Token {
	if l.pos >= len(l.text) {
		if l.code {
			l.code = false
			return l.token(Invalid, l.pos)
		}
		return l.token(EOF, l.pos)
	}
	c := l.text[l.pos]
	switch l.cs.high[c] {
	case charDigit:
		return l.number()
	case charWord:
		return l.word(c)
	}
	switch c {
	case '\'':
		return l.str(String, 0)
	case '"':
		if l.mode&AnsiQuotes != 0 {
			return l.quotedIdent(c)
		}
		return l.str(String, 0)
	case '`':
		return l.quotedIdent(c)
	case '.':
		if d := l.peek(1); in(d, '0', '9') {
			return l.fraction(l.pos, l.pos+1)
		}
		return l.dot()
	case '@':
		return l.at()
	}
	return l.operator(c)
}

// word reads an identifier, a keyword or one of the literals that start with a letter.
func (l *Lexer) word(c byte) Token {
	if l.peek(1) == '\'' {
		switch c {
		case 'x', 'X':
			return l.quotedDigits(HexNum)
		case 'b', 'B':
			return l.quotedDigits(BinNum)
		case 'n', 'N':
			return l.str(NString, 1)
		}
	}
	from := l.pos
	switch {
	case c >= 0x80 && l.cs.length != nil && l.cs.leads[c] && l.cs.length(l.text[from:]) == 0:
		return l.take(Invalid, 1)
	case c == '$':
		if n := l.dollarTag(); n > 0 {
			return l.dollarString(n)
		}
	}
	l.skipWord()
	text := l.text[from:l.pos]
	after := l.pos
	if l.mode&IgnoreSpace != 0 {
		for after < len(l.text) && l.cs.high[l.text[after]] == charSpace {
			after++
		}
	}
	follow := byte(0)
	if after < len(l.text) {
		follow = l.text[after]
	}
	if after == l.pos && follow == '.' && l.isWord(l.peek(1)) {
		l.next = stateDot
	} else if kind := Keyword(text, follow == '('); kind != Ident {
		return l.keyword(kind, from)
	}
	if c == '_' && isCharsetName(text[1:]) {
		return l.token(Introducer, from)
	}
	return l.token(Ident, from)
}

// keyword returns the token of a keyword and finds the hint behind those that may have one.
func (l *Lexer) keyword(kind Kind, from int) Token {
	t := l.token(kind, from)
	switch kind {
	case SELECT, INSERT, REPLACE, UPDATE, DELETE:
		t.Hint = l.hint()
	case NOT:
		if l.mode&HighNotPrecedence != 0 {
			t.Kind = Not2
		}
	}
	return t
}

// skipWord moves behind the word at the current place.
func (l *Lexer) skipWord() {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		if !l.isWord(c) {
			return
		}
		n := 1
		if c >= 0x80 && l.cs.length != nil {
			n = max(1, l.cs.length(l.text[l.pos:]))
		}
		l.pos += n
	}
}

// dot reads the dot of a qualified name.
func (l *Lexer) dot() Token {
	if l.isWord(l.peek(1)) {
		l.next = stateName
	}
	return l.take('.', 1)
}

// afterDot reads the name behind a dot.
func (l *Lexer) afterDot() Token {
	from := l.pos
	l.skipWord()
	if l.peek(0) == '.' && l.isWord(l.peek(1)) {
		l.next = stateDot
	}
	return l.token(Ident, from)
}

func (l *Lexer) at() Token {
	switch l.peek(1) {
	case '\'', '"', '`':
	case '@':
		l.next = stateAt
	default:
		l.next = stateHost
	}
	return l.take('@', 1)
}

// host reads the word behind @, which may be empty: a host, or the name of a user variable.
func (l *Lexer) host() Token {
	from := l.pos
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		if c != '.' && !l.isWord(c) {
			break
		}
		l.pos++
	}
	return l.token(Hostname, from)
}

// variable reads the word behind @@.
func (l *Lexer) variable() Token {
	from := l.pos
	for l.pos < len(l.text) && l.isWord(l.text[l.pos]) {
		l.pos++
	}
	if l.pos == from {
		return l.token(Invalid, from)
	}
	if l.peek(0) == '.' {
		l.next = stateDot
	}
	if kind := Keyword(l.text[from:l.pos], false); kind != Ident {
		return l.token(kind, from)
	}
	return l.token(Ident, from)
}

// operator reads punctuation.
func (l *Lexer) operator(c byte) Token {
	d := l.peek(1)
	switch c {
	case '<', '>', '=', '!':
		return l.comparison(c)
	case '&':
		if d == '&' {
			return l.take(AndAnd, 2)
		}
	case '|':
		if d == '|' {
			if l.mode&PipesAsConcat != 0 {
				return l.take(Concat, 2)
			}
			return l.take(OrOr, 2)
		}
	case ':':
		if d == '=' {
			return l.take(Assign, 2)
		}
	case '-':
		if d == '>' {
			if l.peek(2) == '>' {
				return l.take(ArrowText, 3)
			}
			return l.take(Arrow, 2)
		}
	case '?':
		if l.mode&Prepared != 0 && !l.isWord(d) {
			return l.take(Param, 1)
		}
	}
	if c == 0 || c >= 0x80 {
		return l.take(Invalid, 1)
	}
	return l.take(Kind(c), 1)
}

func isComparison(c byte) bool { return c == '<' || c == '>' || c == '=' || c == '!' }

// comparison reads an operator made of < > = !. As MySQL does, it takes up to two of them, three after <, as one
// token; a combination without meaning is invalid, except that ! keeps its meaning and the other is lost.
func (l *Lexer) comparison(c byte) Token {
	n := 1
	if isComparison(l.peek(1)) {
		n = 2
		if d := l.peek(2); c == '<' && (d == '>' || d == '=' || d == '!') {
			n = 3
		}
	}
	kind := Invalid
	switch l.text[l.pos : l.pos+n] {
	case "<", ">", "=":
		kind = Kind(c)
	case "<=":
		kind = LessEqual
	case ">=":
		kind = GreaterEqual
	case "<>", "!=":
		kind = NotEqual
	case "<=>":
		kind = NullSafeEqual
	case "<<":
		kind = ShiftLeft
	case ">>":
		kind = ShiftRight
	default:
		if c == '!' {
			kind = '!'
		}
	}
	return l.take(kind, n)
}
