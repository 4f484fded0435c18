package process

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// smallDisk mounts a file system of a few MiB.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size)
	if errors.Is(err, syscall.EPERM) {
		t.Skip("only root mounts a file system")
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fullDisk takes what room there is on a disk for a file, and what becomes free, until the file is
// removed by the function it returns. The server frees room at times of its own: segments of its
// log, files that it has done with.
func fullDisk(t *testing.T, name string) (empty func()) {
	t.Helper()
	f, err := os.Create(name)
	require.NoError(t, err)
	fill := func() (err error) {
		block := make([]byte, 64<<10)
		for len(block) > 0 {
			if _, err = f.Write(block); err != nil {
				block = block[:len(block)/2]
			}
		}
		return err
	}
	require.ErrorIs(t, fill(), syscall.ENOSPC)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				_ = fill() // it always ends with an error
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-done
		f.Close()
		os.Remove(name)
	})
}

// fullCodes are MySQL's errors for no room: disk full, table full, temporary file not written,
// binary log not written.
var fullCodes = []uint16{1021, 1026, 1114, 1878, 1598}

// noRoom expects an error that tells that the disk is full.
func noRoom(t *testing.T, err error, what string) {
	t.Helper()
	var e *mysql.MySQLError
	require.ErrorAs(t, err, &e, what)
	require.Contains(t, fullCodes, e.Number, "%s: %v", what, e)
}

// TestFullDisk has a disk of a server fill up. What finds no room tells so, nothing acknowledged is
// lost, a shutdown is orderly, and all goes on once there is room, in the same process and in the
// next.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "160m")
	ballast := filepath.Join(dir, "ballast")
	s := emberd.Start(t, "--datadir="+filepath.Join(dir, "data"), "--innodb-redo-log-capacity=16M", "--innodb-buffer-pool-size=32M", "--log-bin=binlog")
	db := openDB(t, s, "")
	run := func(q string, args ...any) error {
		_, err := db.Exec(q, args...)
		return err
	}
	must := func(q string, args ...any) {
		t.Helper()
		require.NoError(t, run(q, args...), q)
	}
	must("CREATE DATABASE d")
	must("CREATE TABLE d.t (id INT PRIMARY KEY, k INT, pad VARCHAR(1000))")
	rows := 0
	insert := func(db *sql.DB) error {
		var values []string
		for i := range 50 {
			values = append(values, fmt.Sprintf("(%d, %d, '%s')", rows+i, (rows+i)*7%1000, strings.Repeat("x", 700)))
		}
		_, err := db.Exec("INSERT INTO d.t VALUES " + strings.Join(values, ","))
		if err == nil {
			rows += 50
		}
		return err
	}
	whole := func() {
		t.Helper()
		require.Equal(t, fmt.Sprint(rows), value(t, db, "SELECT COUNT(*) FROM d.t"))
	}
	for range 300 {
		require.NoError(t, insert(db))
	}

	// 1. The disk fills under statements, and gets room again.
	empty := fullDisk(t, ballast)
	defer func() { empty() }()
	var err error
	for i := 0; err == nil && i < 5000; i++ {
		err = insert(db)
	}
	noRoom(t, err, "INSERT")
	whole()
	noRoom(t, run("ALTER TABLE d.t ADD INDEX k (k, pad(700))"), "ADD INDEX")
	noRoom(t, run("ALTER TABLE d.t MODIFY pad VARCHAR(900) NOT NULL"), "a table rebuilt")
	noRoom(t, run("CREATE TABLE d.u AS SELECT * FROM d.t"), "CREATE TABLE ... SELECT")
	tx, err := db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec("UPDATE d.t SET pad = CONCAT('y', pad, ?)", strings.Repeat("y", 200))
	noRoom(t, err, "a large transaction")
	require.NoError(t, tx.Rollback())
	whole()
	var file, size, encrypted string // who makes room by a purge finds the files
	require.NoError(t, db.QueryRow("SHOW BINARY LOGS").Scan(&file, &size, &encrypted))
	must("PURGE BINARY LOGS TO '" + file + "'")
	empty()
	testkit.Eventually(t, func() bool { return insert(db) == nil }, "room was made and is not used")
	must("ALTER TABLE d.t ADD INDEX k (k)")
	must("ALTER TABLE d.t DROP INDEX k")
	whole()

	// 2. A shutdown on the full disk is orderly, and the next start works.
	empty = fullDisk(t, ballast)
	for err = nil; err == nil; {
		err = insert(db)
	}
	noRoom(t, err, "INSERT")
	require.NoError(t, s.Stop())
	empty()
	require.NoError(t, s.Launch())
	whole()
	require.NoError(t, insert(db))

	// 3. So does the start after a kill.
	empty = fullDisk(t, ballast)
	for err = nil; err == nil; {
		err = insert(db)
	}
	s.Kill()
	if err := s.Launch(); err != nil {
		require.Contains(t, err.Error(), "no space left on device")
	} else {
		s.Kill()
	}
	empty()
	require.NoError(t, s.Launch())
	whole()
	require.NoError(t, insert(db))
	require.Equal(t, "OK", checkTable(t, db, "d.t"))
	left, err := filepath.Glob(filepath.Join(dir, "data", "tmp", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, s.Stop())
}

// checkTable is the text of CHECK TABLE.
func checkTable(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	var name, op, kind, text string
	require.NoError(t, db.QueryRow("CHECK TABLE "+table).Scan(&name, &op, &kind, &text))
	return text
}
