package torture

import (
	"context"
	"database/sql"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Every row tells by its pad what its v is.
const (
	warmRows = 5000
	pad      = "REPEAT(CHAR(97 + v % 26), 900)"
)

// TestKilledWhileDumpingAndLoading kills a server that dumps and loads its LRU list without a
// pause, beside queries: a good list is there at any moment, and no page that the load brings is
// another than it should be.
func TestKilledWhileDumpingAndLoading(t *testing.T) {
	r := newRand(t)
	emberd.Build(t, "ember")
	s := emberd.Start(t, "--innodb-buffer-pool-size=32M", "--innodb-redo-log-capacity=32M", "--innodb-auto-lru-dump=1")
	db := s.Open("")
	for _, q := range []string{
		"CREATE DATABASE w",
		"CREATE TABLE w.t (id INT PRIMARY KEY, v BIGINT NOT NULL, pad VARCHAR(1000) NOT NULL)",
		"INSERT INTO w.t WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM n WHERE id < 1000) SELECT id, 0, '' FROM n",
	} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	for n := 1000; n < warmRows; n *= 2 {
		_, err := db.Exec("INSERT INTO w.t SELECT id + ?, 0, '' FROM w.t WHERE id <= ?", n, warmRows-n)
		require.NoError(t, err)
	}
	_, err := db.Exec("UPDATE w.t SET pad = " + pad)
	require.NoError(t, err)
	_, err = db.Exec("SET GLOBAL innodb_buffer_pool_dump_now = ON")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	testkit.Eventually(t, func() bool { return goodLists(t, s.Dir) > 0 })

	k := &killer{t, r, s}
	for range *kills {
		stop := disturb(s, r.Uint64())
		time.Sleep(time.Duration(r.IntN(1+1<<r.IntN(11))) * time.Millisecond)
		s.Kill()
		stop()
		require.Positive(t, goodLists(t, s.Dir))
		k.revive()
		checkPads(t, s)
	}
	require.NoError(t, s.Stop())
	checkDirectory(t, s.Dir)
}

// disturb dumps, loads, changes and reads until the server is gone. stop waits for that.
func disturb(s *emberd.Server, seed uint64) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i, q := range []string{"SET GLOBAL innodb_buffer_pool_dump_now = ON", "SET GLOBAL innodb_buffer_pool_load_now = ON", "SET GLOBAL innodb_buffer_pool_load_abort = ON",
		"UPDATE w.t SET v = v + 1, pad = " + pad + " WHERE id = ?", "SELECT pad FROM w.t WHERE id = ?"} {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			db := s.Open("")
			defer db.Close()
			for ctx.Err() == nil {
				var args []any
				if i > 2 {
					args = []any{1 + r.IntN(warmRows)}
				}
				_, _ = db.ExecContext(ctx, q, args...) // it fails when the server is gone, and a load cannot begin while one runs
				if i < 3 {
					time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
				}
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

var loading = regexp.MustCompile(`^(Loading|Loaded )`)

// goodLists counts the list files of a directory that verify. The newest may be missing for the
// moment between two renames.
func goodLists(t *testing.T, dir string) (n int) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), "inspect", "warm", dir, "--json").Output()
	var lists []struct{ Problem any }
	if json.Unmarshal(out, &lists) != nil {
		return 0 // none yet
	}
	require.NoError(t, err, "%s", out)
	for _, l := range lists {
		require.Nil(t, l.Problem)
	}
	return len(lists)
}

// checkPads reads every row while the load runs, and again when it has ended.
func checkPads(t *testing.T, s *emberd.Server) {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	check := func() {
		var rows int
		var wrong sql.NullInt64
		require.NoError(t, db.QueryRow("SELECT COUNT(*), SUM(pad <> "+pad+") FROM w.t").Scan(&rows, &wrong))
		require.Equal(t, warmRows, rows)
		require.Zero(t, wrong.Int64)
	}
	check()
	testkit.Eventually(t, func() bool {
		var name, status string
		require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'").Scan(&name, &status))
		require.NotContains(t, status, "Cannot")
		return status != "" && !loading.MatchString(status)
	})
	check()
}
