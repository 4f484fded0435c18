package compiled

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer"
)

func scanBulk(t testing.TB, text string) (key string, b *Bulk) {
	var s Scanner
	k, _, ok := s.Scan(nil, []byte(text))
	if !ok {
		return "", nil
	}
	return string(k), s.Bulk()
}

// allRows reads the rows of b.
func allRows(t testing.TB, b *Bulk) (rows [][]string) {
	r := literals{text: b.rows, keep: true}
	for {
		params := make([]Param, b.columns)
		require.True(t, r.values(params))
		var row []string
		for _, p := range params {
			switch p.Kind {
			case KindNull:
				row = append(row, "NULL")
			case KindDefault:
				row = append(row, "DEFAULT")
			case KindInt:
				row = append(row, fmt.Sprint("n", p.int()))
			case KindUint:
				row = append(row, fmt.Sprint("n", p.N))
			case KindDecimal:
				row = append(row, "n"+string(p.B))
			case KindString:
				row = append(row, "s"+string(p.B))
			case KindBytes:
				row = append(row, "b"+string(p.B))
			}
		}
		rows = append(rows, row)
		if !r.next() {
			return rows
		}
	}
}

func TestBulkRows(t *testing.T) {
	key, b := scanBulk(t, "INSERT INTO t(a,`b`)/* x */VALUES (1,'it''s \\'so\\''), (-2.50 , NULL),\n(18446744073709551615,\"x\\n\"\"\") , ( default,0x4142),(_binary 'ab', _binary'')ON DUPLICATE KEY UPDATE a = 5")
	require.NotNil(t, b)
	require.Equal(t, "INSERT INTO t(a,`b`) VALUES(?,?)ON DUPLICATE KEY UPDATE a = ?\x00**b", key)
	require.Equal(t, "INSERT INTO t(a,`b`)/* x */VALUES (0,0)ON DUPLICATE KEY UPDATE a = 5", b.Sample())
	require.Equal(t, [][]string{{"n1", "sit's 'so'"}, {"n-2.50", "NULL"}, {"n18446744073709551615", "sx\n\""}, {"DEFAULT", "bAB"}, {"bab", "b"}}, allRows(t, b))

	long := strings.Repeat("x", MaxText)
	_, b = scanBulk(t, "replace t values ('"+long+"')")
	require.NotNil(t, b, "the one row of a long text")
	for _, text := range []string{
		"insert into t values (1)", "insert into t values (1),(2,3)", "insert into t values (),()", "insert into t values (1),(now())", "insert into t values (1),(1+1)", "insert into t values (1),('a' 'b')",
		"insert into t values (1),(1e5)", "insert into t values (1),(.5)", "insert into t values (1),(1.)", "insert into t values (1),(007)", "insert into t values (1),(-'a')", "insert into t values (1),(- 1)",
		"insert into t values (1),(0x1)", "insert into t values (1),(0X11)", "insert into t values (1),(x'11')", "insert into t values (1),(_utf8mb4'a')", "insert into t values (1),(n'a')", "insert into t values (1),('a)",
		"insert into t values (1),(nulls)", "insert into t values (1),(default(a))", "insert into t values (1),(-9223372036854775808)", "insert into t values (1),(99999999999999999999)", "insert into t values (1),('\x00')",
		"insert into t values (1)/**/,(2)", "insert into t values (1),(/* 1 */2)", "select * from t where values (1),(2)",
		"insert into t values ('" + long + "', now())", "insert into t select '" + long + "'", "update t set a = '" + long + "'",
	} {
		_, b := scanBulk(t, text)
		require.Nil(t, b, text[:min(len(text), 100)])
	}
}

// What is read from rows is what the parser reads, and a text whose sample the parser takes is one
// it takes.
func FuzzBulk(f *testing.F) {
	for _, s := range []string{
		"insert into t values (1,'a'),(-2,NULL)", "replace into `t` (a,b) values\n( 1.5 , \"x\"\"y\" ) ,(0xAbCd,default)on duplicate key update a=values(a)", "INSERT t VALUES (_binary'\\0\\Z',''),('\\%','\\_')",
		"insert ignore into t values ('a\\\\','b'),('''','\"'),('\\'','')", "insert into t values (1),(2) as n on duplicate key update a = n.a + 1, b = 'x'", "insert into t values (18446744073709551615),(-0),(-0.0)",
		"insert into t (values) values (1),(2)", "insert into t values (1),(2) union select 1", "insert into t values ('ä'),('\xff')", "insert into t select * from (values (1),(2)) x", "insert into values values (1),(2)",
		"insert into t values (null),(nUll),(DEFAULT)", "insert /* values (1),(2) */ into t values (1),(2)", "insert into t set a = values (1),(2)", "replace delayed t values (1),(2)", "insert into t values (1),(2);",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, b := scanBulk(t, text)
		if b == nil {
			return
		}
		got := allRows(t, b)
		for _, row := range got {
			require.Len(t, row, b.columns)
		}
		sample, err := sqllayer.TreeOf(b.Sample(), ast.ParserOptions{}, nil)
		insert, ok := sample.(*ast.Insert)
		if err != nil || !ok {
			return
		}
		if values, ok := insert.Rows.(*ast.AliasedValues); !ok || len(values.Values) != 1 || len(values.Values[0]) != b.columns {
			return
		}
		tree, err := sqllayer.TreeOf(text, ast.ParserOptions{}, nil)
		require.NoError(t, err, text)
		values := tree.(*ast.Insert).Rows.(*ast.AliasedValues).Values
		require.Len(t, values, len(got))
		for i, row := range values {
			require.Len(t, row, b.columns)
			for j, e := range row {
				require.Equal(t, parsed(t, e), got[i][j], text)
			}
		}
	})
}

// parsed writes a literal of the parser as allRows does.
func parsed(t testing.TB, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.NullVal:
		return "NULL"
	case *ast.Default:
		return "DEFAULT"
	case *ast.UnaryExpr:
		if e.Operator == ast.UMinusStr {
			text := "n-" + strings.TrimPrefix(parsed(t, e.Expr), "n")
			if text == "n-0" {
				return "n0"
			}
			return text
		}
		require.Equal(t, "_binary ", strings.ToLower(e.Operator))
		return "b" + string(e.Expr.(*ast.SQLVal).Val)
	case *ast.SQLVal:
		switch e.Type {
		case ast.IntVal, ast.FloatVal:
			text := string(e.Val)
			if text == "-0" {
				text = "0"
			}
			return "n" + text
		case ast.StrVal:
			return "s" + string(e.Val)
		case ast.HexNum:
			b, err := hex.DecodeString(string(bytes.ToLower(e.Val[2:])))
			require.NoError(t, err)
			return "b" + string(b)
		}
	}
	require.Fail(t, "no literal", "%T %v", e, e)
	return ""
}
