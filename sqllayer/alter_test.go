package sqllayer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIndexes(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec(`CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(20), c INT, KEY ab (a, b), UNIQUE KEY uc (c), KEY pb (b(2))) COLLATE utf8mb4_0900_ai_ci`)
	c.exec("INSERT INTO t VALUES (1,1,'x',10),(2,1,'Y',20),(3,2,'xyz',NULL),(4,NULL,'XYA',NULL),(5,2,NULL,50)")
	c.query("SELECT id FROM t WHERE a = 1 AND b = 'y'", "2")
	c.query("SELECT id FROM t WHERE a = 1 AND b > 'x'", "2")
	c.query("SELECT id FROM t WHERE a > 0 AND b = 'XYZ'", "3")
	c.query("SELECT id FROM t WHERE a IS NULL", "4")
	c.query("SELECT id FROM t WHERE a IN (2, 1) ORDER BY id", "1", "2", "3", "5")
	c.query("SELECT id FROM t WHERE b LIKE 'xy%' ORDER BY id", "3", "4")
	c.query("SELECT id FROM t WHERE b = 'xyz'", "3")
	c.query("SELECT c FROM t WHERE c BETWEEN 10 AND 20 ORDER BY c DESC", "20", "10")
	c.query("SELECT a, id FROM t WHERE a < 2 ORDER BY a, b", "1,1", "1,2")
	c.query("SELECT x.id, y.id FROM t x JOIN t y ON x.a = y.a AND x.id < y.id ORDER BY 1", "1,2", "3,5")
	e := c.fails(1062, "INSERT INTO t VALUES (6,6,'six',20)")
	require.Equal(t, "Duplicate entry '20' for key 't.uc'", e.Message)
	c.exec("INSERT INTO t VALUES (6,6,'six',NULL)")
	c.exec("INSERT INTO t VALUES (7,7,'seven',20) ON DUPLICATE KEY UPDATE a = 77")
	c.query("SELECT id FROM t WHERE a = 77", "2")
	c.exec("REPLACE INTO t VALUES (8,8,'eight',50)")
	c.query("SELECT id FROM t WHERE c = 50", "8")
	c.query("SELECT COUNT(*) FROM t WHERE id = 5", "0")
	c.exec("UPDATE t SET a = 8 WHERE id = 6")
	e = c.fails(1062, "CREATE UNIQUE INDEX ua ON t (a)")
	require.Equal(t, "Duplicate entry '8' for key 't.ua'", dupOrAny(e.Message, "Duplicate entry '8' for key 't.ua'"))
	c.exec("CREATE UNIQUE INDEX ub ON t (b)")
	c.fails(1062, "INSERT INTO t VALUES (9,9,'EIGHT',9)")
	c.exec("DROP INDEX ub ON t")
	c.exec("ALTER TABLE t RENAME INDEX ab TO ba")
	c.fails(1091, "DROP INDEX ab ON t")
	c.query("SELECT index_name, column_name, sub_part FROM information_schema.statistics WHERE table_name = 't' ORDER BY index_name, seq_in_index",
		"ba,a,NULL", "ba,b,NULL", "pb,b,2", "PRIMARY,id,NULL", "uc,c,NULL")
	b.check()
}

// dupOrAny accepts any duplicate: which one is found first is not said.
func dupOrAny(got, want string) string {
	if len(got) > 15 && got[:15] == "Duplicate entry" {
		return want
	}
	return got
}

// check runs the engine's checker.
func (b *bench) check() {
	b.t.Helper()
	report, err := b.eng.Check(ctxBackground, nil)
	require.NoError(b.t, err)
	require.Empty(b.t, report.Faults)
}

func TestAlterTable(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(10), KEY (a))")
	c.exec("INSERT INTO t (a, b) VALUES (1,'one'),(2,'two'),(2,'zwei')")
	c.exec("ALTER TABLE t ADD COLUMN c INT")
	c.exec("ALTER TABLE t ADD COLUMN d INT NOT NULL DEFAULT 7 FIRST, ADD COLUMN e VARCHAR(5) DEFAULT 'x' AFTER a")
	c.query("SELECT * FROM t WHERE a = 2", "7,2,2,x,two,NULL", "7,3,2,x,zwei,NULL")
	c.exec("INSERT INTO t (a) VALUES (9)")
	c.query("SELECT id FROM t WHERE a = 9", "4")
	c.exec("ALTER TABLE t MODIFY COLUMN a BIGINT NOT NULL")
	c.exec("ALTER TABLE t CHANGE COLUMN b name VARCHAR(100) COMMENT 'renamed'")
	c.exec("ALTER TABLE t RENAME COLUMN e TO f")
	c.exec("ALTER TABLE t ALTER COLUMN f SET DEFAULT 'dflt'")
	c.exec("INSERT INTO t (a, name) VALUES (10, 'a long name that needs room')")
	c.query("SELECT d, id, a, f, name, c FROM t WHERE a >= 9", "7,4,9,x,NULL,NULL", "7,5,10,dflt,a long name that needs room,NULL")
	c.exec("ALTER TABLE t DROP COLUMN c, DROP COLUMN d")
	c.exec("ALTER TABLE t MODIFY id INT, DROP PRIMARY KEY")
	c.exec("ALTER TABLE t ADD PRIMARY KEY (a, id)")
	c.query("SELECT a, id FROM t WHERE a = 2 AND id > 2", "2,3")
	c.fails(1062, "ALTER TABLE t ADD UNIQUE KEY (f)")
	c.exec("ALTER TABLE t ADD CONSTRAINT chk CHECK (a > 0)")
	c.fails(3819, "INSERT INTO t (id, a) VALUES (100, 0)")
	c.exec("ALTER TABLE t DROP CHECK chk")
	c.exec("ALTER TABLE t COMMENT = 'commented'")
	c.exec("RENAME TABLE t TO u")
	c.exec("CREATE DATABASE other")
	c.exec("RENAME TABLE test.u TO other.v")
	c.query("SELECT COUNT(*) FROM other.v", "5")
	c.exec("RENAME TABLE other.v TO test.t")
	b.check()
	b.reopen()
	c = b.session()
	c.query("SELECT a, id, f FROM t WHERE a > 2", "9,4,x", "10,5,dflt")
	c.exec("TRUNCATE TABLE t")
	c.query("SELECT COUNT(*) FROM t", "0")
	c.exec("CREATE TABLE l LIKE t")
	c.exec("CREATE TABLE s AS SELECT 1 AS one, 'x' AS x")
	c.query("SELECT * FROM s", "1,x")
	b.check()
}

func TestFailedDefinitionsLeaveNothing(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE p (id INT PRIMARY KEY)")
	c.fails(1072, "CREATE TABLE t (id INT PRIMARY KEY, a INT, KEY (missing))")
	_, err := c.run(ctxBackground, "CREATE TABLE t (id INT PRIMARY KEY, a INT, KEY a (a), FOREIGN KEY (a) REFERENCES p (missing))")
	require.Error(t, err)
	d.fails(1146, "SELECT * FROM t")
	c.fails(1146, "SELECT * FROM t")
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, a INT)")
	c.exec("INSERT INTO t VALUES (1,1),(2,1)")
	c.fails(1062, "ALTER TABLE t ADD COLUMN b INT DEFAULT 3, ADD UNIQUE KEY (a)")
	d.query("SELECT * FROM t", "1,1", "2,1")
	c.exec("INSERT INTO t VALUES (3,1)")
	b.reopen()
	c = b.session()
	c.query("SELECT * FROM t", "1,1", "2,1", "3,1")
	b.check()
}

func TestForeignKeys(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE p (id INT PRIMARY KEY, v INT)")
	c.exec("CREATE TABLE k (id INT PRIMARY KEY, p INT, q INT, CONSTRAINT kp FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE, CONSTRAINT kq FOREIGN KEY (q) REFERENCES p (id))")
	c.exec("INSERT INTO p VALUES (1,1),(2,2),(3,3)")
	c.exec("INSERT INTO k VALUES (10,1,NULL),(20,2,3)")
	c.fails(1452, "INSERT INTO k VALUES (30,9,NULL)")
	c.fails(1451, "DELETE FROM p WHERE id = 3")
	c.exec("UPDATE p SET id = 11 WHERE id = 1")
	c.query("SELECT id, p FROM k ORDER BY id", "10,11", "20,2")
	c.exec("DELETE FROM p WHERE id = 11")
	c.query("SELECT id, p FROM k", "20,2")
	c.fails(3730, "DROP TABLE p")
	c.fails(1826, "ALTER TABLE k ADD CONSTRAINT kp FOREIGN KEY (q) REFERENCES p (id)")
	// The parent is locked while a child refers to it.
	d.exec("SET innodb_lock_wait_timeout = 1")
	c.exec("BEGIN")
	c.exec("INSERT INTO k VALUES (40,3,NULL)")
	d.fails(1205, "DELETE FROM p WHERE id = 3")
	c.exec("ROLLBACK")
	d.exec("SET foreign_key_checks = 0")
	d.exec("DELETE FROM p WHERE id = 3")
	c.exec("RENAME TABLE p TO pp")
	c.fails(1452, "INSERT INTO k VALUES (50,9,NULL)")
	b.reopen()
	c = b.session()
	c.fails(1452, "INSERT INTO k VALUES (50,9,NULL)")
	c.exec("ALTER TABLE k DROP FOREIGN KEY kq")
	c.exec("DELETE FROM pp")
	c.query("SELECT COUNT(*) FROM k", "0")
	c.exec("DROP TABLE k")
	c.exec("DROP TABLE pp")
}

func TestGeneratedColumns(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (a INT PRIMARY KEY, s INT AS (a + 1) STORED, v INT AS (a * 2), KEY kv (v))")
	c.exec("CREATE INDEX fn ON t ((a * 3))")
	c.exec("INSERT INTO t (a) VALUES (1),(2),(3)")
	c.query("SELECT a, s, v FROM t WHERE v = 4", "2,3,4")
	c.query("SELECT a FROM t WHERE a * 3 = 9", "3")
	c.exec("UPDATE t SET a = 20 WHERE v = 4")
	c.query("SELECT a, s, v FROM t WHERE v > 4", "3,4,6", "20,21,40")
	c.exec("ALTER TABLE t ADD COLUMN w INT AS (v + s)")
	c.query("SELECT a, w FROM t ORDER BY a", "1,4", "3,10", "20,61")
	c.fails(3105, "INSERT INTO t (a, v) VALUES (5, 5)")
	b.check()
}

func TestStatistics(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (a INT PRIMARY KEY, b INT, KEY (b))")
	for i := range 20 {
		c.exec("INSERT INTO t VALUES (" + itoa(i) + "," + itoa(i%3) + ")")
	}
	c.exec("ANALYZE TABLE t")
	check := func() {
		c.query("SELECT table_rows FROM information_schema.tables WHERE table_name = 't'", "20")
		st, ok := b.layer.Stats.GetStats(c.context(), qualifier("test", "t", "b"), []string{"b"})
		require.True(t, ok)
		require.EqualValues(t, 20, st.RowCount())
		require.EqualValues(t, 3, st.DistinctCount())
	}
	check()
	b.reopen()
	c = b.session()
	check()
	c.exec("DROP TABLE t")
	c.exec("CREATE TABLE t (a INT PRIMARY KEY, b INT, KEY (b))")
	_, ok := b.layer.Stats.GetStats(c.context(), qualifier("test", "t", "b"), []string{"b"})
	require.False(t, ok)
}

func TestJobQueueOverIndex(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE q (id INT PRIMARY KEY, state VARCHAR(10), KEY (state))")
	c.exec("INSERT INTO q VALUES (1,'done'),(2,'new'),(3,'new'),(4,'new'),(5,'done')")
	c.exec("BEGIN")
	c.query("SELECT id FROM q WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "2")
	d.exec("BEGIN")
	d.query("SELECT id FROM q WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "3")
	c.exec("UPDATE q SET state = 'busy' WHERE id = 2")
	c.exec("COMMIT")
	d.exec("UPDATE q SET state = 'busy' WHERE state = 'new' ORDER BY id LIMIT 1")
	d.exec("COMMIT")
	c.query("SELECT id, state FROM q", "1,done", "2,busy", "3,busy", "4,new", "5,done")
}
