// Package row encodes column values: order-preserving keys and compact row bytes. Pure functions;
// it knows no tree, page or transaction.
//
//	value.go      Value, Type, Column, KeyPart
//	collation.go  weight functions of collations, registered by whoever links the engine
//	codes.go      the kinds of codes by which keys hold texts
//	elements.go   lists of values, each of which has a key in a multi-valued index
//	key.go        keys: one column after the other, so that bytes.Compare of two keys is the SQL order of the columns
//	decode.go     the way back from a key: skip a part, decode a part (covering reads)
//	layout.go     row bytes: the value of a clustered record
//	patch.go      the byte difference of two rows, for undo
//
// Invariants:
//
//	(1) bytes.Compare(key(a), key(b)) has the sign of the SQL comparison of a and b under the
//	    columns' collations and directions; equal values have equal keys.
//	(2) The encoding of a part ends by itself: no encoding of a part is a proper prefix of another
//	    one of the same part. So keys concatenate, and the key of the first n parts is a byte
//	    prefix of the key of all parts.
//	(3) Row bytes can be read by any later version of the table's layout that only appended
//	    columns.
//	(4) A value given to an encoder fits its column (Fits). Encoders panic on what they cannot
//	    represent rather than store something else.
package row

import "math"

// Kind tells which field of a Value counts.
type Kind uint8

const (
	Null  Kind = iota
	Int        // N as int64
	Uint       // N as uint64
	Float      // N as math.Float64bits (FLOAT and DOUBLE alike)
	Bytes      // B: strings (UTF-8), binary, decimal, JSON, geometry; see Type
)

// Value is one column value without boxing. B may alias a page copy: it is valid as long as the row
// it came from.
type Value struct {
	Kind Kind
	N    uint64
	B    []byte
}

// Type is the storage type of a column. On disk (in the catalog); fixed numbers.
type Type uint8

const (
	TInt8 Type = iota + 1 // Int
	TInt16
	TInt24
	TInt32
	TInt64
	TUint8 // Uint
	TUint16
	TUint24
	TUint32
	TUint64
	TFloat32   // Float
	TFloat64   // Float
	TDecimal   // Bytes: MySQL's binary decimal (order-preserving), width from Precision/Scale
	TDate      // Int: year*512 + month*32 + day (zero and partial dates keep their order)
	TTime      // Int: microseconds, negative allowed
	TDateTime  // Int: ((year*13+month)<<5|day)<<17 | hour<<12 | minute<<6 | second, then <<24 | microseconds (MySQL's packed form; zero dates kept)
	TTimestamp // Int: microseconds since 1970-01-01 UTC; 0 is the zero timestamp
	TYear      // Uint
	TBit       // Uint (64 bits stored, whatever its length)
	TEnum      // Uint: index from 1; 0 is the empty error value
	TSet       // Uint: bit mask
	TChar      // Bytes; collation
	TVarchar   // Bytes; collation
	TBinary    // Bytes, padded with 0x00 to Length
	TVarbinary // Bytes
	TText      // Bytes; collation; may overflow
	TBlob      // Bytes; may overflow
	TJSON      // Bytes: JSON text; may overflow; not indexable
	TGeometry  // Bytes: SRID + WKB; may overflow
)

// Column is the part of a column's definition that storage needs.
type Column struct {
	Type      Type
	Nullable  bool
	Length    uint32 // characters (CHAR, VARCHAR, TEXT) or bytes (BINARY, VARBINARY, BLOB); 0 = the type's own
	Precision uint8  // DECIMAL: digits; FLOAT, DOUBLE: M of (M,D), 0 without; TIME: digits of the fraction
	Scale     uint8  // DECIMAL: fraction digits; FLOAT, DOUBLE: D
	Collation uint16 // MySQL collation id for character types; 63 = binary
	Unsigned  bool   `json:",omitempty"`          // DECIMAL, FLOAT, DOUBLE: no negative values. Integers have types of their own
	Elements  Type   `json:",omitempty"`          // of a TBlob: it lists values of that type for a multi-valued index (elements.go)
	Codes     Codes  `json:"ShortKeys,omitempty"` // character types: by which codes keys hold texts. Fixed once a key of the column has been stored
	Zerofill  uint8  `json:",omitempty"`          // numbers are shown with zeros in front up to this width; 0: without
}

// KeyPart is one column of an index key.
type KeyPart struct {
	Column int    // position in the table's columns
	Prefix uint32 // characters (or bytes for binary types) of a prefix index; 0 = whole value
	Desc   bool
}

// NullValue is SQL's NULL, the zero Value.
var NullValue = Value{}

// IntValue makes a signed integer value (also dates and times).
func IntValue(n int64) Value { return Value{Kind: Int, N: uint64(n)} }

// UintValue makes an unsigned integer value (also YEAR, BIT, ENUM, SET).
func UintValue(n uint64) Value { return Value{Kind: Uint, N: n} }

// FloatValue makes a FLOAT or DOUBLE value.
func FloatValue(f float64) Value { return Value{Kind: Float, N: math.Float64bits(f)} }

// BytesValue makes a string, binary, decimal, JSON or geometry value that aliases b.
func BytesValue(b []byte) Value { return Value{Kind: Bytes, B: b} }

// IsNull tells whether v is NULL.
func (v Value) IsNull() bool { return v.Kind == Null }

// Int, Uint and Float read N as the kind says.
func (v Value) Int() int64     { return int64(v.N) }
func (v Value) Uint() uint64   { return v.N }
func (v Value) Float() float64 { return math.Float64frombits(v.N) }

// Same tells whether a and b are stored alike, byte for byte. Values that compare equal under a
// collation may be different here.
func (v Value) Same(b Value) bool {
	return v.Kind == b.Kind && v.N == b.N && string(v.B) == string(b.B)
}

// kind is the value kind of each type.
func (t Type) kind() Kind {
	switch t {
	case TInt8, TInt16, TInt24, TInt32, TInt64, TDate, TTime, TDateTime, TTimestamp:
		return Int
	case TUint8, TUint16, TUint24, TUint32, TUint64, TYear, TBit, TEnum, TSet:
		return Uint
	case TFloat32, TFloat64:
		return Float
	default:
		return Bytes
	}
}

// width is the stored size of a fixed-width column, 0 for the others. On disk; fixed. Keys and row
// bytes share it.
func (c *Column) width() int {
	switch c.Type {
	case TInt8, TUint8:
		return 1
	case TInt16, TUint16, TEnum, TYear:
		return 2
	case TInt24, TUint24, TDate:
		return 3
	case TInt32, TUint32, TFloat32:
		return 4
	case TTime:
		return 6
	case TInt64, TUint64, TFloat64, TDateTime, TTimestamp, TBit, TSet:
		return 8
	case TDecimal:
		return DecimalWidth(c.Precision, c.Scale)
	case TBinary:
		return int(c.Length)
	default:
		return 0
	}
}

// fixed tells whether all values of the column have the same size, width.
func (c *Column) fixed() bool { return c.Type == TBinary || c.width() > 0 }

// Overflows tells whether values of the type may be moved out of the row into overflow pages: all
// whose length varies.
func (c *Column) Overflows() bool { return !c.fixed() }

// character tells whether the type's bytes are text under a collation.
func (c *Column) character() bool {
	return (c.Type == TChar || c.Type == TVarchar || c.Type == TText) && c.Collation != CollationBinary
}

// decimalDigitBytes is the size of a group of fewer than nine decimal digits.
var decimalDigitBytes = [10]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}

// DecimalWidth is the size of MySQL's binary DECIMAL(precision, scale): nine digits to four bytes,
// integer and fraction part apart.
func DecimalWidth(precision, scale uint8) int {
	whole := int(precision) - int(scale)
	return whole/9*4 + decimalDigitBytes[whole%9] + int(scale)/9*4 + decimalDigitBytes[int(scale)%9]
}

// Fits tells whether v can be stored in c. The layers above convert and check first; this is the
// last look, and what range bounds need: a bound outside the column's domain has no key.
func (c *Column) Fits(v Value) bool {
	if v.Kind == Null {
		return c.Nullable
	}
	if v.Kind != c.Type.kind() {
		return false
	}
	w := c.width()
	switch v.Kind {
	case Int:
		shift := 64 - 8*w
		return v.Int()<<shift>>shift == v.Int()
	case Uint:
		return w == 8 || v.N>>(8*w) == 0
	case Float:
		return !math.IsNaN(v.Float()) && (w == 8 || float64(float32(v.Float())) == v.Float()) && (!c.Unsigned || v.Float() >= 0)
	}
	switch c.Type {
	case TDecimal:
		return len(v.B) == w && (!c.Unsigned || v.B[0]&0x80 != 0)
	case TBinary:
		return len(v.B) <= w
	}
	return uint64(len(v.B)) <= math.MaxUint32
}

// Integer tells the integer types.
func (t Type) Integer() bool { return t >= TInt8 && t <= TUint64 }
