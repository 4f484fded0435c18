package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

// program runs a trigger's program for every row. After the change GMS's own iterator does, which
// GMS wants to see there: it counts the rows.
func (b *Builder) program(ctx *sql.Context, n *plan.TriggerExecutor, t *sqllayer.TriggerProgram, r sql.Row) (sql.RowIter, error) {
	if t.Columns != nil {
		return nil, nil
	}
	found, err := b.Layer.Provider.Database(ctx, t.SchemaName)
	if err != nil {
		return nil, err
	}
	d, ok := sqllayer.OwnDatabase(found)
	if !ok {
		return nil, sql.ErrDatabaseNotFound.New(t.SchemaName)
	}
	table, ok, err := d.GetTableInsensitive(ctx, t.Table.Name.String())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sql.ErrTableNotFound.New(t.Table.Name.String())
	}
	ready := *t
	ready.Layer, ready.Database, ready.Columns, ready.Fired = b.Layer, d, table.Schema(ctx), sqllayer.SessionOf(ctx).Fired(n.TriggerDefinition)
	if row := n.Left().Schema(ctx); t.Event == ast.UpdateStr && len(row) > 2*len(ready.Columns) { // of a join
		ready.At = max(0, row.IndexOf(ready.Columns[0].Name, table.Name()))
	}
	if t.Time != ast.BeforeStr {
		wrapped, err := n.WithChildren(ctx, n.Left(), &ready)
		if err != nil {
			return nil, err
		}
		return b.Base.Build(ctx, wrapped, r)
	}
	child, err := b.Base.Build(ctx, n.Left(), r)
	if err != nil {
		return nil, err
	}
	return &sqllayer.ProgramIter{RowIter: child, Trigger: &ready}, nil
}
