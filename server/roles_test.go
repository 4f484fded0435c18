package server

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// Roles that are not active give no rights.
func TestRoles(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.bare()
	for _, q := range []string{
		"CREATE DATABASE d", "CREATE TABLE d.a (i INT)", "CREATE TABLE d.b (i INT)", "CREATE TABLE d.c (i INT)", "CREATE USER u", "CREATE ROLE ra, rb, rc",
		"GRANT SELECT ON d.a TO ra", "GRANT SELECT ON d.b TO rb", "GRANT SELECT ON d.c TO rc", "GRANT rc TO rb", "GRANT ra, rb TO u",
	} {
		exec(t, root, q)
	}
	login := func() *sql.Conn {
		t.Helper()
		c, err := ts.login("u", "", "").Conn(context.Background())
		require.NoError(t, err)
		return c
	}
	u := login()
	reads := func(tables string) {
		t.Helper()
		for _, table := range []string{"a", "b", "c"} {
			_, err := u.ExecContext(context.Background(), "SELECT * FROM d."+table)
			may := false
			for _, c := range tables {
				may = may || string(c) == table
			}
			require.Equal(t, may, err == nil, "%s: %v", table, err)
		}
	}
	reads("")
	exec(t, u, "SET ROLE ra")
	reads("a")
	exec(t, u, "SET ROLE ALL")
	reads("abc")
	exec(t, u, "SET ROLE ALL EXCEPT ra")
	reads("bc")
	exec(t, u, "SET ROLE NONE")
	reads("")
	_, err := u.ExecContext(context.Background(), "SET ROLE rc")
	requireCode(t, err, 3530, "HY000")

	exec(t, u, "SET DEFAULT ROLE ra TO u")
	reads("")
	exec(t, root, "GRANT INSERT ON d.a TO u") // the rights are worked out anew
	reads("")
	u = login()
	reads("a")
	exec(t, root, "ALTER USER u DEFAULT ROLE rb")
	u = login()
	reads("bc")
	exec(t, root, "REVOKE rb FROM u")
	reads("")

	exec(t, root, "SET GLOBAL activate_all_roles_on_login = ON")
	u = login()
	reads("a")
	exec(t, root, "SET GLOBAL activate_all_roles_on_login = OFF")
	exec(t, root, "SET GLOBAL mandatory_roles = 'rc'")
	defer exec(t, root, "SET GLOBAL mandatory_roles = ''")
	u = login()
	reads("c")
	exec(t, u, "SET ROLE NONE")
	reads("")
	exec(t, u, "SET ROLE rc")
	reads("c")
	require.NotEmpty(t, rows(t, u, "SHOW GRANTS"))
}

// Rights on a view through which a table is changed are none on the table, whatever name a client
// finds for it.
func TestViewGivesNoRightsOnItsTable(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.login("root", "", "")
	for _, q := range []string{
		"CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, secret INT)", "INSERT INTO d.t VALUES (1, 111)", "CREATE VIEW d.v AS SELECT a FROM d.t WHERE a > 10",
		"CREATE USER u", "GRANT SELECT, INSERT, UPDATE, DELETE ON d.v TO u",
	} {
		exec(t, root, q)
	}
	u, err := ts.login("u", "", "").Conn(context.Background())
	require.NoError(t, err)
	defer u.Close()
	for _, q := range []string{"INSERT INTO d.v (a) VALUES (20), (30)", "UPDATE d.v SET a = 21 WHERE a = 20", "DELETE FROM d.v WHERE a = 30"} {
		exec(t, u, q)
	}
	require.Equal(t, [][]string{{"21"}}, rows(t, u, "SELECT * FROM d.v"))
	for name, code := range map[string]uint16{"t": 1142, "`t\x00view d\x00view v`": 1064} { // the second one is how the server itself calls the table then
		for _, q := range []string{"SELECT * FROM d." + name, "INSERT INTO d." + name + " VALUES (5, 5)", "UPDATE d." + name + " SET secret = 5", "DELETE FROM d." + name} {
			_, err := u.ExecContext(context.Background(), q)
			requireCode(t, err, code, "42000")
		}
	}
	require.Equal(t, [][]string{{"1", "111"}, {"21", "NULL"}}, rows(t, root, "SELECT * FROM d.t"))
}
