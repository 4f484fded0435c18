package replication

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// pair is a source with a server of this build that follows it.
type pair struct {
	t             *testing.T
	source, there *emberd.Server
	s, r          *sql.DB
	replica       *replica
}

func newPair(t *testing.T, args ...string) *pair {
	t.Helper()
	p := &pair{t: t, source: emberd.Start(t, options...), there: emberd.Start(t, append([]string{"--log-bin=binlog", "--gtid-mode=ON",
		"--enforce-gtid-consistency=ON", "--server-id=6", "--innodb-buffer-pool-size=128M", "--innodb-redo-log-capacity=128M"}, args...)...)}
	p.s, p.r = p.source.Open(""), p.there.Open("")
	t.Cleanup(func() { p.s.Close(); p.r.Close() })
	p.replica = &replica{name: "ember", byGTID: true, ember: true, open: func() *sql.DB { return p.there.Open("") }}
	p.replica.follow(t, p.source.Port, "")
	return p
}

func (p *pair) at(db *sql.DB, queries ...string) {
	p.t.Helper()
	for _, q := range queries {
		_, err := db.Exec(q)
		require.NoError(p.t, err, q)
	}
}

// count is a number that the replica tells.
func (p *pair) count(q string) (n int) {
	p.t.Helper()
	require.NoError(p.t, p.r.QueryRow(q).Scan(&n), q)
	return n
}

// state waits until a column of SHOW REPLICA STATUS has a value.
func (p *pair) state(column, value string) {
	p.t.Helper()
	testkit.Eventually(p.t, func() bool { return p.replica.status(p.t, p.r)[column] == value }, column+" is "+value)
}

// received waits until the relay log has all of the source's transactions.
func (p *pair) received() {
	p.t.Helper()
	var set string
	require.NoError(p.t, p.s.QueryRow("SELECT @@gtid_executed").Scan(&set))
	testkit.Eventually(p.t, func() bool {
		return p.count("SELECT GTID_SUBSET('"+set+"', '"+p.replica.status(p.t, p.r)["Retrieved_Gtid_Set"]+"')") == 1
	}, "the relay log has "+set)
}

// TestReplicaThreads starts and stops receiver and applier by themselves.
func TestReplicaThreads(t *testing.T) {
	p := newPair(t)
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)")
	p.replica.wait(t, p.s)
	p.at(p.r, "STOP REPLICA SQL_THREAD")
	for i := range 5 {
		p.at(p.s, fmt.Sprintf("INSERT INTO d.t VALUES (%d)", i))
	}
	p.received()
	require.Zero(t, p.count("SELECT COUNT(*) FROM d.t"))
	require.Positive(t, p.count("SELECT COUNT(*) FROM performance_schema.replication_connection_status WHERE SERVICE_STATE = 'ON'"))
	var uuid string
	require.NoError(t, p.s.QueryRow("SELECT @@server_uuid").Scan(&uuid))

	p.at(p.r, "START REPLICA SQL_THREAD UNTIL SQL_BEFORE_GTIDS = '"+uuid+":5'")
	p.state("Replica_SQL_Running", "No")
	require.Equal(t, 2, p.count("SELECT COUNT(*) FROM d.t"))
	p.at(p.r, "START REPLICA SQL_THREAD UNTIL SQL_AFTER_GTIDS = '"+uuid+":5'")
	p.state("Replica_SQL_Running", "No")
	require.Equal(t, 3, p.count("SELECT COUNT(*) FROM d.t"))
	st := p.replica.status(t, p.r)
	p.at(p.r, fmt.Sprintf("START REPLICA UNTIL SOURCE_LOG_FILE = '%s', SOURCE_LOG_POS = %s", st["Relay_Source_Log_File"], st["Exec_Source_Log_Pos"]))
	p.state("Replica_SQL_Running", "No")
	require.Equal(t, 3, p.count("SELECT COUNT(*) FROM d.t"))

	p.at(p.r, "STOP REPLICA IO_THREAD", "START REPLICA SQL_THREAD")
	p.at(p.s, "INSERT INTO d.t VALUES (100)")
	testkit.Eventually(t, func() bool { return p.count("SELECT COUNT(*) FROM d.t") == 5 }, "what was received is applied")
	require.Equal(t, "No", p.replica.status(t, p.r)["Replica_IO_Running"])
	p.at(p.r, "START REPLICA IO_THREAD")
	p.replica.sameAs(t, p.s)

	p.at(p.r, "STOP REPLICA", "RESET REPLICA", "START REPLICA") // everything is sent again, and passes by its GTID
	p.at(p.s, "INSERT INTO d.t VALUES (101)")
	p.replica.sameAs(t, p.s)
}

// TestReplicaErrors meets rows that are there already, tells which transaction it was, and goes on.
func TestReplicaErrors(t *testing.T) {
	p := newPair(t)
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
	p.replica.wait(t, p.s)
	conn := p.there.Open("")
	defer conn.Close()
	conn.SetMaxOpenConns(1)
	p.at(conn, "SET sql_log_bin = 0", "INSERT INTO d.t VALUES (1, 1)")
	p.at(p.s, "INSERT INTO d.t VALUES (1, 2)")
	p.state("Replica_SQL_Running", "No")
	st := p.replica.status(t, p.r)
	require.Equal(t, "1062", st["Last_SQL_Errno"])
	require.Contains(t, st["Last_SQL_Error"], " failed executing transaction '")
	require.Equal(t, "Yes", st["Replica_IO_Running"])
	require.Equal(t, 1, p.count("SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER = 1062 AND "+
		"LAST_ERROR_MESSAGE LIKE '%Could not execute Write_rows event on table d.t; Duplicate entry ''1'' for key ''t.PRIMARY'', Error_code: 1062; handler error HA_ERR_FOUND_DUPP_KEY;%'"))
	p.at(conn, "DELETE FROM d.t", "SET GLOBAL replica_exec_mode = 'IDEMPOTENT'", "INSERT INTO d.t VALUES (1, 3)", "START REPLICA SQL_THREAD")
	p.replica.sameAs(t, p.s)
	p.at(conn, "DELETE FROM d.t")
	p.at(p.s, "UPDATE d.t SET b = 5", "DELETE FROM d.t", "INSERT INTO d.t VALUES (2, 2)")
	p.replica.sameAs(t, p.s)
}

// TestReplicaOfBranches applies branches of distributed transactions, also when the replica is
// killed between their parts.
func TestReplicaOfBranches(t *testing.T) {
	p := newPair(t)
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)")
	branch := func(name string, row int, ends ...string) {
		conn := p.source.Open("")
		defer conn.Close()
		conn.SetMaxOpenConns(1)
		p.at(conn, "XA START "+name, fmt.Sprintf("INSERT INTO d.t VALUES (%d)", row), "XA END "+name)
		p.at(conn, ends...)
	}
	branch("'a'", 1, "XA PREPARE 'a'")
	branch("'b','x',7", 2, "XA PREPARE 'b','x',7", "XA ROLLBACK 'b','x',7")
	branch("'c'", 3, "XA COMMIT 'c' ONE PHASE")
	p.replica.wait(t, p.s)
	require.Equal(t, 1, p.count("SELECT COUNT(*) FROM d.t"))
	p.there.Kill()
	require.NoError(t, p.there.Launch())
	p.at(p.s, "XA COMMIT 'a'")
	p.replica.sameAs(t, p.s)
	require.Equal(t, 2, p.count("SELECT COUNT(*) FROM d.t"))
}

// TestReplicaIsKilled kills a replica with several workers while clients write the same rows, with
// deadlocks among them.
func TestReplicaIsKilled(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	p := newPair(t, "--replica-parallel-workers=6", "--max-relay-log-size=4096")
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, n INT, u INT, UNIQUE (u), KEY (n))", "CREATE TABLE d.log (id INT AUTO_INCREMENT PRIMARY KEY, c INT)")
	p.replica.wait(t, p.s)
	var all sync.WaitGroup
	for c := range 4 {
		rnd := rand.New(rand.NewPCG(seed, uint64(c)))
		all.Go(func() {
			db := p.source.Open("")
			defer db.Close()
			for range 300 {
				tx, err := db.Begin()
				if err != nil {
					t.Error(err)
					return
				}
				for range 1 + rnd.IntN(3) {
					a := rnd.IntN(40)
					q := []string{fmt.Sprintf("UPDATE d.t SET n = n + 1 WHERE a = %d", a), fmt.Sprintf("REPLACE INTO d.t VALUES (%d, %d, %d)", a, rnd.IntN(9), rnd.IntN(60)),
						fmt.Sprintf("DELETE FROM d.t WHERE a = %d", a), fmt.Sprintf("INSERT INTO d.log (c) VALUES (%d)", c)}[rnd.IntN(4)]
					if _, err = tx.Exec(q); err != nil {
						break // a deadlock
					}
				}
				if err != nil {
					_ = tx.Rollback()
				} else if err := tx.Commit(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	rnd := rand.New(rand.NewPCG(seed, 99))
	for range 8 {
		want := p.count("SELECT COUNT(*) FROM d.log") + rnd.IntN(15)
		testkit.Eventually(t, func() bool {
			var written int
			require.NoError(t, p.s.QueryRow("SELECT COUNT(*) FROM d.log").Scan(&written))
			return p.count("SELECT COUNT(*) FROM d.log") >= min(want, written)
		}, "the replica goes on")
		p.there.Kill()
		require.NoError(t, p.there.Launch())
	}
	all.Wait()
	p.replica.sameAs(t, p.s)
}

// TestSeveralSources follows two servers at once, with a filter on one of them.
func TestSeveralSources(t *testing.T) {
	p := newPair(t)
	second := emberd.Start(t, append(options[:len(options):len(options)], "--server-id=15")...)
	db := second.Open("")
	defer db.Close()
	p.at(p.r, fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %d, SOURCE_USER = 'root', SOURCE_AUTO_POSITION = 1 FOR CHANNEL 'two'", second.Port),
		"CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = (hidden), REPLICATE_WILD_IGNORE_TABLE = ('e.x%') FOR CHANNEL 'two'", "START REPLICA FOR CHANNEL 'two'")
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1)")
	p.at(db, "CREATE DATABASE e", "CREATE TABLE e.t (a INT PRIMARY KEY)", "CREATE TABLE e.x1 (a INT)", "INSERT INTO e.x1 VALUES (1)", "CREATE DATABASE hidden", "INSERT INTO e.t VALUES (2)")
	for _, source := range []*sql.DB{p.s, db} {
		var set string
		require.NoError(t, source.QueryRow("SELECT @@gtid_executed").Scan(&set))
		require.Zero(t, p.count("SELECT WAIT_FOR_EXECUTED_GTID_SET('"+set+"')"))
	}
	require.Equal(t, 1, p.count("SELECT COUNT(*) FROM d.t"))
	require.Equal(t, 1, p.count("SELECT COUNT(*) FROM e.t"))
	require.Zero(t, p.count("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'e' AND table_name = 'x1' OR table_schema = 'hidden'"))
	require.Equal(t, 2, p.count("SELECT COUNT(*) FROM performance_schema.replication_connection_status WHERE SERVICE_STATE = 'ON'"))
	p.at(p.r, "STOP REPLICA FOR CHANNEL 'two'", "RESET REPLICA ALL FOR CHANNEL 'two'")
	require.Equal(t, 1, p.count("SELECT COUNT(*) FROM performance_schema.replication_connection_status"))
}
