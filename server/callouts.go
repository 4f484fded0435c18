package server

// Parameters of a prepared CALL that are OUT or INOUT arguments. The variables behind the USING of
// EXECUTE take their values. A client of COM_STMT_EXECUTE gets them as one more result set of one
// row, before the OK packet of the CALL, if it takes several results.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/resultset"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
)

// statusOutParams says that a result set has the values of OUT parameters.
const statusOutParams = 0x1000

// outVariables are the variables of EXECUTE.
func outVariables(n *ast.Execute) programs.Outs {
	outs := make(programs.Outs, len(n.Vars))
	for i, v := range n.Vars {
		name := strings.ToLower(v.Name.Name)
		outs[fmt.Sprintf("v%d", i+1)] = func(ctx *sql.Context, c *sql.Column, v any) error {
			return ctx.SetUserVariable(ctx, name, v, c.Type)
		}
	}
	return outs
}

// outRow collects the values for the client.
type outRow struct {
	schema sql.Schema
	row    sql.Row
}

func (o *outRow) take(_ *sql.Context, c *sql.Column, v any) error {
	o.schema, o.row = append(o.schema, c), append(o.row, v)
	return nil
}

// planCall runs a CALL.
func (x *execution) planCall(ctx *sql.Context, s *sqllayer.Session, query string, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	outs, sent, binds := x.outs, outRow{}, x.bindings()
	if x.prep != nil {
		outs = make(programs.Outs, len(binds))
		for name := range binds {
			outs[name] = sent.take
		}
	}
	schema, iter, mine, err := s.Call(ctx, query, binds, outs)
	if !mine && err == nil {
		schema, iter, _, err = x.h.e.QueryWithBindings(ctx, query, nil, binds, flags)
		s.EndCall()
	}
	if err == nil && len(sent.row) > 0 && x.w.caps&wire.CapPSMultiResults != 0 {
		err = x.sendOuts(ctx, &sent)
	}
	return schema, iter, err
}

// sendOuts sends the values of OUT parameters. Its status tells the client what they are where the
// client reads it first: behind the columns, or at the end if nothing stands there.
func (x *execution) sendOuts(ctx *sql.Context, o *outRow) error {
	columns := make([]programs.ResultColumn, len(o.schema))
	for i, c := range o.schema {
		columns[i] = programs.ResultColumn{Table: c.Source, OrgTable: c.Source, OrgName: c.Name, Base: c, Nullable: true}
	}
	fields := resultset.Fields(ctx, o.schema, columns)
	row, err := resultset.NewWriter(o.schema, fields, columns, true).Row(ctx, o.row, nil)
	if err != nil {
		return err
	}
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	result := &sqltypes.Result{Fields: fields, Rows: [][]sqltypes.Value{row}}
	flags := x.c.StatusFlags
	defer func() { x.c.StatusFlags = flags }()
	x.c.StatusFlags |= statusOutParams | mysql.ServerMoreResultsExists
	if x.lost = writeFields(x.c, result); x.lost == nil {
		x.lost = writeBinaryRows(x.c, result)
	}
	if x.w.caps&wire.CapDeprecateEOF == 0 {
		x.c.StatusFlags = flags
	}
	if x.lost == nil {
		x.lost = writeEndResult(x.c, false, 0, 0, noCount)
	}
	return x.lost
}
