package partition

import (
	"encoding/binary"
	"math"
	"math/bits"

	"emberdb/engine/row"
)

// spread numbers the parts of HASH and KEY.
type spread struct {
	count  int
	linear bool
}

// of returns the part of a hash.
func (s spread) of(hash int64) int {
	if !s.linear {
		n := hash % int64(s.count)
		if n < 0 {
			n = -n
		}
		return int(n)
	}
	mask := int64(1)<<bits.Len(uint(s.count-1)) - 1
	n := hash & mask
	if n >= int64(s.count) {
		n = hash & (mask >> 1)
	}
	return int(n)
}

// keyHash is MySQL's hash of the columns of KEY. It is MySQL's very number for numbers, dates and
// binary strings. Texts are hashed by their weights in the collation, so that equal texts meet in
// one partition; MySQL may place them elsewhere.
type keyHash struct{ a, b uint64 }

func newKeyHash() keyHash { return keyHash{1, 4} }

func (h *keyHash) bytes(p []byte) {
	for _, c := range p {
		h.a ^= ((h.a&63)+h.b)*uint64(c) + h.a<<8
		h.b += 3
	}
}

func (h *keyHash) add(c *row.Column, v row.Value, buf []byte) []byte {
	if v.IsNull() {
		h.a ^= h.a<<1 | 1
		return buf
	}
	buf = appendStored(buf[:0], c, v)
	if numeric(c.Type) {
		buf = weights(buf)
	}
	h.bytes(buf)
	return buf
}

// numeric tells the types whose bytes MySQL hashes as if they were a text in latin1_swedish_ci.
func numeric(t row.Type) bool { return t <= row.TDate || t == row.TYear }

// weights turns bytes into their weights in latin1_swedish_ci, without spaces at the end.
func weights(p []byte) []byte {
	for len(p) > 0 && p[len(p)-1] == ' ' {
		p = p[:len(p)-1]
	}
	for i, c := range p {
		switch {
		case c >= 'a' && c <= 'z':
			p[i] = c - 'a' + 'A'
		case c >= 0xC0:
			p[i] = highWeights[c-0xC0]
		}
	}
	return p
}

// highWeights are the weights of the bytes from 0xC0 on.
const highWeights = "AAAA\x5C\x5B\x5CCEEEEIIIIDNOOOO\x5D\xD7\xD8UUUYY\xDE\xDF" +
	"AAAA\x5C\x5B\x5CCEEEEIIIIDNOOOO\x5D\xF7\xD8UUUYY\xDE\xFF"

// appendStored appends a value as MySQL stores it.
func appendStored(dst []byte, c *row.Column, v row.Value) []byte {
	little := func(width int) []byte {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v.N)
		return append(dst, b[:width]...)
	}
	big := func(n uint64, width int) []byte {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], n)
		return append(dst, b[8-width:]...)
	}
	switch c.Type {
	case row.TInt8, row.TUint8:
		return little(1)
	case row.TInt16, row.TUint16:
		return little(2)
	case row.TInt24, row.TUint24, row.TDate:
		return little(3)
	case row.TInt32, row.TUint32:
		return little(4)
	case row.TInt64, row.TUint64:
		return little(8)
	case row.TYear:
		if v.N >= 1900 {
			return append(dst, byte(v.N-1900))
		}
		return append(dst, byte(v.N))
	case row.TFloat32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v.Float())))
	case row.TFloat64:
		return little(8)
	case row.TDateTime:
		return fraction(big(uint64(v.Int()>>24)+1<<39, 5), v.N&(1<<24-1), c.Precision)
	case row.TTimestamp:
		return fraction(big(uint64(v.Int()/1e6), 4), uint64(v.Int()%1e6), c.Precision)
	case row.TTime: // biased, in three bytes
		return fraction(big(uint64(clockBits(v.Int())>>24)+1<<23, 3), uint64(clockBits(v.Int()))&(1<<24-1), c.Precision)
	case row.TBit:
		return big(v.N, 8)
	case row.TEnum:
		return little(1)
	case row.TDecimal, row.TBinary, row.TVarbinary, row.TBlob:
		return append(dst, v.B...)
	}
	plain := *c
	plain.Nullable, plain.Codes = false, row.LongCodes // the place of a row depends on the value alone
	return row.AppendKeyPart(dst, plain, row.KeyPart{}, v)
}

// clockBits packs a TIME as MySQL does: hours, minutes and seconds above 24 bits of microseconds.
func clockBits(micro int64) int64 {
	m := momentOf(row.TTime, row.IntValue(micro))
	bits := (int64(m.hour)<<12|int64(m.minute)<<6|int64(m.second))<<24 | int64(m.micro)
	if m.negative {
		return -bits
	}
	return bits
}

// fraction appends the digits behind the point of a time.
func fraction(dst []byte, micro uint64, digits uint8) []byte {
	switch {
	case digits == 0:
		return dst
	case digits <= 2:
		return append(dst, byte(micro/10000))
	case digits <= 4:
		return binary.BigEndian.AppendUint16(dst, uint16(micro/100))
	}
	return append(dst, byte(micro>>16), byte(micro>>8), byte(micro))
}
