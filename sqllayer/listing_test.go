package sqllayer_test

import (
	"fmt"
	"testing"
)

// A transaction that has listed tables keeps nobody from changing or dropping them; one whose table
// is being changed keeps nobody from listing.
func TestListingsLockNothing(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	d.exec("SET lock_wait_timeout = 1")
	for _, query := range []string{
		"SELECT * FROM information_schema.tables", "SELECT * FROM information_schema.columns", "SELECT * FROM information_schema.statistics",
		"SELECT * FROM information_schema.key_column_usage", "SELECT * FROM information_schema.check_constraints", "SHOW TABLE STATUS", "SHOW CREATE TABLE t",
	} {
		d.exec("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT, KEY kv (v), CHECK (v > 0))")
		c.exec("BEGIN")
		c.exec(query)
		d.exec("DROP TABLE t")
		c.exec("COMMIT")
	}
	d.exec("CREATE TABLE t (id INT PRIMARY KEY)")
	d.exec("LOCK TABLES t WRITE")
	c.exec("SET lock_wait_timeout = 1")
	c.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'test'", "t")
	c.query("SELECT constraint_name FROM information_schema.key_column_usage WHERE table_schema = 'test'", "PRIMARY")
}

// What is dropped while tables are listed is not there, and no error.
func TestListingsBesideDrops(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	end := make(chan struct{})
	go func() {
		defer close(end)
		for i := range 60 {
			d.exec(fmt.Sprintf("CREATE TABLE t%d (id INT PRIMARY KEY)", i))
			d.exec(fmt.Sprintf("DROP TABLE t%d", i))
		}
	}()
	for done := false; !done; {
		select {
		case <-end:
			done = true
		default:
		}
		c.query("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'none'", "0")
		c.query("SELECT COUNT(*) FROM information_schema.key_column_usage WHERE table_schema = 'none'", "0")
	}
}
