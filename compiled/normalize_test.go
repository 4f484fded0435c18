package compiled

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"
)

func scan(t testing.TB, text string) (key, kinds string, params []Param, ok bool) {
	var s Scanner
	k, params, ok := s.Scan(nil, []byte(text))
	if !ok {
		return "", "", nil, false
	}
	key, kinds, split := splitKey(string(k))
	require.True(t, split)
	return key, kinds, params, true
}

func TestScan(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT c FROM t WHERE id=12":                      "SELECT c FROM t WHERE id=?|b",
		"select `a 1` from t1 where x='it''s'":             "select `a 1` from t1 where x=?|f",
		"update t set k=k+1, m = -2.50 where a2":           "update t set k=k+?, m = -? where a2|be",
		"select 'a', 1, '1'":                               "select ?, ?, ?|fbf",
		`select "a", 'a\'b', "it''s ""x"""`:                "select ?, ?, ?|fff",
		"select 18446744073709551615, 9223372036854775807": "select ?, ?|cb",
		"/* who */ select/*x*/a /* why */ from t":          "  select a   from t|",
	} {
		key, kinds, _, ok := scan(t, text)
		require.True(t, ok, text)
		require.Equal(t, want, key+"|"+kinds)
	}
	for _, text := range []string{
		`select 'a' "b"`, `select 'a' /* x */ 'b'`, `select 'a\`, "select /* /* */ 1", "select /*M! 1 */", "/* open", "select 1e5", "select 0x1F", "select x'41'", "select _utf8'a'", "select 1 -- c", "select /*+ x */ 1", "select /*! 1 */",
		"select 1; select 2", "select @a", "select ?", "select 007", "select 1.", "select .5", "select t.1a", "select 1a", "select 'open", "select `open",
		"select 99999999999999999999", "select 1 # c", "select :v1", "select n'a'", "select 1\x00",
	} {
		_, _, _, ok := scan(t, text)
		require.False(t, ok, text)
	}
}

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		" \n\tselect 1 ; ": "select 1", "/* app */ select a from t;\n": "select a from t", "/*! x */ select 1": "/*! x */ select 1", "/*+ x */ select 1": "/*+ x */ select 1",
		"/* a */ /* b */select 1": "select 1", "/* open": "/* open", "/*/ select 1": "/*/ select 1", ";": "", "": "", "select 1;;": "select 1;", "/**/": "",
		"select 1; select 2": "select 1; select 2", "select a from t /* why */": "select a from t /* why */",
	} {
		require.Equal(t, want, string(Bare([]byte(text), false)), text)
	}
	for text, want := range map[string]string{
		"select a from t /* why */ ;": "select a from t", "/* x */ update t set a = 1 /* a='b' */ /* c */": "update t set a = 1", "select 1 /* why */": "select 1 /* why */",
		"select a from t /*! limit 1 */": "select a from t /*! limit 1 */", "select a from t /* a /* b */": "select a from t /* a", "select a from t where b = '*/'": "select a from t where b = '*/'",
	} {
		require.Equal(t, want, string(Bare([]byte(text), true)), text)
	}
}

// Kinds keep texts apart that mean something else; values do not.
func TestKeysKeepKindsApart(t *testing.T) {
	seen := map[string]string{}
	for _, v := range []string{"1", "'1'", "1.0", "NULL", "-1"} {
		key, kinds, _, ok := scan(t, "select a from t where b = "+v)
		require.True(t, ok)
		require.NotContains(t, seen, key+kinds)
		seen[key+kinds] = v
	}
}

// Two texts with one key parse to trees that are equal but for literals of the same kind.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"SELECT c FROM t WHERE id=12", "select 'a' from t where b in (1,2.5,'x') limit 3", "insert into t values (1,'a',-5)", "select date '2020-01-01'",
		"select 'a' 'b'", "select 1 as 'x'", "select a from t order by 1", "select interval 1 day + a", "select -1-1", "select a.1", "select `a``b`", "select 1and 2",
		"select 'x'collate utf8mb4_bin", "update t set a='b'where c=1", "select 1 'x'", `select "a\n\%\"", 'x''y\Z'`, "select -9223372036854775808, 18446744073709551615",
		"/* a */ select /* b */ 1 /* c */", "select a/*x*/from t where b = \"c\"", "insert into t values (-1.5, 'a\\\\', \"\\'\")", "select 1 /*x*/ 'x'", "select 'x'/1/'y'",
		"select _utf8mb4 'x'", "select date\"2020-01-01\"", "select * from t where a = -?", "replace into t () values ()", "select 1.e2", "select 1..2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, kinds, params, ok := scan(t, text)
		if !ok || strings.ContainsRune(kinds, bulkKind) { // these see FuzzBulk
			return
		}
		require.Equal(t, len(kinds), len(params))
		literalsAre(t, text, params)
		// Another text of the same key: other values of the same kinds.
		other := rewrite(key, kinds)
		otherKey, otherKinds, _, ok := scan(t, other)
		require.True(t, ok, other)
		require.Equal(t, key+kinds, otherKey+otherKinds)
		ctx := context.Background()
		tree, err := ast.ParseWithOptions(ctx, key, ast.ParserOptions{})
		if err != nil || countArgs(tree) != len(kinds) {
			return // never compiled
		}
		one, err1 := ast.ParseWithOptions(ctx, text, ast.ParserOptions{})
		two, err2 := ast.ParseWithOptions(ctx, other, ast.ParserOptions{})
		if err1 != nil || !sameShape(reflect.ValueOf(tree), reflect.ValueOf(one), kinds) {
			return // not compiled from this text
		}
		require.NoError(t, err2, "%q has the key of %q", other, text)
		require.True(t, sameShape(reflect.ValueOf(tree), reflect.ValueOf(two), kinds), "%q and %q have one key", text, other)
	})
}

// keepWildcards doubles the backslash of \% and \_ in strings, which MySQL keeps and the library's scanner drops.
func keepWildcards(text string) string {
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == 0 && strings.IndexByte("'\"`", c) >= 0:
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote != 0 && quote != '`' && i+1 < len(text):
			if i++; text[i] == '%' || text[i] == '_' {
				out.WriteByte(c)
			}
			out.WriteByte(c)
			c = text[i]
		}
		out.WriteByte(c)
	}
	return out.String()
}

// literalsAre checks the literals against the parser's scanner.
func literalsAre(t *testing.T, text string, params []Param) {
	if strings.Contains(text, "//") { // a comment to that scanner, two operators to MySQL
		return
	}
	var want []string
	for tok := ast.NewStringTokenizer(keepWildcards(text)); ; {
		typ, val := tok.Scan()
		switch typ {
		case 0:
			var got []string
			for _, p := range params {
				switch p.Kind {
				case KindInt, KindUint:
					got = append(got, strconv.FormatUint(p.N, 10))
				default:
					got = append(got, string(p.B))
				}
			}
			require.Equal(t, want, got, text)
			return
		case ast.LEX_ERROR:
			return
		case ast.STRING, ast.INTEGRAL, ast.FLOAT:
			want = append(want, string(val))
		}
	}
}

// rewrite puts other literals into a key.
func rewrite(key, kinds string) string {
	var b strings.Builder
	n, quoted := 0, false
	for _, c := range []byte(key) {
		quoted = quoted != (c == '`')
		if c != '?' || quoted {
			b.WriteByte(c)
			continue
		}
		b.WriteString(map[Kind]string{KindInt: "77", KindUint: "18446744073709551613", KindDecimal: "8.25", KindString: "'zz'"}[Kind(kinds[n]-'a')])
		n++
	}
	return b.String()
}
