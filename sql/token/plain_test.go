package token

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlain(t *testing.T) {
	o := PlainOptions{Keep: "/*!KEEP_", Version: VersionID}
	spaces := regexp.MustCompile(` +`)
	for text, want := range map[string]string{
		"SELECT 1":                                "SELECT 1",
		"/*!40101 SET NAMES utf8 */":              " SET NAMES utf8 ",
		"SELECT /*!080400 1 */":                   "SELECT 1 ",
		"SELECT /*! 1 */":                         "SELECT 1 ",
		"/*!50000 */":                             "/* */",
		"SELECT /*!1 */":                          "SELECT 1 ",
		"/*!50001 SELECT /* a */ '*/' */, 2":      " SELECT /* a */ '*/' , 2",
		"SELECT 1 /*!50001 + 1":                   "SELECT 1 /*!50001 + 1",
		"SELECT /*!KEEP_ME */ * FROM t --\tx":     "SELECT /*!KEEP_ME */ * FROM t ",
		"SELECT 2 */ 1":                           "SELECT 2 */ 1",
		"SELECT 1 /*!99999 + 1 */, 2":             "SELECT 1 , 2",
		"/*!999999\\- enable the sandbox mode */": "/* */",
		"/*!100000 a /* b */ c */ SELECT 2":       " SELECT 2",
		"SELECT '/*!99999 a */', \"it''s --\", `#--`, 'a\\'-- b' --\t'": "SELECT '/*!99999 a */', \"it''s --\", `#--`, 'a\\'-- b' ",
		"SELECT 1 -- it's\n, 2":           "SELECT 1 \n, 2",
		"SELECT 1 -- one\n, 2":            "SELECT 1 -- one\n, 2",
		"SELECT 1 # one\n, 2 # 'two'\n":   "SELECT 1 # one\n, 2 \n",
		"SELECT /* ' */ 1 #":              "SELECT /* ' */ 1 #",
		"/*!":                             "/*!",
		"'/*!":                            "'/*!",
		"DELETE FROM t WHERE a>5--1":      "DELETE FROM t WHERE a>5- -1",
		"SELECT 5---1, 5-- 1":             "SELECT 5- - -1, 5-- 1",
		"SELECT 3//* a */1":               "SELECT 3/ 1",
		"VALUES(--\tit's\n'due ''x''')":   "VALUES( \n'due ''x''')",
		"SELECT a->>'$.x' --\n":           "SELECT a->>'$.x' \n",
		"SELECT /*+ NO_MERGE(t) */ 1 -- ": "SELECT /*+ NO_MERGE(t) */ 1 -- ",
		"-- a\n":                          "/* */",
		" ":                               " ",
	} {
		got := Plain(text, o)
		require.Equal(t, want, spaces.ReplaceAllString(got, " "), text)
		if !strings.Contains(text, "-1") && want != "/* */" {
			require.Len(t, got, len(text), text)
		}
		require.Equal(t, got, Plain(got, o), text)
	}
	require.Equal(t, `SELECT "a\"   `, Plain(`SELECT "a\"--`+"\t", PlainOptions{Mode: AnsiQuotes | NoBackslashEscapes}))
}

// FuzzPlain checks that a plain text has the tokens of the text, and that another pass changes
// nothing.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"a--b", "1 /*!50000 + /*x*/ 2 */ --\t'", "`a`--`b` # '\n-1", "3//**/1", "/*!99999 /* */ */ 1"} {
		f.Add(text)
	}
	o := PlainOptions{Version: VersionID}
	f.Fuzz(func(t *testing.T, text string) {
		plain := Plain(text, o)
		before, after := tokensOf(text), tokensOf(plain)
		if !strings.Contains(strings.Join(before, " "), "invalid") {
			require.Equal(t, before, after, "%q -> %q", text, plain)
		}
		require.Equal(t, plain, Plain(plain, o))
	})
}

func tokensOf(text string) (out []string) {
	l := NewLexer(text, 0, nil)
	for t := l.Next(); t.Kind != EOF; t = l.Next() {
		out = append(out, t.Kind.String()+text[t.From:t.To])
		if t.Kind == Invalid {
			return append(out, "invalid")
		}
	}
	return out
}
