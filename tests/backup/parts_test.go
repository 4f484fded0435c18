package backup

import (
	"database/sql"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// partitions makes a schema of partitioned tables: of all kinds, and one of many partitions.
func partitions(t *testing.T, db *sql.DB, many int) {
	t.Helper()
	var bounds []string
	for i := range many {
		bounds = append(bounds, fmt.Sprintf("PARTITION p%d VALUES LESS THAN (%d)", i, (i+1)*10))
	}
	exec1(t, db, "CREATE DATABASE parts",
		"CREATE TABLE parts.days (id INT, d DATE, pad VARCHAR(500), PRIMARY KEY (id, d), KEY (pad)) PARTITION BY RANGE (YEAR(d)) SUBPARTITION BY HASH (id) SUBPARTITIONS 3 "+
			"(PARTITION old VALUES LESS THAN (2020), PARTITION `new one` VALUES LESS THAN MAXVALUE)",
		"CREATE TABLE parts.lands (id INT AUTO_INCREMENT, land VARCHAR(20), pad TEXT, KEY (id)) PARTITION BY LIST COLUMNS (land) (PARTITION a VALUES IN ('a', 'b'), PARTITION z VALUES IN ('ü', 'z', NULL))",
		"CREATE TABLE parts.hashed (id BIGINT PRIMARY KEY, pad LONGTEXT) PARTITION BY KEY () PARTITIONS 7",
		"CREATE TABLE parts.many (id INT PRIMARY KEY, pad VARCHAR(300)) PARTITION BY RANGE (id) ("+strings.Join(bounds, ", ")+")",
		"SET SESSION cte_max_recursion_depth = 100000")
	numbers := fmt.Sprintf("WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT ", many*10-1)
	exec1(t, db, "INSERT INTO parts.many "+numbers+"i, REPEAT('m', i % 300) FROM n",
		"INSERT INTO parts.days "+numbers+"i, DATE_ADD('2015-01-01', INTERVAL i DAY), REPEAT('d', i % 500) FROM n",
		"INSERT INTO parts.lands (land, pad) "+numbers+"ELT(1 + i % 4, 'a', 'b', 'ü', 'z'), REPEAT('l', i % 900) FROM n", "INSERT INTO parts.lands (land) VALUES (NULL)",
		"INSERT INTO parts.hashed SELECT id, IF(id < 5, REPEAT('h', 30000), pad) FROM parts.many")
}

// placed tells which rows are in which partition.
func placed(t *testing.T, db *sql.DB) (out []string) {
	t.Helper()
	for _, q := range []string{"SELECT COUNT(*), SUM(id), MIN(d) FROM parts.days PARTITION (old)", "SELECT COUNT(*), SUM(id), MIN(d) FROM parts.days PARTITION (`new one`)",
		"SELECT COUNT(*), SUM(id), MAX(land) FROM parts.lands PARTITION (z)", "SELECT COUNT(*), SUM(id), MAX(id) FROM parts.hashed PARTITION (p3)", "SELECT COUNT(*), SUM(id), MAX(id) FROM parts.many PARTITION (p17)"} {
		var n, sum, edge sql.NullString
		require.NoError(t, db.QueryRow(q).Scan(&n, &sum, &edge), q)
		out = append(out, n.String+" "+sum.String+" "+edge.String)
	}
	return out
}

// TestPartitions: a clone, tables of a backup, and a server that starts again hold partitioned
// tables as the source does, however many partitions they have; the pages of partitions are found
// in memory after a start, by the list and by kept memory.
func TestPartitions(t *testing.T) {
	roomy := append(append([]string{}, options...), "--innodb-buffer-pool-size=128M", "--table-definition-cache=400")
	s := emberd.Start(t, append(append([]string{"--server-id=1"}, roomy...), emberd.KeepMemory(t, "tmpfs")...)...)
	db := open(t, s, "")
	db.SetMaxOpenConns(1) // of the session's settings
	partitions(t, db, 1000)
	first := append(described(t, db, "parts"), placed(t, db)...)
	want := first
	same := func(db *sql.DB) {
		t.Helper()
		require.Equal(t, want, append(described(t, db, "parts"), placed(t, db)...))
	}
	place := t.TempDir()
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")

	exec1(t, db, "CREATE USER cloner IDENTIFIED BY 'x'", "GRANT BACKUP_ADMIN, REPLICATION SLAVE ON *.* TO cloner")
	clone := emberd.Prepare(t, append([]string{"--server-id=2"}, roomy...)...)
	run(t, "clone", "--from", fmt.Sprintf("127.0.0.1:%d", s.Port), "--user", "cloner", "--password", "x", "--datadir", clone.Dir, "--quiet")
	require.NoError(t, clone.Launch())
	there := open(t, clone, "")
	same(there)

	require.NoError(t, clone.Stop()) // the list is written
	require.NoError(t, clone.Launch())
	loaded := func() string {
		return column(t, there, "SELECT VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Innodb_buffer_pool_load_status'")[0]
	}
	testkit.Eventually(t, func() bool { return strings.Contains(loaded(), "completed") }, "the list is not loaded")
	reads := func() (n int) {
		var name string
		require.NoError(t, there.QueryRow("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_reads'").Scan(&name, &n))
		return n
	}
	before := reads()
	require.Equal(t, []string{"10000"}, column(t, there, "SELECT COUNT(*) FROM parts.many"))
	require.Less(t, reads()-before, 100, "pages of 1,000 partitions are not in memory")
	same(there)
	run(t, "check", "--socket", clone.Socket, "--quiet")

	exec1(t, db, "UPDATE parts.many SET pad = 'changed' WHERE id % 10 = 3", "ALTER TABLE parts.many TRUNCATE PARTITION p17", "UPDATE parts.days SET d = '2019-05-05' WHERE id % 50 = 7")
	want = append(described(t, db, "parts"), placed(t, db)...)
	s.Kill()
	require.NoError(t, s.Launch())
	var name string
	var kept int
	require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE 'Ember_pool_pages_kept'").Scan(&name, &kept))
	require.Greater(t, kept, 1000, "the memory is not taken over")
	same(db)
	var waited int
	var gtid string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
	require.NoError(t, there.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 600)", gtid).Scan(&waited))
	require.Zero(t, waited, "the clone does not follow")
	same(there)

	exec1(t, db, "DROP DATABASE parts")
	out, err := exec.Command(programs(t), "restore", "--from", place, "--socket", s.Socket, "--quiet", "--tables=parts.*", "--scratch="+t.TempDir()).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, first, append(described(t, db, "parts"), placed(t, db)...))
	run(t, "check", "--socket", s.Socket, "--quiet")
}
