package binlog

// The frame of an event. On disk; fixed (binlog v4). Numbers are little-endian.
//
//	 0 4 timestamp, seconds    4 1 type    5 4 server id    9 4 length of the whole event
//	13 4 log_pos: position in the file of the event's end, low 32 bits    17 2 flags    19 .. body    last 4: CRC-32 (IEEE) of all before
//
// The Append functions write events that have no position yet: log_pos and checksum are zero until
// Place fills them in.

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync"
)

// EventType is the kind of an event. On disk; fixed.
type EventType uint8

// The kinds this package writes, looks at or names.
const (
	EventQuery             EventType = 2
	EventStop              EventType = 3
	EventRotate            EventType = 4
	EventIntvar            EventType = 5
	EventRand              EventType = 13
	EventUserVar           EventType = 14
	EventFormatDescription EventType = 15
	EventXid               EventType = 16
	EventTableMap          EventType = 19
	EventHeartbeat         EventType = 27
	EventIgnorable         EventType = 28
	EventRowsQuery         EventType = 29
	EventWriteRows         EventType = 30
	EventUpdateRows        EventType = 31
	EventDeleteRows        EventType = 32
	EventGTID              EventType = 33
	EventAnonymousGTID     EventType = 34
	EventGTIDTagged        EventType = 42
	EventPreviousGTIDs     EventType = 35
	EventXAPrepare         EventType = 38
	EventPartialUpdateRows EventType = 39
	EventPayload           EventType = 40
	EventHeartbeatV2       EventType = 41

	// Of MariaDB, which a replica gets that says it knows them.
	EventMariaDBAnnotate   EventType = 160
	EventMariaDBCheckpoint EventType = 161
	EventMariaDBGTID       EventType = 162
	EventMariaDBGTIDList   EventType = 163
	EventMariaDBQuery      EventType = 165 // compressed
)

var eventNames = map[EventType]string{
	EventQuery: "Query", EventStop: "Stop", EventRotate: "Rotate", EventFormatDescription: "Format_desc", EventXid: "Xid", EventTableMap: "Table_map",
	EventHeartbeat: "Heartbeat", EventIgnorable: "Ignorable", EventRowsQuery: "Rows_query", EventWriteRows: "Write_rows", EventUpdateRows: "Update_rows",
	EventDeleteRows: "Delete_rows", EventGTID: "Gtid", EventAnonymousGTID: "Anonymous_Gtid", EventPreviousGTIDs: "Previous_gtids",
	EventHeartbeatV2: "Heartbeat", EventXAPrepare: "XA_prepare", EventGTIDTagged: "Gtid_tagged_log_event",
	EventMariaDBAnnotate: "Annotate_rows", EventMariaDBCheckpoint: "Binlog_checkpoint", EventMariaDBGTID: "Gtid", EventMariaDBGTIDList: "Gtid_list",
	EventMariaDBQuery: "Query_compressed",
	EventIntvar:       "Intvar", EventRand: "RAND", EventUserVar: "User var", EventPayload: "Transaction_payload", EventPartialUpdateRows: "Update_rows_partial",
}

// String is the name SHOW BINLOG EVENTS prints.
func (t EventType) String() string {
	if name, ok := eventNames[t]; ok {
		return name
	}
	return "Unknown"
}

// Header flags.
const (
	FlagInUse       uint16 = 0x01 // format description of a file not closed; never written here
	FlagSuppressUse uint16 = 0x08 // query: no USE before it
	FlagArtificial  uint16 = 0x20 // made up for a replica, stands in no file
	FlagIgnorable   uint16 = 0x80 // whoever does not know the type may skip it
)

const (
	headerSize   = 19
	checksumSize = 4
	minEvent     = headerSize + checksumSize
	magic        = "\xfebin"
	// maxEvent bounds what a reader takes for an event: MySQL's largest packet.
	maxEvent = 1 << 30
)

// Head is what the header of an event takes from its session.
type Head struct {
	Time     uint32 // start of the statement, seconds since 1970
	ServerID uint32
	Flags    uint16
}

// put enters it in the header of an event, beside the flags the event has.
func (h Head) put(event []byte) {
	binary.LittleEndian.PutUint32(event, h.Time)
	binary.LittleEndian.PutUint32(event[5:], h.ServerID)
	binary.LittleEndian.PutUint16(event[17:], binary.LittleEndian.Uint16(event[17:])|h.Flags)
}

// beginEvent appends the header of an event; endEvent closes what was appended since.
func beginEvent(dst []byte, t EventType, h Head) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, h.Time)
	dst = append(dst, byte(t))
	dst = binary.LittleEndian.AppendUint32(dst, h.ServerID)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint16(dst, h.Flags)
}

func endEvent(dst []byte, start int) []byte {
	dst = append(dst, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(dst[start+9:], uint32(len(dst)-start))
	return dst
}

// Place gives the events, the first of which begins at position pos of a file, their positions and
// checksums.
func Place(events []byte, pos int64) {
	s := summers.Get().(*summer)
	for len(events) > 0 {
		n := int(binary.LittleEndian.Uint32(events[9:]))
		e := events[:n]
		pos += int64(n)
		binary.LittleEndian.PutUint32(e[13:], uint32(pos))
		binary.LittleEndian.PutUint32(e[n-checksumSize:], s.sum(e[:n-checksumSize]))
		events = events[n:]
	}
	summers.Put(s)
}

// summer is room for the odd part of an event: the processor's own instructions take sixteens of
// bytes, four or more of them, and leave the rest of the bytes to tables, which for short events
// costs more than all else. Zeros in front of the bytes do not change a sum that begins at zero;
// the one of events begins with all bits set, which is the same as four bytes inverted.
type summer [9 * sumUnit]byte

const (
	sumUnit  = 16
	sumLeast = 4 * sumUnit // what the instructions take
)

var summers = sync.Pool{New: func() any { return new(summer) }}

// sum is crc32.ChecksumIEEE. REQUIRES: at least four bytes.
func (s *summer) sum(b []byte) uint32 {
	n := len(b)
	if n > len(s) {
		n = sumLeast + n%sumUnit
	}
	room := s[:max(sumLeast, (n+sumUnit-1)/sumUnit*sumUnit)]
	zeros := len(room) - n
	clear(room[:zeros])
	head := room[zeros:]
	copy(head, b)
	binary.LittleEndian.PutUint32(head, ^binary.LittleEndian.Uint32(head))
	sum := crc32.Update(math.MaxUint32, crc32.IEEETable, room)
	if n < len(b) {
		sum = crc32.Update(sum, crc32.IEEETable, b[n:])
	}
	return sum
}

// placeBare appends the events in the form they have in a file without checksums. dst may end in
// the memory before events, or where they begin.
func placeBare(dst, events []byte, pos int64) []byte {
	for len(events) > 0 {
		n := eventLength(events)
		start := len(dst)
		dst = append(dst, events[:n-checksumSize]...)
		pos += int64(n - checksumSize)
		binary.LittleEndian.PutUint32(dst[start+9:], uint32(n-checksumSize))
		binary.LittleEndian.PutUint32(dst[start+13:], uint32(pos))
		events = events[n:]
	}
	return dst
}

// Header is a parsed event header.
type Header struct {
	Time     uint32
	Type     EventType
	ServerID uint32
	Length   uint32
	LogPos   uint32
	Flags    uint16
}

// ParseHeader reads the first 19 bytes of an event.
func ParseHeader(b []byte) (Header, error) {
	if len(b) < headerSize {
		return Header{}, fmt.Errorf("event header cut off at %d bytes", len(b))
	}
	h := Header{
		Time: binary.LittleEndian.Uint32(b), Type: EventType(b[4]), ServerID: binary.LittleEndian.Uint32(b[5:]),
		Length: binary.LittleEndian.Uint32(b[9:]), LogPos: binary.LittleEndian.Uint32(b[13:]), Flags: binary.LittleEndian.Uint16(b[17:]),
	}
	if h.Length < headerSize || h.Length > maxEvent {
		return h, fmt.Errorf("event of impossible length %d", h.Length)
	}
	return h, nil
}

// checkEvents tells, by their lengths, what keeps b from being whole events with room for
// checksums.
func checkEvents(b []byte) error {
	for len(b) > 0 {
		h, err := ParseHeader(b)
		if err == nil && (int(h.Length) > len(b) || h.Length < minEvent) {
			err = fmt.Errorf("event of %d bytes in a buffer of %d", h.Length, len(b))
		}
		if err != nil {
			return err
		}
		b = b[h.Length:]
	}
	return nil
}

// Event is a whole event as it stands in a file. Raw is valid until the next one is read.
type Event struct {
	Header
	Pos      int64 // where it begins
	File     string
	Raw      []byte
	checksum bool
}

// End is the position behind the event.
func (e *Event) End() int64 { return e.Pos + int64(len(e.Raw)) }

// Body is what stands between header and checksum.
func (e *Event) Body() []byte {
	if e.checksum {
		return e.Raw[headerSize : len(e.Raw)-checksumSize]
	}
	return e.Raw[headerSize:]
}

// TellsChecksums tells of a format description whether the events behind it carry checksums.
func (e *Event) TellsChecksums() bool { return e.Raw[len(e.Raw)-checksumSize-1] == checksumCRC32 }

func checksumOf(raw []byte) uint32 { return crc32.ChecksumIEEE(raw[:len(raw)-checksumSize]) }

// verify checks the checksum of a raw event.
func verify(raw []byte) error {
	n := len(raw) - checksumSize
	if n < headerSize {
		return fmt.Errorf("event of %d bytes has no room for its checksum", len(raw))
	}
	stored, computed := binary.LittleEndian.Uint32(raw[n:]), checksumOf(raw)
	if stored != computed {
		return fmt.Errorf("event checksum is %#x, its bytes give %#x", stored, computed)
	}
	return nil
}

// appendPacked appends MySQL's length-encoded integer.
func appendPacked(dst []byte, n uint64) []byte {
	switch {
	case n < 251:
		return append(dst, byte(n))
	case n < 1<<16:
		return append(dst, 252, byte(n), byte(n>>8))
	case n < 1<<24:
		return append(dst, 253, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(dst, 254), n)
}

func packedSize(n uint64) int {
	switch {
	case n < 251:
		return 1
	case n < 1<<16:
		return 3
	case n < 1<<24:
		return 4
	}
	return 9
}

// appendUint appends the low n bytes of v. What stands behind them, up to eight bytes in all, is
// overwritten.
func appendUint(dst []byte, v uint64, n int) []byte {
	return binary.LittleEndian.AppendUint64(dst, v)[:len(dst)+n]
}

// appendUintBE is appendUint, highest byte first.
func appendUintBE(dst []byte, v uint64, n int) []byte {
	for n--; n >= 0; n-- {
		dst = append(dst, byte(v>>(8*n)))
	}
	return dst
}

// NewEvent makes an event of its bytes, which are kept. checksum tells whether it ends with one,
// which is verified; a format description always does.
func NewEvent(file string, pos int64, raw []byte, checksum bool) (*Event, error) {
	h, err := ParseHeader(raw)
	if err != nil {
		return nil, err
	}
	e := &Event{Header: h, Pos: pos, File: file, Raw: raw, checksum: checksum}
	if int(h.Length) != len(raw) {
		return nil, fmt.Errorf("%s event of %d bytes in %d", h.Type, h.Length, len(raw))
	}
	if h.Type == EventFormatDescription {
		if len(raw) < formatSize-len(postHeaderSizes) {
			return nil, fmt.Errorf("%s event of %d bytes is too short", h.Type, len(raw))
		}
		e.checksum = true
		return e, nil
	}
	if checksum {
		err = verify(raw)
	}
	return e, err
}
