package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/srs"
)

// referenceSystemRows are those of ST_SPATIAL_REFERENCE_SYSTEMS.
func referenceSystemRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	var set *srs.Set
	if s := sqllayer.SessionOf(ctx); s != nil {
		var err error
		if set, err = s.ReferenceSystems(ctx); err != nil {
			return err
		}
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
