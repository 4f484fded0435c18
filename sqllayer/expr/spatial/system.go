package spatial

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/srs"
)

// referring is a session that knows the spatial reference systems of its server. For others there
// are the predefined ones.
type referring interface {
	ReferenceSystems(ctx context.Context) (*srs.Set, error)
}

// systemOf returns the spatial reference system of an id.
func systemOf(ctx *sql.Context, srid uint32) (*srs.System, bool) {
	var set *srs.Set
	if s, ok := operand.Able[referring](ctx.Session); ok {
		set, _ = s.ReferenceSystems(ctx) // one that cannot be read does not exist
	}
	return set.Find(srid)
}

func knownSRID(ctx *sql.Context, srid uint32) bool {
	_, known := systemOf(ctx, srid)
	return known
}

// globeOf is the definition of a geographic system; nil if coordinates are no angles.
func globeOf(ctx *sql.Context, srid uint32) *srs.Definition {
	if srid == 0 {
		return nil
	}
	if s, known := systemOf(ctx, srid); known && s.IsGeographic() {
		return s.Definition()
	}
	return nil
}

// isGeographic tells whether coordinates are angles on the globe.
func isGeographic(ctx *sql.Context, srid uint32) bool {
	return globeOf(ctx, srid) != nil
}
