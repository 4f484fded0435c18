package binlog

import (
	"encoding/binary"
	"fmt"
	"time"
)

// Begun is what the first event of a transaction tells of it.
type Begun struct {
	GTID      GTID      // zero: the transaction has none
	Committed time.Time // on the server whose log it is; to the microsecond
	Length    int64     // of all of its events, in bytes
}

// Begins reads the event that a transaction begins with: Gtid, Gtid_tagged or Anonymous_Gtid. ok is
// false for other events. A server older than MySQL 8.0.2 does not write all of it, which is an
// error.
func (e *Event) Begins() (b Begun, ok bool, err error) {
	body := e.Body()
	switch e.Type {
	case EventGTIDTagged:
		b, ok = taggedBegun(body)
	case EventGTID, EventAnonymousGTID:
		b, ok = plainBegun(body)
		if e.Type == EventGTID {
			ok = ok && b.GTID.N > 0 && b.GTID.N < maxGNO
		}
	default:
		return b, false, nil
	}
	if !ok {
		err = fmt.Errorf("%s:%d: the %s event does not tell the transaction's name, time and length", e.File, e.Pos, e.Type)
	}
	return b, ok, err
}

func plainBegun(body []byte) (b Begun, ok bool) {
	if len(body) < 49 {
		return b, false
	}
	copy(b.GTID.Source.Server[:], body[1:17])
	b.GTID.N = int64(binary.LittleEndian.Uint64(body[17:]))
	at := lowBytes(body[42:], 7)
	rest := body[49:]
	if at&moreTime != 0 {
		if len(rest) < 7 {
			return b, false
		}
		rest = rest[7:]
	}
	length, ok := cutPacked(rest)
	b.Committed, b.Length = time.UnixMicro(int64(at&^uint64(moreTime))), int64(length)
	return b, ok && b.Length > 0
}

// taggedBegun reads the fields behind the name.
func taggedBegun(body []byte) (b Begun, ok bool) {
	var rest []byte
	if b.GTID, rest, ok = cutTagged(body); !ok {
		return b, false
	}
	for len(rest) > 0 && b.Length == 0 {
		var id, v uint64
		if id, rest, ok = cutVarint(rest); !ok {
			return b, false
		}
		if v, rest, ok = cutVarint(rest); !ok {
			return b, false
		}
		switch id {
		case fieldTime:
			b.Committed = time.UnixMicro(int64(v))
		case fieldLength:
			b.Length = int64(v)
		}
	}
	return b, b.Length > 0
}

// lowBytes reads a number of n bytes.
func lowBytes(b []byte, n int) (v uint64) {
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

// cutPacked reads MySQL's length-encoded integer.
func cutPacked(b []byte) (uint64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	n := 0
	switch b[0] {
	case 252:
		n = 2
	case 253:
		n = 3
	case 254:
		n = 8
	case 251, 255:
		return 0, false
	default:
		return uint64(b[0]), true
	}
	if len(b) < 1+n {
		return 0, false
	}
	return lowBytes(b[1:], n), true
}
