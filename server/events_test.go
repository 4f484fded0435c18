package server

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// TestEventsAsDefiner: events run whatever their definers may, also what only the server can, and
// tell the log what goes wrong, as in MySQL 9.7.
func TestEventsAsDefiner(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--log-bin=binlog", "--server-id=7")
	db := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, db, "CREATE DATABASE d; CREATE TABLE d.t (a VARCHAR(99)); CREATE USER u; GRANT EVENT, SELECT, INSERT ON d.* TO u; CREATE USER nobody; GRANT SELECT, INSERT ON d.* TO nobody")
	// All are due together, and each once.
	exec(t, db, `USE d; CREATE EVENT admin ON SCHEDULE AT NOW() DO BEGIN
		FLUSH TABLES; ANALYZE TABLE t; SET GLOBAL max_connections = 99; GRANT SELECT ON d.t TO nobody; INSERT INTO t SELECT CONCAT('admin ', CURRENT_USER(), ' ', USER(), ' ', DATABASE());
	END`)
	exec(t, db, `USE d; CREATE DEFINER=u EVENT user ON SCHEDULE AT NOW() DO BEGIN INSERT INTO t SELECT CONCAT('user ', CURRENT_USER()); SET GLOBAL max_connections = 98; END;
		CREATE DEFINER=nobody EVENT refused ON SCHEDULE AT NOW() DO INSERT INTO t VALUES ('refused');
		CREATE EVENT kept ON SCHEDULE AT NOW() ON COMPLETION PRESERVE DO INSERT INTO t VALUES ('kept');
		CREATE EVENT past ON SCHEDULE EVERY 1 HOUR STARTS '2020-01-01' ENDS '2020-01-02' DO INSERT INTO t VALUES ('past');
		CREATE EVENT late ON SCHEDULE EVERY 1 HOUR STARTS '2020-01-01' ENDS '2020-01-02' ON COMPLETION PRESERVE DO INSERT INTO t VALUES ('late');
		CREATE EVENT side ON SCHEDULE EVERY 1 HOUR DISABLE ON REPLICA DO INSERT INTO t VALUES ('side')`)
	testkit.Eventually(t, func() bool {
		return len(rows(t, db, "SHOW EVENTS FROM d")) == 3 && len(rows(t, db, "SELECT * FROM d.t")) == 3
	})
	require.Equal(t, [][]string{{"admin root@localhost event_scheduler@localhost d"}, {"kept"}, {"user u@%"}}, rows(t, db, "SELECT a FROM d.t ORDER BY a"))
	require.Equal(t, "99", rows(t, db, "SELECT @@max_connections")[0][0])
	require.Equal(t, [][]string{{"kept", "root@localhost", "DISABLED", "1", "7"}, {"late", "root@localhost", "DISABLED", "0", "7"}, {"side", "root@localhost", "REPLICA_SIDE_DISABLED", "0", "7"}},
		rows(t, db, "SELECT EVENT_NAME, DEFINER, STATUS, LAST_EXECUTED >= CREATED IS TRUE, ORIGINATOR FROM information_schema.EVENTS ORDER BY 1"))
	log := func(text string) {
		testkit.Eventually(t, func() bool { return strings.Contains(ts.logs.String(), text) }, text)
	}
	log("Event Scheduler: [u@%][d.user] Access denied; you need (at least one of) the SUPER or SYSTEM_VARIABLES_ADMIN privilege(s) for this operation")
	log("Event Scheduler: [nobody@%][d.refused] Access denied for user 'nobody'@'%' to database 'd'")
	logged := map[string]bool{}
	for _, r := range rows(t, db, "SHOW BINLOG EVENTS") {
		logged[r[5]] = true
	}
	require.True(t, logged["use `d`; DROP EVENT IF EXISTS `d`.`user`"])
}

// TestEventScheduler: the daemon, a run beside another, and how the scheduler is stopped.
func TestEventScheduler(t *testing.T) {
	dir := t.TempDir()
	ts, stop := startReal(t, dir)
	db := ts.openDB("root", "", "", "multiStatements=true")
	daemon := func() [][]string {
		return rows(t, db, "SELECT COMMAND, STATE FROM information_schema.PROCESSLIST WHERE USER = 'event_scheduler'")
	}
	testkit.Eventually(t, func() bool { return len(daemon()) == 1 })
	require.Equal(t, [][]string{{"Daemon", "Waiting on empty queue"}}, daemon())
	exec(t, db, "CREATE DATABASE d; CREATE TABLE d.t (a INT); USE d; CREATE EVENT slow ON SCHEDULE EVERY 1 SECOND DO SELECT SLEEP(100000)")
	running := func() int {
		return len(rows(t, db, "SELECT * FROM information_schema.PROCESSLIST WHERE COMMAND = 'Connect' AND DB = 'd' AND HOST = 'localhost' AND INFO = 'SELECT SLEEP(100000)'"))
	}
	testkit.Eventually(t, func() bool { return running() > 1 })
	require.Equal(t, [][]string{{"Daemon", "Waiting for next activation"}}, daemon())
	for _, off := range []string{"event_scheduler = OFF", "super_read_only = ON"} {
		exec(t, db, "SET GLOBAL "+off)
		testkit.Eventually(t, func() bool { return len(daemon()) == 0 }, off)
		exec(t, db, "SET GLOBAL read_only = OFF; SET GLOBAL event_scheduler = ON")
		testkit.Eventually(t, func() bool { return len(daemon()) == 1 }, off)
	}
	_, err := db.Exec("SET GLOBAL event_scheduler = DISABLED")
	requireCode(t, err, 1231, "42000")
	exec(t, db, `USE d; DROP EVENT slow; SET GLOBAL event_scheduler = OFF; CREATE EVENT missed ON SCHEDULE AT NOW() + INTERVAL 1 SECOND DO INSERT INTO t VALUES (1);
		CREATE EVENT hourly ON SCHEDULE EVERY 1 HOUR STARTS NOW() + INTERVAL 1 SECOND DO INSERT INTO t VALUES (2); DO SLEEP(2)`)
	require.NoError(t, db.Close())
	stop()

	// What was to be executed once is made good, what recurs is not.
	ts, stop = startReal(t, dir)
	db = ts.openDB("root", "", "d", "")
	testkit.Eventually(t, func() bool { return len(rows(t, db, "SHOW EVENTS FROM d")) == 1 })
	require.Equal(t, [][]string{{"1"}}, rows(t, db, "SELECT * FROM d.t"))
	require.Empty(t, rows(t, db, "SELECT * FROM information_schema.EVENTS WHERE LAST_EXECUTED IS NOT NULL"))
	require.NoError(t, db.Close())
	stop()

	ts, _ = startReal(t, dir, "--event-scheduler=DISABLED")
	db = ts.openDB("root", "", "", "")
	_, err = db.Exec("SET GLOBAL event_scheduler = ON")
	requireCode(t, err, 1290, "HY000")
}
