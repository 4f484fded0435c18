package sqllayer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// An index finds what a filter over all rows finds, whatever a column is compared with.
func TestRangesAgreeWithFilters(t *testing.T) {
	b := newBench(t)
	c := b.session()
	columns := []struct {
		typ            string
		values, bounds []string
	}{
		{"INT", []string{"-1", "0", "1", "2", "NULL"}, []string{"1", "1.5", "-0.5", "'1'", "2.0", "99999999999", "-99999999999", "1e0"}},
		{"TINYINT UNSIGNED", []string{"0", "1", "255", "NULL"}, []string{"0", "-1", "256", "1.5", "255", "254.9"}},
		{"DECIMAL(5,2)", []string{"1.23", "1.24", "-1.23", "0", "999.99", "NULL"}, []string{"1.23", "1.234", "1.231", "1000", "-1000", "0", "1.23e0"}},
		{"DOUBLE", []string{"0.5", "1", "-2.25", "NULL"}, []string{"0.5", "1", "0.75", "-2.25", "5e-1"}},
		{"DATE", []string{"'2020-01-01'", "'2020-01-02'", "NULL"}, []string{"'2020-01-01'", "'2020-01-01 10:00:00'", "'2020-01-01 00:00:00'", "'2019-12-31'"}},
		{"DATETIME", []string{"'2020-01-01 00:00:00'", "'2020-01-01 00:00:01'", "NULL"}, []string{"'2020-01-01'", "'2020-01-01 00:00:01'", "'2020-01-01 00:00:02'", "'2020-01-01 00:00:00.5'"}},
		{"DATETIME(6)", []string{"'2020-01-01 00:00:00.5'", "'2020-01-01 00:00:01'", "NULL"}, []string{"'2020-01-01'", "'2020-01-01 00:00:00.5'", "'2020-01-01 00:00:00.4'"}},
		{"VARCHAR(10)", []string{"'a'", "'B'", "'ab'", "''", "NULL"}, []string{"'A'", "'b'", "'a '", "''", "'abcdefghijklmnop'"}},
		{"VARCHAR(10) COLLATE utf8mb4_bin", []string{"'a'", "'B'", "'ab'", "''", "NULL"}, []string{"'A'", "'a'", "'ab'", "''"}},
		{"BINARY(3)", []string{"'abc'", "'ab'", "'abd'", "NULL"}, []string{"'abc'", "'ab'", "'abcd'", "'ab\\0'", "''"}},
		{"VARBINARY(5)", []string{"'abc'", "'ab'", "''", "NULL"}, []string{"'abc'", "'ab'", "'abcdefgh'", "''"}},
		{"ENUM('x','y','z')", []string{"'x'", "'y'", "'z'", "NULL"}, []string{"'x'", "'y'", "'nothing'"}},
		{"YEAR", []string{"2000", "2001", "NULL"}, []string{"2000", "2001", "1999"}},
		{"BIT(4)", []string{"1", "5", "15", "NULL"}, []string{"1", "5", "6"}},
	}
	for n, col := range columns {
		c.exec(fmt.Sprintf("CREATE TABLE i%d (id INT PRIMARY KEY, v %s, KEY (v))", n, col.typ))
		c.exec(fmt.Sprintf("CREATE TABLE f%d (id INT PRIMARY KEY, v %s)", n, col.typ))
		for id, v := range col.values {
			for _, table := range []string{"i", "f"} {
				c.exec(fmt.Sprintf("INSERT INTO %s%d VALUES (%d, %s)", table, n, id, v))
			}
		}
		conditions := []string{"v IS NULL", "v IS NOT NULL", "v IN (" + strings.Join(col.bounds, ",") + ")"}
		for _, bound := range col.bounds {
			for _, op := range []string{"=", "<", "<=", ">", ">=", "<>", "<=>"} {
				conditions = append(conditions, "v "+op+" "+bound)
			}
			conditions = append(conditions, "v BETWEEN "+col.bounds[0]+" AND "+bound, "NOT v > "+bound)
		}
		for _, cond := range conditions {
			byIndex, err := c.run(ctxBackground, fmt.Sprintf("SELECT id FROM i%d WHERE %s ORDER BY id", n, cond))
			byFilter, filterErr := c.run(ctxBackground, fmt.Sprintf("SELECT id FROM f%d WHERE %s ORDER BY id", n, cond))
			if filterErr == nil {
				assert.NoError(t, err, "%s: %s", col.typ, cond)
				assert.Equal(t, byFilter, byIndex, "%s: %s", col.typ, cond)
			}
		}
	}
}
