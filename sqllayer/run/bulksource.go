package run

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	own "emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// bulkSource stands for the source of a bulkInsert in the plan of GMS's way: it gives the one row
// that was put there, or that of what is below if it is armed.
type bulkSource struct {
	like  sql.Node
	row   sql.Row
	below sql.RowIter
	armed bool
}

var (
	_ sql.Node    = (*bulkSource)(nil)
	_ sql.RowIter = (*bulkSource)(nil)
)

// Next implements sql.RowIter.
func (n *bulkSource) Next(ctx *sql.Context) (sql.Row, error) {
	if n.armed {
		n.armed = false
		return n.below.Next(ctx)
	}
	r := n.row
	if n.row = nil; r == nil {
		return nil, io.EOF
	}
	return r, nil
}

// Close implements sql.RowIter.
func (n *bulkSource) Close(*sql.Context) error { return nil }

// Resolved implements sql.Node.
func (n *bulkSource) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (n *bulkSource) IsReadOnly() bool { return true }

// String implements sql.Node.
func (n *bulkSource) String() string { return n.like.String() }

// Schema implements sql.Node.
func (n *bulkSource) Schema(ctx *sql.Context) sql.Schema { return n.like.Schema(ctx) }

// Children implements sql.Node.
func (n *bulkSource) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (n *bulkSource) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) > 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 0)
	}
	return n, nil
}

// bulkRows opens the rows of leaf for a table; nil: they are GMS's affair.
func (b *Builder) bulkRows(ctx *sql.Context, d *sqllayer.DirectTable, leaf sql.Node, r sql.Row) (rowSource, error) {
	if n, ok := leaf.(*plan.LoadData); ok {
		return loadRows(ctx, d, n)
	}
	from := planRows{d: d, schema: leaf.Schema(ctx)}
	if t, fields := scanned(leaf); t != nil {
		parts, err := t.Partitions(ctx)
		if err != nil {
			return nil, err
		}
		if part, err := parts.Next(ctx); err == nil {
			return newTableRows(d, t, &sqllayer.Rows{T: t, Part: part.(*sqllayer.TableScan)}, fields), nil
		}
	}
	if n, ok := leaf.(*selected); ok {
		rows, err := sqllayer.SessionOf(ctx).SelectedRows(ctx, from.schema)
		if err != nil {
			return nil, err
		}
		if rows != nil {
			return newBatchRows(d, from.schema, rows), nil
		}
		leaf = n.Child
	}
	var err error
	from.iter, err = b.Base.Build(ctx, leaf, r)
	return &from, err
}

// fileRows are those of LOAD DATA.
type fileRows struct {
	*loadData
	d       *sqllayer.DirectTable
	convert sqllayer.FieldConverter
	line    []loadField
	closed  bool
}

func loadRows(ctx *sql.Context, d *sqllayer.DirectTable, n *plan.LoadData) (rowSource, error) {
	converter := sqllayer.SessionOf(ctx).Layer().Fields
	if converter == nil || n.SetExprs != nil || slices.ContainsFunc(n.UserVars, func(e sql.Expression) bool { return e != nil }) {
		return nil, nil
	}
	l, err := openLoad(ctx, n)
	if err != nil {
		return nil, err
	}
	return &fileRows{loadData: l, d: d, convert: converter(d)}, nil
}

func (f *fileRows) next(ctx *sql.Context) (err error) {
	f.line, err = f.fields(ctx)
	return err
}

func (f *fileRows) apart() bool { return true }

// Close implements rowSource. It may be called twice.
func (f *fileRows) Close(ctx *sql.Context) error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.loadData.Close(ctx)
}

func (f *fileRows) Given(ctx *sql.Context) (sql.Row, error) { return f.row(ctx, f.line) }

func (f *fileRows) Value(ctx *sql.Context, field, col int, buf []byte) (row.Value, []byte, bool) {
	if field >= len(f.line) || len(f.line) < f.wanted {
		return row.Value{}, buf, false
	}
	x := &f.line[field]
	if x.null {
		return row.NullValue, buf, true
	}
	if _, text := f.d.TableDef.Codecs[col].Typ.(sql.StringType); len(x.text) == 0 && !text {
		return row.Value{}, buf, false
	}
	from := len(buf)
	buf = append(buf, x.text...)
	return f.convert.Convert(ctx, col, buf[from:len(buf):len(buf)], buf)
}

// planRows are those of a plan of GMS.
type planRows struct {
	d      *sqllayer.DirectTable
	schema sql.Schema
	iter   sql.RowIter
	row    sql.Row
}

func (p *planRows) next(ctx *sql.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.row, err = p.iter.Next(ctx); err == nil && len(p.row) > len(p.schema) { // an outer row may stand in front
		p.row = p.row[len(p.row)-len(p.schema):]
	}
	return err
}

func (p *planRows) Given(*sql.Context) (sql.Row, error) { return slices.Clone(p.row), nil }

func (p *planRows) Value(ctx *sql.Context, field, col int, buf []byte) (row.Value, []byte, bool) {
	v := p.row[field]
	if v == nil {
		return row.NullValue, buf, true
	}
	from, to := p.schema[field].Type, p.d.TableDef.Codecs[col].Typ
	switch {
	case types.IsInteger(from) && types.IsInteger(to):
	case types.IsDecimal(from) && types.IsDecimal(to):
	case types.IsTextOnly(from) && types.IsTextOnly(to):
	case types.IsTimespan(from), types.IsTime(from):
		if !from.Equals(to) {
			return row.Value{}, buf, false
		}
	default:
		return row.Value{}, buf, false
	}
	out, ok := p.d.StoreAlone(ctx, col, v)
	return out, buf, ok
}

func (p *planRows) apart() bool { return false }

// Close implements rowSource.
func (p *planRows) Close(ctx *sql.Context) error { return p.iter.Close(ctx) }

// tableRows are the rows of a table as it stores them.
type tableRows struct {
	d      *sqllayer.DirectTable
	t      *sqllayer.Table
	cursor *sqllayer.Rows
	fields []int // by field: a column of the table
	vals   []row.Value
}

// scanned takes plans that read fields of all rows of a table.
func scanned(n sql.Node) (t *sqllayer.Table, fields []int) {
	switch n := n.(type) {
	case *plan.Project:
		t, below := scanned(n.Child)
		if t == nil {
			return nil, nil
		}
		for _, e := range n.Projections {
			f, ok := e.(*expression.GetField)
			if !ok || f.Index() >= len(below) {
				return nil, nil
			}
			fields = append(fields, below[f.Index()])
		}
		return t, fields
	case *plan.TableAlias:
		return scanned(n.Child)
	case *plan.ResolvedTable:
		t, ok := n.UnderlyingTable().(*sqllayer.Table)
		if !ok || t.AsGeometry != nil || t.Ids || t.Through != nil {
			return nil, nil
		}
		if t.Proj != nil {
			return t, t.Proj
		}
		for i := range t.Def.Codecs {
			fields = append(fields, i)
		}
		return t, fields
	}
	return nil, nil
}

func newTableRows(d *sqllayer.DirectTable, t *sqllayer.Table, cursor *sqllayer.Rows, fields []int) *tableRows {
	return &tableRows{d: d, t: t, cursor: cursor, fields: fields}
}

func (r *tableRows) next(ctx *sql.Context) (err error) {
	s := r.t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if r.vals, err = r.cursor.Advance(ctx); err != nil {
		r.cursor.Release()
		if err != io.EOF { //nolint:errorlint // scans end with io.EOF itself
			err = s.Note(err)
		}
	}
	return err
}

// Given decodes the fields.
func (r *tableRows) Given(*sql.Context) (sql.Row, error) {
	out := make(sql.Row, len(r.fields))
	for i, c := range r.fields {
		v, err := r.t.Def.Codecs[c].Decode(r.t.S.Zone(), r.vals[c])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (r *tableRows) Value(ctx *sql.Context, field, col int, buf []byte) (row.Value, []byte, bool) {
	c := r.fields[field]
	v := r.vals[c]
	if v.IsNull() {
		return v, buf, true
	}
	from, to := &r.t.Def.Codecs[c], &r.d.TableDef.Codecs[col]
	if from != to && !storedAs(from, to) || incomplete(from.Col.Type, v) {
		return row.Value{}, buf, false
	}
	if v.Kind == row.Bytes {
		at := len(buf)
		buf = append(buf, v.B...)
		v.B = buf[at:len(buf):len(buf)]
	}
	return v, buf, true
}

// storedAs tells whether all values of one column are values of another as they stand, in every
// sql_mode.
func storedAs(from, to *store.Codec) bool {
	a, b := from.Col, to.Col
	if a.Nullable, b.Nullable = false, false; a != b {
		return false
	}
	switch a.Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TFloat32,
		row.TFloat64, row.TYear, row.TDecimal:
		return true
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TDate, row.TDateTime, row.TTimestamp, row.TTime, row.TBit,
		row.TEnum, row.TSet, row.TJSON:
		return from.Typ.Equals(to.Typ)
	}
	return false
}

// incomplete tells dates that not every sql_mode lets in.
func incomplete(t row.Type, v row.Value) bool {
	switch n := v.Int(); t {
	case row.TDate:
		return !own.Moment{Year: int(n / 512), Month: int(n / 32 % 16), Day: int(n % 32)}.Real()
	case row.TDateTime:
		return !own.Unpack(n).Real()
	case row.TTimestamp, row.TYear:
		return n == 0
	}
	return false
}

func (r *tableRows) apart() bool { return false }

// Close implements rowSource.
func (r *tableRows) Close(ctx *sql.Context) error { return r.cursor.Close(ctx) }
