package spatial

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// fromGeoJSON is ST_GeomFromGeoJSON: a document, what is done with more than two coordinates, and the
// spatial reference, which goes over that of the document.
func fromGeoJSON(ctx *sql.Context, args []any) (any, error) {
	r := geoReader{ctx: ctx, srid: types.GeoSpatialSRID}
	if len(args) > 1 && args[1] != nil {
		more, err := wholeWithin(ctx, fromGeoJSONName, "option", args[1], 1, 4)
		if err != nil {
			return nil, err
		}
		r.strips = more > 1
	}
	if len(args) > 2 && args[2] != nil {
		srid, err := wholeNumber(ctx, args[2])
		if err == nil {
			r.srid, err = sridOf(ctx, fromGeoJSONName, srid)
		}
		if err != nil {
			return nil, err
		}
		r.given = true
	}
	for _, a := range args {
		if a == nil {
			return nil, nil
		}
	}
	document, err := geoDocument(ctx, args[0])
	if err != nil || document == nil {
		return nil, err
	}
	g, err := r.top(document)
	if g == nil || err != nil {
		return nil, err // a nil geometry in an interface is no NULL
	}
	return g, nil
}

// geoDocument is the tree of an argument.
func geoDocument(ctx *sql.Context, v any) (any, error) {
	if w, ok := v.(sql.JSONWrapper); ok {
		return w.ToInterface(ctx)
	}
	text, ok, err := operand.TextOf(ctx, v)
	if err != nil || !ok {
		return nil, err
	}
	tree, err := operand.ParseDocument(ctx, text)
	if f, fault := err.(*operand.Fault); fault {
		return nil, f.InArgument(0, fromGeoJSONName)
	}
	return tree, err
}

// geoReader reads geometries of one document.
type geoReader struct {
	ctx    *sql.Context
	srid   uint32
	given  bool // by an argument, so that the document's does not count
	strips bool // coordinates behind the second are left out
	named  bool // the document has named its reference
}

// member is a part of an object, under its name in any case.
func member(object map[string]any, name string) (v any, found bool) {
	for _, n := range operand.MemberNames(object) {
		if strings.EqualFold(n, name) {
			return object[n], true
		}
	}
	return nil, false
}

// required is a part that an object must have, of type T, which is called kind.
func required[T any](object map[string]any, name, kind string) (of T, err error) {
	v, found := member(object, name)
	if !found {
		return of, geoJSONError(erMissingMember, "Missing required member '%s'", name)
	}
	return typed[T](v, name, kind)
}

func typed[T any](v any, name, kind string) (T, error) {
	of, ok := v.(T)
	if !ok {
		return of, geoJSONError(erMemberType, "Member '%s' must be of type '%s'", name, kind)
	}
	return of, nil
}

func (r *geoReader) top(document any) (types.GeometryValue, error) {
	object, ok := document.(map[string]any)
	if !ok {
		return nil, geoJSONError(erInvalidGeoJSON, "")
	}
	return r.geometry(object, true)
}

// geometry reads an object; NULL is what a feature without a geometry has.
func (r *geoReader) geometry(object map[string]any, top bool) (types.GeometryValue, error) {
	kind, err := required[string](object, "type", "string")
	if err == nil {
		err = r.reference(object, top)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case kind == "Feature":
		return r.feature(object)
	case kind == "FeatureCollection" && top:
		return r.collection(object, "features")
	case kind == "GeometryCollection":
		return r.collection(object, "geometries")
	}
	read, ok := geoKinds[kind]
	if !ok {
		return nil, geoJSONError(erInvalidGeoJSON, "")
	}
	at, err := required[[]any](object, "coordinates", "array")
	if err != nil {
		return nil, err
	}
	return read(r, at)
}

func (r *geoReader) feature(object map[string]any) (types.GeometryValue, error) {
	inner, found := member(object, "geometry")
	if !found {
		return nil, geoJSONError(erMissingMember, "Missing required member 'geometry'")
	}
	properties, found := member(object, "properties")
	if !found {
		return nil, geoJSONError(erMissingMember, "Missing required member 'properties'")
	}
	for _, part := range []struct {
		name  string
		value any
	}{{"geometry", inner}, {"properties", properties}} {
		if part.value == nil {
			continue
		}
		if _, err := typed[map[string]any](part.value, part.name, "object"); err != nil {
			return nil, err
		}
	}
	if inner == nil {
		return nil, nil
	}
	return r.geometry(inner.(map[string]any), false)
}

func (r *geoReader) collection(object map[string]any, name string) (types.GeometryValue, error) {
	parts, err := required[[]any](object, name, "array")
	if err != nil {
		return nil, err
	}
	out := types.GeomColl{SRID: r.srid}
	for _, p := range parts {
		part, err := typed[map[string]any](p, "geometries", "object array")
		if err != nil {
			return nil, err
		}
		g, err := r.geometry(part, false)
		if err != nil {
			return nil, err
		}
		if g != nil {
			out.Geoms = append(out.Geoms, g)
		}
	}
	return out, nil
}

// geoKinds read coordinates, by the kind of the geometry.
var geoKinds = map[string]func(*geoReader, []any) (types.GeometryValue, error){
	"Point":      func(r *geoReader, at []any) (types.GeometryValue, error) { return r.point(at) },
	"LineString": func(r *geoReader, at []any) (types.GeometryValue, error) { return r.line(at) },
	"Polygon":    func(r *geoReader, at []any) (types.GeometryValue, error) { return r.polygon(at) },
	"MultiPoint": func(r *geoReader, at []any) (types.GeometryValue, error) {
		points, err := parts(at, 1, r.point)
		return types.MultiPoint{SRID: r.srid, Points: points}, err
	},
	"MultiLineString": func(r *geoReader, at []any) (types.GeometryValue, error) {
		lines, err := parts(at, 1, r.line)
		return types.MultiLineString{SRID: r.srid, Lines: lines}, err
	},
	"MultiPolygon": func(r *geoReader, at []any) (types.GeometryValue, error) {
		polygons, err := parts(at, 1, r.polygon)
		return types.MultiPolygon{SRID: r.srid, Polygons: polygons}, err
	},
}

// parts are those of a list, of which there are at least low.
func parts[T any](list []any, low int, one func([]any) (T, error)) ([]T, error) {
	if len(list) < low {
		return nil, geoJSONError(erInvalidGeoJSON, "")
	}
	out := make([]T, len(list))
	for i, e := range list {
		at, ok := e.([]any)
		if !ok {
			return nil, geoJSONError(erInvalidGeoJSON, "")
		}
		var err error
		if out[i], err = one(at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *geoReader) line(at []any) (types.LineString, error) {
	points, err := parts(at, 2, r.point)
	return types.LineString{SRID: r.srid, Points: points}, err
}

func (r *geoReader) polygon(at []any) (types.Polygon, error) {
	rings, err := parts(at, 1, r.line)
	for _, ring := range rings {
		if err == nil && !geometry.IsRing(ring) {
			err = geoJSONError(erInvalidGeoJSON, "")
		}
	}
	return types.Polygon{SRID: r.srid, Lines: rings}, err
}

func (r *geoReader) point(at []any) (p types.Point, err error) {
	if len(at) < 2 {
		return p, geoJSONError(erInvalidGeoJSON, "")
	}
	if len(at) > 2 && !r.strips {
		return p, mysql.NewSQLError(erDimensions, "HY000", "Unsupported number of coordinate dimensions in function %s: Found %d, expected 2", fromGeoJSONName, len(at))
	}
	p.SRID = r.srid
	for i, v := range at {
		if v == nil || !isDocumentNumber(v) {
			return p, geoJSONError(erMemberType, "Member 'array coordinate' must be of type 'number'")
		}
		n, _, err := operand.NumberOf(r.ctx, v, types.Float64)
		if err != nil {
			return p, err
		}
		switch i {
		case 0:
			p.X = n.AsFloat()
		case 1:
			p.Y = n.AsFloat()
		}
	}
	return p, inRanges(fromGeoJSONName, p, globeOf(r.ctx, r.srid), false)
}

// isDocumentNumber tells the numbers among the values of a document.
func isDocumentNumber(v any) bool {
	switch v.(type) {
	case bool, string, []any, map[string]any:
		return false
	}
	return true
}

// reference reads the spatial reference that an object names. Only the outermost object may.
func (r *geoReader) reference(object map[string]any, top bool) error {
	v, found := member(object, "crs")
	if !found || v == nil {
		return nil
	}
	name, err := referenceName(v)
	if err == nil && !r.given {
		err = r.use(name)
	}
	if err == nil && !top {
		err = geoJSONError(erNestedCRS, "Member 'crs' must be specified in the top level object.")
	}
	return err
}

// referenceName is the name within the description of a reference.
func referenceName(v any) (string, error) {
	crs, err := typed[map[string]any](v, "crs", "object")
	if err != nil {
		return "", err
	}
	kind, err := required[string](crs, "type", "string")
	if err != nil {
		return "", err
	}
	properties, err := required[map[string]any](crs, "properties", "object")
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(kind, "name") {
		return "", geoJSONError(erInvalidGeoJSON, "")
	}
	return required[string](properties, "name", "string")
}

// use takes the named reference for all that follows.
func (r *geoReader) use(name string) error {
	srid, ok := referenceNamed(strings.ToLower(name))
	if !ok || r.named && srid != r.srid {
		return geoJSONError(erInvalidGeoJSON, "")
	}
	if !knownSRID(r.ctx, srid) {
		return noSuchSRID(srid)
	}
	r.srid, r.named = srid, true
	return nil
}

// referenceNamed is the number in a name in lower case.
func referenceNamed(name string) (srid uint32, ok bool) {
	const urn = "urn:ogc:def:crs:"
	if name == urn+"ogc:1.3:crs84" {
		return types.GeoSpatialSRID, true
	}
	for _, authority := range []string{"epsg", "mysql"} {
		number, short := strings.CutPrefix(name, authority+":")
		if !short {
			var long bool
			if number, long = strings.CutPrefix(name, urn+authority+"::"); !long {
				continue
			}
		}
		n, err := strconv.ParseUint(strings.TrimLeft(number, " \t\r\n\v\f"), 10, 32)
		return uint32(n), err == nil && (n == 0) == (authority == "mysql")
	}
	return 0, false
}
