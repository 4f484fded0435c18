package tabledef

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// resolveAttributes puts a column's attributes into its comment, and settles types that GMS would
// take for others.
func resolveAttributes(c *ast.ColumnDefinition) error {
	if err := resolveSRID(&c.Type); err != nil {
		return err
	}
	a, err := declaredAttributes(c)
	invisible, words := lower.Invisible(c), store.TextWords(&c.Type)
	if err != nil || a == (store.Attributes{}) && !invisible && words == "" {
		return err
	}
	text := store.AttributeMark + a.Declaration(&c.Type) + words
	if invisible {
		text += store.InvisibleWord
	}
	text += store.AttributeMark
	if c.Type.Comment != nil {
		if old := string(c.Type.Comment.Val); strings.HasPrefix(old, store.AttributeMark) {
			return nil // parsed once, walked twice
		}
		text += string(c.Type.Comment.Val)
	}
	c.Type.Comment = ast.NewStrVal([]byte(text))
	return nil
}

// resolveSRID gives a type of geometries its spatial reference system, which may be one that GMS does
// not know: whether there is such a system is checked where the definition is made.
func resolveSRID(ct *ast.ColumnType) error {
	if ct.SRID == nil {
		return nil
	}
	base, digits := 10, string(ct.SRID.Val)
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		base, digits = 16, hex
	}
	srid, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return sqlerr.NewError(1690, "SRID value is out of range in 'SRID'")
	}
	t, err := types.ColumnTypeToType(ct)
	if err != nil {
		return err
	}
	spatial, ok := t.(sql.SpatialColumnType)
	if !ok {
		return sqlerr.NewError(1221, "Incorrect usage of SRID and non-geometry column")
	}
	ct.SRID, ct.ResolvedType = nil, spatial.SetSRID(uint32(srid))
	return nil
}

// DeclaredInvisible tells whether a column is declared INVISIBLE; its attributes may be resolved.
func DeclaredInvisible(c *ast.ColumnDefinition) bool {
	if lower.Invisible(c) || c.Type.Comment == nil {
		return lower.Invisible(c)
	}
	typ, _ := store.SplitComment(string(c.Type.Comment.Val))
	return strings.HasSuffix(typ, store.InvisibleWord)
}

func ResolveColumns(spec *ast.TableSpec) error {
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
func declaredAttributes(c *ast.ColumnDefinition) (a store.Attributes, err error) {
	ct := &c.Type
	length, scale, err := lengths(c)
	if err != nil {
		return a, err
	}
	kind := strings.ToLower(ct.Type)
	if kind == "time" {
		if ct.Length != nil && length > 6 {
			return a, sqlerr.NewError(1426, "Too-big precision %s specified for '%s'. Maximum is 6.", ct.Length.Val, c.Name.String())
		}
		ct.ResolvedType = types.Time
		return store.Attributes{Digits: uint8(length)}, nil
	}
	k, ok := store.NumberKinds[kind]
	if !ok {
		return a, nil
	}
	if ct.Zerofill {
		ct.Unsigned = true
		a.Zerofill = k.Width
	}
	a.Unsigned = bool(ct.Unsigned) && k.Signed
	switch {
	case k.Name == "decimal":
		if a.Zerofill = 0; ct.Zerofill {
			if length == 0 {
				length = 10
			}
			if a.Zerofill = uint8(min(length, 65)); scale > 0 {
				a.Zerofill++
			}
		}
	case ct.Scale != nil: // FLOAT(M,D), DOUBLE(M,D)
		switch {
		case scale > 30:
			return a, sqlerr.NewError(1425, "Too big scale %d specified for column '%s'. Maximum is 30.", scale, c.Name.String())
		case length > 255:
			return a, tooWide(c)
		case length < scale:
			return a, sqlerr.NewError(1427, "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '%s').", c.Name.String())
		}
		a.Digits, a.Scale = uint8(length), uint8(scale)
		if ct.Zerofill {
			a.Zerofill = a.Digits
		}
		ct.ResolvedType = types.Float64
		if k.Name == "float" {
			ct.ResolvedType = types.Float32
		}
	case !k.Signed && ct.Length != nil:
		if length > 255 {
			return a, tooWide(c)
		}
		if ct.Zerofill && length > 0 {
			a.Zerofill = uint8(length)
		}
	case kind == "float" && length > 24 && bool(ct.Zerofill):
		a.Zerofill = 22 // a DOUBLE
	}
	return a, nil
}

func tooWide(c *ast.ColumnDefinition) error {
	return sqlerr.NewError(1439, "Display width out of range for column '%s' (max = 255)", c.Name.String())
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

// storageOf is the storage of a column of GMS with its attributes.
func storageOf(c *sql.Column) (row.Column, error) {
	out, err := store.StorageColumn(c.Type, c.Nullable)
	if err == nil {
		store.ColumnAttributes(c).Apply(&out)
	}
	return out, err
}
