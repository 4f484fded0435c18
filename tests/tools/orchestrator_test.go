package tools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestOrchestrator has Orchestrator watch a source and two replicas. It finds the replicas, changes the
// source at a request, and again when the source is killed. Clients write through a proxy that
// follows it. No row may be lost whose commit a client knows of, as commits are semi-synchronous.
func TestOrchestrator(t *testing.T) {
	path := find(t, "orchestrator")
	version(t, path, "--version")
	g := openGroup(t)
	o := g.orchestrate(t, path)
	c := openClients(t, func() int {
		if port := o.successor(); port > 0 {
			return port
		}
		return g.members[0].port
	})

	first, second, third := g.members[0], g.members[1], g.members[2]
	o.get(t, fmt.Sprintf("graceful-master-takeover-auto/127.0.0.1/%d/127.0.0.1/%d", first.port, second.port))
	o.follow(t, second.port)
	require.Less(t, c.next(t), time.Minute)
	o.replicas(t, second.port, 2)
	o.get(t, "ack-all-recoveries?comment=planned") // one that was just promoted is not replaced otherwise
	for _, m := range g.members {
		m.failed.only(t, takeoverFails...)
		m.failed = m.watch()
	}
	second.exec(t, "SET GLOBAL rpl_semi_sync_source_enabled = ON")
	first.exec(t, "SET GLOBAL rpl_semi_sync_source_enabled = OFF", // else what it applies waits for a replica of its own
		"STOP REPLICA IO_THREAD", "START REPLICA IO_THREAD") // as a semi-synchronous one
	before := c.rate(10 * time.Second)
	second.failed.only(t, takeoverFails...)
	second.process.Kill()
	pause := c.next(t)
	t.Logf("from the kill to the first commit: %v", pause.Round(time.Millisecond))
	t.Logf("commits in ten seconds: %d before, %d afterwards", before, c.rate(10*time.Second))
	successor, other := first, third
	if o.successor() == third.port {
		successor, other = third, first
	}
	o.follow(t, successor.port)
	o.replicas(t, successor.port, 1)
	c.end(t, &successor.server, &other.server)
	successor.failed.only(t, takeoverFails...)
	other.failed.only(t, takeoverFails...)
}

// takeoverFails are statements that MySQL refuses, too.
var takeoverFails = []string{`1290 INSERT INTO client\.t`, `1193 SELECT MEMBER_ID, .*group_replication_group_name`}

// group is a source and two replicas, and the server in which Orchestrator keeps what it knows.
type group struct {
	members []*member
	backend server
}

type member struct {
	server
	process *emberd.Server
	failed  *failures
}

func openGroup(t *testing.T) *group {
	t.Helper()
	g := &group{}
	for i := range 4 {
		options := []string{"--log-bin=binlog", "--server-id=" + strconv.Itoa(i+1), "--report-host=127.0.0.1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--innodb-buffer-pool-size=64M",
			"--replica-net-timeout=4", "--rpl-semi-sync-replica-enabled=ON", "--rpl-semi-sync-source-timeout=60000"}
		s := emberd.Start(t, options...)
		m := server{port: s.Port, db: connect(t, s.Port)}
		m.exec(t, fmt.Sprintf("CREATE USER %s IDENTIFIED BY '%s'", user, password), "GRANT ALL ON *.* TO "+user, "CREATE DATABASE orchestrator")
		if i == 3 {
			g.backend = m
			break
		}
		m.exec(t, "RESET BINARY LOGS AND GTIDS", "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_statements_history%'")
		g.members = append(g.members, &member{m, s, m.watch()})
	}
	source := g.members[0]
	for _, m := range g.members[1:] {
		m.exec(t, follow(source.port), "START REPLICA", "SET GLOBAL read_only = ON")
	}
	source.exec(t, "CREATE USER client IDENTIFIED BY 'a password'", "GRANT SELECT, INSERT ON client.* TO client", "SET GLOBAL rpl_semi_sync_source_enabled = ON", "CREATE DATABASE client",
		"CREATE TABLE client.t (id BIGINT PRIMARY KEY, note VARCHAR(100))")
	return g
}

// follow is the statement that makes a server a replica of the one at a port.
func follow(port int) string {
	return fmt.Sprintf(`CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='%s', SOURCE_PASSWORD='%s',
		SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1`, port, user, password)
}

// orchestrator is one that runs.
type orchestrator struct {
	url   string
	hooks string // file of the last line that its hook wrote: the port of the source
}

func (g *group) orchestrate(t *testing.T, path string) *orchestrator {
	t.Helper()
	dir, port := t.TempDir(), emberd.FreePort(t)
	o := &orchestrator{fmt.Sprintf("http://127.0.0.1:%d/api/", port), filepath.Join(dir, "source")}
	settings := map[string]any{
		"ListenAddress": fmt.Sprintf("127.0.0.1:%d", port), "MySQLTopologyUser": user, "MySQLTopologyPassword": password,
		"MySQLOrchestratorHost": "127.0.0.1", "MySQLOrchestratorPort": g.backend.port, "MySQLOrchestratorDatabase": "orchestrator",
		"MySQLOrchestratorUser": user, "MySQLOrchestratorPassword": password, "HostnameResolveMethod": "none", "MySQLHostnameResolveMethod": "",
		"DiscoverByShowSlaveHosts": true, "InstancePollSeconds": 1, "RecoveryPeriodBlockSeconds": 0, "FailureDetectionPeriodBlockMinutes": 1,
		"RecoverMasterClusterFilters": []string{"*"}, "DelayMasterPromotionIfSQLThreadNotUpToDate": true,
		"ReplicationCredentialsQuery": fmt.Sprintf("SELECT '%s', '%s'", user, password),
		"PostMasterFailoverProcesses": []string{fmt.Sprintf("echo {successorPort} > %s", o.hooks)},
	}
	text, err := json.Marshal(settings)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "conf.json"), text, 0o600))
	background(t, exec.Command(path, "--config="+filepath.Join(dir, "conf.json"), "--debug", "http"))
	testkit.Eventually(t, func() bool { _, err := o.ask("health"); return err == nil })
	first := g.members[0].port
	o.get(t, fmt.Sprintf("discover/127.0.0.1/%d", first))
	o.replicas(t, first, 2)
	return o
}

// get asks for something that must succeed.
func (o *orchestrator) get(t *testing.T, request string) []byte {
	t.Helper()
	answer, err := o.ask(request)
	require.NoError(t, err)
	return answer
}

func (o *orchestrator) ask(request string) ([]byte, error) {
	response, err := http.Get(o.url + request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", request, response.Status, body)
	}
	return body, err
}

// replicas waits until Orchestrator sees n replicas that follow the source well.
func (o *orchestrator) replicas(t *testing.T, source, n int) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		body, err := o.ask("cluster/instance/127.0.0.1/" + strconv.Itoa(source))
		var all []struct {
			Key, MasterKey                                        struct{ Port int }
			IsLastCheckValid                                      bool
			ReplicationIOThreadRuning, ReplicationSQLThreadRuning bool
		}
		if err != nil || json.Unmarshal(body, &all) != nil {
			return false
		}
		good := 0
		for _, i := range all {
			if i.MasterKey.Port == source && i.IsLastCheckValid && i.ReplicationIOThreadRuning && i.ReplicationSQLThreadRuning {
				good++
			}
		}
		return good == n
	})
}

// successor is the source that the hook told of last; 0: none.
func (o *orchestrator) successor() int {
	text, _ := os.ReadFile(o.hooks) // missing before the first
	port, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return port
}

// follow waits until the hook has told of the source.
func (o *orchestrator) follow(t *testing.T, port int) {
	t.Helper()
	testkit.Eventually(t, func() bool { return o.successor() == port })
}
