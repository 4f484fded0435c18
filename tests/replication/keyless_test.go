package replication

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"emberdb/internal/testkit"
)

// keylessColumns are columns with values that a collation, or the comparison of their type, takes
// for equal, and such as the log writes without their padding.
var keylessColumns = []struct{ definition, values string }{
	{"VARCHAR(20)", "'a1' 'A1' 'ä1' 'a1 ' '' NULL"},
	{"VARCHAR(20) CHARACTER SET latin1", "'e' 'E' 'é' 'e ' NULL"},
	{"CHAR(8) COLLATE utf8mb4_bin", "'a' 'A' 'b' NULL"},
	{"TEXT", "'x' 'X' 'x ' REPEAT('y',9000) NULL"},
	{"LONGTEXT CHARACTER SET utf16", "'ß' 'ss' 'SS' NULL"},
	{"BLOB", "'x' 'X' REPEAT('z',9000) x'00' NULL"},
	{"BINARY(5)", "'a' 'a\\0' 'ab' x'00' NULL"},
	{"VARBINARY(5)", "'a' 'a\\0' '' NULL"},
	{"JSON", `'1' '1.0' '{"a":1}' '{"a":1.0}' '"A"' '"a"' 'null' NULL`},
	{"ENUM('a','b','c')", "'a' 'b' 'c' NULL"},
	{"SET('a','b')", "'' 'a' 'a,b' NULL"},
	{"BIT(9)", "b'0' b'101' b'111111111' NULL"},
	{"FLOAT", "0.1 1e30 -3.5 0 NULL"},
	{"DOUBLE", "0.1 1e300 3 NULL"},
	{"DECIMAL(20,5)", "1 1.5 -99999.99999 NULL"},
	{"BIGINT UNSIGNED", "0 18446744073709551615 7 NULL"},
	{"YEAR", "0 1999 2155 NULL"},
	{"DATE", "'2026-01-02' '1000-01-01' NULL"},
	{"TIME(3)", "'-838:59:59' '00:00:00.001' NULL"},
	{"DATETIME(6)", "'2026-01-02 03:04:05.000006' '9999-12-31 23:59:59' NULL"},
	{"TIMESTAMP(2) NULL", "'2026-01-02 03:04:05.06' '1970-01-02 00:00:01' NULL"},
	{"GEOMETRY", "POINT(1,2) POINT(2,1) NULL"},
}

// TestKeylessTables changes rows of tables without a primary key, which a replica finds by their
// values: by all of them, and exactly.
func TestKeylessTables(t *testing.T) {
	seed := testkit.Seed(t)
	r := rand.New(rand.NewPCG(seed, 7))
	p := newPair(t)
	p.at(p.s, "CREATE DATABASE d")
	db := p.source.Open("d")
	defer db.Close()
	db.SetMaxOpenConns(1)
	p.at(db, "SET sql_mode = ''")
	for i, c := range keylessColumns {
		table := fmt.Sprintf("t%d", i)
		p.at(db, fmt.Sprintf("CREATE TABLE %s (n INT, c %s)", table, c.definition))
		values := splitValues(c.values)
		for n := range 4 {
			for _, v := range values {
				p.at(db, fmt.Sprintf("INSERT INTO %s VALUES (%d, %s)", table, n/2, v))
			}
		}
		for range 12 { // which of the rows, the source decides
			from, to := values[r.IntN(len(values))], values[r.IntN(len(values))]
			p.at(db, fmt.Sprintf("UPDATE %s SET n = n + 10, c = %s WHERE n %% 10 < 2 ORDER BY n, RAND(%d) LIMIT 1", table, to, r.IntN(99)),
				fmt.Sprintf("UPDATE %s SET n = n + 1 WHERE c <=> %s LIMIT 1", table, from))
		}
		p.at(db, fmt.Sprintf("DELETE FROM %s ORDER BY RAND(%d) LIMIT 7", table, r.IntN(99)))
	}
	p.at(db, "CREATE TABLE k (id BINARY(4) PRIMARY KEY, n INT)", "INSERT INTO k VALUES (x'01000000', 1), (x'02', 2), ('', 3)",
		"UPDATE k SET n = n + 1 WHERE id < x'02'", "DELETE FROM k WHERE n = 2", "UPDATE k SET id = x'0300' WHERE n = 4")
	p.replica.sameAs(t, p.s)
}

// splitValues splits a list at spaces outside of quotes.
func splitValues(list string) (out []string) {
	from, quoted := 0, false
	for i := range len(list) {
		switch {
		case list[i] == '\'':
			quoted = !quoted
		case list[i] == ' ' && !quoted:
			out, from = append(out, list[from:i]), i+1
		}
	}
	return append(out, list[from:])
}
