package sqllayer

// Views, triggers and procedures as SHOW and information_schema tell of them: MySQL's head with the
// definer, then the body as it was written.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
)

// origin is who made an object, and the character set and collation of the session that did.
type origin struct{ Definer, Client, Connection string }

type storedView struct {
	sql.ViewDefinition
	origin
	Resolved string `json:",omitempty"` // its query with all names written out
}

type storedTrigger struct {
	sql.TriggerDefinition
	origin
}

type storedProcedure struct {
	sql.StoredProcedureDetails
	origin
}

// newOrigin is that of an object which the session makes with this definer.
func newOrigin(ctx *sql.Context, definer string) (o origin, err error) {
	s := sessionOf(ctx)
	if o.Definer = definerOf(ctx, definer); strings.HasPrefix(o.Definer, "@") {
		o.Definer = "root@localhost" // the server itself
	} else if err := s.mayDefine(ctx, o.Definer); err != nil {
		return o, err
	}
	if s != nil {
		o.Client, o.Connection = s.text("character_set_client"), s.text("collation_connection")
	}
	return o, nil
}

// completed is the origin of an object that may have been stored without one.
func (o origin) completed(d *Database, definer string) origin {
	if o.Definer != "" {
		return o
	}
	if o.Definer = accountOf(definer); o.Definer == "" {
		o.Definer = "root@localhost"
	}
	o.Client, o.Connection = d.collation.CharacterSet().Name(), d.collation.Name()
	return o
}

func (o origin) definer() string {
	at := strings.LastIndexByte(o.Definer, '@')
	return "DEFINER=" + quoteName(o.Definer[:max(at, 0)]) + "@" + quoteName(o.Definer[at+1:])
}

func (v viewText) security() string {
	if v.invoker {
		return "INVOKER"
	}
	return "DEFINER"
}

// create is the text of SHOW CREATE VIEW; name and body are those that are shown.
func (v viewText) create(name, body string, o origin) string {
	text := "CREATE ALGORITHM=" + v.algorithm + " " + o.definer() + " SQL SECURITY " + v.security() + " VIEW " + name
	if len(v.columns) > 0 {
		text += " (" + quoteNames(v.columns) + ")"
	}
	text += " AS " + body
	if v.check != "" {
		text += " WITH " + v.check + " CHECK OPTION"
	}
	return text
}

// showView runs SHOW CREATE VIEW: of the view that the planner has put into the plan, or whose
// definition it has asked for.
func (b *builder) showView(ctx *sql.Context, view *plan.SubqueryAlias) (sql.RowIter, error) {
	schema, name, ok := viewOf(view)
	if asked := sessionOf(ctx).asked; !ok && asked != nil && strings.EqualFold(asked.name, view.Name()) {
		schema, name, ok = asked.schema, asked.name, true
	}
	if !ok {
		return nil, nil // GMS's own
	}
	db, err := b.layer.Provider.Database(ctx, schema)
	d, ok := ownDatabase(db)
	if err != nil || !ok {
		return nil, err
	}
	stored, ok, err := find[storedView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return nil, err
	}
	v, ok := parseView(stored.CreateViewStatement)
	if !ok {
		return nil, nil
	}
	o := stored.completed(d, v.definer)
	shown, body := b.layer.shownView(ctx, d, stored)
	sessionOf(ctx).noteAbsent(roleOf(o.Definer))
	return sql.RowsToRowIter(sql.Row{stored.Name, v.create(shown, body, o), o.Client, o.Connection}), nil
}

// viewsRows is information_schema.VIEWS.
func viewsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	none := func(string, sql.Table, *Table) error { return nil }
	return eachTable(ctx, cat, none, func(db sql.Database, def sql.ViewDefinition) error {
		d, ok := ownDatabase(db)
		if !ok {
			return nil
		}
		stored, ok, err := find[storedView](ctx, d, catalog.KindView, def.Name)
		if err != nil || !ok {
			return err
		}
		v, _ := parseView(stored.CreateViewStatement)
		o := stored.completed(d, v.definer)
		m := map[string]any{"table_catalog": "def", "table_schema": d.Name(), "table_name": stored.Name, "view_definition": d.layer.viewBody(ctx, d, stored), "check_option": "NONE", "is_updatable": "NO",
			"definer": o.Definer, "security_type": v.security(), "character_set_client": o.Client, "collation_connection": o.Connection}
		if v.check != "" {
			m["check_option"] = v.check
		}
		if !mayOn(ctx, d.Name(), def.Name, sql.PrivilegeType_ShowView) || !mayOn(ctx, d.Name(), def.Name, sql.PrivilegeType_Select) {
			m["view_definition"] = ""
		}
		if _, ok, err := sessionOf(ctx).writable(ctx, d.Name(), stored.Name, false); err == nil && ok {
			m["is_updatable"] = "YES"
		}
		add(m)
		return nil
	})
}

// mayOn tells whether the session has a right on a table or view.
func mayOn(ctx *sql.Context, db, table string, kind sql.PrivilegeType) bool {
	return privilegesOf(ctx).onTable(db, table, kind)
}

// showTriggers runs SHOW TRIGGERS.
func (b *builder) showTriggers(ctx *sql.Context, n *plan.ShowTriggers) (sql.RowIter, error) {
	d, ok := ownDatabase(n.Database())
	if !ok {
		return nil, nil
	}
	all, err := triggersOf(ctx, d)
	if err != nil {
		return nil, err
	}
	var rows []sql.Row
	for _, t := range all {
		if !mayOn(ctx, d.Name(), t.table, sql.PrivilegeType_Trigger) {
			continue
		}
		rows = append(rows, sql.Row{t.name, t.event, t.table, t.body, t.timing, t.CreatedAt, t.SqlMode, t.Definer, t.Client, t.Connection, d.collation.Name()})
	}
	return sql.RowsToRowIter(rows...), nil
}

// showTrigger runs SHOW CREATE TRIGGER; nil leaves one that is not there to GMS.
func (b *builder) showTrigger(ctx *sql.Context, n *plan.ShowCreateTrigger) (sql.RowIter, error) {
	d, ok := ownDatabase(n.Database())
	if !ok {
		return nil, nil
	}
	all, err := triggersOf(ctx, d)
	for _, t := range all {
		if strings.EqualFold(t.name, n.TriggerName) {
			text := "CREATE " + t.origin.definer() + " TRIGGER " + quoteName(t.name) + " " + t.timing + " " + t.event + " ON " + quoteName(t.table) + " FOR EACH ROW " + t.body
			return sql.RowsToRowIter(sql.Row{t.name, t.SqlMode, text, t.Client, t.Connection, d.collation.Name(), t.CreatedAt}), nil
		}
	}
	return nil, err
}

// triggersRows is information_schema.TRIGGERS.
func triggersRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	s := sessionOf(ctx)
	if s == nil {
		return nil
	}
	for _, found := range s.Layer().Provider.AllDatabases(ctx) {
		d, ok := ownDatabase(found)
		if !ok {
			continue
		}
		all, err := triggersOf(ctx, d)
		if err != nil {
			return err
		}
		for _, t := range all {
			if !mayOn(ctx, d.Name(), t.table, sql.PrivilegeType_Trigger) {
				continue
			}
			add(map[string]any{"trigger_catalog": "def", "trigger_schema": d.Name(), "trigger_name": t.name, "event_manipulation": t.event, "event_object_catalog": "def",
				"event_object_schema": d.Name(), "event_object_table": t.table, "action_order": t.order, "action_statement": t.body, "action_orientation": "ROW",
				"action_timing": t.timing, "action_reference_old_row": "OLD", "action_reference_new_row": "NEW", "created": t.CreatedAt, "sql_mode": t.SqlMode,
				"definer": t.Definer, "character_set_client": t.Client, "collation_connection": t.Connection, "database_collation": d.collation.Name()})
		}
	}
	return nil
}

// showProcedure runs SHOW CREATE PROCEDURE; nil leaves one that is not there to GMS.
func (b *builder) showProcedure(ctx *sql.Context, n *plan.ShowCreateProcedure) (sql.RowIter, error) {
	d, ok := ownDatabase(n.Database())
	if !ok || n.ExternalStoredProcedure != nil {
		return nil, nil
	}
	stored, ok, err := find[storedProcedure](ctx, d, catalog.KindProcedure, n.ProcedureName)
	r := parseRoutine(stored.CreateStatement)
	if err != nil || !ok || r == nil {
		return nil, err
	}
	o := stored.completed(d, r.definer)
	var text any
	if maySeeRoutine(ctx, o.Definer) {
		text = "CREATE " + o.definer() + " PROCEDURE " + quoteName(stored.Name) + "(" + r.paramText + ")\n" + r.shownTraits() + r.body
	}
	return sql.RowsToRowIter(sql.Row{stored.Name, stored.SqlMode, text, o.Client, o.Connection, d.collation.Name()}), nil
}
