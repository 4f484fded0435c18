package operand

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecimal reads numbers: what is read has no more digits than any value needs.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"0", "-1.5", "1e90", "1e-999999999", "1e99999999999999999999", strings.Repeat("9", 300), "0." + strings.Repeat("0", 300) + "1", strings.Repeat("0", 300) + "1.5", "+.5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:NumberPrefix(text)]
		if text == "" {
			return
		}
		d, err := ParseDecimal(text)
		require.NoError(t, err, text)
		require.LessOrEqual(t, d.NumDigits(), int64(5*mostDigits), text)
		_, err = Rounded(d, 30)
		require.NoError(t, err, text)
	})
}
