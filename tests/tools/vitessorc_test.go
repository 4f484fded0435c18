package tools

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestVitessOrc has vtorc watch a shard. The source is killed, three times, while clients write through
// vtgate. Nobody but vtorc gives the shard another, and makes the killed server its replica. If that
// had logged what no replica received, which no client was told of, Vitess wants a new server instead.
func TestVitessOrc(t *testing.T) {
	find(t, "vtorc")
	v := openVitess(t, keyspace{"client", "semi_sync", []string{"0"}, 3})
	v.must(t, "ApplySchema", "--sql=CREATE TABLE t (id BIGINT PRIMARY KEY, note VARCHAR(100))", "client")
	web := emberd.FreePort(t)
	v.daemon(t, "vtorc", "--cell=zone", fmt.Sprint("--port=", web), "--instance-poll-time=1s", "--recovery-poll-duration=1s", "--topo-information-refresh-duration=2s")
	answers(t, web, "debug/health")
	c := openClients(t, func() int { return v.gate.port })

	const kills = 3
	for range kills {
		c.rate(5 * time.Second)
		killed := v.tablets[0]
		killed.failed.only(t, vitessFails...)
		killed.process.Kill()
		t.Logf("from the kill of %s to a commit: %v", killed.name, c.next(t).Round(time.Millisecond))
		require.NoError(t, killed.process.Launch())
		killed.failed = killed.watch()
		v.sourceFirst(t)
		require.NotEqual(t, killed, v.tablets[0])
		replica, source := killed, &v.tablets[0].server
		if alone := killed.alone(t, source); alone != "" {
			t.Logf("only %s has %s", killed.name, alone)
			v.tablets = slices.DeleteFunc(v.tablets, func(m *tablet) bool { return m == killed })
			v.addTablet(t, killed.shard)
			replica = v.tablets[len(v.tablets)-1]
		}
		testkit.Eventually(t, func() bool { return replica.follows(t, source) }, "%s does not follow", replica.name)
	}
	c.end(t, &v.gate)
	same(t, "vt_client", v.tablets)
	for _, m := range v.tablets {
		m.failed.only(t, vitessFails...)
	}
}

// sourceFirst puts the tablet whose server takes changes first.
func (v *vitess) sourceFirst(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		var sources []int
		for i, m := range v.tablets {
			var readOnly bool
			if err := m.db.QueryRow("SELECT @@read_only").Scan(&readOnly); err == nil && !readOnly {
				sources = append(sources, i)
			}
		}
		if len(sources) != 1 {
			return false
		}
		v.tablets[0], v.tablets[sources[0]] = v.tablets[sources[0]], v.tablets[0]
		return true
	}, "there is not one source")
}

// alone is what the server has and the source has not.
func (s *server) alone(t *testing.T, source *server) (set string) {
	t.Helper()
	var all string
	require.NoError(t, s.db.QueryRow("SELECT @@gtid_executed").Scan(&set))
	require.NoError(t, source.db.QueryRow("SELECT @@gtid_executed").Scan(&all))
	require.NoError(t, source.db.QueryRow("SELECT GTID_SUBTRACT(?, ?)", set, all).Scan(&set))
	return set
}

// follows tells whether the server applies what the source logs.
func (s *server) follows(t *testing.T, source *server) bool {
	t.Helper()
	var n int
	require.NoError(t, s.db.QueryRow(`SELECT COUNT(*) FROM performance_schema.replication_connection_configuration JOIN performance_schema.replication_connection_status USING (channel_name)
		JOIN performance_schema.replication_applier_status a USING (channel_name) WHERE port = ? AND replication_connection_status.service_state = 'ON' AND a.service_state = 'ON'`, source.port).Scan(&n))
	return n == 1
}
