package server

import (
	"testing"

	gmssql "github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

// panicking adds functions that panic: while a statement is planned, and when it has come to a row
// with a value over 1.
type panicking struct{ gmssql.FunctionProvider }

func init() { analyzer.ExternalFunctionProvider = panicking{analyzer.ExternalFunctionProvider} }

// Function implements sql.FunctionProvider.
func (p panicking) Function(ctx *gmssql.Context, schema, name string) (gmssql.Function, bool) {
	switch name {
	case "panics_planned":
		return gmssql.Function1{Name: name, Fn: func(*gmssql.Context, gmssql.Expression) gmssql.Expression { panic("planned") }}, true
	case "panics_run":
		return gmssql.Function1{Name: name, Fn: func(_ *gmssql.Context, e gmssql.Expression) gmssql.Expression {
			return &panicsOver{expression.UnaryExpressionStub{Child: e}}
		}}, true
	}
	return p.FunctionProvider.Function(ctx, schema, name)
}

type panicsOver struct{ expression.UnaryExpressionStub }

func (p *panicsOver) String() string                   { return "panics_run(" + p.Child.String() + ")" }
func (p *panicsOver) Type(*gmssql.Context) gmssql.Type { return types.Int64 }
func (p *panicsOver) CollationCoercibility(*gmssql.Context) (gmssql.CollationID, byte) {
	return gmssql.Collation_binary, 5
}

func (p *panicsOver) WithChildren(_ *gmssql.Context, children ...gmssql.Expression) (gmssql.Expression, error) {
	return &panicsOver{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

func (p *panicsOver) Eval(ctx *gmssql.Context, row gmssql.Row) (any, error) {
	v, err := p.Child.Eval(ctx, row)
	if n, ok := v.(int32); ok && n > 1 {
		var none []int
		return none[n], nil
	}
	return v, err
}

// TestPanicIsOneError runs statements that panic while they are planned and while they run, on one
// connection: each is one error and one line in the log, the connection and its transaction go on,
// the statement's changes are gone, and another session waits for none of its locks.
func TestPanicIsOneError(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	pool := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, pool, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY, b INT); INSERT INTO d.t VALUES (1, 0), (2, 0)")
	pool = ts.openDB("root", "", "d", "")
	ctx := t.Context()
	c, err := pool.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	other := ts.openDB("root", "", "d", "")
	id := rows(t, c, "SELECT CONNECTION_ID()")
	exec(t, c, "SET innodb_lock_wait_timeout = 1")
	exec(t, other, "SET GLOBAL innodb_lock_wait_timeout = 1")
	statements := []string{
		"SELECT panics_planned(1)",
		"SELECT panics_run(a) FROM t ORDER BY a",
		"SELECT a FROM t WHERE panics_run(a) = 1 FOR UPDATE",
		"UPDATE t SET b = 5 + panics_run(a)",
		"INSERT INTO t SELECT a + 10, panics_run(a) FROM t",
		"DELETE FROM t WHERE panics_run(a) > 0",
		"CREATE TABLE made SELECT panics_run(a) FROM t",
		"SET @x = (SELECT MAX(panics_run(a)) FROM t)",
	}
	for _, query := range statements {
		for _, inside := range []bool{false, true} {
			if inside {
				exec(t, c, "BEGIN")
				exec(t, c, "INSERT INTO t VALUES (7, 7)")
			}
			_, err := tryRows(c, query)
			requireCode(t, err, 1815, "HY000")
			require.Equal(t, id, rows(t, c, "SELECT CONNECTION_ID()"), query)
			if inside && query[:6] != "CREATE" {
				require.Len(t, rows(t, c, "SELECT * FROM t"), 3, query)
				exec(t, c, "ROLLBACK")
			}
			exec(t, other, "DELETE FROM t WHERE a = 7")
			exec(t, other, "UPDATE t SET b = b + 1")
			exec(t, other, "ALTER TABLE t COMMENT 'no metadata lock'")
		}
	}
	_, err = c.PrepareContext(ctx, "SELECT panics_planned(?)")
	requireCode(t, err, 1815, "HY000")
	require.Equal(t, id, rows(t, c, "SELECT CONNECTION_ID()"))
	require.Len(t, rows(t, c, "SELECT * FROM t WHERE a IN (1, 2)"), 2)
	log := ts.logs.String()
	require.Contains(t, log, "panicsOver")
	require.NotContains(t, log, "goroutine ")
}
