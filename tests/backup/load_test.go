package backup

import (
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var rounds = flag.Int("rounds", 2, "how often a backup is restored, and how often something is killed")

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// options of servers: the pool is smaller than the data, so that pages are written all the time.
var options = []string{"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--innodb-buffer-pool-size=16M", "--innodb-redo-log-capacity=64M",
	"--max-binlog-size=1M"}

// tool runs ember.
func tool(t *testing.T, args ...string) (output string, code int) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), args...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), exit.ExitCode()
	}
	require.NoError(t, err)
	return string(out), 0
}

// run runs ember and wants it to succeed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	out, code := tool(t, args...)
	require.Zero(t, code, "ember %s\n%s", strings.Join(args, " "), out)
	return out
}

func open(t *testing.T, s *emberd.Server, database string) *sql.DB {
	t.Helper()
	db := s.Open(database)
	t.Cleanup(func() { db.Close() })
	return db
}

func exec1(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, q := range statements {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
}

const (
	accounts = 400
	amount   = 1000
	writers  = 4
	// coldDoublings makes a table that the load does not touch and the pool does not hold: 45 MB.
	coldDoublings = 5
)

// fill makes the tables of the load.
func fill(t *testing.T, db *sql.DB) {
	t.Helper()
	exec1(t, db, "CREATE DATABASE bank", "USE bank",
		"CREATE TABLE bank.account (id INT PRIMARY KEY, amount INT NOT NULL, pad VARCHAR(2000), KEY (amount))",
		"CREATE TABLE bank.move (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer INT, n BIGINT, account INT, amount INT, pad VARCHAR(2000), KEY (writer, n), KEY (account))")
	for at := 1; at <= accounts; at += 100 {
		var rows []string
		for id := at; id < at+100; id++ {
			rows = append(rows, fmt.Sprintf("(%d, %d, REPEAT('x', 1500))", id, amount))
		}
		exec1(t, db, "INSERT INTO bank.account VALUES "+strings.Join(rows, ","))
	}
	exec1(t, db, "CREATE TABLE bank.cold (id INT AUTO_INCREMENT PRIMARY KEY, pad VARCHAR(4000))",
		"INSERT INTO bank.cold (pad) SELECT REPEAT('c', 3500) FROM bank.account")
	for range coldDoublings {
		exec1(t, db, "INSERT INTO bank.cold (pad) SELECT pad FROM bank.cold")
	}
}

// load is the load on a server.
type load struct {
	t     *testing.T
	db    *sql.DB
	stop  atomic.Bool
	work  sync.WaitGroup
	acked [writers]atomic.Int64
}

func startLoad(t *testing.T, s *emberd.Server, seed uint64) *load {
	l := &load{t: t, db: open(t, s, "bank")}
	for w := range writers {
		rng := rand.New(rand.NewPCG(seed, uint64(w)))
		l.work.Go(func() {
			for n := int64(1); !l.stop.Load(); n++ {
				if err := l.move(w, n, rng); err != nil {
					if !l.stop.Load() {
						t.Errorf("writer %d: %v", w, err)
					}
					return
				}
				l.acked[w].Store(n)
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	l.work.Go(func() { l.definitions(rand.New(rand.NewPCG(seed, writers))) })
	return l
}

// move moves an amount and notes it, as one transaction.
func (l *load) move(w int, n int64, rng *rand.Rand) error {
	by := rng.IntN(10)
	from, to := rng.IntN(accounts)+1, rng.IntN(accounts)+1
	if from > to { // no deadlocks
		from, to, by = to, from, -by
	}
	tx, err := l.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range []struct{ id, by int }{{from, -by}, {to, by}} {
		if _, err := tx.Exec(fmt.Sprintf("UPDATE account SET amount = amount + %d WHERE id = %d", step.by, step.id)); err != nil {
			return err
		}
		if _, err := tx.Exec(fmt.Sprintf("INSERT INTO move (writer, n, account, amount, pad) VALUES (%d, %d, %d, %d, REPEAT('m', %d))", w, n, step.id, step.by, rng.IntN(500))); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// definitions makes, fills, alters, truncates and drops tables.
func (l *load) definitions(rng *rand.Rand) {
	for n := 0; !l.stop.Load(); n++ {
		name := fmt.Sprintf("t%d", n)
		statements := []string{"DROP TABLE IF EXISTS " + name + ", " + name + "_x", "CREATE TABLE " + name + " (id INT AUTO_INCREMENT PRIMARY KEY, a INT, pad VARCHAR(2000))",
			"INSERT INTO " + name + " (a, pad) SELECT id, pad FROM account LIMIT 100"}
		for _, q := range []string{"ALTER TABLE %s ADD INDEX (a)", "ALTER TABLE %s ADD COLUMN b INT DEFAULT 3", "RENAME TABLE %s TO %[1]s_x, %[1]s_x TO %[1]s", "TRUNCATE TABLE %s",
			"ALTER TABLE %s MODIFY COLUMN a BIGINT"} {
			if rng.IntN(2) == 0 {
				statements = append(statements, fmt.Sprintf(q, name))
			}
		}
		if rng.IntN(4) > 0 {
			statements = append(statements, "DROP TABLE "+name)
		}
		for _, q := range statements {
			if _, err := l.db.Exec(q); err != nil && !l.stop.Load() {
				l.t.Errorf("%s: %v", q, err)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func (l *load) end() {
	l.stop.Store(true)
	l.work.Wait()
}

// seen is what each writer had acknowledged.
func (l *load) seen() (n [writers]int64) {
	for w := range n {
		n[w] = l.acked[w].Load()
	}
	return n
}

// look checks the state of a restored server: one of those that the source had between the
// acknowledgements given.
func look(t *testing.T, db *sql.DB, before, after [writers]int64) {
	t.Helper()
	var sum int64
	require.NoError(t, db.QueryRow("SELECT SUM(amount) FROM bank.account").Scan(&sum))
	require.EqualValues(t, accounts*amount, sum)
	var wrong int64
	require.NoError(t, db.QueryRow(`SELECT COUNT(*) FROM bank.account a LEFT JOIN (SELECT account, SUM(amount) AS moved FROM bank.move GROUP BY account) m ON m.account = a.id
		WHERE a.amount <> `+fmt.Sprint(amount)+` + COALESCE(m.moved, 0)`).Scan(&wrong))
	require.Zero(t, wrong, "accounts that differ from their moves")
	for w := range writers {
		var newest, rows int64
		require.NoError(t, db.QueryRow("SELECT COALESCE(MAX(n), 0), COUNT(*) FROM bank.move WHERE writer = ?", w).Scan(&newest, &rows))
		require.Equal(t, 2*newest, rows, "writer %d", w)
		require.GreaterOrEqual(t, newest, before[w], "writer %d: acknowledged before the backup ended", w)
		require.LessOrEqual(t, newest, after[w]+1, "writer %d: begun behind the backup's end", w)
	}
}

// lookCold checks the rows that the load does not touch.
func lookCold(t *testing.T, db *sql.DB) {
	t.Helper()
	var cold int64
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM bank.cold WHERE pad = REPEAT('c', 3500)").Scan(&cold))
	require.EqualValues(t, accounts<<coldDoublings, cold)
}

// waitComplete waits until all pages of a restored server are in its directory.
func waitComplete(t *testing.T, s *emberd.Server) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		_, err := os.Stat(s.Dir + "/ember.fetch/state")
		return os.IsNotExist(err)
	}, "the pages of the backup do not come")
}
