package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"emberdb/internal/namedrows"
)

// errSystemUsed: a column has the spatial reference system.
const errSystemUsed = 3716

// system is a spatial reference system.
type system struct{ id, name, definition, description, organization, organizationID string }

// systemOf reads a system of a server; nil: it has none of that SRID.
func systemOf(ctx context.Context, db namedrows.Querier, id string) (*system, error) {
	rows, err := texts(ctx, db, "SELECT SRS_NAME, DEFINITION, IFNULL(DESCRIPTION, ''), IFNULL(ORGANIZATION, ''), IFNULL(ORGANIZATION_COORDSYS_ID, 0) "+
		"FROM information_schema.ST_SPATIAL_REFERENCE_SYSTEMS WHERE SRS_ID = "+id)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	r := rows[0]
	return &system{id, r[0], r[1], r[2], r[3], r[4]}, nil
}

// refuseSystems fails if an SRID of the tables means something else in the target, and finds the
// systems that the target lacks.
func (t *transfer) refuseSystems(ctx context.Context) error {
	seen := map[string]bool{}
	for _, one := range t.tables {
		for _, id := range one.systems {
			if seen[id] {
				continue
			}
			seen[id] = true
			here, err := systemOf(ctx, t.control, id)
			if err != nil {
				return err
			}
			there, err := systemOf(ctx, t.from, id)
			switch {
			case err != nil:
				return err
			case there == nil:
				return fmt.Errorf("the backup has no spatial reference system %s, which %s has", id, one)
			case here == nil:
				t.systems = append(t.systems, there)
			case here.definition != there.definition:
				return fmt.Errorf("%s has the spatial reference system %s, which is another one on the server", one, id)
			}
		}
	}
	return nil
}

// makeSystems makes the spatial reference systems that the target lacks.
func (t *transfer) makeSystems(ctx context.Context) error {
	for _, s := range t.systems {
		query := "CREATE SPATIAL REFERENCE SYSTEM " + s.id + " NAME " + literal(s.name) + " DEFINITION " + literal(s.definition)
		if s.organization != "" {
			query += " ORGANIZATION " + literal(s.organization) + " IDENTIFIED BY " + s.organizationID
		}
		if s.description != "" {
			query += " DESCRIPTION " + literal(s.description)
		}
		if err := t.exec(ctx, query); err != nil {
			return fmt.Errorf("spatial reference system %s: %w", s.id, err)
		}
		t.madeSystems = append(t.madeSystems, s.id)
	}
	return nil
}

// dropSystems drops those that this copy has made and that nobody has come to use.
func (t *transfer) dropSystems(ctx context.Context) error {
	for _, id := range t.madeSystems {
		var e *mysql.MySQLError
		if err := t.exec(ctx, "DROP SPATIAL REFERENCE SYSTEM IF EXISTS "+id); err != nil && !(errors.As(err, &e) && e.Number == errSystemUsed) {
			return err
		}
	}
	return nil
}
