package run

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// showIndexes runs SHOW INDEX.
func (b *Builder) showIndexes(ctx *sql.Context, n *plan.ShowIndexes) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Child)
	if t == nil {
		return nil, nil
	}
	parts, err := infoschema.IndexRows(ctx, t)
	if err != nil {
		return nil, err
	}
	schema := n.Schema(ctx)
	var rows []sql.Row
	for _, m := range parts {
		rows = append(rows, infoschema.RowOf(schema, m))
	}
	if rows, err = b.shownRows(ctx, schema, rows); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(rows...), nil
}

// showEvent runs SHOW CREATE EVENT.
func (b *Builder) showEvent(ctx *sql.Context, n *plan.ShowCreateEvent) (sql.RowIter, error) {
	d, ok := sqllayer.OwnDatabase(n.Database())
	if !ok {
		return nil, nil
	}
	all, err := d.Events(ctx)
	for _, e := range all {
		if strings.EqualFold(e.Name, n.Event.Name) {
			return sql.RowsToRowIter(sql.Row{e.Name, e.SqlMode, e.Zone, e.CreateText(sqllayer.NameStyle(ctx)), e.Origin.Client, e.Origin.Connection, d.Collation.Name()}), nil
		}
	}
	return nil, err
}

// showCreate runs SHOW CREATE TABLE.
func (b *Builder) showCreate(ctx *sql.Context, n *plan.ShowCreateTable) (sql.RowIter, error) {
	if view, ok := n.Child.(*plan.SubqueryAlias); ok {
		return b.showView(ctx, view)
	}
	if v := infoschema.VirtualTableOf(n.Child); v != nil && v.CreateText != "" && !n.IsView {
		return sql.RowsToRowIter(sql.Row{v.Name(), sqllayer.NameStyle(ctx).In(v.CreateText)}), nil
	}
	t := sqllayer.OwnTable(n.Child)
	switch {
	case t == nil:
		return nil, nil
	case n.IsView:
		return nil, sqlerr.NewError(1347, "'%s.%s' is not VIEW", t.Def.Database, t.Name())
	}
	next := uint64(0)
	if t.Def.Def.AutoInc >= 0 {
		var err error
		if next, err = t.PeekNextAutoIncrementValue(ctx); err != nil {
			return nil, err
		}
	}
	def := t.Def
	if s := sqllayer.SessionOf(ctx); s != nil && s.Flag("show_create_table_verbosity") {
		def = def.Verbose()
	}
	if sqllayer.HidesKey(ctx, t) {
		def = def.WithoutGeneratedKey()
	}
	return sql.RowsToRowIter(sql.Row{t.Name(), sqllayer.NameStyle(ctx).In(tabledef.CreateText(ctx, def, next))}), nil
}

// showView runs SHOW CREATE VIEW: of the view that the planner has put into the plan, or whose
// definition it has asked for.
func (b *Builder) showView(ctx *sql.Context, view *plan.SubqueryAlias) (sql.RowIter, error) {
	schema, name, ok := ViewOf(view)
	if asked := sqllayer.SessionOf(ctx).Asked; !ok && asked != nil && strings.EqualFold(asked.Name, view.Name()) {
		schema, name, ok = asked.Schema, asked.Name, true
	}
	if !ok {
		return nil, nil // GMS's own
	}
	db, err := b.Layer.Provider.Database(ctx, schema)
	d, ok := sqllayer.OwnDatabase(db)
	if err != nil || !ok {
		return nil, err
	}
	stored, ok, err := sqllayer.Find[sqllayer.StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return nil, err
	}
	v, ok := sqllayer.ParseView(stored.CreateViewStatement)
	if !ok {
		return nil, nil
	}
	o := stored.Completed(d, v.Definer)
	shown, body := b.Layer.ShownView(ctx, d, stored)
	sqllayer.SessionOf(ctx).NoteAbsent(sqllayer.RoleOf(o.Definer))
	d.ViewComment(sqllayer.Listing(ctx), b.Layer.Engine.Analyzer.Catalog, name)
	return sql.RowsToRowIter(sql.Row{stored.Name, sqllayer.NameStyle(ctx).In(v.Create(shown, body, o)), o.Client, o.Connection}), nil
}

// showTriggers runs SHOW TRIGGERS.
func (b *Builder) showTriggers(ctx *sql.Context, n *plan.ShowTriggers) (sql.RowIter, error) {
	d, ok := sqllayer.OwnDatabase(n.Database())
	if !ok {
		return nil, nil
	}
	all, err := sqllayer.TriggersOf(ctx, d)
	if err != nil {
		return nil, err
	}
	var rows []sql.Row
	for _, t := range all {
		if !sqllayer.MayOn(ctx, d.Name(), t.Table, sql.PrivilegeType_Trigger) {
			continue
		}
		rows = append(rows, sql.Row{t.Name, t.Event, t.Table, t.Body, t.Timing, t.CreatedAt, t.SqlMode, t.Definer, t.Client, t.Connection, d.Collation.Name()})
	}
	return sql.RowsToRowIter(rows...), nil
}

// showTrigger runs SHOW CREATE TRIGGER; nil leaves one that is not there to GMS.
func (b *Builder) showTrigger(ctx *sql.Context, n *plan.ShowCreateTrigger) (sql.RowIter, error) {
	d, ok := sqllayer.OwnDatabase(n.Database())
	if !ok {
		return nil, nil
	}
	all, err := sqllayer.TriggersOf(ctx, d)
	for _, t := range all {
		if strings.EqualFold(t.Name, n.TriggerName) {
			head := "CREATE " + t.DefinerClause() + " TRIGGER " + tabledef.QuoteName(t.Name) + " " + t.Timing + " " + t.Event + " ON " + tabledef.QuoteName(t.Table)
			text := sqllayer.NameStyle(ctx).In(head) + " FOR EACH ROW " + t.Body
			return sql.RowsToRowIter(sql.Row{t.Name, t.SqlMode, text, t.Client, t.Connection, d.Collation.Name(), t.CreatedAt}), nil
		}
	}
	return nil, err
}

// showProcedure runs SHOW CREATE PROCEDURE; nil leaves one that is not there to GMS.
func (b *Builder) showProcedure(ctx *sql.Context, n *plan.ShowCreateProcedure) (sql.RowIter, error) {
	d, ok := sqllayer.OwnDatabase(n.Database())
	if !ok || n.ExternalStoredProcedure != nil {
		return nil, nil
	}
	stored, ok, err := sqllayer.Find[sqllayer.StoredProcedure](ctx, d, catalog.KindProcedure, n.ProcedureName)
	r := sqllayer.ParseRoutine(stored.CreateStatement)
	if err != nil || !ok || r == nil {
		return nil, err
	}
	o := stored.Completed(d, r.Definer)
	var text any
	if sqllayer.MaySeeRoutine(ctx, o.Definer) {
		head := "CREATE " + o.DefinerClause() + " PROCEDURE " + tabledef.QuoteName(stored.Name)
		text = sqllayer.NameStyleUnder(ctx, stored.SqlMode).In(head) + "(" + r.ParamText + ")\n" + r.Tail(d)
	}
	if err := sqllayer.SessionOf(ctx).WarnMissing(ctx, d, r); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.Row{stored.Name, stored.SqlMode, text, o.Client, o.Connection, d.Collation.Name()}), nil
}
