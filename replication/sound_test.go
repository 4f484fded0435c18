package replication

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// packed is a packed transaction of these bytes.
func packed(t testing.TB, inner []byte) []byte {
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return event(replication.TRANSACTION_PAYLOAD_EVENT, append([]byte{2, 1, 0, 0}, w.EncodeAll(inner, nil)...)...)
}

func TestPackedTransactions(t *testing.T) {
	xid := event(replication.XID_EVENT, 1, 0, 0, 0, 0, 0, 0, 0)
	e, err := parseEvent(newParser(), packed(t, append(append([]byte{}, xid...), xid...)))
	require.NoError(t, err)
	require.Len(t, e.Event.(*replication.TransactionPayloadEvent).Events, 2)
	huge := append([]byte{}, xid...)
	binary.LittleEndian.PutUint32(huge[9:], 1<<31)
	for name, inner := range map[string][]byte{
		"cut":      xid[:len(xid)-1],
		"no event": {1, 2, 3},
		"packed":   packed(t, xid),
		"gtids":    event(replication.PREVIOUS_GTIDS_EVENT, 0, 0, 0, 0, 0, 0, 0, 1),
		"short":    make([]byte, replication.EventHeaderSize),
		"huge":     huge,
	} {
		_, err := parseEvent(newParser(), packed(t, inner))
		require.Error(t, err, name)
	}
}

// TestPackedDocuments: documents in a packed transaction of MySQL 9.7 stay in binary form, as others do.
func TestPackedDocuments(t *testing.T) {
	raw, err := hex.DecodeString("2be9086b2885030000d80000005c05000000000201000303fc03010101b50028b52ffd6003005d05" +
		"00828a212a7055d31800e583f0ffffffff5755459174293e74ad6ef0bfae0141ef0526fb66df36b3" +
		"a6b61ad952ca14ff7fa4107472cb08c06f98a6a4f37d78f547fcfa96997fd339f50a9dd08917f3a4" +
		"e7d28ef3f1e771d70719e318b07a66f4e56de0b3fb26d772ce905fae80c1ceb2542897e423e17875" +
		"f5345ab6d1e5b9912f86c327bf9c62b0b3020f00a004e2da1107228483e7b99e56823e608caa2c06" +
		"a3ad15659678e03650f200bc985ca7e9")
	require.NoError(t, err)
	e, err := parseEvent(newParser(), raw)
	require.NoError(t, err)
	var rows [][]any
	for _, inner := range e.Event.(*replication.TransactionPayloadEvent).Events {
		if r, ok := inner.Event.(*replication.RowsEvent); ok {
			rows = append(rows, r.Rows...)
		}
	}
	require.Len(t, rows, 2)
	require.IsType(t, []byte(nil), rows[0][1])
	require.EqualValues(t, 0, rows[0][1].([]byte)[0], "a small object")
	require.EqualValues(t, 2, rows[1][1].([]byte)[0], "a small array")
}
