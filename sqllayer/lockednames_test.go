package sqllayer_test

import (
	"testing"
)

// TestLockChildFirst locks a table whose parent is not there yet, as a dump does that has the child
// before its parent.
func TestLockChildFirst(t *testing.T) {
	c := newBench(t).session()
	c.exec("SET foreign_key_checks = 0")
	c.exec("CREATE TABLE achild (id INT PRIMARY KEY, p INT, KEY p (p), CONSTRAINT f FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)")
	c.exec("LOCK TABLES achild WRITE")
	c.exec("INSERT INTO achild VALUES (1, 1), (2, 1)")
	c.exec("UNLOCK TABLES")
	c.exec("CREATE TABLE parent (id INT PRIMARY KEY)")
	c.exec("LOCK TABLES parent WRITE")
	c.exec("INSERT INTO parent VALUES (1)")
	c.exec("UNLOCK TABLES")
	c.exec("SET foreign_key_checks = 1")
	c.exec("DELETE FROM parent")
	c.query("SELECT COUNT(*) FROM achild", "0")
}
