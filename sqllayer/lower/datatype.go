package lower

import (
	"cmp"
	"strconv"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/vectors"
)

// typeNames are the words of GMS's grammar.
var typeNames = [...]string{
	ast.TypeTinyInt: "tinyint", ast.TypeSmallInt: "smallint", ast.TypeMediumInt: "mediumint", ast.TypeInt: "int", ast.TypeBigInt: "bigint",
	ast.TypeDecimal: "decimal", ast.TypeFloat: "float", ast.TypeDouble: "double", ast.TypeReal: "real", ast.TypeBit: "bit", ast.TypeBool: "bool",
	ast.TypeSerial: "bigint", ast.TypeChar: "char", ast.TypeVarchar: "varchar", ast.TypeBinary: "binary", ast.TypeVarbinary: "varbinary",
	ast.TypeTinyBlob: "tinyblob", ast.TypeBlob: "blob", ast.TypeMediumBlob: "mediumblob", ast.TypeLongBlob: "longblob",
	ast.TypeTinyText: "tinytext", ast.TypeText: "text", ast.TypeMediumText: "mediumtext", ast.TypeLongText: "longtext",
	ast.TypeEnum: "enum", ast.TypeSet: "set", ast.TypeDate: "date", ast.TypeTime: "time", ast.TypeDatetime: "datetime",
	ast.TypeTimestamp: "timestamp", ast.TypeYear: "year", ast.TypeJSON: "json", ast.TypeVector: "vector", ast.TypeGeometry: "geometry",
	ast.TypePoint: "point", ast.TypeLineString: "linestring", ast.TypePolygon: "polygon", ast.TypeMultiPoint: "multipoint",
	ast.TypeMultiLineString: "multilinestring", ast.TypeMultiPolygon: "multipolygon", ast.TypeGeometryCollection: "geometrycollection",
}

// columnType lowers the type of a column, a parameter or a variable.
func (l *lowerer) columnType(n *ast.DataType) vt.ColumnType {
	if n == nil { // a column of JSON_TABLE without one
		return vt.ColumnType{}
	}
	t := vt.ColumnType{
		Type: typeNames[n.Kind], Length: number(n.Length), Scale: number(n.Scale), Unsigned: vt.BoolVal(n.Unsigned),
		Zerofill: vt.BoolVal(n.Zerofill), BinaryCollate: n.Binary, Charset: n.Charset.Name,
	}
	switch n.Kind {
	case ast.TypeSerial:
		t.Unsigned, t.NotNull, t.Autoincrement, t.KeyOpt = true, true, true, keyUnique
	case ast.TypeYear:
		if n.Length != "" && n.Length != "4" {
			l.raise(1818, "HY000", "Invalid display width. Use YEAR instead.")
		}
		t.Length = nil
	case ast.TypeBlob, ast.TypeText:
		if n.Length != "" {
			t.Type, t.Length = l.sizedType(n), nil
		}
	case ast.TypeChar, ast.TypeVarchar:
		if n.National {
			t.Type = "n" + t.Type
		}
	case ast.TypeVector:
		size, err := strconv.ParseUint(cmp.Or(n.Length, "0"), 10, 32)
		l.refuseIf(err != nil, "length of a VECTOR")
		t.ResolvedType = vectors.Of(cmp.Or(int(size), vectors.UsualDimensions))
	case ast.TypeEnum, ast.TypeSet:
		for _, v := range n.Values {
			t.EnumValues = append(t.EnumValues, v.Bytes())
		}
	}
	switch n.Shorthand {
	case ast.AsciiWord:
		t.Charset = "latin1"
	case ast.UnicodeWord:
		t.Charset = "ucs2"
	case ast.ByteWord:
		t.Charset = "binary"
	}
	return t
}

// sizedType is the least type that holds a BLOB or TEXT of a length.
func (l *lowerer) sizedType(n *ast.DataType) string {
	size, err := strconv.ParseUint(n.Length, 10, 32)
	l.refuseIf(err != nil, "length of a BLOB or TEXT")
	if n.Kind == ast.TypeText {
		size *= 4 // characters of utf8mb4
	}
	name := typeNames[n.Kind]
	switch {
	case size > 0 && size < 1<<8:
		return "tiny" + name
	case size < 1<<16:
		return name
	case size < 1<<24:
		return "medium" + name
	}
	return "long" + name
}
