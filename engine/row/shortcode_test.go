package row

import (
	"bytes"
	"encoding/hex"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// sparse are weights like those of a collation by Unicode: letters of one case, far apart.
func sparse(r rune) uint32 {
	switch {
	case r >= 'a' && r <= 'z':
		r -= 'a' - 'A'
	case r < ' ':
		return uint32(r)
	}
	return 1_000 + uint32(r)*uint32(r)*11
}

func TestShortCode(t *testing.T) {
	seed := rand.Int63()
	rng := rand.New(rand.NewSource(seed))
	t.Logf("seed %d", seed)
	for name, weight := range map[string]func(r rune) uint32{
		"sparse": sparse,
		"dense":  func(r rune) uint32 { return uint32(r) },
		"equal":  func(rune) uint32 { return 7 },
		"far":    func(r rune) uint32 { return maxWeight - 1_000 + uint32(r) },
		"odd":    func(r rune) uint32 { return 2*uint32(r) + 1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := NewShortCode(weight)
			weights := []uint32{0, 1, 127, 128, 255, 256, 65_024, 65_025, 65_026, 0xFFFF, maxWeight - 1, maxWeight}
			for r := range rune(128) {
				weights = append(weights, weight(r), weight(r)+1)
			}
			for range 4_000 {
				weights = append(weights, uint32(rng.Intn(1<<(1+rng.Intn(21)))))
			}
			for range 40_000 {
				a, b := weights[rng.Intn(len(weights))], weights[rng.Intn(len(weights))]
				if max(a, b) > maxWeight {
					continue
				}
				x, y := c.Append(nil, a), c.Append(nil, b)
				require.NotContains(t, x, byte(0), "weight %d", a)
				require.LessOrEqual(t, len(x), 4)
				switch {
				case a == b:
					require.Equal(t, x, y)
				case a < b:
					require.Negative(t, bytes.Compare(x, y), "weights %d and %d: %x %x", a, b, x, y)
					require.False(t, bytes.HasPrefix(y, x), "weights %d and %d: %x %x", a, b, x, y)
				}
			}
			for r := rune(firstPrintable); r <= lastPrintable; r++ {
				require.Len(t, c.Append(nil, weight(r)), 1, "character %q", r)
			}
		})
	}
}

// The codes of a collation never change: they are in keys on disk.
func TestShortCodeIsFixed(t *testing.T) {
	c := NewShortCode(sparse)
	var got []byte
	for _, w := range []uint32{0, 999, sparse(' '), sparse('a'), sparse('a') + 1, sparse('~'), sparse('~') + 1, 200_000, 300_000, maxWeight} {
		got = c.Append(got, w)
	}
	require.Equal(t, "010101"+"0104eb"+"02"+"44"+"450101"+"8a"+"8b01"+"ea8b"+"ff0176b3"+"ff1d1a59", hex.EncodeToString(got))
}
