package binlog

// Events of a transaction but its rows. Bodies; on disk; fixed.
//
//	Gtid        0 1 flags (1: may hold statements)   1 16 source uuid   17 8 number   25 1 clock type 2   26 8 last_committed   34 8 sequence_number
//	            42 7 commit time here, microseconds; bit 55: 7 more bytes follow, the commit time
//	            at the origin
//	            then the transaction's length in the log with this event, packed
//	            then 4 server version here; bit 31: 4 more bytes follow, the version at the origin
//	Anonymous_Gtid   the same with uuid and number zero
//	Query       0 4 thread id   4 4 seconds it took   8 1 length of the database's name   9 2 error code   11 2 length of the status variables
//	            13 .. status variables   database, zero   statement
//	Rows_query  0 1 zero (once a length)   1 .. statement
//	Xid         0 8 transaction id
//	XA_prepare  0 1 it ends in one phase   1 4 format   5 4 length of gtrid   9 4 length of bqual   13 .. gtrid, bqual

import (
	"encoding/binary"
	"fmt"
	"slices"
)

const (
	gtidFlagStatements = 1
	logicalClock       = 2
	moreTime           = 1 << 55
	moreVersion        = 1 << 31
)

// gtidEvent is the event a transaction begins with.
type gtidEvent struct {
	gtid            GTID // zero: anonymous
	statements      bool
	lastCommitted   int64
	sequence        int64
	immediateTime   uint64
	originalTime    uint64
	length          uint64 // of the transaction's other events
	immediateVer    uint32
	originalVersion uint32
	bare            bool // it goes to a file without checksums
}

func (g *gtidEvent) fixedSize() int {
	n := minEvent + 1 + 16 + 8 + 1 + 8 + 8 + 7 + 4
	if g.bare {
		n -= checksumSize
	}
	if g.originalTime != g.immediateTime {
		n += 7
	}
	if g.originalVersion != g.immediateVer {
		n += 4
	}
	return n
}

// hasTag tells whether the event is a Gtid_tagged.
func (g *gtidEvent) hasTag() bool { return g.gtid.Source.Tag != (Tag{}) }

// total is the length of the whole transaction, this event included; the event's own size depends
// on how long that number is.
func (g *gtidEvent) total() uint64 {
	if g.hasTag() {
		return g.taggedTotal()
	}
	n := g.length + uint64(g.fixedSize())
	size := 1
	for packedSize(n+uint64(size)) > size {
		size = packedSize(n + uint64(size))
	}
	return n + uint64(size)
}

// seconds is the time in the event's header.
func (g *gtidEvent) seconds() uint32 { return uint32(g.immediateTime / 1e6) }

// size is the length of this event.
func (g *gtidEvent) size() int { return int(g.total() - g.length) }

func appendGTID(dst []byte, h Head, g *gtidEvent) []byte {
	start, total := len(dst), g.total()
	size := int(total - g.length)
	if g.bare { // as yet, it has a checksum
		size += checksumSize
	}
	dst = slices.Grow(dst, size)[:start+size]
	g.put(dst[start:], h, total)
	return dst
}

// put makes e, which is as long as it must be, the event of a transaction of so many bytes.
func (g *gtidEvent) put(e []byte, h Head, total uint64) {
	if g.hasTag() {
		endEvent(appendTagged(beginEvent(e[:0], EventGTIDTagged, h), g, total), 0)
		return
	}
	t := EventGTID
	if g.gtid == (GTID{}) {
		t = EventAnonymousGTID
	}
	beginEvent(e[:0], t, h)
	b, le := e[headerSize:], binary.LittleEndian
	b[0] = bit(g.statements) * gtidFlagStatements
	copy(b[1:17], g.gtid.Source.Server[:])
	le.PutUint64(b[17:], uint64(g.gtid.N))
	b[25] = logicalClock
	le.PutUint64(b[26:], uint64(g.lastCommitted))
	le.PutUint64(b[34:], uint64(g.sequence))
	rest := b[:42]
	if g.originalTime != g.immediateTime {
		rest = appendUint(appendUint(rest, g.immediateTime|moreTime, 7), g.originalTime, 7)
	} else {
		rest = appendUint(rest, g.immediateTime, 7)
	}
	rest = appendPacked(rest, total)
	if g.originalVersion != g.immediateVer {
		rest = le.AppendUint32(le.AppendUint32(rest, g.immediateVer|moreVersion), g.originalVersion)
	} else {
		rest = le.AppendUint32(rest, g.immediateVer)
	}
	le.PutUint32(rest[len(rest):][:checksumSize], 0)
	le.PutUint32(e[9:], uint32(len(e)))
}

// namesTransaction tells the events that give the transaction behind them a name.
func (t EventType) namesTransaction() bool { return t == EventGTID || t == EventGTIDTagged }

// parseGTID reads the name from the body of such an event.
func parseGTID(t EventType, body []byte) (g GTID, ok bool) {
	if t == EventGTIDTagged {
		return parseTagged(body)
	}
	if len(body) < 25 {
		return GTID{}, false
	}
	copy(g.Source.Server[:], body[1:17])
	g.N = int64(binary.LittleEndian.Uint64(body[17:]))
	return g, g.N > 0 && g.N < maxGNO
}

// Status variables of a query event. On disk; fixed.
const (
	queryFlags2               = 0
	querySQLMode              = 1
	queryAutoIncrement        = 3
	queryCharset              = 4
	queryTimeZone             = 5
	queryCatalog              = 6
	queryLCTimeNames          = 7
	queryCharsetDatabase      = 8
	queryInvoker              = 11
	queryUpdatedDatabases     = 12
	queryMicroseconds         = 13
	queryExplicitTimestamp    = 16
	queryDDLXid               = 17
	queryDefaultCollationUTF8 = 18
	queryRequirePrimaryKey    = 19
	queryTableEncryption      = 20

	maxUpdatedDatabases = 16
	tooManyDatabases    = 254
)

// Bits of Query.Flags2: session options a replica sets before it runs the statement. That of a
// session with autocommit off is never set: every transaction of the log says itself where it ends,
// and a MySQL replica without a log of its own stops at it.
const (
	Flag2AutoIsNull        uint32 = 1 << 14
	Flag2NoForeignKeyCheck uint32 = 1 << 26
	Flag2RelaxedUnique     uint32 = 1 << 27
)

// Query is a statement with what it needs of its session. The zero value of an optional field
// leaves the variable out.
type Query struct {
	ThreadID    uint32
	ExecSeconds uint32
	ErrorCode   uint16
	Database    string
	SQL         string
	SuppressUse bool // a replica need not be in the database: BEGIN, and statements that name it themselves

	Flags2                  uint32
	SQLMode                 uint64
	AutoIncrement           [2]uint16 // increment and offset; written unless both are 0 or 1
	ClientCollation         uint16    // character_set_client, by the id of its default collation
	ConnectionCollation     uint16
	ServerCollation         uint16
	TimeZone                string
	LCTimeNames             uint16
	DatabaseCollation       uint16
	User, Host              string // whom a DEFINER-less CREATE names
	UpdatedDatabases        []string
	Microseconds            uint32
	DDLXid                  uint64
	DefaultCollationUTF8MB4 uint16
	ExplicitTimestamp       *bool // explicit_defaults_for_timestamp, for statements that create tables
	RequirePrimaryKey       *bool
	DefaultTableEncryption  *bool
}

// AppendQuery appends a statement: BEGIN, DDL, account statements.
func AppendQuery(dst []byte, h Head, q *Query) []byte {
	start := len(dst)
	if q.SuppressUse {
		h.Flags |= FlagSuppressUse
	}
	dst = beginEvent(dst, EventQuery, h)
	dst = binary.LittleEndian.AppendUint32(dst, q.ThreadID)
	dst = binary.LittleEndian.AppendUint32(dst, q.ExecSeconds)
	database := q.Database[:min(len(q.Database), 255)]
	dst = append(dst, byte(len(database)))
	dst = binary.LittleEndian.AppendUint16(dst, q.ErrorCode)
	vars := len(dst)
	dst = append(dst, 0, 0)
	dst = q.appendStatus(dst)
	binary.LittleEndian.PutUint16(dst[vars:], uint16(len(dst)-vars-2))
	dst = append(dst, database...)
	dst = append(dst, 0)
	dst = append(dst, q.SQL...)
	return endEvent(dst, start)
}

// appendStatus writes the variables in MySQL's order.
func (q *Query) appendStatus(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, queryFlags2), q.Flags2)
	dst = binary.LittleEndian.AppendUint64(append(dst, querySQLMode), q.SQLMode)
	dst = appendShort(append(dst, queryCatalog), "std")
	if inc := q.AutoIncrement; inc[0] > 1 || inc[1] > 1 {
		dst = binary.LittleEndian.AppendUint16(append(dst, queryAutoIncrement), inc[0])
		dst = binary.LittleEndian.AppendUint16(dst, inc[1])
	}
	if q.ClientCollation != 0 {
		dst = binary.LittleEndian.AppendUint16(append(dst, queryCharset), q.ClientCollation)
		dst = binary.LittleEndian.AppendUint16(dst, q.ConnectionCollation)
		dst = binary.LittleEndian.AppendUint16(dst, q.ServerCollation)
	}
	if q.TimeZone != "" {
		dst = appendShort(append(dst, queryTimeZone), q.TimeZone)
	}
	if q.LCTimeNames != 0 {
		dst = binary.LittleEndian.AppendUint16(append(dst, queryLCTimeNames), q.LCTimeNames)
	}
	if q.DatabaseCollation != 0 {
		dst = binary.LittleEndian.AppendUint16(append(dst, queryCharsetDatabase), q.DatabaseCollation)
	}
	if q.User != "" {
		dst = appendShort(appendShort(append(dst, queryInvoker), q.User), q.Host)
	}
	dst = q.appendDatabases(dst)
	if q.Microseconds != 0 {
		dst = appendUint(append(dst, queryMicroseconds), uint64(q.Microseconds), 3)
	}
	if q.ExplicitTimestamp != nil {
		dst = append(dst, queryExplicitTimestamp, bit(*q.ExplicitTimestamp))
	}
	if q.DDLXid != 0 {
		dst = binary.LittleEndian.AppendUint64(append(dst, queryDDLXid), q.DDLXid)
	}
	if q.DefaultCollationUTF8MB4 != 0 {
		dst = binary.LittleEndian.AppendUint16(append(dst, queryDefaultCollationUTF8), q.DefaultCollationUTF8MB4)
	}
	if q.RequirePrimaryKey != nil {
		dst = append(dst, queryRequirePrimaryKey, bit(*q.RequirePrimaryKey))
	}
	if q.DefaultTableEncryption != nil {
		dst = append(dst, queryTableEncryption, bit(*q.DefaultTableEncryption))
	}
	return dst
}

// appendDatabases names the databases a statement changes, by which a replica spreads statements
// over its workers.
func (q *Query) appendDatabases(dst []byte) []byte {
	if len(q.UpdatedDatabases) == 0 {
		return dst
	}
	dst = append(dst, queryUpdatedDatabases)
	if len(q.UpdatedDatabases) > maxUpdatedDatabases {
		return append(dst, tooManyDatabases)
	}
	dst = append(dst, byte(len(q.UpdatedDatabases)))
	for _, db := range q.UpdatedDatabases {
		dst = append(append(dst, db...), 0)
	}
	return dst
}

func appendShort(dst []byte, s string) []byte {
	s = s[:min(len(s), 255)]
	return append(append(dst, byte(len(s))), s...)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// AppendRowsQuery appends the text of the statement whose row events follow.
func AppendRowsQuery(dst []byte, h Head, sql string) []byte {
	start := len(dst)
	h.Flags |= FlagIgnorable
	dst = beginEvent(dst, EventRowsQuery, h)
	dst = append(dst, 0)
	dst = append(dst, sql...)
	return endEvent(dst, start)
}

// AppendXid appends the commit of a transaction.
func AppendXid(dst []byte, h Head, xid uint64) []byte {
	start := len(dst)
	dst = beginEvent(dst, EventXid, h)
	dst = binary.LittleEndian.AppendUint64(dst, xid)
	return endEvent(dst, start)
}

// AppendXAPrepare appends what ends the rows of a branch of a distributed transaction.
func AppendXAPrepare(dst []byte, h Head, onePhase bool, format int64, gtrid, bqual string) []byte {
	start := len(dst)
	dst = beginEvent(dst, EventXAPrepare, h)
	one := byte(0)
	if onePhase {
		one = 1
	}
	dst = append(dst, one)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(format))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(gtrid)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(bqual)))
	dst = append(append(dst, gtrid...), bqual...)
	return endEvent(dst, start)
}

// xaPrepareInfo describes the body of one.
func xaPrepareInfo(b []byte) string {
	const head = 13
	if len(b) < head {
		return ""
	}
	le := binary.LittleEndian
	gtrid, bqual := int(le.Uint32(b[5:])), int(le.Uint32(b[9:]))
	if gtrid < 0 || bqual < 0 || len(b)-head < gtrid || len(b)-head-gtrid < bqual {
		return ""
	}
	text := fmt.Sprintf("X'%x',X'%x',%d", b[head:head+gtrid], b[head+gtrid:][:bqual], le.Uint32(b[1:]))
	if b[0] != 0 {
		return "XA COMMIT " + text + " ONE PHASE"
	}
	return "XA PREPARE " + text
}
