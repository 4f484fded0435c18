package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForThisVersion(t *testing.T) {
	for q, want := range map[string]string{
		"SELECT 1":                                "SELECT 1",
		"/*!40101 SET NAMES utf8 */":              "         SET NAMES utf8   ",
		"SELECT /*!080400 1 */":                   "SELECT           1   ",
		"SELECT /*! 1 */":                         "SELECT     1   ",
		"/*!50000 */":                             "/*       */",
		"SELECT /*!1 */":                          "SELECT    1   ",
		"/*!50001 SELECT /* a */ '*/' */, 2":      "         SELECT /* a */ '*/'   , 2",
		"/*!50001 SELECT /*!50002 1 */ + 1 */":    "         SELECT          1    + 1   ",
		"SELECT 1 /*!50001 + 1":                   "SELECT 1 /*!      + 1",
		"SELECT /*!XTRA_FAST_LOAD */ * FROM t":    "SELECT /*!XTRA_FAST_LOAD */ * FROM t",
		"SELECT 2 */ 1":                           "SELECT 2 */ 1",
		"SELECT 1 /*!99999 + 1 */, 2":             "SELECT 1 /* 99999 + 1 */, 2",
		"/*!999999\\- enable the sandbox mode */": "/* 999999\\- enable the sandbox mode */",
		"/*!100000 a /* b */ c */ SELECT 2":       "/* 100000 a    b    c */ SELECT 2",
		"SELECT '/*!99999 a */', \"it''s /*!99999\", `/*!99999`, 'a\\'/*!99999 b'": "SELECT '/*!99999 a */', \"it''s /*!99999\", `/*!99999`, 'a\\'/*!99999 b'",
		"SELECT 1 -- it's\n /*!99999 + 1 */":                                       "SELECT 1 -- it's\n /* 99999 + 1 */",
		"SELECT 1 # '\n /*!99999 + 1 */":                                           "SELECT 1 # '\n /* 99999 + 1 */",
		"SELECT /* ' */ 1 /*!99999 + 1 */":                                         "SELECT /* ' */ 1 /* 99999 + 1 */",
		"SELECT 1 /*!99999 + 1":                                                    "SELECT 1 /* 99999 + 1",
		"/*!":                                                                      "/*!",
		"/*!99999":                                                                 "/* 99999",
		"'/*!":                                                                     "'/*!",
	} {
		require.Equal(t, want, forThisVersion(q))
		require.Equal(t, want, forThisVersion(want))
	}
}

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
