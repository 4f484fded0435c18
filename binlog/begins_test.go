package binlog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBegins reads the first events of transactions as they are written, and cut off at every byte.
func TestBegins(t *testing.T) {
	server := UUID{1, 2, 3, 15: 16}
	at := time.Date(2026, 3, 4, 5, 6, 7, 891_000_000, time.UTC)
	micro := uint64(at.UnixMicro())
	tag, ok := ParseTag("blue")
	require.True(t, ok)
	for _, g := range []gtidEvent{
		{immediateTime: micro, originalTime: micro, length: 1},
		{gtid: GTID{Source{Server: server}, 7}, immediateTime: micro, originalTime: micro, length: 100_000},
		{gtid: GTID{Source{Server: server}, maxGNO - 1}, immediateTime: micro, originalTime: micro - 5, length: 1 << 33, immediateVer: 80400, originalVersion: 90700},
		{gtid: GTID{Source{server, tag}, 300}, immediateTime: micro, originalTime: micro + 9, length: 1 << 20, immediateVer: 90700, originalVersion: 90700},
		{gtid: GTID{Source{server, tag}, 1}, immediateTime: micro, originalTime: micro, length: 60, bare: true},
	} {
		raw := appendGTID(nil, Head{}, &g)
		h, err := ParseHeader(raw)
		require.NoError(t, err)
		e := Event{Header: h, Raw: raw, checksum: true}
		b, ok, err := e.Begins()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, g.gtid, b.GTID)
		require.True(t, at.Equal(b.Committed), b.Committed)
		require.Equal(t, int64(g.total()), b.Length)
		for n := headerSize + checksumSize; n < len(raw); n++ {
			cut := Event{Header: h, Raw: raw[:n], checksum: true}
			if b, ok, _ := cut.Begins(); ok { // what stands behind the length is not needed
				require.Equal(t, int64(g.total()), b.Length)
			}
		}
	}
	_, ok, err := (&Event{Header: Header{Type: EventXid}, Raw: make([]byte, 40)}).Begins()
	require.NoError(t, err)
	require.False(t, ok)
}
