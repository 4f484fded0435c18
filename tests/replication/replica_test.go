package replication

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// catchUp is how long a reader may take to have what the source has.
const catchUp = 30 * time.Minute

// pairs is a flag that may be given for several names.
type pairs map[string]string

func (p pairs) String() string { return fmt.Sprint(map[string]string(p)) }

func (p pairs) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("want NAME=VALUE")
	}
	p[name] = value
	return nil
}

func pairsFlag(name, usage string) pairs {
	p := pairs{}
	flag.Var(p, name, usage)
	return p
}

var (
	replicas = pairsFlag("replica", "NAME=DSN of an empty server that shall follow (repeatable)")
	starts   = pairsFlag("start", "NAME=COMMAND that starts it (repeatable)")
	stops    = pairsFlag("kill", "NAME=COMMAND that kills it (repeatable)")
	follows  = pairsFlag("follow", "NAME=gtid or NAME=position: how it follows (repeatable; gtid)")
)

func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// replica is a server that follows the source.
type replica struct {
	name    string
	mariaDB bool
	ember   bool
	byGTID  bool
	open    func() *sql.DB
	kill    func(t *testing.T)
	start   func(t *testing.T)
}

// follow makes every replica follow the source from its beginning on: two of this server's own, and
// those that are named.
func follow(t *testing.T, port int) (all []*replica) {
	t.Helper()
	all = ownReplicas(t)
	for name, dsn := range replicas {
		cfg, err := mysql.ParseDSN(dsn)
		require.NoError(t, err)
		cfg.Logger = &mysql.NopLogger{}
		c, err := mysql.NewConnector(cfg)
		require.NoError(t, err)
		r := &replica{name: name, byGTID: follows[name] != "position", open: func() *sql.DB { return sql.OpenDB(c) }}
		if stops[name] != "" {
			r.kill, r.start = shell(stops[name]), shell(starts[name])
		}
		all = append(all, r)
	}
	for _, r := range all {
		r.follow(t, port, "binlog.000001")
	}
	return all
}

// ownReplicas are servers of this build.
func ownReplicas(t *testing.T) (all []*replica) {
	t.Helper()
	for name, args := range map[string][]string{
		"ember by GTID":     {"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--server-id=6"},
		"ember by position": {"--server-id=7"},
	} {
		s := emberd.Start(t, append(args, "--innodb-buffer-pool-size=128M", "--innodb-redo-log-capacity=128M")...)
		all = append(all, &replica{name: name, byGTID: strings.HasSuffix(name, "GTID"), ember: true, open: func() *sql.DB { return s.Open("") },
			kill: func(*testing.T) { s.Kill() }, start: func(t *testing.T) { require.NoError(t, s.Launch()) }})
	}
	return all
}

func shell(command string) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		out, err := exec.Command("sh", "-c", command).CombinedOutput()
		require.NoError(t, err, "%s: %s", command, out)
	}
}

// follow sets the replica up.
func (r *replica) follow(t *testing.T, port int, file string) {
	t.Helper()
	db := r.open()
	defer db.Close()
	var version string
	require.NoError(t, db.QueryRow("SELECT VERSION()").Scan(&version), r.name)
	r.mariaDB = strings.Contains(version, "MariaDB")
	first := fmt.Sprintf("MASTER_LOG_FILE='%s', MASTER_LOG_POS=4, MASTER_HOST='127.0.0.1', MASTER_PORT=%d, MASTER_USER='root'", file, port)
	q := []string{"STOP SLAVE", "RESET SLAVE ALL", "CHANGE MASTER TO " + first + ", MASTER_USE_GTID=no, MASTER_CONNECT_RETRY=1", "START SLAVE"}
	if !r.mariaDB {
		first = strings.ReplaceAll(first, "MASTER_", "SOURCE_")
		if r.byGTID {
			first = first[strings.Index(first, "SOURCE_HOST"):] + ", SOURCE_AUTO_POSITION=1"
		}
		q = []string{"STOP REPLICA", "RESET REPLICA ALL", "CHANGE REPLICATION SOURCE TO " + first +
			", GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=100000", "START REPLICA"}
	}
	for _, q := range q {
		_, err := db.Exec(q)
		require.NoError(t, err, "%s: %s", r.name, q)
	}
}

// restart kills the replica and starts it again, following.
func (r *replica) restart(t *testing.T) {
	t.Helper()
	r.kill(t)
	r.start(t)
	db := r.open()
	defer db.Close()
	testkit.Eventually(t, func() bool { return db.Ping() == nil }, r.name)
	r.resume(t)
}

// resume makes a replica go on that does not do it by itself. MariaDB's gives up when its source
// went away between two events of a statement.
func (r *replica) resume(t *testing.T) {
	t.Helper()
	db := r.open()
	defer db.Close()
	q := "START REPLICA"
	if r.mariaDB {
		q = "START SLAVE"
	}
	_, err := db.Exec(q)
	require.NoError(t, err, r.name)
}

// wait waits until the replica has all that the source has.
func (r *replica) wait(t *testing.T, source *sql.DB) {
	t.Helper()
	ctx := context.Background()
	db := r.open()
	defer db.Close()
	var file, set string
	var at int64
	var skip any
	require.NoError(t, source.QueryRow("SHOW BINARY LOG STATUS").Scan(&file, &at, &skip, &skip, &set))
	q, seconds := fmt.Sprintf("SELECT SOURCE_POS_WAIT('%s', %d, 5)", file, at), catchUp.Seconds()
	switch {
	case r.mariaDB:
		q = fmt.Sprintf("SELECT MASTER_POS_WAIT('%s', %d, 5)", file, at)
	case r.byGTID:
		q = fmt.Sprintf("SELECT IF(WAIT_FOR_EXECUTED_GTID_SET('%s', 5), -1, 0)", strings.ReplaceAll(set, "\n", ""))
	}
	for deadline := time.Now().Add(time.Duration(seconds) * time.Second); ; {
		var n sql.NullInt64
		require.NoError(t, db.QueryRowContext(ctx, q).Scan(&n), r.name)
		if n.Valid && n.Int64 >= 0 {
			return
		}
		stopped := r.errors(t, db)
		require.Empty(t, stopped, r.name)
		require.True(t, time.Now().Before(deadline), "%s does not catch up", r.name)
	}
}

// errors are what the replica says about why it stopped.
func (r *replica) errors(t *testing.T, db *sql.DB) string {
	t.Helper()
	var all []string
	for c, v := range r.status(t, db) {
		if strings.HasSuffix(c, "_SQL_Error") && v != "" || strings.HasSuffix(c, "_SQL_Running") && v != "Yes" {
			all = append(all, c+": "+v)
		}
	}
	return strings.Join(all, "; ")
}

// status is the replica's, by the names of its columns.
func (r *replica) status(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	q := "SHOW REPLICA STATUS"
	if r.mariaDB {
		q = "SHOW SLAVE STATUS"
	}
	rows, err := db.Query(q)
	require.NoError(t, err)
	defer rows.Close()
	cols, err := rows.Columns()
	require.NoError(t, err)
	values, into := make([]sql.NullString, len(cols)), make([]any, len(cols))
	for i := range values {
		into[i] = &values[i]
	}
	require.True(t, rows.Next(), "%s follows nobody", r.name)
	require.NoError(t, rows.Scan(into...))
	all := map[string]string{}
	for i, c := range cols {
		all[c] = values[i].String
	}
	return all
}

// sameAs expects the source's contents in the replica.
func (r *replica) sameAs(t *testing.T, source *sql.DB) {
	t.Helper()
	r.wait(t, source)
	db := r.open()
	defer db.Close()
	var without []string
	if r.mariaDB {
		without = append(without, "only_mysql")
	}
	sameContents(t, r.name, look(t, source, without...), look(t, db, without...))
}
