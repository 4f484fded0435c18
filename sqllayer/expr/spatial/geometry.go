package spatial

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/spatial"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// Functions that read geometries, by package geometry.

// Error numbers of geometries.
const (
	erInvalidGIS    = 3037
	erByteOrder     = 3055
	erGeometryKind  = 3516
	erNoSuchSRID    = 3548
	erNoOptionPair  = 3560
	erNotInGeometry = 1416
)

type geometryKind struct {
	words string // that name it in the functions' names
	name  string // in errors
	typ   sql.Type
	is    func(types.GeometryValue) bool
}

var geometryKinds = []geometryKind{
	{"geom geometry", "", types.GeometryType{}, func(types.GeometryValue) bool { return true }},
	{"point", "POINT", types.PointType{}, is[types.Point]},
	{"line linestring", "LINESTRING", types.LineStringType{}, is[types.LineString]},
	{"poly polygon", "POLYGON", types.PolygonType{}, is[types.Polygon]},
	{"mpoint multipoint", "MULTIPOINT", types.MultiPointType{}, is[types.MultiPoint]},
	{"mline multilinestring", "MULTILINESTRING", types.MultiLineStringType{}, is[types.MultiLineString]},
	{"mpoly multipolygon", "MULTIPOLYGON", types.MultiPolygonType{}, is[types.MultiPolygon]},
	{"geomcoll geometrycollection", "GEOMETRYCOLLECTION", types.GeomCollType{}, isCollection},
}

// isCollection tells a geometry of several others; those of one kind have types of their own.
func isCollection(g types.GeometryValue) bool {
	switch g.(type) {
	case types.MultiPoint, types.MultiLineString, types.MultiPolygon, types.GeomColl:
		return true
	}
	return false
}

func is[T types.GeometryValue](g types.GeometryValue) bool {
	_, ok := g.(T)
	return ok
}

func kindName(g types.GeometryValue) string {
	for _, k := range geometryKinds[1:] {
		if k.is(g) {
			return k.name
		}
	}
	return "GEOMETRY"
}

// StoredGeometry is the name of the function that reads a geometry from the bytes that a column
// stores.
const StoredGeometry = "geometry of "

func init() {
	for _, k := range geometryKinds {
		for _, word := range strings.Fields(k.words) {
			registerReader("st_"+word+"fromwkb", k, false)
			registerReader("st_"+word+"fromtext", k, true)
			if word == "geomcoll" {
				registerReader("st_geomcollfromtxt", k, true)
			}
		}
	}
	operand.Register(operand.NewScalar(StoredGeometry, 1, 1, types.GeometryType{}, func(ctx *sql.Context, args []any) (any, error) {
		return Geometry(ctx, types.GeometryType{}, args[0])
	}))
}

// registerReader makes a function that reads geometries of a kind from text, or from bytes.
func registerReader(name string, k geometryKind, text bool) {
	operand.Register(operand.NewScalar(name, 1, 3, k.typ, func(ctx *sql.Context, args []any) (any, error) {
		return readGeometry(ctx, name, args, text, k.is)
	}))
}

// readGeometry is ST_...FromText and ST_...FromWKB: what is read, a spatial reference, and the
// order of the axes.
func readGeometry(ctx *sql.Context, name string, args []any, text bool, is func(types.GeometryValue) bool) (any, error) {
	for _, a := range args {
		if a == nil {
			return nil, nil
		}
	}
	srid, swap, err := placed(ctx, name, args[1:])
	if err != nil {
		return nil, err
	}
	var given string
	switch v := args[0].(type) {
	case string:
		given = v
	case []byte:
		given = string(v)
	case operand.Bytes:
		given = string(v)
	default:
		return nil, invalidGIS(name)
	}
	what := "WKT"
	var g types.GeometryValue
	if text {
		g, err = geometry.FromText(given, srid)
	} else {
		what = "WKB"
		g, err = geometry.FromWKB([]byte(given), srid)
	}
	switch {
	case errors.Is(err, geometry.ErrDepth):
		return nil, operand.NestsTooDeep()
	case err != nil:
		return nil, invalidGIS(name)
	case !is(g):
		return nil, mysql.NewSQLError(erGeometryKind, "22S01", "%s value is a geometry of unexpected type %s in %s.", what, kindName(g), name)
	case swap:
		g = g.Swap()
	}
	return g, allInRanges(ctx, name, g)
}

// placed reads the arguments behind the first.
func placed(ctx *sql.Context, name string, args []any) (srid uint32, swap bool, err error) {
	if len(args) == 0 {
		return 0, false, nil
	}
	n, null, err := operand.NumberOf(ctx, args[0], types.Text)
	if err != nil || null {
		return 0, false, err
	}
	if srid, err = sridOf(ctx, name, n); err != nil {
		return 0, false, err
	}
	system, _ := systemOf(ctx, srid)
	swap = system.LatitudeFirst()
	if len(args) > 1 {
		option, err := operand.ShownText(ctx, args[1])
		if err != nil {
			return 0, false, err
		}
		if option == "" {
			return srid, swap, nil
		}
		longFirst, ok := spatial.ParseAxisOrder(option)
		if !ok {
			return 0, false, mysql.NewSQLError(erNoOptionPair, "22023", "The string '%s' is not a valid key = value pair in function %s.", option, name)
		}
		swap = isGeographic(ctx, srid) && !longFirst
	}
	return srid, swap, nil
}

// sridOf is a number as a spatial reference that there is.
func sridOf(ctx *sql.Context, name string, n operand.Number) (uint32, error) {
	id, large, ok := n.AsInteger()
	if !ok || large || id < 0 || id > 1<<32-1 {
		return 0, mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "SRID value is out of range in '%s'", name)
	}
	if srid := uint32(id); !knownSRID(ctx, srid) {
		return 0, noSuchSRID(srid)
	}
	return uint32(id), nil
}

func noSuchSRID(srid uint32) error {
	return mysql.NewSQLError(erNoSuchSRID, "SR001", "There's no spatial reference system with SRID %d.", srid)
}

func invalidGIS(name string) error {
	return mysql.NewSQLError(erInvalidGIS, "22023", "Invalid GIS data provided to function %s.", name)
}

// Geometry is a value on its way to a type: bytes for a geometry are read here, as
// go-mysql-server's types must not. Other values stay.
func Geometry(ctx *sql.Context, t sql.Type, v any) (any, error) {
	if !operand.IsSpatial(t) {
		return v, nil
	}
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, err
	}
	var given []byte
	switch x := v.(type) {
	case []byte:
		given = x
	case string:
		given = []byte(x)
	case operand.Bytes:
		given = []byte(x)
	default:
		return v, nil
	}
	g, err := geometry.FromStored(given)
	switch {
	case errors.Is(err, geometry.ErrDepth):
		return nil, operand.NestsTooDeep()
	case err != nil:
		return nil, mysql.NewSQLError(erNotInGeometry, "22003", "Cannot get geometry object from data you send to the GEOMETRY field")
	}
	return g, nil
}

// AsGeometry is Geometry of what an expression gives.
type AsGeometry struct {
	operand.Like
	To sql.Type
}

// WithChildren implements sql.Expression.
func (e *AsGeometry) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *AsGeometry) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return Geometry(ctx, e.To, v)
}

// IsGeometry tells whether a value is read by AsGeometry already, perhaps under the expression that
// stores it. A plan is mended each time one of its nodes is built.
func IsGeometry(e sql.Expression) bool {
	if operands := e.Children(); len(operands) == 1 {
		if _, done := operands[0].(*AsGeometry); done {
			return true
		}
	}
	_, done := e.(*AsGeometry)
	return done
}

// MendDefault lets a geometry column's default be read here; nil for others.
func MendDefault(d *sql.ColumnDefaultValue) sql.Expression {
	if d == nil || d.OutType == nil {
		return nil
	}
	if own := GeometryDefault(d, d.OutType); own != d {
		return own
	}
	return nil
}

// GeometryDefault is the default or the generation of a column of type t, whose geometries are read
// here.
func GeometryDefault(d *sql.ColumnDefaultValue, t sql.Type) *sql.ColumnDefaultValue {
	if d == nil || d.Expr == nil || !operand.IsSpatial(t) {
		return d
	}
	if _, done := d.Expr.(*AsGeometry); done {
		return d
	}
	own := *d
	own.Expr = &AsGeometry{operand.LikeOf(d.Expr), t}
	return &own
}
