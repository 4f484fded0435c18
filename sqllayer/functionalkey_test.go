package sqllayer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A key over one function of a column does not serve conditions over another one.
func TestFunctionalKeysServeTheirFunction(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(60) COLLATE utf8mb4_bin, KEY ((UPPER(a))))")
	c.exec("INSERT INTO t VALUES (1, 'ab'), (2, 'AB'), (3, 'Ab')")
	for condition, rows := range map[string]int{"UPPER(a) = 'AB'": 3, "LOWER(a) = 'ab'": 3, "CONCAT(a) = 'ab'": 1, "CONCAT(a) = 'AB'": 1, "REVERSE(a) = 'BA'": 1} {
		require.Len(t, c.exec("SELECT id FROM t WHERE "+condition), rows, condition)
	}
}
