package sqllayer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/sqllayer/sqlerr"
)

// later runs a statement in the background and gives its outcome.
func (c *conn) later(query string) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := c.run(context.Background(), query)
		done <- err
	}()
	return done
}

// waits checks that a statement is waiting for a lock.
func (b *bench) waits(c *conn, done chan error) {
	b.t.Helper()
	testkit.Eventually(b.t, func() bool {
		for _, info := range b.eng.Locks().Snapshot() {
			if !info.Granted && info.Thread == uint64(c.s.ID()) {
				return true
			}
		}
		return false
	})
	select {
	case err := <-done:
		b.t.Fatalf("did not wait: %v", err)
	default:
	}
}

func newLockBench(t *testing.T) (b *bench, c, d *conn) {
	b = newBench(t)
	c, d = b.session(), b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v INT)")
	c.exec("INSERT INTO t VALUES (1,1),(2,2),(3,3),(5,5)")
	d.exec("SET innodb_lock_wait_timeout = 1")
	return b, c, d
}

func TestLockingReads(t *testing.T) {
	b, c, d := newLockBench(t)
	for _, lock := range []string{"FOR UPDATE", "FOR SHARE", "LOCK IN SHARE MODE", "for share of t", "FOR UPDATE OF x"} {
		from := "t"
		if lock == "FOR UPDATE OF x" {
			from = "t AS x"
		}
		c.exec("BEGIN")
		c.query("SELECT v FROM "+from+" WHERE id = 2 "+lock, "2")
		done := d.later("UPDATE t SET v = v WHERE id = 2")
		b.waits(d, done)
		c.exec("COMMIT")
		require.NoError(t, <-done, lock)
	}
	c.exec("BEGIN")
	c.query("SELECT v FROM t WHERE id = 2 FOR SHARE", "2")
	d.query("SELECT v FROM t WHERE id = 2 FOR SHARE", "2")
	d.fails(3572, "SELECT v FROM t WHERE id = 2 FOR UPDATE NOWAIT")
	d.query("SELECT id FROM t WHERE id < 4 FOR UPDATE SKIP LOCKED", "1", "3")
	d.query("SELECT id FROM t WHERE id IN (SELECT 2) LOCK IN SHARE MODE", "2")
	d.fails(1205, "UPDATE t SET v = 0 WHERE id = 2")
	c.exec("COMMIT")
	c.fails(1064, "SELECT * FROM t AS OF 'x'")
	c.fails(3568, "SELECT * FROM t FOR UPDATE OF u")
}

func TestStatementLocks(t *testing.T) {
	_, c, d := newLockBench(t)
	c.exec("CREATE TABLE u (id INT PRIMARY KEY, v INT)")
	c.exec("BEGIN")
	c.exec("INSERT INTO u SELECT id, v FROM t WHERE id = 1")
	d.fails(1205, "UPDATE t SET v = 9 WHERE id = 1")
	d.exec("UPDATE t SET v = 9 WHERE id = 5")
	c.exec("COMMIT")
	c.exec("SET transaction_isolation = 'READ-COMMITTED'")
	c.exec("BEGIN")
	c.exec("INSERT INTO u SELECT id, v FROM t WHERE id = 2")
	d.exec("UPDATE t SET v = 9 WHERE id = 2")
	c.exec("UPDATE t SET v = 8 WHERE v = 3")
	d.exec("UPDATE t SET v = 7 WHERE id = 5")
	d.fails(1205, "UPDATE t SET v = 9 WHERE id = 3")
	c.exec("COMMIT")
	d.exec("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE")
	d.exec("BEGIN")
	d.query("SELECT v FROM t WHERE id = 1", "1")
	c.exec("SET innodb_lock_wait_timeout = 1")
	c.fails(1205, "UPDATE t SET v = 1 WHERE id = 1")
	d.exec("COMMIT")
}

func TestDeadlock(t *testing.T) {
	b, c, d := newLockBench(t)
	c.exec("BEGIN")
	c.exec("UPDATE t SET v = 10 WHERE id IN (1, 2)")
	d.exec("BEGIN")
	d.exec("UPDATE t SET v = 20 WHERE id = 3")
	done := d.later("UPDATE t SET v = 20 WHERE id = 1")
	b.waits(d, done)
	_, err := c.run(context.Background(), "UPDATE t SET v = 10 WHERE id = 3")
	other := <-done
	// One of them is the victim: its transaction is gone, the other's goes on.
	victim := c
	if err == nil {
		victim, err = d, other
	} else {
		require.NoError(t, other)
	}
	require.Equal(t, 1213, sqlerr.Translate(err, "").Num)
	require.False(t, victim.s.Transaction().Active)
	require.False(t, victim.s.GetIgnoreAutoCommit())
	c.exec("ROLLBACK")
	d.exec("ROLLBACK")
	c.query("SELECT id, v FROM t", "1,1", "2,2", "3,3", "5,5")
}

func TestKill(t *testing.T) {
	b, c, d := newLockBench(t)
	c.exec("BEGIN")
	c.exec("UPDATE t SET v = 0 WHERE id = 5")
	d.exec("BEGIN")
	d.exec("INSERT INTO t VALUES (9,9)")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := d.run(ctx, "UPDATE t SET v = v + 1")
		done <- err
	}()
	b.waits(d, done)
	cancel()
	require.Equal(t, 1317, sqlerr.Translate(<-done, "").Num)
	d.query("SELECT id, v FROM t", "1,1", "2,2", "3,3", "5,5", "9,9")
	d.exec("COMMIT")
	c.exec("COMMIT")
	c.query("SELECT id, v FROM t", "1,1", "2,2", "3,3", "5,0", "9,9")
}

func TestIsolation(t *testing.T) {
	_, c, d := newLockBench(t)
	c.exec("START TRANSACTION WITH CONSISTENT SNAPSHOT")
	d.exec("UPDATE t SET v = 100 WHERE id = 1")
	c.query("SELECT v FROM t WHERE id = 1", "1")
	c.exec("COMMIT")
	c.exec("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
	d.exec("UPDATE t SET v = 101 WHERE id = 1")
	c.query("SELECT v FROM t WHERE id = 1", "100")
	c.fails(1792, "UPDATE t SET v = 1")
	c.exec("COMMIT")

	c.exec("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
	c.exec("BEGIN")
	c.query("SELECT v FROM t WHERE id = 1", "101")
	d.exec("UPDATE t SET v = 102 WHERE id = 1")
	c.query("SELECT v FROM t WHERE id = 1", "102")
	c.exec("COMMIT")
	c.exec("BEGIN")
	c.query("SELECT v FROM t WHERE id = 1", "102")
	d.exec("UPDATE t SET v = 103 WHERE id = 1")
	c.query("SELECT v FROM t WHERE id = 1", "102")
	c.exec("COMMIT")

	c.exec("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
	d.exec("BEGIN")
	d.exec("UPDATE t SET v = 104 WHERE id = 1")
	c.query("SELECT v FROM t WHERE id = 1", "104")
	d.exec("ROLLBACK")
	c.query("SELECT v FROM t WHERE id = 1", "103")
	c.exec("SET TRANSACTION READ ONLY")
	c.exec("BEGIN")
	c.fails(1792, "UPDATE t SET v = 1")
	c.exec("ROLLBACK")
	c.exec("UPDATE t SET v = 1 WHERE id = 1")
}

func TestLeftovers(t *testing.T) {
	b, c, d := newLockBench(t)
	// A failed statement in autocommit mode leaves nothing that the next one could commit.
	c.fails(1062, "INSERT INTO t VALUES (10,10),(1,1)")
	c.query("SELECT COUNT(*) FROM t", "4")
	require.False(t, c.s.Transaction().Active)
	// Nor do a statement that cannot be planned, and a connection that ends.
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (10,10)")
	c.fails(1054, "SELECT nothing FROM t")
	c.fails(1146, "SELECT * FROM missing")
	c.query("SELECT COUNT(*) FROM t", "5")
	c.close()
	d.exec("INSERT INTO t VALUES (10,11)")
	d.query("SELECT v FROM t WHERE id = 10", "11")
	require.Empty(t, b.eng.Locks().Snapshot())
	c = b.session()
	c.exec("SET autocommit = 0")
	c.exec("DELETE FROM t WHERE id = 10")
	d.query("SELECT COUNT(*) FROM t", "5")
	c.exec("SET autocommit = 1")
	d.query("SELECT COUNT(*) FROM t", "4")
	c.exec("INSERT IGNORE INTO t VALUES (1,99),(11,11)")
	c.query("SELECT id, v FROM t WHERE id IN (1,11)", "1,1", "11,11")
}

func TestImplicitCommit(t *testing.T) {
	_, c, d := newLockBench(t)
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (10,10)")
	c.exec("CREATE TABLE u (id INT PRIMARY KEY)")
	d.query("SELECT v FROM t WHERE id = 10", "10")
	c.exec("INSERT INTO u VALUES (1)")
	d.query("SELECT id FROM u", "1")
	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (12,12)")
	c.fails(1050, "CREATE TABLE u (id INT)")
	c.exec("ROLLBACK")
	c.exec("INSERT INTO u VALUES (2)")
	d.query("SELECT COUNT(*) FROM u", "2")
}

func TestLockTables(t *testing.T) {
	b, c, d := newLockBench(t)
	c.exec("CREATE TABLE u (id INT PRIMARY KEY)")
	c.exec("LOCK TABLES t READ")
	c.query("SELECT COUNT(*) FROM t", "4")
	c.fails(1099, "INSERT INTO t VALUES (20,20)")
	c.fails(1100, "SELECT * FROM u")
	d.query("SELECT COUNT(*) FROM t", "4")
	done := d.later("INSERT INTO t VALUES (21,21)")
	b.waits(d, done)
	c.exec("LOCK TABLES t WRITE, u READ")
	require.NoError(t, <-done)
	c.exec("INSERT INTO t VALUES (22,22)")
	done = d.later("SELECT COUNT(*) FROM t")
	b.waits(d, done)
	c.exec("UNLOCK TABLES")
	require.NoError(t, <-done)
	d.query("SELECT COUNT(*) FROM t", "6")
}

func TestQueuePattern(t *testing.T) {
	_, c, d := newLockBench(t)
	c.exec("BEGIN")
	c.exec("UPDATE t SET v = 50 ORDER BY id LIMIT 1")
	d.exec("UPDATE t SET v = 60 WHERE id = 2")
	d.fails(1205, "UPDATE t SET v = 60 WHERE id = 1")
	c.exec("DELETE FROM t ORDER BY id DESC LIMIT 1")
	d.exec("UPDATE t SET v = 61 WHERE id = 3")
	d.query("SELECT id FROM t ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "2")
	c.exec("COMMIT")
	c.query("SELECT id, v FROM t", "1,50", "2,60", "3,61")
}

func TestMetadataLockTimeout(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE t (a INT PRIMARY KEY)")
	c.exec("BEGIN")
	c.query("SELECT * FROM t")
	d.exec("SET lock_wait_timeout = 1")
	d.fails(1205, "ALTER TABLE t ADD COLUMN b INT")
	d.fails(1205, "DROP TABLE t")
	c.exec("COMMIT")
	d.exec("ALTER TABLE t ADD COLUMN b INT")
	d.exec("INSERT INTO t VALUES (1, 2)")
	c.query("SELECT * FROM t", "1,2")
}

// A transaction that a deadlock has taken is not forgotten where who met it passes over the error:
// the rest of the command would go on without one.
func TestLostTransactionIsTold(t *testing.T) {
	_, c, _ := newLockBench(t)
	passOver := func() {
		c.s.Mu.Lock()
		defer c.s.Mu.Unlock()
		_ = c.s.Note(base.ErrDeadlock)
	}
	begin := func() {
		c.exec("BEGIN")
		c.exec("INSERT INTO t VALUES (10, 10)")
		require.NoError(t, c.s.Lost())
	}
	begin()
	require.NoError(t, c.s.CommandBegin())
	passOver()
	require.ErrorContains(t, c.s.Lost(), "Deadlock")
	c.s.FinishStatement(c.s.Lost())
	c.s.CommandEnd()
	require.NoError(t, c.s.Lost(), "the next command has nothing to do with it")
	c.query("SELECT COUNT(*) FROM t", "4")

	begin()
	require.True(t, c.s.BeginDirect())
	c.s.Mu.Unlock()
	passOver()
	c.s.Mu.Lock()
	require.ErrorContains(t, c.s.FinishDirect(context.Background(), nil), "Deadlock")
	c.query("SELECT COUNT(*) FROM t", "4")
}
