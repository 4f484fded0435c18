package operand

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/geometry"
)

const erStackOverrun = 1436

func NestsTooDeep() error {
	return mysql.NewSQLError(erStackOverrun, "HY000", "Thread stack overrun: the geometry nests deeper than %d levels", geometry.MaxDepth)
}

func IsSpatial(t sql.Type) bool {
	_, ok := t.(sql.SpatialColumnType)
	return ok
}

// IsSpatialName tells the names of the types of geometries.
func IsSpatialName(name string) bool {
	name = strings.ToLower(name)
	return name == "geometry" || geometry.Casts[name] != nil
}

// GeometryBytes is a geometry as the bytes that a column stores.
type GeometryBytes struct{ One }

// Type implements sql.Expression.
func (*GeometryBytes) Type(*sql.Context) sql.Type { return types.LongBlob }

// WithChildren implements sql.Expression.
func (e *GeometryBytes) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *GeometryBytes) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if g, ok := v.(types.GeometryValue); ok {
		return g.Serialize(), err
	}
	return v, err
}
