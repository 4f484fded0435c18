package backup

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// refused wants a statement to fail with a code and a text. The texts are those of MySQL 9.7.
func refused(t *testing.T, db *sql.DB, statement string, code int, text string) {
	t.Helper()
	_, err := db.Exec(statement)
	var told *mysql.MySQLError
	require.True(t, errors.As(err, &told), "%s: %v", statement, err)
	require.EqualValues(t, code, told.Number, "%s: %s", statement, told.Message)
	require.Equal(t, text, told.Message, statement)
}

// TestCloneStatements makes clones by CLONE: of the server itself, of another one into a directory,
// and of another one in place of the server's own data. The donor is under load.
func TestCloneStatements(t *testing.T) {
	seed := testkit.Seed(t)
	donor := emberd.Start(t, options...)
	db := open(t, donor, "")
	fill(t, db)
	exec1(t, db, "CREATE USER cloner IDENTIFIED BY 'it''s'", "CREATE USER nobody IDENTIFIED BY 'x'")
	l := startLoad(t, donor, seed)
	r := emberd.Start(t, append([]string{"--server-id=2"}, options...)...)
	own := open(t, r, "")
	exec1(t, own, "CREATE DATABASE old", "CREATE TABLE old.t (a INT PRIMARY KEY)", "CREATE USER plain IDENTIFIED BY 'x'")
	var uuid string
	require.NoError(t, own.QueryRow("SELECT @@server_uuid").Scan(&uuid))

	local := emberd.Prepare(t, options...)
	dir := filepath.Join(t.TempDir(), "copy")
	require.Empty(t, column(t, db, "SELECT STATE FROM performance_schema.clone_status"))
	refused(t, db, "CLONE LOCAL DATA DIRECTORY = 'rel/c1'", 1525, "Incorrect path value: 'rel/c1'")
	refused(t, db, "CLONE LOCAL DATA DIRECTORY = ''", 1525, "Incorrect path value: ''")
	refused(t, db, "CLONE LOCAL DATA DIRECTORY = '/tmp'", 1007, "Can't create database '/tmp'; database exists")
	before := l.seen()
	exec1(t, db, "CLONE LOCAL DATA DIRECTORY = '"+dir+"'")
	after := l.seen()
	run(t, "check", dir, "--quiet")
	local.Dir = dir
	require.NoError(t, local.Launch())
	look(t, open(t, local, ""), before, after)
	require.NoError(t, local.Stop())
	require.Equal(t, []string{"Completed/LOCAL INSTANCE/" + dir + "///0"}, column(t, db, "SELECT CONCAT_WS('/', STATE, SOURCE, DESTINATION, ERROR_MESSAGE, ERROR_NO) FROM performance_schema.clone_status"))
	require.Equal(t, []string{"DROP DATA", "FILE COPY", "PAGE COPY", "REDO COPY", "FILE SYNC"}, column(t, db, "SELECT STAGE FROM performance_schema.clone_progress WHERE STATE = 'Completed'"))
	refused(t, db, "CLONE LOCAL DATA DIRECTORY = '"+dir+"'", 1007, "Can't create database '"+dir+"'; database exists")

	at := fmt.Sprintf("127.0.0.1:%d", donor.Port)
	from := "CLONE INSTANCE FROM cloner@" + at + " IDENTIFIED BY 'it''s'"
	const format = `Clone system configuration: Invalid Format. Please enter "<hostname1>:<port1>,..."' with no extra space`
	for _, list := range []string{"127.0.0.1", "127.0.0.1:x", "a:1,b:2, c:3", "a:1,,b:2", "a:99999"} {
		refused(t, own, "SET GLOBAL clone_valid_donor_list = '"+list+"'", 3869, format)
	}
	refused(t, own, from, 3869, "Clone system configuration: "+at+" is not found in clone_valid_donor_list: ")
	exec1(t, own, "SET GLOBAL clone_valid_donor_list = '127.0.0.1:1,"+at+"'")
	refused(t, own, "CLONE INSTANCE FROM cloner@127.0.0.1:1 IDENTIFIED BY 'x'", 3862, "Clone Donor Error: Connect failed: 2003 : Can't connect to MySQL server on '127.0.0.1:1' (111).")
	refused(t, own, from, 3862, "Clone Donor Error: 1227 : Access denied; you need (at least one of) the BACKUP_ADMIN privilege(s) for this operation.")
	require.Equal(t, []string{"Failed/" + at + "/LOCAL INSTANCE/3862"}, column(t, own, "SELECT CONCAT_WS('/', STATE, SOURCE, DESTINATION, ERROR_NO) FROM performance_schema.clone_status"))
	exec1(t, db, "GRANT BACKUP_ADMIN ON *.* TO cloner")
	plain := r.Config("")
	plain.User, plain.Passwd = "plain", "x"
	connector, err := mysql.NewConnector(plain)
	require.NoError(t, err)
	weak := sql.OpenDB(connector)
	defer weak.Close()
	refused(t, weak, from, 1227, "Access denied; you need (at least one of) the CLONE_ADMIN privilege(s) for this operation")
	require.Equal(t, []string{"old"}, column(t, own, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('old', 'bank')"))

	other := filepath.Join(t.TempDir(), "other")
	before = l.seen()
	exec1(t, own, from+" DATA DIRECTORY = '"+other+"' REQUIRE SSL")
	after = l.seen()
	run(t, "check", other, "--quiet")
	local.Dir = other
	require.NoError(t, local.Launch())
	look(t, open(t, local, ""), before, after)
	require.NoError(t, local.Stop())

	exec1(t, db, "SET GLOBAL clone_valid_donor_list = '"+at+"'")
	refused(t, db, from, 3862, "Clone Donor Error: 3871 : Clone cannot use loop back connection while cloning into current data directory..")

	// As operators and MySQL Shell send them: values put in by the driver, the password in comments.
	operator := r.Config("")
	operator.InterpolateParams = true
	connector, err = mysql.NewConnector(operator)
	require.NoError(t, err)
	manager := sql.OpenDB(connector)
	defer manager.Close()
	require.Equal(t, []string{"ACTIVE"}, column(t, manager, "SELECT plugin_status FROM information_schema.plugins WHERE plugin_name = 'clone'"))
	exec1(t, manager, "INSTALL PLUGIN clone SONAME 'mysql_clone.so'")
	_, err = manager.Exec("SET GLOBAL clone_valid_donor_list=?", at)
	require.NoError(t, err)
	refused(t, manager, "CLONE INSTANCE FROM 'cloner'@'127.0.0.1':"+fmt.Sprint(donor.Port)+" IDENTIFIED BY /*((*/ 'wrong' /*))*/ REQUIRE SSL", 3862,
		"Clone Donor Error: Connect failed: 1045 : Access denied for user 'cloner'@'localhost' (using password: YES).")
	before = l.seen()
	_, err = manager.Exec("CLONE INSTANCE FROM ?@?:? IDENTIFIED BY ?", "cloner", "127.0.0.1", donor.Port, "it's")
	require.NoError(t, err)
	after = l.seen()
	testkit.Eventually(t, func() bool {
		again := r.Open("")
		defer again.Close()
		var state string
		return again.QueryRow("SELECT STATE FROM performance_schema.clone_progress WHERE STAGE = 'RECOVERY'").Scan(&state) == nil && state == "Completed"
	}, "the server does not come back on the clone")
	fresh := open(t, r, "")
	look(t, fresh, before, after)
	lookCold(t, fresh)
	require.Equal(t, []string{"bank"}, column(t, fresh, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('old', 'bank')"))
	require.NotEqual(t, []string{uuid}, column(t, fresh, "SELECT @@server_uuid"))
	require.Equal(t, []string{"Completed"}, column(t, fresh, "SELECT STATE FROM performance_schema.clone_status WHERE GTID_EXECUTED <> '' AND BINLOG_FILE LIKE 'binlog.%'"))
	exec1(t, fresh, "INSERT INTO bank.cold (pad) VALUES ('new')")
	run(t, "check", "--socket", r.Socket, "--quiet")
	l.end()
	require.NoError(t, r.Stop())
	require.NoError(t, r.Launch())
}
