package replication

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/internal/compressed"
)

// packets reads the packets of a source that sends its log, compressed or not. A compressing source
// gives packets the number of the frame they begin in, so numbers tell nothing; events have
// checksums of their own.
type packets struct {
	from io.Reader
	most int64 // bytes of one packet
}

// mostEvent is the largest packet of a source: an event of 1 GiB, and what stands around it.
const mostEvent = 1<<30 + 1<<20

var errLongPacket = errors.New("a packet of the source is longer than 1 GiB")

// newPackets reads what comes over a connection. algorithm is the library's number of the
// compression.
func newPackets(conn io.Reader, algorithm uint8) *packets {
	buffered := bufio.NewReaderSize(conn, 64<<10)
	if algorithm == mysql.MYSQL_COMPRESS_NONE {
		return &packets{buffered, mostEvent}
	}
	packed := compressed.Zlib
	if algorithm == mysql.MYSQL_COMPRESS_ZSTD {
		packed = compressed.Zstd
	}
	return &packets{compressed.NewReader(buffered, packed), mostEvent}
}

// next reads a packet, which is the caller's. Memory grows with what arrives, not with what a
// length announces.
func (p *packets) next() ([]byte, error) {
	var out bytes.Buffer
	for {
		var head [4]byte
		if _, err := io.ReadFull(p.from, head[:]); err != nil {
			return nil, err
		}
		n := length3(head[:])
		if int64(out.Len())+n > p.most {
			return nil, errLongPacket
		}
		out.Grow(int(min(n, 64<<10)))
		if _, err := io.CopyN(&out, p.from, n); err != nil {
			return nil, cut(err)
		}
		if n < int64(mysql.MaxPayloadLen) {
			return out.Bytes(), nil
		}
	}
}

// cut makes the end of the connection an error in the middle of a packet.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func length3(b []byte) int64 { return int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 }

// frame puts a short packet into a frame of a compressed connection, as it is.
func frame(packet []byte) []byte {
	n := len(packet)
	return append([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0}, packet...)
}
