package enginetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// skippedQueries are single queries and scripts that are not run, by their text or name, with the reason.
var skippedQueries = map[string]string{}

// skips groups them by reason.
var skips = []struct {
	reason string
	names  []string
}{
	{"SHOW and information_schema give indexes in the order of their creation; the suites expect the memory engine's, by name", []string{
		"SHOW CREATE TABLE mytaBLE",
		"CREATE TABLE t1 LIKE mytable",
		"create table t1 (i int primary key, b1 blob, b2 blob, index(b1(10)), index(b2(20)), index(b1(123), b2(456)))",
		"Show create table child;",
		"show create table child4",
		"test index naming",
		"show table with spatial indexes",
		`SELECT table_name, index_name, comment, non_unique, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS COLUMNS FROM information_schema.statistics ` +
			`WHERE table_schema='mydb' AND table_name='mytable' AND index_name!="PRIMARY" GROUP BY index_name, comment, non_unique;`,
	}},
	{"TRUNCATE tells no row count, as MySQL's", []string{"Drop primary key for table with multiple primary key columns", "TRUNCATE TABLE"}},
	{"the layer's parser keeps DELETE from being run as TRUNCATE; the prepared suites parse without it", []string{
		"DELETE FROM mytable;",
		"DELETE mytable FROM mytable;",
		"foreign key that references dropped table",
		"DELETE FROM point_table;",
		"DELETE FROM line_table;",
		"DELETE FROM polygon_table;",
	}},
	{"options of another engine", []string{
		"CREATE TABLE t1 (pk int primary key) TARGET_ROW_SIZE=4096",
		"CREATE TABLE t1 (pk int primary key) TOAST_TUPLE_TARGET=1024",
	}},
	{"a primary key over a prefix is allowed, as in MySQL", []string{
		"varchar primary key prefix", "char primary key prefix", "varbinary primary key prefix", "binary primary key prefix", "blob primary key prefix",
		"text primary key prefix",
	}},
	{"a key over BLOB or TEXT needs a length, as in MySQL", []string{
		"unique indexes on TEXT/BLOB columns with no prefix length (MariaDB compatibility)",
		"unique indexes on multiple TEXT/BLOB columns with partial prefix lengths (MariaDB compatibility)",
		"JSON functions: multiple functional indexes",
	}},
	{"a key has 3072 bytes at most, as in MySQL", []string{"missing indexes"}},
	{"GMS takes a VARBINARY of 65535 bytes for too large a row", []string{"try inserting varbinary larger than max limit"}},
	{"the text of a duplicate key is MySQL's", []string{
		"constraints: UNIQUE index enforces constraint on expression result",
		"constraints: UNIQUE index allows multiple NULLs",
		"Load data errors on primary key duplicate",
		"failed statements data validation for INSERT, UPDATE",
		"insert trigger with subquery projections",
		"table ddl statements in stored procedures",
	}},
	{"names in expressions are quoted", []string{
		"system hidden columns: omitted from SHOW CREATE TABLE",
		"system hidden columns: omitted from SHOW CREATE TABLE after ALTER TABLE ADD COLUMN",
		"multiple expressions: system hidden columns omitted from SHOW CREATE TABLE",
	}},
	{"SET TRANSACTION without a scope is about the next transaction and leaves the variables, as in MySQL", []string{"set transaction"}},
	{"TIME has no fraction unless it says so, as in MySQL", []string{"select unix_timestamp(d), substring(cast(unix_timestamp(tt) as char(128)), -6) from t;"}},
	{"CHAR drops trailing spaces, as in MySQL", []string{"select HEX(c), LENGTH(c) from ascii_test where c is not null order by c;"}},
	{"a cursor's rows are those of its first FETCH", []string{"FETCH captures state at OPEN"}},
	{"times of different precision that are equal match in a foreign key", []string{"datetime with foreign keys", "timestamps with foreign keys"}},
	{"the plan's costs are those of the memory engine", []string{"explain plan select count(*) from mytable"}},
}

func init() {
	for _, s := range skips {
		for _, name := range s.names {
			skippedQueries[plain(name)] = s.reason
		}
	}
}

// plain makes texts comparable that differ in white space only.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestSkips counts what is left out, and that nothing is twice.
func TestSkips(t *testing.T) {
	whole, listed := 0, 0
	for _, s := range suites {
		if s.skip != "" {
			whole++
		}
	}
	for _, s := range skips {
		require.NotEmpty(t, s.reason)
		listed += len(s.names)
	}
	require.Len(t, skippedQueries, listed)
	t.Logf("%d of %d suites and %d queries and scripts are skipped", whole, len(suites), listed)
}
