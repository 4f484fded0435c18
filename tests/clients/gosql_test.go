package clients

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

const goDatabase = "client_go"

func (p place) config(tls, database string) *mysql.Config {
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.DBName = user, password, database
	cfg.Net, cfg.Addr, cfg.TLSConfig = "tcp", net.JoinHostPort(p.host, strconv.Itoa(p.port)), tls
	cfg.ParseTime, cfg.MultiStatements = true, true
	return cfg
}

// goClient runs go-sql-driver through the same matters as the other clients.
func goClient(t *testing.T, p place) {
	goWaysIn(t, p)
	setup := open(t, p.config("false", ""))
	mustExec(t, setup, "DROP DATABASE IF EXISTS "+goDatabase)
	mustExec(t, setup, "CREATE DATABASE "+goDatabase)
	for _, way := range []struct{ interpolate, compress bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		t.Run(fmt.Sprintf("interpolate=%t compress=%t", way.interpolate, way.compress), func(t *testing.T) {
			cfg := p.config("skip-verify", goDatabase)
			cfg.InterpolateParams = way.interpolate
			require.NoError(t, cfg.Apply(mysql.EnableCompression(way.compress)))
			db := open(t, cfg)
			var name, compression string
			require.NoError(t, db.QueryRow("SHOW STATUS LIKE 'Compression'").Scan(&name, &compression))
			require.Equal(t, way.compress, compression == "ON")
			goTypes(t, db)
			goTransactions(t, db)
			goErrors(t, db)
			goResults(t, db)
			goLoadData(t, db)
			goLoadWarnings(t, db)
			goLarge(t, db)
			mustExec(t, db, "DROP TABLE types, tx, loaded, mixed, replaced, large")
			mustExec(t, db, "DROP PROCEDURE two")
		})
	}
	mustExec(t, setup, "DROP DATABASE "+goDatabase)
}

func mustExec(t *testing.T, db *sql.DB, q string, args ...any) sql.Result {
	t.Helper()
	res, err := db.Exec(q, args...)
	require.NoError(t, err, q)
	return res
}

func value(t *testing.T, db *sql.DB, q string, args ...any) string {
	t.Helper()
	var s string
	require.NoError(t, db.QueryRow(q, args...).Scan(&s), q)
	return s
}

func goWaysIn(t *testing.T, p place) {
	local := p.config("", "")
	local.Net, local.Addr = "unix", p.socket
	for _, cfg := range []*mysql.Config{p.config("false", ""), p.config("skip-verify", ""), local} {
		require.NoError(t, open(t, cfg).Ping(), cfg.FormatDSN())
	}
	wrong := p.config("false", "")
	wrong.Passwd = "wrong"
	requireCode(t, open(t, wrong).Ping(), 1045, "28000")
	requireCode(t, open(t, p.config("false", "missing")).Ping(), 1049, "42000")
}

func requireCode(t *testing.T, err error, code uint16, state string) {
	t.Helper()
	var me *mysql.MySQLError
	require.ErrorAs(t, err, &me)
	require.Equal(t, code, me.Number, me.Message)
	require.Equal(t, state, string(me.SQLState[:]))
}

func goTypes(t *testing.T, db *sql.DB) {
	mustExec(t, db, `CREATE TABLE types (id INT PRIMARY KEY AUTO_INCREMENT, ti TINYINT, bi BIGINT, bu BIGINT UNSIGNED,
		de DECIMAL(20,6), fl FLOAT, db DOUBLE, da DATE, dt DATETIME(6), tm TIME(3), vc VARCHAR(100), bl BLOB,
		js JSON, en ENUM('small','large'))`)
	when := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC)
	names := []string{"ti", "bi", "bu", "de", "fl", "db", "da", "dt", "tm", "vc", "bl", "js", "en"}
	row := []any{int64(-128), int64(-1 << 63), uint64(1<<64 - 1), "-12345678901234.567890", float64(1.5), 2.718281828459045,
		when.Truncate(24 * time.Hour), when, "-800:00:00.250", "snow \u2603 fire \U0001F525 quote ' \\ \"",
		[]byte{0, 1, 254, 255}, `{"a": 1}`, "large"}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(row)), ",")
	insert := "INSERT INTO types (" + strings.Join(names, ",") + ") VALUES (" + marks + ")"
	id, err := mustExec(t, db, insert, row...).LastInsertId()
	require.NoError(t, err)
	require.EqualValues(t, 1, id)
	mustExec(t, db, insert, make([]any, len(row))...)

	rows, err := db.Query("SELECT "+strings.Join(names, ",")+" FROM types WHERE id < ? ORDER BY id", 100)
	require.NoError(t, err)
	defer rows.Close()
	require.True(t, rows.Next())
	for i, col := range scanAll(t, rows, len(row)) {
		require.Equal(t, fmt.Sprintf("%v", row[i]), fmt.Sprintf("%v", printable(col, row[i])), names[i])
	}
	require.True(t, rows.Next())
	require.Equal(t, make([]any, len(row)), scanAll(t, rows, len(row)))
	require.False(t, rows.Next())
	require.NoError(t, rows.Err())
}

func scanAll(t *testing.T, rows *sql.Rows, n int) []any {
	t.Helper()
	vals, dest := make([]any, n), make([]any, n)
	for i := range vals {
		dest[i] = &vals[i]
	}
	require.NoError(t, rows.Scan(dest...))
	return vals
}

// printable turns the driver's bytes into text, except where bytes are wanted.
func printable(got, want any) any {
	b, isBytes := got.([]byte)
	if _, wantBytes := want.([]byte); isBytes && !wantBytes {
		return string(b)
	}
	return got
}

func goTransactions(t *testing.T, db *sql.DB) {
	mustExec(t, db, "CREATE TABLE tx (id INT PRIMARY KEY, v VARCHAR(10))")
	ctx := context.Background()
	for _, level := range []sql.IsolationLevel{sql.LevelReadUncommitted, sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable} {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: level})
		require.NoError(t, err)
		_, err = tx.Exec("INSERT INTO tx VALUES (1, 'one')")
		require.NoError(t, err)
		require.NoError(t, tx.Rollback())
		require.Equal(t, "0", value(t, db, "SELECT COUNT(*) FROM tx"))
	}
	tx, err := db.Begin()
	require.NoError(t, err)
	stmt, err := tx.Prepare("INSERT INTO tx VALUES (?, ?)")
	require.NoError(t, err)
	for i := range 100 {
		_, err := stmt.Exec(i, strconv.Itoa(i))
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
	require.Equal(t, "100", value(t, db, "SELECT COUNT(*) FROM tx"))
	ro, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	_, err = ro.Exec("DELETE FROM tx")
	requireCode(t, err, 1792, "25006")
	require.NoError(t, ro.Rollback())
	n, err := mustExec(t, db, "UPDATE tx SET v = ? WHERE id < ?", "x", 10).RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 10, n)

	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	_, err = db.ExecContext(short, "SELECT SLEEP(100000)")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func goErrors(t *testing.T, db *sql.DB) {
	for _, c := range []struct {
		q     string
		code  uint16
		state string
	}{
		{"INSERT INTO tx VALUES (1, 'again')", 1062, "23000"},
		{"SELECT * FROM missing", 1146, "42S02"},
		{"SELEC 1", 1064, "42000"},
		{"SELECT nothing FROM tx", 1054, "42S22"},
		{"INSERT INTO tx VALUES (1000, 'far too long for it')", 1406, "22001"},
		{"CREATE TABLE tx (id INT)", 1050, "42S01"},
		{"INSERT INTO tx VALUES (1)", 1136, "21S01"},
	} {
		_, err := db.Exec(c.q)
		requireCode(t, err, c.code, c.state)
	}
}

func goResults(t *testing.T, db *sql.DB) {
	rows, err := db.Query("SELECT 1; SELECT 2, 3; SELECT v FROM tx WHERE id = 50")
	require.NoError(t, err)
	defer rows.Close()
	counts := []int{}
	for {
		cols, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			counts = append(counts, len(cols))
		}
		if !rows.NextResultSet() {
			break
		}
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []int{1, 2, 1}, counts)
	mustExec(t, db, "CREATE PROCEDURE two (x INT) BEGIN SELECT x; SELECT x + 1; END")
	require.Equal(t, "7", value(t, db, "CALL two(7)"))
	types, err := db.Query("SELECT id, v FROM tx")
	require.NoError(t, err)
	defer types.Close()
	cols, err := types.ColumnTypes()
	require.NoError(t, err)
	require.Equal(t, "INT", cols[0].DatabaseTypeName())
	require.Equal(t, "VARCHAR", cols[1].DatabaseTypeName())
}

func goLoadData(t *testing.T, db *sql.DB) {
	mustExec(t, db, "CREATE TABLE loaded (id INT PRIMARY KEY, name VARCHAR(20))")
	mysql.RegisterReaderHandler("rows", func() io.Reader {
		var b bytes.Buffer
		for i := range 2000 {
			fmt.Fprintf(&b, "%d\tname %d\n", i, i)
		}
		return &b
	})
	defer mysql.DeregisterReaderHandler("rows")
	n, err := mustExec(t, db, "LOAD DATA LOCAL INFILE 'Reader::rows' INTO TABLE loaded").RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 2000, n)
	require.Equal(t, "name 1999", value(t, db, "SELECT name FROM loaded WHERE id = 1999"))

	mustExec(t, db, "CREATE TABLE replaced (name VARCHAR(20))")
	mustExec(t, db, "CREATE TRIGGER came BEFORE INSERT ON loaded FOR EACH ROW SET NEW.name = UPPER(NEW.name)")
	mustExec(t, db, "CREATE TRIGGER went AFTER DELETE ON loaded FOR EACH ROW INSERT INTO replaced VALUES (OLD.name)")
	mustExec(t, db, "LOAD DATA LOCAL INFILE 'Reader::rows' REPLACE INTO TABLE loaded")
	require.Equal(t, "NAME 1999", value(t, db, "SELECT name FROM loaded WHERE id = 1999"))
	require.Equal(t, "2000", value(t, db, "SELECT COUNT(*) FROM replaced"))
}

// goLoadWarnings loads a file with lines that do not fit among many that do; the warnings are
// MySQL's.
func goLoadWarnings(t *testing.T, db *sql.DB) {
	lines := []string{
		"1\tab\t2020-01-01\t1.5", "2\ttoolongvalue\t2020-01-01\t99999999", "3\t\\N\t\\N\t\\N", "x\tq\t2020-02-02\t2", "1\tdup\t2020-01-01\t1",
		"5\tonly", "6\ta\t2020-01-01\t1.239\textra", "7\tb\t\t", "08\tz\t2020-01-05\t1e1",
	}
	for i := 100; i < 2100; i++ {
		lines = append(lines, fmt.Sprintf("%d\tv%d\t2021-03-04\t%d.25", i, i%10, i%300))
	}
	lines = append(lines, "150\tagain\t2020-01-01\t1", "")
	mysql.RegisterReaderHandler("mixed", func() io.Reader { return strings.NewReader(strings.Join(lines, "\n")) })
	defer mysql.DeregisterReaderHandler("mixed")
	mustExec(t, db, "CREATE TABLE mixed (a INT PRIMARY KEY, v VARCHAR(5), d DATE, n DECIMAL(5,2), UNIQUE(n, a), KEY(v))")
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	res, err := conn.ExecContext(t.Context(), "LOAD DATA LOCAL INFILE 'Reader::mixed' INTO TABLE mixed")
	require.NoError(t, err)
	n, err := res.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 2008, n)
	rows, err := conn.QueryContext(t.Context(), "SHOW WARNINGS")
	require.NoError(t, err)
	var got []string
	for rows.Next() {
		var level, code, text string
		require.NoError(t, rows.Scan(&level, &code, &text))
		got = append(got, level+" "+code+" "+text)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{
		"Warning 1265 Data truncated for column 'v' at row 2",
		"Warning 1264 Out of range value for column 'n' at row 2",
		"Warning 1366 Incorrect integer value: 'x' for column 'a' at row 4",
		"Warning 1062 Duplicate entry '1' for key 'mixed.PRIMARY'",
		"Warning 1261 Row 6 doesn't contain data for all columns",
		"Warning 1261 Row 6 doesn't contain data for all columns",
		"Note 1265 Data truncated for column 'n' at row 7",
		"Warning 1262 Row 7 was truncated; it contained more data than there were input columns",
		"Warning 1265 Data truncated for column 'd' at row 8",
		"Warning 1366 Incorrect decimal value: '' for column 'n' at row 8",
		"Warning 1062 Duplicate entry '150' for key 'mixed.PRIMARY'",
	}, got)
	require.Equal(t, "2008 2199032 310514.73 0000-00-00 z", value(t, db, "SELECT CONCAT_WS(' ', COUNT(*), SUM(a), SUM(n), MIN(d), MAX(v)) FROM mixed"))
	require.Equal(t, "200", value(t, db, "SELECT COUNT(*) FROM mixed FORCE INDEX (v) WHERE v = 'v3'"))
}

func goLarge(t *testing.T, db *sql.DB) {
	mustExec(t, db, "CREATE TABLE large (id INT PRIMARY KEY, b LONGBLOB)")
	blob := make([]byte, 3<<20)
	_, _ = rand.Read(blob)
	mustExec(t, db, "INSERT INTO large VALUES (1, ?)", blob)
	var got []byte
	require.NoError(t, db.QueryRow("SELECT b FROM large WHERE id = ?", 1).Scan(&got))
	require.True(t, bytes.Equal(blob, got))
}
