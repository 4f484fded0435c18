package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// INNODB_COLUMNS.PRTYPE, .LEN and INNODB_FOREIGN.TYPE.

// Flags of PRTYPE. The lowest byte is the number of MySQL's type, the third the number of the
// collation.
const (
	innodbNotNull      = 1 << 8
	innodbUnsigned     = 1 << 9
	innodbBinary       = 1 << 10
	innodbLongVarchar  = 1 << 12
	innodbVirtual      = 1 << 13
	innodbCollationBit = 16
)

// fieldTypes are MySQL's numbers of the engine's types, but for those that SQL tells more of.
var fieldTypes = map[row.Type]int{
	row.TInt8: 1, row.TInt16: 2, row.TInt24: 9, row.TInt32: 3, row.TInt64: 8, row.TUint8: 1, row.TUint16: 2, row.TUint24: 9, row.TUint32: 3, row.TUint64: 8,
	row.TFloat32: 4, row.TFloat64: 5, row.TDecimal: 246, row.TDate: 10, row.TTime: 11, row.TDateTime: 12, row.TTimestamp: 7, row.TYear: 13, row.TBit: 16,
	row.TEnum: 254, row.TSet: 254, row.TChar: 254, row.TVarchar: 15, row.TBinary: 254, row.TVarbinary: 15, row.TText: 252, row.TBlob: 252, row.TJSON: 245,
	row.TGeometry: 255,
}

// fixedLengths are the bytes of types whose values have one length.
var fixedLengths = map[row.Type]int{
	row.TInt8: 1, row.TInt16: 2, row.TInt24: 3, row.TInt32: 4, row.TInt64: 8, row.TUint8: 1, row.TUint16: 2, row.TUint24: 3, row.TUint32: 4, row.TUint64: 8,
	row.TFloat32: 4, row.TFloat64: 8, row.TDate: 3, row.TYear: 1, row.TJSON: 12, row.TGeometry: 12,
}

// preciseType is PRTYPE of a column.
func preciseType(c *catalog.Column) int {
	n := fieldTypes[c.Type]
	collation := int(c.Collation)
	switch c.Type {
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TYear, row.TBit, row.TEnum, row.TSet:
		n |= innodbUnsigned
	case row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		collation = binaryCollation
	}
	if !c.Nullable {
		n |= innodbNotNull
	}
	if c.Unsigned {
		n |= innodbUnsigned
	}
	if c.Virtual {
		n |= innodbVirtual
	}
	switch c.Type {
	case row.TChar, row.TVarchar, row.TText:
	default:
		n |= innodbBinary
	}
	switch c.Type {
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TJSON, row.TGeometry:
		n |= collation << innodbCollationBit
	}
	if (c.Type == row.TVarchar || c.Type == row.TVarbinary) && innodbLength(c) > 255 {
		n |= innodbLongVarchar
	}
	return n
}

// binaryCollation is the number of the collation of bytes.
const binaryCollation = 63

// innodbLength is LEN of a column: the most bytes of its values in a row.
func innodbLength(c *catalog.Column) int {
	if n, ok := fixedLengths[c.Type]; ok {
		return n
	}
	fraction := (int(c.Precision) + 1) / 2
	switch c.Type {
	case row.TDecimal:
		return decimalLength(int(c.Precision), int(c.Scale))
	case row.TTime:
		return 3 + fraction
	case row.TDateTime:
		return 5 + fraction
	case row.TTimestamp:
		return 4 + fraction
	case row.TBit:
		return (int(c.Length) + 7) / 8
	case row.TEnum, row.TSet:
		return memberLength(c)
	case row.TText, row.TBlob:
		return pointerLength(c.SQLType)
	case row.TChar, row.TVarchar:
		return int(c.Length) * int(sql.CollationID(c.Collation).CharacterSet().MaxLength())
	}
	return int(c.Length)
}

// decimalLength is how many bytes a DECIMAL takes: four for nine digits, fewer for the others.
func decimalLength(digits, scale int) int {
	const group = 9
	bytesOf := [...]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}
	whole := digits - scale
	return whole/group*4 + bytesOf[whole%group] + scale/group*4 + bytesOf[scale%group]
}

// pointerLength is the length of what a row keeps of a text or blob.
func pointerLength(sqlType string) int {
	const pointer = 8
	switch {
	case strings.HasPrefix(sqlType, "tiny"):
		return pointer + 1
	case strings.HasPrefix(sqlType, "medium"):
		return pointer + 3
	case strings.HasPrefix(sqlType, "long"):
		return pointer + 4
	}
	return pointer + 2
}

// memberLength is the length of an ENUM, or of a SET, by the number of its members.
func memberLength(c *catalog.Column) int {
	members := strings.Count(c.SQLType, "','") + 1
	if c.Type == row.TEnum {
		if members > 255 {
			return 2
		}
		return 1
	}
	if n := (members + 7) / 8; n <= 4 {
		return n
	}
	return 8
}

// foreignType is INNODB_FOREIGN.TYPE: a bit for each thing that a change of the parent does.
func foreignType(k *catalog.ForeignKey) (n int) {
	bits := map[string][2]int{"CASCADE": {1, 4}, "SET NULL": {2, 8}, "NO ACTION": {16, 32}, "": {16, 32}, "DEFAULT": {16, 32}}
	return bits[strings.ToUpper(k.OnDelete)][0] | bits[strings.ToUpper(k.OnUpdate)][1]
}
