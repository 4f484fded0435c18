package partition

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// TestKeyPlacesAsMySQL places values where MySQL 9.7 does: PARTITION BY KEY (a) PARTITIONS 1021.
func TestKeyPlacesAsMySQL(t *testing.T) {
	raw := func(digits string) row.Value {
		b, err := hex.DecodeString(digits)
		require.NoError(t, err)
		return row.BytesValue(b)
	}
	stored := func(c row.Column, text string) row.Value {
		v, ok := storedValue(&c, text)
		require.True(t, ok, text)
		return v
	}
	date, clock := row.Column{Type: row.TDate}, row.Column{Type: row.TTime}
	for _, x := range []struct {
		column row.Column
		value  row.Value
		want   int
	}{
		{row.Column{Type: row.TInt32}, row.IntValue(200), 276},
		{row.Column{Type: row.TInt32}, row.IntValue(1000000), 318},
		{row.Column{Type: row.TInt32}, row.IntValue(65), 668},
		{row.Column{Type: row.TInt32}, row.IntValue(97), 668},
		{row.Column{Type: row.TInt32}, row.IntValue(32), 949},
		{row.Column{Type: row.TInt64}, row.IntValue(100), 539},
		{row.Column{Type: row.TInt64}, row.IntValue(1000000), 318},
		{row.Column{Type: row.TFloat64}, row.FloatValue(0), 1},
		{row.Column{Type: row.TFloat64}, row.FloatValue(3.5), 240},
		{row.Column{Type: row.TFloat64}, row.FloatValue(1), 507},
		{row.Column{Type: row.TFloat64}, row.FloatValue(2), 644},
		{row.Column{Type: row.TFloat32}, row.FloatValue(1), 153},
		{row.Column{Type: row.TFloat32}, row.FloatValue(2), 388},
		{date, stored(date, "'2020-01-03'"), 624},
		{date, stored(date, "'2020-01-02'"), 651},
		{row.Column{Type: row.TVarbinary}, raw("6120"), 437},
		{row.Column{Type: row.TVarbinary}, raw("41"), 580},
		{row.Column{Type: row.TVarbinary}, raw("61"), 740},
		{row.Column{Type: row.TVarbinary}, raw("000000000000f03f"), 892},
		{row.Column{Type: row.TVarbinary}, raw("22c80f"), 902},
		{row.Column{Type: row.TBinary, Length: 4}, raw("62000000"), 336},
		{row.Column{Type: row.TBinary, Length: 4}, raw("61000000"), 595},
		{row.Column{Type: row.TDecimal, Precision: 10, Scale: 2}, raw("8000000100"), 408},
		{row.Column{Type: row.TDecimal, Precision: 10, Scale: 2}, raw("8000000232"), 882},
		{clock, stored(clock, "'10:00:00'"), 767},
		{clock, stored(clock, "'-10:00:00'"), 772},
		{row.Column{Type: row.TTimestamp}, row.IntValue(1577836800 * 1e6), 400},
		{row.Column{Type: row.TYear}, row.UintValue(2020), 697},
		{row.Column{Type: row.TEnum}, row.UintValue(1), 260},
		{row.Column{Type: row.TEnum}, row.UintValue(2), 267},
		{row.Column{Type: row.TBit}, row.UintValue(1), 27},
		{row.Column{Type: row.TBit}, row.UintValue(65), 670},
	} {
		def := &catalog.Table{Schema: "s", Name: "t", Columns: []catalog.Column{{Name: "a", Column: x.column}},
			Indexes:      []*catalog.Index{{Clustered: true}},
			Partitioning: &catalog.Partitioning{By: catalog.PartitionKey{Method: catalog.ByKey, ColumnList: true, Columns: []string{"a"}}, Parts: Numbered(0, 1021)}}
		f, err := New(def)
		require.NoError(t, err)
		got, err := f.Place([]row.Value{x.value})
		require.NoError(t, err)
		if got != x.want {
			t.Errorf("type %d, value %v %d: partition %d, MySQL's is %d", x.column.Type, x.value.B, x.value.N, got, x.want)
		}
	}
}
