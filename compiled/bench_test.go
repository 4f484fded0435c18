package compiled_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/sirupsen/logrus"
	"github.com/stretchr/testify/require"

	"emberdb/compiled"
	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
)

func TestMain(m *testing.M) {
	logrus.SetLevel(logrus.FatalLevel)
	variables.InitSystemVariables()
	sql.SystemVariables.AddSystemVariables([]sql.SystemVariable{&sql.MysqlSystemVariable{
		Name: "innodb_lock_wait_timeout", Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both), Dynamic: true,
		Type: types.NewSystemIntType("innodb_lock_wait_timeout", 1, 1073741824, false), Default: int64(50),
	}})
	os.Exit(m.Run())
}

// bench is a session of a layer over an engine in memory.
type bench struct {
	t testing.TB
	s *sqllayer.Session
	c *sql.Context
}

func newBench(t testing.TB) *bench {
	eng, err := engine.Open(engine.Options{FS: vfs.NewMem(1), DataDir: "/d", PoolBytes: 4096 * base.PageSize, RedoCapacity: 16 << 20, RedoSegment: 1 << 20,
		FlushLogAtCommit: 1, TableCache: 100, LockWaitTimeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { eng.Close(false) })
	layer, err := planner.New(eng, sqllayer.Options{})
	require.NoError(t, err)
	b := &bench{t: t, s: layer.NewInternalSession()}
	b.c = sql.NewContext(context.Background(), sql.WithSession(b.s))
	b.exec("CREATE DATABASE test")
	b.s.SetCurrentDatabase("test")
	return b
}

func (b *bench) exec(query string) {
	require.NoError(b.t, b.s.CommandBegin())
	sctx := sql.NewContext(context.Background(), sql.WithSession(b.s), sql.WithQuery(query))
	_, iter, _, err := b.s.Layer().Engine.Query(sctx, query)
	require.NoError(b.t, err)
	for err != io.EOF {
		_, err = iter.Next(sctx)
		if err != io.EOF {
			require.NoError(b.t, err)
		}
	}
	require.NoError(b.t, iter.Close(sctx))
	b.s.CommandEnd()
	b.s.FinishStatement(nil)
}

// run executes a prepared statement n times; the parameters are its execution's number.
func (b *bench) run(text string, fields []*querypb.Field, params int, n int) (bytes int) {
	p, _ := compiled.Compile(b.c, &compiled.Source{Session: b.s, Database: "test", Options: sql.LoadSqlMode(b.c).ParserOptions(), Text: text, Fields: fields})
	require.NotNil(b.t, p)
	x := new(compiled.Exec)
	out := &compiled.Out{Binary: true, DeprecateEOF: true, Flush: func(data []byte) error { bytes += len(data); return nil }}
	args := make([]compiled.Param, params)
	for i := range n {
		for a := range args {
			args[a] = compiled.Param{Kind: compiled.KindInt, N: uint64(1 + (i+a)%1000)}
		}
		out.Reset()
		why, err := x.Run(context.Background(), b.c, b.s, p, args, nil, out)
		if why != compiled.Mine || err != nil {
			require.Equal(b.t, compiled.Mine, why)
			require.NoError(b.t, err)
		}
		out.EndRows(0)
		if err := out.Finish(); err != nil {
			require.NoError(b.t, err)
		}
	}
	return bytes
}

func (b *bench) fill() {
	b.exec("CREATE TABLE t (id INT NOT NULL PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, KEY k (k))")
	for i := range 10 {
		q := "INSERT INTO t VALUES "
		for n := range 100 {
			if n > 0 {
				q += ", "
			}
			q += fmt.Sprintf("(%d, %d, 'some text of row %d')", i*100+n+1, n, n)
		}
		b.exec(q)
	}
}

var (
	textField = []*querypb.Field{{Name: "c", OrgName: "c", Table: "t", OrgTable: "t", Type: sqltypes.Char, Charset: 255}}
	sumField  = []*querypb.Field{{Name: "SUM(k)", Type: sqltypes.Decimal}}
)

// measure runs a prepared statement on a filled table.
func measure(b *testing.B, text string, fields []*querypb.Field, params int) {
	w := newBench(b)
	w.fill()
	b.ReportAllocs()
	b.ResetTimer()
	w.run(text, fields, params, b.N)
}

// What a prepared point read allocates is the transaction's, none of it the statement's.
func BenchmarkPointRead(b *testing.B) {
	measure(b, "SELECT c FROM t WHERE id = :v1", textField, 1)
}

func BenchmarkFormula(b *testing.B) {
	measure(b, "SELECT c FROM t WHERE id = :v1 AND LENGTH(c) > :v2", textField, 2)
}

func BenchmarkSum(b *testing.B) {
	measure(b, "SELECT SUM(k) FROM t WHERE id >= :v1", sumField, 1)
}

// What it costs to compile a statement that comes for the first time.
func BenchmarkCompile(b *testing.B) {
	w := newBench(b)
	w.fill()
	for _, text := range []string{"UPDATE t SET k = k + 1 WHERE id > 5", "DELETE FROM t WHERE id > 5", "UPDATE t SET c = CONCAT(c, 'x') WHERE id > 5"} {
		b.Run(text, func(b *testing.B) {
			var s compiled.Scanner
			for range b.N {
				key, _, ok := s.Scan(nil, []byte(text))
				require.True(b, ok)
				p, _ := compiled.Compile(b.Context(), &compiled.Source{Session: w.s, Database: "test", Options: sql.LoadSqlMode(w.c).ParserOptions(), Text: text, Key: string(key)})
				require.NotNil(b, p)
			}
		})
	}
}

func BenchmarkJoin(b *testing.B) {
	measure(b, "SELECT b.c FROM t AS a JOIN t AS b ON b.id = a.k WHERE a.id = :v1", textField, 1)
}
