package replication

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// hotServer is a server of the test below, and a connection to it.
type hotServer struct {
	*emberd.Server
	t  *testing.T
	db *sql.DB
}

// startHot starts one that forgets over a restart what was in its pool.
func startHot(t *testing.T, id int, more ...string) *hotServer {
	t.Helper()
	s := emberd.Start(t, append([]string{"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", fmt.Sprintf("--server-id=%d", id),
		"--innodb-buffer-pool-size=48M", "--innodb-redo-log-capacity=128M", "--innodb-buffer-pool-load-at-startup=OFF",
		"--innodb-read-ahead-threshold=0", "--ember-hot-set-interval=1"}, more...)...)
	h := &hotServer{Server: s, t: t, db: s.Open("")}
	h.db.SetMaxOpenConns(1)
	t.Cleanup(func() { h.db.Close() })
	return h
}

func (h *hotServer) exec(queries ...string) {
	h.t.Helper()
	for _, q := range queries {
		_, err := h.db.Exec(q)
		require.NoError(h.t, err, q)
	}
}

func (h *hotServer) text(query string) (v string) {
	h.t.Helper()
	require.NoError(h.t, h.db.QueryRow(query).Scan(&v), query)
	return v
}

func (h *hotServer) number(query string) (n int) {
	h.t.Helper()
	require.NoError(h.t, h.db.QueryRow(query).Scan(&n), query)
	return n
}

func (h *hotServer) status(name string) int {
	h.t.Helper()
	return h.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = '" + name + "'")
}

// resident are the table's pages of rows in the pool.
func (h *hotServer) resident() int {
	h.t.Helper()
	return h.number("SELECT COALESCE(SUM(resident_pages), 0) FROM information_schema.EMBER_WARM_INDEXES WHERE table_schema = 'shop' AND index_name = 'PRIMARY'")
}

// readAll reads the rows in a random order, and returns how many of them were read in the first
// second, and the pages that were read from disk for all of them.
func (h *hotServer) readAll(rng *rand.Rand, ids []int) (first, reads int) {
	h.t.Helper()
	before, began := h.status("Innodb_buffer_pool_reads"), time.Now()
	q, err := h.db.Prepare("SELECT pad FROM shop.item WHERE id = ?")
	require.NoError(h.t, err)
	defer q.Close()
	for n, i := range rng.Perm(len(ids)) {
		var pad string
		require.NoError(h.t, q.QueryRow(ids[i]).Scan(&pad))
		if time.Since(began) < time.Second {
			first = n + 1
		}
	}
	return first, h.status("Innodb_buffer_pool_reads") - before
}

// A replica brings what is hot on its source into its pool: when the source is killed and it is
// promoted, it reads hardly any page from disk for what the source's clients read. Another replica,
// which is told not to, reads all of them.
func TestFailoverLandsWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	source := startHot(t, 1)
	source.exec("CREATE DATABASE shop", "CREATE TABLE shop.item (id INT PRIMARY KEY, k INT, pad VARCHAR(1000), KEY (k))",
		"CREATE USER repl@'%' IDENTIFIED WITH caching_sha2_password BY 'secret'", "GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
	const rows, group = 30_000, 500
	for from := 1; from <= rows; from += group {
		var values []string
		for id := from; id < from+group; id++ {
			values = append(values, fmt.Sprintf("(%d,%d,'%s')", id, id*7%rows, strings.Repeat(fmt.Sprint(id%10), 900)))
		}
		source.exec("INSERT INTO shop.item VALUES " + strings.Join(values, ","))
	}
	follow := func(h *hotServer) {
		h.exec(fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='repl', SOURCE_PASSWORD='secret', SOURCE_AUTO_POSITION=1, "+
			"GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=100000", source.Port), "START REPLICA")
	}
	warm, cold := startHot(t, 2), startHot(t, 3, "--ember-hot-set-load=OFF")
	done := source.text("SELECT @@gtid_executed")
	for _, h := range []*hotServer{warm, cold} {
		follow(h)
		require.Zero(t, h.number("SELECT WAIT_FOR_EXECUTED_GTID_SET('"+done+"')"))
	}
	for _, h := range []*hotServer{source, warm, cold} {
		require.NoError(t, h.Stop())
		require.NoError(t, h.Launch())
	}

	var hot []int
	for id := 1; id <= rows; id++ {
		if id > 10_000 && id <= 17_000 || id%300 == 0 {
			hot = append(hot, id)
		}
	}
	source.readAll(rng, hot)
	before, _ := source.readAll(rng, hot)
	most := func(n, of int) bool { return 20*n >= 19*of } // inner pages have no names
	testkit.Eventually(t, func() bool { return most(source.status("Ember_hot_set_pages"), source.resident()) }, "the source names its pages")
	testkit.Eventually(t, func() bool {
		return most(warm.resident(), source.resident()) && warm.status("Ember_hot_set_wanted_pages") <= warm.status("Ember_hot_set_resident_pages")
	}, "the replica is as warm as its source")
	pages := source.resident()
	t.Logf("%d hot pages, %d bytes sent in %d ranges", pages, source.status("Ember_hot_set_sent_bytes"), warm.status("Ember_hot_set_received_ranges"))
	require.Zero(t, warm.status("Ember_hot_set_refused"))
	require.Zero(t, cold.status("Ember_hot_set_received_bytes"))
	require.Equal(t, 1, source.status("Ember_hot_set_followers"), "a replica that is told not to does not ask")

	source.Kill()
	for _, h := range []*hotServer{warm, cold} {
		h.exec("STOP REPLICA", "RESET REPLICA ALL")
	}
	first, reads := warm.readAll(rng, hot)
	without, all := cold.readAll(rng, hot)
	t.Logf("rows in the first second: source %d, promoted replica %d, without the hot set %d; pages read from disk: %d, without %d", before, first, without, reads, all)
	require.Less(t, reads, pages/20)
	require.Greater(t, all, pages*3/4)
	require.Zero(t, warm.status("Ember_hot_set_received_ranges"), "it is nobody's replica any more")
}
