package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestExecutorCallsFunctions checks that the executor runs statements with functions that it has no
// kernel for, and tells their errors and warnings where a statement has one row.
func TestExecutorCallsFunctions(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "excalled")
	for _, q := range []string{"CREATE TABLE c (id INT NOT NULL PRIMARY KEY, g GEOMETRY, s VARCHAR(20))",
		"INSERT INTO c VALUES (1, POINT(1,2), 'xxax'), (2, NULL, NULL)"} {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	for q, want := range map[string]string{
		"SELECT id, ST_AsText(g) FROM c ORDER BY id":                "1 POINT(1 2) 2 <nil>",
		"SELECT ST_X(g) FROM c WHERE ST_Within(g, POINT(1,2))":      "1",
		"SELECT TRIM(BOTH 'x' FROM s) FROM c ORDER BY id":           "a <nil>",
		"SELECT JSON_SCHEMA_VALID('{\"type\":\"object\"}', '[]')":   "0",
		"SELECT MAKE_SET(id, s, 'y'), HEX(x'0a') FROM c WHERE id=1": "xxax 0A",
		"SELECT UNCOMPRESS('a')":                                    "<nil>",
	} {
		require.Equal(t, want, ranHere(t, s, q), q)
	}
	before := executed(t, s)
	_, err := s.Execute("SELECT ST_GeomFromText('POINT(1')")
	require.ErrorContains(t, err, "3037")
	require.Equal(t, before+1, executed(t, s), "its error is told by the executor")
}
