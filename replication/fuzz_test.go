package replication

import (
	"encoding/binary"
	"testing"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"
)

// event is the bytes of an event without its checksum.
func event(kind replication.EventType, body ...byte) []byte {
	e := binary.LittleEndian.AppendUint32(nil, 1)
	e = append(e, byte(kind))
	e = binary.LittleEndian.AppendUint32(e, 1)
	e = binary.LittleEndian.AppendUint32(e, uint32(19+len(body)))
	e = binary.LittleEndian.AppendUint32(e, 0)
	return append(append(e, 0, 0), body...)
}

// FuzzEvent reads events as a source or a BINLOG statement sends them, packed ones too: one that
// cannot be read is an error.
func FuzzEvent(f *testing.F) {
	f.Add(event(replication.QUERY_EVENT, 1, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 255))
	f.Add(event(replication.TABLE_MAP_EVENT, 1, 0, 0, 0, 0, 0, 1, 0, 4, 't', 'e', 's', 't', 0, 254, 255, 255, 255, 255, 255, 255, 255, 255))
	f.Add(event(replication.WRITE_ROWS_EVENTv2, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 254, 255, 255, 255, 255, 255, 255, 255, 127))
	f.Add(event(replication.TRANSACTION_PAYLOAD_EVENT, 2, 1, 0, 3, 8, 255, 255, 255, 255, 255, 255, 255, 127, 1, 1, 4, 0, 0x28, 0xb5, 0x2f, 0xfd))
	f.Add(event(replication.GTID_EVENT, 1))
	f.Add(event(replication.FORMAT_DESCRIPTION_EVENT, 4, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		if e, err := parseEvent(newParser(), b); err == nil {
			require.NotNil(t, e)
		}
	})
}
