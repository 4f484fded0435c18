package equality

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestExpressionsAreMySQLs checks operators and functions over columns of all types. The golden holds
// what MySQL 9.7 tells of each: type, length, decimals, flags and character set of the column of the
// result, and its values, as hexadecimal texts in an order of their own. The executor runs all that
// do not warn.
func TestExpressionsAreMySQLs(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "expressions")
	script, err := os.ReadFile(filepath.Join("testdata", "expressions.sql"))
	require.NoError(t, err)
	for _, q := range strings.Split(strings.TrimSpace(string(script)), ";\n") {
		_, err := s.Execute(strings.TrimSuffix(q, ";"))
		require.NoError(t, err, q)
	}
	golden, err := os.ReadFile(filepath.Join("testdata", "expressions.golden"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(golden)), "\n")
	before, warned := executed(t, s), 0
	for _, line := range lines {
		f := strings.Split(line, "\t")
		res, err := s.Execute("SELECT " + f[0] + " FROM m")
		require.NoError(t, err, f[0])
		if res.Warnings > 0 {
			warned++
		}
		c := res.Fields[0]
		require.Equal(t, f[1], fmt.Sprintf("%d %d %d %d %d", c.Type, c.ColumnLength, c.Decimal, c.Flag, c.Charset), f[0])
		var values []string
		for i := range res.RowNumber() {
			if null, _ := res.IsNull(i, 0); null {
				values = append(values, "NULL")
				continue
			}
			v, err := res.GetString(i, 0)
			require.NoError(t, err, f[0])
			values = append(values, "x"+hex.EncodeToString([]byte(v)))
		}
		want := strings.Split(f[2], " ")
		if c.Type == mysql.MYSQL_TYPE_FLOAT || c.Type == mysql.MYSQL_TYPE_DOUBLE { // which the client reads as numbers
			want, values = numbersOf(t, want), numbersOf(t, values)
		}
		slices.Sort(want)
		slices.Sort(values)
		require.Equal(t, want, values, f[0])
	}
	require.Equal(t, before+len(lines)-warned, executed(t, s), "the executor runs them")
	require.Less(t, warned, 20)
}

// numbersOf writes the numbers that hexadecimal texts are in one way.
func numbersOf(t *testing.T, texts []string) (out []string) {
	for _, text := range texts {
		if text != "NULL" {
			raw, err := hex.DecodeString(text[1:])
			require.NoError(t, err)
			f, err := strconv.ParseFloat(string(raw), 64)
			require.NoError(t, err)
			text = fmt.Sprint(f)
		}
		out = append(out, text)
	}
	return out
}
