package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// xaGTIDScript is what MySQL 9.7 answers to the statements of one session: its error, 0 if there is
// none.
var xaGTIDScript = []answered{
	{"SET gtid_next = '" + testName + "1'", 0}, // the name is that of what prepares
	{"XA START 'a'", 0},
	{"INSERT INTO a VALUES (1,1)", 0},
	{"SET gtid_next = 'AUTOMATIC'", 1766},
	{"XA END 'a'", 0},
	{"XA PREPARE 'a'", 0},
	{"XA COMMIT 'a'", 1837},
	{"SET gtid_next = '" + testName + "2'", 0},
	{"XA COMMIT 'a'", 0},
	{"SET gtid_next = '" + testName + "3'", 0}, // what is rolled back unprepared is never logged
	{"XA START 'b'", 0},
	{"INSERT INTO a VALUES (2,1)", 0},
	{"XA END 'b'", 0},
	{"XA ROLLBACK 'b'", 0},
	{"SET gtid_next = '" + testName + "4'", 0},
	{"XA START 'b'", 0},
	{"XA END 'b'", 0},
	{"XA ROLLBACK 'b'", 0},
	{"SET gtid_next = '" + testName + "5'", 0},
	{"XA START 'b'", 0},
	{"INSERT INTO a VALUES (3,1)", 0},
	{"XA END 'b'", 0},
	{"XA COMMIT 'b' ONE PHASE", 0},
	{"SET gtid_next = '" + testName + "5'", 0}, // done already: nothing happens
	{"XA START 'c'", 0},
	{"INSERT INTO a VALUES (4,1)", 0},
	{"XA END 'c'", 0},
	{"XA PREPARE 'c'", 0},
	{"SET gtid_next = '" + testName + "6'", 0}, // branches of nothing use names up
	{"XA START 'd'", 0},
	{"XA END 'd'", 0},
	{"XA PREPARE 'd'", 0},
	{"SET gtid_next = '" + testName + "7'", 0},
	{"XA ROLLBACK 'd'", 0},
	{"SET gtid_next = '" + testName + "8'", 0},
	{"XA START 'e'", 0},
	{"SELECT COUNT(*) FROM a", 0},
	{"XA END 'e'", 0},
	{"XA COMMIT 'e' ONE PHASE", 0},
	{"SET gtid_next = '" + testName + "9'", 0},
	{"XA ROLLBACK 'nobody'", 1397},
	{"SET gtid_next = 'AUTOMATIC'", 0},
	{"XA START 'f'", 0},
	{"INSERT INTO a VALUES (5,1)", 0},
	{"XA END 'f'", 0},
	{"XA PREPARE 'f'", 0},
	{"SET gtid_next = '" + testName + "10'", 0},
	{"XA ROLLBACK 'f'", 0},
	{"SET gtid_next = '" + testName + "11'", 0},
	{"XA START 'g'", 0},
	{"INSERT INTO a VALUES (6,1)", 0},
	{"XA END 'g'", 0},
	{"XA PREPARE 'g'", 0},
}

func TestXAWithGTIDNextAsMySQL(t *testing.T) {
	dir := t.TempDir()
	_, stop, c := binlogServer(t, dir)
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE a (id INT PRIMARY KEY, v INT); RESET BINARY LOGS AND GTIDS")
	answersAs(t, c, xaGTIDScript)
	const named = "SELECT GTID_SUBSET('" + testName + "1-2:5-6:8:10-11', @@GLOBAL.gtid_executed), GTID_SUBTRACT('" + testName + "1-11', @@GLOBAL.gtid_executed)"
	want := [][]string{{"1", testName + "3-4:7:9"}}
	require.Equal(t, want, rows(t, c, named))
	require.Equal(t, "1,3", oneText(t, c, "SELECT GROUP_CONCAT(id ORDER BY id) FROM a"))
	require.NoError(t, c.Close())
	stop()

	_, _, c = binlogServer(t, dir)
	require.Equal(t, want, rows(t, c, named))
	require.Equal(t, [][]string{{"1", "1", "0", "g"}}, rows(t, c, "XA RECOVER"))
	exec(t, c, "SET gtid_next = '"+testName+"12'; XA COMMIT 'g'; SET gtid_next = 'AUTOMATIC'")
	require.Equal(t, "1", oneText(t, c, "SELECT GTID_SUBSET('"+testName+"10-12', @@GLOBAL.gtid_executed)"))
	require.Equal(t, "1,3,6", oneText(t, c, "SELECT GROUP_CONCAT(id ORDER BY id) FROM d.a"))
}

// A server that becomes read-only refuses what is not prepared, as MySQL 9.7 does, and ends what
// is.
func TestReadOnlyEndsOpenTransactions(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE a (id INT PRIMARY KEY)")
	other := conn(t, ts)
	fails := func(sql string, code uint16) {
		t.Helper()
		answersAs(t, c, []answered{{sql, code}})
	}
	const on, off = "SET GLOBAL super_read_only = 1", "SET GLOBAL super_read_only = 0; SET GLOBAL read_only = 0"
	exec(t, c, "BEGIN; INSERT INTO a VALUES (1)")
	fails(on, 1192)
	fails("SET GLOBAL read_only = 0", 1192)
	exec(t, other, on)
	fails("COMMIT", 1290)
	exec(t, c, "ROLLBACK; BEGIN; SELECT COUNT(*) FROM a; COMMIT")
	exec(t, other, off)

	exec(t, c, "XA START 'one'; INSERT INTO a VALUES (2); XA END 'one'")
	fails(on, 1192)
	exec(t, other, on)
	fails("XA COMMIT 'one' ONE PHASE", 1290)
	fails("XA ROLLBACK 'one'", 1397)
	exec(t, other, off)

	exec(t, c, "XA START 'two'; INSERT INTO a VALUES (3); XA END 'two'")
	exec(t, other, on)
	fails("INSERT INTO a VALUES (4)", 1290)
	exec(t, c, "XA PREPARE 'two'; XA COMMIT 'two'")
	exec(t, other, off)

	exec(t, c, "XA START 'three'; INSERT INTO a VALUES (5); XA END 'three'; XA PREPARE 'three'")
	exec(t, other, on)
	exec(t, c, "XA START 'four'; SELECT COUNT(*) FROM a; XA END 'four'; XA COMMIT 'four' ONE PHASE; XA ROLLBACK 'three'")
	exec(t, other, off)
	require.Equal(t, "3", oneText(t, c, "SELECT GROUP_CONCAT(id ORDER BY id) FROM a"))
	require.Empty(t, rows(t, c, "XA RECOVER"))
}
