package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommentsAlone are no statements, and no errors.
func TestCommentsAlone(t *testing.T) {
	c := start(t).conn()
	for _, q := range []string{"-- a\n", "# a", "/* a */ /* b */", "/*!50000 */", "/*!99999 SELECT nonsense */", "/*!999999\\- enable the sandbox mode */", "# a\n;"} {
		exec(t, c, q)
	}
	for q, want := range map[string]string{"SELECT 1 /*!99999 + 1 */": "1", "/*!99999 x */ SELECT 2": "2", "SELECT /*!080000 3 */": "3", "SELECT /*!50000 2 + */ /*!80401 1 + */ 2": "4"} {
		require.Equal(t, want, rows(t, c, q)[0][0], q)
	}
	var n int
	require.NoError(t, c.QueryRowContext(t.Context(), "SELECT /*!99999 1 + */ /*!080000 ? */ + 1", 4).Scan(&n)) // prepared
	require.Equal(t, 5, n)
	for _, q := range []string{"", " ", ";", " ; "} {
		_, err := c.ExecContext(t.Context(), q)
		requireCode(t, err, 1065, "42000")
	}
}
