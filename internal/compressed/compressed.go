// Package compressed reads and writes the compressed form of MySQL's protocol. Once a login has
// chosen an algorithm, both sides put their packets into frames, without regard to where a packet
// begins or ends:
//
//	0          3     4              7
//	+----------+-----+--------------+------------------------+
//	| len      | seq | len unpacked | len bytes              |
//	+----------+-----+--------------+------------------------+
//
// Lengths are little-endian. A frame whose second length is 0 holds its bytes as they are.
//
// Invariants:
//
//	(1) Memory for a frame grows with the bytes that arrive, and never beyond what its header
//	    announces: 16 MiB packed, 16 MiB unpacked.
//	(2) A read that fails because of a deadline loses nothing: the next one goes on.
package compressed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Algorithm is how the bytes in frames are compressed.
type Algorithm uint8

const (
	None Algorithm = iota // frames without compression
	Zlib
	Zstd
)

const (
	headerSize = 7
	maxFrame   = 1<<24 - 1

	// leastPacked is the least number of bytes that are compressed.
	leastPacked = 50
	// mostPacked bounds the bytes of one frame that is written, and with it the memory for it.
	mostPacked = 256 << 10

	// DefaultLevel is the level of zlib.
	DefaultLevel = 6
	// MaxLevel is the highest level of zstd.
	MaxLevel = 22
)

// ErrFrame says that a frame breaks the protocol.
var ErrFrame = errors.New("a compressed packet cannot be read")

// Reader unpacks what arrives.
type Reader struct {
	src       io.Reader
	algorithm Algorithm
	head      [headerSize]byte
	nhead     int
	body      bytes.Buffer // packed
	plain     []byte       // unpacked, and not yet read
	err       error        // ErrFrame, for good
	next      byte         // number of the next frame that is written or read
	received  int          // bytes, since TakeReceived
}

// NewReader reads frames from src.
func NewReader(src io.Reader, a Algorithm) *Reader { return &Reader{src: src, algorithm: a} }

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.plain) == 0 {
		if err := r.frame(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.plain)
	if r.plain = r.plain[n:]; len(r.plain) == 0 {
		r.plain = nil
	}
	return n, nil
}

// TakeReceived returns how many bytes have arrived since the last call.
func (r *Reader) TakeReceived() int {
	n := r.received
	r.received = 0
	return n
}

// frame reads and unpacks one frame.
func (r *Reader) frame() error {
	if r.err != nil {
		return r.err
	}
	for r.nhead < headerSize {
		n, err := r.src.Read(r.head[r.nhead:])
		r.nhead += n
		if r.nhead < headerSize && err != nil {
			return r.cut(err)
		}
	}
	if left := length(r.head[:]) - r.body.Len(); left > 0 {
		if _, err := io.CopyN(&r.body, r.src, int64(left)); err != nil {
			return r.cut(err)
		}
	}
	if r.plain, r.err = r.unpack(); r.err != nil {
		return r.err
	}
	r.next = r.head[3] + 1
	r.received += headerSize + r.body.Len()
	r.nhead, r.body = 0, bytes.Buffer{}
	return nil
}

// cut makes the end of the connection an error in the middle of a frame.
func (r *Reader) cut(err error) error {
	if r.nhead > 0 && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func length(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// unpack gives the bytes of a frame that is there.
func (r *Reader) unpack() ([]byte, error) {
	size := length(r.head[4:])
	if size == 0 {
		return r.body.Bytes(), nil
	}
	plain, err := r.inflate(size)
	if err != nil || len(plain) != size {
		return nil, fmt.Errorf("%w: %d bytes instead of %d: %w", ErrFrame, len(plain), size, err)
	}
	return plain, nil
}

// Unpackers are used by all connections.
var (
	zlibReaders sync.Pool
	zstdReaders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*(maxFrame+1)), zstd.WithDecoderLowmem(true))
		if err != nil {
			panic(err) // of the options above
		}
		return d
	}}
)

// inflate gives at most one byte more than size.
func (r *Reader) inflate(size int) ([]byte, error) {
	packed := bytes.NewReader(r.body.Bytes())
	switch r.algorithm {
	case Zlib:
		z, err := zlibReader(packed)
		if err != nil {
			return nil, err
		}
		defer zlibReaders.Put(z)
		return io.ReadAll(io.LimitReader(z, int64(size)+1))
	case Zstd:
		d := zstdReaders.Get().(*zstd.Decoder)
		defer zstdReaders.Put(d)
		if err := d.Reset(packed); err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(d, int64(size)+1))
	}
	return nil, errors.New("the connection has no compression")
}

func zlibReader(packed io.Reader) (io.ReadCloser, error) {
	if z, ok := zlibReaders.Get().(io.ReadCloser); ok {
		if err := z.(zlib.Resetter).Reset(packed, nil); err != nil {
			return nil, err
		}
		return z, nil
	}
	return zlib.NewReader(packed)
}

// Pending is what a reader has taken from its source, and nobody has read: a part of a frame, and
// unpacked bytes.
type Pending struct {
	Frame []byte
	Plain []byte
	Next  byte
}

// Pending tells what another process needs to go on reading.
func (r *Reader) Pending() Pending {
	return Pending{Frame: append(bytes.Clone(r.head[:r.nhead]), r.body.Bytes()...), Plain: bytes.Clone(r.plain), Next: r.next}
}

// Resume goes on where another process has stopped. The source of r gives p.Frame first.
func (r *Reader) Resume(p Pending) { r.plain, r.next = p.Plain, p.Next }

// Writer packs what is written.
type Writer struct {
	dst       io.Writer
	algorithm Algorithm
	level     int
	numbers   *Reader // gives the numbers of frames
	out       bytes.Buffer
	sent      int
}

// NewWriter writes frames to dst. Their numbers go on from the frames that r has read.
func NewWriter(dst io.Writer, r *Reader, level int) *Writer {
	return &Writer{dst: dst, algorithm: r.algorithm, level: level, numbers: r}
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		part := p[done:min(len(p), done+mostPacked)]
		if err := w.frame(part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(p), nil
}

// TakeSent returns how many bytes have been sent since the last call.
func (w *Writer) TakeSent() int {
	n := w.sent
	w.sent = 0
	return n
}

// frame writes one frame, compressed if that makes it smaller.
func (w *Writer) frame(p []byte) error {
	w.out.Reset()
	w.out.Write(make([]byte, headerSize))
	size := 0
	if len(p) >= leastPacked && w.deflate(p) && w.out.Len()-headerSize < len(p) {
		size = len(p)
	} else {
		w.out.Truncate(headerSize)
		w.out.Write(p)
	}
	b := w.out.Bytes()
	n := len(b) - headerSize
	copy(b, []byte{byte(n), byte(n >> 8), byte(n >> 16), w.numbers.next, byte(size), byte(size >> 8), byte(size >> 16)})
	w.numbers.next++
	sent, err := w.dst.Write(b)
	w.sent += sent
	if w.out.Cap() > 16<<10 {
		w.out = bytes.Buffer{} // a quiet connection holds no large buffer
	}
	return err
}

// Packers are used by all connections: each holds about a megabyte.
var (
	zlibWriters sync.Pool
	zstdWriters [zstd.SpeedBestCompression + 1]sync.Pool
)

// deflate puts p behind what is in out. false: it cannot.
func (w *Writer) deflate(p []byte) bool {
	switch w.algorithm {
	case Zlib:
		z, ok := zlibWriters.Get().(*zlib.Writer)
		if ok {
			z.Reset(&w.out)
		} else {
			z, _ = zlib.NewWriterLevel(&w.out, DefaultLevel)
		}
		defer zlibWriters.Put(z)
		_, err := z.Write(p)
		return errors.Join(err, z.Close()) == nil
	case Zstd:
		pool := &zstdWriters[zstd.EncoderLevelFromZstd(w.level)]
		e, ok := pool.Get().(*zstd.Encoder)
		if !ok {
			var err error
			if e, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(mostPacked),
				zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(w.level)), zstd.WithEncoderCRC(false)); err != nil {
				return false
			}
		}
		defer pool.Put(e)
		b := e.EncodeAll(p, w.out.AvailableBuffer())
		w.out.Write(b)
		return true
	}
	return false
}
