package replication

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// packetOf is a payload as it stands on the wire. Its numbers begin anywhere, as those of a
// compressing source do.
func packetOf(payload []byte, number byte) (out []byte) {
	for {
		n := min(len(payload), mysql.MaxPayloadLen)
		out = append(append(out, byte(n), byte(n>>8), byte(n>>16), number), payload[:n]...)
		if payload = payload[n:]; n < mysql.MaxPayloadLen {
			return out
		}
		number++
	}
}

// framed cuts bytes into frames at random places, some of them not compressed.
func framed(t *testing.T, r *rand.Rand, b []byte, algorithm uint8) (out []byte) {
	for number := byte(0); len(b) > 0; number++ {
		n := min(len(b), 1+r.IntN([]int{3, 5000, mysql.MaxPayloadLen - 1}[r.IntN(3)]))
		packed, size := b[:n], 0
		if r.IntN(3) > 0 {
			var buf bytes.Buffer
			var w io.WriteCloser = zlib.NewWriter(&buf)
			if algorithm == mysql.MYSQL_COMPRESS_ZSTD {
				var err error
				w, err = zstd.NewWriter(&buf, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
				require.NoError(t, err)
			}
			_, err := w.Write(packed)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			packed, size = buf.Bytes(), n
		}
		out = append(out, byte(len(packed)), byte(len(packed)>>8), byte(len(packed)>>16), number, byte(size), byte(size>>8), byte(size>>16))
		out, b = append(out, packed...), b[n:]
	}
	return out
}

func TestPackets(t *testing.T) {
	for _, algorithm := range []uint8{mysql.MYSQL_COMPRESS_NONE, mysql.MYSQL_COMPRESS_ZLIB, mysql.MYSQL_COMPRESS_ZSTD} {
		r := rand.New(rand.NewPCG(7, uint64(algorithm)))
		sizes := []int{0, 1, 300, 70000, mysql.MaxPayloadLen, 12}
		var payloads [][]byte
		var wire []byte
		for _, n := range sizes {
			p := bytes.Repeat([]byte{byte(n)}, n)
			for i := 0; i < n; i += 1 + r.IntN(1000) {
				p[i] = byte(r.Uint32())
			}
			payloads = append(payloads, p)
			wire = append(wire, packetOf(p, byte(r.Uint32()))...)
		}
		if algorithm != mysql.MYSQL_COMPRESS_NONE {
			wire = framed(t, r, wire, algorithm)
		}
		p := newPackets(bytes.NewReader(wire), algorithm)
		for _, want := range payloads {
			got, err := p.next()
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "algorithm %d, %d bytes", algorithm, len(want))
		}
		_, err := p.next()
		require.ErrorIs(t, err, io.EOF)
		p = newPackets(bytes.NewReader(wire[:len(wire)-1]), algorithm)
		for err = nil; err == nil; {
			_, err = p.next()
		}
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the last packet is cut")
	}
}

// TestBadPackets: what a source may send beyond what it should.
func TestBadPackets(t *testing.T) {
	var bomb bytes.Buffer
	w := zlib.NewWriter(&bomb)
	_, err := w.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	n := bomb.Len()
	for name, b := range map[string][]byte{
		"more than announced": append([]byte{byte(n), byte(n >> 8), 0, 0, 100, 0, 0}, bomb.Bytes()...),
		"less than announced": append([]byte{byte(n), byte(n >> 8), 0, 0, 1, 0, 16}, bomb.Bytes()...),
		"not compressed":      {3, 0, 0, 0, 9, 0, 0, 1, 2, 3},
		"nothing":             {0, 0, 0, 0, 9, 0, 0},
	} {
		for _, algorithm := range []uint8{mysql.MYSQL_COMPRESS_ZLIB, mysql.MYSQL_COMPRESS_ZSTD} {
			_, err := newPackets(bytes.NewReader(b), algorithm).next()
			require.Error(t, err, name)
			require.NotErrorIs(t, err, errLongPacket, name)
		}
	}
	p := newPackets(bytes.NewReader(packetOf(make([]byte, mysql.MaxPayloadLen+5), 0)), mysql.MYSQL_COMPRESS_NONE)
	p.most = int64(mysql.MaxPayloadLen) + 4
	_, err = p.next()
	require.ErrorIs(t, err, errLongPacket)
}
