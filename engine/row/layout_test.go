package row

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func randTable(r *rand.Rand) []Column {
	cols := make([]Column, 1+r.IntN(20))
	for i := range cols {
		cols[i] = testColumns[r.IntN(len(testColumns))].c
		cols[i].Nullable = r.IntN(2) == 0
	}
	return cols
}

func randRow(r *rand.Rand, cols []Column) []Value {
	vals := make([]Value, len(cols))
	for i := range cols {
		vals[i] = randValue(r, &cols[i])
		if cols[i].Type == TBinary && !vals[i].IsNull() {
			vals[i].B = append(vals[i].B, make([]byte, int(cols[i].Length)-len(vals[i].B))...)
		}
	}
	return vals
}

func requireSame(t *testing.T, want, got []Value) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, want[i].Same(got[i]), "column %d: want %+v got %+v", i, want[i], got[i])
	}
}

func TestLayoutRoundTrip(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		cols := randTable(r)
		l := NewLayout(cols)
		vals := randRow(r, cols)
		row := l.Append([]byte("head"), vals, nil)[4:]
		require.NoError(t, l.Validate(row))
		require.Len(t, row, l.Size(vals))
		requireSame(t, vals, l.Decode(row, nil))
		single := make([]Value, len(cols))
		for i := range single {
			single[i], _ = l.Column(row, i)
		}
		requireSame(t, vals, single)
		require.Empty(t, l.AppendOverflow(nil, row))
	}
}

// A row written by an older version of the table reads under the newer one.
func TestLayoutAppendedColumns(t *testing.T) {
	r := newRand(t)
	for range 500 {
		cols := randTable(r)
		n := 1 + r.IntN(len(cols))
		vals := randRow(r, cols)
		missing := randRow(r, cols)
		row := NewLayout(cols[:n]).Append(nil, vals[:n], nil)
		want := append(append([]Value{}, vals[:n]...), missing[n:]...)
		l := NewLayoutMissing(cols, missing)
		require.NoError(t, l.Validate(row))
		requireSame(t, want, l.Decode(row, nil))
		for i := n; i < len(want); i++ {
			want[i] = NullValue
		}
		requireSame(t, want, NewLayout(cols).Decode(row, nil))
	}
}

func TestLayoutOverflow(t *testing.T) {
	cols := []Column{{Type: TInt32}, {Type: TBlob}, {Type: TVarchar, Collation: 46}, {Type: TText, Collation: 46, Nullable: true}}
	l := NewLayout(cols)
	vals := []Value{IntValue(-3), BytesValue(bytes.Repeat([]byte{1}, 100_000)), BytesValue([]byte("inline")), BytesValue(bytes.Repeat([]byte{2}, 50_000))}
	over := []OverflowRef{{1, 77, 100_000, 5}, {3, 99, 50_000, 6}}
	row := l.Append(nil, vals, over)
	require.NoError(t, l.Validate(row))
	require.Equal(t, over, l.AppendOverflow(nil, row))
	v, overflow := l.Column(row, 1)
	require.True(t, overflow)
	require.Equal(t, over[0], ParseOverflow(1, v.B))
	v, overflow = l.Column(row, 2)
	require.False(t, overflow)
	require.Equal(t, "inline", string(v.B))
	got := make([]Value, len(cols))
	require.True(t, l.Read(row, []int{0, 1}, got))
	require.Equal(t, over[0], ParseOverflow(1, got[1].B))
	require.False(t, l.Read(row, []int{0, 2}, got))
	require.Equal(t, "inline", string(got[2].B))
	require.Panics(t, func() { l.Append(nil, vals, nil) })
	require.Panics(t, func() { l.Append(nil, []Value{UintValue(1), vals[1], vals[2], vals[3]}, over) })
}

// A change of a fixed-width column changes its own bytes only.
func TestFixedColumnPatch(t *testing.T) {
	l := NewLayout([]Column{{Type: TInt64}, {Type: TVarchar, Collation: 46}, {Type: TInt32}, {Type: TDecimal, Precision: 12, Scale: 2}})
	vals := []Value{IntValue(1), BytesValue([]byte("name")), IntValue(0x01020304), BytesValue(make([]byte, 6))}
	a := l.Append(nil, vals, nil)
	vals[2] = IntValue(0x0A0B0C0D)
	b := l.Append(nil, vals, nil)
	prefix, _, middle := Patch(a, b)
	require.Equal(t, 4+8, prefix)
	require.Equal(t, []byte{0x0D, 0x0C, 0x0B, 0x0A}, middle)
	require.Equal(t, "01040000"+"0100000000000000"+"0d0c0b0a"+"000000000000"+"1c00"+hex.EncodeToString([]byte("name")), hex.EncodeToString(b))
}

func TestPatch(t *testing.T) {
	r := newRand(t)
	for range 5000 {
		from := randString(r, "ab", 40)
		to := bytes.Clone(from)
		switch r.IntN(3) {
		case 0:
			to = randString(r, "ab", 40)
		case 1:
			at := r.IntN(len(to) + 1)
			to = append(append(bytes.Clone(to[:at]), randString(r, "ab", 5)...), to[at:]...)
		}
		prefix, suffix, middle := Patch(from, to)
		got, ok := ApplyPatch([]byte("x"), from, prefix, suffix, middle)
		require.True(t, ok)
		require.Equal(t, "x"+string(to), string(got))
		if bytes.Equal(from, to) {
			require.Empty(t, middle)
		}
	}
	_, ok := ApplyPatch(nil, []byte("abc"), 2, 2, nil)
	require.False(t, ok)
}

func TestFits(t *testing.T) {
	for _, tc := range []struct {
		c  Column
		v  Value
		ok bool
	}{
		{Column{Type: TInt8}, IntValue(127), true}, {Column{Type: TInt8}, IntValue(128), false}, {Column{Type: TInt8}, IntValue(-128), true},
		{Column{Type: TUint24}, UintValue(1<<24 - 1), true}, {Column{Type: TUint24}, UintValue(1 << 24), false},
		{Column{Type: TInt64}, IntValue(-1 << 63), true}, {Column{Type: TInt8}, NullValue, false}, {Column{Type: TInt8, Nullable: true}, NullValue, true},
		{Column{Type: TInt8}, UintValue(1), false}, {Column{Type: TFloat32}, FloatValue(0.1), false}, {Column{Type: TFloat32}, FloatValue(0.5), true},
		{Column{Type: TDecimal, Precision: 10, Scale: 2}, BytesValue(make([]byte, 5)), true}, {Column{Type: TDecimal, Precision: 10, Scale: 2}, BytesValue(make([]byte, 4)), false},
		{Column{Type: TBinary, Length: 2}, BytesValue(make([]byte, 3)), false},
	} {
		require.Equal(t, tc.ok, tc.c.Fits(tc.v), "%+v %+v", tc.c, tc.v)
	}
	require.Equal(t, 5, DecimalWidth(10, 2))
	require.Equal(t, 30, DecimalWidth(65, 30))
	require.Equal(t, 8, DecimalWidth(18, 9))
}

func FuzzValidate(f *testing.F) {
	cols := []Column{{Type: TInt32}, {Type: TBlob}, {Type: TUint8}, {Type: TText, Collation: 46}}
	l := NewLayout(cols)
	f.Add(l.Append(nil, []Value{IntValue(1), BytesValue([]byte("x")), UintValue(2), BytesValue([]byte("yz"))}, nil))
	f.Fuzz(func(t *testing.T, row []byte) {
		if l.Validate(row) == nil {
			l.Decode(row, nil)
			l.AppendOverflow(nil, row)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	var cols []Column
	var vals []Value
	for range 5 {
		cols = append(cols, Column{Type: TInt32}, Column{Type: TVarchar, Collation: 46})
		vals = append(vals, IntValue(7), BytesValue([]byte("some text")))
	}
	l := NewLayout(cols)
	row := l.Append(nil, vals, nil)
	var out []Value
	b.ReportAllocs()
	for b.Loop() {
		out = l.Decode(row, out)
	}
}
