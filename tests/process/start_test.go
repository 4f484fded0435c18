package process

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// refuses expects the server to give up at the start and to say why: the output holds every one of
// words.
func refuses(t *testing.T, args []string, words ...string) {
	t.Helper()
	out, code := emberd.Exits(t, args...)
	require.NotZero(t, code, "%s", out)
	for _, w := range words {
		require.Contains(t, out, w)
	}
	require.NotContains(t, out, "goroutine ", "a panic")
}

func TestWrongOptions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	base := func(more ...string) []string {
		return append([]string{"--datadir=" + dir, "--port=" + strconv.Itoa(emberd.FreePort(t)), "--socket=" + filepath.Join(t.TempDir(), "s")}, more...)
	}
	refuses(t, base("--nonsense=1"), "nonsense")
	refuses(t, base("--max-connections=many"), "max", "connections", "many")
	refuses(t, base("--innodb-flush-log-at-trx-commit=9"), "flush", "9")
	file := filepath.Join(t.TempDir(), "my.cnf")
	require.NoError(t, os.WriteFile(file, []byte("[mysqld]\nmax_connections = 33\nno_such_thing = 1\n"), 0o644))
	refuses(t, append([]string{"--defaults-file=" + file}, base()...), "no", "such", "thing")
	refuses(t, append([]string{"--defaults-file=" + file + ".missing"}, base()...), file+".missing")
	_, err := os.Stat(filepath.Join(dir, "ember.json"))
	require.ErrorIs(t, err, fs.ErrNotExist, "a server that refuses its options creates no data")
}

func TestOptionFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.cnf")
	require.NoError(t, os.WriteFile(file, []byte("[client]\nfoo = bar\n[mysqld]\nmax_connections = 33\nloose_unknown = 1\nskip-name-resolve\n"), 0o644))
	s := emberd.Start(t, "--defaults-file="+file)
	require.Equal(t, "33", value(t, openDB(t, s, ""), "SELECT @@max_connections"))
}

func TestWrongDirectory(t *testing.T) {
	options := func(dir string) []string {
		return []string{"--datadir=" + dir, "--port=" + strconv.Itoa(emberd.FreePort(t)), "--socket=" + filepath.Join(t.TempDir(), "s")}
	}
	foreign := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "letter.txt"), []byte("dear"), 0o644))
	refuses(t, options(foreign), foreign)
	text, err := os.ReadFile(filepath.Join(foreign, "letter.txt"))
	require.NoError(t, err)
	require.Equal(t, "dear", string(text))
	refuses(t, options(filepath.Join(foreign, "letter.txt")), "letter.txt")
	refuses(t, options(filepath.Join(foreign, "letter.txt", "below")), "letter.txt")
}

func TestSecondServer(t *testing.T) {
	s := emberd.Start(t)
	refuses(t, []string{"--datadir=" + s.Dir, "--port=" + strconv.Itoa(emberd.FreePort(t)), "--socket=" + filepath.Join(t.TempDir(), "s")},
		s.Dir, "in use")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	refuses(t, []string{"--datadir=" + filepath.Join(t.TempDir(), "d"), "--bind-address=127.0.0.1", "--port=" + strconv.Itoa(port),
		"--socket=" + filepath.Join(t.TempDir(), "s")}, strconv.Itoa(port))
	require.NoError(t, openDB(t, s, "").Ping())
}

// damage stops the server, changes the file of the table that holds many rows, and starts it again.
// The other table's file is left alone.
func damage(t *testing.T, s *emberd.Server, f func(path string)) {
	t.Helper()
	db := openDB(t, s, "")
	mustExec(t, db, "CREATE DATABASE d")
	mustExec(t, db, "CREATE TABLE d.small (id INT PRIMARY KEY)")
	mustExec(t, db, "INSERT INTO d.small VALUES (1)")
	before := spaceFiles(t, s.Dir)
	mustExec(t, db, "CREATE TABLE d.big (id INT PRIMARY KEY, v CHAR(200))")
	// More pages than the doublewrite area holds: it would repair them.
	for i := range 300 {
		q := "INSERT INTO d.big VALUES "
		for j := range 100 {
			if j > 0 {
				q += ","
			}
			q += fmt.Sprintf("(%d,'%0200d')", i*100+j, i)
		}
		mustExec(t, db, q)
	}
	require.NoError(t, s.Stop())
	var path string
	for p := range spaceFiles(t, s.Dir) {
		if !before[p] {
			require.Empty(t, path, "one table, one file")
			path = p
		}
	}
	require.NotEmpty(t, path)
	f(path)
	require.NoError(t, s.Launch())
}

// spaceFiles lists the tablespace files.
func spaceFiles(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "spaces"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out[path] = true
		}
		return err
	}))
	return out
}

// goesOn expects that reading the damaged table fails with an error that names its file, and that
// the rest works.
func goesOn(t *testing.T, s *emberd.Server, path string) {
	t.Helper()
	db := openDB(t, s, "")
	var n int
	err := db.QueryRowContext(context.Background(), "SELECT COUNT(v) FROM d.big").Scan(&n)
	require.ErrorContains(t, err, filepath.Base(path))
	require.True(t, s.Alive())
	require.Equal(t, "1", value(t, db, "SELECT COUNT(*) FROM d.small"))
	mustExec(t, db, "INSERT INTO d.small VALUES (2)")
	mustExec(t, db, "DROP TABLE d.big")
}

func TestCorruptedPages(t *testing.T) {
	s := emberd.Start(t)
	var path string
	damage(t, s, func(p string) {
		path = p
		f, err := os.OpenFile(p, os.O_RDWR, 0)
		require.NoError(t, err)
		defer f.Close()
		info, err := f.Stat()
		require.NoError(t, err)
		// One byte in the middle of every page from the 5th on: trees begin before.
		for off := int64(4*16<<10 + 8000); off < info.Size(); off += 16 << 10 {
			b := make([]byte, 1)
			_, err := f.ReadAt(b, off)
			require.NoError(t, err)
			b[0] ^= 0x5a
			_, err = f.WriteAt(b, off)
			require.NoError(t, err)
		}
	})
	goesOn(t, s, path)
}

// TestBinaryLogByDefault starts a directory that never had a binary log: there is one now. Its
// GTIDs outlive a time without it and the loss of its files; only a log that is wanted and gone
// keeps a start from going on.
func TestBinaryLogByDefault(t *testing.T) {
	s := emberd.Start(t) // without
	db := openDB(t, s, "")
	require.Equal(t, "0", value(t, db, "SELECT @@log_bin"))
	mustExec(t, db, "CREATE DATABASE d")
	again := func(end func() error, args ...string) {
		require.NoError(t, end())
		s.Args = args
		require.NoError(t, s.Launch())
	}
	kill := func() error { s.Kill(); return nil }
	lose := func() {
		require.NoError(t, s.Stop())
		logs, err := filepath.Glob(filepath.Join(s.Dir, "binlog.*"))
		require.NoError(t, err)
		require.NotEmpty(t, logs)
		for _, path := range logs {
			require.NoError(t, os.Remove(path))
		}
	}
	named := []string{"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"}
	again(s.Stop, named...)
	mustExec(t, db, "CREATE TABLE d.t (a INT PRIMARY KEY)")
	const where = "SELECT @@gtid_executed"
	executed := value(t, db, where)
	require.Contains(t, executed, ":1")
	again(kill, "--disable-log-bin")
	mustExec(t, db, "INSERT INTO d.t VALUES (1)")
	again(s.Stop, named...)
	require.Equal(t, executed, value(t, db, where))
	mustExec(t, db, "INSERT INTO d.t VALUES (2)")
	executed = value(t, db, where)
	require.Contains(t, executed, ":1-2")
	lose()
	refuses(t, append([]string{"--datadir=" + s.Dir, "--socket=" + s.Socket, "--port=" + strconv.Itoa(s.Port)}, named...), "binlog.0", "--ember-binlog-begin-anew")
	s.Args = append(named, "--ember-binlog-begin-anew")
	require.NoError(t, s.Launch())
	again(kill, named...)
	require.Equal(t, executed, value(t, db, where))
	require.Equal(t, executed, value(t, db, "SELECT @@gtid_purged"))
	require.Equal(t, "2", value(t, db, "SELECT COUNT(*) FROM d.t"))
	lose()
	s.Args = []string{"--skip-log-bin"}
	require.NoError(t, s.Launch(), "a log that nobody wants does not hinder")
}

func TestMissingTableFile(t *testing.T) {
	s := emberd.Start(t)
	var path string
	damage(t, s, func(p string) { path = p; require.NoError(t, os.Remove(p)) })
	goesOn(t, s, path)
}

func TestTruncatedTableFile(t *testing.T) {
	s := emberd.Start(t)
	var path string
	damage(t, s, func(p string) { path = p; require.NoError(t, os.Truncate(p, 5*16<<10)) })
	goesOn(t, s, path)
}
