package sessionstate

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/account"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// Moved is a session on its way.
type Moved struct {
	Database      string
	Variables     map[string]MovedValue // those that differ from the global ones
	UserVariables map[string]MovedVariable
	Roles         *[]account.Name // nil: nobody has asked for them yet
	Warnings      []sql.Warning
	RowCount      int64
	FoundRows     int64
	LastInsertID  int64
}

// MovedValue is a value: its kind, and its text.
type MovedValue struct {
	Kind string
	Text []byte
}

func (m MovedValue) Is(o MovedValue) bool { return m.Kind == o.Kind && bytes.Equal(m.Text, o.Text) }

// MovedVariable is a user variable.
type MovedVariable struct {
	MovedValue
	Type MovedType
}

// MovedType is a type as far as user variables have one.
type MovedType struct {
	Base      int32
	Length    int64
	Collation uint16
	Precision int
	Scale     int
}

// MovedGlobals are the global values that sessions begin with.
func MovedGlobals() map[string]MovedValue {
	ctx, globals := sql.NewEmptyContext(), map[string]MovedValue{}
	for name, v := range sql.SystemVariables.GetAllGlobalVariables() {
		if at, _, ok := sql.SystemVariables.GetGlobal(name); ok && !at.IsGlobalOnly() && !at.IsReadOnly() {
			if m, err := MoveValue(ctx, v); err == nil {
				globals[name] = m
			}
		}
	}
	return globals
}

// Kinds of values.
const (
	kindNull    = "null"
	kindBool    = "bool"
	KindInt     = "int"
	kindUint    = "uint"
	kindFloat   = "float"
	kindText    = "text"
	kindBytes   = "bytes"
	KindDecimal = "decimal"
	KindMoment  = "moment"
	kindSpan    = "span"
	kindJSON    = "json"     // MySQL's text form, as in a column
	KindShape   = "geometry" // SRID and WKB, as in a column
)

// MoveValue tells a value by its kind, with its size in bits where it has one.
func MoveValue(ctx *sql.Context, v any) (MovedValue, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return MovedValue{}, err
	}
	signed := func(n int64, bits string) (MovedValue, error) {
		return MovedValue{KindInt + bits, strconv.AppendInt(nil, n, 10)}, nil
	}
	unsigned := func(n uint64, bits string) (MovedValue, error) {
		return MovedValue{kindUint + bits, strconv.AppendUint(nil, n, 10)}, nil
	}
	switch v := v.(type) {
	case nil:
		return MovedValue{Kind: kindNull}, nil
	case bool:
		return MovedValue{kindBool, strconv.AppendBool(nil, v)}, nil
	case int:
		return signed(int64(v), "")
	case int8:
		return signed(int64(v), "8")
	case int16:
		return signed(int64(v), "16")
	case int32:
		return signed(int64(v), "32")
	case int64:
		return signed(v, "64")
	case uint8:
		return unsigned(uint64(v), "8")
	case uint16:
		return unsigned(uint64(v), "16")
	case uint32:
		return unsigned(uint64(v), "32")
	case uint64:
		return unsigned(v, "64")
	case float32:
		return MovedValue{kindFloat + "32", strconv.AppendFloat(nil, float64(v), 'g', -1, 32)}, nil
	case float64:
		return MovedValue{kindFloat + "64", strconv.AppendFloat(nil, v, 'g', -1, 64)}, nil
	case string:
		return MovedValue{kindText, []byte(v)}, nil
	case []byte:
		return MovedValue{kindBytes, v}, nil
	case *apd.Decimal:
		return MovedValue{KindDecimal, []byte(v.Text('f'))}, nil
	case time.Time:
		if y := v.UTC().Year(); y < 0 || y > 9999 { // a date that the calendar lacks
			return MovedValue{KindMoment, strconv.AppendInt(nil, operand.Packed(v), 10)}, nil
		}
		text, err := v.UTC().MarshalText()
		return MovedValue{KindMoment, text}, err
	case types.Timespan:
		return MovedValue{kindSpan, strconv.AppendInt(nil, int64(v), 10)}, nil
	case types.JSONBytes: // as it is stored: a decimal keeps its digits
		text, err := v.GetBytes(ctx)
		return MovedValue{kindJSON, text}, err
	case sql.JSONWrapper:
		text, err := operand.AppendDocument(ctx, nil, v)
		return MovedValue{kindJSON, text}, err
	case types.GeometryValue:
		return MovedValue{KindShape, v.Serialize()}, nil
	}
	return MovedValue{}, fmt.Errorf("a value of type %T does not move", v)
}

// Value is what MoveValue was given.
func (m MovedValue) Value() (any, error) {
	text := string(m.Text)
	switch m.Kind {
	case kindNull:
		return nil, nil
	case kindBool:
		return strconv.ParseBool(text)
	case kindText:
		return text, nil
	case kindBytes:
		return append([]byte{}, m.Text...), nil
	case KindDecimal:
		d, _, err := apd.NewFromString(text)
		return d, err
	case KindMoment:
		if packed, err := strconv.ParseInt(text, 10, 64); err == nil {
			return operand.TimeOf(own.Unpack(packed)), nil
		}
		var t time.Time
		err := t.UnmarshalText(m.Text)
		return t, err
	case kindSpan:
		n, err := strconv.ParseInt(text, 10, 64)
		return types.Timespan(n), err
	case kindJSON:
		return operand.NewDocument(m.Text), nil
	case KindShape:
		return geometry.FromStored(m.Text)
	case kindFloat + "32":
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case kindFloat + "64":
		return strconv.ParseFloat(text, 64)
	}
	return m.integer(text)
}

func (m MovedValue) integer(text string) (any, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	u, uerr := strconv.ParseUint(text, 10, 64)
	switch m.Kind {
	case KindInt:
		return int(n), err
	case KindInt + "8":
		return int8(n), err
	case KindInt + "16":
		return int16(n), err
	case KindInt + "32":
		return int32(n), err
	case KindInt + "64":
		return n, err
	case kindUint + "8":
		return uint8(u), uerr
	case kindUint + "16":
		return uint16(u), uerr
	case kindUint + "32":
		return uint32(u), uerr
	case kindUint + "64":
		return u, uerr
	}
	return nil, fmt.Errorf("kind %.20q is not known", m.Kind)
}

func MoveType(t sql.Type) MovedType {
	if t == nil {
		t = types.Null
	}
	m := MovedType{Base: int32(t.Type())}
	switch t := t.(type) {
	case sql.StringType:
		m.Length, m.Collation = t.Length(), uint16(t.Collation())
	case sql.DecimalType:
		m.Precision, m.Scale = int(t.Precision()), int(t.Scale())
	case sql.DatetimeType:
		m.Precision = t.Precision()
	case types.BitType:
		m.Length = int64(t.NumberOfBits())
	}
	return m
}

// SqlType is the type that MoveType was given.
func (m MovedType) SqlType() (sql.Type, error) {
	base := querypb.Type(m.Base)
	switch base {
	case querypb.Type_NULL_TYPE:
		return types.Null, nil
	case querypb.Type_DECIMAL:
		if m.Precision < 0 || m.Precision > types.DecimalTypeMaxPrecision || m.Scale < 0 || m.Scale > m.Precision {
			return nil, fmt.Errorf("a decimal of %d,%d digits", m.Precision, m.Scale)
		}
		return types.CreateDecimalType(uint8(m.Precision), uint8(m.Scale))
	case querypb.Type_DATE, querypb.Type_DATETIME, querypb.Type_TIMESTAMP:
		return types.CreateDatetimeType(base, m.Precision)
	case querypb.Type_TIME:
		return types.Time, nil
	case querypb.Type_YEAR:
		return types.Year, nil
	case querypb.Type_CHAR, querypb.Type_VARCHAR, querypb.Type_TEXT, querypb.Type_BINARY, querypb.Type_VARBINARY, querypb.Type_BLOB:
		return types.CreateString(base, m.Length, sql.CollationID(m.Collation))
	case querypb.Type_BIT:
		if m.Length < types.BitTypeMinBits || m.Length > types.BitTypeMaxBits {
			return nil, fmt.Errorf("a bit field of %d bits", m.Length)
		}
		return types.CreateBitType(uint8(m.Length))
	case querypb.Type_JSON:
		return types.JSON, nil
	case querypb.Type_GEOMETRY:
		return types.GeometryType{}, nil
	}
	return types.CreateNumberType(base)
}

// Check tells whether another process gets the same type.
func (m MovedType) Check(t sql.Type) error {
	again, err := m.SqlType()
	if err == nil && MoveType(again) != m {
		err = fmt.Errorf("a value of type %v does not move", t)
	}
	return err
}
