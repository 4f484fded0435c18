package token

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// A digest is what statements that differ only in their values have in common.
//
// Values become ?, lists of values one symbol, comments and the case of keywords are lost; synonyms
// are one word. Texts are MySQL's, byte for byte:
//
//	SELECT a, 'x' FROM t WHERE b IN (1,2)      SELECT `a` , ? FROM `t` WHERE `b` IN (...)
//	insert into t values (1,2),(3,4)           INSERT INTO `t` VALUES (...) /* , ... */
//
// The tokens of a text are kept in a stack. What is on its top is reduced when a token arrives:
//
//	? , ?           ?, ...
//	( ? )           (?)                 a row of one value
//	( ?, ... )      (...)               a row of several
//	(?) , (?)       (?) /* , ... */     rows of one value
//	(...) , (...)   (...) /* , ... */   rows of several
//	IN row          IN (...)
//
// A sign belongs to its value where an operand may begin. NULL is a value there, and a word
// elsewhere.
type digester struct {
	text string
	out  []mark
	room int  // bytes that are left for tokens
	full bool // a token had no room
	slow bool // nothing is passed over

	depth, items int  // parentheses; those in which ORDER BY or GROUP BY lists its items, or -1
	item         bool // an item of it may begin
	by           Kind // ORDER or GROUP was before
}

// mark is a token of a digest. Kinds from markValue on stand for several of the text.
type mark struct {
	Span
	kind Kind
}

// Kinds of marks that are no kinds of tokens. They lie between the named kinds and the keywords.
const (
	markValue Kind = firstKeyword - 16 + iota
	markValues
	markRow
	markRows
	markWideRow
	markWideRows
	markIn
	markNumber // of a column, in ORDER BY and GROUP BY
	markHint
	markHintEnd
	markHintWord
	markHintAt // between a table and its query block
	markCharset
)

var markTexts = map[Kind]string{
	markValue: "?", markValues: "?, ...", markRow: "(?)", markRows: "(?) /* , ... */", markWideRow: "(...)", markWideRows: "(...) /* , ... */",
	markIn: "IN (...)", markHint: "/*+", markHintEnd: "*/", markHintAt: "@", markCharset: "(_charset)",
}

// Digest returns the digest text of a statement. limit bounds the bytes of its tokens, as
// max_digest_length does; a text that is cut ends with three dots. MySQL counts two bytes for each
// token, and two and its length for each name.
func Digest(text string, mode Mode, cs *Charset, limit int) string {
	d := digester{text: text, room: limit, items: -1, out: make([]mark, 0, 64)}
	return d.read(mode, cs)
}

// read makes the digest of the whole text.
func (d *digester) read(mode Mode, cs *Charset) string {
	l := NewLexer(d.text, mode|Prepared, cs)
	for t := l.Next(); t.Kind != EOF && t.Kind != Invalid && !d.full; {
		next := l.Next()
		if t.Kind == ';' && next.Kind == EOF {
			break
		}
		if d.token(t, next.Kind); next.Kind == ',' {
			d.pass(&l)
		}
		if t.Hint != 0 {
			d.hint(t, mode, cs)
		}
		t = next
	}
	return d.print()
}

// DigestID names a digest: 64 hexadecimal digits.
func DigestID(digest string) string {
	sum := sha256.Sum256([]byte(digest))
	return hex.EncodeToString(sum[:])
}

// token adds the next token of the text.
func (d *digester) token(t Token, next Kind) {
	d.list(t.Kind)
	switch t.Kind {
	case Int:
		if d.item && endsItem(next) {
			d.push(markNumber, t.Span)
			break
		}
		d.value(t.Span)
	case String, NString, DollarString, HexNum, BinNum, Decimal, Float, Param, Hostname:
		d.value(t.Span)
	case NULL:
		if d.literalNull() {
			d.value(t.Span)
		} else {
			d.push(t.Kind, t.Span)
		}
	case Introducer:
		d.push(markCharset, t.Span)
	case ')':
		d.closeRow(t.Span)
	default:
		d.push(t.Kind, t.Span)
	}
	d.item = d.items == d.depth && (t.Kind == BY || t.Kind == ',')
}

// list follows ORDER BY and GROUP BY: a number there names a column and stays.
func (d *digester) list(k Kind) {
	switch k {
	case '(':
		d.depth++
	case ')':
		if d.depth--; d.depth < d.items {
			d.items = -1
		}
	case BY:
		if d.by == ORDER || d.by == GROUP {
			d.items = d.depth
		}
	case LIMIT, HAVING, FOR, INTO, UNION, LOCK, WINDOW, SEPARATOR, ROWS, RANGE, GROUPS:
		d.items = -1
	}
	d.by = k
}

// endsItem tells whether a token behind a number ends an item of ORDER BY or GROUP BY.
func endsItem(k Kind) bool {
	switch k {
	case ',', ')', EOF, ';', ASC, DESC, LIMIT, HAVING, WITH, FOR, INTO, UNION, EXCEPT, INTERSECT, LOCK, WINDOW, ORDER, SEPARATOR, ROWS, RANGE, GROUPS:
		return true
	}
	return false
}

func (d *digester) top(n int) Kind {
	if n < len(d.out) {
		return d.out[len(d.out)-1-n].kind
	}
	return EOF
}

func (m mark) size() int {
	switch m.kind {
	case Ident, QuotedIdent, markNumber, markHintWord:
		return 4 + int(m.To-m.From)
	}
	return 2
}

func (d *digester) push(k Kind, s Span) {
	m := mark{s, k}
	if m.size() > d.room {
		d.full = true
		return
	}
	d.room -= m.size()
	d.out = append(d.out, m)
}

func (d *digester) pop(n int) {
	for range n {
		d.room += d.out[len(d.out)-1].size()
		d.out = d.out[:len(d.out)-1]
	}
}

// value adds a value.
func (d *digester) value(s Span) {
	for (d.top(0) == '-' || d.top(0) == '+') && startsOperand(d.top(1)) {
		d.pop(1)
	}
	kind := markValue
	if v := d.top(1); d.top(0) == ',' && (v == markValue || v == markValues) {
		d.pop(2)
		kind = markValues
	}
	d.push(kind, s)
}

// closeRow adds a closing parenthesis.
func (d *digester) closeRow(s Span) {
	kind := markRow
	if d.top(0) == markValues {
		kind = markWideRow
	}
	if v := d.top(0); v != markValue && v != markValues || d.top(1) != '(' {
		d.push(')', s)
		return
	}
	d.pop(2)
	switch before := d.top(1); {
	case d.top(0) == IN:
		d.pop(1)
		kind = markIn
	case d.top(0) == ',' && kind == markRow && (before == markRow || before == markRows):
		d.pop(2)
		kind = markRows
	case d.top(0) == ',' && kind == markWideRow && (before == markWideRow || before == markWideRows):
		d.pop(2)
		kind = markWideRows
	}
	d.push(kind, s)
}

// literalNull tells whether a NULL that comes now is a value.
func (d *digester) literalNull() bool {
	n := 0
	for d.top(n) == NOT || d.top(n) == Not2 {
		n++
	}
	return startsOperand(d.top(n))
}

// startsOperand tells whether an operand may begin behind a token.
func startsOperand(k Kind) bool {
	switch k {
	case EOF, '(', ',', '=', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '~', '!', ';', Assign, LessEqual, GreaterEqual, NotEqual, NullSafeEqual,
		ShiftLeft, ShiftRight, AndAnd, OrOr, Concat, Arrow, ArrowText, AND, OR, XOR, NOT, Not2, DIV, MOD, SELECT, DISTINCT, ALL, WHERE, HAVING, ON, WHEN, THEN,
		ELSE, ELSEIF, IF, CASE, WHILE, UNTIL, BETWEEN, IN, LIKE, REGEXP, ESCAPE, INTERVAL, DEFAULT, RETURN, BY, DO, LIMIT, OFFSET, BINARY, VALUE, VALUES:
		return true
	}
	return false
}

// hint adds the optimizer hints behind a keyword: names of hints are words, what they are about is
// names and values.
func (d *digester) hint(t Token, mode Mode, cs *Charset) {
	from := strings.Index(d.text[t.To:], "/*+")
	if from < 0 {
		return
	}
	from += t.End() + len("/*+")
	to := strings.Index(d.text[from:], "*/")
	if to < 0 {
		return
	}
	d.push(markHint, t.Span)
	l := NewLexer(d.text[:from+to], mode, cs)
	l.Seek(from)
	depth := 0
	for t := l.Next(); t.Kind != EOF && t.Kind != Invalid && !d.full; t = l.Next() {
		switch {
		case t.Kind == '(':
			depth++
		case t.Kind == ')':
			depth--
		case depth == 0 && (t.Kind == Ident || t.Kind.IsKeyword()):
			t.Kind = markHintWord
		case t.Kind.IsKeyword():
			t.Kind = Ident
		}
		switch t.Kind {
		case '@':
			d.push(markHintAt, t.Span)
		case Hostname:
			d.push(Ident, t.Span)
		case Int, String, Decimal, Float:
			d.value(t.Span)
		case ')':
			d.closeRow(t.Span)
		default:
			d.push(t.Kind, t.Span)
		}
	}
	d.push(markHintEnd, t.Span)
}

// print writes the tokens with a space between two of them, but not behind @.
func (d *digester) print() string {
	var b strings.Builder
	for i, m := range d.out {
		if i > 0 && d.out[i-1].kind != '@' && d.out[i-1].kind != markHintAt && m.kind != markHintAt {
			b.WriteByte(' ')
		}
		text := d.text[m.From:m.To]
		switch m.kind {
		case markNumber:
			b.WriteString(text)
		case markHintWord:
			b.WriteString(strings.ToUpper(text))
		case Ident:
			b.WriteString("`" + text + "`")
		case QuotedIdent:
			q := text[:1]
			b.WriteString("`" + strings.ReplaceAll(text[1:len(text)-1], q+q, q) + "`")
		default:
			b.WriteString(markName(m.kind))
		}
	}
	if d.full && b.Len() == 0 {
		return "..."
	}
	return b.String()
}

// operatorTexts are the operators of several characters. Of two that mean the same one stands for
// both.
var operatorTexts = map[Kind]string{
	Assign: ":=", Arrow: "->", ArrowText: "->>", LessEqual: "<=", GreaterEqual: ">=", NotEqual: "!=", NullSafeEqual: "<=>",
	ShiftLeft: "<<", ShiftRight: ">>", AndAnd: "&&", OrOr: "||", Concat: "||", Not2: "NOT",
}

func markName(k Kind) string {
	if k.IsKeyword() {
		return digestNames[k-firstKeyword]
	}
	if text, ok := markTexts[k]; ok {
		return text
	}
	if text, ok := operatorTexts[k]; ok {
		return text
	}
	return k.String()
}

// digestNames is the word that digests show for each keyword: the last of its synonyms, where those
// that are keywords only before a parenthesis come behind the others.
var digestNames = func() []string {
	names := slices.Clone(keywordNames[:])
	late := make([]bool, len(names))
	for i, w := range words {
		k := wordKinds[i] - firstKeyword
		function := functionWords[i/64]&(1<<(i%64)) != 0
		if function || !late[k] {
			names[k], late[k] = w, function
		}
	}
	return names
}()
