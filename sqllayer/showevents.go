package sqllayer

// Events as SHOW and information_schema tell of them.

import (
	"context"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// shownStates are the states as they are listed, writtenStates as they stand in CREATE EVENT.
var (
	shownStates   = map[string]string{eventEnabled: "ENABLED", eventDisabled: "DISABLED", eventReplicaSide: "REPLICA_SIDE_DISABLED"}
	writtenStates = map[string]string{eventEnabled: "ENABLE", eventDisabled: "DISABLE", eventReplicaSide: "DISABLE ON REPLICA"}
)

// Described is an event as information_schema.EVENTS has it.
func (d *Database) Described(ctx *sql.Context, e *Event) (map[string]any, error) {
	m := map[string]any{
		"event_catalog": "def", "event_schema": d.name, "event_name": e.Name, "definer": e.Origin.Definer, "time_zone": e.Zone, "event_body": "SQL",
		"event_definition": e.EventBody, "event_type": "RECURRING", "sql_mode": e.SqlMode, "status": shownStates[e.Status], "on_completion": "NOT PRESERVE",
		"created": TimeIn(store.ZoneOf(ctx), e.CreatedAt), "last_altered": TimeIn(store.ZoneOf(ctx), e.LastAltered), "event_comment": e.Comment, "originator": e.Originator,
		"character_set_client": e.Origin.Client, "collation_connection": e.Origin.Connection, "database_collation": d.Collation.Name(),
	}
	if e.OnCompletionPreserve {
		m["on_completion"] = "PRESERVE"
	}
	if e.HasExecuteAt {
		m["event_type"], m["execute_at"] = "ONE TIME", e.shownTime(e.ExecuteAt)
	} else {
		m["interval_value"], m["interval_field"], _ = strings.Cut(e.ExecuteEvery, " ")
		m["starts"] = e.shownTime(e.Starts)
	}
	if e.HasEnds {
		m["ends"] = e.shownTime(e.Ends)
	}
	last, err := d.Layer.LastExecuted(ctx, e)
	if !last.IsZero() {
		m["last_executed"] = e.shownTime(last)
	}
	return m, err
}

// shownTime is a time in the event's zone.
func (e *Event) shownTime(t time.Time) string { return TimeIn(store.ParseZone(e.Zone), t) }

func TimeIn(zone *time.Location, t time.Time) string {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone).Format(sql.EventDateSpaceTimeFormat)
}

// eventsShown are the columns of SHOW EVENTS.
const eventsShown = "SELECT * FROM (SELECT event_schema AS Db, event_name AS Name, definer AS Definer, time_zone AS `Time zone`, event_type AS `Type`, execute_at AS `Execute at`, " +
	"interval_value AS `Interval value`, interval_field AS `Interval field`, starts AS Starts, ends AS Ends, status AS Status, originator AS Originator, " +
	"character_set_client AS character_set_client, collation_connection AS collation_connection, database_collation AS `Database Collation` FROM information_schema.events WHERE event_schema = "

// showEvents makes SHOW EVENTS a query; GMS's knows no FROM. Without a database it stays, to be
// refused.
func showEvents(c context.Context, stmt ast.Statement) (ast.Statement, error) {
	n, ok := stmt.(*ast.Show)
	ctx, _ := c.(*sql.Context)
	if !ok || ctx == nil || n.Type != "events" {
		return stmt, nil
	}
	db, filter := ctx.GetCurrentDatabase(), (*ast.ShowFilter)(nil)
	if o := n.ShowTablesOpt; o != nil {
		if filter = o.Filter; o.DbName != "" {
			db = o.DbName
		}
	}
	if db == "" {
		return stmt, nil
	}
	if s := SessionOf(ctx); s != nil && !MayOn(ctx, db, "", sql.PrivilegeType_Event) {
		return stmt, sqlerr.NewError(1044, "Access denied for user %s to database '%s'", s.EffectiveAccount().Quoted(), db)
	}
	query, err := trees.TreeOf(eventsShown+trees.QuoteText(db)+") AS EVENTS ORDER BY Name", 0)
	if err != nil || filter == nil {
		return query, err
	}
	where := filter.Filter
	if where == nil {
		where = &ast.ComparisonExpr{Operator: ast.LikeStr, Left: &ast.ColName{Name: ast.NewColIdent("Name")}, Right: ast.NewStrVal([]byte(filter.Like))}
	}
	query.(*ast.Select).Where = ast.NewWhere(ast.WhereStr, where)
	return query, nil
}

// CreateText is the statement that makes the event.
func (e *Event) CreateText(names tabledef.NameStyle) string {
	text := names.In("CREATE "+e.Origin.DefinerClause()+" EVENT "+tabledef.QuoteName(e.Name)) + " ON SCHEDULE "
	if e.HasExecuteAt {
		text += "AT '" + e.shownTime(e.ExecuteAt) + "'"
	} else {
		text += "EVERY " + e.ExecuteEvery + " STARTS '" + e.shownTime(e.Starts) + "'"
	}
	if e.HasEnds {
		text += " ENDS '" + e.shownTime(e.Ends) + "'"
	}
	text += " ON COMPLETION "
	if !e.OnCompletionPreserve {
		text += "NOT "
	}
	text += "PRESERVE " + writtenStates[e.Status]
	if e.Comment != "" {
		text += " COMMENT " + tabledef.QuoteText(e.Comment)
	}
	return text + " DO " + e.EventBody
}
