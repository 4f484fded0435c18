package sqllayer_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names of tables are kept as written and found in any case.
func TestNamesInAnyCase(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE Foo (id INT PRIMARY KEY)")
	c.exec("CREATE TABLE bar (id INT PRIMARY KEY)")
	c.exec("INSERT INTO fOO VALUES (1)")
	c.exec("INSERT INTO BAR VALUES (2)")
	check := func() {
		t.Helper()
		c.query("SELECT id FROM foo", "1")
		c.query("SELECT id FROM FOO", "1")
		c.query("SELECT id FROM Bar", "2")
		c.query("SHOW TABLES", "Foo", "bar")
		c.fails(1050, "CREATE TABLE foo (id INT)")
		c.fails(1050, "CREATE TABLE BAR (id INT)")
		c.fails(1146, "SELECT * FROM foobar")
		c.fails(1007, "CREATE DATABASE TEST")
	}
	check()
	b.reopen()
	c = b.session()
	check()
	c.fails(1050, "RENAME TABLE bar TO fOo")
	c.exec("RENAME TABLE foo TO fOO")
	c.query("SHOW TABLES", "bar", "fOO")
	c.exec("RENAME TABLE FOO TO foo, BAR TO BAR")
	c.query("SHOW TABLES", "BAR", "foo")
	c.exec("RENAME TABLE foo TO swap, bar TO FOO, SWAP TO BAR")
	c.query("SELECT id FROM foo", "2")
	c.query("SELECT id FROM bar", "1")
	c.exec("DROP TABLE fOo")
	c.fails(1146, "SELECT * FROM FOO")
	c.exec("CREATE TABLE foO (id INT)")
	c.query("SELECT id FROM FOO")
	c.exec("DROP DATABASE test")
	c.exec("CREATE DATABASE test")
	c.exec("USE test")
	c.fails(1146, "SELECT * FROM bar")
	c.exec("CREATE TABLE bar (id INT)")
	c.query("SHOW TABLES", "bar")
	b.check()
}

// Of two statements that create a table of one name in different cases at once, one fails.
func TestConcurrentCreate(t *testing.T) {
	b := newBench(t)
	conns := []*conn{b.session(), b.session(), b.session(), b.session()}
	for round := range 10 {
		var wg sync.WaitGroup
		made := make([]bool, len(conns))
		for i, c := range conns {
			name := []rune(fmt.Sprintf("abcd%d", round))
			name[i] -= 'a' - 'A'
			wg.Go(func() {
				_, err := c.run(context.Background(), fmt.Sprintf("CREATE TABLE %s (id INT PRIMARY KEY)", string(name)))
				made[i] = err == nil
			})
		}
		wg.Wait()
		n := 0
		for _, ok := range made {
			if ok {
				n++
			}
		}
		require.Equal(t, 1, n, "round %d: tables made", round)
		require.Len(t, conns[0].exec("SHOW TABLES"), round+1)
	}
	b.check()
}

// Who references a table, and which names of foreign keys are taken, follows every change of a
// name.
func TestForeignKeyNames(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE DATABASE other")
	c.exec("CREATE TABLE p (id INT PRIMARY KEY)")
	c.exec("CREATE TABLE p2 (id INT PRIMARY KEY)")
	c.exec("CREATE TABLE c (id INT PRIMARY KEY, p INT, CONSTRAINT Fk FOREIGN KEY (p) REFERENCES p (id))")
	c.exec("CREATE TABLE other.c (id INT PRIMARY KEY, p INT, CONSTRAINT fk FOREIGN KEY (p) REFERENCES test.p2 (id))")
	c.fails(1826, "CREATE TABLE d (id INT PRIMARY KEY, p INT, CONSTRAINT fK FOREIGN KEY (p) REFERENCES p (id))")
	err := c.fails(1701, "TRUNCATE P")
	require.Equal(t, "Cannot truncate a table referenced in a foreign key constraint (`test`.`c`, CONSTRAINT `Fk`)", err.Message)
	c.fails(1701, "TRUNCATE p2")
	c.exec("SET foreign_key_checks = 0")
	c.exec("TRUNCATE p")
	c.exec("SET foreign_key_checks = 1")
	c.exec("DROP DATABASE other")
	c.exec("TRUNCATE p2")
	c.exec("DROP TABLE c")
	c.exec("TRUNCATE p")
	c.exec("CREATE TABLE self (id INT PRIMARY KEY, p INT, CONSTRAINT FK FOREIGN KEY (p) REFERENCES self (id))")
	c.exec("TRUNCATE self")
	b.check()
}

// TestForeignKeyUnchecked: a constraint made with foreign_key_checks off costs the first
// transaction that meets it nothing, and holds from then on.
func TestForeignKeyUnchecked(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE p (id INT PRIMARY KEY)")
	c.exec("CREATE TABLE c (id INT PRIMARY KEY, p INT, KEY (p))")
	c.exec("INSERT INTO c VALUES (1, 1)")
	c.exec("SET foreign_key_checks = 0")
	c.exec("ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (p) REFERENCES p (id)")
	c.exec("CREATE TABLE early (id INT PRIMARY KEY, p INT, CONSTRAINT e FOREIGN KEY (p) REFERENCES late (id) ON DELETE CASCADE)")
	c.exec("CREATE TABLE late (id INT PRIMARY KEY)")
	c.exec("SET foreign_key_checks = 1")
	c.exec("BEGIN")
	c.exec("INSERT INTO p VALUES (2)")
	c.exec("INSERT INTO c VALUES (2, 2)")
	c.exec("INSERT INTO late VALUES (1)")
	c.exec("INSERT INTO early VALUES (1, 1)")
	c.exec("ROLLBACK")
	c.query("SELECT * FROM p, c, late, early")
	c.query("SELECT id FROM c", "1")
	c.fails(1452, "INSERT INTO c VALUES (3, 3)")
	c.fails(1452, "INSERT INTO early VALUES (3, 3)")
	c.exec("INSERT INTO late VALUES (1)")
	c.exec("INSERT INTO early VALUES (1, 1)")
	c.exec("DELETE FROM late")
	c.query("SELECT * FROM early")
	b.check()
}

// TestOldDirectory: a directory from before the rows that tell how names are written has its tables
// under the names they have.
func TestOldDirectory(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE Tall (id INT PRIMARY KEY)")
	c.exec("INSERT INTO Tall VALUES (1)")
	tx := b.eng.BeginDDL()
	require.NoError(t, b.eng.DeleteObject(context.Background(), tx, "spelling", "test", "tall"))
	require.NoError(t, b.eng.Commit(context.Background(), tx))
	b.reopen()
	c = b.session()
	c.query("SELECT id FROM Tall", "1")
	c.query("SHOW TABLES", "Tall")
	c.exec("RENAME TABLE Tall TO Taller")
	c.query("SELECT id FROM taller", "1")
	c.exec("DROP TABLE Taller")
	b.check()
}
