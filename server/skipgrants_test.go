package server

import (
	"database/sql"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// TestSkipGrantTables compares with what MySQL 9.7 answers under --skip-grant-tables.
func TestSkipGrantTables(t *testing.T) {
	ts := start(t, "--skip-grant-tables")
	for _, a := range ts.Addrs() {
		require.Equal(t, "unix", a.Network())
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr = "nobody", "x", "unix", ts.socket
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })

	require.Equal(t, [][]string{{"skip-grants user@skip-grants host", "DISABLED", "1"}}, rows(t, db, "SELECT CURRENT_USER(), @@event_scheduler, @@skip_networking"))
	for _, q := range []string{"SHOW GRANTS", "SHOW GRANTS FOR root@localhost", "CREATE USER a@b", "GRANT SELECT ON *.* TO root@localhost", "SET PASSWORD = 'x'",
		"ALTER USER root@localhost IDENTIFIED BY 'y'", "DROP USER a@b", "CREATE ROLE r", "REVOKE ALL ON *.* FROM root@localhost", "SET ROLE NONE",
		"SET DEFAULT ROLE NONE TO root@localhost", "RENAME USER a TO b", "SET GLOBAL event_scheduler = 1"} {
		_, err := db.Exec(q)
		require.Error(t, err, q)
		requireCode(t, err, 1290, "HY000")
	}
	exec(t, db, "CREATE DATABASE s")
	exec(t, db, "FLUSH PRIVILEGES")
	exec(t, db, "CREATE USER a@b")

	other := cfg.Clone()
	other.User = "root"
	connector, err = mysql.NewConnector(other)
	require.NoError(t, err)
	late := sql.OpenDB(connector)
	t.Cleanup(func() { late.Close() })
	requireCode(t, late.Ping(), 1045, "28000") // a wrong password counts again
}
