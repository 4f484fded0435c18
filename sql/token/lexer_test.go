package token

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tokens reads a text to its end and describes each token as kind:value.
func tokens(text string, mode Mode, charset string) string {
	l := NewLexer(text, mode, FindCharset(charset))
	var out []string
	for {
		t := l.Next()
		switch {
		case t.Kind == EOF:
			return strings.Join(out, " ")
		case t.Kind < 128 || t.Kind.IsKeyword():
			out = append(out, t.Kind.String())
		default:
			out = append(out, fmt.Sprintf("%s:%s", t.Kind, l.Value(t)))
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text, want string
		mode       Mode
		charset    string
	}{
		{text: "select a", want: "SELECT identifier:a"},
		{text: "SELECT.a", want: "identifier:SELECT . identifier:a"},
		{text: "select .5", want: "SELECT decimal:.5"},
		{text: "a.select", want: "identifier:a . identifier:select"},
		{text: "a. select", want: "identifier:a . SELECT"},
		{text: "a.1b.2c", want: "identifier:a . identifier:1b . identifier:2c"},
		{text: "`a`.1b", want: "quoted identifier:a decimal:.1 identifier:b"},
		{text: "1a 1e 1e5 1e+5 1.5e-5 1. 1e+", want: "identifier:1a identifier:1e float:1e5 float:1e+5 float:1.5e-5 decimal:1. identifier:1e +"},
		{text: "0x1F 0X1F 0x 0b1 0b12 0xfg", want: "hexadecimal number:1F identifier:0X1F identifier:0x binary number:1 identifier:0b12 identifier:0xfg"},
		{text: "x'4D' X'' b'01' n'a' N 'a'", want: "hexadecimal number:4D hexadecimal number: binary number:01 national string:a identifier:N string:a"},
		{text: "18446744073709551615 18446744073709551616 0000018446744073709551615",
			want: "integer:18446744073709551615 decimal:18446744073709551616 integer:0000018446744073709551615"},
		{text: `'a''b' "a""b" 'a\n\'\\\%\_\x'`, want: "string:a'b string:a\"b string:a\n'\\\\%\\_x"},
		{text: `'a\' 'b'`, mode: NoBackslashEscapes, want: `string:a\ string:b`},
		{text: `"a""b"`, mode: AnsiQuotes, want: `quoted identifier:a"b`},
		{text: "`a``b` ``", want: "quoted identifier:a`b quoted identifier:"},
		{text: "a||b", want: "identifier:a ||:|| identifier:b"},
		{text: "a||b", mode: PipesAsConcat, want: "identifier:a ||:|| identifier:b"},
		{text: "not a", mode: HighNotPrecedence, want: "NOT:not identifier:a"},
		{text: "count(1) count (1)", want: "COUNT ( integer:1 ) identifier:count ( integer:1 )"},
		{text: "count (1)", mode: IgnoreSpace, want: "COUNT ( integer:1 )"},
		{text: "? ?a", mode: Prepared, want: "?:? ? identifier:a"},
		{text: "a:=1 a->'x' a->>'y' <=> <> != <= >= << >> && :", want: "identifier:a :=::= integer:1 identifier:a ->:-> string:x identifier:a ->>:->> string:y <=>:<=> <>:<> <>:!= <=:<= >=:>= <<:<< >>:>> &&:&& :"},
		{text: "=! =< <>! !!", want: "invalid:=! invalid:=< invalid:<>! !"},
		{text: "@a @`a b` @'x' @@b @@global.c @@`d` @", want: "@ host name:a @ quoted identifier:a b @ string:x @ @ identifier:b @ @ GLOBAL . identifier:c @ @ quoted identifier:d @ host name:"},
		{text: "@@ a", want: "@ @ invalid: identifier:a"},
		{text: "_utf8mb4'a' _UTF8 _none", want: "character set introducer:_utf8mb4 string:a character set introducer:_UTF8 identifier:_none"},
		{text: "1--1 -- x\n2 #y\n3 --\x01z", want: "integer:1 - - integer:1 integer:2 integer:3"},
		{text: "/* a */ 1 /*!2 */ /*!50000 3 /* b */ 4 */ /*!999999 5 /* c */ 6 */ 7 /*M!8*/ 9", want: "integer:1 integer:2 integer:3 integer:4 integer:7 integer:9"},
		{text: "1 /*!5000 2*/ 3", want: "integer:1 integer:5000 integer:2 integer:3"},
		{text: "1 /* 2", want: "integer:1 invalid:/* 2"},
		{text: "1 /*! 2", want: "integer:1 integer:2 invalid:"},
		{text: "1 */ 2", want: "integer:1 * / integer:2"},
		{text: "'a", want: "invalid:'a"},
		{text: "`a", want: "invalid:`a"},
		{text: "x'1' b'2'", want: "invalid:x'1 string: b integer:2 invalid:'"},
		{text: "1 \x00 2", want: "integer:1 invalid:\x00 integer:2"},
		{text: "a\xa0b", charset: "latin1", want: "identifier:a identifier:b"},
		{text: "日本 'é'", want: "identifier:日本 string:é"},
		{text: "'\x95\x5c'", charset: "sjis", want: "string:\x95\x5c"},
		{text: "'\x95\\'", charset: "latin1", want: "invalid:'\x95\\'"},
		{text: "'\xbf\\' or 1", charset: "gbk", want: "string:\xbf\\ OR integer:1"},
		{text: "`\x83\x60`", charset: "sjis", want: "quoted identifier:\x83\x60"},
		{text: "\x83\x5c + 1", charset: "sjis", want: "identifier:\x83\x5c + integer:1"},
		{text: "'\\\xbf\\'", charset: "gbk", want: "string:\xbf\\"},
		{text: "'\xa1'", charset: "big5", want: "string:\xa1"},
		{text: "\xff", want: "invalid:\xff"},
		{text: "\xe6\x97", want: "invalid:\xe6 identifier:\x97"},
		{text: "a\xe6b", want: "identifier:a\xe6b"},
	} {
		require.Equal(t, c.want, tokens(c.text, c.mode, c.charset), "%q", c.text)
	}
}

func TestHints(t *testing.T) {
	for text, want := range map[string]string{
		"select /*+ a */ 1": " /*+ a */", "select\n/*+*/1": "\n/*+*/", "select /* x */ /*+ a */": "", "show /*+ a */": "", "select /*+ a": "",
	} {
		l := NewLexer(text, 0, nil)
		first := l.Next()
		got := ""
		if first.Hint != 0 {
			got = text[first.To:first.Hint]
		}
		require.Equal(t, want, got, text)
	}
}

func TestQuotedTextReadsBack(t *testing.T) {
	for _, charset := range []string{"utf8mb4", "gbk", "sjis", "big5", "latin1", "gb18030"} {
		cs := FindCharset(charset)
		for _, mode := range []Mode{0, NoBackslashEscapes} {
			for _, s := range []string{"", "a", "it's", `a\b`, "\x95\x5c", "\xbf\x5c'", "`", "a``b", "\x83\x60", "\x00\n", "\\%"} {
				l := NewLexer(string(AppendString(nil, s, mode, cs)), mode, cs)
				tok := l.Next()
				require.Equal(t, String, tok.Kind, "%s %q", charset, s)
				require.Equal(t, s, l.Value(tok), "%s %q", charset, s)
				require.Equal(t, EOF, l.Next().Kind, "%s %q", charset, s)
				if strings.Contains(s, "\x00") {
					continue
				}
				l = NewLexer(string(AppendIdent(nil, s, cs)), mode, cs)
				tok = l.Next()
				require.Equal(t, QuotedIdent, tok.Kind, "%s %q", charset, s)
				require.Equal(t, s, l.Value(tok), "%s %q", charset, s)
				require.Equal(t, EOF, l.Next().Kind, "%s %q", charset, s)
			}
		}
	}
}

func TestKeywords(t *testing.T) {
	require.Equal(t, SELECT, Keyword("sElEcT", false))
	require.Equal(t, INT, Keyword("integer", false))
	require.Equal(t, Ident, Keyword("selec", false))
	require.Equal(t, Ident, Keyword("substr", false))
	require.Equal(t, SUBSTRING, Keyword("substr", true))
	require.True(t, SELECT.Reserved())
	require.False(t, SELECT.IsIdent())
	for _, k := range []Kind{EVENT, BEGIN, EXECUTE, GLOBAL, ACTION} {
		require.True(t, k.IsIdent(), k)
	}
	require.False(t, BEGIN.IsLabel())
	require.True(t, BEGIN.IsRole())
	require.False(t, EVENT.IsRole())
	require.False(t, EXECUTE.IsLabel() || EXECUTE.IsRole())
	require.False(t, GLOBAL.IsVariable())
	require.Zero(t, testing.AllocsPerRun(100, func() { Keyword("transaction", false) }))
	for i, w := range words {
		require.Equal(t, wordKinds[i], Keyword(w, true), w)
	}
}

func FuzzLexer(f *testing.F) {
	f.Add("select 'a', `b`, @c, 0x1, 1.e5 /*!50000 x */ -- y", uint8(0), uint8(0))
	sets := []string{"utf8mb4", "gbk", "sjis", "big5", "latin1", "gb18030", "ujis", "euckr"}
	f.Fuzz(func(t *testing.T, text string, mode, set uint8) {
		l := NewLexer(text, Mode(mode)&63, FindCharset(sets[int(set)%len(sets)]))
		end := 0
		for n := 0; ; n++ {
			tok := l.Next()
			if tok.Pos() < end || tok.End() < tok.Pos() || tok.End() > len(text) {
				t.Fatalf("token %s at %d-%d behind %d", tok.Kind, tok.Pos(), tok.End(), end)
			}
			if tok.Kind == EOF {
				break
			}
			if n > 2*len(text)+2 {
				t.Fatal("the lexer stands still")
			}
			end = tok.End()
			if tok.Kind != Invalid {
				l.Value(tok)
			}
		}
	})
}
