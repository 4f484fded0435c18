package grants

import (
	"testing"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/sql/parse"
	"emberdb/sql/statement"
)

func TestSyntaxErrors(t *testing.T) {
	for q, near := range map[string]string{
		"SELEC 1":                         "near 'SELEC 1' at line 1",
		"SELECT * FROM t WHER a = 1":      "near 'a = 1' at line 1",
		"SELECT 1,\n  2,\n  FROM":         "near 'FROM' at line 3",
		"INSERT INTO t VALUES (1":         "near '' at line 1",
		"SELECT 'open":                    "at line 1",
		"UPDATE t SET a = = 1":            "near '= 1' at line 1",
		"CREATE TABLE t (a INT, , b INT)": "near ', b INT)' at line 1",
	} {
		_, _, err := statement.Read(q, parse.Options{})
		require.Equal(t, 1064, ParseError(err).(*mysql.SQLError).Num)
		require.Contains(t, err.Error(), near, q)
	}
}
