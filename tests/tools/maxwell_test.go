package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestMaxwell has Maxwell follow a server that is written to, by GTID and by file and position.
// Definitions change all the time, and a table is copied first. Maxwell is killed and started
// again, and so is the server. Maxwell must report each version of each row, in order.
func TestMaxwell(t *testing.T) {
	path := find(t, "maxwell")
	for _, mode := range []string{"ON", "OFF"} {
		t.Run("gtid_mode "+mode, func(t *testing.T) {
			s, restart := openFollowed(t, mode)
			failed := s.watch()
			m := &maxwell{path: path, port: s.port, gtid: mode == "ON", dir: t.TempDir()}
			m.start(t, func() bool { return s.sends(t) })
			s.exec(t, "INSERT INTO maxwell.bootstrap (database_name, table_name) VALUES ('shop', 'old')")
			w := s.raising(t)
			m.await(t, "bootstrap-complete")
			s.exec(t, "CREATE TABLE shop.other LIKE shop.item", "RENAME TABLE shop.other TO shop.another", "DROP TABLE shop.another")
			m.await(t, `"type":"table-drop"`)
			written(t, w, 50)
			m.process.kill()
			written(t, w, 50)
			m.start(t, m.tells)
			written(t, w, 50)
			failed.only(t)
			m.supervised = true
			restart()
			failed = s.watch()
			written(t, w, 50)
			w.stop()
			require.NoError(t, w.clients.Wait())
			s.exec(t, "CREATE TABLE shop.marker (id INT PRIMARY KEY)", "INSERT INTO shop.marker VALUES (1)")
			m.await(t, `"table":"marker","type":"insert"`)
			failed.only(t)
			m.check(t, s)
			t.Logf("%d transactions and definitions, %d starts of Maxwell", w.done.Load(), m.starts)
		})
	}
}

// openFollowed returns a server with the tables, and a function that kills and starts it.
func openFollowed(t *testing.T, gtid string) (s *server, restart func()) {
	t.Helper()
	s, restart = &server{port: *sourcePort}, func() {}
	if s.port == 0 {
		e := emberd.Start(t, "--log-bin=binlog", "--server-id=1", "--gtid-mode="+gtid, "--enforce-gtid-consistency="+gtid, "--innodb-buffer-pool-size=64M")
		s.port = e.Port
		restart = func() {
			e.Kill()
			require.NoError(t, e.Launch())
			s.remember(t)
		}
	}
	s.db = connect(t, s.port)
	s.remember(t)
	s.exec(t, "DROP DATABASE IF EXISTS shop", "DROP DATABASE IF EXISTS maxwell", "CREATE DATABASE shop", "DROP USER IF EXISTS "+user,
		fmt.Sprintf("CREATE USER %s IDENTIFIED BY '%s'", user, password), "GRANT ALL ON maxwell.* TO "+user,
		"GRANT SELECT, REPLICATION CLIENT, REPLICATION SLAVE ON *.* TO "+user,
		"CREATE TABLE shop.item (id INT PRIMARY KEY, version INT NOT NULL, note VARCHAR(40))",
		"CREATE TABLE shop.old (id INT PRIMARY KEY, made DATETIME(3), doc JSON, kind ENUM('x','y'))",
		`INSERT INTO shop.old WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
			SELECT n, FROM_UNIXTIME(1700000000 + n), JSON_OBJECT('a', n), n MOD 2 + 1 FROM c`)
	return s, restart
}

// remember has the server keep the statements that failed.
func (s *server) remember(t *testing.T) {
	t.Helper()
	s.exec(t, "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_statements_history%'",
		"TRUNCATE performance_schema.events_statements_history_long")
}

// sends tells whether the server sends its binary log to a client.
func (s *server) sends(t *testing.T) bool {
	t.Helper()
	var n int
	require.NoError(t, s.db.QueryRow("SELECT COUNT(*) FROM performance_schema.processlist WHERE command LIKE 'Binlog Dump%'").Scan(&n))
	return n > 0
}

// raising starts clients that raise the versions of rows, and one that changes the definition of
// their table. They go on while the server is killed and started again.
func (s *server) raising(t *testing.T) *writer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &writer{stop: cancel}
	repeat := func(pause time.Duration, act func() error) {
		w.clients.Go(func() error {
			for ctx.Err() == nil {
				if err := act(); err == nil {
					w.done.Add(1)
				} else if e := (*mysql.MySQLError)(nil); errors.As(err, &e) && e.Number != 1213 && e.Number != 1053 && e.Number != 1412 {
					return err
				}
				time.Sleep(pause)
			}
			return nil
		})
	}
	for range *writers {
		repeat(3*time.Millisecond, s.raise)
	}
	repeat(200*time.Millisecond, s.redefine)
	t.Cleanup(cancel)
	written(t, w, 10)
	return w
}

// raise deletes a row, or inserts several or raises their versions.
func (s *server) raise() error {
	id := rand.IntN(300)
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	changes := []string{"INSERT " + mark + " INTO shop.item (id, version, note) VALUES (?, 1, 'ä'), (? + 1, 1, NULL) ON DUPLICATE KEY UPDATE version = version + 1",
		"UPDATE " + mark + " shop.item SET version = version + 1 WHERE id BETWEEN ? AND ? + 4"}
	if id%10 == 0 {
		changes = []string{"DELETE " + mark + " FROM shop.item WHERE id = ? OR id = ? + 2"}
	}
	for _, q := range changes {
		if _, err := tx.Exec(q, id, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// redefine changes the definition of the table. Each change can be repeated.
func (s *server) redefine() error {
	var added bool
	if err := s.db.QueryRow("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'shop' AND column_name = 'more'").Scan(&added); err != nil {
		return err
	}
	changes := [...]string{"ADD COLUMN more INT DEFAULT 5 AFTER id, ADD KEY (note)", "MODIFY note VARCHAR(60), ALGORITHM=COPY"}
	if added {
		changes = [...]string{"MODIFY note VARCHAR(40), ALGORITHM=COPY", "DROP COLUMN more, DROP KEY note"}
	}
	for _, change := range changes {
		if _, err := s.db.Exec("ALTER " + mark + " TABLE shop.item " + change); err != nil {
			return err
		}
	}
	return nil
}

// maxwell is a Maxwell that is started several times. Each start writes a file of its own.
type maxwell struct {
	path, dir string
	port      int
	gtid      bool
	starts    int
	process   *process

	supervised bool // it is started again when it ends, as it does when it finds its connections broken
}

const maxStarts = 8

// start starts it, and waits until it is ready; nil: it does not wait.
func (m *maxwell) start(t *testing.T, ready func() bool) {
	t.Helper()
	m.starts++
	m.process = background(t, exec.Command(m.path, "--host=127.0.0.1", "--port="+strconv.Itoa(m.port), "--user="+user, "--password="+password,
		"--jdbc_options=allowPublicKeyRetrieval=true", "--gtid_mode="+strconv.FormatBool(m.gtid), "--output_ddl=true", "--output_binlog_position=true",
		"--producer=file", "--output_file="+m.file(m.starts)))
	if ready != nil {
		m.wait(t, "Maxwell does not start", ready)
	}
}

// wait waits for something that Maxwell does while it runs.
func (m *maxwell) wait(t *testing.T, message string, holds func() bool) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		alive := m.process.alive()
		done := holds()
		if !alive && !done {
			require.True(t, m.supervised && m.starts < maxStarts, "Maxwell has ended")
			m.start(t, nil)
		}
		return done
	}, message)
}

func (m *maxwell) file(start int) string {
	return filepath.Join(m.dir, strconv.Itoa(start))
}

// tells is whether this start has reported a change.
func (m *maxwell) tells() bool {
	i, err := os.Stat(m.file(m.starts))
	return err == nil && i.Size() > 0
}

// await waits until this start has reported something.
func (m *maxwell) await(t *testing.T, what string) {
	t.Helper()
	m.wait(t, "Maxwell does not report "+what, func() bool {
		text, err := os.ReadFile(m.file(m.starts))
		return err == nil && strings.Contains(string(text), what)
	})
}

// change is a line of Maxwell.
type change struct {
	Database, Table, Type, Position string
	Data                            struct{ ID, Version int }
}

// check expects that Maxwell has reported each row that it copied once, and each version of the
// others. A start may repeat what the one before reported.
func (m *maxwell) check(t *testing.T, s *server) {
	t.Helper()
	have, copied, seen, again := map[int]int{}, map[int]bool{}, map[string]bool{}, 0
	for _, c := range m.changes(t) {
		place := fmt.Sprint(c.Position, " ", c.Data.ID)
		switch {
		case c.Type == "bootstrap-insert":
			require.False(t, copied[c.Data.ID], c)
			copied[c.Data.ID] = true
		case c.Database != "shop" || c.Table != "item" || strings.HasPrefix(c.Type, "table-"):
		case seen[place]:
			again++
		default:
			seen[place] = true
			require.True(t, apply(have, c), "after version %d: %+v", have[c.Data.ID], c)
		}
	}
	t.Logf("%d changes, %d of them reported twice", len(seen), again)
	require.Len(t, copied, 1000)
	require.Equal(t, s.versions(t), have)
}

// changes are what all starts have reported. What a killed one had begun to write is left out.
func (m *maxwell) changes(t *testing.T) (all []change) {
	t.Helper()
	for start := 1; start <= m.starts; start++ {
		f, err := os.Open(m.file(start))
		if errors.Is(err, os.ErrNotExist) {
			continue // it ended before it had anything to report
		}
		require.NoError(t, err)
		defer f.Close()
		for d := json.NewDecoder(f); ; { // two changes may share a line
			var c change
			err := d.Decode(&c)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && start < m.starts {
				break
			}
			require.NoError(t, err)
			all = append(all, c)
		}
	}
	return all
}

// apply applies a change to the versions of the rows; false: it is not the next one of its row.
func apply(have map[int]int, c change) bool {
	version, known := have[c.Data.ID]
	if c.Type == "delete" {
		delete(have, c.Data.ID)
		return known && version == c.Data.Version
	}
	have[c.Data.ID] = c.Data.Version
	return known == (c.Type == "update") && c.Data.Version == version+1
}

func (s *server) versions(t *testing.T) map[int]int {
	t.Helper()
	rows, err := s.db.Query("SELECT id, version FROM shop.item")
	require.NoError(t, err)
	defer rows.Close()
	all := map[int]int{}
	for rows.Next() {
		var id, version int
		require.NoError(t, rows.Scan(&id, &version))
		all[id] = version
	}
	require.NoError(t, rows.Err())
	return all
}
