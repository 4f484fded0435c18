package server

// Queries of procedures and events by the executor. A query whose rows the client is to have is an
// execution of its own, whose result set stands before the end of the CALL; the rows of others are
// given in the library's form.

import (
	"reflect"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	gms "github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/plan"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/memory"
)

// queryingIn runs queries of the programs that the statement calls.
func (x *execution) queryingIn(s *sqllayer.Session) sqllayer.Querying {
	return func(ctx *sql.Context, q *sqllayer.ProgramQuery) (*sqllayer.ProgramRows, error) {
		return x.programQuery(ctx, s, q)
	}
}

// programQuery runs a query of a stored program; nil: it is the library's.
func (x *execution) programQuery(ctx *sql.Context, s *sqllayer.Session, q *sqllayer.ProgramQuery) (*sqllayer.ProgramRows, error) {
	mode := strings.ToUpper(s.Text("ember_executor"))
	if mode != "ON" && mode != "ALL" || ofConstants(q.Tree) {
		return nil, nil
	}
	if q.Send && x.w.caps&wire.CapMultiResults == 0 {
		return nil, nil // the library's way tells
	}
	in, short := x.inProgram(q), mode == "ALL" || q.Tried
	if q.Send {
		taken, err := x.sendQuery(ctx, in, s, q.Tree, short)
		if err != nil || !taken {
			return nil, err
		}
		return &sqllayer.ProgramRows{RowIter: sql.RowsToRowIter(), Sent: true}, nil
	}
	in.collect = &collectedRows{most: q.Most}
	if taken, err := in.tallied(in.execute(ctx, s, q.Tree, short)); err != nil || !taken {
		in.collect.kept.Release()
		return nil, err
	}
	rows := &memory.RetainedIter{RowIter: sql.RowsToRowIter(in.collect.rows...), Kept: in.collect.kept}
	return &sqllayer.ProgramRows{RowIter: rows, Schema: in.collect.schema}, nil
}

// inProgram is the execution of a query of a stored program.
func (x *execution) inProgram(q *sqllayer.ProgramQuery) *execution {
	in, stmt := *x, *x.stmt
	stmt.Text, stmt.Params = q.Text, 0
	in.stmt, in.binds, in.values, in.prepared = &stmt, nil, nil, nil
	in.program, in.sent, in.rows, in.local = true, false, 0, localValues(q)
	return &in
}

// selectText runs the SELECT that a procedure has as a text, if it is the executor's; its rows are
// wanted by the client.
func (x *execution) selectText(ctx *sql.Context, in *execution, wanted bool) (taken bool, err error) {
	s, ok := ctx.Session.(*sqllayer.Session)
	q, selects := in.stmt.Tree.(*ast.Query)
	if !ok || !selects || q.Into != nil || !wanted || x.w.caps&wire.CapMultiResults == 0 || ofConstants(q) || s.Text("ember_executor") == "OFF" {
		return false, nil
	}
	return x.sendQuery(ctx.WithQuery(in.query), in, s, q, true)
}

// sendQuery runs a query of a procedure, whose execution is in, and sends its result set.
func (x *execution) sendQuery(ctx *sql.Context, in *execution, s *sqllayer.Session, q *ast.Query, short bool) (taken bool, err error) {
	out := &programOutput{x: x}
	in.out, in.rows = out.send, 0
	taken, err = in.tallied(in.execute(ctx, s, q, short))
	x.lost, x.rows = in.lost, x.rows+in.rows
	if err == nil && taken {
		err = out.end()
	}
	return taken, err
}

// programOutput sends the result set of a procedure that goes on.
type programOutput struct {
	x     *execution
	begun bool
}

// send sends rows, and how they are described in front of the first ones.
func (o *programOutput) send(r *sqltypes.Result, _ bool) error {
	if !o.begun {
		o.begun = true
		if err := writeFields(o.x.c, r); err != nil {
			return err
		}
	}
	if o.x.prep != nil {
		return writeBinaryRows(o.x.c, r)
	}
	return writeTextRows(o.x.c, r)
}

func (o *programOutput) end() error {
	o.x.lost = writeEndResult(o.x.c, true, 0, 0, noCount)
	return o.x.lost
}

// collectedRows are rows in the library's form.
type collectedRows struct {
	schema sql.Schema
	types  []types.Type
	whole  []bool // by column: it has more digits than it shows
	plain  bool   // user variables take them, which have numbers and texts
	texts  []bool // by column: it becomes one of these texts
	most   int    // rows that are wanted; 0: all
	rows   []sql.Row
	kept   memory.Kept // what the rows take
}

// begin refuses columns that the library does not know.
func (r *collectedRows) begin(q *bind.Query) error {
	r.whole = q.Averages()
	for i := range q.Items {
		t := q.Items[i].Described()
		own, err := library.TypeOf(t)
		text := r.plain && (t.Kind == types.Enum || t.Kind.Temporal() || t.Document())
		if text {
			own, err = gms.CreateLongText(sql.Collation_Default), nil
		} else if r.plain && t.Wire == types.WireYear {
			own = gms.Uint64
		} else if r.plain && t.Kind == types.Null {
			own = gms.LongBlob
		}
		if err != nil {
			return err
		}
		r.types, r.texts = append(r.types, t), append(r.texts, text)
		r.schema = append(r.schema, &sql.Column{Name: q.Items[i].Name, Type: own, Nullable: true})
	}
	return nil
}

// run implements executed.
func (r *collectedRows) run(ctx *sql.Context, c *executor.Ctx, p *plan.Plan) error {
	defer p.Root.Close(c)
	r.kept = memory.Keep(ctx)
	if err := p.Root.Open(c); err != nil {
		return err
	}
	for {
		b, err := p.Root.Next(c)
		if err == nil {
			err = ctx.Err()
		}
		if b == nil || err != nil {
			return err
		}
		for i := range b.N {
			if err := r.add(b, i); err != nil {
				return err
			}
			if len(r.rows) == r.most {
				return nil
			}
		}
	}
}

// add keeps the i-th row of a batch.
func (r *collectedRows) add(b *types.Batch, i int) (err error) {
	row := make(sql.Row, len(r.types))
	for k, v := range b.Cols {
		t := r.types[k]
		if r.whole[k] && t.Kind == types.Decimal {
			t.Scale = uint8(v.Scale)
		}
		if row[k], err = r.value(k, &t, v, i); err != nil {
			return err
		}
	}
	r.rows = append(r.rows, row)
	return r.kept.Add(memory.RowSize(row))
}

// value is the i-th value of a column.
func (r *collectedRows) value(column int, t *types.Type, v *types.Vec, i int) (any, error) {
	switch {
	case v.Kind == types.Null || v.IsNull(i):
		return nil, nil
	case r.texts[column]:
		b, err := types.AppendText(nil, t, v, i)
		return string(b), err
	case r.plain && t.Wire == types.WireYear:
		return uint64(v.I[i]), nil
	}
	return library.Value(t, v, i)
}

// end implements executed.
func (r *collectedRows) end(_ *sql.Context, s *sqllayer.Session) error {
	s.GetLastQueryInfo().FoundRows.Store(int64(len(r.rows)))
	return nil
}

// localValues gives the variables of a program as constants.
func localValues(q *sqllayer.ProgramQuery) func(name string) (fn.Expr, error) {
	return func(name string) (fn.Expr, error) {
		v, t, ok := q.Variable(name)
		if !ok {
			return nil, nil
		}
		return localValue(v, t)
	}
}

// localValue is the value of a variable of a declared type.
func localValue(v any, of sql.Type) (fn.Expr, error) {
	t, err := localType(of)
	if err != nil {
		return nil, err
	}
	out := types.NewVec(t.Kind, 1)
	out.Scale = int(t.Scale)
	if v == nil {
		out.SetNull(0)
		return fn.NewConst(out, t), nil
	}
	switch t.Kind {
	case types.Int, types.Uint:
		n := reflect.ValueOf(v)
		switch {
		case n.CanInt():
			out.I[0] = n.Int()
		case n.CanUint():
			out.I[0] = int64(n.Uint())
		default:
			return nil, fn.Refuse(fn.ByVariable, "a value of another type")
		}
	case types.Float:
		f, ok := v.(float64)
		if !ok {
			return nil, fn.Refuse(fn.ByVariable, "a value of another type")
		}
		out.F[0] = f
	case types.Decimal:
		d, ok := v.(*apd.Decimal)
		if !ok {
			return nil, fn.Refuse(fn.ByVariable, "a value of another type")
		}
		w, scale, ok := types.ParseDecimal(d.Text('f'))
		if ok {
			w, ok = types.Rescale(w, scale, out.Scale)
		}
		if !ok {
			return nil, fn.Refuse(fn.ByVariable, "a DECIMAL out of range")
		}
		if n, small := w.Int64(); small {
			out.I[0] = n
		} else {
			out.W = []types.Int128{w}
		}
	case types.String:
		switch s := v.(type) {
		case string:
			out.S[0] = []byte(s)
		case []byte:
			out.S[0] = s
		default:
			return nil, fn.Refuse(fn.ByVariable, "a value of another type")
		}
	default:
		return nil, fn.Refuse(fn.ByVariable, "a value of another type")
	}
	return fn.NewConst(out, t), nil
}

// integerTypes are how integers are shown: their widths and types on the wire.
var integerTypes = map[sql.Type]struct {
	width uint32
	wire  uint8
}{gms.Int8: {4, types.WireTiny}, gms.Int16: {6, types.WireShort}, gms.Int24: {9, types.WireInt24}, gms.Int32: {11, types.WireLong}, gms.Int64: {20, types.WireLongLong},
	gms.Uint8: {3, types.WireTiny}, gms.Uint16: {5, types.WireShort}, gms.Uint24: {8, types.WireInt24}, gms.Uint32: {10, types.WireLong}, gms.Uint64: {20, types.WireLongLong}}

// localType is the type of a variable.
func localType(of sql.Type) (types.Type, error) {
	switch {
	case gms.IsInteger(of):
		if shown, ok := integerTypes[of]; ok {
			t := types.IntType(shown.width, true)
			if t.Wire = shown.wire; gms.IsUnsigned(of) {
				t.Kind = types.Uint
			}
			return t, nil
		}
	case of == gms.Float64:
		return types.FloatType(true), nil
	case gms.IsDecimal(of):
		d := of.(sql.DecimalType)
		return types.DecimalType(int(d.Precision()), int(d.Scale()), true), nil
	case gms.IsTextOnly(of), gms.IsBinaryType(of):
		s, ok := of.(sql.StringType)
		if ok && types.CollatorOf(uint16(s.Collation())) != nil && (types.UTF8(uint16(s.Collation())) || uint16(s.Collation()) == types.Binary) {
			return types.StringType(uint32(min(s.MaxCharacterLength(), longestVariable)), uint16(s.Collation()), types.Implicit, true), nil
		}
	}
	return types.Type{}, fn.Refuse(fn.ByVariable, "a variable of type "+of.String())
}
