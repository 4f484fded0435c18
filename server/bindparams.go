package server

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/compiled"
	"emberdb/internal/base"
	"emberdb/server/wire"
	"emberdb/server/wireparam"
	"emberdb/sql/charset"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
)

// Parameters of COM_STMT_EXECUTE. The payload behind the command is
//
//	statement id u32 | flags u8 | iterations u32 | bits of NULL parameters | not 0 if types follow
//	| type u8, flags u8 of each | values
//
// A client that may send attributes of statements (queryattributes.go) writes the number of values
// before the bits, unless there is none to write, and the length and the bytes of a name behind the
// flags of each. The values behind those of the parameters are the attributes'.
//
// The values are read here, for programs and for the library alike: the library gets an execution
// without values and finds them in its BindVars. All lengths are those of the packet: nothing is
// allocated for what is not there. Errors come in two groups, as in MySQL: what cannot be read is
// told before any value that has been read is refused.

// bind reads the parameters of an execution into w.compiled.params, and gives the session the
// attributes of the statement. p is the payload behind the command. The parameters' bytes are p's,
// the arena's, or long data.
func (w *wireConn) bind(data *mysql.PrepareData, p []byte) *mysql.SQLError {
	cs, n := &w.compiled, int(data.ParamsCount)
	cs.params, cs.arena = cs.params[:0], cs.arena[:0]
	named := w.caps&wire.CapQueryAttributes != 0
	if n == 0 && !(named && p[4]&countFollows != 0) {
		return nil
	}
	c := wire.Cursor{Rest: p[wireparam.ExecuteHead:]}
	all := n
	if named {
		all = c.LenEnc()
	}
	switch {
	case c.Bad || all > n+len(c.Rest)/wireparam.FewestAttributes:
		return wireparam.ErrMalformed
	case all < n:
		return wireparam.ErrExecuteFew
	case all == 0:
		return nil
	}
	nulls, bound := c.Bytes((all+7)/8), c.Uint8()
	if bound == 0 && all > n {
		return wireparam.ErrMalformed
	}
	attributes := w.attributes(&c)
	var heads []wireparam.SentAttribute
	for i := range all {
		switch {
		case bound == 0:
		case !named:
			data.ParamsType[i] = wireparam.SentType(c.Uint8(), c.Uint8())
		default:
			if h := attributes.Head(); i < n {
				data.ParamsType[i] = wireparam.SentType(h.Type, h.Flags)
			} else {
				heads = append(heads, h)
			}
		}
	}
	if c.Bad {
		return wireparam.ErrMalformed
	}
	refused := w.bindValues(data, &c, nulls)
	if refused != wireparam.ErrMalformed && len(heads) > 0 {
		told, ok := attributes.Values(heads, nulls, n)
		if !ok {
			return wireparam.ErrMalformed
		}
		w.tell(told)
	}
	return refused
}

// bindValues reads the values of the parameters.
func (w *wireConn) bindValues(data *mysql.PrepareData, c *wire.Cursor, nulls []byte) (refused *mysql.SQLError) {
	cs, set := &w.compiled, w.clientCharset()
	for i := range int(data.ParamsCount) {
		sent, null := data.ParamsType[i], nulls[i/8]&(1<<(i%8)) != 0
		switch {
		case sent == 0 && !null:
			return wireparam.ErrExecuteTypes
		case sent == 0: // a client sends no types with nothing but NULLs
			sent = wireparam.SentType(wireparam.TypeNull, 0)
		}
		typ, unsigned := byte(sent), sent>>8&wireparam.FlagUnsigned != 0
		v, err := cs.readParam(c, typ, unsigned, null, wireparam.LongData(data, i))
		if c.Bad {
			return wireparam.ErrMalformed
		}
		if sent>>8&^(wireparam.FlagUnsigned|wireparam.TypesSent>>8) != 0 {
			err = wireparam.ErrExecuteTypes
		}
		if refused == nil {
			refused = err
		}
		switch {
		case v.Kind != compiled.KindString:
		case set != nil:
			v.B = statement.AppendUTF8(nil, set, v.B)
		case !utf8.Valid(v.B) && w.writesBytes():
			v.Kind = compiled.KindBytes
		}
		cs.params = append(cs.params, v)
	}
	return refused
}

// clientCharset is the character set in which the client writes; nil: UTF-8, or bytes.
func (w *wireConn) clientCharset() *charset.Set {
	if s, ok := w.session.(*sqllayer.Session); ok && s.ClientCharset() != nil {
		return charset.Find(s.ClientCharset().Name())
	}
	return nil
}

// writesBytes reports whether the client's strings are bytes.
func (w *wireConn) writesBytes() bool {
	s, ok := w.session.(*sqllayer.Session)
	return ok && s.BytesAreStrings()
}

// readParam reads one parameter. It sets c.bad where the packet is malformed; the error is about a
// value that could be read.
func (cs *compiledConn) readParam(c *wire.Cursor, typ byte, unsigned, null bool, long *querypb.BindVariable) (v compiled.Param, err *mysql.SQLError) {
	kind := wireparam.ParamKinds[typ]
	switch {
	case long != nil:
		if c.Bad = !wireparam.TakesLongData(typ); kind == wireparam.ParamBytes {
			return compiled.Param{Kind: compiled.KindBytes, B: long.Value}, nil
		}
		return compiled.Param{Kind: compiled.KindString, B: long.Value}, nil
	case null && (kind == wireparam.ParamRefused || kind == wireparam.ParamUnread):
		return v, wireparam.ErrExecuteTypes
	case null:
		return v, nil
	}
	switch kind {
	case wireparam.ParamInteger:
		return wireparam.IntegerParam(c.Bytes(wireparam.IntegerSize[typ]), unsigned), nil
	case wireparam.ParamFloat:
		return wireparam.FloatParam(c, typ), nil
	case wireparam.ParamDecimal:
		return cs.decimalParam(c.Bytes(c.LenEnc())), nil
	case wireparam.ParamText:
		return compiled.Param{Kind: compiled.KindString, B: c.Bytes(c.LenEnc())}, nil
	case wireparam.ParamBytes:
		return compiled.Param{Kind: compiled.KindBytes, B: c.Bytes(c.LenEnc())}, nil
	case wireparam.ParamDate, wireparam.ParamMoment:
		return cs.momentParam(c, kind)
	case wireparam.ParamSpan:
		return cs.spanParam(c)
	case wireparam.ParamUnread:
		c.Bad = true
		return v, nil
	}
	c.Rest = c.Rest[min(max(c.LenEnc(), 0), len(c.Rest)):]
	return v, wireparam.ErrExecuteTypes
}

// takeExecute reads an execution that has no program, n bytes of payload in its first frame, and
// gives the library its parameters.
func (w *wireConn) takeExecute(data *mysql.PrepareData, n int) (bool, error) {
	p, err := w.wholePayload(n)
	if err != nil {
		return true, err
	}
	if e := w.bind(data, p[1:]); e != nil {
		clear(data.BindVars)
		w.remember(e, false)
		return true, w.answerError(e)
	}
	for i := range w.compiled.params {
		data.BindVars["v"+strconv.Itoa(i+1)] = wireparam.LibraryParam(&w.compiled.params[i])
	}
	q := append(p[:1+4:1+4], p[5]&1, 1, 0, 0, 0) // as if for a cursor or not, and one iteration
	w.in = wire.Frame(0, append(q, make([]byte, (int(data.ParamsCount)+7)/8+1)...))
	return true, nil
}

// wholePayload reads a command of any number of frames; n is the length of the first. The library
// is to be given one.
func (w *wireConn) wholePayload(n int) ([]byte, error) {
	var p []byte
	for {
		_, part, err := wire.ReadFrame(w.rd, n)
		if err != nil {
			w.lost(err)
			return nil, errHungUp
		}
		w.received(wire.HeaderSize + n)
		if p = append(p, part...); !w.more {
			w.advance(stateReading, stateBusy)
			return p, nil
		}
		h, err := w.rd.Peek(wire.HeaderSize)
		if err != nil {
			w.lost(err)
			return nil, errHungUp
		}
		w.advance(stateReading, stateReading)
		n = wire.FrameLen(h)
		if w.total += n; int64(w.total) > w.vars.maxAllowedPacket.Load() {
			return nil, w.refuseOversized(h[3], n)
		}
		w.more = n == wire.MaxFrame
		w.shift.by++
	}
}

// usual tells whether the parameters are such as programs take for the same values that the library
// makes of them.
func (cs *compiledConn) usual(data *mysql.PrepareData) bool {
	for _, v := range data.BindVars {
		if v != nil {
			return false // COM_STMT_SEND_LONG_DATA
		}
	}
	for i := range cs.params {
		switch p := &cs.params[i]; p.Kind {
		case compiled.KindUint:
			if p.N <= math.MaxInt64 {
				p.Kind = compiled.KindInt
			}
		case compiled.KindFloat:
			if !cs.exactFloat(p) {
				return false
			}
		case compiled.KindDecimal:
			if len(p.B) > wireparam.MaxUsualDecimal || p.B[0] == '-' {
				return false
			}
		case compiled.KindString:
			if !cs.wide && !base.IsASCII(p.B) {
				return false
			}
		}
	}
	return true
}

// exactFloat makes the number that its text is of a floating-point number, as the SQL layer
// compares it: a DECIMAL or an integer.
func (cs *compiledConn) exactFloat(p *compiled.Param) bool {
	f := math.Float64frombits(p.N)
	if f == 0 && math.Signbit(f) {
		return false
	}
	from := len(cs.arena)
	cs.arena = strconv.AppendFloat(cs.arena, f, 'g', -1, 64)
	text := cs.arena[from:len(cs.arena):len(cs.arena)]
	point := false
	for _, ch := range text {
		if ch == 'e' || ch == 'I' || ch == 'N' {
			return false
		}
		point = point || ch == '.'
	}
	switch {
	case len(text) > 18:
		return false
	case point:
		*p = compiled.Param{Kind: compiled.KindDecimal, B: text, Double: true}
	default:
		*p = compiled.Param{Kind: compiled.KindInt, N: uint64(int64(f)), Double: true}
	}
	return true
}

// Dates, times and decimals among the parameters of COM_STMT_EXECUTE, which become their texts.

// momentParam reads a DATE, DATETIME or TIMESTAMP:
//
//	length u8: 0, 4, 7, 11, 13 | year u16 | month u8 | day u8 | hour u8 | minute u8 | second u8 |
//	microseconds u32 | minutes from UTC i16
func (cs *compiledConn) momentParam(c *wire.Cursor, kind wireparam.ParamKind) (v compiled.Param, err *mysql.SQLError) {
	length := c.Uint8()
	switch {
	case length == 0 || length == 4:
	case kind == wireparam.ParamMoment && (length == 7 || length == 11 || length == 13):
	default:
		c.Bad = true
		return v, nil
	}
	f := wire.Cursor{Rest: c.Bytes(int(length))}
	if c.Bad {
		return v, nil
	}
	year, month, day := int(f.Uint16()), int(f.Uint8()), int(f.Uint8())
	hour, minute, second, micros := int(f.Uint8()), int(f.Uint8()), int(f.Uint8()), int(f.Uint32())
	zone, zoned := int(int16(f.Uint16())), length == 13
	what := "DATETIME"
	if kind == wireparam.ParamDate {
		what = "DATE"
	}
	if year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 || micros > 999_999 || zone < -14*60 || zone > 14*60 {
		return v, wireparam.OutOfRange(what)
	}
	from := len(cs.arena)
	b := wireparam.AppendDigits(cs.arena, year, 4)
	b = wireparam.AppendDigits(append(b, '-'), month, 2)
	b = wireparam.AppendDigits(append(b, '-'), day, 2)
	if kind == wireparam.ParamMoment {
		b = wireparam.AppendClock(append(b, ' '), hour, minute, second, micros)
	}
	if zoned && zone != 0 {
		sign := byte('+')
		if zone < 0 {
			sign, zone = '-', -zone
		}
		b = wireparam.AppendDigits(append(b, sign), zone/60, 2)
		b = wireparam.AppendDigits(append(b, ':'), zone%60, 2)
	}
	cs.arena = b
	return compiled.Param{Kind: compiled.KindTime, B: b[from:len(b):len(b)]}, nil
}

// spanParam reads a TIME:
//
//	length u8: 0, 8, 12 | negative u8 | days u32 | hour u8 | minute u8 | second u8 | microseconds
//	u32
func (cs *compiledConn) spanParam(c *wire.Cursor) (v compiled.Param, err *mysql.SQLError) {
	length := c.Uint8()
	if length != 0 && length != 8 && length != 12 {
		c.Bad = true
		return v, nil
	}
	f := wire.Cursor{Rest: c.Bytes(int(length))}
	if c.Bad {
		return v, nil
	}
	negative, days := f.Uint8() != 0, int64(f.Uint32())
	hour, minute, second, micros := int64(f.Uint8()), int(f.Uint8()), int(f.Uint8()), int(f.Uint32())
	hours := days*24 + hour
	if minute > 59 || second > 59 || micros > 999_999 || hours > wireparam.MaxHours || hours == wireparam.MaxHours && minute == 59 && second == 59 && micros > 0 {
		return v, wireparam.OutOfRange("TIME")
	}
	from := len(cs.arena)
	b := cs.arena
	if negative && (hours > 0 || minute > 0 || second > 0 || micros > 0) {
		b = append(b, '-')
	}
	b = wireparam.AppendClock(b, int(hours), minute, second, micros)
	cs.arena = b
	return compiled.Param{Kind: compiled.KindTime, B: b[from:len(b):len(b)]}, nil
}

// decimalParam reads the number at the start of a text. What is no number is 0, and what is too
// large becomes the largest DECIMAL, without a word, as in MySQL.
func (cs *compiledConn) decimalParam(text []byte) compiled.Param {
	n := wireparam.ScanNumeral(text)
	from := len(cs.arena)
	b := cs.arena
	if n.Negative && !n.Zero() {
		b = append(b, '-')
	}
	b = n.Append(b)
	cs.arena = b
	return compiled.Param{Kind: compiled.KindDecimal, B: b[from:len(b):len(b)]}
}
