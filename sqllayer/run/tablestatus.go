package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
)

// tableStatus runs SHOW TABLE STATUS: tables and views.
func (b *Builder) tableStatus(ctx *sql.Context, n *plan.ShowTableStatus) (sql.RowIter, error) {
	db, ok := sqllayer.OwnDatabase(n.Database())
	if !ok {
		return infoschema.SystemStatus(ctx, n)
	}
	ctx = sqllayer.Listing(ctx)
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	schema := n.Schema(ctx)
	var rows []sql.Row
	rights := sqllayer.PrivilegesOf(ctx)
	for _, name := range names {
		if !rights.SeesTable(db.Name(), name) {
			continue
		}
		t, ok, err := db.Table(ctx, name)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue // dropped meanwhile
		}
		status, err := sqllayer.StatusOf(ctx, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, infoschema.RowOf(schema, status))
	}
	views, err := db.AllViews(ctx)
	if err != nil {
		return nil, err
	}
	asked := askedNames(ctx)
	for _, v := range views {
		if !rights.SeesTable(db.Name(), v.Name) {
			continue
		}
		comment := "VIEW"
		if asked(v.Name) {
			comment = db.ViewComment(ctx, b.Layer.Engine.Analyzer.Catalog, v.Name)
		}
		rows = append(rows, infoschema.RowOf(schema, map[string]any{"name": v.Name, "comment": comment}))
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return sql.RowsToRowIter(rows...), nil
}

// askedNames tells the names that LIKE of the running SHOW statement asks for; without LIKE all.
func askedNames(ctx *sql.Context) func(string) bool {
	show, ok := sqllayer.QueryTree(ctx).(*sqlast.Show)
	if !ok || show.Like == nil {
		return func(string) bool { return true }
	}
	return func(name string) bool {
		text := func(s string) sql.Expression { return expression.NewLiteral(s, types.LongText) }
		like, err := expression.NewLike(text(name), text(string(show.Like.Bytes())), nil).Eval(ctx, nil)
		return err != nil || like == true
	}
}
