package binlog

// What SHOW BINLOG EVENTS says of an event, in MySQL's words.

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Info describes the event.
func (e *Event) Info() string {
	b := e.Body()
	switch e.Type {
	case EventFormatDescription:
		if len(b) >= 2+serverVersionSize {
			return fmt.Sprintf("Server ver: %s, Binlog ver: %d", strings.TrimRight(string(b[2:2+serverVersionSize]), "\x00"), binary.LittleEndian.Uint16(b))
		}
	case EventPreviousGTIDs:
		if set, err := ParseBinary(b); err == nil {
			return set.Shown()
		}
	case EventGTID, EventGTIDTagged:
		if g, ok := parseGTID(e.Type, b); ok {
			return fmt.Sprintf("SET @@SESSION.GTID_NEXT= '%s'", g)
		}
	case EventAnonymousGTID:
		return "SET @@SESSION.GTID_NEXT= 'ANONYMOUS'"
	case EventQuery:
		db, text := queryInfo(b)
		if db != "" && e.Flags&FlagSuppressUse == 0 {
			text = fmt.Sprintf("use `%s`; %s", db, text)
		}
		return text
	case EventPayload:
		return payloadInfo(b)
	case EventXid:
		if len(b) >= 8 {
			return fmt.Sprintf("COMMIT /* xid=%d */", binary.LittleEndian.Uint64(b))
		}
	case EventXAPrepare:
		return xaPrepareInfo(b)
	case EventRowsQuery:
		if len(b) > 0 {
			return "# " + string(b[1:])
		}
	case EventTableMap:
		return tableMapInfo(b)
	case EventWriteRows, EventUpdateRows, EventDeleteRows, EventPartialUpdateRows:
		return rowsInfo(b)
	case EventRotate:
		if len(b) >= 8 {
			return fmt.Sprintf("%s;pos=%d", b[8:], binary.LittleEndian.Uint64(b))
		}
	}
	return ""
}

// queryInfo is the database a statement was run in, and its text.
func queryInfo(b []byte) (database, text string) {
	const head = 13
	if len(b) < head {
		return "", ""
	}
	db, vars := int(b[8]), int(binary.LittleEndian.Uint16(b[11:]))
	if len(b) < head+vars+db+1 {
		return "", ""
	}
	database, text = string(b[head+vars:][:db]), string(b[head+vars+db+1:])
	if isBracket(text) || text == "COMMIT" {
		database = ""
	}
	return database, text
}

// isBracket tells statements that stand before or behind the rows of a transaction, within it.
func isBracket(sql string) bool {
	return sql == "BEGIN" || strings.HasPrefix(sql, "XA START ") || strings.HasPrefix(sql, "XA END ")
}

func tableID(b []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
}

func tableMapInfo(b []byte) string {
	if len(b) < 9 {
		return ""
	}
	id, names := tableID(b), b[8:]
	n := int(names[0])
	if len(names) < n+3 {
		return ""
	}
	db, names := names[1:1+n], names[n+2:]
	if m := int(names[0]); len(names) >= m+1 {
		return fmt.Sprintf("table_id: %d (%s.%s)", id, db, names[1:1+m])
	}
	return ""
}

var rowsFlagNames = [...]struct {
	bit  byte
	name string
}{
	{rowsFlagEnd, "STMT_END_F"}, {rowsFlagNoKeys, "NO_FOREIGN_KEY_CHECKS_F"}, {rowsFlagRelaxed, "RELAXED_UNIQUE_CHECKS_F"}, {rowsFlagLogged, "USE_SQL_FOREIGN_KEY_F"},
}

func rowsInfo(b []byte) string {
	if len(b) < 8 {
		return ""
	}
	text, before := fmt.Sprintf("table_id: %d", tableID(b)), " flags: "
	for _, flag := range rowsFlagNames {
		if b[6]&flag.bit != 0 {
			text, before = text+before+flag.name, " "
		}
	}
	return text
}

// GTID is the name that a Gtid event gives to the transaction it begins.
func (e *Event) GTID() (g GTID, ok bool) {
	if !e.Type.namesTransaction() {
		return g, false
	}
	return parseGTID(e.Type, e.Body())
}

// RotatesTo is the place that a Rotate event names.
func (e *Event) RotatesTo() (file string, pos uint32, ok bool) {
	b := e.Body()
	if e.Type != EventRotate || len(b) < 8 {
		return "", 0, false
	}
	return string(b[8:]), binary.LittleEndian.Uint32(b), true
}

// StandsAlone tells whether a GTID of MariaDB names a statement, with no commit behind it.
//
//	0 8 sequence number   8 4 domain   12 1 flags: 1 stands alone
func (e *Event) StandsAlone() bool {
	b := e.Body()
	return e.Type == EventMariaDBGTID && len(b) > 12 && b[12]&1 != 0
}

// Statement is the text of a Query event; empty if the event is none or is cut off.
func (e *Event) Statement() string {
	if e.Type != EventQuery {
		return ""
	}
	_, text := queryInfo(e.Body())
	return text
}

// StartsAnew makes a format description what a reader that begins in the middle of a file gets:
// nothing in it is to be acted on.
func (e *Event) StartsAnew(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, e.Raw...)
	raw := dst[start:]
	clear(raw[13:17])                               // log_pos
	clear(raw[headerSize+2+serverVersionSize:][:4]) // created
	binary.LittleEndian.PutUint32(raw[len(raw)-checksumSize:], checksumOf(raw))
	return dst
}

// AppendSummed appends a whole event with a checksum, whether raw has one (summed) or not. The
// position that the event tells stays. A format description tells in the copy that events have
// checksums. An event whose checksum is wrong, or whose length is not that of raw, is an error.
func AppendSummed(dst, raw []byte, summed bool) ([]byte, error) {
	h, err := ParseHeader(raw)
	if err != nil {
		return dst, err
	}
	if int(h.Length) != len(raw) {
		return dst, fmt.Errorf("event of %d bytes says that it has %d", len(raw), h.Length)
	}
	start := len(dst)
	switch {
	case h.Type == EventFormatDescription: // it has room for a checksum in any case
		if len(raw) < headerSize+2+serverVersionSize+4+1+1+checksumSize {
			return dst, fmt.Errorf("format description of %d bytes is too short", len(raw))
		}
		dst = append(dst, raw...)
		dst[len(dst)-checksumSize-1] = checksumCRC32
		dst[start+17] &^= byte(FlagInUse)
	case summed:
		if err := verify(raw); err != nil {
			return dst, err
		}
		return append(dst, raw...), nil
	default:
		dst = append(append(dst, raw...), make([]byte, checksumSize)...)
		binary.LittleEndian.PutUint32(dst[start+9:], uint32(len(dst)-start))
	}
	event := dst[start:]
	binary.LittleEndian.PutUint32(event[len(event)-checksumSize:], checksumOf(event))
	return dst, nil
}

// SummedEvent makes an event of the bytes that AppendSummed appended.
func SummedEvent(raw []byte) (Event, error) {
	h, err := ParseHeader(raw)
	return Event{Header: h, Raw: raw, checksum: true}, err
}

// AppendBare appends a whole event that carries a checksum in the form without one. Not for a
// format description, which has a form of its own.
func AppendBare(dst, raw []byte) []byte {
	start := len(dst)
	dst = append(dst, raw[:len(raw)-checksumSize]...)
	binary.LittleEndian.PutUint32(dst[start+9:], uint32(len(dst)-start))
	return dst
}

// EndsTransaction tells the last event of a transaction.
func (e *Event) EndsTransaction() bool {
	switch e.Type {
	case EventXid, EventXAPrepare:
		return true
	case EventQuery:
		_, text := queryInfo(e.Body())
		return !isBracket(text)
	}
	return false
}
