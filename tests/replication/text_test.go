package replication

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// textual are statements under binlog_format=STATEMENT; text tells that the log gets their text.
var textual = []struct {
	text bool
	sql  string
}{
	{true, "INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')"},
	{false, "INSERT INTO u (n) VALUES (1), (2)"},
	{true, "UPDATE t JOIN u ON u.id = t.id SET t.n = 50"},
	{true, "INSERT INTO t SELECT id + 10, n, CONCAT(s, UPPER(s)) FROM t WHERE n < 60"},
	{true, "UPDATE t SET n = n + 1, s = IF(n > 2, REPEAT(s, 3), s)"},
	{true, "REPLACE INTO sums SELECT 't', COUNT(*), COALESCE(LOWER(CONV(BIT_XOR(CAST(CRC32(CONCAT_WS('#', id, n, s)) AS UNSIGNED)), 10, 16)), 0), NOW(6) FROM t"},
	{true, "INSERT IGNORE INTO t VALUES (3, 1, 'x'), (4, 4, 'ü')"},
	{true, "DELETE FROM t WHERE id = (SELECT MAX(id) FROM u) OR id = 2"},
	{true, "INSERT INTO t (id, s) VALUES (20, DATE_FORMAT(NOW(), '%Y'))"},
	{true, "REPLACE INTO t VALUES (20, 1, 'r')"},
	{false, "REPLACE INTO t SELECT id, n, 'many' FROM u"},
	{false, "INSERT INTO t VALUES (30, 1, UUID())"},
	{false, "UPDATE t SET n = RAND() * 1000"},
	{false, "UPDATE t SET n = 7 ORDER BY id DESC LIMIT 1"},
	{false, "UPDATE t SET s = @x WHERE id = 1"},
	{false, "UPDATE t SET s = @@server_id WHERE id = 1"},
	{false, "UPDATE t SET n = plus(n) WHERE id = 1"},
	{false, "INSERT INTO fired VALUES (9)"},
	{false, "INSERT INTO t VALUES (1, 5, 'k') ON DUPLICATE KEY UPDATE n = n + 1"},
	{false, "UPDATE t SET s = (SELECT COUNT(*) FROM information_schema.TABLES) WHERE id = 1"},
	{false, "INSERT INTO made (id) VALUES (1)"},
	{true, "REPLACE INTO u (n, id) VALUES (7, 1), (3, '3')"},
	{true, "INSERT INTO u VALUES (8, 8)"},
	{false, "INSERT INTO u (id, n) VALUES (9, 1), (NULL, 2)"},
	{false, "INSERT INTO u VALUES (0, 8)"},
	{false, "INSERT INTO u SET n = 4"},
	{true, "REPLACE INTO u VALUES (-5, 1), ('-6', 2)"},
	{true, "DELETE FROM u WHERE id > 2"},
}

// TestStatementFormat: under binlog_format=STATEMENT the log gets the text of the statements that
// determine what they change, and the rows of others. Replicas have the source's rows, but where a
// statement finds that theirs are others.
func TestStatementFormat(t *testing.T) {
	s := emberd.Start(t, options...)
	all := follow(t, s.Port)
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1) // the settings are the session's
	execAll(t, db, "CREATE DATABASE d", "CREATE DATABASE fires", "USE d", "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(50))", "CREATE TABLE u (id INT AUTO_INCREMENT PRIMARY KEY, n INT)",
		"CREATE TABLE sums (name VARCHAR(9) PRIMARY KEY, n INT, crc VARCHAR(40), at TIMESTAMP(6))", "CREATE TABLE fires.fired (a INT PRIMARY KEY)", "CREATE TABLE fires.log (id INT AUTO_INCREMENT PRIMARY KEY, a INT)",
		"CREATE TRIGGER fires.f BEFORE INSERT ON fires.fired FOR EACH ROW INSERT INTO fires.log (a) VALUES (NEW.a)", "CREATE FUNCTION plus(n INT) RETURNS INT DETERMINISTIC RETURN n + 1",
		"CREATE TABLE made (id INT PRIMARY KEY, u VARCHAR(40) DEFAULT (UUID()))", "SET @x = 'variable'", "SET SESSION binlog_format = 'STATEMENT'")
	var level, text string
	var code int
	require.NoError(t, db.QueryRow("SHOW WARNINGS").Scan(&level, &code, &text))
	require.Equal(t, 1287, code)
	logged := func() string {
		rows, err := db.Query("SHOW BINARY LOGS")
		require.NoError(t, err)
		var name, size, encrypted string
		for rows.Next() {
			require.NoError(t, rows.Scan(&name, &size, &encrypted))
		}
		require.NoError(t, rows.Err())
		rows, err = db.Query("SHOW BINLOG EVENTS IN '" + name + "'")
		require.NoError(t, err)
		var kinds []string
		for rows.Next() {
			var file, at, kind, id, end, info string
			require.NoError(t, rows.Scan(&file, &at, &kind, &id, &end, &info))
			switch {
			case kind == "Gtid" || kind == "Anonymous_Gtid":
				kinds = kinds[:0]
			case kind == "Query" && strings.HasPrefix(info, "use `d`; "):
				kind = strings.TrimPrefix(info, "use `d`; ")
				fallthrough
			default:
				kinds = append(kinds, kind)
			}
		}
		require.NoError(t, rows.Err())
		return strings.Join(kinds, "|")
	}
	for _, c := range textual {
		q := strings.Replace(c.sql, "INTO fired", "INTO fires.fired", 1)
		execAll(t, db, q)
		if got := logged(); c.text {
			require.Equal(t, "Query|"+q+"|Xid", got)
		} else {
			require.Contains(t, got, "_rows", q)
			require.NotContains(t, got, q)
		}
	}
	execAll(t, db, "SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')", "REPLACE INTO u VALUES (0, 1), ('0', 2)")
	require.Equal(t, "Query|REPLACE INTO u VALUES (0, 1), ('0', 2)|Xid", logged(), "0 asks for no number")
	execAll(t, db, "BEGIN", "DELETE FROM t WHERE id = 3", "SAVEPOINT a", "DELETE FROM t", "ROLLBACK TO a", "UPDATE t SET s = UUID() WHERE id = 1", "COMMIT")
	require.Equal(t, "Query|DELETE FROM t WHERE id = 3|Table_map|Update_rows|Xid", logged())
	_, err := db.Exec("INSERT INTO t VALUES (60, 1, 'a'), (61, 1, 'b'), (1, 1, 'there')")
	require.Error(t, err)
	execAll(t, db, "SET SESSION transaction_isolation = 'READ-COMMITTED'", "UPDATE t SET n = 3 WHERE id = 1")
	require.Contains(t, logged(), "Update_rows", "what a statement reads is not locked")
	execAll(t, db, "SET SESSION transaction_isolation = 'REPEATABLE-READ'")
	stmt, err := db.Prepare("UPDATE t SET n = ? WHERE id = 1")
	require.NoError(t, err)
	_, err = stmt.Exec(77)
	require.NoError(t, err)
	require.NoError(t, stmt.Close())
	require.Contains(t, logged(), "Update_rows", "parameters are not in the text")
	for _, r := range all {
		t.Log(r.name)
		r.sameAs(t, db)
	}

	there := all[0].open()
	defer there.Close()
	execAll(t, there, "UPDATE d.t SET s = 'drifted' WHERE id = 1")
	execAll(t, db, textual[5].sql)
	all[0].wait(t, db)
	var here, differs string
	require.NoError(t, db.QueryRow("SELECT crc FROM d.sums").Scan(&here))
	require.NoError(t, there.QueryRow("SELECT crc FROM d.sums").Scan(&differs))
	require.NotEqual(t, here, differs, "the replica computes from its own rows")
}
