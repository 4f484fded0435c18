package sqllayer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows that were stored before a column was added behind the others belong to their storage: a
// partition and a table exchange them with what they read for the column, also after a restart.
func TestAddedColumnsGoWithTheirRows(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE p (id INT PRIMARY KEY, v INT) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20))")
	c.exec("INSERT INTO p VALUES (1, 1), (11, 11)")
	c.exec("CREATE TABLE y (id INT PRIMARY KEY, v INT)")
	c.exec("INSERT INTO y VALUES (7, 7)")
	c.exec("ALTER TABLE p ADD COLUMN w INT DEFAULT 5")
	c.exec("ALTER TABLE y ADD COLUMN w INT DEFAULT 6")
	c.exec("ALTER TABLE y ALTER w SET DEFAULT 5")
	c.exec("ALTER TABLE p EXCHANGE PARTITION p0 WITH TABLE y")
	c.exec("INSERT INTO p (id) VALUES (8), (12)")
	c.exec("INSERT INTO y (id) VALUES (2)")
	look := func() {
		require.Equal(t, []string{"7 6", "8 5", "11 5", "12 5"}, c.exec("SELECT CONCAT(id, ' ', w) FROM p ORDER BY id"))
		require.Equal(t, []string{"1 5", "2 5"}, c.exec("SELECT CONCAT(id, ' ', w) FROM y ORDER BY id"))
		require.Len(t, c.exec("SELECT id FROM p WHERE w = 6"), 1)
	}
	look()
	c.close()
	b.reopen()
	c = b.session()
	look()
	c.exec("ALTER TABLE p ADD KEY (w)")
	look()
	c.exec("UPDATE p SET v = 70 WHERE id = 7")
	look()
	c.exec("ALTER TABLE p FORCE")
	look()
}
