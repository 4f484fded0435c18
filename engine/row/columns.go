package row

import (
	"encoding/binary"
	"math"
)

// Columns of many rows: each function reads one column of all rows, and appends to nulls the
// positions of rows in which it is NULL. What stands there is not set.

// place tells where a column stands in rows that store n columns. It is worked out anew only when n
// changes, which rows written before a column was appended do.
type place struct {
	l     *Layout
	i     int
	n     int // -1: not known
	at    int // of a fixed-width column, or of the end of a variable one
	start int // of the bytes of the first variable column
}

// in brings p to the layout of a row. there is false where the row does not store the column.
func (p *place) in(row []byte) (there bool) {
	if n := int(binary.LittleEndian.Uint16(row[1:])); n != p.n {
		p.n = n
		if s := &p.l.slots[p.i]; s.read != readVariable {
			p.at = fixedStart(n) + int(s.fixed)
		} else {
			p.at, p.start = p.l.varDir(n)+2*int(s.vars), p.l.varData(n)
		}
	}
	return p.i < p.n
}

// missing is what rows that do not store the column have.
func (p *place) missing() Value {
	if p.i < len(p.l.missing) {
		return p.l.missing[p.i]
	}
	return Value{}
}

// ReadNumbers reads an integer column, or one of another type whose values have the form of one,
// as two's complement.
func (l *Layout) ReadNumbers(rows [][]byte, i int, out []int64, nulls []int32) []int32 {
	s, p := &l.slots[i], place{l: l, i: i, n: -1}
	width, signed := int(s.width), s.read == readInt
	null, bit := rowHeader+i/8, byte(1)<<(i%8)
	shift := 64 - 8*uint(width)
	for k, row := range rows {
		if !p.in(row) {
			v := p.missing()
			if out[k] = int64(v.N); v.IsNull() {
				nulls = append(nulls, int32(k))
			}
			continue
		}
		if row[null]&bit != 0 {
			nulls = append(nulls, int32(k))
			continue
		}
		b := row[p.at : p.at+width]
		var n uint64
		switch width {
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
		if signed {
			n = uint64(int64(n<<shift) >> shift)
		}
		out[k] = int64(n)
	}
	return nulls
}

// ReadFloats reads a column of floating-point numbers, of 64 bits or 32.
func (l *Layout) ReadFloats(rows [][]byte, i int, out []float64, nulls []int32) []int32 {
	p, short := place{l: l, i: i, n: -1}, l.slots[i].width == 4
	null, bit := rowHeader+i/8, byte(1)<<(i%8)
	for k, row := range rows {
		if !p.in(row) {
			v := p.missing()
			if out[k] = v.Float(); v.IsNull() {
				nulls = append(nulls, int32(k))
			}
			continue
		}
		if row[null]&bit != 0 {
			nulls = append(nulls, int32(k))
			continue
		}
		if short {
			out[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(row[p.at:])))
			continue
		}
		out[k] = math.Float64frombits(binary.LittleEndian.Uint64(row[p.at:]))
	}
	return nulls
}

// ReadBytes reads a column of bytes, which alias the rows. A value that overflows is its reference
// (ParseOverflow): see Overflows.
func (l *Layout) ReadBytes(rows [][]byte, i int, out [][]byte, nulls []int32) []int32 {
	s, p := &l.slots[i], place{l: l, i: i, n: -1}
	null, bit := rowHeader+i/8, byte(1)<<(i%8)
	for k, row := range rows {
		if !p.in(row) {
			v := p.missing()
			if out[k] = v.B; v.IsNull() {
				nulls = append(nulls, int32(k))
			}
			continue
		}
		if row[null]&bit != 0 {
			nulls = append(nulls, int32(k))
			continue
		}
		from, to := p.at, p.at+int(s.width)
		if s.read == readVariable {
			if from = p.start; s.vars > 0 {
				from = int(binary.LittleEndian.Uint16(row[p.at-2:]) &^ overflowBit)
			}
			to = int(binary.LittleEndian.Uint16(row[p.at:]) &^ overflowBit)
		}
		out[k] = row[from:to:to]
	}
	return nulls
}

// Variable returns those of some columns whose values may overflow.
func (l *Layout) Variable(cols []int) (out []int) {
	for _, i := range cols {
		if l.slots[i].read == readVariable {
			out = append(out, i)
		}
	}
	return out
}

// Overflows tells whether one of some variable columns overflows in a row.
func (l *Layout) Overflows(row []byte, cols []int) bool {
	n := int(binary.LittleEndian.Uint16(row[1:]))
	dir := l.varDir(n)
	for _, i := range cols {
		if i < n && row[dir+2*int(l.slots[i].vars)+1]&(overflowBit>>8) != 0 && row[rowHeader+i/8]&(1<<(i%8)) == 0 {
			return true
		}
	}
	return false
}
