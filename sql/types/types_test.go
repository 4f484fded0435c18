package types

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// encodeDecimal writes MySQL's binary form, digit by digit.
func encodeDecimal(text string, precision, scale int) []byte {
	negative := strings.HasPrefix(text, "-")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	whole = strings.Repeat("0", precision-scale-len(whole)) + whole
	var out []byte
	put := func(digits string) {
		n := uint32(0)
		for _, d := range digits {
			n = n*10 + uint32(d-'0')
		}
		for i := GroupBytes[len(digits)] - 1; i >= 0; i-- {
			out = append(out, byte(n>>(8*i)))
		}
	}
	for head := len(whole) % 9; len(whole) > 0; head = 9 {
		put(whole[:head])
		whole = whole[head:]
		if head == 0 && len(whole) == 0 {
			break
		}
	}
	for len(fraction) > 0 {
		n := min(9, len(fraction))
		put(fraction[:n])
		fraction = fraction[n:]
	}
	out[0] ^= 0x80
	if negative {
		for i := range out {
			out[i] = ^out[i]
		}
	}
	return out
}

// TestDecimals checks the binary form, scales, products and quotients against big integers.
func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	for range 20_000 {
		precision := 1 + r.IntN(36)
		scale := r.IntN(min(precision, 30) + 1)
		x := randomBelow(r, bigPow10(precision))
		if r.IntN(2) == 0 {
			x.Neg(x)
		}
		v, ok := FromBig(x)
		require.True(t, ok)
		require.Zero(t, v.Big().Cmp(x))
		text := string(AppendDecimal(nil, v, scale))
		back, s, ok := ParseDecimal(text)
		require.True(t, ok)
		require.Equal(t, scale, s)
		require.Equal(t, v, back, text)
		if precision > scale && x.Sign() != 0 {
			got, ok := DecodeDecimal(encodeDecimal(text, precision, scale), precision, scale)
			require.True(t, ok)
			require.Equal(t, v, got, "%s DECIMAL(%d,%d)", text, precision, scale)
			if precision <= 18 {
				form := NewDecimalForm(precision, scale)
				require.Equal(t, int64(v.Lo), form.Decode(encodeDecimal(text, precision, scale)), text)
			}
		}
		to := r.IntN(30)
		if w, ok := Rescale(v, scale, to); ok {
			f := new(big.Rat).SetFrac(x, bigPow10(scale))
			require.Equal(t, strings.TrimPrefix(f.FloatString(to), "-"), strings.TrimPrefix(string(AppendDecimal(nil, w, to)), "-"), "%s to %d", text, to)
		}
		y := FromInt64(r.Int64() >> r.IntN(60) * int64(1-2*r.IntN(2)))
		product := new(big.Int).Mul(x, y.Big())
		if p, ok := v.Mul(y); ok {
			require.Zero(t, p.Big().Cmp(product))
		} else {
			require.Greater(t, product.BitLen(), 120)
		}
		sum, ok := v.Add(y)
		require.True(t, ok)
		require.Zero(t, sum.Big().Cmp(new(big.Int).Add(x, y.Big())))
	}
}

func randomBelow(r *rand.Rand, most *big.Int) *big.Int {
	x := new(big.Int).SetUint64(r.Uint64())
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
	return x.Mod(x, most)
}

// TestKeysSortAsValues checks that keys are ordered as their values, downwards as well.
func TestKeysSortAsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 2))
	number := func() (v *Vec, x *big.Int) {
		v = NewVec(Int, 1)
		v.I[0] = r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2))
		x = big.NewInt(v.I[0])
		if r.IntN(3) == 0 {
			v.Kind = Uint
			x = new(big.Int).SetUint64(uint64(v.I[0]))
		}
		return v, x
	}
	for range 20_000 {
		a, x := number()
		b, y := number()
		for _, desc := range []bool{false, true} {
			k := Keyer{Desc: desc}
			p, err := k.Append(nil, a, 0)
			require.NoError(t, err)
			q, err := k.Append(nil, b, 0)
			require.NoError(t, err)
			want := x.Cmp(y)
			if desc {
				want = -want
			}
			require.Equal(t, want, bytes.Compare(p, q), "%v %v", x, y)
		}
	}
	c := CollatorOf(46)
	require.NotNil(t, c)
	for range 20_000 {
		word := func() []byte {
			b := make([]byte, r.IntN(4))
			for i := range b {
				b[i] = " ab\tB"[r.IntN(5)]
			}
			return b
		}
		a, b := word(), word()
		require.Equal(t, bytes.Compare(c.AppendKey(nil, a), c.AppendKey(nil, b)), c.Compare(a, b), "%q %q", a, b)
	}
}

// TestMoments checks packing, days and texts of dates.
func TestMoments(t *testing.T) {
	for year := 1; year < 9999; year += 7 {
		for _, md := range [][2]int{{1, 1}, {2, 28}, {3, 1}, {12, 31}} {
			n := DayNumber(year, md[0], md[1])
			y, m, d := FromDayNumber(n)
			require.Equal(t, [3]int{year, md[0], md[1]}, [3]int{y, m, d})
			text := fmt.Sprintf("%04d-%02d-%02d", year, md[0], md[1])
			parsed, clock, ok := ParseMoment(text)
			require.True(t, ok && !clock, text)
			require.Equal(t, parsed, Unpack(Pack(parsed)))
			require.Equal(t, PackDate(year, md[0], md[1]), Pack(parsed))
		}
	}
	require.Equal(t, 737998, DayNumber(2020, 7, 27)) // TO_DAYS of MySQL
	for _, text := range []string{"2020-02-30", "2020-1-1", "0000-00-00", "2020-01-01 24:00:00", "2020-01-01T00:00:00", "2020-01-01 00:00:00."} {
		_, _, ok := ParseMoment(text)
		require.False(t, ok, text)
	}
	m, clock, ok := ParseMoment("2020-01-02 03:04:05.6")
	require.True(t, clock && ok)
	require.Equal(t, Moment{2020, 1, 2, 3, 4, 5, 600000}, m)
}

// Long texts are compared in parts: as short ones are.
func TestLongTextsCompareAsShortOnes(t *testing.T) {
	same := strings.Repeat("aé漢", longText/4)
	for _, id := range []uint16{Binary, 45, 46, 255, 309} { // utf8mb4_general_ci, _bin, _0900_ai_ci, _0900_bin
		c := CollatorOf(id)
		if c == nil {
			continue
		}
		for _, pair := range [][2]string{{"", ""}, {"a", "b"}, {"é", "漢"}, {"b", "É"}, {"x ", "x"}, {"x\x01", "x"}, {"É", "é"}, {"\xe6\xbc", "\xe6\xbc\xa2"}, {"\x01", ""}, {"\x01a", "b"}} {
			for _, behind := range []string{"", strings.Repeat("é", longText)} {
				a, b := []byte(pair[0]+behind), []byte(pair[1]+behind)
				long := c.Compare([]byte(same+string(a)), []byte(same+string(b)))
				want := c.compareKeys(a, b)
				if len(a) > longText {
					var x, y []byte
					want = bytes.Compare(c.AppendKey(x, a), c.AppendKey(y, b))
				}
				require.Equal(t, want, long, "collation %d, %q and %q", id, pair[0], pair[1])
			}
		}
	}
}
