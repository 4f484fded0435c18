package replication

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

var mixedFor = flag.Duration("mixed", 8*time.Second, "how long the clients of TestMixedWork work")

// mixedTables have a bit of everything that changes of rows meet: several unique keys, foreign keys
// that cascade, to the table itself as well, triggers, generated columns, partitions, documents with
// an index of several values, long values, no primary key.
var mixedTables = []string{
	"CREATE TABLE item (id INT PRIMARY KEY, a INT, b INT, s VARCHAR(20), UNIQUE ab (a, b), UNIQUE s (s), KEY b (b))",
	"CREATE TABLE parent (id INT PRIMARY KEY, code INT, name VARCHAR(20), UNIQUE code (code))",
	"CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, parent INT, code INT, n INT DEFAULT 0, " +
		"FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY (code) REFERENCES parent (code) ON DELETE SET NULL ON UPDATE CASCADE)",
	"CREATE TABLE tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES tree (id) ON DELETE CASCADE)",
	"CREATE TABLE gen (id INT PRIMARY KEY, x INT, y INT AS (x * 2) STORED, z INT AS (x + 1) VIRTUAL, d DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), UNIQUE z (z), KEY y (y))",
	"CREATE TABLE bare (a INT, b VARCHAR(10), KEY a (a))",
	"CREATE TABLE part (id INT, k INT, v INT, PRIMARY KEY (id, k), KEY v (v)) PARTITION BY HASH (k) PARTITIONS 4",
	"CREATE TABLE doc (id INT PRIMARY KEY, j JSON, KEY tags ((CAST(j->'$.tags' AS UNSIGNED ARRAY))))",
	"CREATE TABLE text (id INT PRIMARY KEY, t LONGTEXT, c CHAR(10) COLLATE utf8mb4_0900_ai_ci, UNIQUE c (c))",
	"CREATE TABLE told (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(10), item INT)",
	"CREATE TRIGGER item_i AFTER INSERT ON item FOR EACH ROW INSERT INTO told (what, item) VALUES ('i', NEW.id)",
	"CREATE TRIGGER item_u BEFORE UPDATE ON item FOR EACH ROW SET NEW.s = IF(NEW.b = 7, CONCAT('seven', NEW.id), NEW.s)",
	"CREATE TRIGGER item_d AFTER DELETE ON item FOR EACH ROW DELETE FROM told WHERE item = OLD.id LIMIT 2",
}

// mixedSound are queries that no row answers.
var mixedSound = []string{
	"SELECT a, b FROM item IGNORE INDEX (ab) WHERE a IS NOT NULL AND b IS NOT NULL GROUP BY a, b HAVING COUNT(*) > 1",
	"SELECT s FROM item IGNORE INDEX (s) WHERE s IS NOT NULL GROUP BY s HAVING COUNT(*) > 1",
	"SELECT code FROM parent IGNORE INDEX (code) WHERE code IS NOT NULL GROUP BY code HAVING COUNT(*) > 1",
	"SELECT c FROM text IGNORE INDEX (c) WHERE c IS NOT NULL GROUP BY c HAVING COUNT(*) > 1",
	"SELECT x FROM gen WHERE x IS NOT NULL GROUP BY x HAVING COUNT(*) > 1",
	"SELECT c.id FROM child c LEFT JOIN parent p ON p.id = c.parent WHERE c.parent IS NOT NULL AND p.id IS NULL",
	"SELECT c.id FROM child c LEFT JOIN parent p ON p.code = c.code WHERE c.code IS NOT NULL AND p.id IS NULL",
	"SELECT t.id FROM tree t LEFT JOIN tree u ON u.id = t.up WHERE t.up IS NOT NULL AND u.id IS NULL",
	"SELECT id FROM gen WHERE y <> x * 2 OR z <> x + 1",
}

// mixedErrors are those that random statements may get.
var mixedErrors = map[uint16]bool{1062: true, 1205: true, 1213: true, 1305: true, 1451: true, 1452: true, 1412: true, 1761: true}

// mixedStatement is a random statement.
func mixedStatement(r *rand.Rand) string {
	n := func() int { return r.IntN(24) }
	null := func() string {
		if r.IntN(6) == 0 {
			return "NULL"
		}
		return fmt.Sprint(n())
	}
	word := func() string { return fmt.Sprintf("'%c%d'", "aAbBäÄ"[r.IntN(4)], r.IntN(8)) }
	item := func() string { return fmt.Sprintf("(%d, %s, %s, %s)", n(), null(), null(), word()) }
	return []func() string{
		func() string { return "INSERT INTO item VALUES " + item() },
		func() string { return "INSERT IGNORE INTO item VALUES " + item() + ", " + item() + ", " + item() },
		func() string { return "REPLACE INTO item VALUES " + item() },
		func() string { return "REPLACE INTO item VALUES " + item() + ", " + item() },
		func() string {
			return "INSERT INTO item VALUES " + item() + ", " + item() + fmt.Sprintf(" ON DUPLICATE KEY UPDATE a = VALUES(a), b = b + %d, s = CONCAT('d', id)", r.IntN(3))
		},
		func() string {
			return fmt.Sprintf("INSERT INTO item VALUES %s ON DUPLICATE KEY UPDATE id = %d", item(), n())
		},
		func() string { return fmt.Sprintf("UPDATE item SET a = %s, b = %s WHERE id = %d", null(), null(), n()) },
		func() string { return fmt.Sprintf("UPDATE item SET id = %d, s = %s WHERE id = %d", n(), word(), n()) },
		func() string { return fmt.Sprintf("UPDATE item SET a = a + 1 WHERE b = %d ORDER BY a DESC", n()) },
		func() string { return fmt.Sprintf("UPDATE IGNORE item SET a = a - 1 WHERE a > %d", n()) },
		func() string {
			return fmt.Sprintf("UPDATE item SET s = CASE s WHEN %s THEN 'x%d' ELSE s END WHERE b < %d", word(), n(), n())
		},
		func() string { return fmt.Sprintf("DELETE FROM item WHERE id = %d", n()) },
		func() string { return fmt.Sprintf("DELETE FROM item WHERE b = %d OR s = %s", n(), word()) },
		func() string { return fmt.Sprintf("DELETE FROM item WHERE a > %d ORDER BY b, id LIMIT 2", n()) },
		func() string {
			return fmt.Sprintf("INSERT IGNORE INTO item SELECT id + %d, b, a, NULL FROM item WHERE id < 6", n())
		},
		func() string {
			return fmt.Sprintf("UPDATE item i JOIN parent p ON p.id = i.id SET i.b = p.code, p.name = i.s WHERE i.a = %d", n())
		},
		func() string {
			return fmt.Sprintf("DELETE t FROM item i JOIN told t ON t.item = i.id WHERE i.id = %d", n())
		},

		func() string { return fmt.Sprintf("INSERT INTO parent VALUES (%d, %s, %s)", n(), null(), word()) },
		func() string { return fmt.Sprintf("REPLACE INTO parent VALUES (%d, %s, %s)", n(), null(), word()) },
		func() string { return fmt.Sprintf("UPDATE parent SET id = %d WHERE id = %d", n(), n()) },
		func() string { return fmt.Sprintf("UPDATE parent SET code = %s WHERE id = %d", null(), n()) },
		func() string {
			return fmt.Sprintf("UPDATE IGNORE parent SET code = code + 1, id = id + 1 WHERE id > %d", n())
		},
		func() string { return fmt.Sprintf("DELETE FROM parent WHERE id = %d", n()) },
		func() string { return fmt.Sprintf("DELETE FROM parent WHERE code BETWEEN %d AND %d", n(), n()) },
		func() string { return fmt.Sprintf("INSERT INTO child (parent, code) VALUES (%s, %s)", null(), null()) },
		func() string { return "INSERT IGNORE INTO child (parent, code) SELECT id, code FROM parent LIMIT 3" },
		func() string {
			return fmt.Sprintf("UPDATE child SET parent = %s, code = %s WHERE id %% 7 = %d", null(), null(), r.IntN(7))
		},
		func() string { return fmt.Sprintf("UPDATE child SET n = n + 1 WHERE parent = %d", n()) },
		func() string { return "DELETE FROM child ORDER BY id LIMIT 3" },
		func() string { return fmt.Sprintf("INSERT INTO tree VALUES (%d, %s)", n(), null()) },
		func() string { return fmt.Sprintf("UPDATE tree SET up = %s WHERE id = %d", null(), n()) },
		func() string { return fmt.Sprintf("DELETE FROM tree WHERE id = %d", n()) },

		func() string {
			return fmt.Sprintf("INSERT INTO gen (id, x) VALUES (%d, %s) ON DUPLICATE KEY UPDATE x = %s", n(), null(), null())
		},
		func() string { return fmt.Sprintf("UPDATE gen SET x = x + 1 WHERE y > %d ORDER BY z DESC", n()) },
		func() string { return fmt.Sprintf("DELETE FROM gen WHERE z = %d", n()) },
		func() string {
			return fmt.Sprintf("INSERT INTO bare VALUES (%s, %s), (%s, %s)", null(), word(), null(), word())
		},
		func() string { return fmt.Sprintf("UPDATE bare SET b = %s WHERE a = %d", word(), n()) },
		func() string { return fmt.Sprintf("DELETE FROM bare WHERE a = %d OR b = %s", n(), word()) },
		func() string {
			return fmt.Sprintf("REPLACE INTO part VALUES (%d, %d, %d), (%d, %d, %d)", n(), n(), n(), n(), n(), n())
		},
		func() string {
			return fmt.Sprintf("UPDATE part SET k = %d, v = v + 1 WHERE id = %d AND k = %d", n(), n(), n())
		},
		func() string { return fmt.Sprintf("UPDATE IGNORE part SET k = k + 1 WHERE v < %d", n()) },
		func() string { return fmt.Sprintf("DELETE FROM part WHERE v = %d", n()) },
		func() string {
			return fmt.Sprintf(`REPLACE INTO doc VALUES (%d, '{"tags": [%d, %d], "n": %d}')`, n(), n(), n(), n())
		},
		func() string {
			return fmt.Sprintf("UPDATE doc SET j = JSON_SET(j, '$.n', %d, '$.tags[0]', %d) WHERE %d MEMBER OF (j->'$.tags')", n(), n(), n())
		},
		func() string {
			return fmt.Sprintf("UPDATE doc SET j = JSON_ARRAY_APPEND(j, '$.tags', %d) WHERE id = %d AND JSON_LENGTH(j, '$.tags') < 9", n(), n())
		},
		func() string { return fmt.Sprintf("DELETE FROM doc WHERE %d MEMBER OF (j->'$.tags')", n()) },
		func() string {
			return fmt.Sprintf("REPLACE INTO text VALUES (%d, REPEAT('%d', %d), %s)", n(), n(), r.IntN(12000), word())
		},
		func() string {
			return fmt.Sprintf("UPDATE text SET t = CONCAT(t, '-'), c = %s WHERE id = %d", word(), n())
		},
		func() string { return fmt.Sprintf("DELETE FROM text WHERE c = %s", word()) },
		func() string { return fmt.Sprintf("SELECT * FROM item WHERE b > %d FOR UPDATE", n()) },
		func() string { return fmt.Sprintf("SELECT * FROM parent WHERE id = %d LOCK IN SHARE MODE", n()) },
	}[r.IntN(51)]()
}

// mixedClient runs random transactions until ctx ends.
func mixedClient(ctx context.Context, c *sql.Conn, r *rand.Rand) error {
	run := func(q string) (ended bool, err error) {
		_, err = c.ExecContext(context.WithoutCancel(ctx), q)
		var e *mysql.MySQLError
		if errors.As(err, &e) && mixedErrors[e.Number] {
			return e.Number == 1213, nil
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", q, err)
		}
		return false, err
	}
	for ctx.Err() == nil {
		var queries []string
		for range r.IntN(6) {
			queries = append(queries, mixedStatement(r))
		}
		if len(queries) > 1 {
			queries = append([]string{"START TRANSACTION"}, queries...)
			if at := 1 + r.IntN(len(queries)-1); r.IntN(3) == 0 {
				queries = append(queries[:at:at], append([]string{"SAVEPOINT s"}, queries[at:]...)...)
				queries = append(queries, "ROLLBACK TO SAVEPOINT s", mixedStatement(r))
			}
			queries = append(queries, []string{"COMMIT", "COMMIT", "COMMIT", "ROLLBACK"}[r.IntN(4)])
		}
		for _, q := range queries {
			if ended, err := run(q); err != nil {
				return err
			} else if ended {
				break
			}
		}
	}
	_, err := run("ROLLBACK")
	return err
}

// TestMixedWork has clients run random transactions of all kinds at a source, whose replica applies
// them with several workers and is killed meanwhile. Both must hold the same sound rows, and a source
// that is killed must come back with them.
func TestMixedWork(t *testing.T) {
	seed := testkit.Seed(t)
	p := newPair(t, "--replica-parallel-workers=6", "--max-relay-log-size=65536")
	p.at(p.s, "SET GLOBAL innodb_lock_wait_timeout = 1", "CREATE DATABASE d")
	db := p.source.Open("d")
	defer db.Close()
	p.at(db, mixedTables...)
	ctx, stop := context.WithTimeout(context.Background(), *mixedFor)
	defer stop()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c, err := db.Conn(context.Background())
			if err == nil {
				defer c.Close()
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				if i%2 == 0 {
					_, err = c.ExecContext(context.Background(), "SET SESSION transaction_isolation = 'READ-COMMITTED'")
				}
				if err == nil {
					err = mixedClient(ctx, c, r)
				}
			}
			if err != nil {
				t.Error(err)
				stop()
			}
		})
	}
	r := rand.New(rand.NewPCG(seed, 99))
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(1000+r.IntN(3000)) * time.Millisecond):
			p.there.Kill()
			require.NoError(t, p.there.Launch())
		}
	}
	all.Wait()
	p.replica.sameAs(t, p.s)
	p.sound()
	want := look(t, p.s)
	p.source.Kill()
	require.NoError(t, p.source.Launch())
	sameContents(t, "the source started again", want, look(t, p.s))
	p.sound()
}

// sound verifies the tables of both servers.
func (p *pair) sound() {
	p.t.Helper()
	for _, s := range []interface{ Open(string) *sql.DB }{p.source, p.there} {
		db := s.Open("d")
		var tables []string
		for _, q := range mixedTables {
			if rest, ok := strings.CutPrefix(q, "CREATE TABLE "); ok {
				tables = append(tables, strings.Fields(rest)[0])
			}
		}
		rows, err := db.Query("CHECK TABLE " + strings.Join(tables, ", "))
		require.NoError(p.t, err)
		for rows.Next() {
			var table, op, kind, text string
			require.NoError(p.t, rows.Scan(&table, &op, &kind, &text))
			require.Equal(p.t, "OK", text, "%s: %s", table, kind)
		}
		require.NoError(p.t, rows.Err())
		for _, q := range mixedSound {
			var n int
			require.NoError(p.t, db.QueryRow("SELECT COUNT(*) FROM ("+q+") x").Scan(&n), q)
			require.Zero(p.t, n, q)
		}
		require.NoError(p.t, db.Close())
	}
}
