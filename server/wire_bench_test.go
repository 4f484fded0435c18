package server

import (
	"bufio"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/server/commands"
	"emberdb/server/wire"
)

// roundTrips sends a command and reads answers of the given number of packets, b.N times.
func roundTrips(b *testing.B, command []byte, packets int) {
	ts := start(b)
	c := ts.dial()
	require.NoError(b, c.SetDeadline(time.Time{}))
	rd := bufio.NewReaderSize(c.Conn, 64<<10)
	out := wire.Frame(0, command)
	b.ReportAllocs()
	for b.Loop() {
		_, err := c.Write(out)
		require.NoError(b, err)
		for range packets {
			h, err := rd.Peek(wire.HeaderSize)
			require.NoError(b, err)
			_, err = rd.Discard(wire.HeaderSize + wire.FrameLen(h))
			require.NoError(b, err)
		}
	}
}

func BenchmarkPing(b *testing.B) { roundTrips(b, []byte{commands.ComPing}, 1) }
func BenchmarkSelect(b *testing.B) {
	roundTrips(b, append([]byte{commands.ComQuery}, "SELECT 1"...), 4)
}
