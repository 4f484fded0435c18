package replication

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var (
	lives    = flag.Int("lives", 1, "how often the server is killed with each pair of sync_binlog and innodb_flush_log_at_trx_commit")
	lifetime = flag.Duration("lifetime", 200*time.Millisecond, "time of load between the first commit and each of these kills")
)

// TestSettings kills a server whose commits wait for less than the defaults do: its log and its
// tables still tell the same, and what a client was told is lost only where the settings allow it.
func TestSettings(t *testing.T) {
	s := emberd.Start(t, options...)
	db := s.Open("")
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.counter (id INT PRIMARY KEY, n INT)", "INSERT INTO d.counter VALUES (0, 0), (1, 0), (2, 0), (3, 0)",
		"CREATE TABLE d.entry (id INT PRIMARY KEY, n INT)"} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	require.NoError(t, db.Close())
	for _, sync := range []int{0, 1, 100} {
		for _, flush := range []int{0, 1, 2} {
			told, lost := 0, 0
			for range *lives {
				s.Kill()
				s.Args = append(options[:len(options):len(options)], fmt.Sprintf("--sync-binlog=%d", sync), fmt.Sprintf("--innodb-flush-log-at-trx-commit=%d", flush))
				require.NoError(t, s.Launch())
				acknowledged := enter(t, s)
				require.NoError(t, s.Launch())
				executed(t, s, readLog(t, s))
				rows := tablesOf(t, s)
				require.Equal(t, loggedRows(t, s), rows, "sync_binlog=%d, innodb_flush_log_at_trx_commit=%d", sync, flush)
				for _, id := range acknowledged {
					if told++; rows["entry"][id] == 0 {
						lost++
					}
				}
			}
			if flush != 0 { // a kill takes what is in the process, not what the system has
				require.Zero(t, lost, "sync_binlog=%d, innodb_flush_log_at_trx_commit=%d", sync, flush)
			}
			t.Logf("sync_binlog=%d, innodb_flush_log_at_trx_commit=%d: %d kills, %d transactions acknowledged, %d lost", sync, flush, *lives, told, lost)
		}
	}
}

// enter counts and enters until the server is killed, and returns the ids of the entries that were
// acknowledged.
func enter(t *testing.T, s *emberd.Server) (acknowledged []int64) {
	t.Helper()
	db := s.Open("d")
	defer db.Close()
	var first int64
	require.NoError(t, db.QueryRow("SELECT COALESCE(MAX(id), 0) + 1 FROM entry").Scan(&first))
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range int64(4) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for id := first + i; count(db, i, id) == nil; id += 4 {
				mu.Lock()
				acknowledged = append(acknowledged, id)
				mu.Unlock()
			}
		}()
	}
	testkit.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged) > 0
	})
	time.Sleep(*lifetime)
	s.Kill()
	wg.Wait()
	return acknowledged
}

func count(db *sql.DB, counter, id int64) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // it was committed, or nobody is there
	if _, err := tx.Exec("UPDATE counter SET n = n + 1 WHERE id = ?", counter); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO entry SELECT ?, n FROM counter WHERE id = ?", id, counter); err != nil {
		return err
	}
	return tx.Commit()
}

// tablesOf are the rows of the two tables: n by id.
func tablesOf(t *testing.T, s *emberd.Server) map[string]map[int64]int64 {
	t.Helper()
	db := s.Open("d")
	defer db.Close()
	all := map[string]map[int64]int64{}
	for _, table := range []string{"counter", "entry"} {
		all[table] = map[int64]int64{}
		rows, err := db.QueryContext(context.Background(), "SELECT id, n FROM "+table)
		require.NoError(t, err)
		for rows.Next() {
			var id, n int64
			require.NoError(t, rows.Scan(&id, &n))
			all[table][id] = n
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return all
}

// loggedRows are the rows that the log's events make.
func loggedRows(t *testing.T, s *emberd.Server) map[string]map[int64]int64 {
	t.Helper()
	all := map[string]map[int64]int64{"counter": {}, "entry": {}}
	for _, path := range logFiles(t, s) {
		require.NoError(t, replication.NewBinlogParser().ParseFile(path, 0, func(e *replication.BinlogEvent) error {
			x, ok := e.Event.(*replication.RowsEvent)
			if !ok {
				return nil
			}
			for _, row := range x.Rows { // an update's two images have the same key
				all[string(x.Table.Table)][int64(row[0].(int32))] = int64(row[1].(int32))
			}
			return nil
		}), path)
	}
	return all
}
