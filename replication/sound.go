package replication

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/klauspost/compress/zstd"

	"emberdb/binlog"
)

// Bytes of a source are looked at before the library reads them: it allocates what counts say, and
// unpacks whatever a packed transaction becomes.

// mostUnpacked is the largest packed transaction: what a source with the largest max_allowed_packet
// sends.
const mostUnpacked = 1 << 30

var errUnreadable = errors.New("it cannot be read")

// parseEvent reads an event with its checksum. Of a table that no map names the library can make
// nothing.
func parseEvent(p *replication.BinlogParser, event []byte) (e *replication.BinlogEvent, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, err = nil, errUnreadable
		}
	}()
	if len(event) < replication.EventHeaderSize {
		return nil, errUnreadable
	}
	body := event[replication.EventHeaderSize:]
	switch replication.EventType(event[4]) {
	case replication.PREVIOUS_GTIDS_EVENT: // nobody asks what is in it
		h := new(replication.EventHeader)
		if err := h.Decode(event); err != nil {
			return nil, err
		}
		return &replication.BinlogEvent{RawData: event, Header: h, Event: &replication.GenericEvent{Data: body}}, nil
	case replication.TRANSACTION_PAYLOAD_EVENT:
		n := len(event) - replication.BinlogChecksumLength
		if n > replication.EventHeaderSize && crc32.ChecksumIEEE(event[:n]) == binary.LittleEndian.Uint32(event[n:]) {
			body = event[replication.EventHeaderSize:n]
		}
		h := new(replication.EventHeader)
		if err := h.Decode(event); err != nil {
			return nil, err
		}
		events, err := unpack(body)
		return &replication.BinlogEvent{RawData: event, Header: h, Event: &replication.TransactionPayloadEvent{Events: events}}, err
	}
	return p.Parse(event)
}

// unpack reads the events of a packed transaction. Its fields stand before a zero byte, its events
// behind it. They are whole, have no checksums, and none is packed itself.
func unpack(body []byte) (events []*replication.BinlogEvent, err error) {
	for len(body) > 0 && body[0] != 0 {
		if len(body) < 2 || len(body)-2 < int(body[1]) {
			return nil, errUnreadable
		}
		body = body[2+int(body[1]):]
	}
	if len(body) == 0 {
		return nil, errUnreadable
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Reset(&source{body[1:]}); err != nil {
		return nil, errUnreadable
	}
	p, err := unpackedParser()
	if err != nil {
		return nil, err
	}
	var header [replication.EventHeaderSize]byte
	for total := int64(0); total <= mostUnpacked; {
		if _, err := io.ReadFull(r, header[:]); err == io.EOF {
			return events, nil
		} else if err != nil {
			return nil, errUnreadable
		}
		size := int64(binary.LittleEndian.Uint32(header[9:]))
		kind := replication.EventType(header[4])
		if size < int64(len(header)) || kind == replication.TRANSACTION_PAYLOAD_EVENT || kind == replication.PREVIOUS_GTIDS_EVENT {
			return nil, errUnreadable
		}
		if total += size; total > mostUnpacked {
			break
		}
		event := bytes.NewBuffer(append([]byte(nil), header[:]...))
		if _, err := io.CopyN(event, r, size-int64(len(header))); err != nil {
			return nil, errUnreadable
		}
		e, err := parseEvent(p, event.Bytes())
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return nil, errors.New("a packed transaction is larger than 1 GiB")
}

// unpackedParser is a parser of events without checksums, in the format of every source that packs.
func unpackedParser() (*replication.BinlogParser, error) {
	p := newParser()
	_, err := p.Parse(binlog.AppendFormatDescription(nil, binlog.Head{}, "8.0.20", 0, 0))
	return p, err
}

// source reads bytes and has no other methods: the decoder must not know how many there are.
type source struct{ b []byte }

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.b)
	s.b = s.b[n:]
	return n, nil
}
