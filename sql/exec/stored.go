package exec

import (
	"unicode/utf8"

	"emberdb/engine/row"
	"emberdb/sql/types"
)

// StoredValue makes a value what a column stores, where it is stored as it stands in every sql_mode.
// ok is false where something is rounded, cut off, padded, checked or told of: who stores it otherwise
// decides. digits are those of the column's seconds. Bytes are copied to buf, which is returned
// grown.
func StoredValue(c *row.Column, digits int, v *types.Vec, i int, buf []byte) (out row.Value, grown []byte, ok bool) {
	if v.Kind == types.Null || v.IsNull(i) {
		return row.NullValue, buf, true
	}
	from := len(buf)
	switch k := kindOf(c); {
	case v.Kind.Integer() && (k == types.Int || k == types.Uint && c.Type != row.TYear):
		if v.I[i] < 0 && (v.Kind == types.Uint) != (k == types.Uint) {
			return out, buf, false
		}
		if out = row.IntValue(v.I[i]); k == types.Uint {
			out = row.UintValue(uint64(v.I[i]))
		}
	case v.Kind == types.Float && c.Type == row.TFloat64 && c.Precision == 0:
		out = row.FloatValue(v.F[i])
	case (v.Kind == types.Decimal || v.Kind.Integer()) && c.Type == row.TDecimal:
		if buf, ok = appendStored(buf, v, i, c); !ok {
			return out, buf[:from], false
		}
		out = row.BytesValue(buf[from:len(buf):len(buf)])
	case v.Kind == types.Date && c.Type == row.TDate, v.Kind.Temporal() && v.Kind != types.Time && c.Type == row.TDateTime:
		m := types.Unpack(v.I[i])
		if !m.Real() || m.Year == 0 || int64(m.Micros)%types.Pow10(6-digits) != 0 {
			return out, buf, false
		}
		if out = row.IntValue(v.I[i]); c.Type == row.TDate {
			out = row.IntValue(int64(m.Year*512 + m.Month*32 + m.Day))
		}
	case v.Kind == types.Time && c.Type == row.TTime:
		if out = row.IntValue(v.I[i]); v.I[i]%types.Pow10(6-digits) != 0 {
			return out, buf, false
		}
	case v.Kind == types.String && (c.Type == row.TVarchar || c.Type == row.TChar):
		if !storedText(c, v.S[i]) {
			return out, buf, false
		}
		buf = append(buf, v.S[i]...)
		out = row.BytesValue(buf[from:len(buf):len(buf)])
	default:
		return out, buf, false
	}
	return out, buf, c.Fits(out)
}

// storedText tells texts of ASCII that are short enough and do not end with a space.
func storedText(c *row.Column, s []byte) bool {
	if len(s) > int(c.Length) || len(s) > 0 && s[len(s)-1] == ' ' {
		return false
	}
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendStored appends the binary form of a number in a DECIMAL column; false: it does not fit, or
// not without rounding.
func appendStored(buf []byte, v *types.Vec, i int, c *row.Column) ([]byte, bool) {
	scale := v.Scale
	if v.Kind != types.Decimal {
		scale = 0
	}
	if scale > int(c.Scale) {
		return buf, false
	}
	w, ok := types.Rescale(v.Wide(i), scale, int(c.Scale))
	if !ok {
		return buf, false
	}
	return types.PackNumber(buf, w, int(c.Precision), int(c.Scale))
}
