package process

import (
	"database/sql"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// A buffer pool that outlives the server: what is taken over, and what is refused.

var takenOver = regexp.MustCompile(`taken over pages=(\d+) dirty=(\d+)`)

// kept returns the pages that the last start took over; -1: none, and it said why.
func kept(t *testing.T, s *emberd.Server) (pages, dirty int) {
	t.Helper()
	log := s.Log()
	found := takenOver.FindAllStringSubmatch(log, -1)
	if len(found) == 0 || strings.LastIndex(log, "not taken over") > strings.LastIndex(log, "is taken over") {
		return -1, 0
	}
	pages, _ = strconv.Atoi(found[len(found)-1][1])
	dirty, _ = strconv.Atoi(found[len(found)-1][2])
	return pages, dirty
}

// refused counts the starts that told why they do not take the memory over.
func refused(s *emberd.Server) int { return strings.Count(s.Log(), "is not taken over") }

// keptServer is a server with some rows, and redo that no page has on disk.
func keptServer(t *testing.T, how string, more ...string) (*emberd.Server, *sql.DB) {
	s := emberd.Start(t, append(emberd.KeepMemory(t, how), more...)...)
	db := s.Open("")
	t.Cleanup(func() { db.Close() })
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.a (i INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(1000), KEY s (s(100)))",
		"INSERT INTO t.a (s) VALUES (REPEAT('a', 500)), (REPEAT('b', 500))")
	for range 11 {
		execAll(t, db, "INSERT INTO t.a (s) SELECT CONCAT(i, s) FROM t.a")
	}
	return s, db
}

func execAll(t *testing.T, db *sql.DB, queries ...string) {
	t.Helper()
	for _, q := range queries {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
}

// sumOf is what a reader sees of the table.
func sumOf(t *testing.T, db *sql.DB) (sum string) {
	t.Helper()
	require.NoError(t, db.QueryRow("SELECT CONCAT(COUNT(*), '-', SUM(CRC32(s)), '-', SUM(i)) FROM t.a").Scan(&sum))
	return sum
}

func number(t *testing.T, db *sql.DB, name string) int {
	t.Helper()
	var key, value string
	require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE '"+name+"'").Scan(&key, &value))
	n, err := strconv.Atoi(value)
	require.NoError(t, err)
	return n
}

// After a kill, and after a shutdown, the pages are there without being read, and they are the
// right ones.
func TestMemoryIsKept(t *testing.T) {
	for _, how := range []string{"hold", "tmpfs"} {
		t.Run(how, func(t *testing.T) {
			s, db := keptServer(t, how, "--ember-pool-memory-verify=on")
			want := sumOf(t, db)
			s.Kill()
			require.NoError(t, s.Launch())
			pages, dirty := kept(t, s)
			require.Positive(t, pages)
			require.Positive(t, dirty)
			require.Equal(t, want, sumOf(t, db))
			require.Zero(t, number(t, db, "Ember_pool_pages_refused"))
			require.Positive(t, number(t, db, "Ember_pool_pages_used"))

			execAll(t, db, "UPDATE t.a SET s = CONCAT('x', s) WHERE i % 3 = 0")
			want = sumOf(t, db)
			require.NoError(t, s.Stop())
			require.NoError(t, s.Launch())
			pages, dirty = kept(t, s)
			require.Positive(t, pages)
			require.Zero(t, dirty)
			require.Equal(t, want, sumOf(t, db))

			// Another size: smaller, then larger.
			for _, size := range []string{"16M", "256M"} {
				s.Kill()
				s.Args = append(s.Args, "--innodb-buffer-pool-size="+size)
				require.NoError(t, s.Launch())
				require.Equal(t, want, sumOf(t, db))
				pages, _ = kept(t, s)
				require.Positive(t, pages)
			}
			require.NoError(t, s.Stop())
			checkKeptDirectory(t, s.Dir)

			// Whoever uses the directory without the memory makes it stale.
			require.NoError(t, s.Launch())
			before := refused(s)
			execAll(t, db, "UPDATE t.a SET s = CONCAT('z', s) WHERE i % 5 = 0")
			want = sumOf(t, db)
			s.Kill()
			checkKeptDirectory(t, s.Dir) // recovers it
			require.NoError(t, s.Launch())
			require.Equal(t, before+1, refused(s))
			require.Equal(t, want, sumOf(t, db))
		})
	}
}

func checkKeptDirectory(t *testing.T, dir string) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), "check", dir).CombinedOutput()
	require.NoError(t, err, "ember check:\n%s", out)
}

// memoryFile is the file of a server with ember_pool_memory=tmpfs.
func memoryFile(t *testing.T, s *emberd.Server) string {
	t.Helper()
	for _, a := range s.Args {
		if dir, ok := strings.CutPrefix(a, "--ember-pool-memory-dir="); ok {
			found, err := filepath.Glob(dir + "/ember-pool-*")
			require.NoError(t, err)
			require.Len(t, found, 1)
			return found[0]
		}
	}
	t.Fatal("the server has no file of memory")
	return ""
}

// copyOf copies a file of memory, which is mostly holes.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(filepath.Dir(path), "copy")
	out, err := exec.Command("cp", "--sparse=always", "--preserve=mode", path, to).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return to
}

// Memory that was damaged between two processes is refused, or its damaged pages are read again:
// the rows are right.
func TestDamagedMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	s, db := keptServer(t, "tmpfs", "--innodb-buffer-pool-size=64M")
	want := sumOf(t, db)
	require.NoError(t, s.Stop())
	require.NoError(t, s.Launch())
	const states = 4096
	scatter := func(from, to int64, n int) func(f *os.File) {
		return func(f *os.File) {
			for range n {
				_, err := f.WriteAt([]byte{byte(r.Uint32()), byte(r.Uint32())}, from+r.Int64N(to-from-2))
				require.NoError(t, err)
			}
		}
	}
	fi, err := os.Stat(memoryFile(t, s))
	require.NoError(t, err)
	maxFrames := (fi.Size() - states - 2<<20) / (16<<10 + 64) // nearly
	pages := fi.Size() - maxFrames*(16<<10)
	pages = pages / (2 << 20) * (2 << 20)
	for _, c := range []struct {
		name    string
		damage  func(f *os.File)
		refused int // starts that take nothing over; -1: it depends
	}{
		{"header", scatter(0, 64, 64), 1},
		{"all states", scatter(states, states+4096*64, 100000), -1},
		{"some states", scatter(states, states+4096*64, 300), -1},
		{"pages", scatter(pages, pages+4096*16<<10, 20000), -1},
		{"all zero", func(f *os.File) { require.NoError(t, syscall.Fallocate(int(f.Fd()), 3, 0, fi.Size())) }, 1},
		{"shorter", func(f *os.File) { require.NoError(t, f.Truncate(fi.Size()/2)) }, 1},
		{"empty", func(f *os.File) { require.NoError(t, f.Truncate(0)) }, 1},
		{"longer", func(f *os.File) { require.NoError(t, f.Truncate(fi.Size()+1)) }, 1},
	} {
		require.NoError(t, s.Stop()) // clean pages, all with a checksum
		f, err := os.OpenFile(memoryFile(t, s), os.O_RDWR, 0)
		require.NoError(t, err)
		c.damage(f)
		f.Close()
		before := refused(s)
		require.NoError(t, s.Launch(), c.name)
		require.Equal(t, want, sumOf(t, db), c.name)
		if c.refused >= 0 {
			require.Equal(t, before+c.refused, refused(s), c.name)
		}
		if c.name == "pages" {
			require.Positive(t, number(t, db, "Ember_pool_pages_refused"))
		}
	}
	require.NoError(t, s.Stop())
	checkKeptDirectory(t, s.Dir)
}

// What stands in the way of the memory costs a line in the log and nothing else.
func TestMemoryIsRefused(t *testing.T) {
	t.Run("no tmpfs", func(t *testing.T) {
		s := emberd.Start(t, "--ember-pool-memory=tmpfs", "--ember-pool-memory-dir=/proc")
		require.Contains(t, s.Log(), "is not on tmpfs")
		require.Equal(t, 1, strings.Count(s.Log(), "the buffer pool's memory ends with this process"))
	})
	t.Run("no holder", func(t *testing.T) {
		s := emberd.Start(t)
		require.NoError(t, s.Stop())
		require.NoError(t, os.MkdirAll(filepath.Join(s.Dir, "ember.hold", "in the way"), 0o700))
		s.Args = append(s.Args, "--ember-pool-memory=hold")
		require.NoError(t, s.Launch())
		require.Equal(t, 1, strings.Count(s.Log(), "the buffer pool's memory ends with this process"))
		answer, err := s.HandOver(t, "") // needs no holder
		require.NoError(t, err, answer)
	})
	t.Run("no systemd", func(t *testing.T) {
		s := emberd.Start(t, "--ember-pool-memory=systemd")
		require.Contains(t, s.Log(), "NOTIFY_SOCKET")
		answer, err := s.HandOver(t, "")
		require.NoError(t, err, answer)
	})
	t.Run("another's", func(t *testing.T) {
		s, db := keptServer(t, "tmpfs")
		want, path := sumOf(t, db), memoryFile(t, s)
		s.Kill()
		require.NoError(t, os.Chmod(path, 0o666))
		require.NoError(t, s.Launch())
		require.Contains(t, s.Log(), "not a file of this user alone")
		require.Equal(t, want, sumOf(t, db))
		s.Kill()
		require.NoError(t, os.Chmod(path, 0o600))

		// Two processes after one memory.
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
		require.NoError(t, s.Launch())
		require.Contains(t, s.Log(), "another process uses it")
		require.Equal(t, want, sumOf(t, db))
	})
	t.Run("copied directory", func(t *testing.T) {
		s, db := keptServer(t, "tmpfs")
		want, path := sumOf(t, db), memoryFile(t, s)
		require.NoError(t, s.Stop())
		memory := copyOf(t, path)
		// The directory becomes another one with the same content, and is given the memory of the
		// first.
		require.NoError(t, os.Rename(s.Dir, s.Dir+".first"))
		require.NoError(t, os.CopyFS(s.Dir, os.DirFS(s.Dir+".first")))
		require.NoError(t, os.Remove(path))
		require.NoError(t, s.Launch())
		own := memoryFile(t, s)
		require.NotEqual(t, path, own)
		require.NoError(t, s.Stop())
		require.NoError(t, os.Rename(memory, own))
		require.NoError(t, s.Launch())
		require.Contains(t, s.Log(), "it belongs to another data directory")
		require.Equal(t, want, sumOf(t, db))
	})
	t.Run("stale", func(t *testing.T) {
		s, db := keptServer(t, "tmpfs")
		path := memoryFile(t, s)
		require.NoError(t, s.Stop())
		stale := copyOf(t, path)
		require.NoError(t, s.Launch())
		execAll(t, db, "UPDATE t.a SET s = CONCAT('y', s)")
		want := sumOf(t, db)
		require.NoError(t, s.Stop())
		require.NoError(t, os.Rename(stale, path))
		require.NoError(t, s.Launch())
		require.Contains(t, s.Log(), "the data directory was used without it since")
		require.Equal(t, want, sumOf(t, db))
	})
}

// While the server is dead, clients queue at its sockets, and the next one answers them. A shutdown
// refuses them.
func TestListenersAreKept(t *testing.T) {
	s, db := keptServer(t, "hold")
	want := sumOf(t, db)
	s.Kill()
	c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
	require.NoError(t, err, "nobody accepts, and the client waits")
	defer c.Close()
	got := make(chan string, 1)
	go func() {
		db := s.Open("")
		defer db.Close()
		var sum string
		if err := db.QueryRow("SELECT CONCAT(COUNT(*), '-', SUM(CRC32(s)), '-', SUM(i)) FROM t.a").Scan(&sum); err != nil {
			sum = err.Error()
		}
		got <- sum
	}()
	require.NoError(t, s.Launch())
	require.Equal(t, want, testkit.Receive(t, got))
	greeting := make([]byte, 5)
	_, err = c.Read(greeting)
	require.NoError(t, err)
	require.EqualValues(t, 10, greeting[4], "protocol version")

	require.NoError(t, s.Stop())
	_, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	_, err = net.Dial("unix", s.Socket)
	require.Error(t, err)
	require.NoError(t, s.Launch())
	require.Equal(t, want, sumOf(t, db))
}

// A holder that dies is replaced; one that is told to end frees the memory, and the server goes on.
func TestHolderEnds(t *testing.T) {
	s, db := keptServer(t, "hold")
	want := sumOf(t, db)
	holder := func() int {
		out, _ := exec.Command("pgrep", "-f", "hold --datadir="+s.Dir).Output()
		pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		return pid
	}
	first := holder()
	require.Positive(t, first)
	require.NoError(t, syscall.Kill(first, syscall.SIGKILL))
	testkit.Eventually(t, func() bool { return strings.Contains(s.Log(), "another one was started") })
	s.Kill()
	require.NoError(t, s.Launch())
	pages, _ := kept(t, s)
	require.Positive(t, pages, "the second holder had the memory")
	require.Equal(t, want, sumOf(t, db))

	tool := func(args ...string) string {
		out, err := exec.Command(emberd.Build(t, "ember"), append([]string{"hold", "--datadir=" + s.Dir}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, tool(), "ember-pool")
	tool("--end")
	testkit.Eventually(t, func() bool { return strings.Contains(s.Log(), "was told to end") })
	require.Contains(t, tool(), "nothing is held")
	require.Equal(t, want, sumOf(t, db))
	s.Kill()
	require.NoError(t, s.Launch())
	require.Equal(t, want, sumOf(t, db))

	// A server without the option frees what is held.
	s.Kill()
	s.Args = append(s.Args, "--ember-pool-memory=off")
	require.NoError(t, s.Launch())
	require.Contains(t, tool(), "nothing is held")
	require.Equal(t, want, sumOf(t, db))
}
