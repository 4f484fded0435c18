package process

import (
	"database/sql"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv("EMBER_HANDOVER"); ok {
		refuseState()
	}
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

func mustExec(t *testing.T, db *sql.DB, q string, args ...any) {
	t.Helper()
	_, err := db.Exec(q, args...)
	require.NoError(t, err, q)
}

func value(t *testing.T, db *sql.DB, q string, args ...any) string {
	t.Helper()
	var s string
	require.NoError(t, db.QueryRow(q, args...).Scan(&s), q)
	return s
}

func openDB(t *testing.T, s *emberd.Server, database string) *sql.DB {
	t.Helper()
	db := s.Open(database)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestWhatSurvives makes one of everything that is stored, ends the server in each way, and looks
// for it again.
func TestWhatSurvives(t *testing.T) {
	s := emberd.Start(t)
	db := openDB(t, s, "")
	for _, q := range []string{
		"CREATE DATABASE shop CHARACTER SET utf8mb4",
		"CREATE TABLE shop.item (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(50), UNIQUE KEY name (name))",
		"INSERT INTO shop.item (name) VALUES ('axe'), ('bow'), ('cap')",
		"DELETE FROM shop.item WHERE id = 3",
		"CREATE VIEW shop.names AS SELECT name FROM shop.item",
		"CREATE TRIGGER shop.big BEFORE INSERT ON shop.item FOR EACH ROW SET NEW.name = UPPER(NEW.name)",
		"CREATE PROCEDURE shop.two() SELECT 2",
		"CREATE USER clerk IDENTIFIED BY 'secret'",
		"GRANT SELECT ON shop.* TO clerk",
		"SET PERSIST max_connections = 77",
		"CREATE TABLE shop.gone (id INT PRIMARY KEY)",
		"DROP TABLE shop.gone",
	} {
		mustExec(t, db, q)
	}
	open, err := db.Begin()
	require.NoError(t, err)
	_, err = open.Exec("UPDATE shop.item SET name = 'lost'")
	require.Error(t, err) // the second row is a duplicate
	_, err = open.Exec("UPDATE shop.item SET name = 'lost' WHERE id = 1")
	require.NoError(t, err)

	look := func(t *testing.T) {
		db := openDB(t, s, "shop")
		require.Equal(t, "axe,bow", value(t, db, "SELECT GROUP_CONCAT(name ORDER BY id) FROM item"))
		require.Equal(t, "2", value(t, db, "SELECT id FROM item WHERE name = 'bow'"))
		require.Equal(t, "2", value(t, db, "SELECT COUNT(*) FROM names"))
		require.Equal(t, "2", value(t, db, "CALL two()"))
		require.Equal(t, "77", value(t, db, "SELECT @@GLOBAL.max_connections"))
		require.Equal(t, "item,names", tables(t, db))
		mustExec(t, db, "INSERT INTO item (name) VALUES ('dye')")
		require.Equal(t, "DYE", value(t, db, "SELECT name FROM item WHERE id > 3"))
		mustExec(t, db, "DELETE FROM item WHERE id > 3")
		cfg := s.Config("shop")
		cfg.User, cfg.Passwd = "clerk", "secret"
		clerk := openConfig(t, cfg)
		require.Equal(t, "2", value(t, clerk, "SELECT COUNT(*) FROM item"))
		_, err := clerk.Exec("DELETE FROM item")
		requireCode(t, err, 1142)
	}
	t.Run("kill", func(t *testing.T) {
		s.Kill()
		require.NoError(t, s.Launch())
		look(t)
	})
	t.Run("shutdown", func(t *testing.T) {
		require.NoError(t, s.Stop())
		require.NoError(t, s.Launch())
		look(t)
	})
	t.Run("kill again", func(t *testing.T) {
		s.Kill()
		require.NoError(t, s.Launch())
		look(t)
	})
	t.Run("SHUTDOWN statement", func(t *testing.T) {
		mustExec(t, openDB(t, s, ""), "SHUTDOWN")
		require.NoError(t, s.WaitExit())
		require.NoError(t, s.Launch())
		look(t)
	})
}

func tables(t *testing.T, db *sql.DB) string {
	t.Helper()
	rows, err := db.Query("SHOW TABLES")
	require.NoError(t, err)
	defer rows.Close()
	var names []string
	for rows.Next() {
		var n string
		require.NoError(t, rows.Scan(&n))
		names = append(names, n)
	}
	require.NoError(t, rows.Err())
	return strings.Join(names, ",")
}
