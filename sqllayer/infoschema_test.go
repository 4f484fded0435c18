package sqllayer_test

import (
	"fmt"
	"testing"
)

// Whatever lists the tables of a schema knows them all, also where GMS asks for them while it
// plans: in information_schema.COLUMNS, however a statement comes by it.
func TestTablesAreListed(t *testing.T) {
	c := newBench(t).session()
	c.exec("CREATE TABLE p (id INT PRIMARY KEY, v VARCHAR(20) DEFAULT 'x', KEY kv (v))")
	c.exec("CREATE TABLE c (id INT PRIMARY KEY, p INT, CONSTRAINT fk FOREIGN KEY (p) REFERENCES p (id), CONSTRAINT ck CHECK (id > 0))")
	c.exec("CREATE VIEW w AS SELECT id AS one FROM p")
	for table, want := range map[string]string{
		"tables": "3", "columns": "5", "statistics": "4",
	} {
		c.query(fmt.Sprintf("SELECT COUNT(*) FROM information_schema.%s WHERE table_schema = 'test'", table), want)
	}
	for table, want := range map[string]string{
		"table_constraints": "4", "key_column_usage": "3", "referential_constraints": "1", "check_constraints": "1",
	} {
		c.query(fmt.Sprintf("SELECT COUNT(*) FROM information_schema.%s WHERE constraint_schema = 'test'", table), want)
	}

	columns := "SELECT table_name, column_name, column_default FROM information_schema.columns WHERE table_schema = 'test' ORDER BY table_name, ordinal_position"
	want := []string{"c,id,NULL", "c,p,NULL", "p,id,NULL", "p,v,x", "w,one,NULL"}
	c.query(columns, want...)
	c.query("SELECT * FROM ("+columns+") AS s", want...)
	c.exec("PREPARE s FROM 'SELECT COUNT(*) FROM INFORMATION_SCHEMA.Columns WHERE table_schema = DATABASE()'")
	c.query("EXECUTE s", "5")
	c.exec("CREATE PROCEDURE pr() SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'test'")
	c.query("CALL pr()", "5")
	c.exec("CREATE TABLE made AS SELECT table_name AS t FROM information_schema.columns WHERE table_schema = 'test'")
	c.query("SELECT COUNT(*) FROM made WHERE t IN ('c', 'p', 'w')", "5")
	c.exec("CREATE VIEW cols AS SELECT table_name AS t FROM information_schema.columns WHERE table_schema = 'test'")
	c.query("SELECT COUNT(*) FROM cols WHERE t IN ('c', 'p', 'w')", "5")

	c.query("SHOW TABLES", "c", "cols", "made", "p", "w")
	c.query("SHOW FULL TABLES", "c,BASE TABLE", "cols,VIEW", "made,BASE TABLE", "p,BASE TABLE", "w,VIEW")
}
