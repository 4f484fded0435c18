package enginetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// skippedQueries are single queries and scripts that are not run, by their text or name, with the
// reason.
var skippedQueries = map[string]string{}

// skips groups them by reason.
var skips = []struct {
	reason string
	names  []string
}{
	{"MySQL takes INTO in the last query of a UNION; the suite expects an error of go-mysql-server's grammar", []string{
		"SELECT id FROM tab1 WHERE id > 3 UNION select s INTO @mustSingleVar FROM tab2 WHERE s < 'f' ORDER BY s DESC",
	}},
	{"MySQL looks at what a statement drops before it looks at what it adds: without a primary key DROP PRIMARY KEY is 1091", []string{
		"Drop primary key for table with multiple primary key columns, add smaller primary key in same statement",
	}},
	{"a VECTOR column takes fewer numbers than it may have in MySQL, whose errors are others", []string{
		"VECTOR type error conditions",
	}},
	{"LIKE without a wildcard is no comparison: characters that weigh nothing count", []string{
		"SELECT id FROM idx WHERE txt LIKE 'apple';",
	}},
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
	{"the errors and warnings are MySQL's, with its codes; a trigger may be dropped that others follow", []string{
		"drop trigger",
		"insert on duplicate key with incorrect row alias", // 1353 of the server; the suite wants the library's own error
		"Broken procedure shouldn't break other procedures",
		"create spatial index errors",
		"alter table spatial index nullable",
		"alter table spatial index with srid nullable",
		"CREATE EVENT ends_before_starts ON SCHEDULE EVERY 1 MINUTE ENDS '2006-02-10 23:59:00' DO INSERT INTO totals VALUES (1);",
		"CREATE EVENT myevent ON SCHEDULE AT CURRENT_TIMESTAMP ON COMPLETION PRESERVE DISABLE ON SLAVE DO INSERT INTO totals VALUES (100);",
		"ALTER EVENT my_event1 ON SCHEDULE AT '2006-02-10 23:59:00' ON COMPLETION NOT PRESERVE;",
	}},
	{"an error names the missing table with the schema that the program is in", []string{"creating invalid procedure doesn't error until it is called"}},
	{"MySQL takes SET DEFAULT and forbids the change; the suite expects that it is refused", []string{
		"SET DEFAULT not supported",
	}},
	{"DELETE with a list of targets fires triggers; the suite expects that it is refused", []string{
		"single trigger before single target table delete from join",
		"multiple trigger before single target table delete from join",
		"multiple trigger before multiple target table delete from join",
	}},
	{"the time of an event is an expression, in which GMS's own CAST, which the layer replaces, reads no years of two digits", []string{"EVENTs with ON SCHEDULE AT"}},
	{"TRUNCATE tells no row count, as MySQL's", []string{"Drop primary key for table with multiple primary key columns", "TRUNCATE TABLE"}},
	{"the layer's parser keeps DELETE from being run as TRUNCATE; the prepared suites parse without it", []string{
		"DELETE FROM mytable;",
		"DELETE mytable FROM mytable;",
		"foreign key that references dropped table",
		"DELETE FROM point_table;",
		"DELETE FROM line_table;",
		"DELETE FROM polygon_table;",
	}},
	{"the tables that views name are listed, as in MySQL", []string{"SELECT * FROM information_schema.view_table_usage"}},
	{"the built-in stop words are listed, as in MySQL", []string{"SELECT * from information_schema.innodb_ft_default_stopword"}},
	{"MATCH is the layer's own, which the suites do not have; tests/differential has it", []string{"aggregate function with match"}},
	{"the text of a trigger carries its database; the layer's own SHOW CREATE TRIGGER, which the suites do not have, takes it off", []string{
		"show create trigger a1", "show create trigger b1", "show create trigger test_trigger",
	}},
	{"the subquery that a comparison has is a derived table of one row, which no hint names", []string{"subqueries: scalar subquery RHS"}},
	{"a subquery without rows is a row of NULLs; MySQL has another answer where it reads no table", []string{
		"SELECT 1 FROM DUAL WHERE (null, null) <=> (select 1, 4 from dual where false)",
	}},
	{"every character set and collation is known; the suite expects that some are refused", []string{
		"Properly block using not-yet-implemented character sets/collations",
	}},
	{"the query of a view is told with its names written out, as in MySQL", []string{
		"select table_name, view_definition from information_schema.views where table_name='view1';",
		"select * from information_schema.views where table_schema = 'mydb' order by table_name",
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
	{"the notes of IF EXISTS and IF NOT EXISTS are MySQL's", []string{"SHOW WARNINGS /* 3 */", "DROP DATABASE IF EXISTS correctly works."}},
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
	{"UNIX_TIMESTAMP of a TIMESTAMP column is the layer's own function, which the suites do not have; tests/differential has it", []string{"unix_timestamp with non UTC timezone"}},
	{"TIME has no fraction unless it says so, as in MySQL", []string{"select unix_timestamp(d), substring(cast(unix_timestamp(tt) as char(128)), -6) from t;"}},
	{"CHAR drops trailing spaces, as in MySQL", []string{"select HEX(c), LENGTH(c) from ascii_test where c is not null order by c;"}},
	{"the texts of what is wrong with a stored program are MySQL's", []string{
		"Labeled BEGIN...END", "Duplicate parameter names", "Duplicate parameter names mixed casing", "DECLARE CONDITION wrong positions",
		"DECLARE CONDITION duplicate name", "SIGNAL references condition name for MySQL error code", "SIGNAL non-existent condition name",
		"DECLARE name duplicate same type", "DECLARE name duplicate different type", "Variable, condition, and cursor in invalid order",
		"FETCH non-existent cursor", "OPEN non-existent cursor", "CLOSE non-existent cursor", "CLOSE without OPEN", "OPEN repeatedly", "CLOSE repeatedly",
		"SQLEXCEPTION declare handler", "Incompatible type for parameter", "procedure must not contain CREATE TRIGGER", "event must not contain CREATE PROCEDURE",
		"triggers cannot contain or be contained in other stored routines", "issue 7458: proc params as limit values",
	}},
	{"an argument for OUT or INOUT is a variable, as in MySQL", []string{"Nested CALL in IF/ELSE branch"}},
	{"sql_mode is in MySQL's order", []string{
		"SHOW CREATE EVENT event2;", "SHOW CREATE EVENT my_event1;", "SHOW CREATE EVENT newEventName;", "information_schema.triggers create trigger definer defined",
		"information_schema.routines", "column specific tests on information_schema.routines table", "/* client b */ show create event e;",
	}},
	{"TEXT(n) is the least type that holds n characters, as in MySQL", []string{"TEXT(m) syntax support"}},
	{"a month after a DATE is a DATE, as in MySQL", []string{"Procedures with TimestampFuncExpr"}},
	{"the OK of a CALL tells of no rows matched, as in MySQL", []string{"stored procedure tests"}},
	{"SIGNAL of a warning goes on, as in MySQL", []string{"DECLARE CONDITION"}},
	{"a procedure may create a database, as in MySQL", []string{"procedure must not contain CREATE DB"}},
	{"CALL tells no insert id, as in MySQL", []string{"Parameters resolve inside of INSERT"}},
	{"LAST_INSERT_ID() in a trigger is its own, as in MySQL", []string{"non-existent procedure in trigger body"}},
	{"times of different precision that are equal match in a foreign key", []string{"datetime with foreign keys", "timestamps with foreign keys"}},
	{"the plan's costs are those of the memory engine", []string{"explain plan select count(*) from mytable"}},
	{"numbers in information_schema are unsigned, as MySQL's are", []string{
		"SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SEQ_IN_INDEX FROM information_schema.STATISTICS WHERE TABLE_NAME='parent1' ORDER BY INDEX_NAME, SEQ_IN_INDEX;",
		"SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SEQ_IN_INDEX FROM information_schema.STATISTICS WHERE TABLE_NAME='parent2' ORDER BY INDEX_NAME, SEQ_IN_INDEX;",
		"SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, SEQ_IN_INDEX, 'PRIMARY' AS PK_NAME FROM INFORMATION_SCHEMA.STATISTICS " +
			"WHERE TABLE_SCHEMA = 'mydb' AND INDEX_NAME='PRIMARY' ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX;",
		"select index_name, seq_in_index, column_name, sub_part from information_schema.statistics where table_schema = 'mydb' and table_name = 'ptable' ORDER BY INDEX_NAME",
		"SELECT seq_in_index, sub_part, index_name, index_type, CASE non_unique WHEN 0 THEN 'TRUE' ELSE 'FALSE' END AS is_unique, column_name " +
			"FROM information_schema.statistics WHERE table_schema='mydb' AND table_name='ptable' ORDER BY index_name, seq_in_index;",
		"select column_name, numeric_precision, numeric_scale from information_schema.columns where table_name='digits' order by ordinal_position;",
		"SELECT * FROM information_schema.parameters where specific_name = 'testabc'",
	}},
	{"numbers in STATISTICS are unsigned and a unique key's cardinality is the number of rows, as in MySQL", []string{
		"SELECT * FROM information_schema.statistics where table_name='t'",
	}},
	{"STATISTICS gives an expression, and no column, for a part of a functional key, as in MySQL", []string{
		"SELECT Seq_in_index, Column_name FROM information_schema.statistics WHERE table_name = 'test' AND index_name = 'idx1' ORDER BY Seq_in_index;",
	}},
	{"texts within a default's expression have their character set, and quotes in COLUMN_DEFAULT a backslash, as in MySQL", []string{
		"select table_name, column_name, column_default from information_schema.columns where table_name = 't';",
		"SELECT table_name, column_name, column_default, is_nullable FROM information_schema.columns where table_name='test_table'",
	}},
	{"COLUMNS has the lengths of TEXT in bytes, dates without a time of day and without a precision, and unsigned numbers, as in MySQL", []string{
		"column specific tests on information_schema.columns table",
	}},
	{"views have no defaults in COLUMNS", []string{"information_schema.columns for view"}},
	{"the tables of information_schema have names in upper case, as in MySQL", []string{
		"select table_name from information_schema.tables where table_schema = 'information_schema' order by table_name;",
		"select table_name from information_schema.tables where table_schema collate utf8_general_ci = 'information_schema' " +
			"and table_name collate utf8_general_ci = 'parameters'",
		"SELECT table_schema AS TABLE_CAT, NULL AS TABLE_SCHEM, table_name, CASE WHEN table_type = 'BASE TABLE' THEN CASE WHEN table_schema = 'mysql' " +
			"OR table_schema = 'performance_schema' THEN 'SYSTEM TABLE' ELSE 'TABLE' END WHEN table_type = 'TEMPORARY' THEN 'LOCAL_TEMPORARY' " +
			"ELSE table_type END AS TABLE_TYPE FROM information_schema.tables ORDER BY table_name LIMIT 1;",
	}},
	{"MySQL has plugins, a row in PARTITIONS for every table, and more character sets than one", []string{
		"SHOW PLUGINS",
		"SELECT * FROM information_schema.plugins",
		"SELECT * FROM information_schema.partitions",
		"select * from information_schema.character_sets;",
	}},
	{"AUTO_INCREMENT values are reserved for all rows of a statement, whatever values it gives itself, and not given back, as in MySQL", []string{
		"last_insert_id(default) behavior",
		"select auto_increment from information_schema.tables where table_name='auto_pk' and table_schema=database()",
	}},
	{"a foreign key without its parent table refuses a row as any other does, as in MySQL", []string{"Delayed foreign key resolution insert"}},
	{"IGNORE warns of a CHECK constraint with its own code, 3819, as MySQL does", []string{"UPDATE IGNORE with check constraints"}},
	{"RETURNING is MariaDB's; MySQL and the layer know no such word there", []string{
		"insert...returning... statements",
		"insert...returning works with after triggers",
		"insert...returning works with before triggers",
	}},
	{"the layer warns of a text that it compares with an integer, once, where it makes comparisons of its own; here GMS's are run", []string{
		"select * from test02 where pk='11.12asdf';",
	}},
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
