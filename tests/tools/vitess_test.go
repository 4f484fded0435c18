package tools

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// vitess is a cluster: etcd, vtctld, vtgate, and a tablet over each server.
type vitess struct {
	topology []string // flags
	control  string   // vtctld's address
	gate     server   // vtgate, as a client sees it
	init     string   // statements for a new server
	tablets  []*tablet
	made     int // tablets, also those that are gone
}

// tablet is a server with the vttablet that rules it.
type tablet struct {
	member
	name, shard string
}

// keyspace is a logical database: the names of its shards, and how many servers each has.
type keyspace struct {
	name, durability string
	shards           []string
	servers          int
}

// openVitess starts a cluster that has the keyspaces. The first server of each shard is its source.
func openVitess(t *testing.T, keyspaces ...keyspace) *vitess {
	t.Helper()
	dir := filepath.Dir(find(t, "vttablet"))
	sql, err := os.ReadFile(filepath.Join(dir, "init_db.sql"))
	require.NoError(t, err)
	peers, port, web, control := emberd.FreePort(t), emberd.FreePort(t), emberd.FreePort(t), emberd.FreePort(t)
	at := fmt.Sprintf("http://127.0.0.1:%d", port)
	v := &vitess{init: string(sql), control: fmt.Sprintf("127.0.0.1:%d", control),
		topology: []string{"--topo-implementation=etcd2", "--topo-global-root=/vitess/global", "--topo-global-server-address=" + at}}
	background(t, exec.Command(find(t, "etcd"), "--data-dir="+t.TempDir(), "--listen-client-urls="+at, "--advertise-client-urls="+at,
		fmt.Sprintf("--listen-peer-urls=http://127.0.0.1:%d", peers)))
	answers(t, port, "health")
	v.daemon(t, "vtctld", "--service-map=grpc-vtctl,grpc-vtctld", fmt.Sprint("--port=", web), fmt.Sprint("--grpc-port=", control))
	answers(t, web, "debug/status")
	v.must(t, "AddCellInfo", "--root=/vitess/zone", "--server-address="+at, "zone")
	for _, k := range keyspaces {
		v.must(t, "CreateKeyspace", "--durability-policy="+k.durability, k.name)
		for _, s := range k.shards {
			v.addShard(t, k.name+"/"+s, k.servers)
		}
	}
	v.openGate(t)
	return v
}

// addShard makes a shard of new servers.
func (v *vitess) addShard(t *testing.T, shard string, servers int) {
	t.Helper()
	first := len(v.tablets)
	for range servers {
		v.addTablet(t, shard)
	}
	v.promote(t, v.tablets[first])
}

func (v *vitess) addTablet(t *testing.T, shard string) {
	t.Helper()
	id := 100 + v.made
	v.made++
	s := emberd.Start(t, "--log-bin=binlog", fmt.Sprint("--server-id=", id), "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--skip-replica-start",
		"--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=20", "--replica-net-timeout=8", "--max-connections=500",
		"--rpl-semi-sync-source-timeout=1000000000000000000", "--rpl-semi-sync-source-wait-no-replica=ON", "--super-read-only=ON")
	m := server{port: s.Port, db: connect(t, s.Port)}
	first := server{port: s.Port, db: connect(t, s.Port)}
	first.db.SetMaxOpenConns(1) // the statements share variables of a session, and leave it without a log
	for q := range strings.SplitSeq(v.init, ";\n") {
		first.exec(t, withoutComments(q))
	}
	m.exec(t, "RESET BINARY LOGS AND GTIDS",
		"UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_statements_history%'", "SET GLOBAL super_read_only = ON")
	web, tablet := emberd.FreePort(t), &tablet{member: member{m, s, m.watch()}, name: fmt.Sprintf("zone-%010d", id), shard: shard}
	in, part, _ := strings.Cut(shard, "/")
	v.daemon(t, "vttablet", "--tablet-path="+tablet.name, "--tablet-hostname=127.0.0.1", "--init-keyspace="+in, "--init-shard="+part, "--init-tablet-type=replica",
		"--db-host=127.0.0.1", fmt.Sprint("--db-port=", s.Port), fmt.Sprint("--port=", web), fmt.Sprint("--grpc-port=", emberd.FreePort(t)),
		"--service-map=grpc-queryservice,grpc-tabletmanager,grpc-updatestream", "--health-check-interval=1s", "--migration-check-interval=2s", "--queryserver-config-max-result-size=1000000")
	answers(t, web, "debug/status")
	v.tablets = append(v.tablets, tablet)
}

// withoutComments is a statement without its lines of comments; DO 0 if nothing else is there.
func withoutComments(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		return "DO 0"
	}
	return strings.Join(kept, "\n")
}

func (v *vitess) openGate(t *testing.T) {
	t.Helper()
	web := emberd.FreePort(t)
	v.gate.port = emberd.FreePort(t)
	v.daemon(t, "vtgate", "--cell=zone", "--cells-to-watch=zone", "--tablet-types-to-wait=PRIMARY,REPLICA", "--service-map=grpc-vtgateservice",
		"--enable-buffer", "--tablet-refresh-interval=1s", "--mysql-auth-server-impl=none", fmt.Sprint("--port=", web), fmt.Sprint("--grpc-port=", emberd.FreePort(t)), fmt.Sprint("--mysql-server-port=", v.gate.port))
	answers(t, web, "debug/status")
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.Logger = "client", "tcp", fmt.Sprint("127.0.0.1:", v.gate.port), &mysql.NopLogger{}
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	v.gate.db = sql.OpenDB(c)
	t.Cleanup(func() { v.gate.db.Close() })
	testkit.Eventually(t, func() bool { return v.gate.db.Ping() == nil })
}

// daemon starts a program of Vitess, none of which runs as root.
func (v *vitess) daemon(t *testing.T, name string, options ...string) {
	t.Helper()
	cmd := exec.Command(find(t, name), append(v.topology, options...)...)
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		cmd.Dir = "/"
	}
	background(t, cmd)
}

// must runs a command of Vitess, which must succeed.
func (v *vitess) must(t *testing.T, command ...string) string {
	t.Helper()
	return must(t, append([]string{find(t, "vtctldclient"), "--server=" + v.control, "--action-timeout=5m"}, command...)...)
}

// eventually runs a command until it succeeds.
func (v *vitess) eventually(t *testing.T, command ...string) {
	t.Helper()
	var last string
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%v: %s", command, last)
		}
	})
	testkit.Eventually(t, func() bool {
		out, code := run(t, append([]string{find(t, "vtctldclient"), "--server=" + v.control}, command...)...)
		last = out
		return code == 0
	}, command)
}

// promote makes a tablet the source of its shard, as planned.
func (v *vitess) promote(t *testing.T, to *tablet) {
	t.Helper()
	v.must(t, "PlannedReparentShard", "--new-primary="+to.name, to.shard)
}

// same expects the same rows of t in all servers of a shard, the first of which is its source.
func same(t *testing.T, database string, shard []*tablet) {
	t.Helper()
	rows := func(s *server) (sum string) {
		require.NoError(t, s.db.QueryRow("SELECT CONCAT(COUNT(*), ' ', COALESCE(SUM(CRC32(CONCAT(id, note))), 0)) FROM "+database+".t").Scan(&sum))
		return sum
	}
	for _, other := range shard[1:] {
		(&pair{shard[0].server, other.server}).catchUp(t)
		require.Equal(t, rows(&shard[0].server), rows(&other.server), "%s and %s", shard[0].name, other.name)
	}
}

// answers waits until a page answers.
func answers(t *testing.T, port int, page string) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/%s", port, page))
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, page)
}
