package replication

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLiterals(t *testing.T) {
	for _, x := range []struct {
		c        column
		v        any
		unsigned bool
		want     string
	}{
		{column{kind: "int"}, nil, false, "NULL"},
		{column{kind: "binary", padded: 3}, "a", false, "0x610000"},
		{column{kind: "binary", padded: 2}, "", false, "0x0000"},
		{column{kind: "tinyint"}, int8(-1), true, "255"},
		{column{kind: "mediumint"}, int32(-1), true, "16777215"},
		{column{kind: "mediumint"}, int32(-1), false, "-1"},
		{column{kind: "bigint"}, int64(-1), true, "18446744073709551615"},
		{column{kind: "bit"}, int64(-1), false, "18446744073709551615"},
		{column{kind: "float"}, float32(0.1), false, "1.0000000149011612e-01"},
		{column{kind: "double"}, 0.1, false, "1e-01"},
		{column{kind: "decimal"}, "-0.10", false, "-0.10"},
		{column{kind: "time"}, "-01:02:03.4", false, "'-01:02:03.4'"},
		{column{kind: "varchar", charset: "utf8mb4"}, "a'b\\\x00\nç", false, `'a\'b\\\0\nç'`},
		{column{kind: "varchar", charset: "latin1"}, "\xe9", false, "_latin1 0xe9"},
		{column{kind: "varchar", charset: "latin1"}, "", false, "_latin1 ''"},
		{column{kind: "blob"}, []byte("\x00a"), false, "0x0061"},
		{column{kind: "blob"}, []byte{}, false, "''"},
		{column{kind: "point"}, []byte("\xe6\x10\x00\x00\x01"), false, "ST_GeomFromWKB(0x01, 4326, 'axis-order=long-lat')"},
	} {
		got, err := x.c.appendLiteral(nil, x.v, x.unsigned)
		require.NoError(t, err)
		require.Equal(t, x.want, string(got))
	}
	_, err := (&column{kind: "point"}).appendLiteral(nil, []byte{1}, false)
	require.Error(t, err)
}

func TestSession(t *testing.T) {
	collations := map[uint16]string{8: "latin1_swedish_ci", 45: "utf8mb4_general_ci", 255: "utf8mb4_0900_ai_ci", 95: "cp932_japanese_ci"}
	b := []byte{varFlags2, 0, 0, 0, 4, varSQLMode, 4, 0, 0x20, 0, 0, 0, 0, 0, varAutoIncrement, 10, 0, 3, 0, varCatalogNZ, 3, 's', 't', 'd', varCharset, 8, 0, 45, 0, 255, 0,
		varTimeZone, 6, '+', '0', '1', ':', '0', '0', varUpdatedDatabases, 2, 'a', 0, 'b', 'c', 0, varMicroseconds, 0x40, 0xe2, 1, varDDLXid, 1, 2, 3, 4, 5, 6, 7, 8}
	s, err := parseSession(b)
	require.NoError(t, err)
	set, err := s.set(1000000000, collations)
	require.NoError(t, err)
	require.Equal(t, "SET timestamp = 1000000000.123456, sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES', character_set_client = utf8mb4, auto_increment_increment = 10, auto_increment_offset = 3, foreign_key_checks = 0, "+
		"unique_checks = 1, collation_connection = utf8mb4_general_ci, collation_server = utf8mb4_0900_ai_ci, time_zone = '+01:00'", set)
	text, err := s.text([]byte("caf\xe9"), collations)
	require.NoError(t, err)
	require.Equal(t, "café", text)
	s.client = 95
	text, err = s.text([]byte("x\x83\x5c"), collations)
	require.NoError(t, err)
	require.Equal(t, "xソ", text)
	_, err = s.text([]byte("x\x80"), collations)
	require.Error(t, err)
	for n := range b { // cut anywhere: an error or less, never a panic
		_, _ = parseSession(b[:n])
	}
	_, err = parseSession(b[:3])
	require.ErrorIs(t, err, errBadVariables)
	s = session{connection: 7}
	_, err = s.set(0, collations)
	require.Error(t, err)
}
