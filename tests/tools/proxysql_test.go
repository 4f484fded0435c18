package tools

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestProxySQL has ProxySQL in front of a source and two replicas. It tells them apart by read_only,
// sends changes to the source and reads to the others, there only behind the client's own
// transactions. Then the source is killed and a replica takes its place. No row may be lost whose
// commit a client knows of, no read may be too early.
func TestProxySQL(t *testing.T) {
	path := find(t, "proxysql")
	version(t, path, "--version")
	g := openGroup(t)
	p := g.openProxy(t, path)
	first, second, third := g.members[0], g.members[1], g.members[2]
	first.exec(t, "SET GLOBAL rpl_semi_sync_source_wait_for_replica_count = 2") // either may follow it
	p.servers(t, map[int]string{first.port: "source", second.port: "replica", third.port: "replica"})
	c := openClients(t, func() int { return p.port })
	r := p.readOwn(t)
	p.sessions(t)

	before := c.rate(5 * time.Second)
	first.failed.only(t)
	first.process.Kill()
	g.promote(t, second, third)
	t.Logf("from the kill to the first commit: %v", c.next(t).Round(time.Millisecond))
	p.servers(t, map[int]string{second.port: "source", third.port: "replica"})
	t.Logf("commits in five seconds: %d before, %d afterwards", before, c.rate(5*time.Second))
	first.comeBack(t, second.port)
	p.servers(t, map[int]string{first.port: "replica", second.port: "source", third.port: "replica"})
	r.more(t, 100)
	for _, m := range g.members { // clients that end have ProxySQL kill what they had begun
		m.failed.only(t)
	}
	r.end(t)
	c.end(t, &second.server, &third.server, &first.server)
	require.Positive(t, p.queries(t, sourceGroup))
	require.Positive(t, p.queries(t, replicaGroup))
}

// promote makes a replica, which has received everything, the source of the other one.
func (g *group) promote(t *testing.T, m, other *member) {
	t.Helper()
	m.exec(t, "STOP REPLICA IO_THREAD")
	var late sql.NullInt64
	require.NoError(t, m.db.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(received_transaction_set, 240) FROM performance_schema.replication_connection_status").Scan(&late))
	require.EqualValues(t, 0, late.Int64, "the replica does not apply what it has")
	m.exec(t, "STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL rpl_semi_sync_source_enabled = ON")
	other.exec(t, "STOP REPLICA", follow(m.port), "START REPLICA")
	m.exec(t, "SET GLOBAL read_only = OFF")
}

// comeBack starts a killed server as a replica.
func (m *member) comeBack(t *testing.T, source int) {
	t.Helper()
	m.process.Args = append(m.process.Args, "--read-only=ON")
	require.NoError(t, m.process.Launch())
	m.exec(t, "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_statements_history%'")
	m.failed = m.watch()
	m.exec(t, follow(source), "START REPLICA")
}

// Groups of servers in ProxySQL.
const (
	sourceGroup  = 10
	replicaGroup = 20
)

// proxysql is one that runs.
type proxysql struct {
	port  int
	admin *sql.DB
}

// openProxy starts ProxySQL, which is told of the servers and of an account.
func (g *group) openProxy(t *testing.T, path string) *proxysql {
	t.Helper()
	dir, port, admin := t.TempDir(), emberd.FreePort(t), emberd.FreePort(t)
	var servers []string
	for _, m := range g.members {
		servers = append(servers, fmt.Sprintf(`{ address = "127.0.0.1", port = %d, hostgroup = %d, gtid_port = %d }`, m.port, replicaGroup, m.tellGTIDs(t)))
	}
	text := fmt.Sprintf(`datadir = %q
admin_variables = { admin_credentials = "admin:admin", mysql_ifaces = "127.0.0.1:%d" }
mysql_variables = { interfaces = "127.0.0.1:%d", monitor_username = %q, monitor_password = %q, monitor_connect_interval = 1000, monitor_ping_interval = 500,
	monitor_ping_timeout = 2000, monitor_read_only_interval = 300, monitor_read_only_timeout = 2000, monitor_writer_is_also_reader = false, threads = 2,
	default_session_track_gtids = "OWN_GTID", client_session_track_gtid = true, query_retries_on_failure = 0, binlog_reader_connect_retry_msec = 1000, have_ssl = false }
pgsql_variables = { interfaces = "127.0.0.1:%d" }
mysql_servers = ( %s )
mysql_users = ( { username = "client", password = "a password", default_hostgroup = %d, transaction_persistent = 1 } )
mysql_replication_hostgroups = ( { writer_hostgroup = %[8]d, reader_hostgroup = %d, check_type = "read_only" } )
mysql_query_rules = ( { rule_id = 1, active = 1, match_digest = "^SELECT .* FROM client", destination_hostgroup = %[9]d, gtid_from_hostgroup = %[8]d, apply = 1 } )
`, dir, admin, port, user, password, emberd.FreePort(t), strings.Join(servers, ", "), sourceGroup, replicaGroup)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "conf"), []byte(text), 0o600))
	background(t, exec.Command(path, "--foreground", "--config", filepath.Join(dir, "conf"), "--datadir", dir))
	p := &proxysql{port, openWith(t, admin, "admin", "admin", "")}
	testkit.Eventually(t, func() bool { return p.admin.Ping() == nil }, "ProxySQL does not start")
	return p
}

func openWith(t *testing.T, port int, account, secret, database string) *sql.DB {
	t.Helper()
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.DBName, cfg.Logger = account, secret, "tcp", "127.0.0.1:"+strconv.Itoa(port), database, &mysql.NopLogger{}
	cfg.InterpolateParams, cfg.Timeout = true, 5*time.Second
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// servers waits until ProxySQL uses these servers, each in its part, and no other.
func (p *proxysql) servers(t *testing.T, want map[int]string) {
	t.Helper()
	var have map[int]string
	testkit.Eventually(t, func() bool {
		have = map[int]string{}
		rows, err := p.admin.Query("SELECT hostgroup_id, port FROM runtime_mysql_servers WHERE status = 'ONLINE'")
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var in, port int
			require.NoError(t, rows.Scan(&in, &port))
			have[port] += map[int]string{sourceGroup: "source", replicaGroup: "replica"}[in]
		}
		return fmt.Sprint(have) == fmt.Sprint(want)
	}, "ProxySQL uses other servers")
}

// queries counts what ProxySQL has sent to a group.
func (p *proxysql) queries(t *testing.T, in int) (n int) {
	t.Helper()
	require.NoError(t, p.admin.QueryRow(fmt.Sprint("SELECT SUM(Queries) FROM stats_mysql_connection_pool WHERE hostgroup = ", in)).Scan(&n))
	return n
}

// tellGTIDs tells ProxySQL, whenever it connects, which transactions the server has. It is what its
// binlog reader does. The port is returned.
func (m *member) tellGTIDs(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go m.tell(c)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

func (m *member) tell(c net.Conn) {
	defer c.Close()
	for told := ""; ; time.Sleep(2 * time.Millisecond) {
		var set, more string
		if m.db.QueryRow("SELECT @@gtid_executed, GTID_SUBTRACT(@@gtid_executed, '"+told+"')").Scan(&set, &more) != nil {
			return // the server is gone
		}
		text := singly(more)
		if told == "" {
			text = "ST=" + strings.ReplaceAll(set, "\n", "") + "\n"
		}
		if _, err := c.Write([]byte(text)); err != nil {
			return
		}
		told = set
	}
}

// singly names each transaction of a set in the form of the binlog reader.
func singly(set string) string {
	var out strings.Builder
	for one := range strings.SplitSeq(strings.ReplaceAll(set, "\n", ""), ",") {
		uuid, ranges, _ := strings.Cut(one, ":")
		for r := range strings.SplitSeq(ranges, ":") {
			from, to, many := strings.Cut(r, "-")
			low, err := strconv.Atoi(from)
			if err != nil {
				continue // there is none
			}
			high := low
			if many {
				high, _ = strconv.Atoi(to)
			}
			for n := low; n <= high; n++ {
				fmt.Fprintf(&out, "I1=%s:%d\n", strings.ReplaceAll(uuid, "-", ""), n)
			}
		}
	}
	return out.String()
}

// ownReads are clients that read what they have just written.
type ownReads struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
	done  atomic.Int64
	early atomic.Int64 // reads that did not find it
}

// readOwn starts them. They end with the test, or by end.
func (p *proxysql) readOwn(t *testing.T) *ownReads {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &ownReads{stop: cancel}
	t.Cleanup(cancel)
	db := openWith(t, p.port, "client", "a password", "client")
	for k := range 4 {
		r.ended.Go(func() {
			for n := 1; ctx.Err() == nil; n++ {
				r.once(ctx, db, -(k*1_000_000 + n))
			}
		})
	}
	r.more(t, 50)
	return r
}

func (r *ownReads) once(ctx context.Context, db *sql.DB, id int) {
	c, err := db.Conn(ctx)
	if err != nil {
		return
	}
	defer c.Close()
	if _, err = c.ExecContext(ctx, "INSERT INTO client.t (id, note) VALUES (?, 'to be read')", id); err != nil {
		time.Sleep(10 * time.Millisecond)
		return
	}
	var n int
	if err = c.QueryRowContext(ctx, "SELECT COUNT(*) FROM client.t WHERE id = ?", id).Scan(&n); err != nil {
		return
	}
	r.done.Add(1)
	if n != 1 {
		r.early.Add(1)
	}
}

// more waits until the clients have read so many more rows.
func (r *ownReads) more(t *testing.T, n int64) {
	t.Helper()
	until := r.done.Load() + n
	testkit.Eventually(t, func() bool { return r.done.Load() >= until }, "nobody reads")
}

func (r *ownReads) end(t *testing.T) {
	t.Helper()
	r.stop()
	r.ended.Wait()
	t.Logf("%d clients' own rows read", r.done.Load())
	require.Zero(t, r.early.Load(), "reads that came too early, of %d", r.done.Load())
}

// sessions expects that many clients share few connections, and that each still has its own
// variables, transaction and prepared statement. Statements that name variables would keep a
// connection to one client, so their effects are looked at.
func (p *proxysql) sessions(t *testing.T) {
	t.Helper()
	const many = 40
	db := openWith(t, p.port, "client", "a password", "client")
	ctx := context.Background()
	var all []*sql.Conn
	for i := range many {
		c, err := db.Conn(ctx)
		require.NoError(t, err)
		defer c.Close()
		all = append(all, c)
		for _, q := range []string{fmt.Sprintf("SET time_zone = '+%02d:30'", i%13), fmt.Sprintf("SET sql_mode = '%s'", []string{"", "PIPES_AS_CONCAT"}[i%2])} {
			_, err := c.ExecContext(ctx, q)
			require.NoError(t, err, q)
		}
	}
	for range 3 {
		for i, c := range all {
			want := fmt.Sprintf("1970-01-01 %02d:30:00 %s", i%13, []string{"1", "20"}[i%2])
			var at, bars string
			require.NoError(t, c.QueryRowContext(ctx, "SELECT FROM_UNIXTIME(0), 2 || 0").Scan(&at, &bars))
			require.Equal(t, want, at+" "+bars)
			s, err := c.PrepareContext(ctx, "SELECT FROM_UNIXTIME(?)") // shared with clients of another sql_mode
			require.NoError(t, err)
			require.NoError(t, s.QueryRow(0).Scan(&at))
			require.Equal(t, want, at+" "+bars)
			require.NoError(t, s.Close())
		}
	}
	var used int
	require.NoError(t, p.admin.QueryRow("SELECT SUM(ConnUsed + ConnFree) FROM stats_mysql_connection_pool").Scan(&used))
	t.Logf("%d clients over %d connections", many+8, used)
	require.Less(t, used, many/2)
	for i, c := range all[:10] {
		for _, q := range []string{"BEGIN", fmt.Sprintf("INSERT INTO client.t (id, note) VALUES (%d, 'undone')", -10_000_000-i)} {
			_, err := c.ExecContext(ctx, q)
			require.NoError(t, err, q)
		}
	}
	for i, c := range all[:10] {
		var n int
		require.NoError(t, c.QueryRowContext(ctx, "SELECT COUNT(*) FROM client.t WHERE id <= -10000000").Scan(&n))
		require.Equal(t, 1, n, "transaction %d", i)
		_, err := c.ExecContext(ctx, "ROLLBACK")
		require.NoError(t, err)
	}
}
