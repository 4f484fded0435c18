// Package row encodes column values: order-preserving keys and compact row bytes. Pure functions; it knows no tree, page or transaction.
//
// See key.go for the key encoding and codec.go for the row bytes.
package row

// Kind tells which field of a Value counts.
type Kind uint8

const (
	Null  Kind = iota
	Int        // N as int64
	Uint       // N as uint64
	Float      // N as math.Float64bits (FLOAT and DOUBLE alike)
	Bytes      // B: strings (UTF-8), binary, decimal, JSON, geometry; see Type
)

// Value is one column value without boxing. B may alias a page copy: it is valid as long as the row it came from.
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
	TBit       // Uint
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
	Precision uint8  // DECIMAL digits
	Scale     uint8  // DECIMAL fraction digits
	Collation uint16 // MySQL collation id for character types; 63 = binary
}

// KeyPart is one column of an index key.
type KeyPart struct {
	Column int    // position in the table's columns
	Prefix uint32 // characters (or bytes for binary types) of a prefix index; 0 = whole value
	Desc   bool
}
