package replication

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var chainKills = flag.Int("chainkills", 3, "how often a link of the chain is killed")

// link is a server of a chain: each follows the one before it.
type link struct {
	replica
	port int
}

// newLink is the server that -replica names so, or one of this build.
func newLink(t *testing.T, id int, name string) *link {
	t.Helper()
	l := &link{replica: replica{name: name, byGTID: follows[name] != "position"}}
	if dsn := replicas[name]; dsn != "" {
		cfg, err := mysql.ParseDSN(dsn)
		require.NoError(t, err)
		cfg.Logger = &mysql.NopLogger{}
		c, err := mysql.NewConnector(cfg)
		require.NoError(t, err)
		l.open, l.kill, l.start = func() *sql.DB { return sql.OpenDB(c) }, shell(stops[name]), shell(starts[name])
	} else {
		s := emberd.Start(t, "--log-bin=binlog", fmt.Sprintf("--server-id=%d", 40+id), "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--log-replica-updates=ON",
			"--max-binlog-size=4M", "--innodb-buffer-pool-size=64M", "--innodb-redo-log-capacity=64M")
		l.ember, l.open = true, func() *sql.DB { return s.Open("") }
		l.kill, l.start = func(*testing.T) { s.Kill() }, func(t *testing.T) { require.NoError(t, s.Launch()) }
	}
	db := l.open()
	defer db.Close()
	require.NoError(t, db.QueryRow("SELECT @@port").Scan(&l.port))
	return l
}

// TestChain has three servers follow each other, and kills each of them at random moments under a
// load of rows, documents that change in parts, compressed transactions, branches of distributed
// transactions, and definitions. In the end all three have the same rows.
//
//	go test ./tests/replication -run TestChain -chainkills 20 -load 2m -replica first=DSN -start first=... -kill first=...
//
// The links are first, middle and last. Those that no flag names are of this build.
func TestChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 14))
	chain := []*link{newLink(t, 0, "first"), newLink(t, 1, "middle"), newLink(t, 2, "last")}
	chain[1].follow(t, chain[0].port, "binlog.000001")
	chain[2].follow(t, chain[1].port, "binlog.000001")
	db := chain[0].open()
	defer db.Close()
	w := &chainLoad{source: chain[0], done: make(map[string]int), plain: chain[2].mariaDB}
	document, victims := "JSON", chain
	if w.plain { // MariaDB does not store its position with the rows: killed, it applies transactions once more
		document, victims = "TEXT", chain[:2]
	}
	execAll(t, db, "CREATE DATABASE chain", "CREATE TABLE chain.t (id INT PRIMARY KEY, n INT NOT NULL DEFAULT 0, s VARCHAR(500), doc "+document+", at TIMESTAMP(3) DEFAULT CURRENT_TIMESTAMP(3), KEY (n))",
		"CREATE TABLE chain.keyless (n INT, s VARCHAR(100))")
	w.begin(rng)
	each := *load / time.Duration(*chainKills)
	kills := map[string]int{}
	for range *chainKills {
		time.Sleep(each/2 + time.Duration(rng.Int64N(int64(each))))
		l := victims[rng.IntN(len(victims))]
		kills[l.name]++
		l.kill(t)
		l.start(t)
		up := l.open()
		testkit.Eventually(t, func() bool { return up.Ping() == nil }, l.name)
		require.NoError(t, up.Close())
		for _, f := range chain[1:] {
			f.resume(t)
		}
	}
	w.end()
	w.endBranches(t, db)
	t.Logf("kills: %v; done: %v", kills, w.done)
	for _, what := range []string{"rows", "document", "definition"} {
		require.Positive(t, w.done[what], what)
	}
	require.True(t, w.plain || w.done["branch"] > 0)
	chain[1].wait(t, db)
	middle := chain[1].open()
	defer middle.Close()
	chain[2].wait(t, middle)
	want := look(t, db)
	for _, l := range chain[1:] {
		own := l.open()
		sameContents(t, l.name, want, look(t, own))
		require.NoError(t, own.Close())
	}
}

// chainLoad is the load on the first link. Its clients begin anew when that is killed.
type chainLoad struct {
	source *link
	plain  bool // without what MariaDB reads of no server: see MariaDB in docs/replicate.md
	stop   atomic.Bool
	work   sync.WaitGroup

	mu   sync.Mutex
	done map[string]int // transactions by kind
}

// begin starts a client of each kind, and two of rows.
func (w *chainLoad) begin(rng *rand.Rand) {
	all := []func(context.Context, *sql.Conn, *rand.Rand) (string, error){w.rows, w.rows, w.document, w.definition, w.branch}
	if w.plain {
		all = all[:4]
	}
	for i, step := range all {
		r := rand.New(rand.NewPCG(rng.Uint64(), uint64(i)))
		w.work.Go(func() { w.client(step, r) })
	}
}

func (w *chainLoad) client(step func(context.Context, *sql.Conn, *rand.Rand) (string, error), r *rand.Rand) {
	ctx := context.Background()
	for !w.stop.Load() {
		db := w.source.open()
		c, err := db.Conn(ctx)
		// A branch that was prepared when the server was killed holds its table until it ends.
		settings := []string{"USE chain", "SET lock_wait_timeout = 5", "SET binlog_row_value_options = PARTIAL_JSON", fmt.Sprintf("SET binlog_transaction_compression = %d", r.IntN(2))}
		if w.plain {
			settings = settings[:2]
		}
		if err == nil {
			err = steps(ctx, c, settings...)
		}
		for n := 0; err == nil && n < 200 && !w.stop.Load(); n++ {
			var what string
			what, failed := step(ctx, c, r)
			if failed == nil {
				w.mu.Lock()
				w.done[what]++
				w.mu.Unlock()
			} else { // of random statements many fail; a connection that is lost fails again
				_, err = c.ExecContext(ctx, "ROLLBACK")
			}
			time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
		}
		db.Close()
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *chainLoad) end() {
	w.stop.Store(true)
	w.work.Wait()
}

// steps runs statements up to the first that fails.
func steps(ctx context.Context, c *sql.Conn, queries ...string) error {
	for _, q := range queries {
		if _, err := c.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (w *chainLoad) rows(ctx context.Context, c *sql.Conn, r *rand.Rand) (string, error) {
	id := r.IntN(500)
	return "rows", steps(ctx, c, "BEGIN", fmt.Sprintf(`INSERT INTO t (id, s, doc) VALUES (%d, REPEAT('%c', %d), '{"a": 1, "b": [1, 2, 3], "long": "%s"}')
		ON DUPLICATE KEY UPDATE n = n + 1, s = VALUES(s)`, id, 'a'+id%26, r.IntN(500), strings.Repeat("x", 200)),
		fmt.Sprintf("INSERT INTO keyless VALUES (%d, 'row')", id), fmt.Sprintf("UPDATE t SET n = n + 3 WHERE n BETWEEN %d AND %d", id%7, id%7+1),
		fmt.Sprintf("DELETE FROM keyless WHERE n = %d LIMIT 1", r.IntN(500)), fmt.Sprintf("DELETE FROM t WHERE id = %d", r.IntN(2000)), "COMMIT")
}

func (w *chainLoad) document(ctx context.Context, c *sql.Conn, r *rand.Rand) (string, error) {
	set := []string{fmt.Sprintf("JSON_SET(doc, '$.a', %d)", r.IntN(1000)), fmt.Sprintf("JSON_REPLACE(doc, '$.b[1]', '%d')", r.IntN(9)), "JSON_REMOVE(doc, '$.b[0]')",
		fmt.Sprintf("JSON_SET(doc, '$.c%d', JSON_ARRAY(1, 'z'))", r.IntN(5))}[r.IntN(4)]
	return "document", steps(ctx, c, fmt.Sprintf("UPDATE t SET doc = %s WHERE id BETWEEN %d AND %d", set, r.IntN(500), r.IntN(500)))
}

// branch is a distributed transaction, which some clients leave when it is prepared.
func (w *chainLoad) branch(ctx context.Context, c *sql.Conn, r *rand.Rand) (string, error) {
	x := fmt.Sprintf("'x%d'", r.Uint64())
	err := steps(ctx, c, "XA START "+x, fmt.Sprintf("INSERT INTO t (id, s) VALUES (%d, 'branch')", 10_000+r.IntN(1<<30)), fmt.Sprintf("UPDATE t SET n = n + 1 WHERE id = %d", r.IntN(500)), "XA END "+x)
	if err != nil {
		_ = steps(ctx, c, "XA END "+x) // it may have ended
		_ = steps(ctx, c, "XA ROLLBACK "+x)
		return "", err
	}
	how := [][]string{{"XA COMMIT " + x + " ONE PHASE"}, {"XA PREPARE " + x, "XA COMMIT " + x}, {"XA PREPARE " + x, "XA ROLLBACK " + x}}[r.IntN(3)]
	return "branch", steps(ctx, c, how...)
}

// endBranches ends the branches that are prepared.
func (w *chainLoad) endBranches(t *testing.T, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("XA RECOVER")
	require.NoError(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var format, global, branch int
		var data string
		require.NoError(t, rows.Scan(&format, &global, &branch, &data))
		all = append(all, fmt.Sprintf("XA COMMIT '%s'", data))
	}
	require.NoError(t, rows.Err())
	execAll(t, db, all...)
}

func (w *chainLoad) definition(ctx context.Context, c *sql.Conn, r *rand.Rand) (string, error) {
	n := r.IntN(5)
	all := [...]string{
		fmt.Sprintf("CREATE TABLE side%d (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20)) PARTITION BY HASH (id) PARTITIONS 2", n),
		fmt.Sprintf("INSERT INTO side%d (a, s) VALUES (1, 'x'), (2, 'y')", n),
		fmt.Sprintf("ALTER TABLE side%d ADD COLUMN c%d BIGINT DEFAULT 7", n, n),
		fmt.Sprintf("ALTER TABLE side%d ADD INDEX (a)", n),
		fmt.Sprintf("OPTIMIZE TABLE side%d", n),
		fmt.Sprintf("ANALYZE TABLE side%d", n),
		fmt.Sprintf("TRUNCATE TABLE side%d", n),
		fmt.Sprintf("DROP TABLE IF EXISTS side%d", n),
		fmt.Sprintf("RENAME TABLE side%d TO side%d", n, r.IntN(5)),
		"ALTER TABLE t ADD INDEX extra (at)", "ALTER TABLE t DROP INDEX extra", "FLUSH TABLES",
		fmt.Sprintf("CREATE TABLE side%d SELECT id, n AS a, s FROM t WHERE id < 50", n),
		fmt.Sprintf("CREATE TABLE side%d SELECT id, n AS a, s FROM t WHERE id < 0", n),
	}
	kinds := len(all)
	if w.plain {
		kinds -= 2
	}
	return "definition", steps(ctx, c, all[r.IntN(kinds)])
}
