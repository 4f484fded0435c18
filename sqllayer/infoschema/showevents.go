package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
)

// eventsRows is information_schema.EVENTS.
func eventsRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return nil
	}
	for _, found := range s.Layer().Provider.AllDatabases(ctx) {
		d, ok := sqllayer.OwnDatabase(found)
		if !ok || !sqllayer.MayOn(ctx, d.Name(), "", sql.PrivilegeType_Event) {
			continue
		}
		all, err := d.Events(ctx)
		if err != nil {
			return err
		}
		for _, e := range all {
			m, err := d.Described(ctx, e)
			if err != nil {
				return err
			}
			add(m)
		}
	}
	return nil
}
