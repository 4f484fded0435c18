package sqllayer_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/sessionstate"
)

// User variables of every kind of value are the same in another session, which gets them as text.
func TestUserVariablesMove(t *testing.T) {
	b := newBench(t)
	from, to := b.session(), b.session()
	defer from.close()
	defer to.close()
	for _, q := range []string{
		"CREATE TABLE z (e ENUM('a','b'), s SET('x','y'), b BIT(5), g GEOMETRY, j JSON, t TIME(3), y YEAR, ts TIMESTAMP(2), d DATETIME(6), da DATE, v VARBINARY(10), tx TEXT, mi MEDIUMINT UNSIGNED, f FLOAT, de DECIMAL(20,5), bl LONGBLOB, c CHAR(5) COLLATE utf8mb4_bin)",
		`INSERT INTO z VALUES ('b', 'x,y', b'10101', ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))', 4326), '{"k": 1.0, "l": [null, true, -3]}', '-10:00:00.123', 1999, '2020-01-01 00:00:00.12', '2020-01-01 00:00:00.123456', '2021-02-03', 'q', 'süß', 77, 1.25, 3.14159, REPEAT('x', 100000), 'c')`,
		"SELECT e, s, b, g, j, t, y, ts, d, da, v, tx, mi, f, de, bl, c INTO @e, @s, @b, @g, @j, @t, @y, @ts, @d, @da, @v, @tx, @mi, @f, @de, @bl, @c FROM z",
		"SET @jo = JSON_OBJECT('a', 1.50, 'b', JSON_ARRAY(TRUE, NULL, 'ü', 18446744073709551615, -1, 1e300)), @js = CAST('\"x\"' AS JSON), @jn = CAST('null' AS JSON), @jd = CAST(CAST(1.50 AS DECIMAL(10,2)) AS JSON), @jt = CAST(TIMESTAMP'2020-01-02 03:04:05.123' AS JSON)",
		"SET @p = POINT(1, 2), @l = LINESTRING(POINT(1, 2), POINT(3, 4)), @gc = ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1),MULTIPOINT(0 0,1 1))'), @ge = ST_GeomFromText('GEOMETRYCOLLECTION EMPTY')",
		"SET @bit = b'101', @hex = x'00ff', @i = -5, @u = 18446744073709551615, @de2 = 12.50, @fl = 1.5e0, @true = TRUE, @null = NULL, @text = _latin1'abc' COLLATE latin1_german1_ci, @span = TIME'12:13:14.5', @day = DATE'2020-01-01', @ts2 = TIMESTAMP'2020-01-02 03:04:05.678'",
	} {
		from.exec(q)
	}
	looks := []string{
		"SELECT @e, @s, @b, @b + 0, ST_AsText(@g), ST_SRID(@g), @j, JSON_EXTRACT(@j, '$.l[2]'), JSON_TYPE(JSON_EXTRACT(@j, '$.k')), @t, @y, @ts, @d, @da, @v, @tx, @mi, @f, @de, MD5(@bl), @c",
		"SELECT @jo, @js, @jn, @jd, @jt, JSON_TYPE(@jo), JSON_TYPE(@js), JSON_TYPE(@jn), JSON_TYPE(@jt), JSON_TYPE(JSON_EXTRACT(@jo, '$.b[3]')), JSON_EXTRACT(@jo, '$.b[2]') = 'ü'",
		"SELECT HEX(@p), ST_AsText(@l), ST_AsText(@gc), ST_AsText(@ge), ST_X(@p)",
		"SELECT HEX(@bit), HEX(@hex), @i, @u, @u - 1, @de2 / 3, @fl, @true, @null, @text, @span, @day + INTERVAL 1 DAY, @ts2",
		"SELECT COLLATION(@text), COLLATION(@j), COLLATION(@p), COLLATION(@bit), COLLATION(@i), COLLATION(@c), CHARSET(@bl), COLLATION(@e)",
	}
	globals := sessionstate.MovedGlobals()
	moved, err := from.s.Move(globals)
	require.NoError(t, err)
	text, err := json.Marshal(moved)
	require.NoError(t, err)
	var arrived sessionstate.Moved
	require.NoError(t, json.Unmarshal(text, &arrived))
	require.NoError(t, to.s.Arrive(&arrived, globals))
	for _, q := range looks {
		require.Equal(t, from.exec(q), to.exec(q), q)
	}
	again, err := to.s.Move(globals)
	require.NoError(t, err)
	require.Equal(t, moved.UserVariables, again.UserVariables)
}

// Values that an older version took and this one does not leave the variable as it is.
func TestValuesOfAnotherVersionMove(t *testing.T) {
	b := newBench(t)
	s := b.session()
	defer s.close()
	text := func(v string) sessionstate.MovedValue { return sessionstate.MovedValue{Kind: "text", Text: []byte(v)} }
	before := s.exec("SELECT @@transaction_isolation, @@max_error_count")
	globals := sessionstate.MovedGlobals()
	globals["transaction_isolation"] = text("")
	m := &sessionstate.Moved{Variables: map[string]sessionstate.MovedValue{"max_error_count": text("many"), "wait_timeout": {Kind: sessionstate.KindInt + "64", Text: []byte("77")}}}
	require.NoError(t, s.s.Arrive(m, globals))
	require.Equal(t, before, s.exec("SELECT @@transaction_isolation, @@max_error_count"))
	require.Equal(t, s.exec("SELECT 77"), s.exec("SELECT @@wait_timeout"))
	require.Empty(t, s.s.Warnings())
}

// A variable whose text was damaged on its way is refused.
func TestDamagedVariablesAreRefused(t *testing.T) {
	b := newBench(t)
	s := b.session()
	defer s.close()
	for _, v := range []sessionstate.MovedVariable{
		{MovedValue: sessionstate.MovedValue{Kind: "other", Text: []byte("1")}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindInt + "64", Text: []byte("x")}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindShape, Text: []byte{1, 2, 3}}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindShape, Text: make([]byte, 100)}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindDecimal, Text: []byte("1.x")}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindMoment, Text: []byte("never")}},
		{MovedValue: sessionstate.MovedValue{Kind: sessionstate.KindInt + "64", Text: []byte("1")}, Type: sessionstate.MovedType{Base: -1}},
	} {
		require.Error(t, s.s.Arrive(&sessionstate.Moved{UserVariables: map[string]sessionstate.MovedVariable{"x": v}}, sessionstate.MovedGlobals()), "%v", v)
	}
}
