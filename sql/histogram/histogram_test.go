package histogram

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/sql/types"
)

var number32 = Column{Column: row.Column{Type: row.TInt32, Nullable: true}}

// collected is the histogram of 2 NULLs, the numbers from 1 to 40, 10 more of 5 and 8 more of 7.
func collected(t *testing.T, buckets int) *Histogram {
	c := NewCollector(number32, 1<<20)
	for range 2 {
		c.Add(row.NullValue)
	}
	for i := range 40 {
		c.Add(row.IntValue(int64(i + 1)))
	}
	for range 10 {
		c.Add(row.IntValue(5))
	}
	for range 8 {
		c.Add(row.IntValue(7))
	}
	h, err := Read(c.Histogram(buckets, false, time.Unix(0, 0)).Text(), number32)
	require.NoError(t, err)
	return h
}

// TestBuckets: values that fit are buckets of their own, others share as few rows a bucket as they
// can. These are MySQL's buckets.
func TestBuckets(t *testing.T) {
	require.Equal(t, `{"buckets": [[1, 4, 0.06666666666666667, 4], [5, 6, 0.26666666666666666, 2], [7, 12, 0.5, 6], [13, 26, 0.7333333333333333, 14], [27, 40, 0.9666666666666667, 14]], `+
		`"data-type": "int", "auto-update": false, "null-values": 0.03333333333333333, "collation-id": 8, "last-updated": "1970-01-01 00:00:00.000000", "sampling-rate": 1.0, `+
		`"histogram-type": "equi-height", "number-of-buckets-specified": 5}`, collected(t, 5).Text())
	h := collected(t, 8)
	var ends []string
	for _, b := range h.Buckets {
		ends = append(ends, b.Low+"-"+b.High)
	}
	require.Equal(t, []string{"1-4", "5-5", "6-6", "7-7", "8-16", "17-25", "26-34", "35-40"}, ends)
	h = collected(t, 40)
	require.False(t, h.EquiHeight)
	require.Len(t, h.Buckets, 40)
}

// TestShares: the parts of rows are those that MySQL's EXPLAIN tells.
func TestShares(t *testing.T) {
	h := collected(t, 5)
	for _, tc := range []struct {
		n                   float64
		equal, below, above float64
	}{{5, 10, 6.67, 80}, {8, 3.89, 30.56, 62.22}, {20, 1.67, 61.67, 33.33}, {100, 0, 96.67, 0}, {0, 0, 0, 96.67}} {
		p := Point{n: tc.n}
		require.InDelta(t, tc.equal, 100*h.Equal(p), 0.01, tc.n)
		require.InDelta(t, tc.below, 100*h.Below(p), 0.01, tc.n)
		require.InDelta(t, tc.above, 100*h.Above(p), 0.01, tc.n)
	}
}

// TestTextShares: texts lie between the bounds of their bucket as their sort keys do.
func TestTextShares(t *testing.T) {
	col := Column{Column: row.Column{Type: row.TVarbinary, Length: 20, Nullable: true}}
	c := NewCollector(col, 1<<20)
	for i := range 40 {
		c.Add(row.BytesValue(fmt.Appendf(nil, "k%d", i+1)))
	}
	for range 20 {
		c.Add(row.NullValue)
	}
	h, err := Read(c.Histogram(5, true, time.Unix(0, 0)).Text(), col)
	require.NoError(t, err)
	require.True(t, h.Auto)
	v := types.NewVec(types.String, 1)
	v.S[0] = []byte("k3")
	p, ok := h.Point(v, 0)
	require.True(t, ok)
	require.InDelta(t, 29.21, 100*h.Above(p), 0.01)
	require.InDelta(t, 1.67, 100*h.Equal(p), 0.01)
}

// TestSampling: where the values need more room than there is a part of the rows stands for all.
func TestSampling(t *testing.T) {
	c := NewCollector(number32, 20_000)
	const rows = 50_000
	for i := range rows {
		c.Add(row.IntValue(int64(i)))
	}
	require.Less(t, c.rate, 0.1)
	h, err := Read(c.Histogram(10, false, time.Unix(0, 0)).Text(), number32)
	require.NoError(t, err)
	require.Equal(t, c.rate, h.Rate)
	require.Len(t, h.Buckets, 10)
	require.InDelta(t, 0.5, h.Below(Point{n: rows / 2}), 0.2)
}

// TestInvalid: a document that is no histogram of the column is refused in MySQL's words.
func TestInvalid(t *testing.T) {
	rest := `"data-type":"int","auto-update":false,"null-values":0.0,"collation-id":8,"last-updated":"","sampling-rate":1.0,"number-of-buckets-specified":5`
	one, many := rest+`,"histogram-type":"singleton"}`, rest+`,"histogram-type":"equi-height"}`
	for _, tc := range [][2]string{
		{`[]`, "JSON data is not an object"},
		{`{}`, `Missing attribute at '$."histogram-type"'.`},
		{`{"histogram-type":"singleton"}`, `Missing attribute at '$."data-type"'.`},
		{`{"buckets":[],` + rest + `,"histogram-type":"nope"}`, `Unsupported histogram type at '$."histogram-type"'.`},
		{`{"buckets":1,` + one, "Wrong attribute type at '$.buckets'."},
		{`{"buckets":[1],` + one, "Wrong attribute type at '$.buckets[0]'."},
		{`{"buckets":[[1]],` + one, "Two elements required for bucket at '$.buckets[0]'."},
		{`{"buckets":[["x",1.0]],` + one, "Wrong attribute type at '$.buckets[0][0]'."},
		{`{"buckets":[[1,1]],` + one, "Wrong attribute type at '$.buckets[0][1]'."},
		{`{"buckets":[[1,1.2]],` + one, "The frequency must be greater than or equal to 0 and less than or equal to 1 at '$.buckets[0][1]'."},
		{`{"buckets":[[1,0.9]],` + one, "The sum of the null values fraction and the cumulative frequency of the last bucket should be 1.'"},
		{`{"buckets":[[2,0.5],[1,1.0]],` + one, "The value at '$.buckets[1][0]' must be greater than that of previous bucket."},
		{`{"buckets":[[1,0.5],[2,0.4]],` + one, "The cumulative frequency of bucket at '$.buckets[1][1]' must be greater than that of previous bucket."},
		{`{"buckets":[[1,2,0.5,2],[2,4,1.0,2]],` + many, "The lower inclusive value of bucket at '$.buckets[1][0]' must be greater than the upper inclusive value of previous bucket."},
		{`{"buckets":[[1,2,0.5,0],[3,4,1.0,2]],` + many, "The number of distinct values must be a positive integer at '$.buckets[0][3]'."},
		{`{"buckets":[[2,1,1.0,2]],` + many, "The lower inclusive value of bucket at '$.buckets[0][0]' must be less than or equal to upper inclusive value."},
		{`{"buckets":[[1,99999999999,1.0,2]],` + many, "Out of range value for column at '$.buckets[0][1]'."},
	} {
		_, err := Read(tc[0], number32)
		var bad *Invalid
		require.ErrorAs(t, err, &bad, tc[0])
		require.Equal(t, tc[1], bad.Text, tc[0])
	}
	for _, ok := range []string{`{"buckets":[],` + one, `{"buckets":[[1,0.5],[2,1.0]],` + one, `{"buckets":[[1,2,0.5,2],[3,4,1.0,9]],` + many} {
		_, err := Read(ok, number32)
		require.NoError(t, err, ok)
	}
}

// TestLiterals: values of every type are printed and read again.
func TestLiterals(t *testing.T) {
	for _, tc := range []struct {
		col  row.Column
		v    row.Value
		want string
	}{
		{row.Column{Type: row.TUint64}, row.UintValue(1<<64 - 1), "18446744073709551615"},
		{row.Column{Type: row.TFloat32}, row.FloatValue(float64(float32(0.1))), "0.10000000149011612"},
		{row.Column{Type: row.TFloat64}, row.FloatValue(1e100), "1e100"},
		{row.Column{Type: row.TFloat64}, row.FloatValue(8), "8.0"},
		{row.Column{Type: row.TDate}, row.IntValue(2020*512 + 1*32 + 2), `"2020-01-02"`},
		{row.Column{Type: row.TTime}, row.IntValue(-36000e6), `"-10:00:00.000000"`},
		{row.Column{Type: row.TTimestamp}, row.IntValue(1e6), `"1970-01-01 00:00:01.000000"`},
		{row.Column{Type: row.TVarbinary, Length: 9}, row.BytesValue([]byte("aa")), `"base64:type254:YWE="`},
	} {
		col := Column{Column: tc.col}
		require.Equal(t, tc.want, col.literal(tc.v))
		c := NewCollector(col, 1<<20)
		c.Add(tc.v)
		h, err := Read(c.Histogram(1, false, time.Unix(0, 0)).Text(), col)
		require.NoError(t, err, tc.want)
		require.Equal(t, tc.want, h.Buckets[0].Low)
	}
}
