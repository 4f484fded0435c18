package clients

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// storedValues are values that texts store, by the types of their columns.
var storedValues = []struct {
	typ    string
	values []string
}{
	{"TINYINT", []string{"-128", "0", "127"}}, {"TINYINT UNSIGNED", []string{"0", "255"}}, {"TINYINT(3) ZEROFILL", []string{"7"}},
	{"SMALLINT", []string{"-32768", "32767"}}, {"SMALLINT UNSIGNED", []string{"65535"}}, {"MEDIUMINT", []string{"-8388608", "-1", "8388607"}},
	{"MEDIUMINT UNSIGNED", []string{"16777215"}}, {"INT", []string{"-2147483648", "2147483647"}}, {"INT UNSIGNED", []string{"4294967295"}},
	{"BIGINT", []string{"-9223372036854775808", "9223372036854775807"}}, {"BIGINT UNSIGNED", []string{"0", "18446744073709551615"}},
	{"FLOAT", []string{"0", "-3.402823e38", "1.17549435e-38", "0.1", "16777217"}}, {"FLOAT(7,3)", []string{"1234.5678"}},
	{"DOUBLE", []string{"-1.7976931348623157e308", "4.9e-324", "0.1", "1e15"}}, {"DOUBLE(8,2)", []string{"123456.789"}},
	{"DECIMAL(65,30)", []string{strings.Repeat("9", 35) + "." + strings.Repeat("9", 30), "-0.000000000000000000000000000001", "0"}}, {"DECIMAL(5,0)", []string{"-99999"}},
	{"DATE", []string{"'1000-01-01'", "'9999-12-31'", "'0001-01-01'"}},
	{"DATETIME", []string{"'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'2026-01-02 00:00:01'"}},
	{"DATETIME(1)", []string{"'2026-01-02 03:04:05.9'", "'2026-01-02 03:04:05.0'"}}, {"DATETIME(6)", []string{"'2026-01-02 03:04:05.000001'", "'2026-01-02 00:00:00'", "'0099-01-01 00:00:00.1'"}},
	{"TIMESTAMP NULL", []string{"'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"}}, {"TIMESTAMP(6) NULL", []string{"'2038-01-19 03:14:07.999999'", "'2026-01-02 03:04:05.06'"}},
	{"TIME", []string{"'00:00:00'", "'-838:59:59'", "'838:59:59'", "'24:00:00'"}}, {"TIME(4)", []string{"'-00:00:00.0001'", "'100:00:00'"}}, {"TIME(6)", []string{"'23:59:59.000006'"}},
	{"YEAR", []string{"0", "1901", "2155"}}, {"BIT(1)", []string{"0", "1"}}, {"BIT(9)", []string{"257"}}, {"BIT(64)", []string{"18446744073709551615"}},
	{"CHAR(3)", []string{"''", "'a '"}}, {"VARCHAR(300)", []string{"''", "REPEAT('x', 250)", "REPEAT('x', 251)", "'é🔥'"}}, {"BINARY(3)", []string{"''", "x'00'"}},
	{"VARBINARY(9)", []string{"''", "x'0000ff'"}}, {"TEXT", []string{"''", "REPEAT('y', 256)"}}, {"LONGTEXT", []string{"REPEAT('z', 65536)"}},
	{"BLOB", []string{"x'00ff'", "''"}}, {"ENUM('a','', 'ü')", []string{"'a'", "''", "'ü'"}}, {"SET('a','b')", []string{"''", "'a,b'"}},
	{"JSON", []string{"'null'", `'{"a": [1, 1.5, "x"], "b": null}'`}}, {"GEOMETRY", []string{"POINT(1, 2)", "ST_GeomFromText('LINESTRING(0 0,1 1)', 4326)"}},
}

// TestBinaryResults reads what texts have stored: every type alone, and all of them in one row with
// NULLs among them. Both are read twice, since a server may execute a statement another way once it
// knows it.
func TestBinaryResults(t *testing.T) {
	c := binaryServer(t)
	c.must(t, "DROP DATABASE IF EXISTS binaryresults")
	c.must(t, "CREATE DATABASE binaryresults")
	c.must(t, "USE binaryresults")
	var out cells
	var columns []string
	for i, s := range storedValues {
		columns = append(columns, fmt.Sprintf("c%d %s", i, s.typ))
		c.must(t, fmt.Sprintf("CREATE TABLE t%d (id INT PRIMARY KEY, v %s)", i, s.typ))
		read := c.mustPrepare(t, fmt.Sprintf("SELECT v FROM t%d", i))
		computed := kindOf(s.typ) != ""
		greatest := stmt{}
		if computed {
			greatest = c.mustPrepare(t, fmt.Sprintf("SELECT MAX(v) FROM t%d", i))
		}
		for _, v := range append([]string{"NULL"}, s.values...) {
			c.must(t, fmt.Sprintf("REPLACE INTO t%d VALUES (1, %s)", i, v))
			out.add(t, s.typ+" = "+shortened(v), shortened(twice(func() string { return c.mustExecute(t, read, nil).shown() })))
			if computed {
				out.add(t, "MAX of "+s.typ+" = "+shortened(v), shortened(twice(func() string { return c.mustExecute(t, greatest, nil).shown() })))
			}
		}
	}
	c.must(t, "CREATE TABLE wide (id INT PRIMARY KEY, "+strings.Join(columns, ", ")+")")
	for row := range 4 {
		values := []string{fmt.Sprint(row)}
		for i, s := range storedValues {
			if v := s.values[row%len(s.values)]; (i+row)%3 > 0 {
				values = append(values, v)
			} else {
				values = append(values, "NULL")
			}
		}
		c.must(t, "INSERT INTO wide VALUES ("+strings.Join(values, ", ")+")")
	}
	read := c.mustPrepare(t, "SELECT * FROM wide WHERE id = ?")
	require.Equal(t, 1, read.params)
	for row := range 4 {
		p := &param{typ: 8, value: le(8, uint64(row))}
		out.add(t, fmt.Sprintf("all types, row %d", row), shortened(twice(func() string { return c.mustExecute(t, read, p).shown() })))
	}
	c.must(t, "DROP DATABASE binaryresults")
	out.check(t, "results", resultDifferences, false)
}

// resultDifferences are the cells in which Ember does not follow MySQL.
var resultDifferences []difference

// shortened keeps a long answer short, with a sum of all of it.
func shortened(s string) string {
	if len(s) <= 4000 {
		return s
	}
	sum := uint32(0)
	for _, ch := range []byte(s) {
		sum = sum*31 + uint32(ch)
	}
	return fmt.Sprintf("%s... %d bytes, sum %08x", s[:4000], len(s), sum)
}
