package sqllayer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAliasedLocks: the words that the grammar wants are written into LOCK TABLES, and not into statements behind it.
func TestAliasedLocks(t *testing.T) {
	for query, want := range map[string]string{
		"LOCK TABLES t READ":                                 "LOCK TABLES t READ",
		"LOCK TABLE t x WRITE":                               "LOCK TABLES t AS x WRITE",
		"lock table a.t AS x READ LOCAL, `u` y WRITE;":       "lock TABLES a.t AS x READ LOCAL, `u` AS y WRITE;",
		"LOCK TABLES t READ; UNLOCK TABLES; SELECT 1 FROM t": "LOCK TABLES t READ; UNLOCK TABLES; SELECT 1 FROM t",
		"SELECT 1; LOCK TABLE t x READ":                      "SELECT 1; LOCK TABLE t x READ",
	} {
		require.Equal(t, want, aliasedLocks(query))
	}
}
