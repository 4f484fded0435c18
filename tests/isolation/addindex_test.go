package isolation

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Others read the table while an index is added to it, and go on doing so the way they did until it
// is complete.
func TestReadsBesideAddIndex(t *testing.T) {
	t.Parallel()
	const rows, groups = 20_000, 10
	srv := emberd.Start(t)
	db := srv.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v INT NOT NULL, pad CHAR(50) NOT NULL)"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	const batch = 1000
	for from := 0; from < rows; from += batch {
		var values []string
		for id := from; id < from+batch; id++ {
			values = append(values, fmt.Sprintf("(%d, %d, 'x')", id, id%groups))
		}
		_, err := db.Exec("INSERT INTO d.t VALUES " + strings.Join(values, ", "))
		require.NoError(t, err)
	}
	stop, done := make(chan struct{}), make(chan error, 3)
	for _, read := range []struct {
		q    string
		text bool
		want int
	}{{"SELECT COUNT(*) FROM t WHERE v = ?", false, rows / groups}, {"SELECT COUNT(*) FROM t WHERE v = ?", true, rows / groups},
		{"SELECT COUNT(*) FROM (SELECT id FROM t WHERE v = ? ORDER BY id LIMIT 100) x", true, 100}} {
		go func() { done <- readAll(srv, read.q, read.text, read.want, stop) }()
	}
	for range 4 {
		_, err := db.Exec("ALTER TABLE d.t ADD INDEX v (v)")
		require.NoError(t, err)
		_, err = db.Exec("ALTER TABLE d.t DROP INDEX v")
		require.NoError(t, err)
	}
	close(stop)
	for range cap(done) {
		require.NoError(t, <-done)
	}
}

// readAll runs a query until it is stopped, and tells of an answer that is not the one wanted.
func readAll(srv *emberd.Server, q string, text bool, want int, stop chan struct{}) error {
	cfg := srv.Config("d")
	cfg.InterpolateParams = text
	c, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(c)
	defer db.Close()
	for n := 1; ; n++ {
		var got int
		if err := db.QueryRow(q, 3).Scan(&got); err != nil || got != want {
			return fmt.Errorf("%s: %d instead of %d at the %dth time, %v", q, got, want, n, err)
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// Who writes beside ADD UNIQUE INDEX is refused nothing that the index would refuse: the statement
// that adds it fails.
func TestDuplicatesBesideAddUniqueIndex(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	srv := emberd.Start(t)
	db := srv.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v INT NOT NULL)"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	_, err := db.Exec("INSERT INTO d.t WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT a.i * 1000 + b.i, a.i * 1000 + b.i FROM n a JOIN n b WHERE a.i < 20")
	require.NoError(t, err)
	stop, done, there := make(chan struct{}), make(chan error, 1), make(chan struct{})
	go func() {
		for id := rows; ; id++ { // rows of values that are there, some of which go again
			if id == rows+2 {
				close(there) // the one before stays
			}
			_, err := db.Exec("INSERT INTO d.t VALUES (?, ?)", id, id%rows)
			if err == nil && id%2 == 0 {
				_, err = db.Exec("DELETE FROM d.t WHERE id = ?", id)
			}
			if err != nil {
				done <- fmt.Errorf("row %d: %w", id, err)
				return
			}
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
		}
	}()
	testkit.Receive(t, there)
	for range 5 {
		_, err := db.Exec("ALTER TABLE d.t ADD UNIQUE INDEX v (v)")
		var my *mysql.MySQLError
		require.ErrorAs(t, err, &my)
		require.EqualValues(t, 1062, my.Number)
		require.Regexp(t, `^Duplicate entry '\d+' for key 't.v'$`, my.Message)
	}
	close(stop)
	require.NoError(t, <-done)
	_, err = db.Exec("DELETE FROM d.t WHERE id >= ?", rows)
	require.NoError(t, err)
	_, err = db.Exec("ALTER TABLE d.t ADD UNIQUE INDEX v (v)")
	require.NoError(t, err)
}
