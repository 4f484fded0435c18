package replication

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// semiSource is a source whose commits wait for a replica, for an hour if need be.
type semiSource struct {
	*emberd.Server
	t  *testing.T
	db *sql.DB

	before [4]int // counters when the test began
}

// waiter is a statement that waits, and its connection.
type waiter struct {
	c    *sql.Conn
	id   int
	told chan error
}

// commit runs the statements on a new connection. The last one commits, and waits.
func (s *semiSource) commit(statements ...string) *waiter {
	s.t.Helper()
	c, err := s.db.Conn(s.t.Context())
	require.NoError(s.t, err)
	w := &waiter{c: c, told: make(chan error, 1)}
	require.NoError(s.t, c.QueryRowContext(s.t.Context(), "SELECT CONNECTION_ID()").Scan(&w.id))
	last := len(statements) - 1
	for _, q := range statements[:last] {
		_, err := c.ExecContext(s.t.Context(), q)
		require.NoError(s.t, err, q)
	}
	go func() {
		_, err := c.ExecContext(context.WithoutCancel(s.t.Context()), statements[last])
		w.told <- err
	}()
	return w
}

func (s *semiSource) exec(query string) {
	s.t.Helper()
	_, err := s.db.Exec(query)
	require.NoError(s.t, err, query)
}

// number is the single value of a query.
func (s *semiSource) number(query string) (n int) {
	s.t.Helper()
	require.NoError(s.t, s.db.QueryRow(query).Scan(&n), query)
	return n
}

// status is a counter of semi-synchronous replication.
func (s *semiSource) status(name string) int {
	s.t.Helper()
	return s.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Rpl_semi_sync_source_" + name + "'")
}

func (s *semiSource) eventually(what string, ok func() bool) {
	s.t.Helper()
	testkit.Eventually(s.t, ok, what)
}

// counters are the transactions that were answered and those that were not, those that waited, and
// how often the wait was given up.
func (s *semiSource) counters() (all [4]int) {
	for i, name := range []string{"yes_tx", "no_tx", "tx_waits", "no_times"} {
		all[i] = s.status(name) - s.before[i]
	}
	return all
}

// A commit that waits for a replica waits whoever is killed, as MySQL's does: it is told when it
// may be counted on. It ends with the replica's answer, with the wait being switched off, and with
// the server where no replica is left. In each case it is in the log and in the table.
func TestKilledWhileItWaitsForAReplica(t *testing.T) {
	srv := emberd.Start(t, append(options[:len(options):len(options)], "--rpl-semi-sync-source-enabled", "--rpl-semi-sync-source-timeout=0")...)
	s := &semiSource{Server: srv, t: t, db: srv.Open("")}
	s.exec("CREATE DATABASE d") // nobody answers: not waited for
	s.exec("CREATE TABLE d.t (a INT PRIMARY KEY)")
	s.exec("SET GLOBAL rpl_semi_sync_source_enabled = OFF")
	s.exec("SET GLOBAL rpl_semi_sync_source_timeout = 3600000, GLOBAL rpl_semi_sync_source_enabled = ON")
	s.before = s.counters()
	waiting := func(n int) func() bool { return func() bool { return s.status("wait_sessions") == n } }

	killed := []*waiter{s.commit("INSERT INTO d.t VALUES (1)"), s.commit("BEGIN", "INSERT INTO d.t VALUES (2)", "COMMIT")}
	cut := s.commit("INSERT INTO d.t VALUES (3)")
	s.eventually("three wait", waiting(3))
	for _, w := range killed {
		s.exec(fmt.Sprint("KILL QUERY ", w.id))
	}
	s.exec(fmt.Sprint("KILL ", cut.id))
	require.Error(t, <-cut.told)
	time.Sleep(200 * time.Millisecond)
	require.Empty(t, killed[0].told, "told before a replica has it")
	require.Empty(t, killed[1].told, "told before a replica has it")
	require.Zero(t, s.number("SELECT COUNT(*) FROM d.t"))
	require.Equal(t, 3, s.status("wait_sessions"))
	leave := answer(t, srv)
	for _, w := range killed {
		require.NoError(t, <-w.told)
		require.NoError(t, w.c.PingContext(t.Context()))
	}
	s.eventually("nobody waits", waiting(0))
	require.Equal(t, 3, s.number("SELECT COUNT(*) FROM d.t"))
	require.Equal(t, [4]int{3, 0, 3, 0}, s.counters())

	leave()
	s.eventually("the replica is gone", func() bool { return s.status("clients") == 0 })
	off := []*waiter{s.commit("INSERT INTO d.t VALUES (4)"), s.commit("INSERT INTO d.t VALUES (5)")}
	s.eventually("two wait", waiting(2))
	s.exec("SET GLOBAL rpl_semi_sync_source_enabled = OFF")
	for _, w := range off {
		require.NoError(t, <-w.told)
	}
	require.Equal(t, [4]int{3, 2, 5, 1}, s.counters())

	s.exec("SET GLOBAL rpl_semi_sync_source_enabled = ON")
	last := s.commit("INSERT INTO d.t VALUES (6)")
	s.eventually("one waits", waiting(1))
	require.NoError(t, s.db.Close())
	require.NoError(t, srv.Stop()) // does not wait for the hour
	<-last.told                    // told, or cut
	require.NoError(t, srv.Launch())
	s.db = srv.Open("")
	defer s.db.Close()
	require.Equal(t, 6, s.number("SELECT COUNT(*) FROM d.t"))
	executed(t, srv, readLog(t, srv))
}

// answer follows the source as a semi-synchronous replica, until the function it returns is called.
func answer(t *testing.T, s *emberd.Server) (leave func()) {
	t.Helper()
	b := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: 902, Flavor: mysql.MySQLFlavor, Host: "127.0.0.1", Port: uint16(s.Port),
		User: "root", SemiSyncEnabled: true, DisableRetrySync: true, Logger: silent()})
	none, err := mysql.ParseMysqlGTIDSet("")
	require.NoError(t, err)
	_, err = b.StartSyncGTID(none)
	require.NoError(t, err)
	return b.Close
}

// TestCommitsWaitForConnectedReplicas: without rpl_semi_sync_source_wait_no_replica a commit waits only
// while enough replicas are connected. With it, it waits for one to come, for ever if need be.
func TestCommitsWaitForConnectedReplicas(t *testing.T) {
	srv := emberd.Start(t, append(options[:len(options):len(options)], "--rpl-semi-sync-source-enabled", "--rpl-semi-sync-source-wait-no-replica=OFF",
		"--rpl-semi-sync-source-timeout=1000000000000000000")...)
	s := &semiSource{Server: srv, t: t, db: srv.Open("")}
	defer s.db.Close()
	waits := func() bool {
		return s.number("SELECT variable_value = 'ON' FROM performance_schema.global_status WHERE variable_name = 'Rpl_semi_sync_source_status'") == 1
	}
	require.False(t, waits())
	s.exec("CREATE DATABASE d")
	s.exec("CREATE TABLE d.t (a INT PRIMARY KEY)")

	leave := answer(t, srv)
	s.eventually("it has caught up", waits)
	s.exec("INSERT INTO d.t VALUES (1)")
	leave()
	s.eventually("it has gone", func() bool { return !waits() })
	s.exec("INSERT INTO d.t VALUES (2)")

	s.exec("SET GLOBAL rpl_semi_sync_source_wait_no_replica = ON")
	require.True(t, waits())
	late := s.commit("INSERT INTO d.t VALUES (3)")
	s.eventually("it waits", func() bool { return s.status("wait_sessions") == 1 })
	defer answer(t, srv)()
	require.NoError(t, <-late.told)
	s.exec("INSERT INTO d.t VALUES (4)")
}

// TestOwnReplicaAnswers: a server of this build that follows as a semi-synchronous replica has what
// a commit on the source was told to be done, in its relay log at least, also when the one or the
// other was killed meanwhile.
func TestOwnReplicaAnswers(t *testing.T) {
	srv := emberd.Start(t, append(options[:len(options):len(options)], "--rpl-semi-sync-source-enabled", "--rpl-semi-sync-source-timeout=3600000")...)
	there := emberd.Start(t, "--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--server-id=6", "--rpl-semi-sync-replica-enabled",
		"--innodb-buffer-pool-size=128M", "--innodb-redo-log-capacity=128M")
	r := &replica{name: "ember", byGTID: true, ember: true, open: func() *sql.DB { return there.Open("") }, kill: func(*testing.T) { there.Kill() },
		start: func(t *testing.T) { require.NoError(t, there.Launch()) }}
	r.follow(t, srv.Port, "")
	s := &semiSource{Server: srv, t: t, db: srv.Open("")}
	defer func() { s.db.Close() }()
	s.eventually("the replica is there", func() bool { return s.status("clients") == 1 })
	rows := func() (n int) {
		db := there.Open("")
		defer db.Close()
		require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM d.t").Scan(&n))
		return n
	}
	s.exec("CREATE DATABASE d")
	s.exec("CREATE TABLE d.t (a INT PRIMARY KEY)")
	for i := range 20 {
		s.exec(fmt.Sprintf("INSERT INTO d.t VALUES (%d)", i))
	}
	s.eventually("all is applied", func() bool { return rows() == 20 })
	there.Kill()
	waiter := s.commit("INSERT INTO d.t VALUES (100)")
	s.eventually("one waits", func() bool { return s.status("wait_sessions") == 1 })
	require.NoError(t, there.Launch())
	require.NoError(t, <-waiter.told)
	s.eventually("it is applied", func() bool { return rows() == 21 })
	s.db.Close()
	srv.Kill()
	require.NoError(t, srv.Launch())
	s.db = srv.Open("")
	s.eventually("the replica is back", func() bool { return s.status("clients") == 1 })
	s.exec("INSERT INTO d.t VALUES (101)")
	s.eventually("it is applied", func() bool { return rows() == 22 })

	db := there.Open("")
	_, err := db.Exec("STOP REPLICA SQL_THREAD")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for i := range 10 {
		s.exec(fmt.Sprintf("INSERT INTO d.t VALUES (%d)", 200+i))
	}
	require.Equal(t, 22, rows())
	srv.Kill()
	there.Kill()
	require.NoError(t, there.Launch()) // the source is gone for good
	s.eventually("what was answered is applied", func() bool { return rows() == 32 })
}
