package replication

import (
	"encoding/binary"
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
	if err == nil { // the library wants a format description first
		require.IsType(t, &replication.TransactionPayloadEvent{}, e.Event)
	}
	require.NoError(t, checkPacked(packed(t, xid)[replication.EventHeaderSize:]))
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
