package server

import (
	"testing"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/stretchr/testify/require"

	"emberdb/compiled"
	"emberdb/server/resultset"
	"emberdb/server/wire"
	"emberdb/server/wireparam"
)

// headless is an execution whose payload begins behind the head.
func headless(p ...byte) []byte { return append(make([]byte, wireparam.ExecuteHead), p...) }

// bound reads one parameter.
func bound(t *testing.T, typ, flags byte, value []byte) (compiled.Param, *mysql.SQLError) {
	t.Helper()
	w := &wireConn{}
	data := &mysql.PrepareData{ParamsCount: 1, ParamsType: make([]int32, 1)}
	err := w.bind(data, append(headless(0, 1, typ, flags), value...))
	if err != nil {
		return compiled.Param{}, err
	}
	return w.compiled.params[0], nil
}

func TestBoundTimes(t *testing.T) {
	for _, c := range []struct {
		typ   byte
		value []byte
		want  string
	}{
		{wireparam.TypeDate, []byte{0}, "0000-00-00"},
		{wireparam.TypeDate, []byte{4, 1, 0, 2, 3}, "0001-02-03"},
		{wireparam.TypeDatetime, []byte{4, 0xea, 7, 2, 3}, "2026-02-03 00:00:00"},
		{wireparam.TypeTimestamp, []byte{7, 0xea, 7, 2, 3, 4, 5, 6}, "2026-02-03 04:05:06"},
		{wireparam.TypeDatetime, []byte{11, 0xea, 7, 2, 3, 4, 5, 6, 6, 0, 0, 0}, "2026-02-03 04:05:06.000006"},
		{wireparam.TypeDatetime, []byte{11, 0xea, 7, 2, 3, 4, 5, 6, 0x60, 0xea, 0, 0}, "2026-02-03 04:05:06.060000"},
		{wireparam.TypeDatetime, []byte{13, 0xea, 7, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0xa6, 0xff}, "2026-02-03 04:05:06-01:30"},
		{wireparam.TypeTime, []byte{0}, "00:00:00"},
		{wireparam.TypeTime, []byte{8, 1, 34, 0, 0, 0, 22, 59, 59}, "-838:59:59"},
		{wireparam.TypeTime, []byte{12, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "-00:00:00.000001"},
		{wireparam.TypeTime, []byte{8, 1, 0, 0, 0, 0, 0, 0, 0}, "00:00:00"}, // MySQL reads a minus zero as 2047 hours
	} {
		p, err := bound(t, c.typ, 0, c.value)
		require.Nil(t, err, c.want)
		require.Equal(t, compiled.KindTime, p.Kind)
		require.Equal(t, c.want, string(p.B))
	}
}

func TestBoundDecimals(t *testing.T) {
	for text, want := range map[string]string{
		"1.50": "1.50", "-0.00": "0.00", "+7": "7", ".5": "0.5", "5.": "5", " 12 ": "12", "1e3": "1000", "1.5e-2": "0.015", "12e-3": "0.012", "abc": "0", "": "0",
		"0e9999999999": "0", "1e9999999999": "99999999999999999999999999999999999999999999999999999999999999999",
	} {
		p, err := bound(t, wireparam.TypeNewDecimal, 0, append([]byte{byte(len(text))}, text...))
		require.Nil(t, err, text)
		require.Equal(t, want, string(p.B), text)
	}
	p, err := bound(t, wireparam.TypeNewDecimal, 0, []byte("\x0d1e-9999999999"))
	require.Nil(t, err)
	require.Len(t, p.B, len("0.")+wireparam.DecimalGroups*wireparam.DecimalGroup, "no more digits than a DECIMAL is computed with")
}

// TestBoundErrors checks that no length is believed beyond the packet.
func TestBoundErrors(t *testing.T) {
	for name, value := range map[string][]byte{
		"longer than the packet": {5, 'a'}, "four gigabytes": {0xfe, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 'a'}, "all bits": {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"a length that is NULL": {0xfb}, "no length": {}, "a cut length": {0xfc, 1},
	} {
		_, err := bound(t, wireparam.TypeVarString, 0, value)
		require.Equal(t, wireparam.ErrMalformed, err, name)
	}
	_, err := bound(t, 9, 0, []byte{0})
	require.Equal(t, wireparam.ErrExecuteTypes, err)
	_, err = bound(t, wireparam.TypeTiny, 1, []byte{0})
	require.Equal(t, wireparam.ErrExecuteTypes, err)
	_, err = bound(t, wireparam.TypeDatetime, 0, []byte{4, 0xea, 7, 13, 1})
	require.Equal(t, 1690, err.Num)
}

// TestNullsWithoutTypes takes an execution of nothing but NULLs, with which clients send no types.
func TestNullsWithoutTypes(t *testing.T) {
	w := &wireConn{}
	data := &mysql.PrepareData{ParamsCount: 2, ParamsType: make([]int32, 2)}
	require.Nil(t, w.bind(data, headless(3, 0)))
	require.Equal(t, []compiled.Param{{}, {}}, w.compiled.params)
	require.Equal(t, wireparam.ErrExecuteTypes, w.bind(data, headless(1, 0, 7)))
}

func TestBinaryRow(t *testing.T) {
	for _, c := range []struct {
		typ  querypb.Type
		v    any
		text string
		want []byte
	}{
		{sqltypes.Int24, nil, "-1", []byte{0xff, 0xff, 0xff, 0xff}},
		{sqltypes.Year, nil, "0000", []byte{0, 0}},
		{sqltypes.Float32, float32(16777216), "16777200", []byte{0, 0, 0x80, 0x4b}},
		{sqltypes.Date, nil, "0000-00-00", []byte{0}},
		{sqltypes.Datetime, nil, "0099-01-02 00:00:00.000", []byte{4, 99, 0, 1, 2}},
		{sqltypes.Datetime, nil, "2026-01-02 00:00:01", []byte{7, 0xea, 7, 1, 2, 0, 0, 1}},
		{sqltypes.Timestamp, nil, "2026-01-02 00:00:00.01", []byte{11, 0xea, 7, 1, 2, 0, 0, 0, 0x10, 0x27, 0, 0}},
		{sqltypes.Time, nil, "00:00:00.000000", []byte{0}},
		{sqltypes.Time, nil, "-25:00:00", []byte{8, 1, 1, 0, 0, 0, 1, 0, 0}},
		{sqltypes.VarChar, nil, "ab", []byte{2, 'a', 'b'}},
	} {
		b, err := resultset.AppendBinary(nil, c.typ, c.v, []byte(c.text))
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, b, c.text)
	}
	for _, text := range []string{"2026-01", "x", "2026-01-02 00:00:00x", "99999999999999-01-01"} {
		if _, err := resultset.AppendBinary(nil, sqltypes.Datetime, nil, []byte(text)); text != "2026-01" {
			require.Error(t, err, text)
		}
	}
}

// FuzzBind reads whatever a client may send, with and without attributes.
func FuzzBind(f *testing.F) {
	f.Add(uint16(1), false, []byte{0, 1, wireparam.TypeDatetime, 0, 11, 0xea, 7, 2, 3, 4, 5, 6, 6, 0, 0, 0})
	f.Add(uint16(2), false, []byte{1, 1, wireparam.TypeNewDecimal, 0, wireparam.TypeTime, 0x80, 8, 1, 34, 0, 0, 0, 22, 59, 59})
	f.Add(uint16(1), false, []byte{0, 1, wireparam.TypeVarString, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint16(1), true, []byte{2, 0, 1, wireparam.TypeTiny, 0, 0, wireparam.TypeVarString, 0, 1, 'n', 5, 3, 'a', 'b', 'c'})
	f.Fuzz(func(t *testing.T, params uint16, named bool, p []byte) {
		params %= 64
		w := &wireConn{}
		if p = headless(p...); named {
			w.caps, p[4] = wire.CapQueryAttributes, countFollows
		}
		data := &mysql.PrepareData{ParamsCount: params, ParamsType: make([]int32, params), BindVars: map[string]*querypb.BindVariable{}}
		if w.bind(data, p) != nil {
			return
		}
		require.Len(t, w.compiled.params, int(params))
		for i := range w.compiled.params {
			_ = wireparam.BindExpr(wireparam.LibraryParam(&w.compiled.params[i]))
		}
	})
}
