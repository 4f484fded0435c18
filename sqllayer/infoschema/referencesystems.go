package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/srs"
)

// referenceSystemRows are those of ST_SPATIAL_REFERENCE_SYSTEMS.
func referenceSystemRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	set, err := referenceSystems(ctx)
	if err != nil {
		return err
	}
	set.Each(func(s *srs.System) bool {
		row := map[string]any{"srs_name": s.Name, "srs_id": s.ID, "definition": s.Text}
		if s.Organization != nil {
			row["organization"], row["organization_coordsys_id"] = *s.Organization, s.OrganizationID
		}
		if s.Description != nil {
			row["description"] = *s.Description
		}
		add(row)
		return true
	})
	return nil
}

// referenceSystems are those of the session's server; nil where no session is: the predefined ones.
func referenceSystems(ctx *sql.Context) (*srs.Set, error) {
	if s := sqllayer.SessionOf(ctx); s != nil {
		return s.ReferenceSystems(ctx)
	}
	return nil, nil
}

// geometryColumnsRows are those of ST_GEOMETRY_COLUMNS: what COLUMNS says of columns of geometries.
func geometryColumnsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	set, err := referenceSystems(ctx)
	if err != nil {
		return err
	}
	return columnsRows(ctx, cat, func(column map[string]any) {
		if !geometryTypes[column["data_type"].(string)] {
			return
		}
		row := map[string]any{"geometry_type_name": column["data_type"]}
		for _, name := range []string{"table_catalog", "table_schema", "table_name", "column_name"} {
			row[name] = column[name]
		}
		if srid, bound := column["srs_id"].(uint32); bound {
			row["srs_id"] = srid
			if s, known := set.Find(srid); known {
				row["srs_name"] = s.Name
			}
		}
		add(row)
	})
}

var geometryTypes = map[string]bool{"geometry": true, "point": true, "linestring": true, "polygon": true, "multipoint": true,
	"multilinestring": true, "multipolygon": true, "geomcollection": true}

// lengthUnitRows are those of ST_UNITS_OF_MEASURE.
func lengthUnitRows(_ *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	for _, u := range srs.LengthUnits {
		add(map[string]any{"unit_name": u.Name, "unit_type": "LINEAR", "conversion_factor": u.Metres, "description": ""})
	}
	return nil
}
