package replication

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// userEvent is the body of a user variable's event.
func userEvent(name string, kind byte, collation uint32, value []byte, flags ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(name)))
	b = append(append(b, name...), 0, kind)
	b = binary.LittleEndian.AppendUint32(b, collation)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(value)))
	return append(append(b, value...), flags...)
}

func TestUserVariables(t *testing.T) {
	collations := map[uint16]string{8: "latin1_swedish_ci", 45: "utf8mb4_general_ci", 63: "binary", 95: "cp932_japanese_ci"}
	eight := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	for want, b := range map[string][]byte{
		"SET @`v` = _utf8mb4 0x27c3a95c COLLATE utf8mb4_general_ci": userEvent("v", userString, 45, []byte("'é\\"), 0),
		"SET @`v` = _latin1 0xe9 COLLATE latin1_swedish_ci":         userEvent("v", userString, 8, []byte{0xe9}, 0),
		"SET @`v` = _latin1 '' COLLATE latin1_swedish_ci":           userEvent("v", userString, 8, nil, 0),
		"SET @`v` = _cp932 0x835c COLLATE cp932_japanese_ci":        userEvent("v", userString, 95, []byte("\x83\x5c"), 0),
		"SET @`a``b` = _binary 0x00ff":                              userEvent("a`b", userString, 63, []byte{0, 255}),
		"SET @`v` = -5":                                             userEvent("v", userInt, 63, eight(math.MaxUint64-4), 0),
		"SET @`v` = 18446744073709551615":                           userEvent("v", userInt, 63, eight(math.MaxUint64), 1),
		"SET @`v` = 1.25e+00":                                       userEvent("v", userReal, 63, eight(math.Float64bits(1.25)), 0),
		"SET @`v` = 12.34567":                                       userEvent("v", userDecimal, 63, []byte{7, 5, 0x8c, 0, 0x87, 7}, 0),
		"SET @`v` = NULL":                                           append(userEvent("v", 0, 0, nil)[:5], 1),
	} {
		got, err := userVariable(b, collations)
		require.NoError(t, err, want)
		require.Equal(t, want, got)
		for n := range b { // cut anywhere: an error or less, never a panic
			_, _ = userVariable(b[:n], collations)
		}
	}
	for name, b := range map[string][]byte{
		"no number":         userEvent("v", userReal, 63, eight(math.Float64bits(math.NaN()))),
		"a short integer":   userEvent("v", userInt, 63, []byte{1}),
		"no digits":         userEvent("v", userDecimal, 63, []byte{7, 5}),
		"a row":             userEvent("v", 3, 63, nil),
		"no name":           userEvent("", userInt, 63, eight(1)),
		"no such collation": userEvent("v", userString, 999, []byte("x")),
		"a long value":      {1, 0, 0, 0, 'v', 0, 0, 45, 0, 0, 0, 255, 255, 255, 255, 'x'},
	} {
		_, err := userVariable(b, collations)
		require.Error(t, err, name)
	}
}
