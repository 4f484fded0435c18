package tools

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var (
	sourcePort  = flag.Int("source", 0, "port of a MySQL to run against; 0: a fresh emberd")
	replicaPort = flag.Int("replica", 0, "port of its replica")
	items       = flag.Int("rows", 2000, "rows of the table that the tools change")
	writers     = flag.Int("writers", 1, "clients that write to it meanwhile")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// The account of the tools.
const (
	user     = "tool"
	password = "s3cret"
)

// server is one of the two.
type server struct {
	port int
	db   *sql.DB // as root
}

// pair is a source and its replica.
type pair struct{ source, replica server }

// openPair returns a source that has the table shop.item and its twin, which the writer keeps the
// same, and a replica that has followed so far.
func openPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{server{port: *sourcePort}, server{port: *replicaPort}}
	if p.source.port == 0 {
		p.source.port, p.replica.port = ownPair(t)
	}
	for _, s := range []*server{&p.source, &p.replica} {
		s.db = connect(t, s.port)
		s.exec(t, "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_statements_history%'",
			"TRUNCATE performance_schema.events_statements_history_long")
	}
	p.source.exec(t, "DROP DATABASE IF EXISTS shop", "DROP DATABASE IF EXISTS percona", "CREATE DATABASE shop", "DROP USER IF EXISTS "+user,
		fmt.Sprintf("CREATE USER %s IDENTIFIED BY '%s'", user, password), "GRANT ALL ON *.* TO "+user,
		`CREATE TABLE shop.item (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(64) NOT NULL, price DECIMAL(10,2), note TEXT,
			made TIMESTAMP NULL, doc JSON, kind ENUM('x','y','z') DEFAULT 'y', KEY (name))`,
		`INSERT INTO shop.item (name, price, note, made, doc) WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
			SELECT CONCAT('n', n), n / 7, REPEAT('t', n MOD 100), FROM_UNIXTIME(1700000000 + n), JSON_OBJECT('a', n) FROM c`)
	for have := 1000; have < *items; {
		more := min(have, *items-have, 100_000)
		p.source.exec(t, fmt.Sprintf("INSERT INTO shop.item (name, price, note, made, doc, kind) SELECT name, price, note, made, doc, 'z' FROM shop.item LIMIT %d", more))
		have += more
	}
	p.source.exec(t, "CREATE TABLE shop.twin LIKE shop.item", "INSERT INTO shop.twin SELECT * FROM shop.item")
	p.catchUp(t)
	return p
}

// rowsOfPlans has a tool of percona-toolkit read how many rows a plan takes: the tree that EXPLAIN answers
// otherwise has no such column, and the tool would copy the whole table at once.
const rowsOfPlans = "--set-vars=explain_format=TRADITIONAL"

// chunk is how many rows a tool takes at a time.
func chunk(option string) string { return fmt.Sprintf("%s=%d", option, max(200, *items/1000)) }

func ownPair(t *testing.T) (source, replica int) {
	options := []string{"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--innodb-buffer-pool-size=256M"}
	s := emberd.Start(t, append(options, "--server-id=1")...)
	r := emberd.Start(t, append(options, "--server-id=2", "--report-host=127.0.0.1")...)
	follower := server{r.Port, connect(t, r.Port)}
	follower.exec(t, fmt.Sprintf(`CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='root',
		SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1`, s.Port), "START REPLICA")
	return s.Port, r.Port
}

func connect(t *testing.T, port int) *sql.DB {
	t.Helper()
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.Logger = "root", "tcp", "127.0.0.1:"+strconv.Itoa(port), &mysql.NopLogger{}
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db
}

func (s *server) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, q := range statements {
		_, err := s.db.Exec(q)
		require.NoError(t, err, q)
	}
}

// catchUp waits until the replica has all that the source has.
func (p *pair) catchUp(t *testing.T) {
	t.Helper()
	var set string
	require.NoError(t, p.source.db.QueryRow("SELECT @@gtid_executed").Scan(&set))
	var late sql.NullInt64
	require.NoError(t, p.replica.db.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 240)", strings.ReplaceAll(set, "\n", "")).Scan(&late))
	require.EqualValues(t, 0, late.Int64, "the replica does not catch up")
}

// sum describes the rows of a table, whatever columns a tool has added.
func (s *server) sum(t *testing.T, table string) string {
	t.Helper()
	var sum string
	q := `SELECT CONCAT(COUNT(*), ' rows, ', SUM(CRC32(CONCAT_WS('#', id, name, price, note, CAST(made AS CHAR), CAST(doc AS CHAR), kind)))) FROM shop.`
	require.NoError(t, s.db.QueryRow(q+table).Scan(&sum), table)
	return sum
}

// intact expects what the writer has written in the table, on both servers.
func (p *pair) intact(t *testing.T) {
	t.Helper()
	p.catchUp(t)
	want := p.source.sum(t, "twin")
	require.Equal(t, want, p.source.sum(t, "item"), "writes were lost")
	require.Equal(t, want, p.replica.sum(t, "item"))
	require.Equal(t, want, p.replica.sum(t, "twin"))
}

// find returns the path of a tool, or skips the test.
func find(t *testing.T, name string) string {
	t.Helper()
	here := filepath.Join(emberd.Root(), ".cache", "tools")
	for _, dir := range []string{"bin", "usr/bin"} {
		if path := filepath.Join(here, dir, name); exists(path) {
			return path
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	wanted := strings.Fields(strings.ReplaceAll(os.Getenv("EMBER_TOOLS"), ",", " "))
	require.False(t, slices.Contains(wanted, name) || slices.Contains(wanted, "all"), "%s is not installed", name)
	t.Skipf("%s is not installed, see install.sh", name)
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// toolLimit is the time a tool may take on a slow machine.
const toolLimit = 8 * time.Minute

// run runs a tool and returns what it printed; code is its exit code.
func run(t *testing.T, argv ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), toolLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir) // no option file of the machine's
	b, err := cmd.CombinedOutput()
	require.NoError(t, ctx.Err(), "%v\n%s", argv, b)
	if cmd.ProcessState == nil {
		require.NoError(t, err, "%v", argv)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// must is run of a tool that must succeed.
func must(t *testing.T, argv ...string) string {
	t.Helper()
	out, code := run(t, argv...)
	require.Zero(t, code, "%v\n%s", argv, out)
	return out
}

// process is a program that runs beside the test.
type process struct {
	cmd   *exec.Cmd
	log   string        // file of its output
	ended chan struct{} // closed when it has ended
}

// background starts a program, in a directory of its own if it has none, that ends with the test. Its
// output is shown if the test has failed.
func background(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer log.Close()
	if cmd.Dir == "" {
		cmd.Dir = filepath.Dir(log.Name())
	}
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	p := &process{cmd, log.Name(), make(chan struct{})}
	go func() {
		_ = cmd.Wait() // its state is read from cmd
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.kill()
		if all, _ := os.ReadFile(p.log); t.Failed() {
			t.Logf("%s\n%s", strings.Join(cmd.Args, " "), all[max(0, len(all)-64<<10):])
		}
	})
	return p
}

// kill ends the program with SIGKILL, if it has not ended, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// version notes what a tool says of itself.
func version(t *testing.T, path, option string) string {
	t.Helper()
	out, _ := run(t, path, option)
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	t.Logf("%s: %s", filepath.Base(path), line)
	return line
}

// dsn is a server as percona-toolkit names it.
func (s *server) dsn() string {
	return fmt.Sprintf("h=127.0.0.1,P=%d,u=%s,p=%s", s.port, user, password)
}

// written waits until the writer has written some more.
func written(t *testing.T, w *writer, more int64) {
	t.Helper()
	until := w.done.Load() + more
	testkit.Eventually(t, func() bool { return w.done.Load() >= until }, "the writer is stuck")
}
