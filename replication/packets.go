package replication

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
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
	return &packets{&unpacker{from: buffered, zstd: algorithm == mysql.MYSQL_COMPRESS_ZSTD}, mostEvent}
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

// unpacker unpacks MySQL's compressed frames: 3 bytes length, 1 number, 3 length when unpacked or
// 0, bytes.
type unpacker struct {
	from    io.Reader
	zstd    bool
	decoder *zstd.Decoder
	plain   []byte // unpacked, and not read yet
}

// Read implements io.Reader.
func (u *unpacker) Read(p []byte) (int, error) {
	for len(u.plain) == 0 {
		if err := u.frame(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.plain)
	u.plain = u.plain[n:]
	return n, nil
}

// frame unpacks the next frame. Both of its lengths are below 16 MiB.
func (u *unpacker) frame() error {
	var head [7]byte
	if _, err := io.ReadFull(u.from, head[:]); err != nil {
		return err
	}
	var packed bytes.Buffer
	if _, err := io.CopyN(&packed, u.from, length3(head[:])); err != nil {
		return cut(err)
	}
	size := length3(head[4:])
	if size == 0 {
		u.plain = packed.Bytes()
		return nil
	}
	plain, err := u.unpack(&packed, size)
	if err != nil || int64(len(plain)) != size {
		return fmt.Errorf("a compressed packet of the source cannot be read: %d bytes instead of %d: %w", len(plain), size, errors.Join(err, errUnreadable))
	}
	u.plain = plain
	return nil
}

// unpack gives at most one byte more than size.
func (u *unpacker) unpack(packed io.Reader, size int64) ([]byte, error) {
	if u.zstd {
		if u.decoder == nil {
			var err error
			if u.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked)); err != nil {
				return nil, err
			}
		}
		if err := u.decoder.Reset(packed); err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(u.decoder, size+1))
	}
	r, err := zlib.NewReader(packed)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, size+1))
}

// frame puts a short packet into a frame of a compressed connection, as it is.
func frame(packet []byte) []byte {
	n := len(packet)
	return append([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0}, packet...)
}
