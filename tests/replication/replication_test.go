package replication

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/bench"
	"emberdb/bench/tpcc"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var (
	kills   = flag.Int("kills", 3, "how often the source is killed")
	load    = flag.Duration("load", 4*time.Second, "time of load, between all kills")
	threads = flag.Int("threads", 4, "connections of the load")
	source  = flag.String("source", "", "DSN of an empty server that servers of this build shall follow")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// options of a source; the files are small, so that there are many.
var options = []string{"--log-bin=binlog", "--server-id=5", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--max-binlog-size=16M",
	"--innodb-buffer-pool-size=128M", "--innodb-redo-log-capacity=128M", "--max-allowed-packet=1G", "--local-infile=ON"}

// TestLog runs the scripts, and then the load with its kills, on one source, and looks at all who
// read its log.
func TestLog(t *testing.T) {
	s := emberd.Start(t, options...)
	l := listen(t, s)
	all := follow(t, s.Port)
	for _, path := range scripts(t) {
		db := s.Open("")
		runScript(t, db, path)
		for _, r := range all {
			t.Logf("%s: %s", filepath.Base(path), r.name)
			r.sameAs(t, db)
		}
		db.Close()
		l.heard(t, readLog(t, s))
	}
	loadData(t, s, all)
	l.heard(t, readLog(t, s))
	underKills(t, s, l, all)
	require.NoError(t, s.Stop())
	stopped := readLog(t, s)
	require.NoError(t, s.Launch())
	l.heard(t, stopped)
	verify(t, s)
}

// loadData loads a file whose rows outgrow the memory of a transaction's events, and become a file
// of the log.
func loadData(t *testing.T, s *emberd.Server, all []*replica) {
	t.Helper()
	const rows, size = 20_000, 2000
	mysql.RegisterReaderHandler("large", func() io.Reader {
		var b bytes.Buffer
		for i := range rows {
			fmt.Fprintf(&b, "%d\t%s\n", i, strings.Repeat(string(rune('a'+i%26)), size))
		}
		return &b
	})
	defer mysql.DeregisterReaderHandler("large")
	db := s.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE loaded", "CREATE TABLE loaded.t (a INT PRIMARY KEY, b VARCHAR(2000))",
		"INSERT INTO loaded.t VALUES (7, 'first')"} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	res, err := db.Exec("LOAD DATA LOCAL INFILE 'Reader::large' INTO TABLE loaded.t")
	require.NoError(t, err)
	n, err := res.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, rows-1, n)
	var name string
	var spilled int
	require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE 'Binlog_cache_disk_use'").Scan(&name, &spilled))
	require.Positive(t, spilled)
	for _, r := range all {
		t.Logf("a large file: %s", r.name)
		r.sameAs(t, db)
	}
}

// TestOtherSource runs the scripts on a server of another kind, which servers of this build follow,
// killed after each script.
func TestOtherSource(t *testing.T) {
	if *source == "" {
		t.Skip("no -source")
	}
	cfg, err := mysql.ParseDSN(*source)
	require.NoError(t, err)
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(c)
	defer db.Close()
	var port int
	require.NoError(t, db.QueryRow("SELECT @@port").Scan(&port))
	var first, skip string
	rows, err := db.Query("SHOW BINARY LOGS")
	require.NoError(t, err)
	require.True(t, rows.Next())
	require.NoError(t, rows.Scan(&first, &skip, &skip))
	require.NoError(t, rows.Close())
	all := ownReplicas(t)
	for _, r := range all {
		r.follow(t, port, first)
	}
	for _, path := range scripts(t) {
		runScript(t, db, path)
		for _, r := range all {
			t.Logf("%s: %s", filepath.Base(path), r.name)
			r.sameAs(t, db)
			r.restart(t)
		}
	}
}

func scripts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	// The one that only MySQL follows copies tables of another.
	slices.SortFunc(paths, func(a, b string) int {
		if a, b := strings.HasSuffix(a, "mysql.sql"), strings.HasSuffix(b, "mysql.sql"); a != b {
			if a {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return paths
}

// runScript runs a script's statements, each of which ends with its line.
func runScript(t *testing.T, db *sql.DB, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	defer conn.Close()
	for i, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		_, err := conn.ExecContext(context.Background(), strings.TrimSuffix(line, ";"))
		require.NoError(t, err, "%s:%d: %s", path, i+1, line)
	}
}

// underKills runs the TPC-C-like load, and changes definitions, while the source is killed; a
// replica as well, sometimes.
func underKills(t *testing.T, s *emberd.Server, l *listener, all []*replica) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	target := bench.Target{Socket: s.Socket, User: "root", Database: "tpcc", Timeout: 10 * time.Minute}
	_, err := tpcc.Load(ctx, tpcc.LoadOptions{Target: target, Warehouses: 2, Threads: 2, Small: true, ForeignKeys: true, Seed: 1})
	require.NoError(t, err)
	ledger := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(ledger, nil, 0o600)) // the first kill may come before any client
	for i := range *kills {
		during, stop := context.WithCancel(ctx)
		ended := make(chan error, 2)
		seed := r.Uint64()
		go func() {
			sum, err := tpcc.Run(during, tpcc.RunOptions{LedgerPath: ledger, Run: bench.Run{Target: target, Threads: *threads, Duration: time.Hour, Seed: seed, Out: &bytes.Buffer{}}})
			if err == nil && sum.Errors > 0 {
				err = fmt.Errorf("%d transactions failed: %s", sum.Errors, sum.FirstError)
			} else if sum.Errors == 0 {
				err = nil // it may have found nobody at the end
			}
			ended <- err
		}()
		go func() { ended <- churn(during, s, rand.New(rand.NewPCG(seed, 1))) }()
		each := *load / time.Duration(*kills)
		time.Sleep(each/4 + time.Duration(r.Int64N(int64(each*3/4))))
		if x := r.IntN(len(all) + 1); x < len(all) && all[x].kill != nil {
			all[x].restart(t)
		}
		time.Sleep(time.Duration(r.Int64N(int64(each * 3 / 4))))
		s.Kill()
		stop()
		require.NoError(t, errors.Join(<-ended, <-ended), "before kill %d", i+1)
		require.NoError(t, s.Launch())
		for _, r := range all {
			if r.mariaDB {
				r.resume(t)
			}
		}
		rep, err := tpcc.Check(ctx, tpcc.CheckOptions{Target: target, LedgerPath: ledger, Out: &bytes.Buffer{}})
		require.NoError(t, err)
		require.True(t, rep.Passed, "after kill %d", i+1)
		files := readLog(t, s)
		l.heard(t, files)
		executed(t, s, files)
		t.Logf("kill %d: %d acknowledged, %d in doubt, %d transactions in %d files", i+1, rep.Certain, rep.Doubtful, len(files), len(logFiles(t, s)))
	}
	db := s.Open("")
	defer db.Close()
	for _, r := range all {
		began := time.Now()
		r.sameAs(t, db)
		t.Logf("%s is equal after %v", r.name, time.Since(began).Round(time.Second))
	}
}

// executed expects that gtid_executed is what the files hold.
func executed(t *testing.T, s *emberd.Server, files []transaction) {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	var set string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&set))
	id, n, _ := strings.Cut(files[len(files)-1].gtid, ":")
	require.Equal(t, fmt.Sprintf("%s:1-%s", id, n), set)
}

// churn changes definitions until the connection breaks.
func churn(ctx context.Context, s *emberd.Server, r *rand.Rand) error {
	mysql.RegisterReaderHandler("churn", func() io.Reader { return strings.NewReader(strings.Repeat("5\tfive\n6\tsix\n\\N\t\\N\n", 50)) })
	defer mysql.DeregisterReaderHandler("churn")
	db := s.Open("")
	defer db.Close()
	c, err := db.Conn(ctx)
	if err != nil {
		return nil // it is gone already
	}
	defer c.Close()
	for _, q := range []string{"CREATE DATABASE IF NOT EXISTS only_mysql", "CREATE DATABASE IF NOT EXISTS churn", "USE churn"} {
		if _, err := c.ExecContext(ctx, q); err != nil {
			return unexpected(q, err)
		}
	}
	for {
		t, n := fmt.Sprintf("t%d", r.IntN(4)), r.IntN(6)
		for _, q := range [...][]string{
			{fmt.Sprintf("CREATE TABLE %s (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(20), KEY (a))", t)},
			{fmt.Sprintf("CREATE TABLE %s (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(20))", t)},
			{fmt.Sprintf("INSERT INTO %s (a, b) VALUES (%d, 'x'), (%d, 'y'), (%d, NULL)", t, n, n+1, r.IntN(1000))},
			{fmt.Sprintf("INSERT INTO %s (a, b) SELECT a + 1, b FROM t%d LIMIT 100", t, n%4)},
			{fmt.Sprintf("UPDATE %s SET a = a + 1 WHERE id > %d", t, n)},
			{fmt.Sprintf("DELETE FROM %s WHERE a = %d", t, n)},
			{fmt.Sprintf("ALTER TABLE %s ADD COLUMN c%d BIGINT DEFAULT 7", t, n)},
			{fmt.Sprintf("ALTER TABLE %s DROP COLUMN c%d", t, n)},
			{fmt.Sprintf("ALTER TABLE %s MODIFY b VARCHAR(%d)", t, 20+n)},
			{fmt.Sprintf("CREATE INDEX i%d ON %s (b)", n, t)},
			{fmt.Sprintf("DROP INDEX i%d ON %s", n, t)},
			{"TRUNCATE TABLE " + t},
			{fmt.Sprintf("RENAME TABLE t%d TO t%d", r.IntN(4), n%4)},
			{"DROP TABLE " + t},
			{fmt.Sprintf("CREATE OR REPLACE VIEW v%d AS SELECT id, a FROM %s", n, t)},
			{fmt.Sprintf("DROP VIEW v%d", n)},
			{fmt.Sprintf("CREATE TRIGGER tr%d BEFORE UPDATE ON %s FOR EACH ROW SET NEW.b = CONCAT('tr', NEW.a)", n, t)},
			{fmt.Sprintf("DROP TRIGGER tr%d", n)},
			{"USE only_mysql", fmt.Sprintf("CREATE USER u%d IDENTIFIED BY 'p'", n), fmt.Sprintf("GRANT SELECT ON churn.* TO u%d", n), "USE churn"},
			{"USE only_mysql", fmt.Sprintf("DROP USER u%d", n), "USE churn"},
			{fmt.Sprintf("SET GLOBAL binlog_checksum = '%s'", [...]string{"NONE", "CRC32"}[n%2])},
			{"BEGIN", fmt.Sprintf("INSERT INTO %s (a, b) VALUES (%d, 'kept')", t, n), "SAVEPOINT s", fmt.Sprintf("UPDATE %s SET a = a + 1", t),
				"ROLLBACK TO SAVEPOINT s", fmt.Sprintf("DELETE FROM %s WHERE a = %d", t, n+1), "COMMIT"},
			{"UPDATE t0 JOIN t1 USING (id) SET t0.b = 'both', t1.a = t0.a"},
			{fmt.Sprintf("DELETE t2, t3 FROM t2 JOIN t3 USING (id) WHERE id > %d", n)},
			{fmt.Sprintf("LOAD DATA LOCAL INFILE 'Reader::churn' IGNORE INTO TABLE %s (a, b)", t)},
		}[r.IntN(25)] {
			if _, err := c.ExecContext(ctx, q); err != nil {
				if err = unexpected(q, err); err != nil || ctx.Err() != nil || bench.IsConnectionLost(c.PingContext(ctx)) {
					return err
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(r.IntN(20)) * time.Millisecond):
		}
	}
}

// refused are the errors that statements made at random come to.
var refused = []uint16{
	1022, 1050, 1051, 1054, 1060, 1061, 1072, 1091, 1136, 1146, 1205, 1213, 1347, 1356, 1359, 1360, 1362, 1364, 1396, 1406, 1410,
}

func unexpected(query string, err error) error {
	var e *mysql.MySQLError
	switch {
	case errors.As(err, &e) && slices.Contains(refused, e.Number), bench.IsConnectionLost(err), errors.Is(err, context.Canceled):
		return nil
	}
	return fmt.Errorf("%s: %w", query, err)
}
