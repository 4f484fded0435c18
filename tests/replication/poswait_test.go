package replication

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestSourcePosWait: SOURCE_POS_WAIT answers as MySQL 9.7 does where nothing is waited for; what it
// waits for, the other tests do.
func TestSourcePosWait(t *testing.T) {
	s := emberd.Start(t, options...)
	all := follow(t, s.Port)
	db := s.Open("")
	defer db.Close()
	there := all[1].open()
	defer there.Close()
	ask := func(db *sql.DB, args string) (n sql.NullInt64, err error) {
		err = db.QueryRow("SELECT SOURCE_POS_WAIT(" + args + ")").Scan(&n)
		return n, err
	}
	is := func(db *sql.DB, args string, valid bool, want int64) {
		t.Helper()
		n, err := ask(db, args)
		require.NoError(t, err, args)
		require.Equal(t, sql.NullInt64{Valid: valid, Int64: want}, n, args)
	}
	for _, args := range []string{"'binlog.000001', 4", "'binlog.000001', 4, 1", "NULL, 4, 1", "'binlog.000001', 4, 1, 'none'"} {
		is(db, args, false, 0) // it follows nobody
	}
	for _, args := range []string{"'binlog.000001', 4, -1"} {
		_, err := ask(db, args)
		require.ErrorContains(t, err, "Error 1210 (HY000): Incorrect arguments to SOURCE_POS_WAIT.")
	}
	_, err := ask(db, "'binlog.000001'")
	require.ErrorContains(t, err, "1582")
	execAll(t, db, "CREATE DATABASE d")
	all[1].wait(t, db)
	is(there, "'binlog.000001', 4, 1", true, 0)
	is(there, "'binlog.999999', 4, 0.01", true, -1)
	var n sql.NullInt64
	require.NoError(t, there.QueryRow("SELECT MASTER_POS_WAIT('binlog.000001', 4, 1)").Scan(&n))
	require.Equal(t, sql.NullInt64{Valid: true}, n)
	execAll(t, there, "STOP REPLICA")
	is(there, "'binlog.999999', 4", false, 0)
}
