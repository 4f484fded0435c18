package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSystemTables: what exporters and administrators read, of which MySQL's answers differ from
// one server to the next.
func TestSystemTables(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.login("root", "", "")
	flat := func(rows [][]string) (out []string) {
		for _, r := range rows {
			out = append(out, r[0])
		}
		return out
	}
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1), (2)", "CREATE ROLE r", "CREATE USER u", "GRANT r TO u",
		"SET DEFAULT ROLE r TO u", "GRANT BACKUP_ADMIN ON *.* TO u WITH GRANT OPTION"} {
		exec(t, root, q)
	}
	require.Equal(t, [][]string{{"%", "u", "%", "r"}}, rows(t, root, "SELECT * FROM mysql.default_roles"))
	require.Equal(t, [][]string{{"u", "%", "BACKUP_ADMIN", "Y"}}, rows(t, root, "SELECT * FROM mysql.global_grants WHERE USER = 'u'"))
	for _, zone := range rows(t, root, "SELECT Name FROM mysql.time_zone_name JOIN mysql.time_zone USING (Time_zone_id)") {
		_, err := time.LoadLocation(zone[0])
		require.NoError(t, err)
	}
	require.Subset(t, flat(rows(t, root, "SHOW TABLES FROM mysql")), []string{"default_roles", "time_zone_name", "user"})
	require.Equal(t, []string{"default_roles"}, flat(rows(t, root, "SHOW TABLES FROM mysql LIKE 'def%'")))
	require.Len(t, rows(t, root, "SHOW COLUMNS FROM mysql.default_roles"), 4)
	require.Equal(t, [][]string{{"root", "1", "1"}}, rows(t, root, "SELECT USER, CURRENT_CONNECTIONS > 0, TOTAL_CONNECTIONS >= CURRENT_CONNECTIONS FROM performance_schema.users WHERE USER = 'root'"))
	require.Equal(t, [][]string{{"1"}}, rows(t, root, "SELECT COUNT(*) FROM performance_schema.accounts WHERE USER = 'root' AND HOST NOT LIKE '%:%'"))
	require.Equal(t, [][]string{{"YES"}}, rows(t, root, "SELECT ENABLED FROM performance_schema.setup_consumers WHERE NAME = 'statements_digest'"))
	exec(t, root, "CREATE USER w DEFAULT ROLE r")
	require.Contains(t, rows(t, root, "SHOW CREATE USER w")[0][0], " DEFAULT ROLE `r`@`%` REQUIRE NONE")
	for _, db := range []string{"performance_schema", "sys", "mysql"} {
		for _, name := range flat(rows(t, root, "SHOW TABLES FROM "+db)) {
			rows(t, root, "SELECT * FROM "+db+".`"+name+"`")
		}
	}
	_, err := ts.login("u", "", "").Exec("SELECT * FROM mysql.global_grants")
	require.Error(t, err)
}
