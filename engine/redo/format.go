package redo

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The format's constants; the boxes stand in doc.go. On disk; fixed.
const (
	segMagic    = "EMBREDO1"
	segVersion  = 1
	segHeader   = 4096 // bytes before the first LSN of a segment
	groupHeader = 8
	jumpLength  = 0xFFFFFFFF // length field of the group that says "go on in the next segment"
	trailerSize = 16
	// FirstLSN is where a new log begins. LSNs below it do not exist.
	FirstLSN base.LSN = 4096

	blockSize = vfs.BlockSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Record is one change, or one message to recovery when Op < OpFirstPage.
type Record struct {
	Op   Op
	Page base.PageID
	Body []byte // aliases the payload
}

// AppendRecord encodes a record behind dst.
func AppendRecord(dst []byte, op Op, id base.PageID, body ...[]byte) []byte {
	n := 0
	for _, b := range body {
		n += len(b)
	}
	dst = append(dst, byte(op))
	dst = binary.AppendUvarint(dst, uint64(id.Space))
	dst = binary.AppendUvarint(dst, uint64(id.No))
	dst = binary.AppendUvarint(dst, uint64(n))
	for _, b := range body {
		dst = append(dst, b...)
	}
	return dst
}

// readRecord decodes the record at the head of p and returns what follows it; ok is false when p
// does not hold one.
func readRecord(p []byte) (rec Record, rest []byte, ok bool) {
	if len(p) == 0 {
		return rec, nil, false
	}
	rec.Op = Op(p[0])
	p = p[1:]
	var v [3]uint64
	for i := range v {
		if len(p) > 0 && p[0] < 0x80 { // most are short
			v[i], p = uint64(p[0]), p[1:]
			continue
		}
		x, n := binary.Uvarint(p)
		if n <= 0 || x > 0xFFFFFFFF {
			return rec, nil, false
		}
		v[i], p = x, p[n:]
	}
	if v[2] > uint64(len(p)) {
		return rec, nil, false
	}
	rec.Page = base.PageID{Space: base.SpaceID(v[0]), No: base.PageNo(v[1])}
	rec.Body = p[:v[2]:v[2]]
	return rec, p[v[2]:], true
}

// Records walks the records of a payload. A payload whose checksum is right and whose records do
// not parse gives an error.
func Records(payload []byte) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for p := payload; len(p) > 0; {
			rec, rest, ok := readRecord(p)
			if !ok {
				yield(Record{}, fmt.Errorf("redo record at byte %d of its group: %w", len(payload)-len(p), base.ErrCorrupt))
				return
			}
			if !yield(rec, nil) {
				return
			}
			p = rest
		}
	}
}

// groupSum finishes a group's checksum: the payload's checksum goes on over length, salt and LSN.
// So the long part is computed before the group knows its LSN, and only these 16 bytes under the
// append mutex.
func groupSum(payloadSum uint32, length uint32, salt uint32, lsn base.LSN) uint32 {
	return new(summer).group(payloadSum, length, salt, lsn)
}

// summer holds the bytes that finish a checksum, for callers that must not allocate.
type summer struct{ tail [16]byte }

func (s *summer) group(payloadSum uint32, length uint32, salt uint32, lsn base.LSN) uint32 {
	binary.LittleEndian.PutUint32(s.tail[0:], length)
	binary.LittleEndian.PutUint32(s.tail[4:], salt)
	binary.LittleEndian.PutUint64(s.tail[8:], uint64(lsn))
	return crc32.Update(payloadSum, castagnoli, s.tail[:])
}

func payloadSum(p []byte) uint32 { return crc32.Update(0, castagnoli, p) }

// segmentInfo is the content of a segment's header.
type segmentInfo struct {
	uuid   [16]byte
	number uint64
	start  base.LSN
	size   int64
	salt   uint32 // in force at start
}

func (s segmentInfo) end() base.LSN { return s.start + base.LSN(s.size) }

func (s segmentInfo) encode(block []byte) {
	clear(block[:segHeader])
	copy(block, segMagic)
	binary.LittleEndian.PutUint32(block[8:], segVersion)
	copy(block[16:], s.uuid[:])
	binary.LittleEndian.PutUint64(block[32:], s.number)
	binary.LittleEndian.PutUint64(block[40:], uint64(s.start))
	binary.LittleEndian.PutUint64(block[48:], uint64(s.size))
	binary.LittleEndian.PutUint32(block[56:], s.salt)
	binary.LittleEndian.PutUint32(block[12:], crc32.Checksum(block[:segHeader], castagnoli))
}

// decodeSegment reads a header; detail tells what is wrong with it, or is empty.
func decodeSegment(block []byte) (s segmentInfo, detail string) {
	sum := binary.LittleEndian.Uint32(block[12:])
	h := append([]byte(nil), block[:segHeader]...)
	clear(h[12:16])
	if string(h[:8]) != segMagic {
		return s, fmt.Sprintf("magic %q", h[:8])
	}
	if got := crc32.Checksum(h, castagnoli); got != sum {
		return s, fmt.Sprintf("header checksum %08x, stored %08x", got, sum)
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != segVersion {
		return s, fmt.Sprintf("version %d, this server knows %d", v, segVersion)
	}
	copy(s.uuid[:], h[16:])
	s.number = binary.LittleEndian.Uint64(h[32:])
	s.start = base.LSN(binary.LittleEndian.Uint64(h[40:]))
	s.size = int64(binary.LittleEndian.Uint64(h[48:]))
	s.salt = binary.LittleEndian.Uint32(h[56:])
	if s.size < minSegment || s.size > maxSegment || s.size%blockSize != 0 || s.start%blockSize != 0 {
		return s, fmt.Sprintf("start LSN %d, size %d", s.start, s.size)
	}
	return s, ""
}

// Internal groups of fixed shape.

func saltPayload(salt uint32) []byte {
	return AppendRecord(nil, OpSalt, base.PageID{}, binary.LittleEndian.AppendUint32(nil, salt))
}

// notePayloadSize is the length of a durability note's payload.
const notePayloadSize = 12

func notePayload(dst []byte, durable base.LSN) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(durable))
	return append(append(dst, byte(OpDurable), 0, 0, 8), b[:]...)
}
