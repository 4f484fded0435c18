package types

import (
	"errors"
	"math"
)

// ErrRange says that a value is beyond what this package computes with, though MySQL may know it.
var ErrRange = errors.New("a number out of the range of batches")

// Kind tells which values a Vec holds.
type Kind uint8

const (
	Null     Kind = iota // the type of NULL
	Int                  // I
	Uint                 // I as uint64
	Float                // F
	Decimal              // I or W, scaled
	String               // S
	Enum                 // I, the number of a word or the set of them
	Date                 // I packed, without a time of day
	DateTime             // I packed
	Time                 // I microseconds
)

// Types of the protocol.
const (
	WireTiny       = 1
	WireShort      = 2
	WireLong       = 3
	WireFloat      = 4
	WireDouble     = 5
	WireNull       = 6
	WireTimestamp  = 7
	WireLongLong   = 8
	WireInt24      = 9
	WireDate       = 10
	WireTime       = 11
	WireDateTime   = 12
	WireYear       = 13
	WireVarChar    = 15
	WireBit        = 16
	WireJSON       = 245
	WireNewDecimal = 246
	WireLongBlob   = 251
	WireBlob       = 252
	WireVarString  = 253
	WireString     = 254
	WireGeometry   = 255
)

const (
	// Binary is the collation of what is no text.
	Binary = 63
	// NotFixed is the number of decimals of what has no fixed number of them.
	NotFixed = 31
	// MaxPrecision and MaxScale bound DECIMAL.
	MaxPrecision = 65
	MaxScale     = 30
)

// Coercibility tells which of two collations decides a comparison: the lower one.
type Coercibility uint8

const (
	Explicit Coercibility = 0 // COLLATE
	Implicit Coercibility = 2 // a column
	Sysconst Coercibility = 3
	Literal  Coercibility = 4
	Numeric  Coercibility = 5
	Ignored  Coercibility = 6 // NULL
)

// Type is the type of a column or of an expression.
type Type struct {
	Kind      Kind
	Wire      uint8  // how it is described to the client
	Length    uint32 // characters of a string; else the width that is described, 0 for DECIMAL
	Precision uint8  // DECIMAL: digits
	Scale     uint8  // DECIMAL: digits behind the point; times: digits of the fraction; strings and floats: NotFixed
	Nullable  bool
	Collation uint16
	Coerce    Coercibility
	Words     *Words // Enum
}

// Words are what a column of ENUM or SET consists of.
type Words struct {
	Names []string
	Set   bool // values are sets of bits
}

// Append appends the text of a value.
func (w *Words) Append(dst []byte, n int64) []byte {
	if !w.Set {
		if n > 0 && n <= int64(len(w.Names)) {
			dst = append(dst, w.Names[n-1]...)
		}
		return dst
	}
	some := false
	for i, name := range w.Names {
		if uint64(n)>>i&1 == 0 {
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		dst, some = append(dst, name...), true
	}
	return dst
}

// IntType is BIGINT as expressions have it, of so many characters.
func IntType(length uint32, nullable bool) Type {
	return Type{Kind: Int, Wire: WireLongLong, Length: length, Nullable: nullable, Collation: Binary, Coerce: Numeric}
}

// BoolType is that of conditions.
func BoolType(nullable bool) Type { return IntType(1, nullable) }

// UintType is BIGINT UNSIGNED.
func UintType(length uint32, nullable bool) Type {
	t := IntType(length, nullable)
	t.Kind = Uint
	return t
}

// FloatType is DOUBLE.
func FloatType(nullable bool) Type {
	return Type{Kind: Float, Wire: WireDouble, Length: 23, Scale: NotFixed, Nullable: nullable, Collation: Binary, Coerce: Numeric}
}

// FixedFloat is DOUBLE that is shown with so many digits behind the point; from NotFixed on with those
// that it has.
func FixedFloat(digits int, nullable bool) Type {
	t := FloatType(nullable)
	if digits < NotFixed {
		t.Length, t.Scale = 22, uint8(digits)
	}
	return t
}

// Shown is how many digits behind the point a number is shown with: NotFixed for what has no fixed
// number of them.
func (t Type) Shown() int {
	if t.Kind == Float {
		return int(t.Scale)
	}
	return t.Decimals()
}

// TimeType is TIME with so many digits of the fraction.
func TimeType(fraction uint8, nullable bool) Type {
	t := Type{Kind: Time, Wire: WireTime, Length: 10, Scale: fraction, Nullable: nullable, Collation: Binary, Coerce: Numeric}
	if fraction > 0 {
		t.Length += 1 + uint32(fraction)
	}
	return t
}

// DecimalType is DECIMAL(precision, scale) within MySQL's bounds.
func DecimalType(precision, scale int, nullable bool) Type {
	return Type{Kind: Decimal, Wire: WireNewDecimal, Precision: uint8(min(precision, MaxPrecision)), Scale: uint8(min(scale, MaxScale)), Nullable: nullable,
		Collation: Binary, Coerce: Numeric}
}

// StringType is a text of an expression.
func StringType(length uint32, collation uint16, c Coercibility, nullable bool) Type {
	return Type{Kind: String, Wire: WireVarString, Length: length, Scale: NotFixed, Nullable: nullable, Collation: collation, Coerce: c}
}

// DocumentType is JSON: a text in MySQL's form, which is compared, ordered and made other values in
// ways of its own.
func DocumentType(nullable bool) Type {
	t := StringType(documentLength, utf8mb4Bin, Implicit, nullable)
	t.Wire = WireJSON
	return t
}

const (
	documentLength = 1<<30 - 1
	utf8mb4Bin     = 46
)

// Document tells JSON.
func (t Type) Document() bool { return t.Wire == WireJSON }

// GeometryType is that of geometries: bytes as columns store them, which nothing compares.
func GeometryType(nullable bool) Type {
	t := StringType(math.MaxUint32, Binary, Implicit, nullable)
	t.Wire = WireGeometry
	return t
}

// Opaque tells documents and geometries: what is done to their bytes is not done to them.
func (t Type) Opaque() bool { return t.Wire == WireJSON || t.Wire == WireGeometry }

// DocumentTextType is a text that functions of JSON give, of at most so many characters; 0: LONGTEXT.
func DocumentTextType(length uint32) Type {
	t := StringType(length, utf8mb4Bin, Literal, true)
	if length == 0 {
		t.Wire, t.Length = WireLongBlob, math.MaxUint32
	}
	return t
}

// DateType is DATE; DateTimeType is DATETIME with so many digits of the fraction.
func DateType(nullable bool) Type {
	return Type{Kind: Date, Wire: WireDate, Length: 10, Nullable: nullable, Collation: Binary, Coerce: Numeric}
}

// DateTimeType is DATETIME with so many digits of the fraction.
func DateTimeType(fraction uint8, nullable bool) Type {
	t := Type{Kind: DateTime, Wire: WireDateTime, Length: 19, Scale: fraction, Nullable: nullable, Collation: Binary, Coerce: Numeric}
	if fraction > 0 {
		t.Length += 1 + uint32(fraction)
	}
	return t
}

// NullType is that of NULL.
func NullType() Type {
	return Type{Kind: Null, Wire: WireNull, Nullable: true, Collation: Binary, Coerce: Ignored}
}

// Number tells the kinds that are numbers.
func (k Kind) Number() bool { return k >= Int && k <= Decimal }

// Integer tells the kinds that are integers.
func (k Kind) Integer() bool { return k == Int || k == Uint }

// Temporal tells the kinds that are dates or times.
func (k Kind) Temporal() bool { return k >= Date }

// Digits is the number of decimal digits a number may have, as MySQL reckons.
func (t Type) Digits() int {
	switch t.Kind {
	case Decimal:
		return int(t.Precision)
	case Int:
		return max(int(t.Length)-1, 1)
	case Uint:
		return int(t.Length)
	}
	return 0
}

// Decimals is the scale of an exact number.
func (t Type) Decimals() int {
	if t.Kind == Decimal {
		return int(t.Scale)
	}
	return 0
}

// Width is how many characters a DECIMAL has at most.
func (t Type) Width() uint32 {
	if t.Scale > 0 {
		return uint32(t.Precision) + 2
	}
	return uint32(t.Precision) + 1
}

// Stored is the type of a value of an expression that MySQL has put into a temporary table.
func (t Type) Stored() Type {
	switch {
	case t.Kind.Integer() && t.Length < 10:
		t.Wire = WireLong
	case t.Kind.Integer():
		t.Wire = WireLongLong
	case t.Document():
		t.Scale = 0
	case t.Kind == String && t.Length > 512:
		t.Wire, t.Scale = WireBlob, 0
	case t.Kind == String:
		t.Wire, t.Scale = WireVarString, 0
	}
	return t
}

// IntegerWidth is how many characters a column of an integer type has that is not declared with
// another width.
func IntegerWidth(t Type) uint32 {
	switch {
	case t.Wire == WireLongLong:
		return 20
	case t.Wire == WireLong && t.Kind == Uint:
		return 10
	case t.Wire == WireLong:
		return 11
	}
	return t.Length
}

// Nullify is the type with NULLs.
func (t Type) Nullify(also bool) Type {
	t.Nullable = t.Nullable || also
	return t
}
