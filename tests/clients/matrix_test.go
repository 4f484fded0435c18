package clients

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// The matrix of values: every type of column, in every class of its values, read by every driver in
// each of its ways, and sent back as the parameter that the driver makes of it. A cell's answer is
// what the driver made of the value, and what the server has stored of the parameter.

// matrixValues are values beside those of storedValues.
var matrixValues = []struct {
	typ    string
	values []string
}{
	{"DATETIME(6)", fractions("'2026-01-02 03:04:05.%06d'")},
	{"TIMESTAMP(6) NULL", fractions("'2026-01-02 03:04:05.%06d'")},
	{"TIME(6)", append(fractions("'03:04:05.%06d'"), fractions("'-101:02:03.%06d'")...)},
	{"DATE", []string{"'0000-00-00'", "'0001-01-01'", "'0099-12-31'", "'0999-06-15'", "'1000-01-01'"}},
	{"DATETIME", []string{"'0000-00-00 00:00:00'", "'0001-01-01 00:00:00'", "'0099-12-31 23:59:59'", "'0999-06-15 01:02:03'"}},
	{"TIMESTAMP NULL", []string{"'0000-00-00 00:00:00'"}},
	{"TIME", []string{"'-00:00:01'", "'-24:00:00'", "'100:00:00'", "'-838:59:59'"}},
	{"YEAR", []string{"1970", "2000", "2026"}},
	{"BIT(1)", []string{"b'0'", "b'1'"}}, {"BIT(8)", []string{"0", "65", "255"}}, {"BIT(33)", []string{"4294967296", "8589934591"}},
	{"SET('a','b','ü','d')", []string{"''", "'a'", "'ü'", "'a,b,ü,d'"}},
	{"VARCHAR(20) CHARACTER SET latin1", []string{"'é'", "'ÿ'", "''"}},
	{"VARCHAR(20) CHARACTER SET utf8mb3", []string{"'é中'"}},
	{"VARCHAR(20) CHARACTER SET binary", []string{"x'e9ff00'"}},
	{"VARCHAR(50)", []string{"'it''s \\\\ \"x\"'", "'a\\0b'", "'  x  '", "'2026-01-02'", "'12'", "'%s ? :a'"}},
	{"VARBINARY(300)", []string{"x'00ff27225c0a0d1a'", "REPEAT(x'ff', 251)", "'text'"}},
	{"DECIMAL(30,10)", []string{"0.0000000001", "-99999999999999999999.9999999999", "1.5", "100"}},
	{"DECIMAL(20,0)", []string{"9007199254740993", "-18446744073709551615"}},
	{"BIGINT", []string{"9007199254740993", "-9007199254740993"}},
	{"DOUBLE", []string{"-0e0", "1e16", "1e-7", "123456789.125", "2.2250738585072014e-308"}},
	{"FLOAT", []string{"1.1", "-0e0", "1e10"}},
	{"JSON", []string{"'[]'", "'\"é\"'", "'1.0'", "'18446744073709551615'", "'true'", "'{\"b\": 1, \"a\": [null, {}]}'", "CAST(TIMESTAMP'2026-01-02 03:04:05.000006' AS JSON)"}},
	{"POINT", []string{"POINT(-1.5, 2e10)", "ST_GeomFromText('POINT(1 2)', 4326)"}},
	{"GEOMETRY", []string{"ST_GeomFromText('GEOMETRYCOLLECTION EMPTY')", "ST_GeomFromText('MULTIPOLYGON(((0 0,0 1,1 1,0 0)))')"}},
	{"BOOLEAN", []string{"TRUE", "FALSE", "-1"}},
	{"TINYTEXT", []string{"'é🔥'", "REPEAT('x', 255)"}}, {"MEDIUMTEXT", []string{"REPEAT('ab', 40000)"}}, {"TINYBLOB", []string{"x'00'"}},
	{"MEDIUMBLOB", []string{"REPEAT(x'00ff', 40000)"}}, {"LONGBLOB", []string{"''", "x'c3a9'"}},
}

// fractions are values whose microseconds have every number of leading zeros.
func fractions(format string) (out []string) {
	for _, us := range zeroPadded {
		out = append(out, fmt.Sprintf(format, us))
	}
	return out
}

// matrixCell is a value in the row of a table.
type matrixCell struct {
	Name  string
	Table int
	Row   int
}

// matrixSetup is what each connection begins with.
var matrixSetup = []string{"SET time_zone = '+00:00'", "SET sql_mode = 'ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION'"}

const matrixDatabase = "client_matrix"

// matrixTables stores the values in tables t0, t1, ... and makes an empty b0, b1, ... for each.
func matrixTables(t *testing.T, db *sql.DB) (out []matrixCell) {
	for _, q := range append([]string{"DROP DATABASE IF EXISTS " + matrixDatabase, "CREATE DATABASE " + matrixDatabase, "USE " + matrixDatabase}, matrixSetup...) {
		mustExec(t, db, q)
	}
	for i, s := range append(storedValues, matrixValues...) {
		for _, table := range []string{"t", "b"} {
			mustExec(t, db, fmt.Sprintf("CREATE TABLE %s%d (id INT PRIMARY KEY, v %s)", table, i, s.typ))
		}
		for row, v := range append([]string{"NULL"}, s.values...) {
			mustExec(t, db, fmt.Sprintf("INSERT INTO t%d VALUES (%d, %s)", i, row, v))
			out = append(out, matrixCell{fmt.Sprintf("%d %s = %.60s", i, s.typ, v), i, row})
		}
	}
	return out
}

// matrixStored takes what the server has stored of the parameters of one driver.
func matrixStored(t *testing.T, db *sql.DB) map[[2]int]string {
	out := map[[2]int]string{}
	for i := range append(storedValues, matrixValues...) {
		rows, err := db.Query(fmt.Sprintf("SELECT id, v FROM b%d", i))
		require.NoError(t, err)
		for rows.Next() {
			var id int
			var v sql.RawBytes
			require.NoError(t, rows.Scan(&id, &v))
			text := "NULL"
			if v != nil {
				text = strconv.Quote(string(v))
			}
			out[[2]int{i, id}] = text
		}
		require.NoError(t, rows.Close())
		mustExec(t, db, fmt.Sprintf("DELETE FROM b%d", i))
	}
	return out
}

// matrixWay is a driver, in one of its ways; argv is nil for the one that runs here.
type matrixWay struct {
	name string
	argv []string
}

func matrixWays() (out []matrixWay) {
	here := filepath.Join(emberd.Root(), "tests", "clients", "matrix")
	installed := filepath.Join(emberd.Root(), ".cache", "clients")
	python := filepath.Join(installed, "venv", "bin", "python")
	add := func(name string, argv ...string) { out = append(out, matrixWay{name, argv}) }
	add("PyMySQL text", python, filepath.Join(here, "matrix.py"), "pymysql", "text")
	add("mysqlclient text", "/usr/bin/python3", filepath.Join(here, "matrix.py"), "mysqlclient", "text")
	for _, way := range []string{"text", "prepared", "text compressed", "prepared compressed"} {
		add("mysql-connector-python "+way, python, filepath.Join(here, "matrix.py"), "connector", way)
	}
	for _, way := range []string{"text", "prepared", "text strings", "prepared strings", "prepared compressed"} {
		add("mysql2 "+way, "node", filepath.Join(here, "matrix.js"), way)
	}
	for _, way := range []string{"text", "prepared", "prepared compressed"} {
		add("ConnectorJ "+way, "java", "-Duser.timezone=UTC", "-cp", filepath.Join(installed, "connectorj", "*"), filepath.Join(here, "Matrix.java"), way)
		add("go-sql-driver " + way)
	}
	for _, way := range []string{"text", "prepared", "cached"} {
		add("sqlx "+way, filepath.Join(installed, "sqlx", "debug", "matrix"), way)
	}
	return out
}

// matrixDifferences are the cells in which Ember does not follow MySQL.
var matrixDifferences = []difference{
	{regexp.MustCompile(`^mysql2 prepared.*: 63 JSON = ('\{"b"|CAST)`), "behind a boolean MySQL takes the texts of the same parameter for bytes, and a document for none"},
}

// TestMatrix runs the matrix through all drivers.
func TestMatrix(t *testing.T) {
	p := openServer(t)
	cfg := p.config("false", "")
	db := open(t, cfg)
	db.SetMaxOpenConns(1)
	todo := matrixTables(t, db)
	file := filepath.Join(t.TempDir(), "cells.json")
	text, err := json.Marshal(todo)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o644))
	var out cells
	for _, way := range matrixWays() {
		answers := map[string]string{}
		if way.argv == nil {
			answers = p.goMatrix(t, strings.Fields(way.name), todo)
		} else {
			maps.Copy(answers, p.runMatrix(t, way.argv, file))
		}
		stored := matrixStored(t, db)
		for _, c := range todo {
			answer, ok := answers[c.Name]
			require.True(t, ok, "%s: %s has no answer", way.name, c.Name)
			if s, ok := stored[[2]int{c.Table, c.Row}]; ok {
				answer += " -> " + s
			}
			out.add(t, way.name+": "+c.Name, oneLine(shortened(answer)))
		}
	}
	mustExec(t, db, "DROP DATABASE "+matrixDatabase)
	out.check(t, "matrix", matrixDifferences, false)
}

// numbered are names that differ from run to run.
var numbered = regexp.MustCompile(`@[0-9a-f]{5,}`)

func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(numbered.ReplaceAllString(s, "@"))
}

// runMatrix runs a driver's program.
func (p place) runMatrix(t *testing.T, argv []string, file string) map[string]string {
	setup, err := json.Marshal(matrixSetup)
	require.NoError(t, err)
	cmd := exec.Command(argv[0], argv[1:]...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.Env = append(os.Environ(), "EMBER_HOST="+p.host, "EMBER_PORT="+strconv.Itoa(p.port), "EMBER_USER="+user, "EMBER_PASSWORD="+password,
		"EMBER_DATABASE="+matrixDatabase, "EMBER_CELLS="+file, "EMBER_SETUP="+string(setup), "TZ=UTC", "PYTHONUTF8=1",
		"NODE_PATH="+filepath.Join(emberd.Root(), ".cache", "clients", "mysql2", "node_modules"))
	text, err := cmd.Output()
	require.NoError(t, err, "%s: %s", argv, errs.String())
	out := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var a struct{ Name, Answer string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &a), lines.Text())
		out[a.Name] = a.Answer
	}
	return out
}

// goMatrix is the program of go-sql-driver.
func (p place) goMatrix(t *testing.T, way []string, todo []matrixCell) map[string]string {
	cfg := p.config("false", matrixDatabase)
	cfg.InterpolateParams = way[1] == "text"
	cfg.ParseTime = true
	require.NoError(t, cfg.Apply(mysql.EnableCompression(len(way) > 2)))
	db := open(t, cfg)
	db.SetMaxOpenConns(1)
	for _, q := range matrixSetup {
		mustExec(t, db, q)
	}
	out := map[string]string{}
	for _, c := range todo {
		var v any
		if err := db.QueryRow(fmt.Sprintf("SELECT v FROM t%d WHERE id = ?", c.Table), c.Row).Scan(&v); err != nil {
			out[c.Name] = err.Error()
			continue
		}
		answer := ""
		switch v := v.(type) {
		case []byte:
			answer = fmt.Sprintf("bytes %q", v)
		case time.Time:
			answer = "time " + v.Format("2006-01-02T15:04:05.999999999")
		default:
			answer = fmt.Sprintf("%T %v", v, v)
		}
		if _, err := db.Exec(fmt.Sprintf("INSERT INTO b%d VALUES (?, ?)", c.Table), c.Row, v); err != nil {
			answer += " | " + err.Error()
		}
		out[c.Name] = answer
	}
	return out
}
