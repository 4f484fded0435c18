package tabledef

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

// A key over a geometry is spatial, whether its definition says so or not.

const (
	erSpatialNull    = 1252
	erKeyParts       = 1070
	erKeyPrefix      = 1089
	erKeyOrder       = 1221
	erNotVirtual     = 3106
	erSpatialUnique  = 3728
	erSpatialKeyType = 3729
)

// Shape is what a key over a column of geometries asks of the column.
type Shape struct{ Nullable, Virtual bool }

// Shapes are the columns of geometries of a definition, by their names in lower case.
func Shapes(columns []*ast.ColumnDefinition) map[string]Shape {
	out := make(map[string]Shape)
	for _, c := range columns {
		if operand.IsSpatialName(c.Type.Type) {
			out[c.Name.Lowered()] = Shape{!bool(c.Type.NotNull), c.Type.GeneratedExpr != nil && !bool(c.Type.Stored)}
		}
	}
	return out
}

// Shapes are those of a table that is there.
func (d *TableDef) Shapes() map[string]Shape {
	out := make(map[string]Shape)
	for i, c := range d.Columns {
		if _, ok := c.Type.(sql.SpatialColumnType); ok {
			def := &d.Def.Columns[i]
			out[strings.ToLower(c.Name)] = Shape{def.Nullable, def.Virtual}
		}
	}
	return out
}

// CheckShapeKeys refuses columns of geometries that are keys by themselves.
func CheckShapeKeys(columns []*ast.ColumnDefinition) error {
	for _, c := range columns {
		if c.Type.KeyOpt != 0 && operand.IsSpatialName(c.Type.Type) {
			return spatialUnique()
		}
	}
	return nil
}

func spatialUnique() error {
	return sqlerr.NewError(erSpatialUnique, "Spatial indexes can't be primary or unique indexes.")
}

// SpatialKey tells whether a key of these parts is a spatial one, and refuses what those may not be.
// Words behind the parts replace the algorithm in front of them.
func SpatialKey(shapes map[string]Shape, fields []*ast.IndexField, unique bool, using string, options []*ast.IndexOption) (bool, error) {
	var shape *Shape
	for _, f := range fields {
		if s, ok := shapes[f.Column.Lowered()]; ok && f.Expression == nil {
			shape = &s
		}
	}
	if shape == nil {
		return false, nil
	}
	ordered := fields[0].Order == ast.DescScr
	for _, o := range options {
		switch o.Name {
		case "using":
			using = o.Using
		case lower.OrderedOption:
			ordered = true
		}
	}
	switch f := fields[0]; {
	case len(fields) > 1:
		return false, sqlerr.NewError(erKeyParts, "Too many key parts specified; max 1 parts allowed")
	case using != "" && !strings.EqualFold(using, "rtree"):
		return false, sqlerr.NewError(erSpatialKeyType, "The index type %s is not supported for spatial indexes.", strings.ToUpper(using))
	case f.Length != nil:
		return false, sqlerr.NewError(erKeyPrefix, "Incorrect prefix key; the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys")
	case unique:
		return false, spatialUnique()
	case ordered:
		return false, sqlerr.NewError(erKeyOrder, "Incorrect usage of spatial/fulltext/hash index and explicit index order")
	case shape.Virtual:
		return false, sqlerr.NewError(erNotVirtual, "'Spatial index on virtual generated column' is not supported for generated columns.")
	case shape.Nullable:
		return false, sqlerr.NewError(erSpatialNull, "All parts of a SPATIAL index must be NOT NULL")
	}
	return true, nil
}
