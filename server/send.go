package server

// The way of a result out of the SQL layer to the client.

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/resultset"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/trees"
)

// rowsPerBatch and bytesPerBatch are how many rows are handed to the protocol library at a time,
// and from how many bytes on they are not waited for.
const (
	rowsPerBatch  = 128
	bytesPerBatch = 1 << 20
	valueBytes    = 32 // of a value beside its text
)

// send hands a part of the result to the library.
func (x *execution) send(r *sqltypes.Result) error {
	if !x.sent && len(r.Fields) == 0 {
		x.counted = int64(r.RowsAffected)
	}
	x.sent = true
	if err := x.out(r, x.rest != ""); err != nil {
		x.lost = err
		return err
	}
	return nil
}

// sendOK runs a statement that answers with counts.
func (x *execution) sendOK(ctx *sql.Context, iter sql.RowIter) error {
	x.told = true
	row, err := iter.Next(ctx)
	if err == nil {
		if _, err = iter.Next(ctx); err == io.EOF {
			err = nil
		} else if err == nil {
			err = errors.New("a statement without result set returned two rows")
		}
	}
	if err = x.end(ctx, iter, err); err == nil {
		err = x.logUnchanged(ctx)
	}
	if err != nil {
		return err
	}
	ok, _ := row[0].(types.OkResult)
	if s, is := ctx.Session.(*sqllayer.Session); is {
		ok = s.Counts(ctx, ok)
	}
	return x.sendCounts(&sqltypes.Result{RowsAffected: ok.RowsAffected, InsertID: ok.InsertID}, okInfo(ctx, ok))
}

// sendNothing runs a statement without any result.
func (x *execution) sendNothing(ctx *sql.Context, iter sql.RowIter) error {
	x.told = true
	_, err := iter.Next(ctx)
	if err == io.EOF {
		err = nil
	}
	if err = x.end(ctx, iter, err); err == nil {
		err = x.logUnchanged(ctx)
	}
	if err != nil {
		return err
	}
	var ok types.OkResult
	if s, is := ctx.Session.(*sqllayer.Session); is {
		ok = s.Counts(ctx, ok)
	}
	return x.sendCounts(&sqltypes.Result{RowsAffected: ok.RowsAffected}, okInfo(ctx, ok))
}

// end closes the iterator of a statement that ran into err or none, which ends the statement in the
// engine, and then sets the flags.
func (x *execution) end(ctx *sql.Context, iter sql.RowIter, err error) error {
	if cerr := iter.Close(ctx); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if n, ok := x.stmt.Tree.(*ast.EndTransaction); ok {
		x.complete(n)
	}
	return x.statusFlags(ctx)
}

// complete does what COMMIT and ROLLBACK do behind the end of the transaction: AND CHAIN, RELEASE,
// completion_type.
func (x *execution) complete(n *ast.EndTransaction) {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return
	}
	usual := s.Text("completion_type")
	if n.Chain == ast.Chosen || n.Chain == ast.NoChoice && n.Release != ast.Chosen && usual == "CHAIN" {
		s.Chain()
	}
	if n.Release == ast.Chosen || n.Release == ast.NoChoice && n.Chain != ast.Chosen && usual == "RELEASE" {
		x.w.hangUp.Store(true)
	}
}

// sendRows streams a result set in batches. The last batch goes out after the statement has ended
// in the engine.
func (x *execution) sendRows(ctx *sql.Context, schema sql.Schema, iter sql.RowIter) error {
	origins := resultColumns(ctx, schema)
	if q, reads := x.stmt.Tree.(*ast.Query); reads {
		sqllayer.DescribeSeconds(ctx, q, x.stmt.Text, schema, origins)
	}
	fields := resultset.Named(resultset.Fields(ctx, schema, origins), x.stmt.Tree)
	if is[*ast.Handler](x) {
		for _, f := range fields {
			f.Database = "" // MySQL does not tell it there
		}
	}
	resultset.Bound(fields, x.shown)
	x.shown = fields
	buf := sql.ByteBufPool.Get().(*sql.ByteBuffer)
	defer func() {
		buf.Reset()
		sql.ByteBufPool.Put(buf)
	}()
	values := buf
	if x.cursor {
		values = nil
	}
	batch, err := x.pull(ctx, iter, resultset.NewWriter(schema, fields, origins, x.prep != nil), values)
	if err = x.end(ctx, iter, err); err != nil {
		return err
	}
	if len(batch) == 0 && x.sent {
		return nil
	}
	return x.send(&sqltypes.Result{Fields: fields, Rows: batch, RowsAffected: uint64(len(batch))})
}

// pull reads all rows and sends full batches; the rest is returned.
func (x *execution) pull(ctx *sql.Context, iter sql.RowIter, w *resultset.Writer, buf *sql.ByteBuffer) ([][]sqltypes.Value, error) {
	var batch [][]sqltypes.Value
	size, kept := 0, keeper(ctx)
	defer kept.Release()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, err := iter.Next(ctx)
		if err == io.EOF {
			return batch, nil
		}
		if err != nil {
			return nil, err
		}
		out, err := w.Row(ctx, row, buf)
		if err != nil {
			return nil, err
		}
		x.rows++
		batch = append(batch, out)
		for _, v := range out {
			size += len(v.Raw())
		}
		if len(batch) < rowsPerBatch && size < bytesPerBatch {
			continue
		}
		if x.cursor {
			if err := memory.OverMemory(kept.Add(int64(size + valueBytes*len(out)*len(batch)))); err != nil {
				return nil, err
			}
		}
		size = 0
		if err := x.send(&sqltypes.Result{Fields: w.Fields, Rows: batch, RowsAffected: uint64(len(batch))}); err != nil {
			return nil, err
		}
		if buf == nil {
			batch = nil
		} else {
			batch = batch[:0]
			buf.Reset()
		}
		x.w.process.setState("Sending to client")
	}
}

// statusNoBackslash is SERVER_STATUS_NO_BACKSLASH_ESCAPES: clients that write parameters into texts
// go by it.
const statusNoBackslash = 0x0200

// statusFlags tells the client whether it is in autocommit mode and in a transaction, and how its
// texts are read.
func (x *execution) statusFlags(ctx *sql.Context) error {
	v, err := ctx.GetSessionVariable(ctx, sql.AutoCommitSessionVar)
	if err != nil {
		return err
	}
	auto, err := sql.ConvertToBool(ctx, v)
	if err != nil {
		return err
	}
	flags := x.c.StatusFlags &^ (mysql.ServerStatusAutocommit | mysql.ServerInTransaction | statusReadOnly | statusNoBackslash)
	if trees.NoBackslashEscapes(ctx.Session) {
		flags |= statusNoBackslash
	}
	if auto {
		flags |= mysql.ServerStatusAutocommit
	}
	x.c.StatusFlags = flags | transactionFlags(ctx.Session, auto)
	return nil
}

// accessed tells whether the session's transaction has come to a table.
func accessed(session sql.Session) bool {
	s, ok := session.(*sqllayer.Session)
	return !ok || s.InTransaction()
}

// statusReadOnly is SERVER_STATUS_IN_TRANS_READONLY.
const statusReadOnly = 0x2000

// transactionFlags tells of the session's transaction. It begins with a statement or, without
// autocommit, with the first access to a table.
func transactionFlags(session sql.Session, auto bool) uint16 {
	tx := session.GetTransaction()
	if tx == nil || !session.GetIgnoreAutoCommit() && (auto || !accessed(session)) {
		return 0
	}
	if tx.IsReadOnly() {
		return mysql.ServerInTransaction | statusReadOnly
	}
	return mysql.ServerInTransaction
}

// resultColumns tells where the columns of the running statement's result come from.
func resultColumns(ctx *sql.Context, schema sql.Schema) []programs.ResultColumn {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return s.ResultColumns(ctx, schema)
	}
	return sqllayer.ResultColumns(ctx, nil, schema)
}
