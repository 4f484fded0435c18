package compiled

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	"emberdb/sqllayer"
)

// Packets as the server sends them: header (length, 3 bytes little-endian; sequence number), payload. Longer payloads are not written here.
//
//	text row      each value as a length-encoded string, 0xFB for NULL
//	binary row    0x00, a bit for each NULL from bit 2 on, the values that are not NULL
const (
	headerSize = 4
	maxPayload = 1<<24 - 2
	flushBytes = 32 << 10
	nullText   = 0xFB
)

// Out collects the packets of one answer.
type Out struct {
	Binary       bool
	DeprecateEOF bool
	ASCII        bool // only ASCII text can be sent as it is
	Status       uint16
	Flush        func([]byte) error
	Sent         bool // something has left: the statement cannot be undone any more

	buf []byte
	seq byte
}

// Reset begins an answer.
func (o *Out) Reset() {
	if cap(o.buf) > 256<<10 {
		o.buf = nil
	}
	o.buf, o.seq, o.Sent = o.buf[:0], 1, false
}

// Discard drops what has not been sent.
func (o *Out) Discard() { o.buf = o.buf[:0] }

// Seq is the sequence number of the next packet.
func (o *Out) Seq() byte { return o.seq }

// Finish sends what is left.
func (o *Out) Finish() error {
	o.Sent = true
	return o.Flush(o.buf)
}

// relieve sends what has come together.
func (o *Out) relieve() error {
	if len(o.buf) < flushBytes {
		return nil
	}
	err := o.Finish()
	o.buf = o.buf[:0]
	return err
}

func (o *Out) beginPacket() int {
	o.buf = append(o.buf, 0, 0, 0, 0)
	return len(o.buf)
}

func (o *Out) endPacket(at int) error {
	n := len(o.buf) - at
	if n > maxPayload {
		return errNotMine
	}
	h := o.buf[at-headerSize:]
	h[0], h[1], h[2], h[3] = byte(n), byte(n>>8), byte(n>>16), o.seq
	o.seq++
	return nil
}

// Packet adds a packet.
func (o *Out) Packet(payload []byte) {
	at := o.beginPacket()
	o.buf = append(o.buf, payload...)
	_ = o.endPacket(at)
}

// packets adds a packet that was encoded earlier, under a new number.
func (o *Out) packets(p []byte) {
	at := len(o.buf)
	o.buf = append(o.buf, p...)
	o.buf[at+3] = o.seq
	o.seq++
}

// header describes the columns.
func (o *Out) header(defs [][]byte) {
	at := o.beginPacket()
	o.buf = appendLength(o.buf, uint64(len(defs)))
	_ = o.endPacket(at)
	for _, d := range defs {
		o.Packet(d)
	}
	if !o.DeprecateEOF {
		o.eof()
	}
}

func (o *Out) eof() {
	at := o.beginPacket()
	o.buf = append(o.buf, 0xFE, 0, 0, byte(o.Status), byte(o.Status>>8))
	_ = o.endPacket(at)
}

// EndRows ends a result set.
func (o *Out) EndRows() {
	if !o.DeprecateEOF {
		o.eof()
		return
	}
	at := o.beginPacket()
	o.buf = append(o.buf, 0xFE, 0, 0, byte(o.Status), byte(o.Status>>8), 0, 0)
	_ = o.endPacket(at)
}

// OK answers a statement without result set; info is a text for people, or "".
func (o *Out) OK(r *Result, warnings uint16, info []byte) {
	at := o.beginPacket()
	o.buf = append(o.buf, 0)
	o.buf = appendLength(o.buf, r.Affected)
	o.buf = appendLength(o.buf, r.InsertID)
	o.buf = append(o.buf, byte(o.Status), byte(o.Status>>8), byte(warnings), byte(warnings>>8))
	if len(info) > 0 {
		o.bytes(info)
	}
	_ = o.endPacket(at)
}

func (o *Out) beginRow(columns int) int {
	at := o.beginPacket()
	if o.Binary {
		for range 1 + (columns+7+2)/8 {
			o.buf = append(o.buf, 0)
		}
	}
	return at
}

func (o *Out) null(i, at int) {
	if !o.Binary {
		o.buf = append(o.buf, nullText)
		return
	}
	o.buf[at+1+(i+2)/8] |= 1 << ((i + 2) % 8)
}

func (o *Out) bytes(b []byte) {
	o.buf = appendLength(o.buf, uint64(len(b)))
	o.buf = append(o.buf, b...)
}

// integer writes a BIGINT.
func (o *Out) integer(n int64) {
	if o.Binary {
		o.buf = binary.LittleEndian.AppendUint64(o.buf, uint64(n))
		return
	}
	at := o.beginText()
	o.buf = strconv.AppendInt(o.buf, n, 10)
	o.endText(at)
}

// beginText and endText write a text of at most 250 bytes.
func (o *Out) beginText() int {
	o.buf = append(o.buf, 0)
	return len(o.buf)
}

func (o *Out) endText(at int) { o.buf[at-1] = byte(len(o.buf) - at) }

// value writes the value of column i of a row that begins at at.
func (o *Out) value(i, at int, c *column, v row.Value) error {
	if v.IsNull() {
		o.null(i, at)
		return nil
	}
	switch c.Type {
	case row.TChar, row.TVarchar, row.TText:
		if (o.ASCII || !c.wide) && !isASCII(v.B) || c.wide && !o.ASCII && !utf8.Valid(v.B) {
			return errNotMine
		}
		o.bytes(v.B)
	case row.TBinary, row.TVarbinary, row.TBlob:
		o.bytes(v.B)
	case row.TDecimal:
		s := o.beginText()
		o.buf = decimalText(o.buf, v.B, int(c.Precision), int(c.Scale))
		o.endText(s)
	case row.TDate, row.TDateTime:
		o.time(c, v.Int())
	default:
		if o.Binary {
			o.fixed(c, v)
			return nil
		}
		o.number(c, v)
	}
	return nil
}

func (o *Out) number(c *column, v row.Value) {
	at := o.beginText()
	switch {
	case v.Kind == row.Int:
		o.buf = strconv.AppendInt(o.buf, v.Int(), 10)
	case v.Kind == row.Uint:
		o.buf = strconv.AppendUint(o.buf, v.N, 10)
	case c.Type == row.TFloat32:
		o.buf = sqllayer.AppendFloat(o.buf, v.Float(), 32)
	default:
		o.buf = sqllayer.AppendFloat(o.buf, v.Float(), 64)
	}
	o.endText(at)
}

// fixed writes a number in the binary protocol.
func (o *Out) fixed(c *column, v row.Value) {
	switch c.Type {
	case row.TInt8, row.TUint8:
		o.buf = append(o.buf, byte(v.N))
	case row.TInt16, row.TUint16:
		o.buf = binary.LittleEndian.AppendUint16(o.buf, uint16(v.N))
	case row.TInt24, row.TUint24, row.TInt32, row.TUint32:
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(v.N))
	case row.TFloat32:
		// The client gets the number its text has.
		var scratch [40]byte
		f, _ := strconv.ParseFloat(string(sqllayer.AppendFloat(scratch[:0], v.Float(), 32)), 32)
		o.buf = binary.LittleEndian.AppendUint32(o.buf, math.Float32bits(float32(f)))
	default: // 64 bits, floating or not
		o.buf = binary.LittleEndian.AppendUint64(o.buf, v.N)
	}
}

// time writes a DATE or DATETIME.
func (o *Out) time(c *column, n int64) {
	var year, month, day, clock, micros int64
	if c.Type == row.TDate {
		year, month, day = n/512, n/32%16, n%32
	} else {
		ymd := n >> 41
		year, month, day = ymd>>5/13, ymd>>5%13, ymd&31
		clock, micros = n>>24&(1<<17-1), n&(1<<24-1)
	}
	hour, minute, second := clock>>12, clock>>6&63, clock&63
	if o.Binary {
		o.binaryTime(c, year, month, day, hour, minute, second, micros)
		return
	}
	at := o.beginText()
	o.two(year / 100)
	o.two(year % 100)
	o.buf = append(o.buf, '-')
	o.two(month)
	o.buf = append(o.buf, '-')
	o.two(day)
	if c.Type == row.TDateTime {
		o.buf = append(o.buf, ' ')
		o.two(hour)
		o.buf = append(o.buf, ':')
		o.two(minute)
		o.buf = append(o.buf, ':')
		o.two(second)
		if c.fraction > 0 {
			o.buf = append(o.buf, '.')
			for i, digit := 0, int64(100_000); i < c.fraction; i, digit = i+1, digit/10 {
				o.buf = append(o.buf, byte('0'+micros/digit%10))
			}
		}
	}
	o.endText(at)
}

func (o *Out) two(n int64) { o.buf = append(o.buf, byte('0'+n/10), byte('0'+n%10)) }

func (o *Out) binaryTime(c *column, year, month, day, hour, minute, second, micros int64) {
	n := byte(4)
	if c.Type == row.TDateTime {
		if n = 7; c.fraction > 0 {
			n = 11
		}
	}
	o.buf = append(o.buf, n, byte(year), byte(year>>8), byte(month), byte(day))
	if n > 4 {
		o.buf = append(o.buf, byte(hour), byte(minute), byte(second))
	}
	if n > 7 {
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(micros))
	}
}

func appendLength(b []byte, n uint64) []byte {
	switch {
	case n < 251:
		return append(b, byte(n))
	case n < 1<<16:
		return append(b, 0xFC, byte(n), byte(n>>8))
	case n < 1<<24:
		return append(b, 0xFD, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(b, 0xFE), n)
}

func appendString(b []byte, s string) []byte { return append(appendLength(b, uint64(len(s))), s...) }

// columnDefinition is the packet that describes a column, as the protocol library writes it.
func columnDefinition(f *querypb.Field) []byte {
	typ, flags := sqltypes.TypeToMySQL(f.Type)
	if f.Flags != 0 {
		flags = int64(f.Flags)
	}
	b := appendString(nil, "def")
	for _, s := range []string{f.Database, f.Table, f.OrgTable, f.Name, f.OrgName} {
		b = appendString(b, s)
	}
	b = append(b, 0x0C, byte(f.Charset), byte(f.Charset>>8))
	b = binary.LittleEndian.AppendUint32(b, f.ColumnLength)
	return append(b, byte(typ), byte(flags), byte(flags>>8), byte(f.Decimals), 0, 0)
}
