package server

// Queries of INSERT ... SELECT, REPLACE ... SELECT and CREATE TABLE ... SELECT. The library runs the
// statement: its rights, its locks on the table, defaults, conversions and triggers. The rows of the
// query come from the executor, which locks those it reads as the library would.
//
// A refusal has to be known before the first row is given: rows that one may follow are held back.

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	gms "github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/table"
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

// lendSelecting lets the session run queries by the executor; the function that it returns takes
// that back.
func (x *execution) lendSelecting(ctx *sql.Context) func() {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || x.cursor || x.w.inside || !selects(x.stmt.Tree) && !is[*ast.Call](x) && x.w.event == nil {
		return func() {}
	}
	if mode := s.Text("ember_executor"); mode == "OFF" {
		return func() {}
	}
	var all []*selectedRows
	s.LendSelecting(func(ctx *sql.Context, q *sqllayer.ProgramQuery, like sql.Schema) (sqllayer.Batches, error) {
		in := x
		if q.Variable != nil {
			in = x.inProgram(q)
		}
		rows, err := in.selected(ctx, s, q.Tree, like)
		if why, refused := fn.IsRefusal(err); refused {
			x.h.s.executor.refused[why].Add(1)
			return nil, nil
		}
		if err != nil || rows == nil {
			return nil, err
		}
		x.h.s.executor.ran.Add(1)
		all = append(all, rows)
		return rows, nil
	})
	return func() {
		s.LendSelecting(nil)
		for _, rows := range all { // the library may not have closed them
			_ = rows.Close(ctx)
		}
	}
}

// selects tells the statements whose rows a query makes.
func selects(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.Insert:
		return n.Query != nil
	case *ast.CreateTable:
		return n.Query != nil
	}
	return false
}

// selectedRows are the rows of a query as the library knows them.
type selectedRows struct {
	s     *sqllayer.Session
	c     *executor.Ctx
	plan  *plan.Plan
	types []types.Type
	whole []bool // by column: it has more digits than it shows
	held  executor.Held
	holds bool

	batch *types.Batch
	at    int
	ended bool
}

// selected binds, plans and begins the query.
func (x *execution) selected(ctx *sql.Context, s *sqllayer.Session, q *ast.Query, like sql.Schema) (*selectedRows, error) {
	if err := x.usualText(s); err != nil {
		return nil, err
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	cat := &executorCatalog{ctx: ctx, s: s, selects: true}
	o, err := x.bindOptions(ctx, s, cat)
	if err != nil {
		return nil, err
	}
	o.Setting.Varies = true
	bound, err := bind.Bind(q, o)
	if err != nil {
		return nil, cat.failed(err)
	}
	r := &selectedRows{s: s, c: cat.context(), whole: bound.Averages()}
	if r.types, err = columnsLike(bound, like); err != nil {
		return nil, err
	}
	if cat.trx == nil { // no table is read
		return nil, fn.Refuse(fn.ByShort, "constants")
	}
	lock := s.SelectedLock(cat.trx)
	if lock != table.None && bound.Limit >= 0 && len(bound.Order) == 0 && !bound.Grouped {
		return nil, fn.Refuse(fn.ByStatement, "a LIMIT behind which no row may be locked")
	}
	x.limit(r.c, s)
	if lock == table.None && !bound.Varies {
		r.c.Helpers = helpers(s)
	}
	if r.plan, err = planned(bound, r.c); err == nil {
		r.c.Lock = lock
		for _, k := range r.plan.Reads {
			s.Count(k, 1)
		}
		err = r.begin()
	}
	if err != nil {
		r.end()
		return nil, r.failed(err)
	}
	return r, nil
}

// columnsLike are the types of a query's columns, if the library has values of the same kinds there.
func columnsLike(q *bind.Query, like sql.Schema) (out []types.Type, err error) {
	if len(q.Items) != len(like) {
		return nil, fn.Refuse(fn.ByName, "columns that are not the library's")
	}
	for i := range q.Items {
		t := q.Items[i].Described()
		own, err := library.TypeOf(t)
		if err != nil {
			return nil, err
		}
		if !sameKind(own, like[i].Type) {
			return nil, fn.Refuse(fn.ByType, "a column that is not the library's")
		}
		out = append(out, t)
	}
	return out, nil
}

// sameKind tells whether values of one type are values of another as they stand.
func sameKind(a, b sql.Type) bool {
	for _, is := range []func(sql.Type) bool{gms.IsInteger, gms.IsFloat, gms.IsDecimal, gms.IsTextOnly, gms.IsBinaryType, gms.IsDateType, gms.IsDatetimeType, gms.IsTimespan, gms.IsJSON} {
		if is(a) {
			return is(b)
		}
	}
	return false
}

// begin opens the plan, and reads it to its end if it may still turn out to be the library's.
func (r *selectedRows) begin() error {
	if err := r.plan.Root.Open(r.c); err != nil {
		return err
	}
	r.holds = r.plan.MayRefuse
	for r.holds {
		if err := r.c.Err(); err != nil {
			return err
		}
		b, err := r.plan.Root.Next(r.c)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := r.held.Add(r.c, b); err != nil {
			return err
		}
	}
	return nil
}

// Next implements sql.RowIter.
func (r *selectedRows) Next(*sql.Context) (sql.Row, error) {
	for r.batch == nil || r.at == r.batch.N {
		if more, err := r.NextBatch(); err != nil {
			return nil, err
		} else if !more {
			return nil, io.EOF
		}
	}
	r.at++
	return r.Row(r.at - 1)
}

// Batch implements sqllayer.Batches.
func (r *selectedRows) Batch() *types.Batch { return r.batch }

// Row implements sqllayer.Batches.
func (r *selectedRows) Row(i int) (sql.Row, error) {
	row := make(sql.Row, len(r.types))
	for k, v := range r.batch.Cols {
		t := r.types[k]
		if r.whole[k] && t.Kind == types.Decimal {
			t.Scale = uint8(v.Scale)
		}
		var err error
		if row[k], err = library.Value(&t, v, i); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// NextBatch implements sqllayer.Batches.
func (r *selectedRows) NextBatch() (more bool, err error) {
	r.s.Mu.Lock()
	defer r.s.Mu.Unlock()
	if err := r.c.Err(); err != nil || r.ended {
		return false, err
	}
	if r.at = 0; r.holds {
		r.batch, err = r.held.Next(r.c)
	} else {
		r.batch, err = r.plan.Root.Next(r.c)
	}
	r.ended = r.batch == nil
	if err == nil && !r.ended {
		r.batch, err = rounded(r.batch, r.types, r.whole)
	}
	if err != nil {
		return false, r.failed(err)
	}
	return !r.ended, nil
}

// rounded gives DECIMALs the digits of their types, but for columns that are stored whole.
func rounded(b *types.Batch, of []types.Type, whole []bool) (*types.Batch, error) {
	b = &types.Batch{N: b.N, Cols: slices.Clone(b.Cols)}
	for k, v := range b.Cols {
		t := &of[k]
		if t.Kind != types.Decimal || v.Kind != types.Decimal || whole[k] || v.Scale == int(t.Scale) {
			continue
		}
		out := types.NewVec(types.Decimal, b.N)
		out.Scale, out.W = int(t.Scale), make([]types.Int128, b.N)
		for i := range b.N {
			var ok bool
			if v.IsNull(i) {
				out.SetNull(i)
			} else if out.W[i], ok = types.Rescale(v.Wide(i), v.Scale, out.Scale); !ok {
				return nil, types.ErrRange
			}
		}
		b.Cols[k] = out
	}
	return b, nil
}

// failed is the error with which the statement ends. REQUIRES: s.Mu.
func (r *selectedRows) failed(err error) error {
	if _, refused := fn.IsRefusal(err); refused {
		return err
	}
	return r.s.Note(memory.OverMemory(toldFault(err)))
}

// Close implements sql.RowIter. It may be called twice.
func (r *selectedRows) Close(*sql.Context) error {
	r.s.Mu.Lock()
	defer r.s.Mu.Unlock()
	r.end()
	return nil
}

// end gives up what the plan holds. REQUIRES: s.Mu.
func (r *selectedRows) end() {
	if r.plan != nil && r.plan.Root != nil {
		r.plan.Root.Close(r.c)
		r.plan.Root = nil
	}
	r.held.Close(r.c)
	if r.c.Scratch != nil {
		r.c.Scratch.Close()
		r.c.Scratch = nil
	}
	r.batch, r.ended = nil, true
}
