package process

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeptMemory bounds what stays with a connection, and what a statement keeps behind one that it
// runs: each of these takes more than ember_statement_memory, without one large value.
func TestKeptMemory(t *testing.T) {
	_, db, _ := longServer(t, "--ember-statement-memory=8M")
	db.SetMaxOpenConns(1)
	exec := func(code uint16, q string) {
		t.Helper()
		_, err := db.Exec(q)
		require.Equal(t, code, serverError(err), "%.80s: %v", q, err)
	}
	exec(0, "SET max_sp_recursion_depth = 100")
	exec(0, "CREATE PROCEDURE variables() BEGIN DECLARE a, b, c LONGTEXT; SET a = REPEAT('a', 3000000), b = REPEAT('b', 3000000); SET c = REPEAT('c', 3000000); END")
	exec(0, "CREATE PROCEDURE blocks() BEGIN DECLARE n INT DEFAULT 0; WHILE n < 20 DO BEGIN DECLARE v LONGTEXT; SET v = REPEAT('v', 3000000), n = n+1; END; END WHILE; END")
	exec(0, "CREATE PROCEDURE calls(n INT) BEGIN DECLARE v LONGTEXT DEFAULT REPEAT('v', 1000000); IF n < 20 THEN CALL calls(n+1); END IF; END")
	const cursor = "CURSOR FOR SELECT CONCAT(a.i, REPEAT('x', 4000)) FROM d a, d b, d c"
	exec(0, "CREATE PROCEDURE cursors() BEGIN DECLARE a "+cursor+"; DECLARE b "+cursor+"; DECLARE c "+cursor+"; OPEN a; OPEN b; OPEN c; END")
	exec(0, "CREATE PROCEDURE reopened() BEGIN DECLARE n INT DEFAULT 0; DECLARE a "+cursor+"; WHILE n < 10 DO OPEN a; CLOSE a; SET n = n+1; END WHILE; END")
	exec(0, "CREATE TABLE long_rows (id INT PRIMARY KEY, i INT, s TEXT)")
	exec(0, "INSERT INTO long_rows SELECT a.i+10*b.i+100*c.i, a.i, REPEAT('x', 9000) FROM d a, d b, d c")

	exec(3170, "CALL variables()")
	exec(0, "CALL blocks()")
	exec(3170, "CALL calls(1)")
	exec(0, "CALL calls(16)")
	exec(3170, "CALL cursors()")
	exec(0, "CALL reopened()")
	exec(3170, "UPDATE long_rows JOIN d ON d.i = long_rows.i SET long_rows.s = CONCAT(long_rows.s, IFNULL(@none, 'y'))")
	exec(3170, "DELETE a, b FROM long_rows a JOIN long_rows b ON a.id = b.id WHERE IFNULL(@none, 1)")
	exec(0, "DELETE a, b FROM long_rows a JOIN long_rows b ON a.id = b.id WHERE a.i = 3")

	exec(0, "SET @a = REPEAT('a', 3000000), @b = REPEAT('b', 3000000)")
	require.Greater(t, accounted(t, db), 6_000_000)
	exec(3170, "SET @c = REPEAT('c', 3000000)")
	exec(0, "SET @a = NULL, @b = REPEAT('b', 1000000)")
	exec(0, "PREPARE joined FROM 'SELECT LENGTH(CONCAT(?, ?, ?, ?, ?, ?, ?, ?, ?, ?))'")
	exec(3170, "EXECUTE joined USING @b, @b, @b, @b, @b, @b, @b, @b, @b, @b")
	exec(0, "SET @b = NULL")
	n := 0
	for code := uint16(0); code == 0; n++ {
		_, err := db.Exec(fmt.Sprintf("PREPARE p%d FROM 'SELECT ''%0100000d'''", n, n))
		code = serverError(err)
		require.True(t, code == 0 || code == 3170, "%v", err)
		require.Less(t, n, 100)
	}
	for i := range n - 1 {
		exec(0, fmt.Sprintf("DEALLOCATE PREPARE p%d", i))
	}
	exec(0, "PREPARE p FROM 'SELECT 1'")
	require.Less(t, accounted(t, db), 1_000_000)
	ctx := context.Background()
	for n = 0; n < 100; n++ {
		s, err := db.PrepareContext(ctx, fmt.Sprintf("SELECT '%0100000d'", n))
		if err != nil {
			require.EqualValues(t, 3170, serverError(err), "%v", err)
			break
		}
		defer s.Close()
	}
	require.Less(t, n, 100)
}
