package isolation

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
	"emberdb/tests/history"
)

var histories = flag.Int("transactions", 500, "transactions of the random history")

const (
	listKeys     = 12
	setKeys      = 3
	registerKeys = 5
	setLife      = 300 // elements added anywhere before other sets take the place of the present ones
	historyDB    = "iso_history"
	roundTxns    = 20_000
)

// recorder runs random transactions and writes down what happened.
type recorder struct {
	srv    *emberd.Server
	start  time.Time
	elem   atomic.Int64
	begun  atomic.Int64
	killed atomic.Bool // the server is going away

	mu   sync.Mutex
	txns []*history.Txn

	count  int64 // transactions wanted
	behind int   // transactions on the replica
	bad    error
}

func (r *recorder) now() int64 { return time.Since(r.start).Nanoseconds() }

// TestHistory lets clients at all isolation levels write to lists, sets and registers and read
// them, beside changes of the tables' definitions, a kill -9 and a replica, and looks for what the
// levels forbid (package history). Rounds begin with an empty server.
func TestHistory(t *testing.T) {
	if *dsn != "" {
		t.Skip("kills its server")
	}
	seed := testkit.Seed(t)
	for left := int64(*histories); left > 0; left -= roundTxns {
		historyRound(t, seed+uint64(left), min(left, roundTxns))
	}
}

func historyRound(t *testing.T, seed uint64, count int64) {
	r := &recorder{srv: emberd.Start(t, "--log-bin=binlog", "--server-id=5"), start: time.Now(), count: count}
	defer r.srv.Kill()
	db := r.srv.Open("")
	defer db.Close()
	r.setUp(t, db)
	replica := emberd.Start(t, "--server-id=7")
	defer replica.Kill()
	follow(t, replica, r.srv.Port)
	var clients, beside sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			c := &hClient{r: r, srv: r.srv, name: fmt.Sprintf("c%d", i), rnd: rand.New(rand.NewPCG(seed, uint64(i)))}
			c.run(t.Context(), i%2 == 0)
		})
	}
	stop := make(chan struct{})
	beside.Go(func() { r.changeTables(rand.New(rand.NewPCG(seed, 99)), stop) })
	beside.Go(func() {
		c := &hClient{r: r, srv: replica, name: "replica", rnd: rand.New(rand.NewPCG(seed, 98))}
		c.follow(t.Context(), stop)
	})
	for r.begun.Load() < count/2 && r.failure() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	r.killed.Store(true)
	r.srv.Kill()
	require.NoError(t, r.srv.Launch())
	r.killed.Store(false)
	clients.Wait()
	close(stop)
	beside.Wait()
	require.NoError(t, r.failure())
	r.readAll(t, seed)
	ends, levels, reads := map[history.Outcome]int{}, map[history.Level]int{}, 0
	for _, x := range r.txns {
		if ends[x.Outcome]++; x.Outcome == history.Committed {
			levels[x.Level]++
		}
		reads += len(x.Reads)
	}
	t.Logf("seed %d: %d committed %v, %d rolled back, %d unknown; %d reads, %d transactions on the replica", seed, ends[history.Committed], levels, ends[history.Aborted],
		ends[history.Unknown], reads, r.behind)
	require.Greater(t, int64(ends[history.Committed]), count/4)
	require.NoError(t, history.Check(r.txns))
	var table, op, kind, text string
	for _, name := range []string{"lists", "sets", "registers"} {
		require.NoError(t, db.QueryRow("CHECK TABLE "+historyDB+"."+name).Scan(&table, &op, &kind, &text))
		require.Equal(t, "OK", text, table)
	}
}

// readAll reads everything at the end.
func (r *recorder) readAll(t *testing.T, seed uint64) {
	c := &hClient{r: r, srv: r.srv, name: "last", rnd: rand.New(rand.NewPCG(seed, 100))}
	require.NoError(t, c.connect(t.Context(), false))
	defer c.close()
	require.NoError(t, c.setLevel(t.Context(), history.ReadCommitted))
	for _, read := range []func(ctx context.Context) error{
		func(ctx context.Context) error { return c.readLists(ctx, "SELECT k, v FROM lists", nil, false) },
		func(ctx context.Context) error { return c.readRegisters(ctx, "SELECT k, e FROM registers", nil, false) },
	} {
		require.NoError(t, c.single(t.Context(), read))
	}
	for k := range r.elem.Load()/setLife + 1 {
		for i := range setKeys {
			require.NoError(t, c.single(t.Context(), func(ctx context.Context) error { return c.readSet(ctx, int(k)*setKeys+i, "") }))
		}
	}
}

// follow makes a server a replica of another.
func follow(t *testing.T, s *emberd.Server, port int) {
	db := s.Open("")
	defer db.Close()
	for _, q := range []string{fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='root', SOURCE_LOG_FILE='binlog.000001', SOURCE_LOG_POS=4, "+
		"GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=100000", port), "START REPLICA"} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
}

// setUp makes the tables. A transaction of its own writes the first value of each register.
func (r *recorder) setUp(t *testing.T, db *sql.DB) {
	for _, q := range []string{"CREATE DATABASE " + historyDB,
		"CREATE TABLE " + historyDB + ".lists (id BIGINT PRIMARY KEY, k INT NOT NULL, g INT NOT NULL, n INT NOT NULL, u BIGINT NOT NULL, v MEDIUMTEXT NOT NULL, " +
			"UNIQUE KEY (k), KEY (g), KEY n (n), UNIQUE KEY (u))",
		"CREATE TABLE " + historyDB + ".sets (id BIGINT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL, e INT NOT NULL, pad VARCHAR(100) NOT NULL DEFAULT '', KEY k (k), UNIQUE KEY e (e, k))",
		"CREATE TABLE " + historyDB + ".registers (k INT PRIMARY KEY, e INT NOT NULL, n INT NOT NULL, KEY n (n))"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	for k := range listKeys {
		pad := strings.Repeat("x", []int{0, 200, 9000}[k%3]) // some long enough to stand outside the row
		_, err := db.Exec(fmt.Sprintf("INSERT INTO %s.lists VALUES (%d, %d, %d, 0, %d, '%s|')", historyDB, k, k, k%3, k, pad))
		require.NoError(t, err)
	}
	first := &history.Txn{Name: "first", Level: history.ReadCommitted, Outcome: history.Committed}
	for k := range registerKeys {
		e := int(r.elem.Add(1))
		_, err := db.Exec(fmt.Sprintf("INSERT INTO %s.registers VALUES (%d, %d, 0)", historyDB, k, e))
		require.NoError(t, err)
		first.Writes = append(first.Writes, history.Write{Key: registerKey(k), Elem: e})
	}
	first.End = r.now()
	r.txns = append(r.txns, first)
}

func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bad == nil {
		r.bad = err
	}
}

func (r *recorder) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bad
}

// changeTables changes definitions beside the clients.
func (r *recorder) changeTables(rnd *rand.Rand, stop chan struct{}) {
	db := r.srv.Open(historyDB)
	defer db.Close()
	column := 0
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Duration(5+rnd.IntN(60)) * time.Millisecond):
		}
		column++
		q := []string{"ALTER TABLE lists ADD INDEX extra (n, k)", "ALTER TABLE lists DROP INDEX extra", "ALTER TABLE lists DROP INDEX n", "ALTER TABLE lists ADD INDEX n (n)",
			fmt.Sprintf("ALTER TABLE sets ADD COLUMN c%d INT DEFAULT %d", column, column), "ALTER TABLE sets ENGINE=InnoDB", "ALTER TABLE sets DROP INDEX k", "ALTER TABLE sets ADD INDEX k (k)",
			"ALTER TABLE sets DROP INDEX k", "ALTER TABLE sets ADD INDEX k (k, e)", "ALTER TABLE registers DROP INDEX n", "ALTER TABLE registers ADD INDEX n (n)",
			"ALTER TABLE registers ADD INDEX extra (n, e)", "ALTER TABLE registers DROP INDEX extra"}[rnd.IntN(14)]
		_, err := db.Exec(q)
		var my *mysql.MySQLError
		if err != nil && (!errors.As(err, &my) || !slices.Contains([]uint16{1061, 1091, 1205, 1213}, my.Number)) && !r.goneAway(err) {
			r.fail(fmt.Errorf("%s: %w", q, err))
			return
		}
	}
}

// goneAway tells the errors of a server that was killed.
func (r *recorder) goneAway(err error) bool {
	var my *mysql.MySQLError
	return !errors.As(err, &my) && (r.killed.Load() || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn))
}
