package parse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

func parseError(t *testing.T, text string, o Options) *Error {
	_, err := Parse(text, o)
	require.Error(t, err, "%.100s", text)
	return err.(*Error)
}

func TestSyntaxErrorShowsWhere(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1 ,\n\n from x":                            "'from x' at line 3",
		"SELECT 1 from from " + "\xe4\xb8\xad":             "'from 中' at line 1",
		"SELECT 1 \x00 foo":                                "'' at line 1",
		"SELECT 1 `a\x00b`":                                "'`a' at line 1",
		"SELECT 1 -- x\n from":                             "'' at line 2",
		"SELECT ?":                                         "'?' at line 1",
		"SELECT 1 from from " + strings.Repeat("x", 100):   "'from " + strings.Repeat("x", 75) + "' at line 1",
		"SELECT 1 from from " + strings.Repeat("é", 100):   "'from " + strings.Repeat("é", 37) + "Ã' at line 1",
		"SELECT 1 from from xx" + strings.Repeat("日", 100): "'from xx" + strings.Repeat("日", 24) + "æ' at line 1",
		"SELECT 1 from from 😀x":                            "'from ?x' at line 1",
		"USE \xd4\xc5\xd3\xd4":                             "'???' at line 1",
		"SELECT a \xff b":                                  "'' at line 1",
		"SELECT 1 FROM FROM \xe6\x97x \x83 \xc3( \xc3":     "'FROM ??x ? ?( ' at line 1",
		"SELECT 1; SELECT 2":                               "'SELECT 2' at line 1",
	} {
		e := parseError(t, text, Options{})
		require.Equal(t, uint16(1064), e.Code)
		require.Equal(t, "42000", e.State)
		require.Equal(t, syntaxText+" near "+want, e.Text)
	}
}

func TestManyStatements(t *testing.T) {
	text := "SELECT 1; /* c */ ;SELECT ?;\nSELECT 'a;b'; SELECT"
	o := Options{Multi: true, Mode: token.Prepared}
	r, err := Parse(text, o)
	require.NoError(t, err)
	require.Equal(t, " /* c */ ;SELECT ?;\nSELECT 'a;b'; SELECT", text[r.Next:])
	_, err = ParseAt(text, r.Next, o)
	require.ErrorContains(t, err, "near ';SELECT ?;\nSELECT 'a;b'; SELECT' at line 1")
	r, err = ParseAt(text, strings.Index(text, "SELECT ?"), o)
	require.NoError(t, err)
	require.Equal(t, 1, r.Params)
	r, err = ParseAt(text, r.Next, o)
	require.NoError(t, err)
	require.Equal(t, "SELECT 'a;b'", text[r.Statement.Pos():r.Statement.End()])
	_, err = ParseAt(text, r.Next, o)
	require.ErrorContains(t, err, "near '' at line 2")
}

func TestEmptyText(t *testing.T) {
	for _, text := range []string{"", "  ", "/* x */", "-- x", "# x"} {
		r, err := Parse(text, Options{})
		require.NoError(t, err)
		require.Nil(t, r.Statement)
	}
}

func TestDepthIsBounded(t *testing.T) {
	nest := func(open, close string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	for _, c := range []struct {
		text string
		code uint16
	}{
		{nest("(", ")", 15000), 0},
		{nest("(", ")", 100000), 3950},
		{nest("abs(", ")", 1000), 0},
		{nest("abs(", ")", 100000), 1436},
		{nest("- ", "", 100000), 1436},
		{nest("NOT ", "", 100000), 1436},
		{nest("CASE WHEN ", " THEN 1 END", 100000), 1436},
		{nest("@a := ", "", 100000), 1436},
		{nest("(SELECT ", ")", 63), 0},
		{nest("(SELECT ", ")", 64), 1473},
		{"SELECT 1" + strings.Repeat("+1", 1000), 0},
		{"SELECT 1" + strings.Repeat("+1", 100000), 1436},
		{"SELECT 1" + strings.Repeat(" AND 1", 100000), 0},
		{"SELECT 1" + strings.Repeat(" OR 1", 100000), 0},
		{"SELECT " + strings.Repeat("(", 15000) + "1" + strings.Repeat(" AND 1)", 15000), 0},
		{"SELECT " + strings.Repeat("1 AND (", 1000) + "1" + strings.Repeat(")", 1000), 0},
		{"SELECT 1" + strings.Repeat(" UNION SELECT 1", 5000), 0},
		{"SELECT 1" + strings.Repeat(" UNION SELECT 1", 200000), 1436},
		{"SELECT f(1" + strings.Repeat(",1", 100000) + ")", 0},
		{"SELECT 1 FROM t" + strings.Repeat(" JOIN t", 100000), 1436},
		{"SELECT 1 FROM " + strings.Repeat("(", 100000) + "t", 3950},
		{"SELECT 1 FROM t" + strings.Repeat(" NATURAL JOIN t", 100000), 1436},
		{strings.Repeat("(", 100000) + "SELECT 1", 3950},
	} {
		_, err := Parse(c.text, Options{})
		if c.code == 0 {
			require.NoError(t, err, "%.60s", c.text)
			continue
		}
		require.Equal(t, c.code, parseError(t, c.text, Options{}).Code, "%.60s", c.text)
	}
}

// TestDeepTextPrintsBack checks that parentheses that the printer adds do not make a text too deep.
func TestDeepTextPrintsBack(t *testing.T) {
	requireRoundTrip(t, "SELECT "+strings.Repeat("! ", 1400)+"1", Options{})
	requireRoundTrip(t, "SELECT "+strings.Repeat("- ", 1400)+"1", Options{})
}

// TestOnlyNodesAreAllocated checks that the parser itself stays on the stack.
func TestOnlyNodesAreAllocated(t *testing.T) {
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() {
		if _, err := Parse("BEGIN", Options{}); err != nil {
			t.Fatal(err)
		}
	}))
}

func TestMemoryIsBounded(t *testing.T) {
	text := "SELECT 1" + strings.Repeat(", 1", 1000)
	_, err := Parse(text, Options{MaxMemory: 1 << 20})
	require.NoError(t, err)
	e := parseError(t, text, Options{MaxMemory: 10000})
	require.Equal(t, uint16(3170), e.Code)
}

// TestModes checks that sql_mode changes the tree and that trees print back under their own mode.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		text, want string
		mode       token.Mode
	}{
		{"SELECT a || b", "SELECT `a` OR `b`", 0},
		{"SELECT a || b", "SELECT `a` || `b`", token.PipesAsConcat},
		{"SELECT -a || b ^ c", "SELECT -`a` || `b` ^ `c`", token.PipesAsConcat},
		{`SELECT "a"`, "SELECT 'a'", 0},
		{`SELECT "a"`, "SELECT `a`", token.AnsiQuotes},
		{"SELECT NOT a = b", "SELECT NOT `a` = `b`", 0},
		{"SELECT NOT a = b", "SELECT !`a` = `b`", token.HighNotPrecedence},
		{"SELECT a NOT IN (1), a IS NOT NULL", "SELECT `a` NOT IN (1), `a` IS NOT NULL", token.HighNotPrecedence},
		{`SELECT 'a\'`, `SELECT 'a\'`, token.NoBackslashEscapes},
		{`SELECT 'a\\'`, `SELECT 'a\\'`, 0},
		{"SELECT count (1)", "SELECT COUNT(1)", token.IgnoreSpace},
	} {
		r, err := Parse(c.text, Options{Mode: c.mode})
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, ast.Print(r.Statement, ast.Options{Mode: c.mode}))
		requireRoundTrip(t, c.text, Options{Mode: c.mode})
	}
}

// TestShape checks how operators and joins bind, by printing every operator in parentheses.
func TestShape(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2 * 3 - 4":                        "((1 + (2 * 3)) - 4)",
		"a or b and c xor d":                   "((0 <> `a`) or (((0 <> `b`) and (0 <> `c`)) xor (0 <> `d`)))",
		"not 1 = 2 and 3":                      "((1 <> 2) and (0 <> 3))",
		"1 = 2 = 3 is null":                    "(((1 = 2) = 3) is null)",
		"1 between 2 and 3 and 4":              "((1 between 2 and 3) and (0 <> 4))",
		"1 | 2 & 3 << 4 + 5 * 6 ^ 7":           "(1 | (2 & (3 << (4 + (5 * (6 ^ 7))))))",
		"-a collate x":                         "-((`a` collate x))",
		"a = b is true or c":                   "(((`a` = `b`) is true) or (0 <> `c`))",
		"a like b || c":                        "((`a` like `b`) or (0 <> `c`))",
		"(1=1 or 2=2) or (3=3 or 4=4)":         "((1 = 1) or (2 = 2) or (3 = 3) or (4 = 4))",
		"1 - (2 - 3)":                          "(1 - (2 - 3))",
		"d + interval 1 day - interval 2 hour": "((`d` + interval 1 day) - interval 2 hour)",
		"@a := 1 = 2":                          "(@`a` := (1 = 2))",
		"a in (1) = b":                         "((`a` in (1)) = `b`)",
	} {
		x, err := ParseExpr(text, Options{})
		require.NoError(t, err, text)
		require.Equal(t, want, ast.Print(x, ast.Options{Canonical: true}), text)
	}
	for text, want := range map[string]string{
		"a join b join c on 1=1 on 2=2":           "(`a` join (`b` join `c` on((1 = 1))) on((2 = 2)))",
		"a join b join c on 1=1":                  "((`a` join `b`) join `c` on((1 = 1)))",
		"a join b left join c on 1=1":             "((`a` join `b`) left join `c` on((1 = 1)))",
		"a join b natural join c":                 "((`a` join `b`) natural join `c`)",
		"a join (b left join c on 1=1)":           "(`a` join (`b` left join `c` on((1 = 1))))",
		"a left join b left join c on 1=1 on 2=2": "(`a` left join (`b` left join `c` on((1 = 1))) on((2 = 2)))",
		"a join b join c join d on 1=1 on 2=2":    "((`a` join `b`) join (`c` join `d` on((1 = 1))) on((2 = 2)))",
	} {
		r, err := Parse("select 1 from "+text, Options{})
		require.NoError(t, err, text)
		require.Equal(t, "select 1 from "+want, ast.Print(r.Statement, ast.Options{Canonical: true}), text)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/query.sql"} {
		for i, text := range fuzzSeeds(file) {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, mode uint8) {
		o := Options{Mode: token.Mode(mode) & 63}
		requireRoundTrip(t, text, o)
	})
}
