package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/perftables"
)

// useQuery reads the counts of database u by index.
const useQuery = "SELECT OBJECT_NAME, IFNULL(INDEX_NAME, '-'), COUNT_STAR, COUNT_FETCH, COUNT_INSERT, COUNT_UPDATE, COUNT_DELETE " +
	"FROM performance_schema.table_io_waits_summary_by_index_usage WHERE OBJECT_SCHEMA = 'u'"

// TestTableUse: rows are counted by the index they were reached by. Reads are counted as MySQL 9.7
// does.
func TestTableUse(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	for _, q := range []string{"CREATE DATABASE u", "USE u", "CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT, KEY (b))",
		"INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)"} {
		exec(t, db, q)
	}
	rows(t, db, "SELECT * FROM t")
	rows(t, db, "SELECT * FROM t WHERE a = 1")
	rows(t, db, "SELECT * FROM t WHERE b = 2")
	require.Equal(t, [][]string{{"t", "-", "6", "3", "3", "0", "0"}, {"t", "PRIMARY", "1", "1", "0", "0", "0"}, {"t", "b", "1", "1", "0", "0", "0"}}, rows(t, db, useQuery))
	require.Empty(t, rows(t, db, "SELECT * FROM sys.schema_unused_indexes WHERE object_schema = 'u'"))
	exec(t, db, "ALTER TABLE t ADD KEY never (c), RENAME TO t2")
	require.Equal(t, [][]string{{"u", "t2", "never"}}, rows(t, db, "SELECT * FROM sys.schema_unused_indexes WHERE object_schema = 'u'"))
	exec(t, db, "UPDATE t2 SET c = 5 WHERE a = 1")
	exec(t, db, "DELETE FROM t2 WHERE a = 2")
	require.Equal(t, []string{"1", "1"}, rows(t, db, "SELECT rows_updated, rows_deleted FROM sys.schema_table_statistics WHERE table_schema = 'u'")[0])
	exec(t, db, "TRUNCATE performance_schema.table_io_waits_summary_by_table")
	require.Equal(t, "0", rows(t, db, "SELECT SUM(COUNT_STAR) FROM performance_schema.table_io_waits_summary_by_index_usage WHERE OBJECT_SCHEMA = 'u'")[0][0])
	exec(t, db, "DROP TABLE t2")
	require.Empty(t, rows(t, db, useQuery))
}

// TestUseLasts: counts of tables, files and waits outlive the server. A file of them that is
// damaged is not read.
func TestUseLasts(t *testing.T) {
	dir := t.TempDir()
	ts, end := startReal(t, dir)
	db := ts.login("root", "", "")
	exec(t, db, "CREATE DATABASE u")
	exec(t, db, "CREATE TABLE u.t (a INT PRIMARY KEY)")
	exec(t, db, "INSERT INTO u.t VALUES (1), (2)")
	const inserted = "SELECT SUM(COUNT_INSERT) FROM performance_schema.table_io_waits_summary_by_table WHERE OBJECT_SCHEMA = 'u'"
	const synced = "SELECT COUNT_MISC > 0 FROM performance_schema.file_summary_by_instance WHERE EVENT_NAME LIKE '%log_file'"
	require.Equal(t, "2", rows(t, db, inserted)[0][0])
	require.Equal(t, "1", rows(t, db, synced)[0][0])
	end()
	ts, end = startReal(t, dir)
	db = ts.login("root", "", "")
	ts.seedUse() // or the server has, in the background
	require.Equal(t, "2", rows(t, db, inserted)[0][0])
	exec(t, db, "INSERT INTO u.t VALUES (3)")
	require.Equal(t, "3", rows(t, db, inserted)[0][0])
	end()
	file := filepath.Join(dir, perftables.UseFile)
	saved, err := os.ReadFile(file)
	require.NoError(t, err)
	saved[len(saved)/2] ^= 1
	require.NoError(t, os.WriteFile(file, saved, 0o640))
	ts, _ = startReal(t, dir)
	ts.seedUse()
	require.Equal(t, "NULL", rows(t, ts.login("root", "", ""), inserted)[0][0])
}

// TestSysQueries: every view of sys that is a query can be read, and the formatted form of a view
// has as many rows as the plain one. Reading one inside a transaction leaves the transaction as it
// is.
func TestSysQueries(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	exec(t, db, "CREATE DATABASE u")
	exec(t, db, "CREATE TABLE u.t (a INT AUTO_INCREMENT PRIMARY KEY, b INT, KEY b1 (b), KEY b2 (b, a), KEY b3 (b))")
	exec(t, db, "BEGIN")
	exec(t, db, "INSERT INTO u.t VALUES (1, 1)")
	for name := range sysQueries() {
		rows(t, db, "SELECT * FROM sys.`"+name+"`")
	}
	exec(t, db, "ROLLBACK")
	require.Empty(t, rows(t, db, "SELECT * FROM u.t"))
	require.Equal(t, [][]string{{"b1", "b2"}, {"b1", "b3"}, {"b3", "b1"}, {"b3", "b2"}}[0], rows(t, db, "SELECT redundant_index_name, dominant_index_name FROM sys.schema_redundant_indexes WHERE table_schema = 'u' ORDER BY 1, 2")[0])
	require.Equal(t, [][]string{{"u", "t", "a", "int", "1", "0", "2147483647"}},
		rows(t, db, "SELECT table_schema, table_name, column_name, data_type, is_signed, is_unsigned, max_value FROM sys.schema_auto_increment_columns"))
	latency := rows(t, db, "SELECT total_latency FROM sys.statement_analysis LIMIT 1")[0][0]
	require.Regexp(t, `^\d+\.\d\d (us|ms|s|min)$`, latency)
	require.Regexp(t, `^@@datadir/`, rows(t, db, "SELECT file FROM sys.io_global_by_file_by_bytes LIMIT 1")[0][0])
	exec(t, db, "CREATE USER lim")
	exec(t, db, "GRANT SELECT ON sys.* TO lim")
	_, err := tryRows(ts.login("lim", "", ""), "SELECT * FROM sys.statement_analysis")
	require.ErrorContains(t, err, "1356")
}

// TestShortStatement: texts are shortened as MySQL's sys.format_statement does.
func TestShortStatement(t *testing.T) {
	long := "0123456789012345678901234567890123456789012345678901234567890123"
	require.Equal(t, long, shortStatement(long))
	require.Equal(t, "012345678901234567890123456789 ... 567890123456789012345678901234", shortStatement(long+"4"))
	require.Equal(t, "a b", shortStatement("a\nb"))
}

// TestInnodbTables: types and columns of InnoDB's dictionary are those that MySQL 9.7 shows of the
// same table.
func TestInnodbTables(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	exec(t, db, "CREATE DATABASE u")
	exec(t, db, "CREATE TABLE u.ty (a TINYINT PRIMARY KEY, b BIGINT UNIQUE, c BINARY(3), d VARBINARY(3), e BLOB, f TEXT, g JSON, h FLOAT, i DOUBLE, j DECIMAL(5,2), k VARCHAR(9), l CHAR(4),"+
		" m BIT(3), n DATETIME, o TIMESTAMP NULL, p TIME, q DATE, r YEAR, s ENUM('a'), t SET('a'), u GEOMETRY, v CHAR(3) CHARSET latin1, w VARCHAR(3) CHARSET latin1, KEY (k))")
	var types string
	for _, r := range rows(t, db, "SELECT c.MTYPE FROM information_schema.INNODB_COLUMNS c JOIN information_schema.INNODB_TABLES t USING (TABLE_ID) WHERE t.NAME = 'u/ty' ORDER BY c.POS") {
		types += r[0] + " "
	}
	require.Equal(t, "6 6 3 4 5 5 5 9 10 3 12 13 3 3 3 3 6 6 6 6 14 2 1 ", types)
	require.Equal(t, [][]string{{"b", "2", "2"}, {"k", "0", "2"}, {"PRIMARY", "3", "25"}},
		rows(t, db, "SELECT i.NAME, i.TYPE, i.N_FIELDS FROM information_schema.INNODB_INDEXES i JOIN information_schema.INNODB_TABLES t USING (TABLE_ID) WHERE t.NAME = 'u/ty' ORDER BY i.NAME"))
	require.Equal(t, [][]string{{"1", "normal"}}, rows(t, db, "SELECT FILE_SIZE >= 16384, STATE FROM information_schema.INNODB_TABLESPACES WHERE NAME = 'u/ty'"))
	require.Equal(t, "26", rows(t, db, "SELECT N_COLS FROM information_schema.INNODB_TABLES WHERE NAME = 'u/ty'")[0][0])
	for _, table := range []string{"INNODB_FIELDS", "INNODB_DATAFILES", "INNODB_TABLESPACES_BRIEF", "INNODB_TABLESTATS", "INNODB_BUFFER_PAGE"} {
		require.NotEmpty(t, rows(t, db, "SELECT * FROM information_schema."+table), table)
	}
}
