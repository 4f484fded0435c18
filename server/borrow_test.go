package server

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/parse"
)

func TestQualifiedNames(t *testing.T) {
	for query, want := range map[string]string{
		"CREATE VIEW a.v AS SELECT 1": "a", "create or replace sql security invoker view `a b`.`v` as select 1": "a b", "drop view if exists a . v": "a",
		"ALTER VIEW a.v AS SELECT 1": "a", "ANALYZE NO_WRITE_TO_BINLOG TABLE a.t": "a", "optimize table a.t": "a", "rename table a.t to b.u": "a",
		"alter table /* b. */ a.t add column x int": "a", "EXPLAIN DELETE FROM a.t WHERE b.c = 1": "a", "SHOW EVENTS FROM a": "a",
		"CREATE VIEW v AS SELECT * FROM a.t": "", "CREATE TABLE a.t (b INT)": "", "analyze table t": "", "SHOW TABLES FROM a": "",
	} {
		r, err := parse.Parse(query, parse.Options{})
		require.NoError(t, err, query)
		require.Equal(t, want, qualifier(r.Statement), query)
	}
}
