package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sqllayer"
)

// viewsRows is information_schema.VIEWS.
func viewsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	none := func(string, sql.Table, *sqllayer.Table) error { return nil }
	return sqllayer.EachTable(ctx, cat, none, func(db sql.Database, def sql.ViewDefinition) error {
		d, ok := sqllayer.OwnDatabase(db)
		if !ok {
			return nil
		}
		stored, ok, err := sqllayer.Find[sqllayer.StoredView](ctx, d, catalog.KindView, def.Name)
		if err != nil || !ok {
			return err
		}
		v, _ := sqllayer.ParseView(stored.CreateViewStatement)
		o := stored.Completed(d, v.Definer)
		m := map[string]any{"table_catalog": "def", "table_schema": d.Name(), "table_name": stored.Name, "view_definition": d.Layer.ViewBody(ctx, d, stored), "check_option": "NONE", "is_updatable": "NO",
			"definer": o.Definer, "security_type": v.Security(), "character_set_client": o.Client, "collation_connection": o.Connection}
		if v.Check != "" {
			m["check_option"] = v.Check
		}
		if !sqllayer.MayOn(ctx, d.Name(), def.Name, sql.PrivilegeType_ShowView) || !sqllayer.MayOn(ctx, d.Name(), def.Name, sql.PrivilegeType_Select) {
			m["view_definition"] = ""
		}
		if sqllayer.AsksFor(ctx, "view_definition") {
			d.ViewComment(ctx, cat, stored.Name)
		}
		s := sqllayer.SessionOf(ctx)
		if _, ok, err := s.Writable(ctx, d.Name(), stored.Name, false); err == nil && ok {
			m["is_updatable"] = "YES"
		} else if joined, err := s.Joined(ctx, d.Name(), stored.Name, ""); err == nil && joined != nil {
			m["is_updatable"] = "YES"
		}
		add(m)
		return nil
	})
}

// triggersRows is information_schema.TRIGGERS.
func triggersRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return nil
	}
	for _, found := range s.Layer().Provider.AllDatabases(ctx) {
		d, ok := sqllayer.OwnDatabase(found)
		if !ok {
			continue
		}
		all, err := sqllayer.TriggersOf(ctx, d)
		if err != nil {
			return err
		}
		for _, t := range all {
			if !sqllayer.MayOn(ctx, d.Name(), t.Table, sql.PrivilegeType_Trigger) {
				continue
			}
			add(map[string]any{"trigger_catalog": "def", "trigger_schema": d.Name(), "trigger_name": t.Name, "event_manipulation": t.Event, "event_object_catalog": "def",
				"event_object_schema": d.Name(), "event_object_table": t.Table, "action_order": t.Order, "action_statement": t.Body, "action_orientation": "ROW",
				"action_timing": t.Timing, "action_reference_old_row": "OLD", "action_reference_new_row": "NEW", "created": t.CreatedAt, "sql_mode": t.SqlMode,
				"definer": t.Definer, "character_set_client": t.Client, "collation_connection": t.Connection, "database_collation": d.Collation.Name()})
		}
	}
	return nil
}
