package binlog

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the encoder writes is read as the same document, in the small and the large form.
func TestJSONText(t *testing.T) {
	long := make([]int, 30000)
	for i := range long {
		long[i] = i * 7919
	}
	many, err := json.Marshal(map[string]any{"long": long, "s": "x"})
	require.NoError(t, err)
	for _, text := range []string{`null`, `true`, `"é\"\\\n\u0001"`, `-1`, `65535`, `-2147483649`, `18446744073709551615`, `1.5`, `-12500000000.0`, `1e20`, `1e-7`, `[]`, `{}`,
		`{"a": [1, 2.5, "x", null, true, {"b": {}}], "é": {"n": -1.25}}`, `[70000, 4294967296, -32769, false]`, string(many)} {
		b, err := new(jsonEncoder).append(nil, []byte(text))
		require.NoError(t, err)
		got, err := JSONText(b)
		require.NoError(t, err, "%.80s", text)
		require.JSONEq(t, text, string(got))
	}
	got, err := JSONText([]byte{jsonDouble, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f})
	require.NoError(t, err)
	require.Equal(t, "1.0", string(got))
}

// Values of SQL types, as MySQL 9.7 logs JSON_ARRAY(CURRENT_DATE, 1.50, ...).
func TestJSONTextOpaque(t *testing.T) {
	moment := func(typ byte, v int64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{jsonOpaque, typ, 8}, uint64(v))
	}
	at := int64(2026*13+11)<<22 | 22<<17
	for want, b := range map[string][]byte{
		`"2026-11-22"`:                 moment(typeDate, at<<24),
		`"2026-11-22 13:02:03.000004"`: moment(opaqueDatetime, (at|13<<12|2<<6|3)<<24|4),
		`"-100:02:03.500000"`:          moment(opaqueTime, -((100<<12|2<<6|3)<<24 | 500000)),
		`1.50`:                         {jsonOpaque, typeNewDecimal, 4, 3, 2, 0x81, 50},
		`-1234567890.123456789012`:     append([]byte{jsonOpaque, typeNewDecimal, 13, 22, 12}, turned("81"+"0dfb38d2"+"075bcd15"+"000c")...),
		`0.05`:                         {jsonOpaque, typeNewDecimal, 4, 3, 2, 0x80, 5},
		`"base64:type15:YWI="`:         {jsonOpaque, 15, 2, 'a', 'b'},
	} {
		got, err := JSONText(b)
		require.NoError(t, err, want)
		require.Equal(t, want, string(got))
	}
}

// turned are the bytes of a negative decimal.
func turned(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	for i := range b {
		b[i] = ^b[i]
	}
	return b
}

// Bytes that are no document are an error, never a crash or an endless text.
func FuzzJSONText(f *testing.F) {
	for _, text := range []string{`{"a": [1, 2.5, "x", null, true, {"b": {}}]}`, `[70000, 4294967296]`, `"x"`} {
		b, err := new(jsonEncoder).append(nil, []byte(text))
		require.NoError(f, err)
		f.Add(b)
	}
	f.Add(binary.LittleEndian.AppendUint64([]byte{jsonOpaque, opaqueTime, 8}, math.MaxUint64))
	f.Add([]byte{jsonOpaque, typeNewDecimal, 4, 30, 2, 0x81, 50})
	f.Fuzz(func(t *testing.T, b []byte) {
		if text, err := JSONText(b); err == nil {
			require.True(t, json.Valid(text), "%x: %s", b, text)
		}
	})
}
