package types

import (
	"encoding/binary"
	"math"
)

// Keys of values:
//
//	0x00                                     NULL
//	0x01 int64, sign flipped, big-endian     integers, dates, times
//	0x02 uint64, big-endian                  integers from 2^63 on
//	0x01 IEEE bits made to sort              FLOAT
//	0x01 int128, sign flipped, big-endian    DECIMAL at the scale asked for
//	0x01 the engine's key of the string      strings

// Keyer makes keys of the values of one expression.
type Keyer struct {
	Scale    int // of DECIMAL
	Collator *Collator
	Desc     bool
}

// KeyerOf is the keyer of a type.
func KeyerOf(t Type) Keyer {
	k := Keyer{Scale: int(t.Scale)}
	if t.Kind == String {
		k.Collator = CollatorOf(t.Collation)
	}
	return k
}

// Append appends the key of the value at i.
func (k *Keyer) Append(dst []byte, v *Vec, i int) ([]byte, error) {
	from := len(dst)
	if v.IsNull(i) || v.Kind == Null {
		dst = append(dst, 0)
	} else {
		var err error
		if dst, err = k.appendValue(dst, v, i); err != nil {
			return dst, err
		}
	}
	if k.Desc {
		for j := from; j < len(dst); j++ {
			dst[j] = ^dst[j]
		}
	}
	return dst, nil
}

func (k *Keyer) appendValue(dst []byte, v *Vec, i int) ([]byte, error) {
	switch v.Kind {
	case Float:
		f := v.F[i]
		if f == 0 {
			f = 0 // -0 equals 0
		}
		u := math.Float64bits(f)
		if u>>63 != 0 {
			u = ^u
		} else {
			u |= 1 << 63
		}
		return binary.BigEndian.AppendUint64(append(dst, 1), u), nil
	case Decimal:
		w, ok := v.Wide(i), true
		if v.Scale != k.Scale {
			if w, ok = Rescale(w, v.Scale, k.Scale); !ok {
				return dst, ErrRange
			}
		}
		dst = binary.BigEndian.AppendUint64(append(dst, 1), uint64(w.Hi)^1<<63)
		return binary.BigEndian.AppendUint64(dst, w.Lo), nil
	case String:
		return k.Collator.AppendKey(dst, v.S[i]), nil
	case Uint:
		if v.I[i] < 0 {
			return binary.BigEndian.AppendUint64(append(dst, 2), uint64(v.I[i])), nil
		}
	}
	return binary.BigEndian.AppendUint64(append(dst, 1), uint64(v.I[i])^1<<63), nil
}
