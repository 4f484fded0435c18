package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// A damaged table is an error, and innodb_force_recovery gets at the rest of it; meanwhile rows are
// not changed.
func TestForceRecovery(t *testing.T) {
	s := emberd.Start(t, "--innodb-doublewrite=OFF")
	db := openDB(t, s, "")
	mustExec(t, db, "CREATE DATABASE d")
	mustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY, pad VARCHAR(500))")
	mustExec(t, db, "INSERT INTO d.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, REPEAT('x', 400) FROM n")
	require.NoError(t, s.Stop())

	files, err := filepath.Glob(filepath.Join(s.Dir, "spaces", "*.ebs"))
	require.NoError(t, err)
	largest, size := "", int64(0)
	for _, f := range files[2:] { // behind the dictionary and undo
		if st, err := os.Stat(f); err == nil && st.Size() > size {
			largest, size = f, st.Size()
		}
	}
	f, err := os.OpenFile(largest, os.O_RDWR, 0)
	require.NoError(t, err)
	const page = 16 << 10
	b := make([]byte, 1)
	at := int64(10*page + 9000) // a leaf: the tree has far more than ten
	_, err = f.ReadAt(b, at)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte{b[0] ^ 1}, at)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	require.NoError(t, s.Launch())
	db = openDB(t, s, "d")
	var n int
	require.Error(t, db.QueryRow("SELECT COUNT(pad) FROM t").Scan(&n))
	require.NoError(t, s.Stop())

	s.Args = append(s.Args, "--innodb-force-recovery=1")
	require.NoError(t, s.Launch())
	db = openDB(t, s, "d")
	require.NoError(t, db.QueryRow("SELECT COUNT(pad) FROM t").Scan(&n))
	require.Less(t, n, 900)
	require.Greater(t, n, 800)
	for _, q := range []string{"INSERT INTO t VALUES (1000, '')", "UPDATE t SET pad = ''", "DELETE FROM t", "ALTER TABLE t ADD c INT", "CREATE USER u"} {
		_, err := db.Exec(q)
		requireCode(t, err, 1881)
	}
	mustExec(t, db, "CREATE TABLE spare (id INT)")
	mustExec(t, db, "DROP TABLE spare")
	require.NoError(t, s.Stop())

	for _, level := range []string{"4", "6"} {
		s.Args = append(s.Args, "--innodb-force-recovery="+level)
		require.NoError(t, s.Launch())
		db = openDB(t, s, "d")
		require.NoError(t, db.QueryRow("SELECT COUNT(pad) FROM t").Scan(&n))
		require.Greater(t, n, 800)
		for _, q := range []string{"INSERT INTO t VALUES (1000, '')", "CREATE TABLE spare (id INT)", "DROP TABLE t"} {
			_, err := db.Exec(q)
			requireCode(t, err, 1836)
		}
		require.NoError(t, s.Stop())
	}
}
