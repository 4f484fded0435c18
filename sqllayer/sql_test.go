package sqllayer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
	"emberdb/sqllayer/sqlerr"
)

// bench is an engine on the memory file system with GMS on top.
type bench struct {
	t     testing.TB
	fs    vfs.FS
	eng   *engine.Engine
	layer *sqllayer.Layer
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, fs: vfs.NewMem(1)}
	b.open()
	t.Cleanup(func() { b.eng.Close(false) })
	s := b.session()
	s.exec("CREATE DATABASE test")
	s.close()
	return b
}

func (b *bench) open() {
	eng, err := engine.Open(engine.Options{FS: b.fs, DataDir: "/d", PoolBytes: 1024 * base.PageSize, RedoCapacity: 16 << 20, RedoSegment: 1 << 20,
		FlushLogAtCommit: 1, TableCache: 1, LockWaitTimeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(b.t, err)
	layer, err := planner.New(eng, sqllayer.Options{})
	require.NoError(b.t, err)
	b.eng, b.layer = eng, layer
}

// reopen closes and opens the engine.
func (b *bench) reopen() {
	require.NoError(b.t, b.eng.Close(false))
	b.open()
}

// conn is a client.
type conn struct {
	b *bench
	s *sqllayer.Session
}

func (b *bench) session() *conn {
	s := b.layer.NewInternalSession()
	c := &conn{b, s}
	s.SetCurrentDatabase("test")
	return c
}

func (c *conn) close() { c.s.SessionEnd() }

// run executes a statement as the server does and returns its rows as text.
func (c *conn) run(ctx context.Context, query string) (out []string, err error) {
	if err := c.s.CommandBegin(); err != nil {
		return nil, err
	}
	defer func() {
		c.s.CommandEnd()
		c.s.FinishStatement(err)
		if err != nil {
			err = sqlerr.Translate(err, c.s.GetCurrentDatabase())
		}
	}()
	sctx := sql.NewContext(ctx, sql.WithSession(c.s), sql.WithQuery(query))
	schema, iter, _, err := c.b.layer.Engine.Query(sctx, query)
	if sql.ErrSyntaxError.Is(err) {
		if _, _, _, known := c.b.layer.Engine.Parser.Parse(sctx, query, false); errors.As(known, new(*mysql.SQLError)) {
			err = known // the layer's parser looks at more than syntax
		}
	}
	if err != nil {
		return nil, err
	}
	for {
		row, err := iter.Next(sctx)
		if err == io.EOF {
			return out, iter.Close(sctx)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, rowText(sctx, schema, row))
	}
}

func rowText(ctx *sql.Context, schema sql.Schema, row sql.Row) string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = "NULL"
		if v == nil {
			continue
		}
		if i < len(schema) {
			if text, err := schema[i].Type.SQL(ctx, nil, v); err == nil {
				cells[i] = text.ToString()
				continue
			}
		}
		cells[i] = fmt.Sprint(v)
	}
	return strings.Join(cells, ",")
}

func (c *conn) exec(query string) []string {
	c.b.t.Helper()
	out, err := c.run(context.Background(), query)
	require.NoError(c.b.t, err, query)
	return out
}

func (c *conn) query(query string, want ...string) {
	c.b.t.Helper()
	out := c.exec(query)
	if len(want) == 0 {
		require.Empty(c.b.t, out, query)
		return
	}
	require.Equal(c.b.t, want, out, query)
}

// fails expects an error with this code.
func (c *conn) fails(code int, query string) *mysql.SQLError {
	c.b.t.Helper()
	_, err := c.run(context.Background(), query)
	require.Error(c.b.t, err, query)
	e := sqlerr.Translate(err, "test")
	require.Equal(c.b.t, code, e.Num, "%s: %s", query, e.Message)
	return e
}

func TestRowsAndTransactions(t *testing.T) {
	b := newBench(t)
	c, d := b.session(), b.session()
	c.exec("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), n DECIMAL(10,2))")
	c.exec("INSERT INTO t VALUES (1,'one',1.10),(2,'two',NULL),(3,'three',-3.5)")
	c.query("SELECT * FROM t ORDER BY id", "1,one,1.10", "2,two,NULL", "3,three,-3.50")
	c.query("SELECT v FROM t WHERE id = 2", "two")
	c.query("SELECT id FROM t WHERE id > 1 ORDER BY id DESC", "3", "2")
	c.exec("UPDATE t SET v = 'zwei' WHERE id = 2")
	c.exec("DELETE FROM t WHERE id = 3")
	d.query("SELECT id, v FROM t", "1,one", "2,zwei")

	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (4,'four',0)")
	d.query("SELECT COUNT(*) FROM t", "2")
	c.query("SELECT COUNT(*) FROM t", "3")
	c.exec("SAVEPOINT a")
	c.exec("UPDATE t SET n = 9")
	c.exec("ROLLBACK TO a")
	c.query("SELECT COUNT(*) FROM t WHERE n = 9", "0")
	c.fails(1305, "ROLLBACK TO b")
	c.exec("COMMIT")
	d.query("SELECT COUNT(*) FROM t", "3")

	e := c.fails(1062, "INSERT INTO t VALUES (5,'five',0),(1,'again',0)")
	require.Equal(t, "Duplicate entry '1' for key 't.PRIMARY'", e.Message)
	require.Equal(t, "23000", e.State)
	c.query("SELECT COUNT(*) FROM t", "3")

	c.exec("BEGIN")
	c.exec("INSERT INTO t VALUES (6,'six',0)")
	c.fails(1062, "INSERT INTO t VALUES (7,'seven',0),(1,'again',0)")
	c.query("SELECT id FROM t", "1", "2", "4", "6")
	c.exec("ROLLBACK")
	c.query("SELECT id FROM t", "1", "2", "4")

	b.reopen()
	c = b.session()
	c.query("SELECT id, v FROM t", "1,one", "2,zwei", "4,four")
}

var ctxBackground = context.Background()

func itoa(n int) string { return fmt.Sprint(n) }

func (c *conn) context() *sql.Context {
	return sql.NewContext(ctxBackground, sql.WithSession(c.s))
}

func qualifier(db, table, index string) sql.StatQualifier {
	return sql.NewStatQualifier(db, "", table, index)
}
