package server

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInsertID: SET insert_id makes the next value of an AUTO_INCREMENT column, once. The values
// are MySQL 9.7's.
func TestInsertID(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c := conn(t, ts)
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT); CREATE TABLE w LIKE t")
	const ids, pending = "SELECT COALESCE(GROUP_CONCAT(id ORDER BY id), '') FROM t", "SELECT @@insert_id"
	for i, x := range []struct{ run, query, want string }{
		{"SET insert_id = 50", pending, "50"},
		{"SELECT 1; INSERT INTO t (v) VALUES (1), (2)", ids, "50,51"},
		{"DO 1", pending, "0"},
		{"INSERT INTO t (v) VALUES (3)", ids, "50,51,52"},
		{"SET insert_id = 10; INSERT INTO t (v) VALUES (4), (5); INSERT INTO t (v) VALUES (6)", ids, "10,11,50,51,52,53"},
		{"SET insert_id = 60; INSERT INTO t VALUES (70, 1)", pending, "60"},
		{"INSERT INTO t (v) VALUES (7)", ids, "10,11,50,51,52,53,60,70"},
		{"SET insert_id = 80; UPDATE t SET v = 1; INSERT INTO w (v) VALUES (1); INSERT INTO t (v) VALUES (9)", ids, "10,11,50,51,52,53,60,70,71"},
		{"DELETE FROM t", "SELECT id FROM w", "80"},
		{"SET auto_increment_increment = 10, auto_increment_offset = 3, insert_id = 200; INSERT INTO t (v) VALUES (1), (2); INSERT INTO t (v) VALUES (1)", ids, "200,203,213"},
		{"SET auto_increment_increment = 1, auto_increment_offset = 1, insert_id = 500; INSERT INTO t SELECT 501, 1; INSERT INTO t (id, v) VALUES (NULL, 3), (600, 4), (NULL, 5)",
			ids, "200,203,213,500,501,600,601"},
	} {
		exec(t, c, x.run)
		var got string
		require.NoError(t, c.QueryRowContext(t.Context(), x.query).Scan(&got))
		require.Equal(t, x.want, got, fmt.Sprint(i, " ", x.run))
	}
}
