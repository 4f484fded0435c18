package store

// Values between GMS and the engine. A codec belongs to one column.
//
//	GMS type                    Go value                 row.Type      row.Value
//	TINYINT ... BIGINT          int8 ... int64           TInt8 ...     Int          (BOOLEAN is TINYINT(1))
//	... UNSIGNED                uint8 ... uint64         TUint8 ...    Uint
//	FLOAT, DOUBLE               float32, float64         TFloat32/64   Float
//	DECIMAL                     *apd.Decimal             TDecimal      Bytes, binary decimal
//	DATE, DATETIME              time.Time                TDate, TDateTime    Int, packed
//	TIMESTAMP                   time.Time                TTimestamp    Int, microseconds
//	TIME, YEAR                  types.Timespan, int16    TTime, TYear  Int, Uint
//	BIT, ENUM, SET              uint64, uint16, uint64   TBit ...      Uint
//	CHAR, VARCHAR, TEXT         string                   TChar ...     Bytes, UTF-8 whatever the column's character set
//	BINARY, VARBINARY, BLOB     []byte                   TBinary ...   Bytes        (VECTOR is a BLOB)
//	JSON                        sql.JSONWrapper          TJSON         Bytes, MySQL's text form
//	GEOMETRY and its kinds      types.GeometryValue      TGeometry     Bytes, SRID + WKB
//
// The zero date of GMS (types.ZeroTime) is the packed value 0. Dates that the calendar lacks are
// times beyond GMS's bounds: see operand.TimeOf.

import (
	"bytes"
	"fmt"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	own "emberdb/sql/types"
	_ "emberdb/sqllayer/collation" // registers the collations
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/geometry"
	"emberdb/sqllayer/sqlerr"
)

// Codec converts the values of one column.
type Codec struct {
	Typ sql.Type
	Col row.Column
}

// storageTypes maps the types that need no more than their own name.
var storageTypes = map[query.Type]row.Type{
	sqltypes.Int8: row.TInt8, sqltypes.Int16: row.TInt16, sqltypes.Int24: row.TInt24, sqltypes.Int32: row.TInt32, sqltypes.Int64: row.TInt64,
	sqltypes.Uint8: row.TUint8, sqltypes.Uint16: row.TUint16, sqltypes.Uint24: row.TUint24, sqltypes.Uint32: row.TUint32, sqltypes.Uint64: row.TUint64,
	sqltypes.Float32: row.TFloat32, sqltypes.Float64: row.TFloat64, sqltypes.Date: row.TDate, sqltypes.Datetime: row.TDateTime,
	sqltypes.Timestamp: row.TTimestamp, sqltypes.Time: row.TTime, sqltypes.Year: row.TYear, sqltypes.Bit: row.TBit, sqltypes.Enum: row.TEnum,
	sqltypes.Set: row.TSet, sqltypes.TypeJSON: row.TJSON, sqltypes.Geometry: row.TGeometry, sqltypes.Char: row.TChar, sqltypes.VarChar: row.TVarchar,
	sqltypes.Text: row.TText, sqltypes.Binary: row.TBinary, sqltypes.VarBinary: row.TVarbinary, sqltypes.Blob: row.TBlob, sqltypes.Decimal: row.TDecimal,
	sqltypes.Vector: row.TBlob,
}

// StorageColumn gives the storage of a new column of type t.
func StorageColumn(t sql.Type, nullable bool) (row.Column, error) {
	st, ok := storageTypes[t.Type()]
	if !ok {
		return row.Column{}, sql.ErrInvalidType.New(t.String())
	}
	c := row.Column{Type: st, Nullable: nullable}
	switch t := t.(type) {
	case sql.DecimalType:
		c.Precision, c.Scale = t.Precision(), t.Scale()
	case types.BitType:
		c.Length = uint32(t.NumberOfBits())
	case sql.StringType:
		c.Length = uint32(t.MaxCharacterLength())
		c.Collation = uint16(t.Collation())
		if c.Collation == 0 {
			c.Collation = uint16(sql.Collation_Default)
		}
		if row.LookupCollation(c.Collation) == nil {
			return row.Column{}, sql.ErrCollationNotYetImplementedTemp.New(t.Collation().Name())
		}
	}
	switch st {
	case row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		c.Collation = row.CollationBinary
	}
	c.Codes = row.NewestCodes(c.Collation)
	return c, nil
}

// Encode converts a value of GMS. The bytes of the result may alias v.
func (c *Codec) Encode(ctx *sql.Context, v any) (row.Value, error) {
	if v == nil {
		return row.NullValue, nil
	}
	if out, ok, err := c.EncodeExact(ctx, v); ok || err != nil {
		return out, err
	}
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return row.Value{}, err
	}
	if v, err = spatial.Geometry(ctx, c.Typ, v); err != nil {
		return row.Value{}, err
	}
	converted, _, err := c.Typ.Convert(ctx, v)
	if err != nil {
		return row.Value{}, err
	}
	if converted, err = sql.UnwrapAny(ctx, converted); err != nil || converted == nil {
		return row.NullValue, err
	}
	out, ok, err := c.EncodeExact(ctx, converted)
	if !ok && err == nil {
		err = fmt.Errorf("value of type %T for column type %s", v, c.Typ)
	}
	return out, err
}

// EncodeExact converts a value that has the column's own Go type; ok is false for any other.
func (c *Codec) EncodeExact(ctx *sql.Context, v any) (out row.Value, ok bool, err error) {
	switch c.Col.Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64:
		if n, ok := Signed(v); ok {
			out = row.IntValue(n)
			return out, c.Col.Fits(out), nil
		}
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TBit, row.TEnum, row.TSet:
		if n, ok := Unsigned(v); ok {
			out = row.UintValue(n)
			return out, c.Col.Fits(out), nil
		}
	case row.TYear:
		if n, ok := v.(int16); ok {
			return row.UintValue(uint64(n)), true, nil
		}
	case row.TFloat32, row.TFloat64:
		return c.encodeFloat(v)
	case row.TDecimal:
		if d, ok := v.(*apd.Decimal); ok {
			b, err := appendDecimal(nil, d, c.Col.Precision, c.Col.Scale)
			return row.BytesValue(b), err == nil, nil
		}
	case row.TDate, row.TDateTime, row.TTimestamp:
		if t, ok := v.(time.Time); ok {
			return c.encodeTime(ctx, t)
		}
	case row.TTime:
		if t, ok := v.(types.Timespan); ok {
			return row.IntValue(int64(t)), true, nil
		}
	default:
		return c.encodeBytes(ctx, v)
	}
	return row.Value{}, false, nil
}

func (c *Codec) encodeFloat(v any) (row.Value, bool, error) {
	switch f := v.(type) {
	case float32:
		return row.FloatValue(float64(f)), true, nil
	case float64:
		out := row.FloatValue(f)
		return out, c.Col.Fits(out), nil
	}
	return row.Value{}, false, nil
}

func (c *Codec) encodeBytes(ctx *sql.Context, v any) (row.Value, bool, error) {
	switch c.Col.Type {
	case row.TJSON:
		if j, ok := v.(sql.JSONWrapper); ok {
			b, err := operand.AppendDocument(ctx, nil, j)
			return row.BytesValue(b), err == nil, err
		}
	case row.TGeometry:
		if g, ok := v.(types.GeometryValue); ok {
			return row.BytesValue(g.Serialize()), true, nil
		}
	case row.TChar, row.TVarchar, row.TText:
		if s, ok := v.(string); ok {
			b := encodings.StringToBytes(s)
			if c.Col.Type == row.TChar {
				b = bytes.TrimRight(b, " ")
			}
			return row.BytesValue(b), true, nil
		}
	default:
		switch b := v.(type) {
		case []byte:
			return row.BytesValue(b), true, nil
		case string:
			return row.BytesValue(encodings.StringToBytes(b)), true, nil
		}
	}
	return row.Value{}, false, nil
}

// Decode gives GMS's value. It owns its memory.
func (c *Codec) Decode(zone *time.Location, v row.Value) (any, error) {
	if v.IsNull() {
		return nil, nil
	}
	switch c.Col.Type {
	case row.TInt8:
		return int8(v.N), nil
	case row.TInt16, row.TYear:
		return int16(v.N), nil
	case row.TInt24, row.TInt32:
		return int32(v.N), nil
	case row.TInt64:
		return int64(v.N), nil
	case row.TUint8:
		return uint8(v.N), nil
	case row.TUint16, row.TEnum:
		return uint16(v.N), nil
	case row.TUint24, row.TUint32:
		return uint32(v.N), nil
	case row.TUint64, row.TBit, row.TSet:
		return v.N, nil
	case row.TFloat32:
		return float32(v.Float()), nil
	case row.TFloat64:
		return v.Float(), nil
	case row.TDecimal:
		return decodeDecimal(v.B, c.Col.Precision, c.Col.Scale), nil
	case row.TDate, row.TDateTime, row.TTimestamp:
		return unpackTime(zone, c.Col.Type, v.Int()), nil
	case row.TTime:
		return types.Timespan(v.Int()), nil
	case row.TChar, row.TVarchar, row.TText:
		return string(v.B), nil
	case row.TJSON:
		return operand.NewDocument(bytes.Clone(v.B)), nil
	case row.TGeometry:
		return geometry.FromStored(v.B)
	default:
		b := make([]byte, len(v.B))
		copy(b, v.B)
		return b, nil
	}
}

// encodeTime converts a date or time stamp. Of a TIMESTAMP the library has looked only at what the
// clock shows.
func (c *Codec) encodeTime(ctx *sql.Context, t time.Time) (row.Value, bool, error) {
	var zone *time.Location
	if c.Col.Type == row.TTimestamp {
		zone = ZoneOf(ctx)
	}
	n := packTime(zone, c.Col.Type, t)
	if zone != nil && !isMoment(n) && !t.Equal(types.ZeroTime) {
		return row.Value{}, false, sqlerr.NewError(mysql.ERTruncatedWrongValue, "Incorrect datetime value: '%s'", t.UTC().Format(time.DateTime))
	}
	return row.IntValue(n), true, nil
}

// packTime gives the stored form of a date or time stamp.
func packTime(zone *time.Location, t row.Type, v time.Time) int64 {
	if v.Equal(types.ZeroTime) {
		return 0
	}
	if t == row.TTimestamp {
		return MomentMicros(zone, v.UnixMicro())
	}
	m := operand.MomentOf(v)
	if t == row.TDate {
		return int64(m.Year)*512 + int64(m.Month)*32 + int64(m.Day)
	}
	return own.Pack(m)
}

func unpackTime(zone *time.Location, t row.Type, n int64) time.Time {
	if n == 0 {
		return types.ZeroTime
	}
	switch t {
	case row.TTimestamp:
		return time.UnixMicro(LocalMicros(zone, n)).UTC()
	case row.TDate:
		return operand.TimeOf(own.Moment{Year: int(n / 512), Month: int(n / 32 % 16), Day: int(n % 32)})
	}
	return operand.TimeOf(own.Unpack(n))
}

func Signed(v any) (int64, bool) {
	switch n := v.(type) {
	case int8:
		return int64(n), true
	case int16:
		return int64(n), true
	case int32:
		return int64(n), true
	case int64:
		return n, true
	case int:
		return int64(n), true
	}
	return 0, false
}

func Unsigned(v any) (uint64, bool) {
	switch n := v.(type) {
	case uint8:
		return uint64(n), true
	case uint16:
		return uint64(n), true
	case uint32:
		return uint64(n), true
	case uint64:
		return n, true
	}
	return 0, false
}
