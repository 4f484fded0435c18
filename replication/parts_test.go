package replication

import (
	"encoding/hex"
	"testing"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/binlog"
)

// TestPartsOfDocuments reads events of MySQL 9.7, of
//
//	CREATE TABLE t (id INT PRIMARY KEY, j JSON, k JSON, v JSON AS (JSON_OBJECT('a', id)) VIRTUAL, s VARCHAR(20))
//	SET binlog_row_value_options = 'PARTIAL_JSON'
//	UPDATE t SET j = JSON_SET(j, '$.a', 2), s = 'y'
//	SET binlog_row_image = MINIMAL
//	UPDATE t SET j = JSON_SET(j, '$.a', 3), s = 'z'
func TestPartsOfDocuments(t *testing.T) {
	p := newParser()
	_, err := p.Parse(binlog.AppendFormatDescription(nil, binlog.Head{}, "9.7.4", 0, 1))
	require.NoError(t, err)
	read := func(text string) (*replication.BinlogEvent, error) {
		raw, err := hex.DecodeString(text)
		require.NoError(t, err)
		return parseEvent(p, raw)
	}
	const table = "c589096b13100000003b0000007a01000000005a00000000000100027078000174000503f5f5f50f0504040450001e0101000203fcff0071610f08"
	_, err = read(table)
	require.NoError(t, err)
	full := "c589096b2710000000ab0000002502000000005a00000000001100020005ffff00010000003b0000000002003a0012000100130001000501000c140061622578787878787878" +
		"7878787878787878787878787878787878787878787878787878787878780e0000000203000d000501000502000503000d0000000001000c000b000100050100610178010700" +
		"01000000090000000003242e6103050200000000000000000001792415e8df"
	e, err := read(full)
	require.NoError(t, err)
	r := e.Event.(*replication.RowsEvent)
	require.Equal(t, tellsParts, r.Type())
	require.Len(t, r.Rows, 2)
	require.IsType(t, []byte(nil), r.Rows[0][1])
	require.Equal(t, "JSON_REPLACE(`j`, '$.a', CAST('2' AS JSON))", string(r.Rows[1][1].(documentParts).append(nil, "`j`")))
	require.Nil(t, r.Rows[1][2])
	require.Equal(t, "y", r.Rows[1][4])
	_, err = read(table) // the last event of a statement ends what the map says
	require.NoError(t, err)
	e, err = read("c589096b27100000003b0000005b03000000005a0000000000110002000501120001000000010100090000000003242e6103050300017a33f242e1")
	require.NoError(t, err)
	r = e.Event.(*replication.RowsEvent)
	require.Equal(t, "JSON_REPLACE(`j`, '$.a', CAST('3' AS JSON))", string(r.Rows[1][1].(documentParts).append(nil, "`j`")))
	require.Equal(t, [][]int{{1, 2, 3, 4}, {0, 2, 3}}, r.SkippedColumns)

	for at := 2 * len("c589096b2710000000ab0000002502000000"); at < len(full); at += 2 { // damage is an error, or other rows
		raw, err := hex.DecodeString(full)
		require.NoError(t, err)
		_, _ = parseEvent(p, raw[:at/2])
		raw[at/2] ^= 0x55
		_, _ = parseEvent(p, raw)
	}
}

func TestPartsAsSQL(t *testing.T) {
	b := []byte{0, 3, '$', '.', 'a', 3, 5, 2, 0, 0, 3, '$', '.', 'b', 3, 5, 3, 0, 2, 3, '$', '.', 'c', 1, 4, '$', '[', '0', ']', 2, 4, 0, 1, 5, '$', '.', '"', '\'', '"', 2, 4, 1}
	steps, err := binlog.ReadDiff(b)
	require.NoError(t, err)
	require.Equal(t, "JSON_INSERT(JSON_ARRAY_INSERT(JSON_REMOVE(JSON_REPLACE(`d`, '$.a', CAST('2' AS JSON), '$.b', CAST('3' AS JSON)), '$.c'), '$[0]', CAST('null' AS JSON)), "+
		`'$."\'"', CAST('true' AS JSON))`, string(documentParts(steps).append(nil, "`d`")))
	for i := range b {
		_, err := binlog.ReadDiff(b[:i])
		require.Equal(t, i == 0 || i == 9 || i == 18 || i == 23 || i == 32, err == nil, "cut at %d", i)
	}
}
