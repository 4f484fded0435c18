package server

// Results of the executor: how their columns are described, and their rows.

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	"emberdb/server/resultset"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/plan"
	"emberdb/sql/types"
	"emberdb/sqllayer"
)

// executorOutput sends the rows of a plan.
type executorOutput struct {
	x      *execution
	types  []types.Type
	fields []*querypb.Field
	rows   [][]sqltypes.Value
	size   int           // bytes of rows
	held   executor.Held // the rows before them, as texts
	holds  bool          // there are some
	binary bool
	last   byte // the highest byte of texts that the client's character set has like UTF-8
}

func newExecutorOutput(x *execution, q *bind.Query, charset string) *executorOutput {
	o := &executorOutput{x: x, binary: x.prep != nil, last: 0xFF}
	for i := range q.Items {
		it := &q.Items[i]
		t := it.Described()
		if isText(t) {
			o.last = lastByte(charset)
		}
		o.types = append(o.types, t)
		o.fields = append(o.fields, executorField(it, t, charset))
	}
	x.shown = o.fields
	return o
}

func isText(t types.Type) bool {
	return t.Kind == types.Enum || t.Kind == types.String && t.Collation != types.Binary
}

// run runs the plan. Rows of the last part are not sent yet.
func (o *executorOutput) run(ctx *sql.Context, c *executor.Ctx, p *plan.Plan) error {
	defer p.Root.Close(c)
	defer o.held.Close(c)
	if err := p.Root.Open(c); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := p.Root.Next(c)
		if err != nil {
			return err
		}
		if b == nil {
			return o.release(c)
		}
		if err := o.add(b); err != nil {
			return err
		}
		if o.size < heldBytes {
			continue
		}
		if p.MayRefuse {
			if err := o.hold(c); err != nil {
				return err
			}
			continue
		}
		if err := o.send(); err != nil {
			return err
		}
		o.x.w.process.setState("Sending to client")
	}
}

// hold keeps rows that must not be sent yet: once they are, a row that is refused could only end
// the statement with an error.
func (o *executorOutput) hold(c *executor.Ctx) error {
	for rows := o.rows; len(rows) > 0; {
		n := min(len(rows), types.BatchRows)
		b := types.Batch{N: n}
		for k := range o.fields {
			v := types.NewVec(types.String, n)
			for i, row := range rows[:n] {
				if v.S[i] = row[k].Raw(); row[k].IsNull() {
					v.SetNull(i)
				}
			}
			b.Cols = append(b.Cols, v)
		}
		if err := o.held.Add(c, &b); err != nil {
			return err
		}
		rows = rows[n:]
	}
	o.rows, o.size, o.holds = nil, 0, true
	return nil
}

// release sends what is held, but not the last rows.
func (o *executorOutput) release(c *executor.Ctx) error {
	if !o.holds {
		return nil
	}
	last, size := o.rows, o.size
	o.rows, o.size = nil, 0
	for {
		b, err := o.held.Next(c)
		if err != nil {
			return err
		}
		if b == nil {
			o.rows, o.size = last, size
			return nil
		}
		width := len(b.Cols)
		values := make([]sqltypes.Value, b.N*width)
		for i := range b.N {
			row := values[i*width : (i+1)*width : (i+1)*width]
			for k, v := range b.Cols {
				if !v.IsNull(i) {
					row[k] = sqltypes.MakeTrusted(o.wire(k), v.S[i])
				}
			}
			o.rows = append(o.rows, row)
		}
		if err := o.send(); err != nil {
			return err
		}
	}
}

// wire is the type of the values of a column.
func (o *executorOutput) wire(k int) querypb.Type {
	if o.binary {
		return resultset.Raw
	}
	return o.fields[k].Type
}

// Add writes the rows of a batch.
func (o *executorOutput) add(b *types.Batch) (err error) {
	width := len(b.Cols)
	values := make([]sqltypes.Value, b.N*width)
	var buf []byte
	for i := range b.N {
		out := values[i*width : (i+1)*width : (i+1)*width]
		for k, v := range b.Cols {
			if v.Kind == types.Null || v.IsNull(i) {
				continue
			}
			from := len(buf)
			if o.binary {
				buf, err = types.AppendBinary(buf, &o.types[k], v, i)
			} else {
				buf, err = types.AppendText(buf, &o.types[k], v, i)
			}
			if err != nil {
				return err
			}
			if o.last < 0xFF && isText(o.types[k]) && !within(buf[from:], o.last) {
				return fn.Refuse(fn.ByRow, "a text that the client's character set lacks")
			}
			out[k] = sqltypes.MakeTrusted(o.wire(k), buf[from:len(buf):len(buf)])
		}
		o.rows = append(o.rows, out)
	}
	o.x.rows += int64(b.N)
	o.size += len(buf) + valueBytes*len(values)
	return nil
}

func (o *executorOutput) send() error {
	err := o.x.send(&sqltypes.Result{Fields: o.fields, Rows: o.rows, RowsAffected: uint64(len(o.rows))})
	o.rows, o.size = nil, 0
	return err
}

// end sends the rest after the statement has ended.
func (o *executorOutput) end(ctx *sql.Context, s *sqllayer.Session) error {
	if err := o.x.statusFlags(ctx); err != nil {
		return err
	}
	info := s.GetLastQueryInfo()
	info.RowCount.Store(-1)
	info.FoundRows.Store(o.x.rows)
	if len(o.rows) == 0 && o.x.sent {
		return nil
	}
	return o.send()
}

// Flags of columns.
const (
	notNullFlag    = 1
	primaryFlag    = 2
	uniqueFlag     = 4
	multipleFlag   = 8
	blobFlag       = 16
	unsignedFlag   = 32
	zerofillFlag   = 64
	binaryFlag     = 128
	enumFlag       = 256
	autoNumberFlag = 512
	timestampFlag  = 1024
	setFlag        = 2048
	noDefaultFlag  = 4096
	onUpdateFlag   = 8192
	partOfKeyFlag  = 16384
)

// wireCharsets are the character sets that texts are described in, and how many bytes a character
// has.
var wireCharsets = map[string]struct {
	id    sql.CharacterSetID
	width uint32
}{"utf8mb4": {sql.CharacterSet_utf8mb4, 4}, "utf8mb3": {sql.CharacterSet_utf8mb3, 3}, "utf8": {sql.CharacterSet_utf8mb3, 3}, "latin1": {sql.CharacterSet_latin1, 1},
	"ascii": {sql.CharacterSet_ascii, 1}}

// executorField describes a column of the result.
func executorField(it *bind.Item, t types.Type, charset string) *querypb.Field {
	o := &it.Origin
	org := o.OrgName
	if it.Stored {
		org = it.Name
	}
	f := &querypb.Field{Name: it.Name, OrgName: org, Table: o.Table, OrgTable: o.OrgTable, Database: o.Schema,
		Charset: uint32(t.Collation), ColumnLength: t.Length, Decimals: uint32(t.Scale)}
	flags := int64(0)
	if !t.Nullable {
		flags |= notNullFlag
	}
	switch {
	case o.Width > 0:
		f.ColumnLength = o.Width
	case o.Column != nil && strings.HasPrefix(o.Column.SQLType, "tinyint(1)"):
		f.ColumnLength = 1
	case t.Kind == types.Decimal:
		f.ColumnLength = t.Width()
	case isText(t):
		wide := wireCharsets[charset]
		f.Charset = uint32(wide.id.DefaultCollation())
		f.ColumnLength = uint32(min(uint64(t.Length)*uint64(wide.width), math.MaxUint32))
		if o.Column != nil && o.Column.Type == row.TText {
			f.ColumnLength = uint32(min(executor.TextBytes(&o.Column.Column)*uint64(wide.width), math.MaxUint32))
		}
		if known := row.LookupCollation(t.Collation); known != nil && strings.HasSuffix(known.Name, "_bin") {
			flags |= binaryFlag
		}
	}
	if t.Document() && org != "" {
		f.Charset, f.ColumnLength = types.Binary, math.MaxUint32
		flags |= blobFlag
	}
	if t.Kind == types.Enum && org != "" {
		flags |= map[bool]int64{false: enumFlag, true: setFlag}[t.Words.Set]
	} else if t.Kind != types.String && t.Kind != types.Enum {
		f.Charset = types.Binary
	}
	if c, ok := it.Expr.(*fn.Const); ok && c.Digits == 16 {
		flags |= unsignedFlag
	}
	if t.Kind == types.Uint || o.Column != nil && strings.Contains(o.Column.SQLType, "unsigned") {
		flags |= unsignedFlag
	}
	if (t.Kind == types.String || t.Kind == types.Enum) && org == "" {
		f.Decimals = types.NotFixed
	} else if t.Wire == types.WireBlob || t.Wire == types.WireGeometry {
		flags |= blobFlag
	}
	computed := org == "" || o.Column == nil && !o.Kept && !it.Stored // here, or in a query that is read in place
	if f.Charset == types.Binary && (computed || !t.Kind.Number() || t.Kind == types.Null) {
		flags |= binaryFlag
	}
	if o.Column != nil {
		if flags |= columnFlagsOf(o); t.Wire == types.WireYear {
			flags |= zerofillFlag
		}
		if t.Kind == types.String {
			f.Decimals = 0
		}
	}
	f.Flags = uint32(flags)
	typ, err := sqltypes.MySQLToType(int64(t.Wire), flags)
	if err != nil {
		typ = sqltypes.VarChar
	}
	f.Type = typ
	return f
}

// columnFlagsOf are the flags of a table's column.
func columnFlagsOf(o *bind.Origin) (flags int64) {
	col := o.Column
	numbered := o.Def.AutoInc >= 0 && o.Def.Columns[o.Def.AutoInc].Name == col.Name
	if (!col.Nullable || col.Required) && !col.HasDefault && col.Generated == "" && !numbered {
		flags |= noDefaultFlag
	}
	if col.OnUpdate != "" {
		flags |= onUpdateFlag
	}
	if col.Type == row.TTimestamp && col.OnUpdate != "" {
		flags |= timestampFlag
	}
	if o.Kept {
		return flags
	}
	if numbered {
		flags |= autoNumberFlag
	}
	for _, ix := range o.Def.Indexes {
		for i, p := range ix.Parts {
			if o.Def.Columns[p.Column].Name != col.Name {
				continue
			}
			flags |= partOfKeyFlag
			switch {
			case ix.Clustered:
				flags |= primaryFlag
			case i == 0 && ix.Unique && len(ix.Parts) == 1:
				flags |= uniqueFlag
			case i == 0:
				flags |= multipleFlag
			}
		}
	}
	return flags
}
