package tabledef

// What MySQL refuses in the definition of a table or column before it looks at anything else;
// go-mysql-server takes some of it, and words the rest in its own way.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

// CheckColumnName refuses names that end with a space, and the empty one.
func CheckColumnName(name string) error {
	if name == lower.Nameless {
		name = ""
	}
	if strings.HasSuffix(name, " ") || name == "" {
		return sqlerr.NewError(1166, "Incorrect column name '%s'", name)
	}
	return nil
}

// CheckTableSpec checks a CREATE TABLE.
func CheckTableSpec(spec *ast.TableSpec) error {
	keys := map[string]bool{}
	primary := 0
	for _, c := range spec.Columns {
		name := c.Name.String()
		if err := CheckColumnName(name); err != nil {
			return err
		}
		if IsPrimary(c) {
			primary++
		}
	}
	for _, x := range spec.Indexes {
		if x.Info.Primary {
			primary++
			continue
		}
		name := x.Info.Name.Lowered()
		if name != "" && keys[name] {
			return sqlerr.NewError(mysql.ERDupKeyName, "Duplicate key name '%s'", x.Info.Name.String())
		}
		keys[name] = true
	}
	if primary > 1 {
		return sqlerr.NewError(mysql.ERMultiplePriKey, "Multiple primary key defined")
	}
	return nil
}

func IsPrimary(c *ast.ColumnDefinition) bool {
	buf := ast.NewTrackedBuffer(nil)
	c.Type.Format(buf)
	return strings.Contains(buf.String(), " primary key")
}

// CheckColumn checks the definition of a column.
func CheckColumn(c *ast.ColumnDefinition) error {
	t, name := &c.Type, c.Name.String()
	if reserved(c) {
		return sqlerr.NewError(1166, "Incorrect column name '%s'", name)
	}
	if t.GeneratedExpr != nil {
		what := ""
		switch {
		case t.Default != nil:
			what = "DEFAULT"
		case bool(t.Autoincrement):
			what = "AUTO_INCREMENT"
		case t.OnUpdate != nil:
			what = "ON UPDATE"
		}
		if what != "" {
			return sqlerr.NewError(1221, "Incorrect usage of %s and generated column", what)
		}
	}
	length := stated(t.Length, -1)
	tooBig := func(limit int) error {
		if length > limit {
			return sqlerr.NewError(1074, "Column length too big for column '%s' (max = %d); use BLOB or TEXT instead", name, limit)
		}
		return nil
	}
	switch strings.ToLower(t.Type) {
	case "decimal", "numeric":
		return checkDecimal(name, t)
	case "char", "binary":
		return tooBig(255)
	case "datetime", "timestamp", "time":
		if length > 6 {
			return sqlerr.NewError(1426, "Too-big precision %d specified for '%s'. Maximum is 6.", length, name)
		}
	case "bit":
		if length > 64 {
			return sqlerr.NewError(1439, "Display width out of range for column '%s' (max = 64)", name)
		}
	case "float":
		if length > 53 && t.Scale == nil {
			return sqlerr.NewError(1063, "Incorrect column specifier for column '%s'", name)
		}
	case "enum", "set":
		return checkMembers(name, strings.ToUpper(t.Type), t.EnumValues)
	}
	return nil
}

// reserved tells whether a column has the name of one that InnoDB adds to its tables. FTS_DOC_ID may
// be declared, as InnoDB has it.
func reserved(c *ast.ColumnDefinition) bool {
	switch name := c.Name.Lowered(); name {
	case "db_row_id", "db_trx_id", "db_roll_ptr":
		return true
	case "fts_doc_id":
		t := &c.Type
		return c.Name.String() != "FTS_DOC_ID" || !strings.EqualFold(t.Type, "bigint") || !bool(t.Unsigned) || !bool(t.NotNull)
	}
	return false
}

// NoDefault is the error of a column that may only have an expression for its default.
func NoDefault(name string) *mysql.SQLError {
	return sqlerr.NewError(1101, "BLOB, TEXT, GEOMETRY or JSON column '%s' can't have a default value", name)
}

// CheckDefault refuses the default of a column whose type has none but expressions.
func CheckDefault(c *ast.ColumnDefinition) error {
	value, ok := c.Type.Default.(*ast.SQLVal)
	if !ok || value == nil {
		return nil
	}
	t, err := types.ColumnTypeToType(&c.Type)
	if err != nil || !WithoutDefault(t) {
		return nil // a type that is no type is refused elsewhere
	}
	return NoDefault(c.Name.String())
}

// WithoutDefault tells the types whose columns may only have an expression for their default.
func WithoutDefault(t sql.Type) bool {
	return types.IsTextBlob(t) || types.IsJSON(t) || types.IsGeometry(t)
}

// EmptyText tells that a column of texts has an empty text for its default.
func EmptyText(c *ast.ColumnDefinition) bool {
	value, ok := c.Type.Default.(*ast.SQLVal)
	if !ok || len(value.Val) > 0 {
		return false
	}
	t, err := types.ColumnTypeToType(&c.Type)
	return err == nil && types.IsTextBlob(t)
}

// checkMembers checks the values of an ENUM or SET.
func checkMembers(name, kind string, values []string) error {
	for i, v := range values {
		if kind == "SET" && strings.Contains(v, ",") {
			return sqlerr.NewError(1367, "Illegal set '%s' value found during parsing", strings.Trim(v, "'"))
		}
		if slices.Contains(values[:i], v) {
			return sqlerr.NewError(1291, "Column '%s' has duplicated value '%s' in %s", name, strings.Trim(v, "'"), kind)
		}
	}
	return nil
}

// stated is the value of a number in a definition.
func stated(v *ast.SQLVal, otherwise int) int {
	if v == nil {
		return otherwise
	}
	n, err := strconv.Atoi(string(v.Val))
	if err != nil {
		return otherwise
	}
	return n
}

func checkDecimal(name string, t *ast.ColumnType) error {
	precision, scale := stated(t.Length, 10), stated(t.Scale, 0)
	switch {
	case precision > 65:
		return sqlerr.NewError(1426, "Too-big precision %d specified for '%s'. Maximum is 65.", precision, name)
	case scale > 30:
		return sqlerr.NewError(1425, "Too big scale %d specified for column '%s'. Maximum is 30.", scale, name)
	case scale > precision:
		return sqlerr.NewError(1427, "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '%s').", name)
	}
	return nil
}
