package store

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/internal/testkit"
)

func TestDecimalBinary(t *testing.T) {
	seed := testkit.Seed(t)
	rnd := rand.New(rand.NewSource(int64(seed)))
	for range 20000 {
		precision := uint8(1 + rnd.Intn(65))
		scale := uint8(rnd.Intn(min(int(precision), 30) + 1))
		a, b := randomDecimal(rnd, precision, scale), randomDecimal(rnd, precision, scale)
		ab, err := appendDecimal(nil, a, precision, scale)
		require.NoError(t, err)
		require.Len(t, ab, row.DecimalWidth(precision, scale))
		bb, err := appendDecimal(nil, b, precision, scale)
		require.NoError(t, err)
		require.Equal(t, a.Cmp(b), bytes.Compare(ab, bb), "%s and %s as decimal(%d,%d)", a, b, precision, scale)
		require.Zero(t, a.Cmp(decodeDecimal(ab, precision, scale)), "%s as decimal(%d,%d)", a, precision, scale)
	}
	_, err := appendDecimal(nil, apd.New(12345, 0), 4, 0)
	require.Error(t, err)
	_, err = appendDecimal(nil, apd.New(15, -1), 4, 0)
	require.Error(t, err)
}

func randomDecimal(rnd *rand.Rand, precision, scale uint8) *apd.Decimal {
	digits := make([]byte, rnd.Intn(int(precision))+1)
	for i := range digits {
		digits[i] = byte('0' + rnd.Intn(10))
	}
	d := &apd.Decimal{Exponent: -int32(scale), Negative: rnd.Intn(2) == 0}
	d.Coeff.SetString(string(digits), 10)
	if d.IsZero() {
		d.Negative = false
	}
	return d
}

func TestCodecRoundTrip(t *testing.T) {
	ctx := sql.NewEmptyContext()
	geometry := types.Point{SRID: 0, X: 1.5, Y: -2}
	for i, c := range []struct {
		typ sql.Type
		val any
	}{
		{types.Int8, int8(-128)}, {types.Int16, int16(32767)}, {types.Int24, int32(-8388608)}, {types.Int32, int32(-1)}, {types.Int64, int64(-1 << 63)},
		{types.Uint8, uint8(255)}, {types.Uint24, uint32(16777215)}, {types.Uint64, ^uint64(0)}, {types.Float32, float32(1.25)}, {types.Float64, -0.1},
		{types.Date, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, {types.Date, types.ZeroTime}, {types.Datetime, types.ZeroTime},
		{types.DatetimeMaxPrecision, time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)},
		{types.TimestampMaxPrecision, time.Date(2038, 1, 19, 3, 14, 7, 123456000, time.UTC)}, {types.Timestamp, types.ZeroTime},
		{types.Time, types.Timespan(-3020399000000)}, {types.Year, int16(2155)}, {types.Year, int16(0)}, {types.MustCreateBitType(64), ^uint64(0)},
		{types.MustCreateEnumType([]string{"a", "b"}, sql.Collation_Default), uint16(2)}, {types.MustCreateSetType([]string{"a", "b"}, sql.Collation_Default), uint64(3)},
		{types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_Default), "grüße "}, {types.LongText, ""}, {types.Blob, []byte{0, 255, 1}},
		{types.MustCreateBinary(sqltypes.VarBinary, 5), []byte{}}, {types.VectorType{Dimensions: 1}, []byte{0, 0, 128, 63}}, {types.GeometryType{}, geometry}, {types.PointType{}, geometry},
	} {
		col, err := StorageColumn(c.typ, true)
		require.NoError(t, err)
		code := &Codec{Typ: c.typ, Col: col}
		v, err := code.Encode(ctx, c.val)
		require.NoError(t, err, "%d %s", i, c.typ)
		require.True(t, col.Fits(v), "%d %s", i, c.typ)
		back, err := code.Decode(nil, v)
		require.NoError(t, err)
		require.Equal(t, c.val, back, "%d %s", i, c.typ)
		null, err := code.Encode(ctx, nil)
		require.NoError(t, err)
		require.True(t, null.IsNull())
	}
}

func TestCodecConverts(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, c := range []struct {
		typ       sql.Type
		val, want any
	}{
		{types.Int32, "42", int32(42)}, {types.Int32, int64(7), int32(7)}, {types.Date, "2020-01-02", time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)},
		{types.MustCreateString(sqltypes.Char, 5, sql.Collation_Default), "ab  ", "ab"}, {types.MustCreateEnumType([]string{"a", "b"}, sql.Collation_Default), "b", uint16(2)},
	} {
		col, err := StorageColumn(c.typ, true)
		require.NoError(t, err)
		code := &Codec{Typ: c.typ, Col: col}
		v, err := code.Encode(ctx, c.val)
		require.NoError(t, err)
		back, err := code.Decode(nil, v)
		require.NoError(t, err)
		require.Equal(t, c.want, back)
	}
	col, err := StorageColumn(types.JSON, true)
	require.NoError(t, err)
	code := &Codec{Typ: types.JSON, Col: col}
	v, err := code.Encode(ctx, types.MustJSON(`{"b":[1,2],"a":"x"}`))
	require.NoError(t, err)
	require.Equal(t, `{"a": "x", "b": [1, 2]}`, string(v.B))
	_, err = StorageColumn(types.Null, true)
	require.Error(t, err, fmt.Sprint(types.Null))
}
