package charset

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWeights looks at texts whose weights MySQL 9.7 gave.
func TestWeights(t *testing.T) {
	for _, c := range []struct{ collation, text, weights string }{
		{"latin1_german2_ci", "aß", "415353"},
		{"ujis_japanese_ci", "aZ　", "415AA1A1"},
		{"utf8mb4_general_ci", "aé😀", "00410045FFFD"},
		{"utf16le_general_ci", "é", "0045"},
		{"utf8mb4_bin", "aé", "0000610000E9"},
		{"utf8mb4_0900_bin", "aé", "61C3A9"},
		{"ucs2_bin", "é", "00E9"},
		{"sjis_bin", "a", "61"},
		{"gb18030_chinese_ci", "一", "FFA089DB"},
	} {
		weigh, ok := Weights(c.collation)
		require.True(t, ok, c.collation)
		var out []byte
		for _, r := range c.text {
			out = weigh(out, r)
		}
		require.Equal(t, c.weights, fmt.Sprintf("%X", out), "%s: %s", c.collation, c.text)
	}
	for _, none := range []string{"utf8mb4_0900_ai_ci", "latin2_czech_cs", "tis620_thai_ci", "nosuch_ci"} {
		_, ok := Weights(none)
		require.False(t, ok, none)
	}
}
