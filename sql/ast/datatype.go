package ast

// TypeKind is a column type. Synonyms have the kind of the type they stand for.
type TypeKind uint8

const (
	TypeTinyInt TypeKind = iota
	TypeSmallInt
	TypeMediumInt
	TypeInt
	TypeBigInt
	TypeDecimal
	TypeFloat
	TypeDouble
	TypeReal // DOUBLE, or FLOAT under REAL_AS_FLOAT
	TypeBit
	TypeBool
	TypeSerial
	TypeChar
	TypeVarchar
	TypeBinary
	TypeVarbinary
	TypeTinyBlob
	TypeBlob
	TypeMediumBlob
	TypeLongBlob
	TypeTinyText
	TypeText
	TypeMediumText
	TypeLongText
	TypeEnum
	TypeSet
	TypeDate
	TypeTime
	TypeDatetime
	TypeTimestamp
	TypeYear
	TypeJSON
	TypeVector
	TypeGeometry
	TypePoint
	TypeLineString
	TypePolygon
	TypeMultiPoint
	TypeMultiLineString
	TypeMultiPolygon
	TypeGeometryCollection
	TypeSigned   // CAST only
	TypeUnsigned // CAST only
)

// DataType is the type of a column, a parameter or a variable.
type DataType struct {
	Span
	Kind      TypeKind
	Length    string // the digits in parentheses; of DECIMAL and FLOAT the precision
	Scale     string
	Signed    bool
	Unsigned  bool
	Zerofill  bool
	National  bool       // NCHAR, NATIONAL CHAR, NVARCHAR
	Values    []*Literal // ENUM, SET
	Charset   Ident
	Shorthand CharsetWord
	Binary    bool // the BINARY attribute of a character type
}

// CharsetWord is a word that stands for a character set.
type CharsetWord uint8

const (
	NoCharsetWord CharsetWord = iota
	AsciiWord
	UnicodeWord
	ByteWord
)

// CastType is the type of CAST, CONVERT and RETURNING.
type CastType = DataType
