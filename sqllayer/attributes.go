package sqllayer

// What a column's type says beyond the type that GMS knows: UNSIGNED of DECIMAL, FLOAT and DOUBLE,
// ZEROFILL and its width, (M,D) of FLOAT and DOUBLE, the digits of TIME. GMS's types have no place
// for it, and GMS tells numbers by comparing types, so no type of another name can stand in.
// Attributes travel beside the type, as the type's text:
//
//	CREATE, ALTER    the parser puts mark, text, mark in front of the column's comment
//	tables           Extra of a table's column: mark, text; so CREATE TABLE ... LIKE has it as well
//	catalog          Column.SQLType; and in row.Column what storage and output look at
//
// Values are fitted to them by storer; engine/row refuses a row that was not.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr"
)

// attributes of a column; the zero value is a column without any.
type attributes struct {
	digits   uint8 // TIME: digits of the fraction; FLOAT, DOUBLE: M, 0 without (M,D)
	scale    uint8 // D
	unsigned bool  // of a type whose storage knows no sign bit
	zerofill uint8 // the width that is filled with zeros, 0 without ZEROFILL
}

// attributeMark begins and ends the text of a type where it travels. A client that writes such a
// comment gets the attributes it names.
const attributeMark = "\x00type\x00"

// numberKinds are the types that have attributes: the width ZEROFILL fills unless it is given, and
// whether the storage has a sign of its own.
var numberKinds = map[string]struct {
	name   string
	width  uint8
	signed bool // UNSIGNED is an attribute, not another storage type
}{
	"tinyint": {"tinyint", 3, false}, "smallint": {"smallint", 5, false}, "mediumint": {"mediumint", 8, false}, "int": {"int", 10, false}, "integer": {"int", 10, false},
	"bigint": {"bigint", 20, false}, "decimal": {"decimal", 0, true}, "numeric": {"decimal", 0, true}, "dec": {"decimal", 0, true}, "fixed": {"decimal", 0, true},
	"float": {"float", 12, true}, "double": {"double", 22, true}, "real": {"double", 22, true}, "double precision": {"double", 22, true},
}

// resolveAttributes puts a column's attributes into its comment, and settles types that GMS would
// take for others.
func resolveAttributes(c *ast.ColumnDefinition) error {
	a, err := declaredAttributes(c)
	if err != nil || a == (attributes{}) {
		return err
	}
	text := attributeMark + a.declaration(&c.Type) + attributeMark
	if c.Type.Comment != nil {
		if old := string(c.Type.Comment.Val); strings.HasPrefix(old, attributeMark) {
			return nil // parsed once, walked twice
		}
		text += string(c.Type.Comment.Val)
	}
	c.Type.Comment = ast.NewStrVal([]byte(text))
	return nil
}

func resolveColumns(spec *ast.TableSpec) error {
	if spec == nil {
		return nil
	}
	for _, c := range spec.Columns {
		if err := resolveAttributes(c); err != nil {
			return err
		}
	}
	return nil
}

// declaredAttributes reads the attributes of a column definition and checks them.
func declaredAttributes(c *ast.ColumnDefinition) (a attributes, err error) {
	ct := &c.Type
	length, scale, err := lengths(c)
	if err != nil {
		return a, err
	}
	kind := strings.ToLower(ct.Type)
	if kind == "time" {
		if ct.Length != nil && length > 6 {
			return a, NewError(1426, "Too-big precision %s specified for '%s'. Maximum is 6.", ct.Length.Val, c.Name.String())
		}
		ct.ResolvedType = types.Time
		return attributes{digits: uint8(length)}, nil
	}
	k, ok := numberKinds[kind]
	if !ok {
		return a, nil
	}
	if ct.Zerofill {
		ct.Unsigned = true
		a.zerofill = k.width
	}
	a.unsigned = bool(ct.Unsigned) && k.signed
	switch {
	case k.name == "decimal":
		if a.zerofill = 0; ct.Zerofill {
			if length == 0 {
				length = 10
			}
			if a.zerofill = uint8(min(length, 65)); scale > 0 {
				a.zerofill++
			}
		}
	case ct.Scale != nil: // FLOAT(M,D), DOUBLE(M,D)
		switch {
		case scale > 30:
			return a, NewError(1425, "Too big scale %d specified for column '%s'. Maximum is 30.", scale, c.Name.String())
		case length > 255:
			return a, tooWide(c)
		case length < scale:
			return a, NewError(1427, "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '%s').", c.Name.String())
		}
		a.digits, a.scale = uint8(length), uint8(scale)
		if ct.Zerofill {
			a.zerofill = a.digits
		}
		ct.ResolvedType = types.Float64
		if k.name == "float" {
			ct.ResolvedType = types.Float32
		}
	case !k.signed && ct.Length != nil:
		if length > 255 {
			return a, tooWide(c)
		}
		if ct.Zerofill && length > 0 {
			a.zerofill = uint8(length)
		}
	case kind == "float" && length > 24 && bool(ct.Zerofill):
		a.zerofill = 22 // a DOUBLE
	}
	return a, nil
}

func tooWide(c *ast.ColumnDefinition) error {
	return NewError(1439, "Display width out of range for column '%s' (max = 255)", c.Name.String())
}

// lengths reads the numbers in a type's parentheses; a number that is none is as good as too large.
func lengths(c *ast.ColumnDefinition) (length, scale int, err error) {
	for _, l := range []struct {
		val *ast.SQLVal
		to  *int
	}{{c.Type.Length, &length}, {c.Type.Scale, &scale}} {
		if l.val == nil {
			continue
		}
		if *l.to, err = strconv.Atoi(string(l.val.Val)); err != nil {
			*l.to = math.MaxInt32
		}
	}
	return length, scale, nil
}

// declaration is the type's text for attributesIn.
func (a attributes) declaration(ct *ast.ColumnType) string {
	name := strings.ToLower(ct.Type)
	if k, ok := numberKinds[name]; ok {
		name = k.name
		if name == "decimal" && ct.Length != nil {
			name += "(" + string(ct.Length.Val)
			if ct.Scale != nil {
				name += "," + string(ct.Scale.Val)
			}
			name += ")"
		}
	}
	return a.text(name)
}

// text is the type as MySQL shows it; plain is its text without attributes.
func (a attributes) text(plain string) string {
	name, tail, _ := strings.Cut(plain, " ") // "unsigned" may follow
	switch {
	case strings.HasPrefix(name, "time"):
		return timeText(a.digits)
	case a.digits > 0 || a.scale > 0:
		name += "(" + strconv.Itoa(int(a.digits)) + "," + strconv.Itoa(int(a.scale)) + ")"
	case a.zerofill > 0 && strings.HasSuffix(name, "int"):
		name += "(" + strconv.Itoa(int(a.zerofill)) + ")"
	}
	if a.unsigned || a.zerofill > 0 || tail == "unsigned" {
		name += " unsigned"
	}
	if a.zerofill > 0 {
		name += " zerofill"
	}
	return name
}

// attributesIn reads the attributes in a type's text.
func attributesIn(text string) (a attributes) {
	name, rest := text, ""
	if at := strings.IndexAny(text, "( "); at >= 0 {
		name, rest = text[:at], text[at:]
	}
	var length, scale int
	if inside, after, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(inside, "(") {
		l, s, _ := strings.Cut(inside[1:], ",")
		length, _ = strconv.Atoi(l)
		scale, _ = strconv.Atoi(s)
		rest = after
	}
	if name == "time" {
		return attributes{digits: uint8(length)}
	}
	k, ok := numberKinds[name]
	if !ok {
		return a
	}
	a.unsigned = k.signed && strings.Contains(rest, "unsigned")
	zerofill := strings.Contains(rest, "zerofill")
	if zerofill {
		a.zerofill = k.width
	}
	switch {
	case name == "float" || name == "double":
		if a.digits, a.scale = uint8(length), uint8(scale); zerofill && length > 0 {
			a.zerofill = a.digits
		}
	case zerofill && name == "decimal":
		if a.zerofill = uint8(length); length == 0 {
			a.zerofill = 10
		}
		if scale > 0 {
			a.zerofill++
		}
	case zerofill && length > 0:
		a.zerofill = uint8(length)
	}
	return a
}

// apply puts the attributes into a column's storage.
func (a attributes) apply(c *row.Column) {
	switch c.Type {
	case row.TTime, row.TFloat32, row.TFloat64:
		c.Precision, c.Scale = a.digits, a.scale
	}
	c.Unsigned, c.Zerofill = a.unsigned, a.zerofill
}

// columnAttributes are those of a column of a table, or of one that is being declared.
func columnAttributes(c *sql.Column) attributes {
	if text, ok := strings.CutPrefix(c.Extra, attributeMark); ok {
		return attributesIn(text)
	}
	text, _ := splitComment(c.Comment)
	return attributesIn(text)
}

// splitComment takes the type's text off a comment.
func splitComment(comment string) (typ, rest string) {
	if tail, ok := strings.CutPrefix(comment, attributeMark); ok {
		if typ, rest, ok = strings.Cut(tail, attributeMark); ok {
			return typ, rest
		}
	}
	return "", comment
}

// storageOf is the storage of a column of GMS with its attributes.
func storageOf(c *sql.Column) (row.Column, error) {
	out, err := storageColumn(c.Type, c.Nullable)
	if err == nil {
		columnAttributes(c).apply(&out)
	}
	return out, err
}

// asWritten is a definition without what resolveAttributes did to it, for its text.
func asWritten(stmt ast.Statement) ast.Statement {
	switch n := stmt.(type) {
	case *ast.DDL:
		return ddlAsWritten(n)
	case *ast.AlterTable:
		changed := *n
		changed.Statements = slices.Clone(n.Statements)
		for i, d := range changed.Statements {
			changed.Statements[i] = ddlAsWritten(d)
		}
		return &changed
	}
	return stmt
}

func ddlAsWritten(n *ast.DDL) *ast.DDL {
	if n.TableSpec == nil {
		return n
	}
	changed, spec := *n, *n.TableSpec
	spec.Columns = slices.Clone(spec.Columns)
	for i, c := range spec.Columns {
		if c.Type.Comment == nil {
			continue
		}
		typ, comment := splitComment(string(c.Type.Comment.Val))
		if typ == "" {
			continue
		}
		own := *c
		own.Type.ResolvedType, own.Type.Comment = nil, nil
		if comment != "" {
			own.Type.Comment = ast.NewStrVal([]byte(comment))
		}
		spec.Columns[i] = &own
	}
	changed.TableSpec = &spec
	return &changed
}

// AppendColumnFloat writes the value of a FLOAT or DOUBLE column.
func AppendColumnFloat(to []byte, v float64, c *row.Column) []byte {
	switch {
	case c.Precision > 0:
		return strconv.AppendFloat(to, v, 'f', int(c.Scale), 64)
	case c.Type == row.TFloat32:
		return expr.AppendFloat(to, v, 32)
	}
	return expr.AppendFloat(to, v, 64)
}

// ZeroFill puts a column's zeros in front of the number that stands in b from at on.
func ZeroFill(b []byte, at int, c *row.Column) []byte {
	missing := int(c.Zerofill) - (len(b) - at)
	for range missing {
		b = append(b, '0')
	}
	if missing > 0 {
		copy(b[at+missing:], b[at:])
		for i := range missing {
			b[at+i] = '0'
		}
	}
	return b
}

// attributed fits a number to UNSIGNED of its DECIMAL, FLOAT or DOUBLE column, and to (M,D).
func (s *storer) attributed(ctx *sql.Context, c *sql.Column, a attributes, f float64) (float64, error) {
	if a.unsigned && f < 0 {
		return 0, s.outOfRange(ctx, c)
	}
	limit := math.MaxFloat64
	if c.Type.Type() == sqltypes.Float32 {
		limit = math.MaxFloat32
	}
	if a.digits > 0 {
		unit := math.Pow10(int(a.scale))
		limit = math.Pow10(int(a.digits)-int(a.scale)) - 1/unit
		if !math.IsInf(f, 0) {
			whole := math.Floor(f)
			f = whole + math.RoundToEven((f-whole)*unit)/unit
		}
	}
	if math.Abs(f) > limit {
		return math.Copysign(limit, f), s.outOfRange(ctx, c)
	}
	return f, nil
}
