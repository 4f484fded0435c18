package backup

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/bench"
	"emberdb/bench/tpcc"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var warehouses = flag.Int("warehouses", 0, "warehouses of full size that TestRestoredOrders has, with a definition a second; 0: two small ones, and a definition every 50 ms")

// terminals is how many clients the TPC-C-like load has.
const terminals = 8

// TestRestoredOrders takes backups at random moments of the TPC-C-like load, while definitions
// change, and restores each. The restored server must meet the twelve conditions, must have what
// was acknowledged before the backup began, and must have the definitions of one moment.
func TestRestoredOrders(t *testing.T) {
	o := startOrders(t)
	place := t.TempDir()
	for n := range max(*rounds, 2) {
		time.Sleep(time.Duration(o.rng.IntN(1500)) * time.Millisecond)
		kind := "--incremental"
		if n%5 == 0 {
			kind = "--fresh"
		}
		o.restored(t, n, o.take(t, place, kind), place)
		if n%5 == 4 {
			require.NoError(t, os.RemoveAll(place)) // the next one is whole
		}
	}
	require.NoError(t, o.end())
}

// orders is a server under the TPC-C-like load, with a client that changes definitions.
type orders struct {
	s      *emberd.Server
	target bench.Target
	rng    *rand.Rand
	ledger string
	end    func() error // ends the load, and tells how it went

	mu     sync.Mutex
	states []string // the definitions before, and behind each change of them
}

// startOrders loads the tables and starts the load.
func startOrders(t *testing.T) *orders {
	seed := testkit.Seed(t)
	with := append([]string{}, options...)
	if *warehouses > 0 {
		with = append(with, "--innodb-buffer-pool-size=512M", "--innodb-redo-log-capacity=256M", "--max-binlog-size=16M")
	}
	s := emberd.Start(t, with...)
	o := &orders{s: s, rng: rand.New(rand.NewPCG(seed, 12)), ledger: filepath.Join(t.TempDir(), "ledger"),
		target: bench.Target{Socket: s.Socket, User: "root", Database: "tpcc", Timeout: 10 * time.Minute}}
	_, err := tpcc.Load(t.Context(), tpcc.LoadOptions{Target: o.target, Warehouses: max(*warehouses, 2), Threads: 2, Small: *warehouses == 0, ForeignKeys: true, Seed: 1})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.ledger, nil, 0o600)) // the first backup may come before any client
	db := open(t, s, "")
	exec1(t, db, "CREATE DATABASE side", "CREATE TABLE side.kept (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(100), KEY (s))")
	o.states = []string{definitions(t, o.s)}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() {
		sum, err := tpcc.Run(ctx, tpcc.RunOptions{LedgerPath: o.ledger, Run: bench.Run{Target: o.target, Threads: terminals, Duration: time.Hour, Seed: seed, Out: &bytes.Buffer{}}})
		if err == nil && sum.Errors > 0 && ctx.Err() == nil {
			err = fmt.Errorf("%d transactions failed: %s", sum.Errors, sum.FirstError)
		}
		ended <- err
	}()
	go func() { ended <- o.define(ctx, t, rand.New(rand.NewPCG(seed, 13))) }()
	o.end = sync.OnceValue(func() error {
		stop()
		return errors.Join(<-ended, <-ended)
	})
	t.Cleanup(func() { require.NoError(t, o.end()) })
	return o
}

// define changes definitions, of the load's tables too, and notes what each change leaves.
func (o *orders) define(ctx context.Context, t *testing.T, rng *rand.Rand) error {
	pause := 50 * time.Millisecond
	if *warehouses > 0 {
		pause = time.Second
	}
	db := o.s.Open("tpcc")
	defer db.Close()
	for n := 0; ; n++ {
		table := []string{"history", "new_order", "orders", "district", "customer"}[rng.IntN(5)]
		column := map[string]string{"history": "h_date", "new_order": "no_o_id", "orders": "o_entry_d", "district": "d_zip", "customer": "c_since"}[table]
		for _, q := range [...][]string{
			{fmt.Sprintf("CREATE INDEX side%d ON %s (%s)", n, table, column), fmt.Sprintf("DROP INDEX side%d ON %s", n, table)},
			{fmt.Sprintf("ALTER TABLE %s ADD COLUMN side%d INT DEFAULT %d", table, n, n), fmt.Sprintf("ALTER TABLE %s DROP COLUMN side%d", table, n)},
			{fmt.Sprintf("CREATE TABLE side.t%d (PRIMARY KEY (i_id)) SELECT i_id, i_name FROM item", n), fmt.Sprintf("RENAME TABLE side.t%d TO side.u%d", n, n),
				fmt.Sprintf("TRUNCATE TABLE side.u%d", n), fmt.Sprintf("ALTER TABLE side.u%d ADD UNIQUE KEY (i_name)", n), fmt.Sprintf("DROP TABLE side.u%d", n)},
			{fmt.Sprintf("INSERT INTO side.kept (s) SELECT i_name FROM item LIMIT %d", n%200), "ALTER TABLE side.kept ENGINE=InnoDB"},
			{fmt.Sprintf("CREATE VIEW side.v%d AS SELECT id FROM side.kept", n), fmt.Sprintf("DROP VIEW side.v%d", n)},
		}[rng.IntN(5)] {
			if err := patiently(ctx, db, q); err != nil || ctx.Err() != nil {
				return err
			}
			state := definitions(t, o.s)
			o.mu.Lock()
			o.states = append(o.states, state)
			o.mu.Unlock()
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(pause):
			}
		}
	}
}

// patiently runs a statement again while it is the victim of a deadlock. No error: it ran, or ctx
// has ended.
func patiently(ctx context.Context, db *sql.DB, query string) error {
	for {
		_, err := db.ExecContext(ctx, query)
		var refused *mysql.MySQLError
		switch {
		case err == nil, ctx.Err() != nil:
			return nil
		case !errors.As(err, &refused) || refused.Number != 1213:
			return fmt.Errorf("%s: %w", query, err)
		}
	}
}

var counter = regexp.MustCompile(` AUTO_INCREMENT=\d+`)

// definitions are those of all tables and views of the load.
func definitions(t *testing.T, s *emberd.Server) string {
	db := s.Open("")
	defer db.Close()
	var out strings.Builder
	for _, name := range column(t, db, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('tpcc', 'side') ORDER BY 1") {
		rowsOf(t, db, "SHOW CREATE TABLE "+name, &out)
	}
	return counter.ReplaceAllString(out.String(), "")
}

// taken is a backup, and what it must have.
type taken struct {
	id, gtid string
	ledger   string   // what was acknowledged before it began
	states   []string // the definitions of its time
}

// take takes a backup.
func (o *orders) take(t *testing.T, place, kind string) taken {
	t.Helper()
	acknowledged, err := os.ReadFile(o.ledger)
	require.NoError(t, err)
	b := taken{ledger: filepath.Join(t.TempDir(), "before")}
	whole := bytes.LastIndexByte(acknowledged, '\n') + 1
	require.NoError(t, os.WriteFile(b.ledger, acknowledged[:whole], 0o600))
	first := o.changes()
	out := run(t, "backup", "--socket", o.s.Socket, "--to", place, "--json", "--quiet", kind)
	last := o.changes()
	var told struct {
		ID   string
		Gtid string `json:"gtid_executed"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &told), out)
	b.id, b.gtid = told.ID, told.Gtid
	o.await(t, last)
	o.mu.Lock()
	defer o.mu.Unlock()
	b.states = o.states[first-1 : last+1]
	return b
}

// await waits until a change of a definition that was on its way is noted.
func (o *orders) await(t *testing.T, last int) {
	t.Helper()
	for deadline := time.Now().Add(testkit.WaitLimit); o.changes() == last; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			var running strings.Builder
			rowsOf(t, open(t, o.s, ""), "SHOW FULL PROCESSLIST", &running)
			require.Fail(t, "no definition changes", running.String())
		}
	}
}

func (o *orders) changes() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.states)
}

// restored restores a backup and looks at all that it must have.
func (o *orders) restored(t *testing.T, n int, b taken, place string) {
	t.Helper()
	r := emberd.Prepare(t, o.s.Args...)
	run(t, "restore", "--from", place, "--backup", b.id, "--datadir", r.Dir, "--quiet")
	if n%2 == 0 { // the other directories are recovered by the server
		run(t, "check", r.Dir, "--quiet")
	}
	require.NoError(t, r.Launch())
	db := open(t, r, "")
	require.Equal(t, b.gtid, strings.ReplaceAll(column(t, db, "SELECT @@gtid_executed")[0], "\n", ""))
	require.Contains(t, b.states, definitions(t, r))
	target := o.target
	target.Socket = r.Socket
	var report bytes.Buffer
	verdict, err := tpcc.Check(t.Context(), tpcc.CheckOptions{Target: target, LedgerPath: b.ledger, Out: &report})
	require.NoError(t, err)
	require.True(t, verdict.Passed, "backup %s:\n%s", b.id, report.String())
	run(t, "check", "--socket", r.Socket, "--quiet")
	require.NoError(t, r.Stop())
	run(t, "check", r.Dir, "--quiet")
	t.Logf("restore %d of %s: %d acknowledged, one of %d definitions", n+1, b.id, verdict.Certain, len(b.states))
	require.NoError(t, os.RemoveAll(r.Dir))
}
