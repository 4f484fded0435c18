package row

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// A case-insensitive PAD SPACE collation and a NO PAD one whose weights hold zero bytes, for tests.
const (
	testFold  = 2001
	testWide  = 2002
	testVWide = 2003
)

func init() {
	RegisterCollation(Collation{ID: testFold, Name: "test_fold", PadSpace: true, AppendWeights: func(dst, s []byte) []byte {
		for _, r := range strings.ToUpper(string(s)) {
			dst = AppendWeight(dst, uint32(r))
		}
		return dst
	}})
	RegisterCollation(Collation{ID: testWide, Name: "test_wide", AppendWeights: wide})
	RegisterCollation(Collation{ID: testVWide, Name: "test_wide_pad", PadSpace: true, AppendWeights: wide})
}

func wide(dst, s []byte) []byte {
	for _, r := range string(s) {
		dst = append(dst, byte(r>>16), byte(r>>8), byte(r))
	}
	return dst
}

func newRand(t testing.TB) *rand.Rand {
	seed := testkit.Seed(t)
	return rand.New(rand.NewPCG(seed, 1))
}

// testColumns has every kind of column that keys treat differently.
var testColumns = []struct {
	c Column
	p KeyPart
}{
	{c: Column{Type: TInt8}}, {c: Column{Type: TInt16}}, {c: Column{Type: TInt24}}, {c: Column{Type: TInt32}}, {c: Column{Type: TInt64}},
	{c: Column{Type: TUint8}}, {c: Column{Type: TUint16}}, {c: Column{Type: TUint24}}, {c: Column{Type: TUint32}}, {c: Column{Type: TUint64}},
	{c: Column{Type: TFloat32}}, {c: Column{Type: TFloat64}},
	{c: Column{Type: TDecimal, Precision: 10, Scale: 2}},
	{c: Column{Type: TDate}}, {c: Column{Type: TTime}}, {c: Column{Type: TDateTime}}, {c: Column{Type: TTimestamp}}, {c: Column{Type: TYear}},
	{c: Column{Type: TBit}}, {c: Column{Type: TEnum}}, {c: Column{Type: TSet}},
	{c: Column{Type: TBinary, Length: 4}}, {c: Column{Type: TBinary, Length: 4}, p: KeyPart{Prefix: 2}}, {c: Column{Type: TBinary}},
	{c: Column{Type: TVarbinary, Length: 10}}, {c: Column{Type: TBlob}, p: KeyPart{Prefix: 3}},
	{c: Column{Type: TVarchar, Collation: CollationBinary}},
	{c: Column{Type: TVarchar, Collation: 46}}, {c: Column{Type: TChar, Collation: 47}}, {c: Column{Type: TText, Collation: 46}, p: KeyPart{Prefix: 3}},
	{c: Column{Type: TVarchar, Collation: 309}}, {c: Column{Type: TVarchar, Collation: testFold}}, {c: Column{Type: TVarchar, Collation: testFold}, p: KeyPart{Prefix: 2}},
	{c: Column{Type: TVarchar, Collation: testWide}}, {c: Column{Type: TVarchar, Collation: testVWide}},
}

func randValue(r *rand.Rand, c *Column) Value {
	if c.Nullable && r.IntN(8) == 0 {
		return NullValue
	}
	w := c.width()
	switch c.Type.kind() {
	case Int:
		if r.IntN(2) == 0 {
			return IntValue(int64(r.IntN(5)) - 2)
		}
		return IntValue(int64(r.Uint64()) >> (64 - 8*w))
	case Uint:
		if r.IntN(2) == 0 {
			return UintValue(uint64(r.IntN(4)))
		}
		return UintValue(r.Uint64() >> (64 - 8*w))
	case Float:
		switch r.IntN(4) {
		case 0:
			return FloatValue(math.Copysign(0, float64(r.IntN(2))-0.5))
		case 1:
			return FloatValue(float64(r.IntN(7) - 3))
		}
		return FloatValue(float64(float32(r.NormFloat64() * 1e10)))
	}
	switch c.Type {
	case TDecimal:
		b := make([]byte, w)
		for i := range b {
			b[i] = byte(r.IntN(3))
		}
		return BytesValue(b)
	case TBinary:
		return BytesValue(randString(r, "\x00\x01\xFFa", w))
	}
	if c.character() {
		return BytesValue(randString(r, "\x00\t  aAbB\x7Fäß€𝄞", 6))
	}
	return BytesValue(randString(r, "\x00\x01\xFF a", 6))
}

func randString(r *rand.Rand, alphabet string, maxLen int) []byte {
	chars := []rune(alphabet)
	if strings.ContainsRune(alphabet, '\uFFFD') || !strings.ContainsRune(alphabet, 'ä') {
		b := make([]byte, r.IntN(maxLen+1))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return b
	}
	var b []byte
	for range r.IntN(maxLen + 1) {
		b = append(b, string(chars[r.IntN(len(chars))])...)
	}
	return b
}

// compareValues is the order the keys must have, written without any encoding.
func compareValues(c *Column, p KeyPart, a, b Value) int {
	sign := 1
	if p.Desc {
		sign = -1
	}
	if a.IsNull() || b.IsNull() {
		return sign * (cmp.Compare(b2i(!a.IsNull()), b2i(!b.IsNull())))
	}
	switch c.Type.kind() {
	case Int:
		return sign * cmp.Compare(a.Int(), b.Int())
	case Uint:
		return sign * cmp.Compare(a.Uint(), b.Uint())
	case Float:
		return sign * cmp.Compare(a.Float(), b.Float())
	}
	if !c.character() {
		x, y := a.B, b.B
		if c.Type == TBinary {
			x, y = append(bytes.Clone(x), make([]byte, int(c.Length)-len(x))...), append(bytes.Clone(y), make([]byte, int(c.Length)-len(y))...)
		}
		if n := int(p.Prefix); n > 0 {
			x, y = x[:min(n, len(x))], y[:min(n, len(y))]
		}
		return sign * bytes.Compare(x, y)
	}
	x, y := []rune(string(a.B)), []rune(string(b.B))
	if n := int(p.Prefix); n > 0 {
		x, y = x[:min(n, len(x))], y[:min(n, len(y))]
	}
	if c.Collation == testFold {
		x, y = []rune(strings.ToUpper(string(x))), []rune(strings.ToUpper(string(y)))
	}
	if LookupCollation(c.Collation).PadSpace {
		for len(x) < len(y) {
			x = append(x, ' ')
		}
		for len(y) < len(x) {
			y = append(y, ' ')
		}
	}
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return sign * cmp.Compare(x[i], y[i])
		}
	}
	return sign * cmp.Compare(len(x), len(y))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestKeyOrder(t *testing.T) {
	r := newRand(t)
	for _, tc := range testColumns {
		for _, desc := range []bool{false, true} {
			c, p := tc.c, tc.p
			c.Nullable, p.Desc = true, desc
			for range 4000 {
				a, b := randValue(r, &c), randValue(r, &c)
				require.True(t, c.Fits(a), "%+v %+v", c, a)
				ka, kb := AppendKeyPart(nil, c, p, a), AppendKeyPart(nil, c, p, b)
				want := compareValues(&c, p, a, b)
				require.Equal(t, want, bytes.Compare(ka, kb), "column %+v part %+v\n%+v %q %x\n%+v %q %x", c, p, a, a.B, ka, b, b.B, kb)
				if want != 0 {
					require.False(t, bytes.HasPrefix(ka, kb) || bytes.HasPrefix(kb, ka), "column %+v part %+v: %x %x", c, p, ka, kb)
				}
			}
		}
	}
}

func TestMultiColumnKeyOrder(t *testing.T) {
	r := newRand(t)
	for range 300 {
		var cols []Column
		var parts []KeyPart
		for i := range 1 + r.IntN(4) {
			tc := testColumns[r.IntN(len(testColumns))]
			c, p := tc.c, tc.p
			c.Nullable = r.IntN(2) == 0
			p.Column, p.Desc = i, r.IntN(2) == 0
			cols, parts = append(cols, c), append(parts, p)
		}
		var rows [][]Value
		for range 30 {
			var vals []Value
			for i := range cols {
				vals = append(vals, randValue(r, &cols[i]))
			}
			if len(rows) > 0 && r.IntN(2) == 0 {
				copy(vals, rows[r.IntN(len(rows))][:r.IntN(len(cols)+1)])
			}
			rows = append(rows, vals)
		}
		for _, a := range rows {
			ka := AppendKey(nil, cols, parts, a)
			require.True(t, bytes.HasPrefix(ka, AppendKey(nil, cols, parts[:len(parts)-1], a)))
			rest, err := SkipKey(append(bytes.Clone(ka), "rest"...), cols, parts)
			require.NoError(t, err)
			require.Equal(t, "rest", string(rest))
			wantNull := false
			for i := range cols {
				wantNull = wantNull || a[i].IsNull()
			}
			null, err := HasNull(ka, cols, parts)
			require.NoError(t, err)
			require.Equal(t, wantNull, null)
			for _, b := range rows {
				want := 0
				for i := 0; i < len(cols) && want == 0; i++ {
					want = compareValues(&cols[i], parts[i], a[i], b[i])
				}
				require.Equal(t, want, bytes.Compare(ka, AppendKey(nil, cols, parts, b)))
			}
		}
	}
}

func TestDecodeKey(t *testing.T) {
	r := newRand(t)
	decodable := 0
	for _, tc := range testColumns {
		for _, desc := range []bool{false, true} {
			c, p := tc.c, tc.p
			c.Nullable, p.Desc = true, desc
			if !Decodable(c, p) {
				continue
			}
			decodable++
			for range 500 {
				v := randValue(r, &c)
				if c.Type == TBinary && !v.IsNull() {
					v.B = append(v.B, make([]byte, int(c.Length)-len(v.B))...)
				}
				key := append(AppendKeyPart(nil, c, p, v), "rest"...)
				got, rest, grown, err := DecodeKeyPart(key, c, p, []byte("buf"))
				require.NoError(t, err)
				require.Equal(t, "rest", string(rest))
				require.Equal(t, "buf", string(grown[:3]))
				require.True(t, v.Same(got), "%+v: %+v %+v", c, v, got)
			}
		}
	}
	require.Greater(t, decodable, 30)
	for _, c := range []Column{{Type: TFloat64}, {Type: TVarchar, Collation: 46}, {Type: TVarchar, Collation: testFold}} {
		require.False(t, Decodable(c, KeyPart{}))
	}
	require.False(t, Decodable(Column{Type: TVarbinary}, KeyPart{Prefix: 1}))
}

// TestKeyBytes pins the encoding: it is on disk.
func TestKeyBytes(t *testing.T) {
	for _, tc := range []struct {
		c    Column
		p    KeyPart
		v    Value
		want string
	}{
		{Column{Type: TInt32}, KeyPart{}, IntValue(1), "0180000001"},
		{Column{Type: TInt32}, KeyPart{}, IntValue(-1), "017fffffff"},
		{Column{Type: TInt32}, KeyPart{Desc: true}, IntValue(1), "fe7ffffffe"},
		{Column{Type: TInt32}, KeyPart{}, NullValue, "00"},
		{Column{Type: TInt32}, KeyPart{Desc: true}, NullValue, "ff"},
		{Column{Type: TUint64}, KeyPart{}, UintValue(258), "010000000000000102"},
		{Column{Type: TFloat64}, KeyPart{}, FloatValue(1), "01bff0000000000000"},
		{Column{Type: TVarbinary}, KeyPart{}, BytesValue([]byte("a\x00b")), "016100ff620001"},
		{Column{Type: TVarchar, Collation: 309}, KeyPart{}, BytesValue([]byte("ab ")), "016162200001"},
		{Column{Type: TVarchar, Collation: 46}, KeyPart{}, BytesValue([]byte("ab ")), "016162200001"},
		{Column{Type: TVarchar, Collation: 46}, KeyPart{}, BytesValue([]byte("a \t")), "0161200000" + "09200001"},
		{Column{Type: TBinary, Length: 3}, KeyPart{}, BytesValue([]byte("a")), "01610000"},
	} {
		require.Equal(t, tc.want, hex.EncodeToString(AppendKeyPart(nil, tc.c, tc.p, tc.v)))
	}
}

func TestPrefixEnd(t *testing.T) {
	require.Equal(t, []byte{1, 3}, PrefixEnd([]byte{1, 2}))
	require.Equal(t, []byte{2}, PrefixEnd([]byte{1, 0xFF, 0xFF}))
	require.Nil(t, PrefixEnd([]byte{0xFF}))
	require.Nil(t, PrefixEnd(nil))
}

func TestWeights(t *testing.T) {
	var last []byte
	for w := uint32(0); w < 1<<21-1; w += 1 + w/64 {
		b := AppendWeight(nil, w)
		require.NotContains(t, b, byte(0))
		require.Negative(t, bytes.Compare(last, b), "%d", w)
		require.False(t, last != nil && bytes.HasPrefix(b, last))
		last = b
	}
	require.Panics(t, func() { AppendWeight(nil, 1<<21) })
	require.Panics(t, func() { AppendKeyPart(nil, Column{Type: TChar, Collation: 1999}, KeyPart{}, BytesValue(nil)) })
	require.Panics(t, func() { RegisterCollation(Collation{ID: 1999}) })
	require.Equal(t, "utf8mb4_bin", LookupCollation(46).Name)
	require.Nil(t, LookupCollation(60000))
}

func FuzzSkipKey(f *testing.F) {
	f.Add([]byte{1, 2, 0, 1}, uint8(0))
	f.Fuzz(func(t *testing.T, key []byte, which uint8) {
		tc := testColumns[int(which)%len(testColumns)]
		for _, desc := range []bool{false, true} {
			p := tc.p
			p.Desc = desc
			rest, err := SkipKeyPart(key, tc.c, p)
			if err != nil {
				require.ErrorIs(t, err, ErrKey)
				continue
			}
			require.Less(t, len(rest), len(key))
			if Decodable(tc.c, p) {
				_, rest2, _, err := DecodeKeyPart(key, tc.c, p, nil)
				require.NoError(t, err)
				require.Equal(t, rest, rest2)
			}
		}
	})
}

func BenchmarkAppendKey(b *testing.B) {
	cols := []Column{{Type: TInt32}, {Type: TVarchar, Collation: testFold}}
	parts := []KeyPart{{Column: 0}, {Column: 1}}
	vals := []Value{IntValue(7), BytesValue([]byte("some name of a customer"))}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendKey(dst[:0], cols, parts, vals)
	}
}
