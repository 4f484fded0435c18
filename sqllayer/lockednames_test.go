package sqllayer

import (
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sql/parse"
	"emberdb/sqllayer/lower"
)

// TestLockTablesRead: LOCK TABLES is read with aliases, with TABLE for TABLES, and with statements
// behind it.
func TestLockTablesRead(t *testing.T) {
	for query, want := range map[string]struct {
		tables string
		rest   string
	}{
		"LOCK TABLES t READ":                                 {"t READ", ""},
		"LOCK TABLE t x WRITE":                               {"t AS x WRITE", ""},
		"lock table a.t AS x READ LOCAL, `u` y WRITE;":       {"a.t AS x READ LOCAL, u AS y WRITE", ""},
		"LOCK TABLES t READ; UNLOCK TABLES; SELECT 1 FROM t": {"t READ", " UNLOCK TABLES; SELECT 1 FROM t"},
	} {
		r, err := lowered(query, parse.Options{Multi: true}, lower.Options{})
		require.NoError(t, err)
		require.NotNil(t, r, query)
		got := ""
		for i, l := range r.stmt.(*ast.LockTables).Tables {
			if i > 0 {
				got += ", "
			}
			e := l.Table.(*ast.AliasedTableExpr)
			if got += ast.String(e.Expr); !e.As.IsEmpty() {
				got += " AS " + e.As.String()
			}
			got += map[ast.LockType]string{ast.LockRead: " READ", ast.LockReadLocal: " READ LOCAL", ast.LockWrite: " WRITE"}[l.Lock]
		}
		require.Equal(t, want.tables, got)
		require.Equal(t, want.rest, r.rest)
	}
}

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
