package clients

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
)

// binaryColumns are the types of columns that every parameter is stored in.
var binaryColumns = []string{
	"TINYINT", "TINYINT UNSIGNED", "SMALLINT", "SMALLINT UNSIGNED", "MEDIUMINT", "MEDIUMINT UNSIGNED", "INT", "INT UNSIGNED", "BIGINT",
	"BIGINT UNSIGNED", "FLOAT", "DOUBLE", "DECIMAL(65,30)", "DECIMAL(10,2)", "YEAR", "DATE", "DATETIME", "DATETIME(3)", "DATETIME(6)",
	"TIMESTAMP NULL", "TIMESTAMP(6) NULL", "TIME", "TIME(3)", "TIME(6)", "BIT(1)", "BIT(16)", "BIT(64)", "CHAR(30)", "VARCHAR(200)",
	"BINARY(30)", "VARBINARY(200)", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB",
	"ENUM('a','b','1','')", "SET('a','b','1')", "JSON", "GEOMETRY",
}

// kindOf are the kinds of types that are compared without a change of type.
func kindOf(column string) string {
	switch name, _, _ := strings.Cut(column, "("); strings.Fields(name)[0] {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "DOUBLE", "DECIMAL":
		return "number"
	case "DATE", "DATETIME", "TIMESTAMP":
		return "moment"
	case "TIME":
		return "time"
	case "CHAR", "VARCHAR", "VARBINARY", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB":
		return "text"
	}
	return ""
}

// kind is kindOf of a parameter.
func (p *param) kind() string {
	switch p.typ {
	case mysql.MYSQL_TYPE_TINY, mysql.MYSQL_TYPE_SHORT, mysql.MYSQL_TYPE_LONG, mysql.MYSQL_TYPE_LONGLONG, mysql.MYSQL_TYPE_FLOAT, mysql.MYSQL_TYPE_DOUBLE,
		mysql.MYSQL_TYPE_DECIMAL, mysql.MYSQL_TYPE_NEWDECIMAL:
		return "number"
	case mysql.MYSQL_TYPE_DATE, mysql.MYSQL_TYPE_DATETIME, mysql.MYSQL_TYPE_TIMESTAMP:
		return "moment"
	case mysql.MYSQL_TYPE_TIME:
		return "time"
	}
	return "text"
}

// zeroPadded are microseconds of every number of leading zeros.
var zeroPadded = []uint32{1, 6, 60, 600, 6000, 60000, 600000, 10, 100100, 123456, 999999}

func le(size int, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, v)[:size]
}

// moment is a date or a date and time of the given length.
func moment(length byte, year, month, day, hour, minute, second int, micros uint32) []byte {
	b := append(le(2, uint64(year)), byte(month), byte(day), byte(hour), byte(minute), byte(second))
	b = append(b, le(4, uint64(micros))...)
	return append([]byte{length}, b[:min(int(length), len(b))]...)
}

// span is a TIME of the given length.
func span(length, negative byte, days uint32, hour, minute, second byte, micros uint32) []byte {
	b := append([]byte{negative}, le(4, uint64(days))...)
	b = append(append(b, hour, minute, second), le(4, uint64(micros))...)
	return append([]byte{length}, b[:min(int(length), len(b))]...)
}

func text(s string) []byte {
	return append(mysql.PutLengthEncodedInt(uint64(len(s))), s...)
}

// binaryParams are the parameters: every type in every class of its values.
func binaryParams() []param {
	return slices.Concat(nullParams(), integerParams(), floatParams(), decimalParams(), momentParams(), spanParams(), textParams(), longParams())
}

func nullParams() []param {
	out := []param{{name: "type null", typ: mysql.MYSQL_TYPE_NULL}, {name: "type null and null", typ: mysql.MYSQL_TYPE_NULL, null: true},
		{name: "type null with a value", typ: mysql.MYSQL_TYPE_NULL, value: text("1")}}
	for _, typ := range []byte{mysql.MYSQL_TYPE_LONGLONG, mysql.MYSQL_TYPE_DOUBLE, mysql.MYSQL_TYPE_DATETIME, mysql.MYSQL_TYPE_VAR_STRING} {
		out = append(out, param{name: fmt.Sprintf("null of type %d", typ), typ: typ, null: true})
	}
	return out
}

func integerParams() (out []param) {
	add := func(typ, flag byte, size int, values ...uint64) {
		for _, v := range values {
			name := fmt.Sprintf("integer type %d", typ)
			if flag != 0 {
				name += fmt.Sprintf(" unsigned %d", v)
			} else {
				name += fmt.Sprintf(" %d", int64(v))
			}
			out = append(out, param{name: name, typ: typ, flag: flag, value: le(size, v)})
		}
	}
	const unsigned = 0x80
	neg := func(v int64) uint64 { return uint64(v) }
	add(mysql.MYSQL_TYPE_TINY, 0, 1, 0, 1, neg(-1), math.MaxInt8, neg(math.MinInt8))
	add(mysql.MYSQL_TYPE_TINY, unsigned, 1, 0, math.MaxUint8)
	add(mysql.MYSQL_TYPE_SHORT, 0, 2, 0, neg(-1), math.MaxInt16, neg(math.MinInt16))
	add(mysql.MYSQL_TYPE_SHORT, unsigned, 2, math.MaxUint16)
	add(mysql.MYSQL_TYPE_YEAR, 0, 2, 0, 70, 1901, 2026, 2155, 2156, neg(-1))
	add(mysql.MYSQL_TYPE_YEAR, unsigned, 2, 2026)
	add(mysql.MYSQL_TYPE_INT24, 0, 4, 0, 1<<23-1, neg(-1<<23), neg(-1), math.MaxInt32)
	add(mysql.MYSQL_TYPE_INT24, unsigned, 4, 1<<24-1, math.MaxUint32)
	add(mysql.MYSQL_TYPE_LONG, 0, 4, 0, neg(-1), math.MaxInt32, neg(math.MinInt32), 20260102)
	add(mysql.MYSQL_TYPE_LONG, unsigned, 4, math.MaxUint32)
	add(mysql.MYSQL_TYPE_LONGLONG, 0, 8, 0, 1, 70, neg(-1), math.MaxInt64, neg(math.MinInt64), 20260102030405, neg(-102030))
	add(mysql.MYSQL_TYPE_LONGLONG, unsigned, 8, 0, math.MaxUint64, 1<<63)
	return out
}

func floatParams() (out []param) {
	for _, f := range []float32{0, float32(math.Copysign(0, -1)), 1.5, -0.1, 16777217, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e15, float32(math.Inf(-1))} {
		out = append(out, param{name: fmt.Sprintf("float %g", f), typ: mysql.MYSQL_TYPE_FLOAT, value: le(4, uint64(math.Float32bits(f)))})
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1.5, -0.1, 0.1 + 0.2, 1e14, 1e15, 1e16, 12345678901234567890, math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1e-5, 20260102030405, 20260102030405.123456, 9007199254740993, math.Inf(1), math.NaN()} {
		out = append(out, param{name: fmt.Sprintf("double %g", f), typ: mysql.MYSQL_TYPE_DOUBLE, value: le(8, math.Float64bits(f))})
	}
	return out
}

func decimalParams() (out []param) {
	for _, s := range []string{"0", "-0.00", "1.50", "-1.5", "123", "0.1", ".5", "5.", "+7", "1e3", " 1.5 ", "abc", "", "1.5x", "20260102030405.678901",
		strings.Repeat("9", 35) + "." + strings.Repeat("9", 30), "-" + strings.Repeat("9", 65), strings.Repeat("9", 66), strings.Repeat("1", 90)} {
		for _, typ := range []byte{mysql.MYSQL_TYPE_DECIMAL, mysql.MYSQL_TYPE_NEWDECIMAL} {
			if typ == mysql.MYSQL_TYPE_NEWDECIMAL || len(s) < 4 {
				out = append(out, param{name: fmt.Sprintf("decimal type %d %q", typ, s), typ: typ, value: text(s)})
			}
		}
	}
	return out
}

func momentParams() (out []param) {
	add := func(typ byte, what string, value []byte) {
		out = append(out, param{name: fmt.Sprintf("moment type %d %s", typ, what), typ: typ, value: value})
	}
	const date, datetime, timestamp = mysql.MYSQL_TYPE_DATE, mysql.MYSQL_TYPE_DATETIME, mysql.MYSQL_TYPE_TIMESTAMP
	for _, typ := range []byte{date, datetime, timestamp} {
		add(typ, "empty", []byte{0})
		add(typ, "2026-01-02", moment(4, 2026, 1, 2, 0, 0, 0, 0))
		add(typ, "2026-01-02 03:04:05", moment(7, 2026, 1, 2, 3, 4, 5, 0))
		add(typ, "2026-01-02 03:04:05.000005", moment(11, 2026, 1, 2, 3, 4, 5, 5))
	}
	for _, us := range zeroPadded {
		add(datetime, fmt.Sprintf("2026-01-02 03:04:05.%06d", us), moment(11, 2026, 1, 2, 3, 4, 5, us))
	}
	add(datetime, "2026-01-02 03:04:05.000000", moment(11, 2026, 1, 2, 3, 4, 5, 0))
	add(datetime, "2026-01-02 00:00:00", moment(7, 2026, 1, 2, 0, 0, 0, 0))
	add(datetime, "2026-12-31 23:59:59.999999", moment(11, 2026, 12, 31, 23, 59, 59, 999999))
	for _, year := range []int{0, 1, 99, 999, 1000, 9999} {
		add(date, fmt.Sprintf("%04d-06-15", year), moment(4, year, 6, 15, 0, 0, 0, 0))
		add(datetime, fmt.Sprintf("%04d-06-15", year), moment(4, year, 6, 15, 0, 0, 0, 0))
		add(datetime, fmt.Sprintf("%04d-06-15 01:02:03.000004", year), moment(11, year, 6, 15, 1, 2, 3, 4))
	}
	add(timestamp, "1970-01-01 00:00:01", moment(7, 1970, 1, 1, 0, 0, 1, 0))
	add(timestamp, "1970-01-01 00:00:00", moment(7, 1970, 1, 1, 0, 0, 0, 0))
	add(timestamp, "2038-01-19 03:14:08", moment(7, 2038, 1, 19, 3, 14, 8, 0))
	for _, typ := range []byte{date, datetime} {
		add(typ, "month 0", moment(7, 2026, 0, 2, 3, 4, 5, 0))
		add(typ, "day 0", moment(7, 2026, 1, 0, 3, 4, 5, 0))
		add(typ, "month 13", moment(7, 2026, 13, 2, 3, 4, 5, 0))
		add(typ, "February 30", moment(7, 2026, 2, 30, 3, 4, 5, 0))
		add(typ, "day 32", moment(7, 2026, 1, 32, 3, 4, 5, 0))
		add(typ, "hour 24", moment(7, 2026, 1, 2, 24, 4, 5, 0))
		add(typ, "minute 60", moment(7, 2026, 1, 2, 3, 60, 5, 0))
		add(typ, "second 255", moment(7, 2026, 1, 2, 3, 4, 255, 0))
		add(typ, "microsecond 1000000", moment(11, 2026, 1, 2, 3, 4, 5, 1000000))
		add(typ, "microsecond of all bits", moment(11, 2026, 1, 2, 3, 4, 5, math.MaxUint32))
		add(typ, "year 10000", moment(4, 10000, 1, 2, 0, 0, 0, 0))
		add(typ, "all bits", moment(11, 65535, 255, 255, 255, 255, 255, math.MaxUint32))
		add(typ, "all zero", moment(11, 0, 0, 0, 0, 0, 0, 0))
		add(typ, "time without date", moment(7, 0, 0, 0, 3, 4, 5, 0))
	}
	return out
}

func spanParams() (out []param) {
	add := func(what string, value []byte) {
		out = append(out, param{name: "time " + what, typ: mysql.MYSQL_TYPE_TIME, value: value})
	}
	add("empty", []byte{0})
	add("03:04:05", span(8, 0, 0, 3, 4, 5, 0))
	add("-03:04:05", span(8, 1, 0, 3, 4, 5, 0))
	add("1d 03:04:05", span(8, 0, 1, 3, 4, 5, 0))
	add("-1d 00:00:00.5", span(12, 1, 1, 0, 0, 0, 500000))
	add("34d 22:59:59", span(8, 0, 34, 22, 59, 59, 0))
	add("-34d 22:59:59", span(8, 1, 34, 22, 59, 59, 0))
	add("34d 23:00:00", span(8, 0, 34, 23, 0, 0, 0))
	add("34d 22:59:59.000001", span(12, 0, 34, 22, 59, 59, 1))
	add("zero of length 8", span(8, 0, 0, 0, 0, 0, 0))
	add("-00:00:00.000001", span(12, 1, 0, 0, 0, 0, 1))
	for _, us := range zeroPadded {
		add(fmt.Sprintf("03:04:05.%06d", us), span(12, 0, 0, 3, 4, 5, us))
	}
	add("hour 24", span(8, 0, 0, 24, 0, 0, 0))
	add("hour 255", span(8, 0, 0, 255, 0, 0, 0))
	add("minute 60", span(8, 0, 0, 1, 60, 0, 0))
	add("second 60", span(8, 0, 0, 1, 0, 60, 0))
	add("microsecond 1000000", span(12, 0, 0, 1, 0, 0, 1000000))
	add("days of all bits", span(8, 0, math.MaxUint32, 1, 0, 0, 0))
	add("sign 2", span(8, 2, 0, 3, 4, 5, 0))
	add("all bits", span(12, 255, math.MaxUint32, 255, 255, 255, math.MaxUint32))
	return out
}

func textParams() (out []param) {
	values := []string{"", "a", "1", "-12.5", "a\x00b", `it's \ "x"`, "é中🔥", "\xff\xfe", "2026-01-02 03:04:05.000006", "03:04:05.000006",
		"0000-00-00", `{"k": [1, "é"]}`, string(point), strings.Repeat("x", 251), ":v1"}
	for _, s := range values {
		for _, typ := range []byte{mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_BLOB} {
			out = append(out, param{name: fmt.Sprintf("text type %d %.40q", typ, s), typ: typ, value: text(s)})
		}
	}
	for _, typ := range []byte{mysql.MYSQL_TYPE_VARCHAR, mysql.MYSQL_TYPE_STRING, mysql.MYSQL_TYPE_TINY_BLOB, mysql.MYSQL_TYPE_MEDIUM_BLOB,
		mysql.MYSQL_TYPE_LONG_BLOB, mysql.MYSQL_TYPE_ENUM, mysql.MYSQL_TYPE_SET, mysql.MYSQL_TYPE_BIT, mysql.MYSQL_TYPE_JSON, mysql.MYSQL_TYPE_GEOMETRY} {
		out = append(out, param{name: fmt.Sprintf("text type %d \"1\"", typ), typ: typ, value: text("1")})
	}
	return append(out, param{name: "json", typ: mysql.MYSQL_TYPE_JSON, value: text(`{"k": 1}`)},
		param{name: "geometry", typ: mysql.MYSQL_TYPE_GEOMETRY, value: text(string(point))},
		param{name: "bits", typ: mysql.MYSQL_TYPE_BIT, value: text("\x01")})
}

// point is POINT(1 2) as it is stored.
var point = append([]byte{0, 0, 0, 0, 1, 1, 0, 0, 0}, append(le(8, math.Float64bits(1)), le(8, math.Float64bits(2))...)...)

// longParams are sent by COM_STMT_SEND_LONG_DATA.
func longParams() (out []param) {
	for _, s := range []string{"", "b", "a\x00b", "2026-01-02", "12"} {
		out = append(out, param{name: fmt.Sprintf("long %q", s), typ: mysql.MYSQL_TYPE_LONG_BLOB, long: []byte(s)})
	}
	return append(out, param{name: "long text", typ: mysql.MYSQL_TYPE_VAR_STRING, long: []byte("é")},
		param{name: "long of type int", typ: mysql.MYSQL_TYPE_LONGLONG, long: []byte("12")},
		param{name: "long of type datetime", typ: mysql.MYSQL_TYPE_DATETIME, long: []byte("2026-01-02")})
}
