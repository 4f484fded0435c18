package types

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoundTime(t *testing.T) {
	for _, c := range []struct {
		micros int64
		digits uint8
		want   int64
	}{
		{1_500_000, 0, 2_000_000}, {-1_500_000, 0, -2_000_000}, {1_499_999, 0, 1_000_000}, {1_250_000, 1, 1_300_000}, {1_234_567, 3, 1_235_000},
		{1_234_567, 6, 1_234_567}, {-1_234_567, 5, -1_234_570},
	} {
		require.Equal(t, c.want, RoundTime(c.micros, c.digits), "%d to %d digits", c.micros, c.digits)
	}
}
