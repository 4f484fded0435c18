package replication

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// TestThreadsAreListed finds the threads of replication in the process lists of source and replica,
// under the names by which monitors look for them, and ends them by KILL.
func TestThreadsAreListed(t *testing.T) {
	p := newPair(t, "--replica-parallel-workers=2")
	p.at(p.s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)")
	p.replica.wait(t, p.s)
	const sent = "Source has sent all binlog to replica; waiting for more updates"
	testkit.Eventually(t, func() bool { return listed(t, p.s, "command LIKE 'Binlog Dump%'") == "root Binlog Dump GTID "+sent }, sent)
	const worker = ",system user Connect Waiting for an event from Coordinator"
	want := "connecting host: system user Connect Waiting for source to send event" + worker + worker +
		",system user Query Replica has read all relay log; waiting for more updates"
	testkit.Eventually(t, func() bool { return systemThreads(t, p.r) == want }, want)
	require.Equal(t, 4, p.count("SELECT COUNT(*) FROM performance_schema.threads WHERE name IN ('thread/sql/replica_io', 'thread/sql/replica_sql', 'thread/sql/replica_worker')"))
	require.Equal(t, 4, p.count("SELECT COUNT(*) FROM sys.processlist WHERE user LIKE 'sql/replica%'"))
	require.Equal(t, 1, p.count("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Threads_connected'"), "workers are no clients")

	for _, thread := range []struct{ name, shown string }{{"replica_io", "Replica_IO_Running"}, {"replica_sql", "Replica_SQL_Running"}} {
		p.at(p.r, fmt.Sprintf("KILL %d", p.count("SELECT processlist_id FROM performance_schema.threads WHERE name = 'thread/sql/"+thread.name+"'")))
		p.state(thread.shown, "No")
	}
	// A worker ends behind the thread that rules it.
	testkit.Eventually(t, func() bool { return systemThreads(t, p.r) == "" }, "no threads")
	p.at(p.r, "START REPLICA")
	p.at(p.s, "INSERT INTO d.t VALUES (1)")
	p.replica.wait(t, p.s)
	testkit.Eventually(t, func() bool { return systemThreads(t, p.r) == want }, want)
}

// listed describes processes, in the order of their commands and states.
func listed(t *testing.T, db *sql.DB, where string) string {
	t.Helper()
	var text sql.NullString
	require.NoError(t, db.QueryRow("SELECT GROUP_CONCAT(CONCAT(IF(host LIKE 'connecting%', CONCAT(host, ': '), ''), user, ' ', command, ' ', state) "+
		"ORDER BY host = 'connecting host' DESC, command, state) FROM information_schema.processlist WHERE "+where).Scan(&text))
	return text.String
}

func systemThreads(t *testing.T, db *sql.DB) string {
	t.Helper()
	return strings.TrimSpace(listed(t, db, "user = 'system user'"))
}
