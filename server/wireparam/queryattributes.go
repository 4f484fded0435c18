package wireparam

// Attributes of statements: names and values that a client puts in front of the text of COM_QUERY,
// and behind the parameters of COM_STMT_EXECUTE.
//
//	count lenenc | sets lenenc, always 1 | bits of NULL values | 1 | type u8, flags u8, name lenenc of each | values | text
//
// COM_QUERY begins so where the client and the server have agreed on attributes; without any, it
// has its count and its sets alone. Values become texts, in UTF-8. A value of a type that no
// parameter has is skipped as a text, and is NULL.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/server/wire"
	"emberdb/sql/charset"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
)

// FewestAttributes is how many bytes the type and the name of an attribute have at least.
const FewestAttributes = 3

// AttributeReader reads attributes.
type AttributeReader struct {
	*wire.Cursor
	Set *charset.Set // of the client; nil: UTF-8
}

// SentAttribute is an attribute before its value is read.
type SentAttribute struct {
	Type, Flags byte
	Name        []byte
}

// Query reads what stands before the text of COM_QUERY. ok says that it could be read.
func (r AttributeReader) Query() (all []sqllayer.QueryAttribute, ok bool) {
	n, sets := r.LenEnc(), r.LenEnc()
	if r.Bad || sets != 1 || n > len(r.Rest)/FewestAttributes {
		return nil, false
	}
	if n == 0 {
		return nil, true
	}
	nulls, bound := r.Bytes((n+7)/8), r.Uint8()
	if bound != 1 {
		return nil, false
	}
	heads := make([]SentAttribute, n)
	for i := range heads {
		heads[i] = r.Head()
	}
	return r.Values(heads, nulls, 0)
}

// Head reads the type and the name of one.
func (r AttributeReader) Head() SentAttribute {
	return SentAttribute{r.Uint8(), r.Uint8(), r.Bytes(r.LenEnc())}
}

// Values reads the values of attributes. Their bits of nulls begin with the first-th.
func (r AttributeReader) Values(heads []SentAttribute, nulls []byte, first int) ([]sqllayer.QueryAttribute, bool) {
	if r.Bad {
		return nil, false
	}
	all := make([]sqllayer.QueryAttribute, len(heads))
	for i, h := range heads {
		a := &all[i]
		a.Name = r.text(h.Name)
		if bit := first + i; nulls[bit/8]&(1<<(bit%8)) != 0 {
			a.Null = true
		} else if a.Value, a.Null = r.value(h); r.Bad {
			return nil, false
		}
	}
	return all, true
}

// value reads one value that is not marked as NULL.
func (r AttributeReader) value(h SentAttribute) (value string, null bool) {
	kind := ParamKinds[h.Type]
	if h.Flags&^FlagUnsigned != 0 {
		kind = ParamRefused
	}
	switch kind {
	case ParamInteger:
		b := r.Bytes(IntegerSize[h.Type])
		n := IntegerParam(b, false).N
		if h.Flags&FlagUnsigned != 0 {
			return strconv.FormatUint(n, 10), false // with its sign, as MySQL takes it
		}
		return strconv.FormatInt(int64(n), 10), false
	case ParamFloat:
		return string(operand.AppendFloat(nil, math.Float64frombits(FloatParam(r.Cursor, h.Type).N), 64)), false
	case ParamDate, ParamMoment:
		return r.moment(kind)
	case ParamSpan:
		return r.span()
	case ParamUnread:
		r.Bad = true
		return "", true
	}
	b := r.Bytes(min(r.LenEnc(), len(r.Rest)))
	switch kind {
	case ParamRefused, paramNull:
		return "", true
	case ParamBytes:
		return string(statement.AppendUTF8(nil, charset.Find("latin1"), b)), false
	}
	return r.text(b), false
}

// text is a text of the client in UTF-8; empty if it is none.
func (r AttributeReader) text(b []byte) string {
	if r.Set != nil {
		b = statement.AppendUTF8(nil, r.Set, b)
	}
	if !utf8.Valid(b) {
		return ""
	}
	return string(b)
}

// moment reads a date, with a time unless it is only one.
func (r AttributeReader) moment(kind ParamKind) (string, bool) {
	var y uint16
	var month, day, hour, minute, second byte
	var micros uint32
	n := r.Uint8()
	c := wire.Cursor{Rest: r.Bytes(int(n))}
	if n >= 4 {
		y, month, day = c.Uint16(), c.Uint8(), c.Uint8()
	}
	if n >= 7 {
		hour, minute, second = c.Uint8(), c.Uint8(), c.Uint8()
	}
	if n >= 11 {
		micros = c.Uint32()
	}
	if kind == ParamDate {
		return fmt.Sprintf("%04d-%02d-%02d", y, month, day), false
	}
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d.%06d", y, month, day, hour, minute, second, micros), false
}

// span reads a time.
func (r AttributeReader) span() (string, bool) {
	var hours uint64
	var negative, minute, second byte
	var micros uint32
	n := r.Uint8()
	c := wire.Cursor{Rest: r.Bytes(int(n))}
	if n >= 8 {
		negative = c.Uint8()
		hours = 24*uint64(c.Uint32()) + uint64(c.Uint8())
		minute, second = c.Uint8(), c.Uint8()
	}
	if n >= 12 {
		micros = c.Uint32()
	}
	text := fmt.Sprintf("%02d:%02d:%02d.%06d", hours, minute, second, micros)
	return strings.Repeat("-", int(negative&1)) + text, false
}
