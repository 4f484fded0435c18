package partition

import (
	"errors"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// aTable has columns of the types that partition: a INT, u INT UNSIGNED, d DATE, t DATETIME, c
// VARCHAR(10) BINARY, and a primary key of them all.
func aTable() *catalog.Table {
	def := &catalog.Table{Schema: "s", Name: "t", Columns: []catalog.Column{
		{Name: "a", Column: row.Column{Type: row.TInt32, Nullable: true}},
		{Name: "u", Column: row.Column{Type: row.TUint32, Nullable: true}},
		{Name: "d", Column: row.Column{Type: row.TDate, Nullable: true}},
		{Name: "t", Column: row.Column{Type: row.TDateTime, Nullable: true}},
		{Name: "c", Column: row.Column{Type: row.TVarbinary, Length: 10, Nullable: true}},
	}}
	def.Indexes = []*catalog.Index{{Clustered: true}}
	return def
}

// define reads PARTITION BY.
func define(by string) (*catalog.Table, error) {
	def := aTable()
	r, err := parse.Parse("CREATE TABLE t (a INT) PARTITION BY "+by, parse.Options{})
	if err != nil {
		return nil, err
	}
	def.Partitioning, err = Define(def, r.Statement.(*ast.CreateTable).Partition, nil)
	return def, err
}

// TestShown reads definitions and shows them as MySQL 9.7 does.
func TestShown(t *testing.T) {
	for by, want := range map[string]string{
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20) COMMENT='x', PARTITION p2 VALUES LESS THAN MAXVALUE)": `
/*!50100 PARTITION BY RANGE (` + "`a`" + `)
(PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB,
 PARTITION p1 VALUES LESS THAN (20) COMMENT = 'x' ENGINE = InnoDB,
 PARTITION p2 VALUES LESS THAN MAXVALUE ENGINE = InnoDB) */`,
		"LIST (a+1) (PARTITION p0 VALUES IN (1,2,NULL), PARTITION p1 VALUES IN (7))": `
/*!50100 PARTITION BY LIST ((` + "`a`" + ` + 1))
(PARTITION p0 VALUES IN (NULL,1,2) ENGINE = InnoDB,
 PARTITION p1 VALUES IN (7) ENGINE = InnoDB) */`,
		"HASH (a) PARTITIONS 4": `
/*!50100 PARTITION BY HASH (` + "`a`" + `)
PARTITIONS 4 */`,
		"LINEAR HASH (year(d)) (PARTITION x, PARTITION Y)": `
/*!50100 PARTITION BY LINEAR HASH (year(` + "`d`" + `))
(PARTITION x ENGINE = InnoDB,
 PARTITION Y ENGINE = InnoDB) */`,
		"RANGE (to_days(d)) SUBPARTITION BY HASH (a) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (to_days('2020-01-01')), PARTITION p1 VALUES LESS THAN MAXVALUE)": `
/*!50100 PARTITION BY RANGE (to_days(` + "`d`" + `))
SUBPARTITION BY HASH (` + "`a`" + `)
SUBPARTITIONS 2
(PARTITION p0 VALUES LESS THAN (737790) ENGINE = InnoDB,
 PARTITION p1 VALUES LESS THAN MAXVALUE ENGINE = InnoDB) */`,
		"HASH (a)": `
/*!50100 PARTITION BY HASH (` + "`a`" + `) */`,
		"LINEAR KEY ALGORITHM=1 (a,u) PARTITIONS 3": `
/*!50100 PARTITION BY LINEAR KEY */ /*!50611 ALGORITHM = 1 */ /*!50100 (a,u)
PARTITIONS 3 */`,
	} {
		def, err := define(by)
		require.NoError(t, err, by)
		require.Equal(t, want, Text(def.Partitioning), by)
	}
}

// TestRefused refuses definitions with MySQL 9.7's codes.
func TestRefused(t *testing.T) {
	for by, code := range map[string]int{
		"RANGE (a)": 1492,
		"LIST (a)":  1492,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (10))":     1493,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION P0 VALUES LESS THAN (20))":     1517,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES IN (20))":            1480,
		"LIST (a) (PARTITION p0 VALUES LESS THAN (10))":                                          1480,
		"HASH (a) (PARTITION p0 VALUES LESS THAN (10))":                                          1480,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN MAXVALUE, PARTITION p1 VALUES LESS THAN (20))": 1481,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (10,20))":                                      1657,
		"RANGE COLUMNS (a) (PARTITION p0 VALUES LESS THAN (10,20))":                              1653,
		"RANGE COLUMNS (x) (PARTITION p0 VALUES LESS THAN (10))":                                 1488,
		"HASH (x)":           1054,
		"KEY (x)":            1488,
		"HASH (c)":           1659,
		"HASH (d)":           1659,
		"HASH (3)":           1486,
		"HASH (year(a))":     1486,
		"HASH (a DIV u | 2)": 1564,
		"HASH (a / 2)":       1564,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN ('a'))":                           1697,
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (NULL))":                          1566,
		"RANGE (u) (PARTITION p0 VALUES LESS THAN (-1))":                            1563,
		"LIST (a) (PARTITION p0 VALUES IN (1), PARTITION p1 VALUES IN (1))":         1495,
		"LIST (a) (PARTITION p0 VALUES IN (NULL), PARTITION p1 VALUES IN (NULL))":   1495,
		"LIST COLUMNS (a) (PARTITION p0 VALUES IN (1), PARTITION p1 VALUES IN (1))": 1495,
		"HASH (a) PARTITIONS 0":                      1504,
		"HASH (a) PARTITIONS 8193":                   1499,
		"HASH (a) SUBPARTITION BY HASH (u)":          1500,
		"KEY (a, a)":                                 1652,
		"LIST (a) (PARTITION p0 VALUES IN ((1, 2)))": 1064,
		"RANGE (a) SUBPARTITION BY HASH (u) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (1) (SUBPARTITION s))": 1064,
		"RANGE COLUMNS (a) (PARTITION p0 VALUES LESS THAN ('x'))":                                                 1654,
		"RANGE COLUMNS (c) (PARTITION p0 VALUES LESS THAN (1))":                                                   1654,
	} {
		_, err := define(by)
		var known *Error
		require.True(t, errors.As(err, &known), "%s: %v", by, err)
		require.Equal(t, code, known.Code, "%s: %v", by, err)
	}
}

// TestPruningKeepsEveryRow checks, of random rows and bounds under every method, that Select names
// the partition of each row within the bounds.
func TestPruningKeepsEveryRow(t *testing.T) {
	seed := rand.Int63()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewSource(seed))
	dates := "(PARTITION p0 VALUES LESS THAN (to_days('2020-01-01')), PARTITION p1 VALUES LESS THAN (to_days('2020-02-01')), PARTITION p2 VALUES LESS THAN MAXVALUE)"
	for _, by := range []string{
		"RANGE (a) (PARTITION p0 VALUES LESS THAN (-5), PARTITION p1 VALUES LESS THAN (3), PARTITION p2 VALUES LESS THAN MAXVALUE)",
		"LIST (a) (PARTITION p0 VALUES IN (NULL,-9,-8,-7,-6,-5,-4), PARTITION p1 VALUES IN (-3,-2,-1,0,1,2,3), PARTITION p2 VALUES IN (4,5,6,7,8,9,-10))",
		"HASH (a) PARTITIONS 4", "LINEAR HASH (a + u) PARTITIONS 5", "KEY (a, c) PARTITIONS 3", "HASH (a MOD 3) PARTITIONS 7",
		"RANGE (to_days(d)) " + dates, "RANGE (to_days(t)) " + dates,
		"RANGE (year(t)) (PARTITION p0 VALUES LESS THAN (2020), PARTITION p1 VALUES LESS THAN MAXVALUE)",
		"RANGE COLUMNS (a, u) (PARTITION p0 VALUES LESS THAN (0, 5), PARTITION p1 VALUES LESS THAN (0, MAXVALUE), PARTITION p2 VALUES LESS THAN (MAXVALUE, MAXVALUE))",
		"RANGE COLUMNS (d) (PARTITION p0 VALUES LESS THAN ('2020-01-03'), PARTITION p1 VALUES LESS THAN (MAXVALUE))",
		"RANGE (a) SUBPARTITION BY HASH (u) SUBPARTITIONS 3 (PARTITION p0 VALUES LESS THAN (0), PARTITION p1 VALUES LESS THAN MAXVALUE)",
	} {
		def, err := define(by)
		require.NoError(t, err, by)
		f, err := New(def)
		require.NoError(t, err, by)
		for range 3000 {
			vals := randomRow(rnd)
			part, err := f.Place(vals)
			require.NoError(t, err, by)
			bounds := map[int]table.Bound{}
			for c := range vals {
				if rnd.Intn(2) == 0 {
					bounds[c] = boundAround(rnd, vals[c], randomRow(rnd)[c])
				}
			}
			chosen := f.Select(bounds)
			require.True(t, slices.IsSorted(chosen))
			require.Contains(t, chosen, part, "%s: %v within %v", by, vals, bounds)
		}
	}
}

func randomRow(rnd *rand.Rand) []row.Value {
	day := moment{year: 2019 + rnd.Intn(2), month: 1 + 11*rnd.Intn(2), day: 1 + rnd.Intn(5), hour: 23 * rnd.Intn(2)}
	vals := []row.Value{row.IntValue(int64(rnd.Intn(20) - 10)), row.UintValue(uint64(20 + rnd.Intn(5))), day.value(row.TDate), day.value(row.TDateTime),
		row.BytesValue([]byte{byte('a' + rnd.Intn(3))})}
	if i := rnd.Intn(3 * len(vals)); i < len(vals) {
		vals[i] = row.NullValue
	}
	return vals
}

// boundAround is a bound that v lies within; other may be an end of it.
func boundAround(rnd *rand.Rand, v, other row.Value) table.Bound {
	if v.IsNull() || other.IsNull() || v.Kind == row.Bytes || rnd.Intn(3) == 0 {
		return table.Equal(v)
	}
	below := other.Int() < v.Int()
	b := table.Bound{NotNull: true}
	switch {
	case other.Same(v):
		b.Low = v
	case below:
		b.Low, b.LowExcl = other, rnd.Intn(2) == 0
	default:
		b.High, b.HighExcl = other, rnd.Intn(2) == 0
	}
	return b
}

// TestDays counts days as MySQL does.
func TestDays(t *testing.T) {
	for text, want := range map[string]int64{"2020-01-01": 737790, "1970-01-01": 719528, "0000-01-01": 1, "2000-02-29": 730544, "9999-12-31": 3652424} {
		m, ok := parseMoment(text)
		require.True(t, ok)
		require.Equal(t, want, m.dayNumber(), text)
	}
}
