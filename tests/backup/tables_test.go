package backup

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/backup/transfer"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// shop makes schemas with what tables may have. Dates that the usual SQL mode refuses, a 0 in an
// AUTO_INCREMENT column and values of all kinds are in them.
func shop(t *testing.T, db *sql.DB) {
	t.Helper()
	exec1(t, db, "CREATE DATABASE shop CHARACTER SET latin1 COLLATE latin1_swedish_ci", "CREATE DATABASE crm", "CREATE USER keeper IDENTIFIED BY 'x'",
		"GRANT ALL ON *.* TO keeper",
		"CREATE TABLE crm.customer (id INT PRIMARY KEY, name VARCHAR(40))",
		"INSERT INTO crm.customer VALUES (1, 'one'), (2, 'Zoë \\' \\\\ \\0 \U0001F600')",
		"CREATE TABLE crm.audit (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(40))",
		"CREATE TABLE shop.item (id INT AUTO_INCREMENT PRIMARY KEY, parent INT, price DECIMAL(30,10), tax DECIMAL(30,10) AS (price / 5) STORED, label VARCHAR(40) AS (CONCAT('#', name)), "+
			"name VARCHAR(30), hidden INT INVISIBLE DEFAULT 7, UNIQUE KEY (name), KEY (parent), KEY (label), CONSTRAINT item_tree FOREIGN KEY (parent) REFERENCES item (id))",
		"CREATE TABLE shop.orders (id INT PRIMARY KEY, customer INT, item INT, CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES crm.customer (id), "+
			"CONSTRAINT orders_item FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE)",
		`CREATE SPATIAL REFERENCE SYSTEM 1000000901 NAME 'Moon\'s' ORGANIZATION 'Space' IDENTIFIED BY 7 DESCRIPTION 'a ball' DEFINITION `+
			`'GEOGCS["Moon",DATUM["D",SPHEROID["S",1737400,0]],PRIMEM["P",0],UNIT["degree",0.017],AXIS["Lon",EAST],AXIS["Lat",NORTH]]'`,
		"CREATE TABLE crm.crater (id INT PRIMARY KEY, g POINT SRID 1000000901, a POINT AS (g) STORED SRID 1000000901)",
		"INSERT INTO crm.crater (id, g) VALUES (1, ST_GeomFromText('POINT(1 2)', 1000000901))",
		"CREATE TABLE shop.`odd ``name` (a BIT(13), g GEOMETRY, j JSON, e ENUM('a', 'ü'), s SET('x', 'y'), y YEAR, b BINARY(5), l LONGBLOB, f FLOAT, d DOUBLE, ts TIMESTAMP(6) NULL, ti TIME(3), da DATE, "+
			"tx TEXT CHARACTER SET utf8mb4, u BIGINT UNSIGNED, v VECTOR(2))",
		"INSERT INTO shop.`odd ``name` VALUES (b'1010101010101', ST_GeomFromText('POINT(1 2)', 4326), '{\"a\": [1, \"ü\", null]}', 'ü', 'x,y', 1999, 'a\\0', UNHEX('00FF275C0A1A'), 1.1, 0.1 + 2e-17, "+
			"'2020-06-01 12:00:00.5', '-12:00:01.5', '2020-02-03', '\U0001F600', 18446744073709551615, TO_VECTOR('[1,2]')), (NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL)")
	odd, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer odd.Close()
	for _, q := range []string{"SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'", "INSERT INTO shop.item (id, price, name, hidden) VALUES (0, 1.5, 'zero', 1), (7, 2.5, 'seven', 2)",
		"INSERT INTO shop.item (id, parent, price, name) VALUES (8, 7, 3.5, 'eight')", "INSERT INTO shop.`odd ``name` (da, f) VALUES ('0000-00-00', 3.4e38), ('2021-02-31', 16777217)",
		"INSERT INTO shop.orders VALUES (1, 1, 0), (2, 2, 8), (3, NULL, 7)",
		"CREATE DEFINER=keeper TRIGGER shop.item_in BEFORE INSERT ON shop.item FOR EACH ROW SET NEW.price = NEW.price + 1",
		"CREATE TRIGGER shop.item_after AFTER INSERT ON shop.item FOR EACH ROW INSERT INTO crm.audit (what) VALUES (CONCAT('item ', NEW.id, ' ü'))",
		"CREATE FUNCTION shop.twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n",
		"CREATE PROCEDURE shop.empty() DELETE FROM orders",
		"CREATE VIEW shop.a_upper AS SELECT id, shop.twice(n) AS n FROM shop.lower", // it needs the next one, which is made first below
	} {
		if strings.Contains(q, "shop.lower") {
			_, err = odd.ExecContext(t.Context(), "CREATE VIEW shop.lower AS SELECT id, customer AS n FROM shop.orders")
			require.NoError(t, err)
		}
		_, err := odd.ExecContext(t.Context(), q)
		require.NoError(t, err, q)
	}
	exec1(t, db, "CREATE EVENT shop.nightly ON SCHEDULE EVERY 1 DAY STARTS '2037-01-01 00:00:00' DISABLE DO DELETE FROM shop.orders WHERE id < 0",
		"CREATE TABLE shop.many (id INT PRIMARY KEY, pad VARCHAR(900))",
		"INSERT INTO shop.many WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, REPEAT('p', i) FROM n")
	for range 3 {
		exec1(t, db, "INSERT INTO shop.many SELECT id + (SELECT MAX(id) FROM shop.many), pad FROM shop.many")
	}
}

// described tells what a schema holds: definitions and checksums.
func described(t *testing.T, db *sql.DB, schema string) (out []string) {
	t.Helper()
	for _, name := range column(t, db, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"+schema+"' AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1") {
		quoted := "`" + schema + "`.`" + strings.ReplaceAll(name, "`", "``") + "`"
		var n, text, sum string
		require.NoError(t, db.QueryRow("SHOW CREATE TABLE "+quoted).Scan(&n, &text))
		require.NoError(t, db.QueryRow("CHECKSUM TABLE "+quoted).Scan(&n, &sum))
		out = append(out, text, sum)
	}
	for _, q := range []string{
		"SELECT CONCAT_WS('|', TRIGGER_NAME, DEFINER, ACTION_TIMING, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_STATEMENT, SQL_MODE, ACTION_ORDER) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '%s' ORDER BY 1",
		"SELECT CONCAT_WS('|', ROUTINE_NAME, ROUTINE_TYPE, DEFINER, ROUTINE_DEFINITION, SQL_MODE) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = '%s' ORDER BY 1",
		"SELECT CONCAT_WS('|', TABLE_NAME, DEFINER, VIEW_DEFINITION) FROM information_schema.VIEWS WHERE TABLE_SCHEMA = '%s' ORDER BY 1",
		"SELECT CONCAT_WS('|', EVENT_NAME, DEFINER, EVENT_DEFINITION, STATUS, STARTS, TIME_ZONE) FROM information_schema.EVENTS WHERE EVENT_SCHEMA = '%s' ORDER BY 1",
		"SELECT CONCAT_WS('|', SCHEMA_NAME, DEFAULT_COLLATION_NAME) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '%s'",
	} {
		out = append(out, column(t, db, fmt.Sprintf(q, schema))...)
	}
	return out
}

// TestTables restores tables and whole schemas into a server that serves, as they were at the
// backup and later, with a replica behind it. What cannot be restored is refused and leaves nothing.
func TestTables(t *testing.T) {
	s := emberd.Start(t, append([]string{"--server-id=1"}, options...)...)
	db := open(t, s, "")
	shop(t, db)
	was := described(t, db, "shop")
	customers := described(t, db, "crm")
	place := t.TempDir()
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	// The source of most copies is one server on the backup; in the end the tool starts its own.
	source := emberd.Prepare(t, options...)
	serveOn(t, source, []string{"restore", "--from", place, "--datadir", source.Dir, "--quiet"})
	handle := func(s *emberd.Server) *sql.DB {
		h, err := transfer.Open(s.Config(""))
		require.NoError(t, err)
		t.Cleanup(func() { h.Close() })
		return h
	}
	from, to := handle(source), handle(s)
	refuse := func(want string, o transfer.Options, patterns ...string) {
		t.Helper()
		before := append(described(t, db, "shop"), described(t, db, "crm")...)
		o.Patterns = patterns
		_, err := transfer.Run(t.Context(), from, to, o)
		require.ErrorContains(t, err, want)
		require.Equal(t, before, append(described(t, db, "shop"), described(t, db, "crm")...), "a refusal changes nothing")
		require.Empty(t, column(t, db, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'fresh'"))
	}
	ok := func(o transfer.Options, patterns ...string) *transfer.Result {
		t.Helper()
		o.Patterns = patterns
		r, err := transfer.Run(t.Context(), from, to, o)
		require.NoError(t, err)
		return r
	}
	none, missing := transfer.Options{}, transfer.Options{Missing: true}
	into := func(schema string) transfer.Options { return transfer.Options{Into: schema} }
	follower := emberd.Prepare(t, append([]string{"--server-id=2"}, options...)...)
	exec1(t, db, "CREATE USER cloner IDENTIFIED BY 'x'", "GRANT BACKUP_ADMIN, REPLICATION SLAVE ON *.* TO cloner")
	run(t, "clone", "--from", fmt.Sprintf("127.0.0.1:%d", s.Port), "--user", "cloner", "--password", "x", "--datadir", follower.Dir, "--quiet")
	require.NoError(t, follower.Launch())

	refuse("the server has", none, "shop.*")
	refuse("no table shop.nothing", none, "shop.many", "shop.nothing")
	refuse("names no table", none, "shop")
	refuse("belongs to the server", none, "mysql.user")
	refuse("belongs to the server", into("sys"), "shop.many")
	refuse("cannot all be restored", into("fresh"), "shop.many", "crm.customer")
	exec1(t, db, "SET GLOBAL read_only = ON")
	refuse("read-only", none, "shop.many")
	exec1(t, db, "SET GLOBAL read_only = OFF")
	_, err := transfer.Run(t.Context(), from, handle(follower), transfer.Options{Patterns: []string{"shop.many"}, Into: "x"})
	require.ErrorContains(t, err, "is a replica")

	exec1(t, db, "DROP DATABASE shop")
	r := ok(none, "shop.*")
	require.Len(t, r.Tables, 4)
	require.Len(t, r.Programs, 5)
	require.Equal(t, was, described(t, db, "shop"))
	exec1(t, db, "INSERT INTO shop.item (price, name) VALUES (1, 'new')")
	require.Equal(t, []string{"9/2.0000000000/#new"}, column(t, db, "SELECT CONCAT_WS('/', id, price, label) FROM shop.item WHERE name = 'new'"), "triggers and AUTO_INCREMENT go on")
	exec1(t, db, "DELETE FROM shop.item WHERE name = 'new'", "TRUNCATE crm.audit", "DROP TABLE crm.audit, crm.crater", "DROP SPATIAL REFERENCE SYSTEM 1000000901")
	require.Equal(t, []string{"crm.customer"}, ok(missing, "crm.*").Skipped)
	require.Equal(t, customers, described(t, db, "crm"))

	exec1(t, db, "CREATE DATABASE other", "CREATE TABLE shop.`#ember-restore-9` (a INT)", "DROP TABLE shop.many") // the first of them is what an interrupted restore leaves
	ok(none, "shop.m*")
	ok(into("other"), "shop.*")
	ok(into("fresh"), "shop.item", "shop.orders")
	exec1(t, db, "DELETE FROM fresh.item WHERE id = 8")
	require.Equal(t, []string{"2"}, column(t, db, "SELECT COUNT(*) FROM fresh.orders"), "foreign keys follow into the other schema")
	require.Equal(t, []string{"3"}, column(t, db, "SELECT COUNT(*) FROM shop.orders"))
	exec1(t, db, "DROP DATABASE fresh", "DROP DATABASE other")

	exec1(t, db, "DROP TABLE shop.orders", "DELETE FROM crm.customer WHERE id = 2")
	exec1(t, db, "DROP TABLE crm.crater", `CREATE OR REPLACE SPATIAL REFERENCE SYSTEM 1000000901 NAME 'Mars' DEFINITION `+
		`'GEOGCS["Mars",DATUM["D",SPHEROID["S",3396190,0]],PRIMEM["P",0],UNIT["degree",0.017],AXIS["Lon",EAST],AXIS["Lat",NORTH]]'`)
	refuse("another one on the server", none, "crm.crater")
	exec1(t, db, "DROP SPATIAL REFERENCE SYSTEM 1000000901")
	refuse("orders_customer would not hold", none, "shop.orders", "crm.crater")
	require.Empty(t, column(t, db, "SELECT SRS_ID FROM information_schema.ST_SPATIAL_REFERENCE_SYSTEMS WHERE SRS_ID = 1000000901"))
	ok(none, "crm.crater")
	exec1(t, db, "DROP TABLE crm.customer")
	refuse("which the server lacks", none, "shop.orders")
	ok(none, "crm.customer", "shop.orders")
	loose, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer loose.Close()
	unbound := func(statements ...string) {
		t.Helper()
		for _, q := range append([]string{"SET foreign_key_checks = 0"}, statements...) {
			_, err := loose.ExecContext(t.Context(), q)
			require.NoError(t, err, q)
		}
	}
	unbound("DROP TABLE shop.item", "INSERT INTO shop.orders VALUES (99, NULL, 99)")
	refuse("orders_item would not hold", none, "shop.item")
	unbound("DELETE FROM shop.orders WHERE id = 99")
	exec1(t, db, "DROP USER keeper")
	refuse("lacks: create it first", none, "shop.item")
	exec1(t, db, "CREATE USER keeper", "GRANT ALL ON *.* TO keeper", "CREATE TRIGGER shop.item_after BEFORE DELETE ON shop.many FOR EACH ROW SET @a = 1")
	refuse("has a trigger of that name", none, "shop.item")
	exec1(t, db, "DROP TRIGGER shop.item_after")
	ok(none, "shop.item")
	require.Equal(t, was, described(t, db, "shop"))
	require.Equal(t, customers, described(t, db, "crm"))

	exec1(t, db, "DELETE FROM shop.many WHERE id > 500", "UPDATE shop.many SET pad = 'later' WHERE id = 3")
	later := described(t, db, "shop")
	var gtid string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
	exec1(t, db, "DROP TABLE shop.many")
	run(t, "backup", "log", "--socket", s.Socket, "--to", place, "--once", "--quiet")
	scratch := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(scratch, "ember-restore", "spaces"), 0o755)) // what an interrupted run has left
	require.NoError(t, source.Stop())
	out := run(t, "restore", "--from", place, "--socket", s.Socket, "--quiet", "--tables=shop.many", "--to-gtid="+strings.ReplaceAll(gtid, "\n", ""), "--scratch="+scratch)
	require.Contains(t, out, "1 tables, 500 rows")
	require.Equal(t, later, described(t, db, "shop"))
	left, err := os.ReadDir(scratch)
	require.NoError(t, err)
	require.Empty(t, left)

	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
	behind := open(t, follower, "")
	var waited int
	require.NoError(t, behind.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 600)", gtid).Scan(&waited))
	require.Zero(t, waited, "the replica does not follow")
	for _, schema := range []string{"shop", "crm"} {
		there := described(t, behind, schema)
		for i := range there {
			there[i] = strings.Replace(there[i], "|REPLICA_SIDE_DISABLED|", "|DISABLED|", 1) // as MySQL's replicas have events
		}
		require.Equal(t, described(t, db, schema), there)
	}
	run(t, "check", "--socket", s.Socket, "--quiet")
}

// TestTablesKilled kills the restore, or the server that it restores into, at random moments: the
// tables are there or not, all of them, and the same command restores them afterwards.
func TestTablesKilled(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 12))
	s := emberd.Start(t, options...)
	db := open(t, s, "")
	shop(t, db)
	was := described(t, db, "shop")
	place := t.TempDir()
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	args := []string{"restore", "--from", place, "--socket", s.Socket, "--quiet", "--tables=shop.*", "--missing", "--scratch", t.TempDir(), "--json"}
	exec1(t, db, "DROP DATABASE shop")
	began := time.Now()
	run(t, args...)
	long := time.Since(began)
	for n := range 3 * *rounds {
		exec1(t, db, "DROP DATABASE shop")
		moment := time.Duration(rng.Int64N(int64(long)))
		if n%2 == 0 {
			killed(t, moment, args...)
		} else {
			ended := make(chan bool, 1)
			go func() {
				_, code := tool(t, args...)
				ended <- code == 0
			}()
			time.Sleep(moment)
			s.Kill()
			t.Logf("over before the server was killed: %v", <-ended)
			require.NoError(t, s.Launch())
			db = open(t, s, "")
		}
		there := column(t, db, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop' AND TABLE_TYPE = 'BASE TABLE' AND TABLE_NAME NOT LIKE '#ember-restore-%'")
		t.Logf("kill %d behind %v: %v", n, moment, there)
		require.Contains(t, []int{0, 4}, len(there), "%v", there)
		var told struct{ Tables []string }
		require.NoError(t, json.Unmarshal([]byte(run(t, args...)), &told))
		require.Len(t, told.Tables, 4-len(there))
		require.Equal(t, was, described(t, db, "shop"))
	}
	run(t, "check", "--socket", s.Socket, "--quiet")
}
