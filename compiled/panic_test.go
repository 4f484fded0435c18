package compiled

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
)

// TestPanicLeavesNoLocks breaks a program so that it panics at its second row, after it has changed
// and locked the first. The session and its transaction go on as if the statement had not been; the
// locks of autocommit are gone.
func TestPanicLeavesNoLocks(t *testing.T) {
	eng, err := engine.Open(engine.Options{FS: vfs.NewMem(1), DataDir: "/d", PoolBytes: 1024 * base.PageSize, RedoCapacity: 16 << 20, RedoSegment: 1 << 20,
		FlushLogAtCommit: 1, TableCache: 100, LockWaitTimeout: time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { eng.Close(false) })
	layer, err := planner.New(eng, sqllayer.Options{})
	require.NoError(t, err)
	broken, other := layer.NewInternalSession(), layer.NewInternalSession()
	query(t, broken, "CREATE DATABASE test")
	broken.SetCurrentDatabase("test")
	other.SetCurrentDatabase("test")
	query(t, broken, "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, k INT NOT NULL, n INT NOT NULL)")
	query(t, broken, "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)")

	ctx := sql.NewContext(context.Background(), sql.WithSession(broken))
	p, _ := Compile(ctx, &Source{Session: broken, Database: "test", Options: sql.LoadSqlMode(ctx).ParserOptions(), Text: "UPDATE t SET n = n + 1 WHERE k = 1 OR k = 2"})
	require.NotNil(t, p)
	var ended atomic.Uint32
	ended.Store(1)
	gone, _ := Compile(ctx, &Source{Session: broken, Database: "test", Options: sql.LoadSqlMode(ctx).ParserOptions(), Text: "UPDATE t SET n = n + 1 WHERE k = 1 OR k = 2", Ended: &ended})
	require.Nil(t, gone, "nobody waits for it")
	x, out := new(Exec), &Out{Flush: func([]byte) error { return nil }}
	run := func() (why Reason, err error) {
		out.Reset()
		why, err = x.Run(context.Background(), ctx, broken, p, nil, nil, out)
		return why, err
	}
	for _, begin := range []bool{false, true} {
		if begin {
			query(t, broken, "BEGIN")
			query(t, broken, "UPDATE t SET k = k + 10 WHERE id = 2")
		}
		why, err := run() // makes what is broken below
		require.NoError(t, err)
		require.Equal(t, Mine, why)
		whole := x.bound.exprs
		x.bound.exprs = []sql.Expression{&failing{Expression: whole[0]}}
		require.PanicsWithValue(t, "broken", func() { _, _ = run() })
		x.bound.exprs = whole
		if begin {
			require.NotNil(t, broken.GetTransaction(), "the transaction goes on")
			query(t, broken, "ROLLBACK")
		}
		query(t, other, "UPDATE t SET n = n + 100 WHERE id IN (1, 2)") // waits for no lock
	}
	// Once by the sound run outside a transaction, twice by the other session.
	require.Equal(t, []sql.Row{{int32(1), int32(1), int32(202)}, {int32(2), int32(2), int32(203)}}, query(t, other, "SELECT * FROM t ORDER BY id"))
}

// failing is an expression that panics at its second evaluation.
type failing struct {
	sql.Expression
	n int
}

// Eval implements sql.Expression.
func (f *failing) Eval(ctx *sql.Context, r sql.Row) (any, error) {
	if f.n++; f.n == 2 {
		panic("broken")
	}
	return f.Expression.Eval(ctx, r)
}

func query(t *testing.T, s *sqllayer.Session, text string) (rows []sql.Row) {
	require.NoError(t, s.CommandBegin())
	ctx := sql.NewContext(context.Background(), sql.WithSession(s), sql.WithQuery(text))
	_, iter, _, err := s.Layer().Engine.Query(ctx, text)
	require.NoError(t, err, text)
	for {
		r, err := iter.Next(ctx)
		if err == io.EOF {
			break
		}
		require.NoError(t, err, text)
		rows = append(rows, r)
	}
	require.NoError(t, iter.Close(ctx))
	s.CommandEnd()
	s.FinishStatement(nil)
	return rows
}
