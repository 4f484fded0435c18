package sqllayer_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/sqllayer"
)

func TestStoredObjects(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v INT DEFAULT 7, w VARCHAR(10) DEFAULT 'x''y', ts DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, CHECK (v < 100))")
	c.exec("CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20))")
	c.exec("CREATE VIEW big AS SELECT id, v FROM t WHERE v > 5")
	c.exec("CREATE TRIGGER ti AFTER INSERT ON t FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('ins ', NEW.id))")
	c.exec("CREATE PROCEDURE p(IN a INT) BEGIN INSERT INTO t (id) VALUES (a); INSERT INTO t (id, v) VALUES (a + 1, 1); END")
	c.exec("CALL p(10)")
	c.exec("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM log")
	check := func() {
		t.Helper()
		c.query("SELECT id, v, w FROM t", "10,7,x'y", "11,1,x'y")
		c.query("SELECT * FROM big", "10,7")
		c.query("SELECT n, what FROM log", "1,ins 10", "2,ins 11")
		c.fails(3819, "INSERT INTO t (id, v) VALUES (1, 100)")
		c.query("SHOW TABLES", "big", "log", "t")
		require.Len(t, c.exec("SHOW TRIGGERS"), 1)
		require.Len(t, c.exec("SHOW CREATE PROCEDURE p"), 1)
		require.Len(t, c.exec("SHOW EVENTS"), 1)
		c.query("SELECT ts IS NULL FROM t WHERE id = 10", "0")
	}
	check()
	b.reopen()
	c = b.session()
	check()
	c.fails(1050, "CREATE TABLE t (id INT)")
	c.exec("CREATE TABLE IF NOT EXISTS t (id INT)")
	c.fails(1359, "CREATE TRIGGER ti AFTER INSERT ON t FOR EACH ROW INSERT INTO log (what) VALUES ('')")
	c.exec("DROP TRIGGER ti")
	c.exec("DROP VIEW big")
	c.exec("DROP PROCEDURE p")
	c.exec("DROP EVENT e")
	c.exec("DROP TABLE t, log")
	c.query("SHOW TABLES")
	c.exec("DROP DATABASE test")
	c.fails(1049, "SHOW TABLES FROM test")
}

// TestTriggerThatCannotBeRead: a statement does not run without a trigger whose text cannot be read.
// Statements of other tables do.
func TestTriggerThatCannotBeRead(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v INT)")
	c.exec("CREATE TABLE other (id INT PRIMARY KEY)")
	c.exec("CREATE TRIGGER ti BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 1")
	objects, err := b.eng.ListObjects(t.Context(), nil, catalog.KindTrigger, "test")
	require.NoError(t, err)
	require.Len(t, objects, 1)
	broken := objects[0]
	broken.Data = bytes.Replace(broken.Data, []byte("SET NEW.v = 1"), []byte("SET SET"), 1)
	require.NoError(t, b.eng.Do(func(tx *txn.Trx) error { return b.eng.PutObject(t.Context(), tx, broken) }))
	b.reopen()
	c = b.session()
	for _, statement := range []string{"INSERT INTO t VALUES (1, 2)", "REPLACE INTO t VALUES (1, 2)", "INSERT INTO t SELECT 1, 2 FROM (SELECT 1) d"} {
		c.fails(1064, statement)
	}
	c.query("SELECT COUNT(*) FROM t", "0")
	c.exec("INSERT INTO other VALUES (1)")
	c.exec("DROP TRIGGER ti")
	c.exec("INSERT INTO t VALUES (1, 2)")
	c.query("SELECT id, v FROM t", "1,2")
}

// TestTriggersWaitForTransactions: who has begun without a trigger goes on without it, and ends
// before it is there.
func TestTriggersWaitForTransactions(t *testing.T) {
	b := newBench(t)
	c, other := b.session(), b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v INT)")
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (1, 1)")
	other.exec("SET lock_wait_timeout = 1")
	other.fails(1205, "CREATE TRIGGER ti BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 7")
	c.exec("INSERT INTO t VALUES (2, 2)")
	c.exec("COMMIT")
	other.exec("CREATE TRIGGER ti BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 7")
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (3, 3)")
	other.fails(1205, "DROP TRIGGER ti")
	c.exec("INSERT INTO t VALUES (4, 4)")
	c.exec("COMMIT")
	other.exec("DROP TRIGGER ti")
	c.exec("INSERT INTO t VALUES (5, 5)")
	c.query("SELECT v FROM t ORDER BY id", "1", "2", "7", "7", "5")
}

func TestKeylessTables(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (a INT, b VARCHAR(5))")
	c.exec("INSERT INTO t VALUES (1,'x'),(1,'x'),(2,'y'),(NULL,NULL)")
	c.exec("DELETE FROM t WHERE a = 1 LIMIT 1")
	c.query("SELECT a, b FROM t ORDER BY a", "NULL,NULL", "1,x", "2,y")
	c.exec("UPDATE t SET b = 'z' WHERE a IS NULL")
	c.exec("UPDATE t SET a = a + 10 WHERE a > 0 ORDER BY a DESC")
	c.query("SELECT a, b FROM t ORDER BY a", "NULL,z", "11,x", "12,y")
	c.exec("INSERT INTO t SELECT * FROM t")
	c.query("SELECT COUNT(*) FROM t", "6")
	c.exec("DELETE FROM t")
	c.query("SELECT COUNT(*) FROM t", "0")
	c.exec("INSERT INTO t VALUES (1,'x')")
	c.exec("TRUNCATE t")
	c.query("SELECT COUNT(*) FROM t", "0")
}

func TestHalloween(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v INT)")
	c.exec("INSERT INTO t VALUES (1,1),(2,2),(3,3)")
	c.exec("UPDATE t SET id = id + 100")
	c.query("SELECT id, v FROM t", "101,1", "102,2", "103,3")
	c.exec("INSERT INTO t SELECT id + 1000, v FROM t")
	c.query("SELECT COUNT(*) FROM t", "6")
	c.exec("REPLACE INTO t SELECT id, v * 10 FROM t")
	c.query("SELECT SUM(v) FROM t", "120")
	c.exec("INSERT INTO t SELECT id, 5 FROM t ON DUPLICATE KEY UPDATE v = t.v + 5")
	c.query("SELECT SUM(v) FROM t", "150")
}

func TestDeleteIsNoTruncate(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY)")
	c.exec("INSERT INTO t VALUES (1),(2)")
	c.exec("BEGIN")
	c.exec("DELETE FROM t")
	c.query("SELECT COUNT(*) FROM t", "0")
	c.exec("ROLLBACK")
	c.query("SELECT COUNT(*) FROM t", "2")
	c.exec("BEGIN")
	c.exec("DELETE t FROM t")
	c.exec("ROLLBACK")
	c.query("SELECT COUNT(*) FROM t", "2")
	c.exec("PREPARE d FROM 'DELETE FROM t'")
	c.exec("BEGIN")
	c.exec("EXECUTE d")
	c.exec("ROLLBACK")
	c.query("SELECT COUNT(*) FROM t", "2")
}

func TestTemporaryTables(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY)")
	c.exec("INSERT INTO t VALUES (1)")
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (2)")
	c.exec("CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, v INT)")
	c.exec("INSERT INTO t VALUES (7,7)")
	c.query("SELECT id, v FROM t", "7,7")
	d.query("SELECT id FROM t", "1")
	c.exec("ROLLBACK")
	c.query("SELECT id FROM t")
	c.exec("INSERT INTO t VALUES (8,8)")
	c.exec("DROP TEMPORARY TABLE t")
	c.query("SELECT id FROM t", "1")
	c.exec("CREATE TEMPORARY TABLE u (id INT PRIMARY KEY)")
	d.fails(1146, "SELECT * FROM u")
	d.exec("CREATE TEMPORARY TABLE u (id VARCHAR(3))")
	d.exec("INSERT INTO u VALUES ('abc')")
	c.exec("START TRANSACTION READ ONLY")
	c.fails(1792, "INSERT INTO t VALUES (3)")
	c.exec("INSERT INTO u VALUES (1)")
	c.exec("COMMIT")
	c.close()
	c = b.session()
	c.fails(1146, "SELECT * FROM u")
	b.reopen() // d's table is left behind and swept
	d = b.session()
	d.fails(1146, "SELECT * FROM u")
	d.query("SHOW DATABASES", "information_schema", "test")
}

// What a trigger runs sees what its earlier runs in the same statement have changed; the statement
// itself does not.
func TestTriggersSeeTheStatement(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE a (i INT PRIMARY KEY, j INT)")
	c.exec("CREATE TABLE n (x INT)")
	c.exec("INSERT INTO n VALUES (1)")
	c.exec("CREATE TRIGGER t1 BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.j = (SELECT MAX(x) FROM n); UPDATE n SET x = x + 1; END")
	c.exec("INSERT INTO a (i) VALUES (1),(2),(3)")
	c.query("SELECT * FROM a", "1,1", "2,2", "3,3")
	c.exec("INSERT INTO a (i) SELECT i + 3 FROM a")
	c.query("SELECT * FROM a WHERE i > 3", "4,4", "5,5", "6,6")
	c.fails(1062, "INSERT INTO a (i) VALUES (7),(1)")
	c.query("SELECT x FROM n", "7")
	c.exec("CREATE TRIGGER t2 AFTER UPDATE ON a FOR EACH ROW BEGIN IF NEW.i > 10 THEN UPDATE n SET x = x + 10; END IF; END")
	c.exec("UPDATE a SET i = i + 10 WHERE i <= 2")
	c.query("SELECT x FROM n", "27")
	c.exec("CREATE PROCEDURE p() DELETE FROM n WHERE x > 100")
	c.exec("CREATE TRIGGER t3 BEFORE DELETE ON n FOR EACH ROW SET @gone = OLD.x")
	c.exec("CREATE TRIGGER t4 AFTER DELETE ON a FOR EACH ROW CALL p()")
	c.exec("DELETE FROM a WHERE i > 10")
	c.query("SELECT x FROM n", "27")
	b.check()
}

// The statements of a procedure commit on their own; its cursors outlive them.
func TestProcedureCursors(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (a INT PRIMARY KEY)")
	c.exec("CREATE TABLE s (a INT PRIMARY KEY)")
	c.exec("INSERT INTO t VALUES (1),(2),(3)")
	c.exec(`CREATE PROCEDURE p() BEGIN
		DECLARE v INT;
		DECLARE c CURSOR FOR SELECT a FROM t;
		DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END;
		OPEN c;
		l: LOOP
			FETCH c INTO v;
			INSERT INTO s VALUES (v * 10);
			INSERT INTO t VALUES (v + 10);
		END LOOP;
	END`)
	c.exec("CALL p()")
	c.query("SELECT a FROM s", "10", "20", "30")
	c.query("SELECT COUNT(*) FROM t", "6")
}

// TestEventsOfSource: an event that comes by replication is the source's to run, until somebody
// enables it here.
func TestEventsOfSource(t *testing.T) {
	b := newBench(t)
	c := b.session()
	state := "SELECT status FROM information_schema.events"
	c.s.SetPlace("place", []byte("{}"))
	c.exec("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SET @a = 1")
	c.query(state, "REPLICA_SIDE_DISABLED")
	c.exec("ALTER EVENT e ENABLE")
	c.query(state, "ENABLED")
	c.s.SetPlace("place", []byte("{}"))
	c.exec("ALTER EVENT e COMMENT 'x'")
	c.query(state, "REPLICA_SIDE_DISABLED")
}

// TestPlaceOfAnAccount: the place behind a statement about accounts is stored with it.
func TestPlaceOfAnAccount(t *testing.T) {
	b := newBench(t)
	s := b.session().s
	s.SetPlace("place", []byte(`{"at": 1}`))
	ctx := sql.NewContext(context.Background(), sql.WithSession(s))
	require.NoError(t, sqllayer.PersistLogged(sqllayer.WithLog(ctx), s.Layer().StorageEngine(), "accounts", "key", []byte("value")))
	place, err := s.Layer().StorageEngine().GetKV(ctx, nil, sqllayer.ReplicaSpace, "place")
	require.NoError(t, err)
	require.JSONEq(t, `{"at": 1}`, string(place))
}
