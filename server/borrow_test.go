package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQualifiedNames(t *testing.T) {
	for query, want := range map[string]string{
		"CREATE VIEW a.v AS SELECT 1": "a", "create or replace sql security invoker view `a b`.`v` as select 1": "a b", "drop view if exists a . v": "a",
		"ANALYZE NO_WRITE_TO_BINLOG TABLE a.t": "a", "optimize table a.t": "a", "rename table a.t to b.u": "a",
		"CREATE VIEW v AS SELECT * FROM a.t": "", "CREATE TABLE a.t (b INT)": "", "analyze table t": "",
	} {
		got := ""
		if m := qualified.FindStringSubmatch(query); m != nil {
			got = m[1] + m[2]
		}
		require.Equal(t, want, got, query)
	}
}
