package tabledef

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/store"
)

// wideType is the type that GMS takes a column for when it makes ranges: its values are not rounded
// to the column, which would move a bound.
type wideType struct {
	columnType
	wide sql.Type // nil: the column's own, whose errors mean that nothing is equal
}

type columnType = sql.Type // has a method Type, which an embedded field of that name would hide

// wideDecimal is the same for DECIMAL, whose scale GMS asks for.
type wideDecimal struct{ sql.DecimalType }

// wideInteger is the same for integers, and for ENUM, whose numbers are compared with numbers. GMS
// takes it for none of its numbers, whose bounds it rounds; they stay what they are and edge places
// them.
type wideInteger struct{ columnType }

// wideText is the same for texts under PAD SPACE collations. GMS takes 'a' and 'a ' for different
// texts, which would leave nothing of a range for both, or read rows twice.
type wideText struct {
	sql.StringType
	col row.Column
}

// wideDate is the same for dates, among them those that the calendar lacks.
type wideDate struct{ wideType }

// Convert implements sql.Type.
func (t wideDate) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	at, isDate := v.(time.Time)
	if session, ok := ctx.(*sql.Context); ok && !isDate {
		text, isText := v.(string)
		if n, whole := store.Signed(v); whole {
			text, isText = strconv.FormatInt(n, 10), true
		}
		if isText {
			at, _, _ = operand.ReadMoment(text, operand.DatesOf(session), time.UTC)
		}
	}
	if operand.Unreal(at) {
		return at, sql.InRange, nil
	}
	return t.wideType.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideDate) Compare(ctx context.Context, a, b any) (int, error) {
	x, okX := a.(time.Time)
	y, okY := b.(time.Time)
	if okX && okY && (operand.Unreal(x) || operand.Unreal(y)) {
		return cmp.Compare(operand.Packed(x), operand.Packed(y)), nil
	}
	return t.wideType.Compare(ctx, a, b)
}

// boundType is the type of the bounds of a column's ranges.
func boundType(c *store.Codec) sql.Type {
	switch c.Col.Type {
	case row.TDate, row.TDateTime:
		return wideDate{wideType{c.Typ, types.DatetimeMaxPrecision}}
	case row.TTimestamp:
		return wideType{c.Typ, types.DatetimeMaxPrecision}
	case row.TDecimal:
		if t, ok := c.Typ.(sql.DecimalType); ok {
			return wideDecimal{t}
		}
	case row.TSet:
		return wideType{c.Typ, nil}
	case row.TEnum:
		return wideEnum{wideInteger{c.Typ}}
	case row.TChar, row.TVarchar, row.TText:
		if t, ok := c.Typ.(sql.StringType); ok && row.LookupCollation(c.Col.Collation).PadSpace {
			return wideText{t, c.Col}
		}
	}
	if isInteger(c.Col.Type) {
		return wideInteger{c.Typ}
	}
	return c.Typ
}

// ended is the error of a statement that is to end. GMS compares each range of a long list with each
// other and asks nobody else meanwhile.
func ended(ctx context.Context) error {
	if ctx == nil {
		return nil
	}
	return ctx.Err()
}

func isInteger(t row.Type) bool {
	switch t {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64:
		return true
	}
	return false
}

// bare is the column's type behind the type of a bound.
func bare(t sql.Type) sql.Type {
	switch t := t.(type) {
	case wideDate:
		return t.columnType
	case wideType:
		return t.columnType
	case wideDecimal:
		return t.DecimalType
	case wideInteger:
		return t.columnType
	case wideEnum:
		return t.columnType
	case wideText:
		return t.StringType
	}
	return t
}

// Convert implements sql.Type.
func (t wideType) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if t.wide == nil {
		out, fits, err := t.columnType.Convert(ctx, v)
		if err != nil {
			return nil, sql.Underflow, nil // GMS takes it for less than all members
		}
		return out, fits, nil
	}
	return t.wide.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideType) Compare(ctx context.Context, a, b any) (int, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	if t.wide == nil {
		return t.columnType.Compare(ctx, a, b)
	}
	return t.wide.Compare(ctx, a, b)
}

// Equals implements sql.Type.
func (t wideType) Equals(other sql.Type) bool { return t.columnType.Equals(bare(other)) }

// Convert implements sql.Type.
func (t wideDecimal) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	return types.InternalDecimalType.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideDecimal) Compare(ctx context.Context, a, b any) (int, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	return types.InternalDecimalType.Compare(ctx, a, b)
}

// Equals implements sql.Type.
func (t wideDecimal) Equals(other sql.Type) bool { return t.DecimalType.Equals(bare(other)) }

// Promote implements sql.Type.
func (t wideText) Promote() sql.Type {
	return wideText{t.StringType.Promote().(sql.StringType), t.col}
}

// Compare implements sql.Type: as the keys of the index do.
func (t wideText) Compare(ctx context.Context, a, b any) (int, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	x, okX := a.(string)
	y, okY := b.(string)
	if !okX || !okY {
		return t.StringType.Compare(ctx, a, b)
	}
	key := func(s string) []byte { return row.AppendKeyPart(nil, t.col, row.KeyPart{}, row.BytesValue([]byte(s))) }
	return bytes.Compare(key(x), key(y)), nil
}

// Equals implements sql.Type.
func (t wideText) Equals(other sql.Type) bool { return t.StringType.Equals(bare(other)) }

// Type implements sql.Type: not an integer, else GMS expects integers of the column's width from
// Convert.
func (wideInteger) Type() query.Type { return sqltypes.Decimal }

// Convert implements sql.Type.
func (t wideInteger) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.InRange, err
	}
	if v = numberIn(v); v == nil || store.ExactNumber(v) != nil {
		return v, sql.InRange, nil
	}
	return t.columnType.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideInteger) Compare(ctx context.Context, a, b any) (int, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	x, okX := store.Signed(a)
	y, okY := store.Signed(b)
	if okX && okY {
		return cmp.Compare(x, y), nil
	}
	if x, y := store.ExactNumber(a), store.ExactNumber(b); x != nil && y != nil {
		return x.Cmp(y), nil
	}
	return t.columnType.Compare(ctx, a, b)
}

// Equals implements sql.Type.
func (t wideInteger) Equals(other sql.Type) bool { return t.columnType.Equals(bare(other)) }

// wideEnum is the same for ENUM: numbers stand for themselves, texts for members of that text.
type wideEnum struct{ wideInteger }

// Convert implements sql.Type.
func (t wideEnum) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if store.ExactNumber(v) != nil {
		return v, sql.InRange, nil
	}
	if text, ok := v.(string); ok {
		return enumText{text, operand.MemberOf(t.columnType.(sql.EnumType), text)}, sql.InRange, nil
	}
	out, fits, err := t.columnType.Convert(ctx, v)
	if err != nil {
		return nil, sql.Underflow, nil // GMS takes it for less than all members
	}
	return out, fits, nil
}

// enumText is a text that an ENUM is compared with. It has a place among the members only as one of
// them: what is less than a text is no range of members.
type enumText struct {
	text   string
	member int // 0: it is none
}

func (e enumText) String() string { return e.text }

// Compare implements sql.Type.
func (t wideEnum) Compare(ctx context.Context, a, b any) (int, error) {
	x, okX := a.(enumText)
	y, okY := b.(enumText)
	if okX && okY { // not by member: what lies between two texts must not seem empty
		return types.CreateLongText(t.columnType.(sql.EnumType).Collation()).Compare(ctx, x.text, y.text)
	}
	if okX {
		a = uint16(x.member)
	}
	if okY {
		b = uint16(y.member)
	}
	return t.wideInteger.Compare(ctx, a, b)
}

// byText tells whether a range goes by the order of texts: one of an ENUM between texts, any of a
// SET but of one value.
func byText(e sql.MySQLRangeColumnExpr) bool {
	if types.IsSet(bare(e.Typ)) {
		low, isLow := keyOf(e.LowerBound)
		high, isHigh := keyOf(e.UpperBound)
		return isLow != isHigh || low != high
	}
	low, isLow := textOf(e.LowerBound)
	high, isHigh := textOf(e.UpperBound)
	return isLow != isHigh || low != high
}

// keyOf is the value a cut is at; false if it is at none.
func keyOf(cut sql.MySQLRangeCut) (key any, ok bool) {
	switch cut := cut.(type) {
	case sql.Below:
		return cut.Key, true
	case sql.Above:
		return cut.Key, true
	}
	return nil, false
}

// textOf is the text of a cut.
func textOf(cut sql.MySQLRangeCut) (text enumText, ok bool) {
	key, _ := keyOf(cut)
	text, ok = key.(enumText)
	return text, ok
}

// Equals implements sql.Type.
func (t wideEnum) Equals(other sql.Type) bool { return t.columnType.Equals(bare(other)) }

// numberIn gives the number a text begins with; what is no text stays. Numbers with an exponent are
// doubles, however many digits they would have.
func numberIn(v any) any {
	text, ok := v.(string)
	if b, bytes := v.([]byte); bytes {
		text, ok = string(b), true
	}
	if !ok {
		return v
	}
	text = strings.TrimLeft(text, " \t\n\r\v\f")
	text = text[:operand.NumberPrefix(text)]
	if text == "" {
		return int64(0)
	}
	if strings.ContainsAny(text, "eE") {
		f, _ := strconv.ParseFloat(text, 64)
		return max(min(f, math.MaxFloat64), -math.MaxFloat64)
	}
	d, err := operand.ParseDecimal(text)
	if err != nil {
		return v
	}
	return d
}

// edge finds the place of a bound. A bound that the column cannot hold lies between two values, or
// outside all. What cannot be converted at all equals nothing: Overflow for a lower bound empties
// the interval.
func (x *Index) edge(ctx *sql.Context, p row.KeyPart, bound any) store.Edge {
	nowhere := store.Edge{Fits: sql.Overflow}
	c := &x.Owner.Codecs[p.Column]
	bound, err := sql.UnwrapAny(ctx, bound)
	if err != nil || bound == nil {
		return nowhere
	}
	if isInteger(c.Col.Type) {
		bound = numberIn(bound)
	}
	if text, ok := bound.(string); ok && c.Col.Type == row.TEnum {
		bound = enumText{text, operand.MemberOf(c.Typ.(sql.EnumType), text)}
	}
	if text, ok := bound.(enumText); ok {
		if text.member == 0 {
			return nowhere
		}
		bound = uint16(text.member)
	}
	if n := store.ExactNumber(bound); n != nil && c.Col.Type == row.TEnum {
		return c.EnumEdge(p, n)
	}
	v, ok, err := c.EncodeExact(ctx, bound)
	if err != nil {
		return nowhere
	}
	converts := !ok
	if converts {
		converted, fits, err := c.Typ.Convert(ctx, bound)
		if err != nil && !sql.ErrTruncatedIncorrect.Is(err) || converted == nil {
			if n := store.ExactNumber(bound); n != nil && n.Sign() < 0 {
				return store.Edge{Fits: sql.Underflow}
			}
			return nowhere
		}
		if fits != sql.InRange {
			return store.Edge{Fits: fits}
		}
		if v, ok, err = c.EncodeExact(ctx, converted); !ok || err != nil {
			return nowhere
		}
	}
	side := 0
	switch c.Col.Type {
	case row.TBinary: // values of another length equal none of the column
		switch n := len(v.B); {
		case n < int(c.Col.Length):
			side = -1
		case n > int(c.Col.Length):
			v.B, side = v.B[:c.Col.Length], 1
		}
	case row.TChar: // spaces at the end, which no value has, count under collations that do not pad
		if text, ok := bound.(string); ok {
			v.B = append(bytes.Clone(v.B), text[len(strings.TrimRight(text, " ")):]...)
		}
	case row.TDecimal, row.TFloat32, row.TDate:
		side = c.Compare(store.ZoneOf(ctx), bound, v)
	default:
		if converts {
			side = c.Compare(store.ZoneOf(ctx), bound, v)
		}
	}
	return store.Edge{Key: row.AppendKeyPart(nil, c.Col, p, v), Side: side}
}
