package differential

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

var formulas = flag.String("formulas", "", "write a script of random expressions in definitions to this file")

// TestFormulas writes a script whose tables hold random expressions as generated columns, defaults,
// CHECKs and keys. EMBER_SEED chooses the expressions. Record and run it as any other script.
func TestFormulas(t *testing.T) {
	if *formulas == "" {
		t.Skip("no file given")
	}
	g := formulator{rand.New(rand.NewPCG(testkit.Seed(t), 18))}
	require.NoError(t, os.WriteFile(*formulas, []byte(g.script(200)), 0o644))
}

// formulator makes definitions of random expressions.
type formulator struct{ *rand.Rand }

// baseColumns are what the expressions compute with.
const baseColumns = "i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON"

// baseRows are odd values for them.
var baseRows = []string{
	"1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{\"a\": 1, \"b\": [1, 2.5]}'",
	"NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL",
	"-2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]'",
	"0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '\"2024-01-02\"'",
	"2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15'",
	"7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null'",
}

// literals are constants of each kind of value.
var literals = map[string][]string{
	"num":      {"0", "1", "-3", "2.50", "1e3", "7", "'12'", "0.001"},
	"str":      {"'a'", "''", "'abc '", "'2024-05-06'", "'12:13:14'", "'é'", "'12.5x'", "_latin1'q'"},
	"date":     {"DATE'2024-01-31'", "'2024-02-29'", "DATE'0999-01-01'", "20240131", "DATE'1970-01-01'"},
	"datetime": {"TIMESTAMP'2024-01-31 23:59:59.5'", "'2024-02-29 01:02:03'", "20240131010203", "TIMESTAMP'1000-01-01 00:00:00'"},
	"time":     {"TIME'10:11:12'", "TIME'-25:00:00.25'", "'100:00:00'", "101112", "TIME'00:00:00'"},
	"json":     {"JSON_ARRAY(1, 'a')", "CAST('{\"a\": 2}' AS JSON)", "JSON_OBJECT('k', 1.5)", "CAST('null' AS JSON)"},
	"bool":     {"TRUE", "FALSE", "NULL"},
}

// columnsOf are the columns of each kind.
var columnsOf = map[string][]string{
	"num": {"i", "u", "f", "d", "y"}, "str": {"s", "s", "b"}, "date": {"da"}, "datetime": {"dt"}, "time": {"tm"}, "json": {"j"}, "bool": {"i > 0"},
}

// shapes are what expressions of each kind are made of: {kind} stands for another expression.
var shapes = map[string][]string{
	"num": {
		"({num} + {num})", "({num} - {num})", "({num} * {num})", "({num} / {num})", "({num} DIV {num})", "({num} % {num})", "-{num}", "ABS({num})", "SIGN({num})", "ROUND({num}, {k})",
		"TRUNCATE({num}, {k})", "FLOOR({num})", "CEIL({num})", "YEAR({date})", "MONTH({date})", "DAYOFMONTH({date})", "DAYOFYEAR({date})", "TO_DAYS({date})", "TO_SECONDS({datetime})",
		"DATEDIFF({date}, {date})", "WEEK({date}, {m})", "YEARWEEK({date})", "WEEKDAY({date})", "DAYOFWEEK({date})", "QUARTER({date})", "HOUR({time})", "MINUTE({time})", "SECOND({time})",
		"MICROSECOND({time})", "TIME_TO_SEC({time})", "TIMESTAMPDIFF({unit}, {datetime}, {datetime})", "EXTRACT({longunit} FROM {datetime})", "LENGTH({str})", "CHAR_LENGTH({str})",
		"LOCATE({str}, {str})", "ASCII({str})", "STRCMP({str}, {str})", "FIELD({str}, {str}, {str})", "FIND_IN_SET({str}, {str})", "CRC32({str})", "CAST({any} AS SIGNED)",
		"CAST({any} AS UNSIGNED)", "CAST({any} AS DECIMAL(10,2))", "CAST({any} AS DOUBLE)", "JSON_LENGTH({json})", "JSON_DEPTH({json})", "(JSON_EXTRACT({json}, '$.a') + 1)",
		"GREATEST({num}, {num})", "LEAST({num}, {num})", "({num} & {num})", "({num} | {num})", "({num} << 2)", "BIT_COUNT({num})", "POW({num}, 2)", "SQRT({num})", "({str} + 0)",
		"({datetime} + 0)", "({time} + 0)", "({date} + 0)", "MOD({num}, 7)", "EXTRACT({longunit} FROM {time})", "PERIOD_ADD(202401, {num})", "INTERVAL({num}, 1, 10, 100)", "({date} + {num})",
	},
	"str": {
		"CONCAT({str}, {any})", "CONCAT_WS('-', {any}, {any})", "UPPER({str})", "LOWER({str})", "LEFT({str}, {k})", "RIGHT({any}, 3)", "SUBSTRING({any}, {m}, 3)", "TRIM({str})",
		"LPAD({str}, 6, {str})", "RPAD({str}, 6, 'x')", "REPEAT({str}, 2)", "REVERSE({str})", "REPLACE({str}, 'a', {str})", "HEX({any})", "DATE_FORMAT({datetime}, {format})",
		"TIME_FORMAT({time}, '%H:%i:%s.%f')", "CAST({any} AS CHAR(12))", "CAST({any} AS BINARY(4))", "QUOTE({str})", "ELT({m}, {str}, {str})", "JSON_UNQUOTE({json})", "j->>'$.a'", "j->'$.b[0]'",
		"MONTHNAME({date})", "DAYNAME({date})", "INSERT({str}, 2, 1, {str})", "FORMAT({num}, 2)", "BIN({num})", "CONV({num}, 10, 16)", "TO_BASE64({str})",
		"SUBSTRING_INDEX({str}, '-', {m})", "SPACE({m})", "CHAR({num})", "SOUNDEX({str})", "MAKE_SET({num}, 'a', 'b')", "OCT({num})", "LTRIM({str})", "REGEXP_REPLACE({str}, '[0-9]', 'n')",
	},
	"date": {
		"DATE({any})", "CAST({any} AS DATE)", "LAST_DAY({date})", "({date} + INTERVAL {num} {dayunit})", "DATE_SUB({date}, INTERVAL {m} {dayunit})", "MAKEDATE({num}, {num})", "FROM_DAYS({num})",
		"STR_TO_DATE({str}, '%Y-%m-%d')", "({date} - INTERVAL '1-1' YEAR_MONTH)",
	},
	"datetime": {
		"CAST({any} AS DATETIME)", "CAST({any} AS DATETIME(3))", "TIMESTAMP({date}, {time})", "TIMESTAMP({any})", "ADDTIME({datetime}, {time})", "SUBTIME({datetime}, {time})",
		"({datetime} + INTERVAL {num} {unit})", "TIMESTAMPADD({unit}, {num}, {datetime})", "STR_TO_DATE({str}, '%Y-%m-%d %H:%i:%s')", "({date} + INTERVAL '1:2' HOUR_MINUTE)",
		"CONVERT_TZ({datetime}, '+00:00', '+05:30')", "GREATEST({datetime}, {datetime})",
	},
	"time": {
		"CAST({any} AS TIME)", "CAST({any} AS TIME(1))", "TIME({any})", "SEC_TO_TIME({num})", "MAKETIME({num}, {m}, {num})", "ADDTIME({time}, {time})", "SUBTIME({time}, {time})",
		"TIMEDIFF({datetime}, {datetime})", "TIMEDIFF({time}, {time})", "({time} + INTERVAL {num} {timeunit})", "STR_TO_DATE({str}, '%H:%i:%s')",
	},
	"json": {
		"JSON_OBJECT('k', {any}, 'l', {any})", "JSON_ARRAY({any}, {any})", "JSON_SET({json}, '$.a', {any})", "JSON_EXTRACT({json}, '$.a')", "JSON_MERGE_PATCH({json}, {json})",
		"JSON_MERGE_PRESERVE({json}, {json})", "JSON_REMOVE({json}, '$.a')", "JSON_KEYS({json})", "CAST({any} AS JSON)", "JSON_ARRAY_APPEND({json}, '$', {any})", "j->'$.b'",
	},
	"bool": {
		"({any} = {any})", "({num} < {num})", "({str} >= {str})", "({date} <> {datetime})", "({time} <=> {time})", "({num} BETWEEN {num} AND {num})", "({num} IN ({num}, {num}, 3))",
		"({str} LIKE '%a%')", "({any} IS NULL)", "({any} IS NOT NULL)", "({bool} AND {bool})", "({bool} OR {bool})", "NOT {bool}", "({bool} XOR {bool})", "({str} REGEXP '^[a-z]')",
		"JSON_CONTAINS({json}, '1')", "JSON_VALID({any})", "(1 MEMBER OF({json}))", "({date} BETWEEN {date} AND {datetime})", "({bool} IS TRUE)", "({str} IN ({str}, 'abc'))", "({date} = {str})",
		"({time} > {num})", "({datetime} IN ({datetime}, {date}))", "(({num}, {str}) = ({num}, {str}))",
	},
	"unit":     {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND", "WEEK", "QUARTER"},
	"dayunit":  {"DAY", "MONTH", "YEAR", "WEEK", "QUARTER"},
	"timeunit": {"HOUR", "MINUTE", "SECOND", "MICROSECOND"},
	"longunit": {"YEAR", "DAY_HOUR", "HOUR_SECOND", "SECOND_MICROSECOND", "DAY_MICROSECOND", "MINUTE", "YEAR_MONTH"},
	"format":   {"'%Y-%m-%d'", "'%W %M %e %y'", "'%H:%i:%s.%f'", "'%a %b %j %U'", "'%x-%v'", "'%D %l %p'"},
	"k":        {"0", "1", "2", "-1", "5"},
	"m":        {"0", "1", "2", "3"},
}

// choices are conditionals, which take any kind.
var choices = []string{"IF({bool}, {same}, {same})", "IFNULL({same}, {same})", "COALESCE({same}, {same})", "NULLIF({same}, {same})", "CASE WHEN {bool} THEN {same} ELSE {same} END", "CASE {any} WHEN {any} THEN {same} END"}

// kinds are those of values; typesOf are columns to keep them in.
var (
	kinds   = []string{"num", "str", "date", "datetime", "time", "json", "bool"}
	typesOf = map[string][]string{
		"num": {"INT", "BIGINT", "BIGINT UNSIGNED", "DECIMAL(20,4)", "DECIMAL(8,1)", "DOUBLE", "VARCHAR(40)"}, "str": {"VARCHAR(60)", "CHAR(4)", "TEXT", "VARBINARY(60)", "INT"},
		"date": {"DATE", "DATE", "DATETIME", "VARCHAR(30)", "INT"}, "datetime": {"DATETIME", "DATETIME(3)", "DATETIME(6)", "DATE", "TIME", "VARCHAR(30)", "BIGINT"},
		"time": {"TIME", "TIME(3)", "TIME(6)", "DATETIME", "VARCHAR(30)", "INT", "DECIMAL(12,2)"}, "json": {"JSON", "JSON", "VARCHAR(200)"}, "bool": {"TINYINT", "INT", "BIT(1)", "CHAR(1)"},
	}
)

func one[T any](g formulator, of []T) T { return of[g.IntN(len(of))] }

// formula is an expression of a kind, of so many levels.
func (g formulator) formula(kind string, depth int) string {
	if kind == "any" {
		kind = one(g, kinds)
	}
	if columnsOf[kind] == nil {
		return one(g, shapes[kind])
	}
	if depth == 0 || g.IntN(8) == 0 {
		if g.IntN(3) == 0 {
			return one(g, literals[kind])
		}
		return one(g, columnsOf[kind])
	}
	shape := one(g, shapes[kind])
	if g.IntN(8) == 0 {
		shape = one(g, choices)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(shape, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, _ := strings.Cut(rest, "}")
		if inner == "same" {
			inner = kind
		}
		b.WriteString(g.formula(inner, depth-1))
		shape = after
	}
}

// script is a script of so many expressions, a table each.
func (g formulator) script(tables int) string {
	var b strings.Builder
	fmt.Fprintln(&b, "-- Random expressions as generated columns, defaults, CHECKs and keys, made by TestFormulas.\nset timestamp = 1700000000;")
	for n := range tables {
		g.table(&b, fmt.Sprint("t", n))
	}
	return b.String()
}

// table writes the statements of one table: made, shown, filled, changed and read.
func (g formulator) table(b *strings.Builder, name string) {
	kind := one(g, kinds)
	e, column := g.formula(kind, 1+g.IntN(2)), one(g, typesOf[kind])
	var parts []string
	for _, part := range g.Perm(5)[:1+g.IntN(2)] {
		parts = append(parts, []string{
			"v " + column + " AS (" + e + ") VIRTUAL", "w " + column + " AS (" + e + ") STORED", "x " + column + " DEFAULT (" + e + ")",
			"CHECK ((" + e + ") IS NULL OR (" + e + ") <> " + one(g, literals[kind]) + ")", "KEY k ((" + e + "))",
		}[part])
	}
	slices.Sort(parts)
	fmt.Fprintf(b, "create table %s (id INT PRIMARY KEY, %s,\n  %s);\n", name, baseColumns, strings.Join(parts, ", "))
	fmt.Fprintf(b, "-- text\nshow create table %s;\n", name)
	for i, row := range baseRows {
		fmt.Fprintf(b, "insert %sinto %s (id, i, u, f, d, s, b, da, dt, tm, y, j) values (%d, %s);\n", one(g, []string{"", "", "ignore "}), name, i, row)
	}
	fmt.Fprintf(b, "update %s set i = i %% 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);\n", name)
	fmt.Fprintf(b, "update ignore %s set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;\n", name)
	fmt.Fprintf(b, "select * from %s order by id;\ndrop table %s;\n", name, name)
}
