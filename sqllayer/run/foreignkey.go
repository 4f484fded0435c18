package run

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
)

// addForeignKey adds a foreign key. Without foreign_key_checks the parent may be missing. nil is one
// that go-mysql-server refuses, with its error.
func addForeignKey(ctx *sql.Context, provider sql.DatabaseProvider, fk *sql.ForeignKeyConstraint) (sql.RowIter, error) {
	checked := sqllayer.SessionOf(ctx).Flag("foreign_key_checks")
	child, err := foreignKeyTable(ctx, provider, fk.Database, fk.Table)
	if child == nil || err != nil {
		return nil, err
	}
	parent, err := foreignKeyTable(ctx, provider, fk.ParentDatabase, fk.ParentTable)
	if err != nil || parent == nil && checked {
		return nil, err
	}
	if err := plan.ResolveForeignKey(ctx, child, parent, *fk, true, checked, parent != nil && !fk.IsNotValid); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// foreignKeyTable is a table that may have foreign keys; nil if it is not there.
func foreignKeyTable(ctx *sql.Context, provider sql.DatabaseProvider, database, name string) (sql.ForeignKeyTable, error) {
	db, err := provider.Database(ctx, database)
	if err != nil {
		return nil, err
	}
	t, there, err := db.GetTableInsensitive(ctx, name)
	if !there || err != nil {
		return nil, err
	}
	out, _ := t.(sql.ForeignKeyTable)
	return out, nil
}

// createReferencing builds CREATE TABLE with foreign keys and stored generated columns: the table
// first, then its keys, as go-mysql-server looks for functions of such columns among its own. nil is
// any other.
func (b *Builder) createReferencing(ctx *sql.Context, n *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	if len(n.ForeignKeys()) == 0 || n.Select() != nil || n.Like() != nil || !hasStored(n.PkSchema().Schema) {
		return nil, nil
	}
	if _, there, err := n.Db.GetTableInsensitive(ctx, n.Name()); there || err != nil {
		return nil, err
	}
	bare := plan.NewCreateTable(n.Db, n.Name(), n.IfNotExists(), n.Temporary(), &plan.TableSpec{
		TableOpts: n.TableOpts, Schema: n.PkSchema(), ChDefs: n.Checks(), IdxDefs: n.Indexes(), Collation: n.Collation,
	})
	iter, err := b.createTable(ctx, bare, r)
	if iter == nil && err == nil {
		iter, err = b.Base.Build(ctx, bare, r)
	}
	if err != nil {
		return nil, err
	}
	t, _, err := n.Db.GetTableInsensitive(ctx, n.Name())
	created, ok := t.(sql.ForeignKeyTable)
	if !ok || err != nil {
		return iter, err
	}
	checked := sqllayer.SessionOf(ctx).Flag("foreign_key_checks")
	for i, fk := range n.ForeignKeys() {
		var parent sql.ForeignKeyTable
		if checked {
			if parent = n.ParentForeignKeyTables()[i]; parent == nil { // the table itself
				parent = created
			}
		}
		if err := plan.ResolveForeignKey(ctx, created, parent, *fk, true, checked, checked); err != nil {
			return nil, err
		}
	}
	return iter, nil
}

func hasStored(schema sql.Schema) bool {
	return slices.ContainsFunc(schema, func(c *sql.Column) bool { return c.Generated != nil && !c.Virtual })
}
