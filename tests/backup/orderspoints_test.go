package backup

import (
	"database/sql"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// sample is a moment of the load, and what the source had committed then.
type sample struct {
	at       time.Time
	id       string // the source's
	executed int64  // transactions
}

// TestPointsOfOrders restores a backup of the TPC-C-like load to random times and transactions
// behind it. Each restore must have the rows and the definitions of a replica that was stopped at
// the same transaction.
func TestPointsOfOrders(t *testing.T) {
	o := startOrders(t)
	place := t.TempDir()
	o.take(t, place, "--fresh")
	var samples []sample
	for range 2**rounds + 1 {
		time.Sleep(time.Duration(300+o.rng.IntN(700)) * time.Millisecond)
		samples = append(samples, o.sample(t))
	}
	require.NoError(t, o.end())
	run(t, "backup", "log", "--socket", o.s.Socket, "--to", place, "--quiet", "--once")
	follower := o.follower(t)
	ember := programs(t)
	which := o.rng.Perm(len(samples) - 1)[:*rounds]
	slices.Sort(which)
	for n, i := range which {
		goal := fmt.Sprintf("--to-gtid=%s:1-%d", samples[i].id, samples[i].executed)
		if n%2 == 0 {
			goal = "--to-time=" + samples[i].at.Format(time.RFC3339Nano)
		}
		r := emberd.Prepare(t, o.s.Args...)
		out, err := exec.Command(ember, "restore", "--from", place, "--datadir", r.Dir, "--quiet", goal).CombinedOutput()
		require.NoError(t, err, string(out))
		require.NoError(t, r.Launch())
		got := executedOf(t, open(t, r, ""))
		if n%2 == 0 { // a transaction has its time a little before it is seen
			require.GreaterOrEqual(t, got, samples[i].executed, goal)
			require.LessOrEqual(t, got, samples[i+1].executed, goal)
		} else {
			require.Equal(t, samples[i].executed, got, goal)
		}
		stopAt(t, open(t, follower, ""), samples[i].id, got)
		require.Equal(t, contentsOf(t, follower), contentsOf(t, r), "%s: transaction %d", goal, got)
		require.NoError(t, r.Stop())
		run(t, "check", r.Dir, "--quiet")
		t.Logf("%s: equal to the replica at transaction %d of %d", goal, got, samples[len(samples)-1].executed)
	}
}

func (o *orders) sample(t *testing.T) sample {
	t.Helper()
	db := o.s.Open("")
	defer db.Close()
	s := sample{executed: executedOf(t, db), id: column(t, db, "SELECT @@server_uuid")[0]}
	s.at = time.Now()
	return s
}

// executedOf is how many transactions of its source a server has, which are those up to a number.
func executedOf(t *testing.T, db *sql.DB) int64 {
	t.Helper()
	set := column(t, db, "SELECT @@gtid_executed")[0]
	_, last, ok := strings.Cut(set, ":1-")
	require.True(t, ok, set)
	n, err := strconv.ParseInt(last, 10, 64)
	require.NoError(t, err, set)
	return n
}

// follower is a replica of the load's server that has nothing yet.
func (o *orders) follower(t *testing.T) *emberd.Server {
	t.Helper()
	f := emberd.Start(t, append(slices.Clone(o.s.Args), "--server-id=2")...)
	exec1(t, open(t, f, ""), fmt.Sprintf(`CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='root', SOURCE_AUTO_POSITION=1,
		GET_SOURCE_PUBLIC_KEY=1`, o.s.Port))
	return f
}

// stopAt has a replica follow until it has the source's transactions up to a number.
func stopAt(t *testing.T, db *sql.DB, source string, number int64) {
	t.Helper()
	if set := column(t, db, "SELECT @@gtid_executed")[0]; set != "" && executedOf(t, db) == number {
		return
	}
	exec1(t, db, fmt.Sprintf("START REPLICA UNTIL SQL_AFTER_GTIDS = '%s:1-%d'", source, number))
	testkit.Eventually(t, func() bool {
		return column(t, db, "SELECT SERVICE_STATE FROM performance_schema.replication_applier_status")[0] == "OFF"
	}, "the replica does not stop")
	require.Equal(t, number, executedOf(t, db))
	exec1(t, db, "STOP REPLICA")
}

// contentsOf is each table's definition, its number of rows and a sum of them.
func contentsOf(t *testing.T, s *emberd.Server) string {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	var out strings.Builder
	out.WriteString(definitions(t, s))
	for _, name := range column(t, db, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('tpcc', 'side') ORDER BY 1") {
		columns := column(t, db, fmt.Sprintf(`SELECT GROUP_CONCAT('QUOTE(', COLUMN_NAME, ')') FROM information_schema.COLUMNS
			WHERE CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) = '%s'`, name))[0]
		out.WriteString(name + " ")
		rowsOf(t, db, fmt.Sprintf("SELECT COUNT(*), SUM(CRC32(CONCAT_WS(',', %s))) FROM %s", columns, name), &out)
	}
	return out.String()
}
