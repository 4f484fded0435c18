package ast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// TestCanonical pins canonical text to what MySQL 9.7 shows of the same expressions in generated
// columns.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"- - a":                           "-(-(`a`))",
		"!a":                              "(0 = `a`)",
		"not (a = b)":                     "(`a` <> `b`)",
		"not a like 'x'":                  "(not((`a` like 'x')))",
		"not (a and b is null)":           "((0 = `a`) or (`b` is not null))",
		"a is not false":                  "((0 <> `a`) is not false)",
		"a is unknown":                    "(`a` is null)",
		"a div b":                         "(`a` DIV `b`)",
		"s regexp 'a'":                    "regexp_like(`s`,'a')",
		"mid(s, 2)":                       "substr(`s`,2)",
		"substring(s from 1 for 2)":       "substr(`s`,1,2)",
		"position('x' in s)":              "locate('x',`s`)",
		"cast(a as decimal)":              "cast(`a` as decimal(10,0))",
		"cast(s as binary(3))":            "cast(`s` as char(3) charset binary)",
		"cast(s as char charset latin1)":  "cast(`s` as char charset latin1)",
		"convert(s using latin1)":         "convert(`s` using latin1)",
		"binary s":                        "cast(`s` as char charset binary)",
		"s collate utf8mb4_bin":           "(`s` collate utf8mb4_bin)",
		"adddate(d, 5)":                   "(`d` + interval 5 day)",
		"date_sub(d, interval 1 month)":   "(`d` - interval 1 month)",
		"timestampadd(day, 1, d)":         "(`d` + interval 1 day)",
		"timestampdiff(month, d, e)":      "timestampdiff(MONTH,`d`,`e`)",
		"date(d)":                         "cast(`d` as date)",
		"week(d)":                         "week(`d`,0)",
		"j->>'$.a'":                       "json_unquote(json_extract(`j`,'$.a'))",
		"1 member of (j)":                 "1 member of (`j`)",
		"mod(a, b)":                       "(`a` % `b`)",
		"a = x'41'":                       "(`a` = 0x41)",
		"a = b'11'":                       "(`a` = 0x03)",
		`s = 'it''s \\ "x"'`:              `(` + "`s`" + ` = 'it\'s \\ "x"')`,
		"(a, b) = (1, 2)":                 "((`a` = 1) and (`b` = 2))",
		"s sounds like 'x'":               "(soundex(`s`) = soundex('x'))",
		"isnull(a)":                       "(`a` is null)",
		"datediff(d, e)":                  "(to_days(`d`) - to_days(`e`))",
		"case a when 1 then 2 else 3 end": "(case `a` when 1 then 2 else 3 end)",
		"if(a, b, c)":                     "if(`a`,`b`,`c`)",
	} {
		x, err := parse.ParseExpr(text, parse.Options{})
		require.NoError(t, err, text)
		require.Equal(t, want, ast.Print(x, ast.Options{Canonical: true}), text)
	}
}
