package isolation

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Writers go on while ALTER TABLE copies a table, where MySQL lets them, and no change is lost: each
// transaction changes table t and one that is left alone in the same way.
func TestWritesBesideAlterTable(t *testing.T) {
	t.Parallel()
	srv := emberd.Start(t)
	db := srv.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY AUTO_INCREMENT, v INT NOT NULL, u INT UNIQUE, pad VARCHAR(40), KEY (v))",
		"INSERT INTO d.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT (a.i - 1) * 1000 + b.i, a.i, (a.i - 1) * 1000 + b.i, 'as it was' FROM n a JOIN n b WHERE a.i < 101",
		"CREATE TABLE d.alone LIKE d.t", "INSERT INTO d.alone SELECT * FROM d.t"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	var commits spans
	stop, done := make(chan struct{}), make(chan error, 3)
	seed := testkit.Seed(t)
	for n := range cap(done) {
		go func() { done <- changeBoth(srv, rand.New(rand.NewPCG(seed, uint64(n))), &commits, stop) }()
	}
	for _, changes := range [][]string{{"FORCE"}, {"ADD COLUMN first_one INT DEFAULT 7 FIRST", "DROP COLUMN first_one"},
		{"MODIFY v INT NULL", "MODIFY v INT NOT NULL"}, {"ENGINE=InnoDB, LOCK=NONE"}} {
		testkit.Eventually(t, func() bool {
			beside := true
			for _, q := range changes {
				begun := time.Now()
				_, err := db.Exec("ALTER TABLE d.t " + q)
				require.NoError(t, err, q)
				fifth := time.Since(begun) / 5
				beside = commits.within(begun.Add(fifth), begun.Add(4*fifth)) && beside
			}
			return beside
		}, changes)
	}
	close(stop)
	for range cap(done) {
		require.NoError(t, <-done)
	}
	endsAtTimeout(t, srv)
	for _, x := range []string{"PRIMARY", "v", "u"} {
		var differ int
		require.NoError(t, db.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM (SELECT 1 FROM (SELECT id, v, u, pad FROM d.t FORCE INDEX (%s) UNION ALL SELECT id, v, u, pad FROM d.alone) x "+
			"GROUP BY id, v, u, pad HAVING COUNT(*) <> 2) y", x)).Scan(&differ))
		require.Zero(t, differ, "by %s", x)
	}
	var text string
	require.NoError(t, db.QueryRow("CHECK TABLE d.t").Scan(new(string), new(string), new(string), &text))
	require.Equal(t, "OK", text)
}

// endsAtTimeout has an ALTER TABLE copy rows when a transaction begins, which it cannot end before.
func endsAtTimeout(t *testing.T, srv *emberd.Server) {
	t.Helper()
	db := srv.Open("d")
	defer db.Close()
	alter, err := db.Conn(t.Context())
	require.NoError(t, err)
	_, err = alter.ExecContext(t.Context(), "SET lock_wait_timeout = 1")
	require.NoError(t, err)
	testkit.Eventually(t, func() bool {
		ended := make(chan error, 1)
		go func() {
			_, err := alter.ExecContext(t.Context(), "ALTER TABLE t FORCE")
			ended <- err
		}()
		time.Sleep(30 * time.Millisecond)
		tx, err := db.Begin()
		require.NoError(t, err)
		defer tx.Rollback() //nolint:errcheck // it ends here anyway
		_, err = tx.Exec("UPDATE t SET v = v + 1 WHERE id = 1")
		require.NoError(t, err)
		var my *mysql.MySQLError
		return errors.As(testkit.Receive(t, ended), &my) && my.Number == 1205 // else it ended before the transaction began
	})
}

// spans tell when transactions began and ended.
type spans struct {
	mu  sync.Mutex
	all [][2]time.Time
}

func (s *spans) add(begun time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, [2]time.Time{begun, time.Now()})
}

// within tells whether a transaction began and ended between from and to.
func (s *spans) within(from, to time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.all, func(x [2]time.Time) bool { return x[0].After(from) && x[1].Before(to) })
}

// changeBoth runs transactions that do the same to both tables, until it is stopped.
func changeBoth(srv *emberd.Server, rnd *rand.Rand, commits *spans, stop chan struct{}) error {
	db := srv.Open("d")
	defer db.Close()
	for {
		begun := time.Now()
		err := changeOnce(db, rnd)
		var my *mysql.MySQLError
		switch {
		case err == nil:
			commits.add(begun)
		case !errors.As(err, &my) || my.Number != 1062 && my.Number != 1205 && my.Number != 1213 && my.Number != 1412:
			return err
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

func changeOnce(db *sql.DB, rnd *rand.Rand) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	id, other, kind := rnd.IntN(105_000), rnd.IntN(120_000), rnd.IntN(4)
	for _, table := range []string{"t", "alone"} {
		switch kind {
		case 0:
			_, err = tx.Exec("DELETE FROM "+table+" WHERE id = ?", id)
		case 1:
			_, err = tx.Exec("INSERT INTO "+table+" (id, v, u, pad) VALUES (?, ?, ?, 'new') ON DUPLICATE KEY UPDATE v = v + 1", id, other, other)
		case 2:
			_, err = tx.Exec("UPDATE "+table+" SET v = ?, pad = CONCAT('changed ', v) WHERE id BETWEEN ? AND ?", other, id, id+5)
		default:
			_, err = tx.Exec("UPDATE IGNORE "+table+" SET id = ?, u = NULL WHERE id = ?", other, id)
		}
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if rnd.IntN(6) == 0 {
		return tx.Rollback()
	}
	return tx.Commit()
}
