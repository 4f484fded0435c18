package types

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// AppendFixed writes a DOUBLE with so many digits behind the point: those that tell it from every
// other one, then zeros.
func AppendFixed(dst []byte, f float64, digits int) []byte {
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	has := 0
	if point := bytes.IndexByte(dst[at:], '.'); point >= 0 {
		has = len(dst) - at - point - 1
	} else if digits > 0 && f-f == 0 {
		dst = append(dst, '.')
	}
	if has > digits {
		return strconv.AppendFloat(dst[:at], f, 'f', digits, 64)
	}
	for ; has < digits && f-f == 0; has++ {
		dst = append(dst, '0')
	}
	return dst
}

// AppendText appends a value as the text protocol shows it. REQUIRES: it is not NULL.
func AppendText(dst []byte, t *Type, v *Vec, i int) ([]byte, error) {
	switch v.Kind {
	case Int:
		return strconv.AppendInt(dst, v.I[i], 10), nil
	case Uint:
		if t.Wire == WireYear && t.Coerce == Implicit && v.I[i] == 0 { // of a column, not of YEAR()
			return append(dst, "0000"...), nil
		}
		return strconv.AppendUint(dst, uint64(v.I[i]), 10), nil
	case Float:
		if t.Scale < NotFixed {
			return AppendFixed(dst, v.F[i], int(t.Scale)), nil
		}
		if t.Wire == WireFloat {
			return AppendFloat(dst, v.F[i], 32), nil
		}
		return AppendFloat(dst, v.F[i], 64), nil
	case Decimal:
		w, ok := Rescale(v.Wide(i), v.Scale, int(t.Scale))
		if !ok {
			return dst, ErrRange
		}
		return AppendDecimal(dst, w, int(t.Scale)), nil
	case String:
		return append(dst, v.S[i]...), nil
	case Enum:
		return t.Words.Append(dst, v.I[i]), nil
	case Date:
		return appendDay(dst, Unpack(v.I[i])), nil
	case DateTime:
		m := Unpack(v.I[i])
		dst = append(appendDay(dst, m), ' ')
		return appendClock(dst, m.Hour, m.Minute, m.Second, m.Micros, int(t.Scale)), nil
	case Time:
		n := v.I[i]
		if n < 0 {
			dst, n = append(dst, '-'), -n
		}
		s := n / 1e6
		return appendClock(dst, int(s/3600), int(s/60%60), int(s%60), int(n%1e6), int(t.Scale)), nil
	}
	return dst, ErrRange
}

func appendTwo(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

func appendDay(dst []byte, m Moment) []byte {
	dst = appendTwo(appendTwo(dst, m.Year/100), m.Year%100)
	dst = appendTwo(append(dst, '-'), m.Month)
	return appendTwo(append(dst, '-'), m.Day)
}

func appendClock(dst []byte, hour, minute, second, micros, digits int) []byte {
	if hour >= 100 {
		dst = strconv.AppendInt(dst, int64(hour/100), 10)
		hour %= 100
	}
	dst = append(appendTwo(dst, hour), ':')
	dst = append(appendTwo(dst, minute), ':')
	dst = appendTwo(dst, second)
	if digits > 0 {
		dst = append(dst, '.')
		for i, unit := 0, 100_000; i < digits; i, unit = i+1, unit/10 {
			dst = append(dst, byte('0'+micros/unit%10))
		}
	}
	return dst
}

// AppendBinary appends a value as the binary protocol shows it. REQUIRES: it is not NULL.
func AppendBinary(dst []byte, t *Type, v *Vec, i int) ([]byte, error) {
	le := binary.LittleEndian
	switch v.Kind {
	case Int, Uint:
		n := uint64(v.I[i])
		switch t.Wire {
		case WireTiny:
			return append(dst, byte(n)), nil
		case WireShort, WireYear:
			return le.AppendUint16(dst, uint16(n)), nil
		case WireLong, WireInt24:
			return le.AppendUint32(dst, uint32(n)), nil
		}
		return le.AppendUint64(dst, n), nil
	case Float:
		if t.Wire == WireFloat {
			return le.AppendUint32(dst, math.Float32bits(float32(v.F[i]))), nil
		}
		return le.AppendUint64(dst, math.Float64bits(v.F[i])), nil
	case Date, DateTime:
		return appendMoment(dst, Unpack(v.I[i])), nil
	case Time:
		return appendSpan(dst, v.I[i]), nil
	}
	var scratch [80]byte
	text := scratch[:0]
	if v.Kind == String {
		text = v.S[i]
	} else {
		var err error
		if text, err = AppendText(text, t, v, i); err != nil {
			return dst, err
		}
	}
	return append(AppendLength(dst, uint64(len(text))), text...), nil
}

// appendMoment leaves out what is zero at the end.
func appendMoment(dst []byte, m Moment) []byte {
	n := byte(4)
	switch {
	case m == Moment{}:
		return append(dst, 0)
	case m.Micros != 0:
		n = 11
	case m.Hour != 0 || m.Minute != 0 || m.Second != 0:
		n = 7
	}
	dst = append(dst, n, byte(m.Year), byte(m.Year>>8), byte(m.Month), byte(m.Day))
	if n > 4 {
		dst = append(dst, byte(m.Hour), byte(m.Minute), byte(m.Second))
	}
	if n > 7 {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(m.Micros))
	}
	return dst
}

func appendSpan(dst []byte, n int64) []byte {
	sign := byte(0)
	if n < 0 {
		sign, n = 1, -n
	}
	if n == 0 {
		return append(dst, 0)
	}
	s, micros := n/1e6, uint32(n%1e6)
	length := byte(8)
	if micros != 0 {
		length = 12
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, length, sign), uint32(s/86400))
	dst = append(dst, byte(s/3600%24), byte(s/60%60), byte(s%60))
	if micros != 0 {
		dst = binary.LittleEndian.AppendUint32(dst, micros)
	}
	return dst
}

// AppendLength appends a length as the protocol writes it.
func AppendLength(b []byte, n uint64) []byte {
	switch {
	case n < 251:
		return append(b, byte(n))
	case n < 1<<16:
		return append(b, 0xFC, byte(n), byte(n>>8))
	case n < 1<<24:
		return append(b, 0xFD, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(b, 0xFE), n)
}
