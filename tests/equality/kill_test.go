package equality

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestKill ends compiled statements while they read, change and wait: each way the client is told
// the same, nothing of the statement stays, and the connection goes on.
func TestKill(t *testing.T) {
	srv := emberd.Start(t)
	for _, compiled := range []bool{true, false} {
		t.Run(fmt.Sprintf("compiled=%v", compiled), func(t *testing.T) {
			db := fmt.Sprintf("killed%v", compiled)
			c, other := connect(t, srv, db, compiled), connect(t, srv, db, compiled)
			exec := func(s *side, query string) *mysql.Result {
				t.Helper()
				r, err := s.Execute(query)
				require.NoError(t, err, query)
				return r
			}
			exec(c, "CREATE TABLE big (id INT PRIMARY KEY AUTO_INCREMENT, v INT NOT NULL, s VARCHAR(20))")
			exec(c, "INSERT INTO big (v, s) VALUES (1, 'a'), (1, 'b'), (1, 'c'), (1, 'd')")
			for range 14 {
				exec(c, "INSERT INTO big (v, s) SELECT 1, s FROM big")
			}
			rows, err := exec(c, "SELECT COUNT(*) FROM big").GetInt(0, 0)
			require.NoError(t, err)
			require.Equal(t, int64(65536), rows)
			id, err := exec(c, "SELECT CONNECTION_ID()").GetUint(0, 0)
			require.NoError(t, err)
			// %d is a number that makes the first two runs, of which the second is a compiled
			// program's, end at once.
			for _, query := range []string{
				"SELECT SUM(v) FROM big WHERE id < %d AND v * 2 < 0",
				"UPDATE big SET v = v + 1 WHERE id < %d",
				"DELETE FROM big WHERE id < %d",
				"SELECT v FROM big WHERE id < %d ORDER BY s DESC, v LIMIT 1",
			} {
				exec(c, fmt.Sprintf(query, 0))
				exec(c, fmt.Sprintf(query, 1))
				killed := interrupt(t, c, other, id, fmt.Sprintf(query, 1<<30), true)
				if !killed { // it was faster
					t.Logf("%s was not killed", query)
					continue
				}
				sums := exec(c, "SELECT COUNT(*), SUM(v) FROM big")
				n, _ := sums.GetInt(0, 0)
				sum, _ := sums.GetString(0, 1)
				require.Equal(t, int64(65536), n, query)
				require.Equal(t, "65536", sum, query)
			}
			exec(other, "BEGIN")
			exec(other, "SELECT v FROM big WHERE id = 1 FOR UPDATE")
			for _, query := range []string{"UPDATE big SET v = 5 WHERE id = %d", "SELECT s FROM big WHERE id = %d FOR UPDATE", "DELETE FROM big WHERE id = %d"} {
				exec(c, fmt.Sprintf(query, -1))
				exec(c, fmt.Sprintf(query, -2))
				third := connect(t, srv, db, compiled)
				require.True(t, interrupt(t, c, third, id, fmt.Sprintf(query, 1), false), query)
			}
			exec(other, "COMMIT")
			if compiled {
				require.Greater(t, counters(t, c)["Ember_compiled_executions"], 10)
			}
		})
	}
}

// interrupt runs a statement and kills it once it is seen running; false if it ended before.
// mayEnd: it may.
func interrupt(t *testing.T, c, by *side, id uint64, query string, mayEnd bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := c.Execute(query)
		done <- err
	}()
	for ctx.Err() == nil {
		r, err := by.Execute(fmt.Sprintf("SELECT COUNT(*) FROM information_schema.processlist WHERE id = %d AND info = '%s'", id, query))
		require.NoError(t, err)
		if n, _ := r.GetInt(0, 0); n > 0 {
			break
		}
		if len(done) > 0 {
			break
		}
	}
	_, err := by.Execute(fmt.Sprintf("KILL QUERY %d", id))
	require.NoError(t, err)
	select {
	case err = <-done:
	case <-ctx.Done():
		t.Fatalf("%s was killed and goes on", query)
	}
	if err == nil && mayEnd {
		return false
	}
	require.ErrorContains(t, err, "ERROR 1317 (70100): Query execution was interrupted", query)
	return true
}
