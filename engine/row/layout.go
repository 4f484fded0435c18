package row

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"emberdb/internal/base"
)

// Row bytes. On disk; fixed.
//
//	offset  size        meaning
//	0       1           format version, 1
//	1       2           n, the number of columns stored: the first n of the table
//	3       (n+7)/8     null bitmap: bit i%8 of byte i/8 is column i
//	..      sum         the fixed-width columns in their order, little-endian, zero where NULL
//	..      2 each      for each other column: end of its bytes, counted from the row's start, | 0x8000 when they are an OverflowRef
//	..      ..          the bytes of those columns
//
// Everything before the variable bytes stands where n and the layout say, so a column is reached
// without reading its neighbours, and a change of a fixed-width column changes its own bytes only.
// A row written before columns were appended has a smaller n; what is missing reads as the layout's
// default.
const (
	rowVersion  = 1
	rowHeader   = 3
	overflowBit = 0x8000

	// MaxRow is the size a row must stay below: the offsets have 15 bits.
	MaxRow = overflowBit - 1
)

// OverflowRef stands in a row for a value that was moved out of it. Encoded as first page u32,
// length u32, owner u64.
type OverflowRef struct {
	Column int         // position in the table
	First  base.PageNo // first page of the chain, in the table's space
	Length uint32      // bytes of the value
	Owner  base.TrxID  // the transaction that wrote the chain; its pages bear it too, so a page given to something else is known
}

// OverflowRefSize is the size of an encoded reference.
const OverflowRefSize = 16

// AppendRef appends the encoded reference.
func AppendRef(dst []byte, r OverflowRef) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.First))
	dst = binary.LittleEndian.AppendUint32(dst, r.Length)
	return binary.LittleEndian.AppendUint64(dst, uint64(r.Owner))
}

// ParseOverflow decodes the bytes that Layout.Column gave for column i with overflow set.
func ParseOverflow(i int, b []byte) OverflowRef {
	le := binary.LittleEndian
	return OverflowRef{i, base.PageNo(le.Uint32(b)), le.Uint32(b[4:]), base.TrxID(le.Uint64(b[8:]))}
}

// Layout says where the columns of a table stand in its row bytes. Immutable, shared by all users
// of a table version.
type Layout struct {
	cols    []Column
	missing []Value
	slots   []slot // one per column, and one more that holds the sums over all
	all     []int  // every column
}

// slot is what the columns before one add up to, and what reading it needs to know.
type slot struct {
	fixed int32 // bytes of fixed-width columns before
	vars  int32 // number of the others before
	width int32 // of a fixed-width column
	read  reading
}

// reading tells how the bytes of a column become a value.
type reading uint8

const (
	readVariable reading = iota // bytes between two offsets
	readBytes                   // bytes of fixed width
	readFloat32
	readFloat64
	readUint
	readInt
)

func readingOf(c *Column) reading {
	switch {
	case !c.fixed():
		return readVariable
	case c.Type == TFloat32:
		return readFloat32
	case c.Type == TFloat64:
		return readFloat64
	case c.Type.kind() == Uint:
		return readUint
	case c.Type.kind() == Int:
		return readInt
	}
	return readBytes
}

// NewLayout makes the layout of a table's columns. A column that a row is too old to have reads as
// NULL.
func NewLayout(cols []Column) *Layout { return NewLayoutMissing(cols, nil) }

// NewLayoutMissing is NewLayout with the values that columns missing in a row read as, indexed by
// column. They are kept.
func NewLayoutMissing(cols []Column, missing []Value) *Layout {
	l := &Layout{cols: cols, missing: missing, slots: make([]slot, len(cols)+1)}
	var s slot
	for i := range cols {
		l.all = append(l.all, i)
		s.width, s.read = int32(cols[i].width()), readingOf(&cols[i])
		l.slots[i] = s
		if s.read != readVariable {
			s.fixed += s.width
		} else {
			s.vars++
		}
	}
	l.slots[len(cols)] = s
	return l
}

// Columns returns the columns. Not to be changed.
func (l *Layout) Columns() []Column { return l.cols }

// Size is the length of the row bytes of vals, all of them inline.
func (l *Layout) Size(vals []Value) int {
	n := l.varData(len(l.cols))
	for i := range l.cols {
		if l.slots[i].read == readVariable {
			n += len(vals[i].B)
		}
	}
	return n
}

// fixedStart is where the fixed-width columns of a row with n columns begin; varDir and varData
// begin behind them.
func fixedStart(n int) int          { return rowHeader + (n+7)/8 }
func (l *Layout) varDir(n int) int  { return fixedStart(n) + int(l.slots[n].fixed) }
func (l *Layout) varData(n int) int { return l.varDir(n) + 2*int(l.slots[n].vars) }

// Append appends the row bytes of vals. The columns named in over, in column order, are replaced by
// their references.
// REQUIRES: every value fits its column; the result is at most MaxRow long.
func (l *Layout) Append(dst []byte, vals []Value, over []OverflowRef) []byte {
	n := len(l.cols)
	start, dir, end := len(dst), l.varDir(n), l.varData(n)
	dst = append(dst, make([]byte, end)...)
	head := dst[start:]
	head[0] = rowVersion
	binary.LittleEndian.PutUint16(head[1:], uint16(n))
	fixed := fixedStart(n)
	for i := range l.cols {
		c, v := &l.cols[i], &vals[i]
		if v.Kind == Null {
			head[rowHeader+i/8] |= 1 << (i % 8)
		} else if v.Kind != c.Type.kind() {
			panic(fmt.Sprintf("row: value kind %d for column type %d", v.Kind, c.Type))
		}
		if l.slots[i].read != readVariable {
			w := int(l.slots[i].width)
			if v.Kind != Null {
				putFixed(head[fixed:fixed+w], c, v)
			}
			fixed += w
			continue
		}
		flag := 0
		if len(over) > 0 && over[0].Column == i {
			dst = AppendRef(dst, over[0])
			over, flag = over[1:], overflowBit
		} else {
			dst = append(dst, v.B...)
		}
		end = len(dst) - start
		if end > MaxRow {
			panic(fmt.Sprintf("row: %d bytes and more, limit %d", end, MaxRow))
		}
		head = dst[start:]
		binary.LittleEndian.PutUint16(head[dir:], uint16(end|flag))
		dir += 2
	}
	return dst
}

func putFixed(b []byte, c *Column, v *Value) {
	switch {
	case c.Type == TDecimal:
		mustDecimal(c, v.B)
		copy(b, v.B)
	case c.Type == TBinary:
		copy(b, v.B)
	case c.Type == TFloat32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v.Float())))
	default:
		var u [8]byte
		binary.LittleEndian.PutUint64(u[:], v.N)
		copy(b, u[:])
	}
}

// Column returns column i. With overflow set, B holds the reference (ParseOverflow). B aliases row.
func (l *Layout) Column(row []byte, i int) (v Value, overflow bool) {
	n := int(binary.LittleEndian.Uint16(row[1:]))
	if i >= n {
		if i < len(l.missing) {
			return l.missing[i], false
		}
		return Value{}, false
	}
	if row[rowHeader+i/8]&(1<<(i%8)) != 0 {
		return Value{}, false
	}
	s := &l.slots[i]
	if s.read != readVariable {
		at := fixedStart(n) + int(s.fixed)
		return getFixed(row[at:at+int(s.width)], s.read), false
	}
	at := l.varDir(n) + 2*int(s.vars)
	from := l.varData(n)
	if s.vars > 0 {
		from = int(binary.LittleEndian.Uint16(row[at-2:]) &^ overflowBit)
	}
	to := binary.LittleEndian.Uint16(row[at:])
	end := int(to &^ overflowBit)
	return Value{Kind: Bytes, B: row[from:end:end]}, to&overflowBit != 0
}

// Read reads the columns named in cols into their places in vals, and tells whether one of them
// overflows: it holds its reference, as Column gives it.
func (l *Layout) Read(row []byte, cols []int, vals []Value) (overflow bool) {
	n := int(binary.LittleEndian.Uint16(row[1:]))
	fixed, dir, data := fixedStart(n), l.varDir(n), l.varData(n)
	for _, i := range cols {
		v := &vals[i]
		if i >= n || row[rowHeader+i/8]&(1<<(i%8)) != 0 {
			*v, _ = l.Column(row, i)
			continue
		}
		s := &l.slots[i]
		if s.read != readVariable {
			at := fixed + int(s.fixed)
			*v = getFixed(row[at:at+int(s.width)], s.read)
			continue
		}
		at, from := dir+2*int(s.vars), data
		if s.vars > 0 {
			from = int(binary.LittleEndian.Uint16(row[at-2:]) &^ overflowBit)
		}
		to := binary.LittleEndian.Uint16(row[at:])
		end := int(to &^ overflowBit)
		v.Kind, v.N, v.B = Bytes, 0, row[from:end:end]
		overflow = overflow || to&overflowBit != 0
	}
	return overflow
}

func getFixed(b []byte, as reading) Value {
	switch as {
	case readBytes:
		return Value{Kind: Bytes, B: b[:len(b):len(b)]}
	case readFloat32:
		return FloatValue(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case readFloat64:
		return Value{Kind: Float, N: binary.LittleEndian.Uint64(b)}
	}
	var n uint64
	switch len(b) {
	case 1:
		n = uint64(b[0])
	case 2:
		n = uint64(binary.LittleEndian.Uint16(b))
	case 3:
		n = uint64(binary.LittleEndian.Uint16(b)) | uint64(b[2])<<16
	case 4:
		n = uint64(binary.LittleEndian.Uint32(b))
	case 6:
		n = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
	default:
		n = binary.LittleEndian.Uint64(b)
	}
	if as == readUint {
		return Value{Kind: Uint, N: n}
	}
	shift := 64 - 8*len(b)
	return Value{Kind: Int, N: uint64(int64(n<<shift) >> shift)}
}

// Decode reads all columns into vals, which is grown to fit. Columns that overflow hold their
// reference, as Column gives it; AppendOverflow lists them.
func (l *Layout) Decode(row []byte, vals []Value) []Value {
	vals = slices.Grow(vals[:0], len(l.cols))[:len(l.cols)]
	l.Read(row, l.all, vals)
	return vals
}

// AppendOverflow appends the references in row.
func (l *Layout) AppendOverflow(dst []OverflowRef, row []byte) []OverflowRef {
	n := int(binary.LittleEndian.Uint16(row[1:]))
	dir := l.varDir(n)
	for k := range int(l.slots[n].vars) {
		if binary.LittleEndian.Uint16(row[dir+2*k:])&overflowBit != 0 {
			return l.appendOverflowSlow(dst, row, n)
		}
	}
	return dst
}

func (l *Layout) appendOverflowSlow(dst []OverflowRef, row []byte, n int) []OverflowRef {
	for i := range n {
		if v, overflow := l.Column(row, i); overflow {
			dst = append(dst, ParseOverflow(i, v.B))
		}
	}
	return dst
}

// Validate checks that row is well formed under the layout, so that no other function can run out
// of it.
func (l *Layout) Validate(row []byte) error {
	if len(row) < rowHeader {
		return fmt.Errorf("row of %d bytes", len(row))
	}
	if row[0] != rowVersion {
		return fmt.Errorf("row format version %d", row[0])
	}
	n := int(binary.LittleEndian.Uint16(row[1:]))
	if n > len(l.cols) {
		return fmt.Errorf("row of %d columns in a table of %d", n, len(l.cols))
	}
	dir, end := l.varDir(n), l.varData(n)
	if end > len(row) {
		return fmt.Errorf("row of %d bytes ends before offset %d", len(row), end)
	}
	for k := range int(l.slots[n].vars) {
		at := binary.LittleEndian.Uint16(row[dir+2*k:])
		to := int(at &^ overflowBit)
		if to < end || to > len(row) || at&overflowBit != 0 && to-end != OverflowRefSize {
			return fmt.Errorf("row of %d bytes: variable column %d from %d to %d", len(row), k, end, to)
		}
		end = to
	}
	if end != len(row) {
		return fmt.Errorf("row of %d bytes: %d expected", len(row), end)
	}
	return nil
}
