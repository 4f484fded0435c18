package exec

import (
	"encoding/binary"
	"math"

	"emberdb/sql/types"
)

// A batch in the scratch file:
//
//	rows    uint32
//	columns, each:
//	  kind  byte
//	  scale byte
//	  flags byte    1 some are NULL: a byte for each row;  2 DECIMALs of 128 bits
//	  values        8 or 16 bytes each, little-endian; of strings the lengths, uint32, then their bytes

const (
	someNull = 1 << iota
	wideDecimals
)

var little = binary.LittleEndian

func appendBatch(dst []byte, b *types.Batch) []byte {
	dst = little.AppendUint32(dst, uint32(b.N))
	for _, v := range b.Cols {
		dst = appendColumn(dst, v, b.N)
	}
	return dst
}

func appendColumn(dst []byte, v *types.Vec, n int) []byte {
	flags := byte(0)
	if v.Null != nil {
		flags |= someNull
	}
	if v.W != nil {
		flags |= wideDecimals
	}
	dst = append(dst, byte(v.Kind), byte(v.Scale), flags)
	for i := range v.Null[:min(n, len(v.Null))] {
		null := byte(0)
		if v.Null[i] {
			null = 1
		}
		dst = append(dst, null)
	}
	switch {
	case v.Kind == types.Null:
	case v.Kind == types.Float:
		for _, f := range v.F[:n] {
			dst = little.AppendUint64(dst, math.Float64bits(f))
		}
	case v.Kind == types.String:
		for i := range n {
			size := len(v.S[i])
			if v.IsNull(i) {
				size = 0
			}
			dst = little.AppendUint32(dst, uint32(size))
		}
		for i := range n {
			if !v.IsNull(i) {
				dst = append(dst, v.S[i]...)
			}
		}
	case v.W != nil:
		for _, w := range v.W[:n] {
			dst = little.AppendUint64(little.AppendUint64(dst, uint64(w.Hi)), w.Lo)
		}
	default:
		for _, x := range v.I[:n] {
			dst = little.AppendUint64(dst, uint64(x))
		}
	}
	return dst
}

// decodeBatch makes the columns vecs of what appendBatch has made. Strings stay in src.
func decodeBatch(src []byte, vecs []types.Vec) (n int) {
	n, src = int(little.Uint32(src)), src[4:]
	for k := range vecs {
		src = decodeColumn(src, &vecs[k], n)
	}
	return n
}

func decodeColumn(src []byte, v *types.Vec, n int) []byte {
	kind, scale, flags := types.Kind(src[0]), int(src[1]), src[2]
	src = src[3:]
	v.Reset(kind, n)
	v.Scale = scale
	if flags&someNull != 0 {
		v.Null = make([]bool, n)
		for i, null := range src[:n] {
			v.Null[i] = null != 0
		}
		src = src[n:]
	}
	switch {
	case kind == types.Null:
	case kind == types.Float:
		for i := range n {
			v.F[i] = math.Float64frombits(little.Uint64(src[8*i:]))
		}
		src = src[8*n:]
	case kind == types.String:
		text := src[4*n:]
		for i := range n {
			size := little.Uint32(src[4*i:])
			v.S[i], text = text[:size:size], text[size:]
		}
		src = text
	case flags&wideDecimals != 0:
		v.W = make([]types.Int128, n)
		for i := range n {
			v.W[i] = types.Int128{Hi: int64(little.Uint64(src[16*i:])), Lo: little.Uint64(src[16*i+8:])}
		}
		src = src[16*n:]
	default:
		for i := range n {
			v.I[i] = int64(little.Uint64(src[8*i:]))
		}
		src = src[8*n:]
	}
	return src
}
