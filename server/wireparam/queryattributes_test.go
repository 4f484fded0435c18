package wireparam

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/wire"
	"emberdb/sqllayer"
)

// TestAttributeValues reads one value of each type in front of a statement.
func TestAttributeValues(t *testing.T) {
	for _, c := range []struct {
		typ, flags byte
		value      string
		want       sqllayer.QueryAttribute
	}{
		{typeString, 0, "\x03abc", sqllayer.QueryAttribute{Name: "n", Value: "abc"}},
		{typeBlob, 0, "\x01\xfc", sqllayer.QueryAttribute{Name: "n", Value: "\u00fc"}},
		{typeString, 0, "\x01\xfc", sqllayer.QueryAttribute{Name: "n"}},
		{typeLong, 0, "\x06\x00\x00\x80", sqllayer.QueryAttribute{Name: "n", Value: "-2147483642"}},
		{typeLong, FlagUnsigned, "\x06\x00\x00\x80", sqllayer.QueryAttribute{Name: "n", Value: "18446744071562067974"}},
		{TypeTiny, 0, "\xff", sqllayer.QueryAttribute{Name: "n", Value: "-1"}},
		{typeDouble, 0, "\x00\x00\x00\x00\x00\x00\xf8\x3f", sqllayer.QueryAttribute{Name: "n", Value: "1.5"}},
		{TypeNewDecimal, 0, "\x041.20", sqllayer.QueryAttribute{Name: "n", Value: "1.20"}},
		{TypeDate, 0, "\x04\xea\x07\x01\x02", sqllayer.QueryAttribute{Name: "n", Value: "2026-01-02"}},
		{TypeDatetime, 0, "\x00", sqllayer.QueryAttribute{Name: "n", Value: "0000-00-00 00:00:00.000000"}},
		{TypeDatetime, 0, "\x0b\xea\x07\x01\x02\x03\x04\x05\x06\x00\x00\x00", sqllayer.QueryAttribute{Name: "n", Value: "2026-01-02 03:04:05.000006"}},
		{TypeTime, 0, "\x08\x01\x01\x00\x00\x00\x03\x04\x05", sqllayer.QueryAttribute{Name: "n", Value: "-27:04:05.000000"}},
		{TypeNull, 0, "\x01x", sqllayer.QueryAttribute{Name: "n", Null: true}},
		{13, 0, "\x01x", sqllayer.QueryAttribute{Name: "n", Null: true}},
		{typeString, 0x40, "\x01x", sqllayer.QueryAttribute{Name: "n", Null: true}},
	} {
		text := "\x01\x01\x00\x01" + string([]byte{c.typ, c.flags}) + "\x01n" + c.value + "SELECT 1"
		cursor := wire.Cursor{Rest: []byte(text)}
		all, ok := AttributeReader{Cursor: &cursor}.Query()
		require.True(t, ok, "%q", text)
		require.Equal(t, []sqllayer.QueryAttribute{c.want}, all, "%q", text)
		require.Equal(t, "SELECT 1", string(cursor.Rest), "%q", text)
	}
}

// FuzzQueryAttributes reads whatever may stand before a statement.
func FuzzQueryAttributes(f *testing.F) {
	f.Add([]byte("\x00\x01SELECT 1"))
	f.Add([]byte("\x01\x01\x00\x01\xfe\x00\x01n\x03abcSELECT 5"))
	f.Add([]byte("\x02\x01\x02\x01\x03\x00\x01n\x06\x00\x00\x07\x00\x00\x00SELECT 6"))
	f.Add([]byte("\xfd\xff\xff\xff\x01SELECT 5"))
	f.Fuzz(func(t *testing.T, p []byte) {
		c := wire.Cursor{Rest: p}
		all, ok := AttributeReader{Cursor: &c}.Query()
		if !ok {
			return
		}
		require.LessOrEqual(t, len(all), len(p))
		require.LessOrEqual(t, len(c.Rest), len(p))
	})
}
