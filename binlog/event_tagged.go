package binlog

// The event before a transaction whose name has a tag. It is a message of MySQL's serialization
// library (mysql/serialization in its source; "Message format" of the documentation of its code):
// numbered fields, in which every number is a varint.
//
//	Gtid_tagged   format 1   length of the message   last field that must be understood 0
//	              then the fields, each behind its number: 0 flags   1 uuid, byte by byte   2 number   3 length of the tag, tag   4 last_committed
//	              5 sequence_number   6 commit time here   7 commit time at the origin, if another   8 the transaction's length
//	              9 server version here   10 version at the origin, if another
//
// A varint of n bytes, 1 to 8, has n-1 ones and a zero as its lowest bits, and the number above
// them; 255 stands before the 8 bytes of a longer one. Numbers that have a sign (2, 4, 5) are
// doubled first.

import (
	"encoding/binary"
	"math/bits"
)

const messageFormat = 1

// Fields of the message. On disk; fixed.
const (
	fieldFlags = iota
	fieldUUID
	fieldNumber
	fieldTag
	fieldLastCommitted
	fieldSequence
	fieldTime
	fieldOriginalTime
	fieldLength
	fieldVersion
	fieldOriginalVersion
)

// maxTagged is the most bytes such an event takes.
const maxTagged = minEvent + 4 + 2 + 1 + 2*16 + 2 + MaxTag + 8*(1+9)

func appendVarint(dst []byte, v uint64) []byte {
	n := max(1, (bits.Len64(v)+6)/7)
	if n > 8 {
		return binary.LittleEndian.AppendUint64(append(dst, 0xff), v)
	}
	return appendUint(dst, v<<n|(1<<(n-1)-1), n)
}

// cutVarint reads the varint at the start of b.
func cutVarint(b []byte) (v uint64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	n := bits.TrailingZeros8(^b[0]) + 1
	if n > len(b) {
		return 0, nil, false
	}
	if n == 9 {
		return binary.LittleEndian.Uint64(b[1:]), b[n:], true
	}
	var whole [8]byte
	copy(whole[:], b[:n])
	return binary.LittleEndian.Uint64(whole[:]) >> n, b[n:], true
}

func appendTag(dst []byte, t Tag) []byte {
	name := t.String()
	return append(appendVarint(dst, uint64(len(name))), name...)
}

// cutTag reads the tag at the start of b; one without characters is none.
func cutTag(b []byte) (t Tag, rest []byte, ok bool) {
	n, rest, ok := cutVarint(b)
	switch {
	case !ok || n > uint64(len(rest)):
		return Tag{}, nil, false
	case n > 0:
		t, ok = ParseTag(string(rest[:n]))
	}
	return t, rest[n:], ok
}

// appendTagged appends the message for a transaction of so many bytes in all.
func appendTagged(dst []byte, g *gtidEvent, total uint64) []byte {
	var scratch [maxTagged]byte
	fields := append(scratch[:0], 0) // what must be understood
	field := func(id byte, v uint64) {
		fields = appendVarint(append(fields, id<<1), v)
	}
	flags := uint64(0)
	if g.statements {
		flags = gtidFlagStatements
	}
	field(fieldFlags, flags)
	fields = append(fields, fieldUUID<<1)
	for _, b := range g.gtid.Source.Server {
		fields = appendVarint(fields, uint64(b))
	}
	field(fieldNumber, uint64(g.gtid.N)<<1)
	fields = appendTag(append(fields, fieldTag<<1), g.gtid.Source.Tag)
	field(fieldLastCommitted, uint64(g.lastCommitted)<<1)
	field(fieldSequence, uint64(g.sequence)<<1)
	field(fieldTime, g.immediateTime)
	if g.originalTime != g.immediateTime {
		field(fieldOriginalTime, g.originalTime)
	}
	field(fieldLength, total)
	field(fieldVersion, uint64(g.immediateVer))
	if g.originalVersion != g.immediateVer {
		field(fieldOriginalVersion, uint64(g.originalVersion))
	}
	dst = appendVarint(dst, messageFormat)
	size := 1 + len(fields)
	for n := 1; ; n++ { // the length counts itself
		if b := appendVarint(nil, uint64(size+n)); len(b) == n {
			return append(append(dst, b...), fields...)
		}
	}
}

// taggedTotal is the length of the whole transaction; that of the event depends on it, and on the
// transaction's numbers.
func (g *gtidEvent) taggedTotal() uint64 {
	var scratch [maxTagged]byte
	head := uint64(minEvent)
	if g.bare {
		head -= checksumSize
	}
	total := g.length
	for {
		n := g.length + head + uint64(len(appendTagged(scratch[:0], g, total)))
		if n == total {
			return total
		}
		total = n
	}
}

// parseTagged reads the name from the body of the event.
func parseTagged(body []byte) (g GTID, ok bool) {
	g, _, ok = cutTagged(body)
	return g, ok
}

// cutTagged is parseTagged, with the fields behind the name.
func cutTagged(body []byte) (g GTID, rest []byte, ok bool) {
	rest = body
	var v uint64
	number := func(want uint64) bool {
		v, rest, ok = cutVarint(rest)
		return ok && v == want
	}
	next := func() bool {
		v, rest, ok = cutVarint(rest)
		return ok
	}
	if !number(messageFormat) || !next() || !next() || !number(fieldFlags) || !next() || !number(fieldUUID) {
		return GTID{}, nil, false
	}
	for i := range g.Source.Server {
		if !next() || v > 0xff {
			return GTID{}, nil, false
		}
		g.Source.Server[i] = byte(v)
	}
	if !number(fieldNumber) || !next() {
		return GTID{}, nil, false
	}
	g.N = int64(v >> 1)
	if !number(fieldTag) {
		return GTID{}, nil, false
	}
	g.Source.Tag, rest, ok = cutTag(rest)
	return g, rest, ok && g.N > 0 && g.N < maxGNO
}
