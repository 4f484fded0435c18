package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/commands"
)

// The layer opens a table changed through a view by a name that holds the view's. An account with
// rights on the view alone must not get further by writing that name, whichever way its text comes.
func TestNamesOfTheLayerAreClosed(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--skip-log-bin")
	ctx := context.Background()
	root := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, root, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY, hidden INT DEFAULT 7)")
	exec(t, root, "CREATE VIEW d.v AS SELECT a FROM d.t; CREATE USER u; GRANT SELECT, INSERT, UPDATE, CREATE ROUTINE, EXECUTE ON d.* TO u; REVOKE ALL ON d.* FROM u")
	exec(t, root, "GRANT SELECT, INSERT, UPDATE ON d.v TO u; CREATE DATABASE own; GRANT ALL ON own.* TO u")
	u, err := ts.openDB("u", "", "own", "multiStatements=true").Conn(ctx)
	require.NoError(t, err)
	exec(t, u, "INSERT INTO d.v VALUES (1); UPDATE d.v SET a = 2")
	const name = "d.`t\x00view d\x00view v`"
	for _, text := range []string{
		"DESC " + name, "SHOW CREATE TABLE " + name, "SHOW COLUMNS FROM " + name, "SELECT hidden FROM " + name, "UPDATE d.v SET a = (SELECT hidden FROM " + name + " x)",
		"SELECT 1; SELECT hidden FROM " + name, "CREATE PROCEDURE own.p() SELECT hidden FROM " + name, "CREATE VIEW own.w AS SELECT hidden FROM " + name,
		"CREATE PROCEDURE own.p() BEGIN SELECT 1; DESC " + name + "; END", "SELECT * FROM `\x00mysql`.slave_master_info", "USE `\x00mysql`", "SHOW TABLES FROM `\x00mysql`",
		"PREPARE s FROM 'SELECT hidden FROM d.`t\\0view d\\0view v`'",
	} {
		_, err := u.ExecContext(ctx, text)
		requireCode(t, err, 1064, "42000")
		_, err = u.PrepareContext(ctx, text) // of some kinds that are not prepared at all
		require.Error(t, err)
	}
	exec(t, u, "CREATE TABLE t (a INT)")
	exec(t, u, "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a = 1 /* \x00d\x00\x00 */") // its database is no other one
	exec(t, u, "INSERT INTO t VALUES (1)")
	exec(t, u, "SET @q = 'SELECT hidden FROM d.`t\\0view d\\0view v`'")
	_, err = u.ExecContext(ctx, "PREPARE s FROM @q")
	requireCode(t, err, 1064, "42000")
	exec(t, u, "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'")
	_, err = u.ExecContext(ctx, "SELECT hidden FROM d.\"t\x00view d\x00view v\" WHERE '\\' = ''")
	requireCode(t, err, 1064, "42000")
	_, err = u.ExecContext(ctx, "SELECT * FROM d.v AS OF '\x00lock x wait'")
	requireCode(t, err, 1064, "42000")

	raw := ts.dial()
	for _, db := range []string{"\x00mysql", "d\x00", "\x00"} {
		raw.send(0, append([]byte{commands.ComInitDB}, db...))
		require.Equal(t, 1049, raw.recvError(), "%q", db)
	}
	raw.send(0, append([]byte{commands.ComCreateDB}, "x\x00y"...))
	require.Equal(t, 1064, raw.recvError())
}

// Strings and comments may hold NUL, the end of the text may be one, and names of the layer's may
// stand in the rest of several statements that it has parsed.
func TestNULThatIsRight(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c := ts.openDB("root", "", "", "multiStatements=true")
	for text, want := range map[string]string{
		"SELECT 'a\x00b'": "a\x00b", "SELECT 1 /* \x00 */ + 2": "3", "SELECT 4\x00": "4", "SELECT 5 AS 'a\x00b'": "5",
		"SELECT 1 > ALL (SELECT 2), '\x00'; SELECT 2 > ALL (SELECT 1)": "0",
	} {
		require.Equal(t, want, rows(t, c, text)[0][0], "%q", text)
	}
	r, err := c.Query("SELECT 1; SELECT 2 > ALL (SELECT 1), '\x00'; SELECT 3 > ANY (SELECT 1)")
	require.NoError(t, err)
	defer r.Close()
	for range 2 {
		require.True(t, r.NextResultSet(), r.Err())
	}
	require.True(t, r.Next(), r.Err())
	require.Equal(t, [][]string{{"a\x00", "x"}}, rows(t, c, "SELECT 'a\x00', ?", "x"))
}
