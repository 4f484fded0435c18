package equality

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// A condition that the SQL library plans is planned ahead of the statement. The transaction that
// begins there is READ ONLY if the session says so of this one, not if the one before was.
func TestPlansBeginTransactions(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "rofast", true), connect(t, srv, "roslow", false)
	both := func(prepared bool, text string, args ...any) string {
		t.Helper()
		q := statement{text: text, args: args}
		a := fast.run(q, prepared)
		require.Equal(t, slow.run(q, prepared), a, text)
		return a
	}
	both(false, "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL, h TIME)")
	both(false, "INSERT INTO t VALUES (1, 0, '10:00:00')")
	const refused = "ERROR 1792"
	for i, prepared := range []bool{false, true, false, true} {
		update := func() string {
			t.Helper()
			return both(prepared, "UPDATE t SET v = v + 1 WHERE h = ? AND id = ?", "10:00:00", int64(1))
		}
		known := func() { // by a program that this session has no plan of yet
			t.Helper()
			both(false, fmt.Sprintf("ALTER TABLE t COMMENT '%d'", i))
			require.Contains(t, update(), "affected 1")
			both(false, "COMMIT")
		}
		both(false, fmt.Sprintf("SET autocommit = %d", i/2))
		update()
		known()
		both(false, "START TRANSACTION READ ONLY")
		both(false, "SELECT v FROM t")
		both(false, "ROLLBACK")
		require.Contains(t, update(), "affected 1", "the transaction before was READ ONLY")
		require.Contains(t, update(), "affected 1")
		both(false, "COMMIT")
		known()
		both(false, "SET TRANSACTION READ ONLY")
		require.Contains(t, update(), refused, "this transaction is READ ONLY")
		both(false, "ROLLBACK")
		require.Contains(t, update(), "affected 1")
		both(false, "COMMIT")
		both(false, "SET SESSION TRANSACTION READ ONLY")
		require.Contains(t, update(), refused)
		both(false, "ROLLBACK")
		both(false, "SET SESSION TRANSACTION READ WRITE")
		both(false, "SELECT * FROM t")
	}
	both(false, "COMMIT")
	require.True(t, strings.HasSuffix(both(false, "SELECT v FROM t"), `"\x0224"`))
}
