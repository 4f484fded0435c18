package ast

var typeNames = [...]string{TypeTinyInt: "TINYINT", TypeSmallInt: "SMALLINT", TypeMediumInt: "MEDIUMINT", TypeInt: "INT",
	TypeBigInt: "BIGINT", TypeDecimal: "DECIMAL", TypeFloat: "FLOAT", TypeDouble: "DOUBLE", TypeReal: "REAL", TypeBit: "BIT",
	TypeBool: "BOOL", TypeSerial: "SERIAL", TypeChar: "CHAR", TypeVarchar: "VARCHAR", TypeBinary: "BINARY",
	TypeVarbinary: "VARBINARY", TypeTinyBlob: "TINYBLOB", TypeBlob: "BLOB", TypeMediumBlob: "MEDIUMBLOB",
	TypeLongBlob: "LONGBLOB", TypeTinyText: "TINYTEXT", TypeText: "TEXT", TypeMediumText: "MEDIUMTEXT",
	TypeLongText: "LONGTEXT", TypeEnum: "ENUM", TypeSet: "SET", TypeDate: "DATE", TypeTime: "TIME",
	TypeDatetime: "DATETIME", TypeTimestamp: "TIMESTAMP", TypeYear: "YEAR", TypeJSON: "JSON", TypeVector: "VECTOR",
	TypeGeometry: "GEOMETRY", TypePoint: "POINT", TypeLineString: "LINESTRING", TypePolygon: "POLYGON",
	TypeMultiPoint: "MULTIPOINT", TypeMultiLineString: "MULTILINESTRING", TypeMultiPolygon: "MULTIPOLYGON",
	TypeGeometryCollection: "GEOMETRYCOLLECTION", TypeSigned: "SIGNED", TypeUnsigned: "UNSIGNED"}

// String returns the type's name as it is written.
func (k TypeKind) String() string { return typeNames[k] }

func (n *DataType) print(p *printer) {
	p.when(n.National, "NATIONAL ")
	p.put(n.Kind.String())
	switch {
	case len(n.Values) > 0:
		p.put("(")
		printList(p, n.Values)
		p.put(")")
	case n.Scale != "":
		p.put("(", n.Length, ",", n.Scale, ")")
	case n.Length != "":
		p.put("(", n.Length, ")")
	}
	p.when(n.Signed, " SIGNED")
	p.when(n.Unsigned, " UNSIGNED")
	p.when(n.Zerofill, " ZEROFILL")
	p.put([...]string{NoCharsetWord: "", AsciiWord: " ASCII", UnicodeWord: " UNICODE", ByteWord: " BYTE"}[n.Shorthand])
	if n.Charset.Given() {
		p.put(" CHARACTER SET ")
		p.charset(n.Charset)
	}
	p.when(n.Binary, " BINARY")
}
