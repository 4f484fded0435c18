package trees

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
		r, err := Lowered(query, parse.Options{Multi: true}, lower.Options{})
		require.NoError(t, err)
		require.NotNil(t, r, query)
		got := ""
		for i, l := range r.Stmt.(*ast.LockTables).Tables {
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
		require.Equal(t, want.rest, r.Rest)
	}
}
