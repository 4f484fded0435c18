package backup

import (
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// moment is a state of the source behind one of its transactions.
type moment struct {
	statement string // the transaction
	state     string
	at        time.Time
	gtid      string // of the transaction; "": the source has none
	executed  string
	position  string
}

// stateOf reads all that the moments compare: rows, definitions and accounts.
func stateOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	var out strings.Builder
	tables := column(t, db, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'p' ORDER BY 1")
	for _, table := range tables {
		var name, create string
		require.NoError(t, db.QueryRow("SHOW CREATE TABLE p."+table).Scan(&name, &create))
		fmt.Fprintln(&out, create)
		rowsOf(t, db, "SELECT * FROM p."+table+" ORDER BY 1", &out)
	}
	fmt.Fprintln(&out, column(t, db, "SELECT CONCAT(user, '@', host) FROM mysql.user ORDER BY 1"))
	return out.String()
}

// rowsOf writes the rows of a query, a line each.
func rowsOf(t *testing.T, db *sql.DB, query string, out io.Writer) {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err, query)
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(t, err)
	values, at := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range values {
		at[i] = &values[i]
	}
	for rows.Next() {
		require.NoError(t, rows.Scan(at...))
		fmt.Fprintln(out, values)
	}
	require.NoError(t, rows.Err())
}

func column(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		var s sql.NullString
		require.NoError(t, rows.Scan(&s))
		out = append(out, s.String)
	}
	require.NoError(t, rows.Err())
	return out
}

// history makes random transactions one after the other and notes what each leaves.
type history struct {
	t     *testing.T
	db    *sql.DB
	rng   *rand.Rand
	extra int // columns added
	made  int // tables and accounts made
	all   []moment
}

const flush = "FLUSH BINARY LOGS"

func (h *history) statement() string {
	id := h.rng.IntN(300)
	switch h.rng.IntN(14) {
	case 0:
		h.extra++
		return fmt.Sprintf("ALTER TABLE p.t ADD COLUMN c%d INT DEFAULT %d", h.extra, id)
	case 1:
		h.made++
		return fmt.Sprintf("CREATE TABLE p.made%d SELECT id, s FROM p.t WHERE id < %d", h.made, id)
	case 2:
		h.made++
		return fmt.Sprintf("CREATE USER u%d IDENTIFIED BY 'secret'", h.made)
	case 3:
		return fmt.Sprintf("DELETE FROM p.t WHERE id BETWEEN %d AND %d", id, id+20)
	case 4:
		return fmt.Sprintf("UPDATE p.t SET s = CONCAT(s, '+'), n = n + 1 WHERE id > %d", id)
	case 5:
		return flush
	default:
		return fmt.Sprintf("REPLACE INTO p.t (id, s) VALUES (%d, 'row %d'), (%d, REPEAT('x', %d))", id, h.rng.Int(), id+1, h.rng.IntN(5000))
	}
}

// step makes transactions until one is logged.
func (h *history) step() {
	var q string
	for place := h.position(); h.position() == place; {
		q = h.statement()
		exec1(h.t, h.db, q)
		if q == flush {
			place = h.position()
		}
	}
	m := moment{state: stateOf(h.t, h.db), executed: h.executed(), position: h.position(), at: time.Now(), statement: q}
	if i := strings.LastIndexAny(m.executed, ":-"); i >= 0 {
		m.gtid = m.executed[:strings.Index(m.executed, ":")] + ":" + m.executed[i+1:]
	}
	h.all = append(h.all, m)
	time.Sleep(2 * time.Millisecond) // the next one is committed later
}

// list tells the transactions.
func (h *history) list() string {
	var out strings.Builder
	for _, m := range h.all {
		fmt.Fprintf(&out, "%s %s: %.100s\n", m.position, m.gtid, m.statement)
	}
	return out.String()
}

func (h *history) executed() string {
	return strings.ReplaceAll(column(h.t, h.db, "SELECT @@gtid_executed")[0], "\n", "")
}

func (h *history) position() string {
	var file, a, b, c string
	var pos int64
	require.NoError(h.t, h.db.QueryRow("SHOW BINARY LOG STATUS").Scan(&file, &pos, &a, &b, &c))
	return fmt.Sprintf("%s:%d", file, pos)
}

// programs puts both programs into one folder, for ember finds the server beside itself.
func programs(t *testing.T) (ember string) {
	t.Helper()
	dir := t.TempDir()
	linkOf(t, dir, emberd.Build(t, "emberd"))
	return linkOf(t, dir, emberd.Build(t, "ember"))
}

// archiver is an "ember backup log" that runs.
func archiver(t *testing.T, ember string, args []string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(ember, append(args, "--every", "20ms")...)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	return cmd
}

// TestPointInTime restores a backup and brings it to random moments behind it by the archived
// binary log, whose archiver was killed again and again; some of the restores are killed too. The
// state must be the one that the source had.
func TestPointInTime(t *testing.T) {
	for _, gtids := range []bool{true, false} {
		t.Run(fmt.Sprintf("gtids %v", gtids), func(t *testing.T) { pointInTime(t, gtids) })
	}
}

func pointInTime(t *testing.T, gtids bool) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 11))
	ember := programs(t)
	with := slices.Clone(options)
	if !gtids {
		with = slices.DeleteFunc(with, func(o string) bool { return strings.Contains(o, "gtid") })
	}
	s := emberd.Start(t, with...)
	db := open(t, s, "")
	exec1(t, db, "CREATE DATABASE p", "CREATE TABLE p.t (id INT PRIMARY KEY, s TEXT, n INT NOT NULL DEFAULT 0)", "INSERT INTO p.t (id, s) VALUES (1, 'a'), (2, 'b')")
	place, identity := t.TempDir(), filepath.Join(t.TempDir(), "key")
	key, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(identity, []byte(key.String()+"\n"), 0o600))
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	logArgs := []string{"backup", "log", "--socket", s.Socket, "--to", place, "--quiet", "--recipient", key.Recipient().String()}
	h := &history{t: t, db: db, rng: rng}
	for range 3 {
		cmd := archiver(t, ember, logArgs)
		for range 20 {
			h.step()
		}
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		require.Error(t, cmd.Wait())
	}
	run(t, append(logArgs, "--once")...)
	require.NoError(t, s.Stop())
	for n := range *rounds {
		restoreTo(t, ember, h, n, with, place, identity)
	}
	refused := map[string]string{"--to-position=binlog.999999:4": "the binary logs end at ", "--to-position=binlog.000001:4": "ends at binlog.000001:",
		"--to-time=2020-01-01T00:00:00Z": "behind 2020-01-01T00:00:00Z", "--to-gtid=11111111-2222-3333-4444-555555555555:1-9": "the binary logs end before the transactions ",
		"--before-gtid=11111111-2222-3333-4444-555555555555:1": "the binary logs end before the transaction ", "--to-latest --logs=" + t.TempDir(): "holds no binary logs"}
	for goal, says := range refused {
		dir := filepath.Join(t.TempDir(), "d")
		out, code := tool(t, append([]string{"restore", "--from", place, "--datadir", dir, "--quiet", "--identity", identity}, strings.Fields(goal)...)...)
		require.NotZero(t, code, goal)
		require.Contains(t, out, says, goal)
		_, err := os.Stat(filepath.Join(dir, "spaces"))
		require.ErrorIs(t, err, fs.ErrNotExist, "nothing is copied before the logs are found")
	}
	r := emberd.Prepare(t, with...)
	out, err := exec.Command(ember, "restore", "--from", place, "--datadir", r.Dir, "--identity", identity, "--to-time=2900-01-01T00:00:00Z").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "the binary logs end before 2900")
}

// lastOfFile tells whether the next moment is that of another file of the log.
func (h *history) lastOfFile(i int) bool {
	file, _, _ := strings.Cut(h.all[i].position, ":")
	return !strings.HasPrefix(h.all[i+1].position, file+":")
}

// restoreTo restores to a random moment.
func restoreTo(t *testing.T, ember string, h *history, n int, with []string, place, identity string) {
	i := 1 + h.rng.IntN(len(h.all)-2)
	for last := len(h.all) - 2; n == 0 && i < last && !h.lastOfFile(i); { // the first time, the last transaction of a file
		i++
	}
	m := h.all[i]
	goals := []string{"--to-position=" + m.position, "--to-time=" + m.at.Format(time.RFC3339Nano), "--to-gtid=" + m.executed, "--before-gtid=" + h.all[i+1].gtid}
	if m.gtid == "" {
		goals = goals[:2]
	}
	goal := goals[(n+h.rng.IntN(2)*2)%len(goals)]
	r := emberd.Prepare(t, with...)
	args := []string{"restore", "--from", place, "--datadir", r.Dir, "--quiet", "--identity", identity, goal}
	for kill := n%2 == 1; kill; kill = false {
		cmd := exec.Command(ember, args...)
		require.NoError(t, cmd.Start())
		timer := time.AfterFunc(time.Duration(100+h.rng.IntN(1500))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		awaitFree(t, r.Dir)
	}
	set, err := os.ReadFile(filepath.Join(r.Dir, "ember.applying"))
	_, made := os.Stat(filepath.Join(r.Dir, "ember.json"))
	if err == nil && made == nil {
		out, code := emberd.Exits(t, "--datadir="+r.Dir)
		require.NotZero(t, code)
		require.Contains(t, out, "were not all applied", "a server does not open a directory on its way")
	}
	if err == nil || made != nil {
		t.Logf("restore to %s, of %s", goal, set)
		out, err := exec.Command(ember, args...).CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, h.list())
	}
	require.NoError(t, r.Launch())
	db := open(t, r, "")
	require.Equal(t, m.state, stateOf(t, db), goal)
	require.Equal(t, m.executed, strings.ReplaceAll(column(t, db, "SELECT @@gtid_executed")[0], "\n", ""), h.list())
	require.Empty(t, column(t, db, "SELECT CHANNEL_NAME FROM performance_schema.replication_connection_configuration WHERE HOST <> ''"))
	require.NoError(t, r.Stop())
	run(t, "check", r.Dir, "--quiet")
}

// awaitFree waits until the server that a killed restore had started is gone, which its end tells
// it to be.
func awaitFree(t *testing.T, dir string) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		f, err := os.OpenFile(filepath.Join(dir, "ember.lock"), os.O_RDWR, 0)
		if os.IsNotExist(err) {
			return true
		}
		require.NoError(t, err)
		defer f.Close()
		return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	})
}
