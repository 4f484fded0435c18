package geometry

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

// nestedWKB is collections around each other.
func nestedWKB(depth int) string {
	return strings.Repeat("010700000001000000", depth-1) + "010700000000000000"
}

// malformed are bytes that are no geometry: counts without parts, cut parts, wrong kinds, open
// rings, bytes behind the end.
var malformed = []string{
	"", "01", "0107000000FFFFFFFF", "0000000007FFFFFFFF", "0102000000FFFFFFFF", "0103000000FFFFFFFF", "0104000000FFFFFFFF", "0105000000FFFFFFFF", "0106000000FFFFFFFF",
	"0101000000", "01010000000000000000000000000000000000000000" + "00", "0201000000" + strings.Repeat("00", 16),
	"0108000000" + strings.Repeat("00", 16), "010200000001000000" + strings.Repeat("00", 16), "010300000000000000", "010400000000000000",
	"0104000000010000000102000000" + strings.Repeat("00", 64), "01030000000100000004000000" + strings.Repeat("00", 48) + "000000000000F03F0000000000000000",
}

func TestMalformedWKB(t *testing.T) {
	for _, s := range malformed {
		_, err := FromWKB(unhex(t, s), 0)
		require.ErrorIs(t, err, ErrInvalid, s)
		_, err = FromStored(append(make([]byte, 4), unhex(t, s)...))
		require.ErrorIs(t, err, ErrInvalid, s)
	}
	_, err := FromWKB(unhex(t, nestedWKB(MaxDepth+1)), 0)
	require.ErrorIs(t, err, ErrDepth)
	g, err := FromWKB(unhex(t, nestedWKB(MaxDepth)), 0)
	require.NoError(t, err)
	size, depth := Measure(g, math.MaxInt64)
	require.Equal(t, MaxDepth, depth)
	require.EqualValues(t, len(g.Serialize()), size)
}

func TestText(t *testing.T) {
	for _, text := range []string{"POINT(1 2)", " linestring ( 1 1 , 2 2 ) ", "POLYGON((0 0,1 1,1 0,0 0))", "multipoint(1 1,2 2)", "MULTIPOINT((1 1),(2 2))",
		"MULTILINESTRING((1 1,2 2))", "MULTIPOLYGON(((0 0,1 1,1 0,0 0)))", "GEOMETRYCOLLECTION EMPTY", "geometrycollection()", "GEOMETRYCOLLECTION(POINT(1 1),GEOMETRYCOLLECTION EMPTY)",
		"POINT(+1 -1.5e3)", "POINT(.5 5.)"} {
		g, err := FromText(text, 4326)
		require.NoError(t, err, text)
		again, err := FromStored(g.Serialize())
		require.NoError(t, err, text)
		require.Equal(t, g, again, text)
	}
	for _, text := range []string{"", "POINT", "POINT()", "POINT(1)", "POINT(1 2", "POINT(1 2))", "POINT(1 2) x", "POINT(x y)", "POINT(1,2)", "POINT(1e400 1)", "POINT(nan 1)", "POINT(0x10 1)",
		"POINT EMPTY", "LINESTRING(1 1)", "POLYGON()", "POLYGON((0 0,1 1,1 0))", "POLYGON((0 0,1 1,1 0,0 1))", "POLYGON((0 0,1 1,1 0,0 0),)", "MULTIPOINT(,(1 1))", "MULTIPOINT((1 1),)",
		"MULTIPOINT(1 1,(2 2))", "GEOMETRYCOLLECTION(POINT(x y))", "GEOMETRYCOLLECTION(POINT(1 1),)", "()", "GEOMCOLLECTION(POINT(1 2))"} {
		_, err := FromText(text, 0)
		require.ErrorIs(t, err, ErrInvalid, text)
	}
	_, err := FromText(strings.Repeat("GEOMETRYCOLLECTION(", MaxDepth+1), 0)
	require.ErrorIs(t, err, ErrDepth)
}

// TestMeasureShared doubles a value whose parts are shared: it is as large as if they were not, and
// not looked at longer than it may be.
func TestMeasureShared(t *testing.T) {
	var g types.GeometryValue = types.Point{X: 1, Y: 2}
	for range 60 {
		g = types.GeomColl{Geoms: []types.GeometryValue{g, g}}
	}
	size, _ := Measure(g, 1<<20)
	require.Greater(t, size, int64(1<<20))
}

func FuzzWKB(f *testing.F) {
	for _, s := range malformed {
		f.Add(unhex(f, s))
	}
	for _, text := range []string{"POINT(1 2)", "MULTIPOLYGON(((0 0,1 1,1 0,0 0)))", "GEOMETRYCOLLECTION(MULTIPOINT((1 1),(2 2)),MULTILINESTRING((1 1,2 2)),GEOMETRYCOLLECTION EMPTY)"} {
		g, err := FromText(text, 0)
		require.NoError(f, err)
		f.Add(g.Serialize()[types.SRIDSize:])
	}
	f.Add(unhex(f, nestedWKB(100)))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := FromWKB(b, 0)
		if err != nil {
			require.True(t, errors.Is(err, ErrInvalid) || errors.Is(err, ErrDepth))
			return
		}
		size, _ := Measure(g, math.MaxInt64)
		require.EqualValues(t, len(b)+types.SRIDSize, size)
		again, err := FromStored(g.Serialize())
		require.NoError(t, err)
		require.Equal(t, g.Serialize(), again.Serialize())
	})
}

func FuzzText(f *testing.F) {
	for _, text := range []string{"POINT(1 2)", "LINESTRING(1 1,2 2)", "POLYGON((0 0,1 1,1 0,0 0))", "MULTIPOINT(1 1,2 2)", "MULTIPOINT((1 1),(2 2))", "MULTILINESTRING((1 1,2 2))",
		"MULTIPOLYGON(((0 0,1 1,1 0,0 0)))", "GEOMETRYCOLLECTION(POINT(1 1),GEOMETRYCOLLECTION EMPTY)", "POLYGON((0 0,1 1,1 0,0 0),)", "MULTIPOINT(,(1 1))"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := FromText(text, 0)
		if err != nil {
			return
		}
		again, err := FromStored(g.Serialize())
		require.NoError(t, err)
		require.Equal(t, g, again)
	})
}
