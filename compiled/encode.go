package compiled

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	"emberdb/internal/base"
	own "emberdb/sql/types"
	"emberdb/sqllayer/store"
)

// Packets as the server sends them: header (length, 3 bytes little-endian; sequence number),
// payload. Longer payloads are not written here.
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
	Changes      []byte         // what the OK packet tells of the session (CLIENT_SESSION_TRACK)
	Zone         *time.Location // of the session, nil is UTC
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
	o.buf, o.seq, o.Sent, o.Changes = o.buf[:0], 1, false, nil
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

// drop takes back a packet that was begun.
func (o *Out) drop(at int) { o.buf = o.buf[:at-headerSize] }

func (o *Out) endPacket(at int) error {
	n := len(o.buf) - at
	if n > maxPayload {
		o.drop(at)
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
	o.buf = own.AppendLength(o.buf, uint64(len(defs)))
	_ = o.endPacket(at)
	for _, d := range defs {
		o.Packet(d)
	}
	if !o.DeprecateEOF {
		o.eof(0)
	}
}

func (o *Out) eof(warnings uint16) {
	at := o.beginPacket()
	o.buf = append(o.buf, 0xFE, byte(warnings), byte(warnings>>8), byte(o.Status), byte(o.Status>>8))
	_ = o.endPacket(at)
}

// EndRows ends a result set.
func (o *Out) EndRows(warnings uint16) {
	if !o.DeprecateEOF {
		o.eof(warnings)
		return
	}
	at := o.beginPacket()
	o.buf = append(o.buf, 0xFE, 0, 0, byte(o.Status), byte(o.Status>>8), byte(warnings), byte(warnings>>8))
	o.tail(nil)
	_ = o.endPacket(at)
}

// OK answers a statement without result set; info is a text for people, or "".
func (o *Out) OK(r *Result, warnings uint16, info []byte) {
	at := o.beginPacket()
	o.buf = append(o.buf, 0)
	o.buf = own.AppendLength(o.buf, r.Affected)
	o.buf = own.AppendLength(o.buf, r.InsertID)
	o.buf = append(o.buf, byte(o.Status), byte(o.Status>>8), byte(warnings), byte(warnings>>8))
	o.tail(info)
	_ = o.endPacket(at)
}

// tail ends an OK packet: a text for people, and what has changed in the session, if there is
// any.
func (o *Out) tail(info []byte) {
	if len(info) > 0 || len(o.Changes) > 0 {
		o.bytes(info)
	}
	if len(o.Changes) > 0 {
		o.bytes(o.Changes)
	}
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
	o.buf = own.AppendLength(o.buf, uint64(len(b)))
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
		if o.ASCII && !base.IsASCII(v.B) || !o.ASCII && !utf8.Valid(v.B) {
			return errOther
		}
		o.bytes(v.B)
	case row.TBinary, row.TVarbinary, row.TBlob:
		o.bytes(v.B)
	case row.TDecimal:
		s := o.beginText()
		o.buf = store.ZeroFill(decimalText(o.buf, v.B, int(c.Precision), int(c.Scale)), s, &c.Column)
		o.endText(s)
	case row.TDate, row.TDateTime, row.TTimestamp:
		o.time(c, v.Int())
	case row.TTime:
		o.span(v.Int(), int(c.Precision))
	case row.TEnum, row.TSet, row.TBit, row.TJSON, row.TGeometry:
		return errOther
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
	if c.Zerofill > 0 || c.Precision > 0 { // may be longer than 250 bytes
		var scratch [64]byte
		o.bytes(store.ZeroFill(appendNumber(scratch[:0], c, v), 0, &c.Column))
		return
	}
	at := o.beginText()
	o.buf = appendNumber(o.buf, c, v)
	o.endText(at)
}

func appendNumber(to []byte, c *column, v row.Value) []byte {
	switch v.Kind {
	case row.Int:
		return strconv.AppendInt(to, v.Int(), 10)
	case row.Uint:
		if c.Type == row.TYear && v.N == 0 {
			return append(to, store.YearZero...)
		}
		return strconv.AppendUint(to, v.N, 10)
	}
	return store.AppendColumnFloat(to, v.Float(), &c.Column)
}

// fixed writes a number in the binary protocol.
func (o *Out) fixed(c *column, v row.Value) {
	switch c.Type {
	case row.TInt8, row.TUint8:
		o.buf = append(o.buf, byte(v.N))
	case row.TInt16, row.TUint16, row.TYear:
		o.buf = binary.LittleEndian.AppendUint16(o.buf, uint16(v.N))
	case row.TInt24, row.TUint24, row.TInt32, row.TUint32:
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(v.N))
	case row.TFloat32:
		o.buf = binary.LittleEndian.AppendUint32(o.buf, math.Float32bits(float32(v.Float())))
	default: // 64 bits, floating or not
		o.buf = binary.LittleEndian.AppendUint64(o.buf, v.N)
	}
}

// moment is a date and a time of day.
type moment struct{ year, month, day, hour, minute, second, micros int64 }

// unpack reads a stored DATETIME.
func unpack(n int64) moment {
	ymd, clock := n>>41, n>>24&(1<<17-1)
	return moment{ymd >> 5 / 13, ymd >> 5 % 13, ymd & 31, clock >> 12, clock >> 6 & 63, clock & 63, n & (1<<24 - 1)}
}

// unpackTimestamp reads a stored TIMESTAMP.
func unpackTimestamp(zone *time.Location, n int64) moment {
	if n == 0 {
		return moment{}
	}
	t := time.UnixMicro(store.LocalMicros(zone, n)).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return moment{int64(year), int64(month), int64(day), int64(hour), int64(minute), int64(second), int64(t.Nanosecond() / 1000)}
}

// time writes a DATE, DATETIME or TIMESTAMP.
func (o *Out) time(c *column, n int64) {
	var m moment
	switch c.Type {
	case row.TDate:
		m = moment{year: n / 512, month: n / 32 % 16, day: n % 32}
	case row.TDateTime:
		m = unpack(n)
	default:
		m = unpackTimestamp(o.Zone, n)
	}
	if o.Binary {
		o.binaryTime(&m)
		return
	}
	at := o.beginText()
	o.two(m.year / 100)
	o.two(m.year % 100)
	o.buf = append(o.buf, '-')
	o.two(m.month)
	o.buf = append(o.buf, '-')
	o.two(m.day)
	if c.Type != row.TDate {
		o.buf = append(o.buf, ' ')
		o.clock(m.hour, m.minute, m.second, m.micros, c.fraction)
	}
	o.endText(at)
}

// clock writes a time of day, with so many digits of the fraction.
func (o *Out) clock(hour, minute, second, micros int64, fraction int) {
	if hour >= 100 {
		o.buf = strconv.AppendInt(o.buf, hour/100, 10)
		hour %= 100
	}
	o.two(hour)
	o.buf = append(o.buf, ':')
	o.two(minute)
	o.buf = append(o.buf, ':')
	o.two(second)
	if fraction > 0 {
		o.buf = append(o.buf, '.')
		for i, digit := 0, int64(100_000); i < fraction; i, digit = i+1, digit/10 {
			o.buf = append(o.buf, byte('0'+micros/digit%10))
		}
	}
}

// span writes a TIME.
func (o *Out) span(n int64, fraction int) {
	sign := byte(0)
	if n < 0 {
		sign, n = 1, -n
	}
	seconds, micros := n/1e6, n%1e6
	if fraction == 0 && micros != 0 {
		fraction = 6
	}
	if !o.Binary {
		at := o.beginText()
		if sign == 1 {
			o.buf = append(o.buf, '-')
		}
		o.clock(seconds/3600, seconds/60%60, seconds%60, micros, fraction)
		o.endText(at)
		return
	}
	switch {
	case n == 0:
		o.buf = append(o.buf, 0)
		return
	case micros == 0:
		o.buf = append(o.buf, 8, sign)
	default:
		o.buf = append(o.buf, 12, sign)
	}
	hours := seconds / 3600
	o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(hours/24))
	o.buf = append(o.buf, byte(hours%24), byte(seconds/60%60), byte(seconds%60))
	if micros > 0 {
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(micros))
	}
}

func (o *Out) two(n int64) { o.buf = append(o.buf, byte('0'+n/10), byte('0'+n%10)) }

// binaryTime leaves out what is zero at the end.
func (o *Out) binaryTime(m *moment) {
	n := byte(4)
	switch {
	case *m == moment{}:
		o.buf = append(o.buf, 0)
		return
	case m.micros != 0:
		n = 11
	case m.hour != 0 || m.minute != 0 || m.second != 0:
		n = 7
	}
	o.buf = append(o.buf, n, byte(m.year), byte(m.year>>8), byte(m.month), byte(m.day))
	if n > 4 {
		o.buf = append(o.buf, byte(m.hour), byte(m.minute), byte(m.second))
	}
	if n > 7 {
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(m.micros))
	}
}

// sized writes an integer of the binary protocol.
func (o *Out) sized(t querypb.Type, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	o.buf = append(o.buf, b[:integerSizes[t]]...)
}

// packedTime writes the text of a date, perhaps with a time of day, in the binary protocol.
func (o *Out) packedTime(wire querypb.Type, text []byte) error {
	var m moment
	part := func(from, to int) (n int64) {
		for _, d := range text[min(from, len(text)):min(to, len(text))] {
			n = n*10 + int64(d-'0')
		}
		return n
	}
	m.year, m.month, m.day = part(0, 4), part(5, 7), part(8, 10)
	if wire == sqltypes.Datetime {
		m.hour, m.minute, m.second = part(11, 13), part(14, 16), part(17, 19)
		if fraction := max(len(text)-20, 0); fraction > 0 {
			m.micros = part(20, 26)
			for range 6 - fraction {
				m.micros *= 10
			}
		}
	}
	o.binaryTime(&m)
	return nil
}

// errOther says that GMS's type has to write a value.
var errOther = errors.New("a value for GMS to write")

// computed writes a value of GMS.
func (o *Out) computed(ctx *sql.Context, t sql.Type, wire querypb.Type, v any) error {
	var text []byte
	switch f := v.(type) {
	case float64:
		text = own.AppendFloat(nil, f, 64)
	case float32:
		text = own.AppendFloat(nil, float64(f), 32)
	default:
		out, err := store.WireValue(ctx, t, nil, v)
		if err != nil {
			return err
		}
		text = out.ToBytes()
	}
	if !o.Binary {
		o.bytes(text)
		return nil
	}
	switch wire {
	case sqltypes.Int8, sqltypes.Int16, sqltypes.Int24, sqltypes.Int32, sqltypes.Int64:
		n, err := strconv.ParseInt(string(text), 10, 64)
		o.sized(wire, uint64(n))
		return err
	case sqltypes.Uint8, sqltypes.Uint16, sqltypes.Uint24, sqltypes.Uint32, sqltypes.Uint64:
		n, err := strconv.ParseUint(string(text), 10, 64)
		o.sized(wire, n)
		return err
	case sqltypes.Date, sqltypes.Datetime:
		return o.packedTime(wire, text)
	case sqltypes.Float64:
		f, err := strconv.ParseFloat(string(text), 64)
		o.buf = binary.LittleEndian.AppendUint64(o.buf, math.Float64bits(f))
		return err
	}
	o.bytes(text)
	return nil
}

func appendString(b []byte, s string) []byte {
	return append(own.AppendLength(b, uint64(len(s))), s...)
}

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
