package server

import (
	"io"
	_ "unsafe" // go:linkname

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/account"
	"emberdb/server/commands"
	"emberdb/server/resultset"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// Result sets of procedures.
//
// The protocol library answers a command with one result. A CALL has as many as its procedure has
// statements with rows, and then an OK packet. Those result sets are written with the library's own
// functions, which it does not export; what the handler is called back for is the OK packet alone.

//go:linkname writeFields github.com/dolthub/vitess/go/mysql.(*Conn).writeFields
func writeFields(c *mysql.Conn, r *sqltypes.Result) error

//go:linkname writeTextRows github.com/dolthub/vitess/go/mysql.(*Conn).writeRows
func writeTextRows(c *mysql.Conn, r *sqltypes.Result) error

//go:linkname writeBinaryRows github.com/dolthub/vitess/go/mysql.(*Conn).writeBinaryRows
func writeBinaryRows(c *mysql.Conn, r *sqltypes.Result) error

//go:linkname writeEndResult github.com/dolthub/vitess/go/mysql.(*Conn).writeEndResult
func writeEndResult(c *mysql.Conn, more bool, affectedRows, lastInsertID uint64, warnings uint16) error

// serveProcedures has the procedures of the statement send their result sets to the client, if
// there is one that waits for them, and leave to the server what is its own.
func (x *execution) serveProcedures(ctx *sql.Context) {
	if s, ok := ctx.Session.(*sqllayer.Session); ok && (x.w.cmd == commands.ComQuery || x.w.cmd == commands.ComStmtExecute) {
		s.Serve(x.procedureResult, x.programText)
		s.LendQuerying(nil)
		if is[*ast.Call](x) {
			s.LendQuerying(x.queryingIn(s))
		}
	}
}

// plan begins to run a statement in the SQL layer.
func (x *execution) plan(ctx *sql.Context, query string, parsed sqlparser.Statement, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	if s, ok := ctx.Session.(*sqllayer.Session); ok && is[*ast.Call](x) && parsed == nil {
		return x.planCall(ctx, s, query, flags)
	}
	schema, iter, _, err := x.h.e.QueryWithBindings(ctx, query, parsed, x.bindings(), flags)
	return schema, iter, err
}

// programText runs a statement of a stored program, if it is an administrative one; wanted: the
// client is to have its rows.
func (x *execution) programText(ctx *sql.Context, text string, wanted bool) (served bool, stands programs.Bound, err error) {
	in := *x
	in.binds, in.prepared, in.program, in.sent = nil, nil, true, false
	if err := in.read(text, false); err != nil {
		return true, stands, err
	}
	in.out = func(r *sqltypes.Result, _ bool) error {
		if !wanted || len(r.Fields) == 0 {
			return nil
		}
		return in.sendWhole(ctx, r)
	}
	if err := in.permitted(ctx); err != nil {
		return true, stands, err
	}
	run, err := in.server(ctx)
	if err != nil {
		return true, stands, err
	}
	if run == nil {
		in.setStatement(in.query)
		if in.prepared != nil {
			if stands.Done, err = in.fresh(ctx); err != nil {
				return true, stands, err
			}
			stands.Text, stands.Values, stands.Outs = in.query, in.values, in.outs
		}
		if taken, err := x.selectText(ctx, &in, wanted); taken || err != nil {
			if stands.Done != nil {
				stands.Done()
			}
			return true, programs.Bound{Sent: taken}, err
		}
		return false, stands, in.commitAhead(ctx)
	}
	err = in.admin(ctx, run)
	x.lost, x.rows = in.lost, x.rows+in.rows
	return true, stands, err
}

// noCount is the number of warnings that the results of a procedure tell: the CALL tells it.
const noCount = 0

// sendWhole sends a result set of a procedure that goes on.
func (x *execution) sendWhole(ctx *sql.Context, r *sqltypes.Result) error {
	if x.w.caps&wire.CapMultiResults == 0 {
		return sqlerr.NewError(1312, "PROCEDURE can't return a result set in the given context")
	}
	out := &programOutput{x: x}
	if x.lost = out.send(r, false); x.lost != nil {
		return x.lost
	}
	return out.end()
}

// procedureResult sends a result set of a procedure that goes on.
func (x *execution) procedureResult(ctx *sql.Context, schema sql.Schema, columns []programs.ResultColumn, iter sql.RowIter) error {
	if x.w.caps&wire.CapMultiResults == 0 {
		return sqlerr.NewError(1312, "PROCEDURE can't return a result set in the given context")
	}
	fields := resultset.Fields(ctx, schema, columns)
	result := &sqltypes.Result{Fields: fields}
	o := &programOutput{x: x}
	w, size := resultset.NewWriter(schema, fields, columns, x.prep != nil), 0
	for {
		row, err := iter.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		out, err := w.Row(ctx, row, nil)
		if err != nil {
			return err
		}
		x.rows++
		for _, v := range out {
			size += len(v.Raw())
		}
		if result.Rows = append(result.Rows, out); len(result.Rows) < rowsPerBatch && size < bytesPerBatch {
			continue
		}
		size = 0
		if x.lost = o.send(result, false); x.lost != nil {
			return x.lost
		}
		result.Rows = nil
	}
	if x.lost = o.send(result, false); x.lost != nil {
		return x.lost
	}
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	return o.end()
}

// keepsDefiners refuses to make, rename or drop accounts that are definers of stored objects, or
// warns of them those who may leave objects without a definer: an account that is made would take
// over such objects.
func (x *execution) keepsDefiners(ctx *sql.Context, operation string, accounts ...account.Name) error {
	layer := x.h.s.layer()
	if layer == nil {
		return nil
	}
	may := x.h.s.hasAdmin(ctx, "allow_nonexistent_definer")
	for _, a := range accounts {
		kinds, err := layer.DefinedBy(ctx, trees.Role{User: a.User, Host: a.Host})
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			if !may {
				return sqlerr.NewError(4006, "Operation %s failed for '%s'@'%s' as it is referenced as a definer account in %s.", operation, a.User, a.Host, kind)
			}
			told := sqlerr.NewError(4005, "User '%s'@'%s' is referenced as a definer account in %s.", a.User, a.Host, kind)
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: told.Num, Message: told.Message})
		}
	}
	return nil
}

// signal runs a SIGNAL or RESIGNAL that stands in no program.
func (x *execution) signal(ctx *sql.Context) error {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return x.unsupported()
	}
	if err := s.Signal(ctx, x.query); err != nil {
		return err
	}
	return x.ok(ctx, 0)
}
