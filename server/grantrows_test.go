package server

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDamagedGrantTables: rows that no account can be made of change nobody's rights, and neither do
// rows that would leave nobody to mend them.
func TestDamagedGrantTables(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c := conn(t, ts)
	exec(t, c, "CREATE USER u@localhost; GRANT PROCESS ON *.* TO u@localhost")
	grants := rows(t, c, "SHOW GRANTS FOR u@localhost")
	for _, damage := range []string{
		`UPDATE mysql.user SET Process_priv = 'N', User_attributes = '[]' WHERE User = 'u'`,
		`UPDATE mysql.user SET Process_priv = 'N', User_attributes = '{"Restrictions": [{"Database": 1, "Privileges": []}]}' WHERE User = 'u'`,
		`UPDATE mysql.user SET Process_priv = 'N', User_attributes = '{"Password_locking": {"failed_login_attempts": "x", "password_lock_time_days": 99999}}' WHERE User = 'u'`,
		`UPDATE mysql.user SET Process_priv = 'N', User_attributes = '{"metadata": 5}' WHERE User = 'u'`,
		`DELETE FROM mysql.user`,
		`UPDATE mysql.user SET Process_priv = 'N', Create_user_priv = 'N'`,
		`TRUNCATE TABLE mysql.user`,
		`DROP TABLE mysql.user`,
	} {
		exec(t, c, damage)
		_, err := c.ExecContext(t.Context(), "FLUSH PRIVILEGES")
		requireCode(t, err, 1728, "HY000")
		require.Equal(t, grants, rows(t, c, "SHOW GRANTS FOR u@localhost"), damage)
		require.Equal(t, [][]string{{"u@localhost"}}, rows(t, ts.login("u", "", ""), "SELECT CURRENT_USER()"))
		exec(t, c, "REPLACE INTO mysql.user (Host, User, Create_user_priv, Grant_priv, Super_priv, Select_priv, Update_priv, Insert_priv, Delete_priv, Drop_priv,"+
			" Reload_priv, ssl_cipher, x509_issuer, x509_subject) VALUES ('localhost', 'root', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', 'Y', '', '', '')")
		exec(t, c, "REPLACE INTO mysql.user (Host, User, Process_priv, ssl_cipher, x509_issuer, x509_subject) VALUES ('localhost', 'u', 'Y', '', '', '')")
		exec(t, c, "FLUSH PRIVILEGES")
		require.Equal(t, grants, rows(t, c, "SHOW GRANTS FOR u@localhost"))
	}
}

// TestGrantTablesAreTransactional: what one transaction writes to the grant tables nobody else sees
// before it commits, a rollback takes it back, and a restart keeps what was committed.
func TestGrantTablesAreTransactional(t *testing.T) {
	dir := t.TempDir()
	ts, stop, c := binlogServer(t, dir)
	exec(t, c, "CREATE USER u@localhost")
	count := func(c *sql.Conn) string {
		return oneText(t, c, "SELECT COUNT(*) FROM mysql.db WHERE User = 'u'")
	}
	add := "INSERT INTO mysql.db (Host, Db, User, Select_priv) VALUES ('localhost', 'd', 'u', 'Y')"
	other := conn(t, ts)
	exec(t, c, "BEGIN; "+add)
	require.Equal(t, "1", count(c))
	require.Equal(t, "0", count(other))
	exec(t, other, "SET innodb_lock_wait_timeout = 1")
	_, err := other.ExecContext(t.Context(), "FLUSH PRIVILEGES")
	requireCode(t, err, 1205, "HY000")
	exec(t, c, "ROLLBACK")
	require.Equal(t, "0", count(c))
	_, err = c.ExecContext(t.Context(), "INSERT INTO mysql.db (Host, Db, User) VALUES ('localhost', 'e', 'u'), ('localhost', 'e', 'u')")
	requireCode(t, err, 1062, "23000")
	require.Equal(t, "0", count(c))
	exec(t, c, add)
	require.Len(t, rows(t, c, "SHOW GRANTS FOR u@localhost"), 1)
	var logged []string
	for _, r := range rows(t, c, "SHOW BINLOG EVENTS") {
		if r[2] == "Query" {
			logged = append(logged, r[5])
		}
	}
	require.Contains(t, logged[len(logged)-1], add)
	require.Contains(t, logged[len(logged)-2], "BEGIN")
	stop()

	ts, _, c = binlogServer(t, dir)
	require.Equal(t, "1", count(c))
	require.Len(t, rows(t, c, "SHOW GRANTS FOR u@localhost"), 1)
	exec(t, c, "FLUSH PRIVILEGES")
	require.Equal(t, []string{"GRANT SELECT ON `d`.* TO `u`@`localhost`"}, rows(t, c, "SHOW GRANTS FOR u@localhost")[1])
	_, err = ts.login("u", "", "").ExecContext(context.Background(), "UPDATE mysql.db SET Insert_priv = 'Y'")
	requireCode(t, err, 1142, "42000")
}
