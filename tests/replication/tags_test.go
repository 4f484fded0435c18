package replication

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestTaggedGTIDs names transactions with tags: small ones, one with a file of its own,
// definitions, and one by its whole name. All replicas follow; the names outlive kills of the
// source and of the replica, which does not get a transaction twice.
func TestTaggedGTIDs(t *testing.T) {
	s := emberd.Start(t, options...)
	all := follow(t, s.Port)
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1) // gtid_next is the session's
	var id string
	require.NoError(t, db.QueryRow("SELECT @@server_uuid").Scan(&id))
	const other = "ffffffff-0000-0000-0000-000000000001" // sorts behind any server's
	for round, set := range []string{
		id + ":1-2:back_fill:1-5," + other + ":q:7",
		id + ":1-3:back_fill:1-9," + other + ":q:7",
	} {
		if round == 0 {
			execAll(t, db, "CREATE DATABASE tags", "CREATE TABLE tags.t (a INT PRIMARY KEY AUTO_INCREMENT, b LONGTEXT)")
		} else {
			execAll(t, db, "INSERT INTO tags.t (b) VALUES ('none')")
		}
		execAll(t, db, "SET gtid_next = 'AUTOMATIC:Back_Fill'", "INSERT INTO tags.t (b) VALUES ('a'), ('b')", "UPDATE tags.t SET b = CONCAT(b, 'x')")
		if _, err := db.Exec("INSERT INTO tags.t (b) VALUES (?), (?)", strings.Repeat("large", 1<<20), strings.Repeat("row", 1<<20)); err != nil {
			t.Fatal(err)
		}
		execAll(t, db, "DELETE FROM tags.t WHERE LENGTH(b) > 3000000")
		if round == 0 {
			execAll(t, db, "ALTER TABLE tags.t ADD c INT", "SET gtid_next = '"+other+":Q:7'", "INSERT INTO tags.t (b) VALUES ('named')")
		}
		execAll(t, db, "SET gtid_next = 'AUTOMATIC'")
		if round == 0 {
			execAll(t, db, "SET gtid_next = '"+other+":q:7'", "INSERT INTO tags.t (b) VALUES ('passed over')", "COMMIT", "SET gtid_next = 'AUTOMATIC'")
		}
		require.Equal(t, set, executedOf(t, db))
		for _, r := range all {
			t.Log(r.name)
			r.sameAs(t, db)
			if r.byGTID {
				there := r.open()
				require.Equal(t, set, executedOf(t, there), r.name)
				there.Close()
			}
			r.restart(t)
		}
		s.Kill()
		require.NoError(t, s.Launch())
		require.Equal(t, set, executedOf(t, db))
	}
	var rows int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM mysql.gtid_executed WHERE gtid_tag = 'back_fill' AND interval_end = 9").Scan(&rows))
	require.Equal(t, 1, rows)
}

func executedOf(t *testing.T, db *sql.DB) (set string) {
	t.Helper()
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&set))
	return strings.ReplaceAll(set, "\n", "")
}
