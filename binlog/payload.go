package binlog

// Transaction_payload: all events of a transaction, compressed (binlog_transaction_compression).
// Body; on disk; fixed. Each field is its number, the length of its value and the value, all packed:
//
//	2 compression: 0 zstd, 255 none   3 bytes of the events   1 bytes that follow   then 0, which ends the fields
//	then the events, one after the other, without checksums and with positions of zero
//
// A transaction stays as it is if that makes it no shorter, if it has a file of its own, and if it
// changes definitions.

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	payloadEnd         = 0
	payloadSize        = 1
	payloadCompression = 2
	payloadWhole       = 3

	payloadZstd = 0
	payloadNone = 255
	// maxPayload is how much a reader of this package unpacks.
	maxPayload = 1 << 30
)

// packers are the encoders, by their level. They are made when first needed.
type packers struct {
	mu sync.Mutex
	by map[zstd.EncoderLevel]*zstd.Encoder
}

func (p *packers) get(level int) (*zstd.Encoder, error) {
	at := zstd.EncoderLevelFromZstd(level)
	p.mu.Lock()
	defer p.mu.Unlock()
	if enc := p.by[at]; enc != nil {
		return enc, nil
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(at))
	if err == nil {
		if p.by == nil {
			p.by = map[zstd.EncoderLevel]*zstd.Encoder{}
		}
		p.by[at] = enc
	}
	return enc, err
}

// packed are the events of a transaction in one.
type packed struct {
	event                []byte // nil: the transaction stays as it is
	compressed, original int
}

// pack packs the events of c, if its session asks for that and it is of use.
func (l *Log) pack(c *Cache) (p packed, err error) {
	if c.compress == 0 || c.statements || c.IsEmpty() {
		return p, nil
	}
	enc, err := l.packers.get(c.compress)
	if err != nil {
		return p, err
	}
	events, err := c.load(nil)
	if err != nil {
		return p, err
	}
	h, err := ParseHeader(events)
	if err != nil {
		return p, err
	}
	size := len(events)
	events = placeBare(events[:0], events, 0)
	for rest := events; len(rest) > 0; rest = rest[eventLength(rest):] {
		clear(rest[13:17])
	}
	data := enc.EncodeAll(events, nil)
	event := beginEvent(make([]byte, 0, len(data)+64), EventPayload, Head{Time: h.Time, ServerID: h.ServerID})
	for _, f := range [][2]int{{payloadCompression, payloadZstd}, {payloadWhole, len(events)}, {payloadSize, len(data)}} {
		n := uint64(f[1])
		event = appendPacked(appendPacked(append(event, byte(f[0])), uint64(packedSize(n))), n)
	}
	event = endEvent(append(append(event, payloadEnd), data...), 0)
	if len(event) < size {
		p = packed{event, len(data), len(events)}
	}
	return p, nil
}

// payloadInfo describes the body of a payload in the words of SHOW BINLOG EVENTS.
func payloadInfo(b []byte) string {
	kind, whole, _, err := cutPayload(b)
	if err != nil {
		return ""
	}
	name := "ZSTD"
	if kind == payloadNone {
		name = "NONE"
	}
	return fmt.Sprintf("compression='%s', decompressed_size=%d bytes", name, whole)
}

// cutPayload reads the fields and returns what follows them.
func cutPayload(b []byte) (kind, whole uint64, data []byte, err error) {
	kind, size := payloadNone, uint64(0)
	for {
		if len(b) == 0 {
			return 0, 0, nil, errPayload
		}
		field := b[0]
		if b = b[1:]; field == payloadEnd {
			break
		}
		value, rest, err := cutString(b)
		n, ok := cutPacked(value)
		if err != nil || !ok {
			return 0, 0, nil, errPayload
		}
		b = rest
		switch field {
		case payloadCompression:
			kind = n
		case payloadWhole:
			whole = n
		case payloadSize:
			size = n
		}
	}
	if size != uint64(len(b)) || kind != payloadZstd && kind != payloadNone || whole > maxPayload {
		return 0, 0, nil, errPayload
	}
	return kind, whole, b, nil
}

var errPayload = errors.New("the payload of a transaction is damaged, or too large")

// Unpack returns the events in a payload. They end where it ends.
func (e *Event) Unpack() (inner []Event, err error) {
	kind, whole, data, err := cutPayload(e.Body())
	if err != nil {
		return nil, err
	}
	if kind == payloadZstd {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(whole, 1<<10)))
		if err != nil {
			return nil, err
		}
		defer dec.Close()
		if data, err = dec.DecodeAll(data, nil); err != nil {
			return nil, fmt.Errorf("%w: %w", errPayload, err)
		}
	}
	for len(data) > 0 {
		h, err := ParseHeader(data)
		if err != nil || int(h.Length) > len(data) {
			return nil, errPayload
		}
		h.LogPos = e.LogPos
		inner = append(inner, Event{Header: h, Pos: e.End(), File: e.File, Raw: data[:h.Length]})
		data = data[h.Length:]
	}
	return inner, nil
}

// Compression counts what transactions took in the log, by how they are compressed.
type Compression struct {
	Transactions         int64
	Compressed, Original int64
	First, Last          Compressed
}

// Compressed is one of them.
type Compressed struct {
	GTID                 GTID
	Compressed, Original int64
	Time                 uint64 // microseconds since 1970
}

func (c *Compression) add(g *gtidEvent, compressed, original int) {
	c.Last = Compressed{g.gtid, int64(compressed), int64(original), g.immediateTime}
	if c.Transactions == 0 {
		c.First = c.Last
	}
	c.Transactions++
	c.Compressed += int64(compressed)
	c.Original += int64(original)
}

// Compressions returns what was counted: transactions that are compressed, and the others.
func (l *Log) Compressions() (zstd, none Compression) {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	return l.compressions[1], l.compressions[0]
}

// ForgetCompressions counts anew.
func (l *Log) ForgetCompressions() {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	l.compressions = [2]Compression{}
}

// countCompression counts a transaction. REQUIRES: orderMu held.
func (l *Log) countCompression(g *gtidEvent, p *packed) {
	if p.event == nil {
		l.compressions[0].add(g, int(g.length), int(g.length))
		return
	}
	l.compressions[1].add(g, p.compressed, p.original)
}
