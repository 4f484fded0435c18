package geometry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The hashes and places are MySQL's.
func TestHash(t *testing.T) {
	for _, c := range []struct {
		long, lat float64
		most      int
		want      string
	}{
		{180, 0, 10, "xbpbpbpbpb"}, {-180, -90, 15, "000000000000000"}, {-180, -90, 100, "0000000000000000000003"},
		{1, 2, 100, "s02equ04ven09qv80meqh1e1g"}, {0.1, 0.1, 30, "s000d60yd1m7hzw1hydtzsg7z"}, {10, 45, 10, "u0p0581b0b"}, {0, 0, 3, "s00"},
		{12.3456789, -45.678, 100, "hrbu0utf75tkkyuf5crhv5g"},
	} {
		require.Equal(t, c.want, Hash(c.long, c.lat, c.most))
	}
}

func TestFromHash(t *testing.T) {
	for _, c := range []struct {
		hash      string
		lat, long float64
	}{
		{"u3bu", 55.6, 12.5}, {"U3bU", 55.6, 12.5}, {"d", 22, -68}, {"e", 22, -22}, {"9ch7e", 6.26, -95.1}, {"35c1s9uufj", -23.63212, -133.38938},
		{"000000000000000000000000000000", -90, -180}, {"jsz04mng0pdj", -63.253228, 77.4518995}, {"w", 22, 112},
	} {
		long, lat, ok := FromHash(c.hash)
		require.True(t, ok)
		require.Equal(t, []float64{c.lat, c.long}, []float64{lat, long}, c.hash)
	}
	for _, hash := range []string{"", "a", "u3bu ", "zil"} {
		_, _, ok := FromHash(hash)
		require.False(t, ok, hash)
	}
}
