package exec

import (
	"slices"
	"strings"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// loader makes stored values of a column values of a Vec.
type loader struct {
	at    int // of the column in the row
	col   row.Column
	wide  bool              // DECIMAL of more digits than 64 bits hold
	form  types.DecimalForm // of the other ones
	local func(int64) int64
	out   *types.Vec
	nulls []int32
	bytes [][]byte
}

func newLoader(at int, col row.Column, local func(int64) int64, out *types.Vec) loader {
	l := loader{at: at, col: col, local: local, out: out}
	if col.Type == row.TDecimal {
		if l.wide = col.Precision > 18; !l.wide {
			l.form = types.NewDecimalForm(int(col.Precision), int(col.Scale))
		}
	}
	return l
}

// kindOf is the kind of values that a column's become; Null: it is not read.
func kindOf(c *row.Column) types.Kind {
	switch c.Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64:
		return types.Int
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TYear:
		return types.Uint
	case row.TEnum, row.TSet:
		return types.Enum
	case row.TFloat32, row.TFloat64:
		return types.Float
	case row.TDecimal:
		if c.Precision > 38 {
			return types.Null
		}
		return types.Decimal
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		return types.String
	case row.TDate:
		return types.Date
	case row.TDateTime, row.TTimestamp:
		return types.DateTime
	case row.TTime:
		return types.Time
	}
	return types.Null
}

// load stores a value at i. Bytes are copied to arena.
func (l *loader) load(v *row.Value, i int, arena []byte) ([]byte, error) {
	out := l.out
	if v.IsNull() {
		out.SetNull(i)
		return arena, nil
	}
	switch l.col.Type {
	case row.TFloat32, row.TFloat64:
		out.F[i] = v.Float()
	case row.TDecimal:
		if !l.wide {
			out.I[i] = l.form.Decode(v.B)
			break
		}
		w, ok := types.DecodeDecimal(v.B, int(l.col.Precision), int(l.col.Scale))
		if !ok {
			return arena, types.ErrRange
		}
		out.W[i] = w
	case row.TDate:
		n := v.Int()
		out.I[i] = types.PackDate(int(n>>9), int(n>>5&15), int(n&31))
	case row.TTimestamp:
		if n := v.Int(); n != 0 {
			out.I[i] = types.FromUnix(l.local(n))
		} else {
			out.I[i] = 0
		}
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		from := len(arena)
		arena = append(arena, v.B...)
		out.S[i] = arena[from:len(arena):len(arena)]
	default:
		out.I[i] = int64(v.N)
	}
	return arena, nil
}

// loadRows stores the values of rows that are read as they stand in leaves. Bytes stay there.
func (l *loader) loadRows(layout *row.Layout, all *table.Rows, rows [][]byte) error {
	l.reset(len(rows))
	out := l.out
	l.nulls = l.nulls[:0]
	switch l.col.Type {
	case row.TFloat32, row.TFloat64:
		l.nulls = layout.ReadFloats(rows, l.at, out.F, l.nulls)
	case row.TDecimal:
		if err := l.loadDecimals(layout, rows); err != nil {
			return err
		}
	case row.TDate, row.TTimestamp:
		l.nulls = layout.ReadNumbers(rows, l.at, out.I, l.nulls)
		l.loadMoments()
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		l.nulls = layout.ReadBytes(rows, l.at, out.S, l.nulls)
		if all.HasLong() {
			for i, r := range rows {
				if b, ok := all.Long(r, l.at); ok {
					out.S[i] = b
				}
			}
		}
	default:
		l.nulls = layout.ReadNumbers(rows, l.at, out.I, l.nulls)
	}
	for _, i := range l.nulls {
		out.SetNull(int(i))
	}
	return nil
}

// loadDecimals stores DECIMALs.
func (l *loader) loadDecimals(layout *row.Layout, rows [][]byte) error {
	l.bytes = slices.Grow(l.bytes[:0], len(rows))[:len(rows)]
	clear(l.bytes)
	l.nulls = layout.ReadBytes(rows, l.at, l.bytes, l.nulls)
	for i, b := range l.bytes {
		if b == nil {
			continue
		}
		if !l.wide {
			l.out.I[i] = l.form.Decode(b)
			continue
		}
		w, ok := types.DecodeDecimal(b, int(l.col.Precision), int(l.col.Scale))
		if !ok {
			return types.ErrRange
		}
		l.out.W[i] = w
	}
	return nil
}

// loadMoments makes dates and timestamps what they are in batches.
func (l *loader) loadMoments() {
	for i, n := range l.out.I {
		if l.col.Type == row.TDate {
			l.out.I[i] = types.PackDate(int(n>>9), int(n>>5&15), int(n&31))
		} else if n != 0 {
			l.out.I[i] = types.FromUnix(l.local(n))
		}
	}
}

// reset prepares the column of a batch of n rows.
func (l *loader) reset(n int) {
	l.out.Reset(kindOf(&l.col), n)
	if l.col.Type == row.TDecimal {
		l.out.Scale = int(l.col.Scale)
		if l.wide {
			l.out.W = make([]types.Int128, n)
		}
	}
}

// keyState tells whether a value has a key in an index.
type keyState uint8

const (
	keyExact keyState = iota
	keyNone           // no stored value equals it
	keyOpen           // it cannot be told: the range stays open
)

// keyValue makes a value what a column stores.
func keyValue(c *row.Column, v *types.Vec, i int) (row.Value, keyState) {
	if v.Kind == types.Null || v.IsNull(i) {
		return row.NullValue, keyNone
	}
	var out row.Value
	switch k := kindOf(c); {
	case v.Kind.Integer() && k == types.Int:
		if out = row.IntValue(v.I[i]); v.Kind == types.Uint && v.I[i] < 0 {
			return out, keyNone
		}
	case v.Kind.Integer() && k == types.Uint:
		if out = row.UintValue(uint64(v.I[i])); v.Kind == types.Int && v.I[i] < 0 {
			return out, keyNone
		}
	case c.Type == row.TDate && (v.Kind == types.Date || v.Kind == types.DateTime):
		m := types.Unpack(v.I[i])
		if types.DateOnly(v.I[i]) != v.I[i] {
			return out, keyNone
		}
		out = row.IntValue(int64(m.Year*512 + m.Month*32 + m.Day))
	case c.Type == row.TDateTime && (v.Kind == types.Date || v.Kind == types.DateTime):
		out = row.IntValue(v.I[i])
	case c.Type == row.TEnum && v.Kind == types.Enum:
		if out = row.UintValue(uint64(v.I[i])); v.I[i] <= 0 {
			return out, keyNone
		}
	case k == types.String && v.Kind == types.String && c.Type != row.TBinary:
		out = row.BytesValue(v.S[i])
	default:
		return out, keyOpen
	}
	nullable := *c
	nullable.Nullable = true
	if !nullable.Fits(out) {
		return out, keyNone
	}
	return out, keyExact
}

// TypeOf is the type of a column as statements see it; a Kind of Null says that it is not read.
func TypeOf(c *row.Column) types.Type {
	t := types.Type{Kind: kindOf(c), Nullable: c.Nullable, Collation: types.Binary, Coerce: types.Implicit}
	if c.Zerofill > 0 || c.Type == row.TBlob && c.Length == 0 { // VECTOR is a BLOB without a length
		t.Kind = types.Null
	}
	widths := map[row.Type]struct {
		wire   uint8
		length uint32
	}{row.TInt8: {types.WireTiny, 4}, row.TInt16: {types.WireShort, 6}, row.TInt24: {types.WireInt24, 9}, row.TInt32: {types.WireLong, 11},
		row.TInt64: {types.WireLongLong, 20}, row.TUint8: {types.WireTiny, 3}, row.TUint16: {types.WireShort, 5}, row.TUint24: {types.WireInt24, 8},
		row.TUint32: {types.WireLong, 10}, row.TUint64: {types.WireLongLong, 20}, row.TYear: {types.WireYear, 4}, row.TFloat32: {types.WireFloat, 12}, row.TFloat64: {types.WireDouble, 22},
		row.TDate: {types.WireDate, 10}, row.TTime: {types.WireTime, 10}, row.TDateTime: {types.WireDateTime, 19}, row.TTimestamp: {types.WireTimestamp, 19}}
	w := widths[c.Type]
	t.Wire, t.Length = w.wire, w.length
	switch t.Kind {
	case types.Float:
		if t.Scale = types.NotFixed; c.Precision > 0 {
			t.Length, t.Scale = uint32(c.Precision), c.Scale
		}
	case types.Decimal:
		t.Wire, t.Precision, t.Scale = types.WireNewDecimal, c.Precision, c.Scale
	case types.Enum:
		t.Wire, t.Collation = types.WireString, c.Collation
	case types.String:
		t.Length, t.Collation, t.Wire = c.Length, c.Collation, types.WireVarString
		switch c.Type {
		case row.TChar, row.TBinary:
			t.Wire = types.WireString
		case row.TText:
			t.Wire, t.Length = types.WireBlob, textCharacters(c)
		case row.TBlob:
			t.Wire = types.WireBlob
		case row.TJSON:
			return types.DocumentType(c.Nullable)
		case row.TGeometry:
			return types.GeometryType(c.Nullable)
		}
		if c.Type == row.TBinary || c.Type == row.TVarbinary || c.Type == row.TBlob {
			t.Collation = types.Binary
		}
		if types.CollatorOf(t.Collation) == nil {
			t.Kind = types.Null
		}
	}
	return t
}

// textCharacters is how many characters MySQL reckons a column of TEXT to have: for each byte that it
// holds as many as a character may have bytes.
func textCharacters(c *row.Column) uint32 {
	return uint32(min(TextBytes(c)*characterBytes(c), 1<<32-1))
}

// TextBytes is how many bytes a column of TEXT holds.
func TextBytes(c *row.Column) uint64 {
	return min(uint64(c.Length)*characterBytes(c)+characterBytes(c)-1, 1<<32-1)
}

// characterBytes is how many bytes a character of a column may have.
func characterBytes(c *row.Column) uint64 {
	known := row.LookupCollation(c.Collation)
	switch {
	case known != nil && strings.HasPrefix(known.Name, "utf8mb4"):
		return 4
	case known != nil && strings.HasPrefix(known.Name, "utf8"):
		return 3
	}
	return 1
}

// oneRow is a batch for expressions without columns.
var oneRow = types.Batch{N: 1}

// appendKey appends the key part of an expression that depends on no row of the operator.
func appendKey(c *Ctx, key []byte, col *row.Column, part row.KeyPart, e fn.Expr) ([]byte, keyState, error) {
	v, err := e.Eval(&c.Fn, &oneRow)
	if err != nil {
		return key, keyOpen, err
	}
	val, state := keyValue(col, v, 0)
	if state == keyExact {
		key = row.AppendKeyPart(key, *col, part, val)
	}
	return key, state, nil
}
