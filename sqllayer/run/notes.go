package run

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/catalog"
	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
)

// note gives the session a note.
func note(ctx *sql.Context, code int, format string, args ...any) {
	if s := sqllayer.SessionOf(ctx); s != nil {
		s.AddNote(code, fmt.Sprintf(format, args...))
	}
}

// ifThere notes what DROP ... IF EXISTS does not find.
func (b *Builder) ifThere(ctx *sql.Context, n sql.Node) error {
	switch n := n.(type) {
	case *plan.DropTrigger:
		if d := b.database(ctx, n.Db); n.IfExists && d != nil {
			if _, there, err := sqllayer.Find[sqllayer.StoredTrigger](ctx, d, catalog.KindTrigger, n.TriggerName); err != nil || there {
				return err
			}
			note(ctx, sqlerr.ErTriggerMissing, "Trigger does not exist")
		}
	case *plan.DropProcedure:
		if _, _, function := programs.FunctionOf(n.ProcedureName); function || !n.IfExists {
			return nil
		}
		if d := b.database(ctx, n.Db); d != nil {
			if _, there, err := d.GetStoredProcedure(ctx, n.ProcedureName); err != nil || there {
				return err
			}
			note(ctx, mysql.ERSPDoesNotExist, "PROCEDURE %s.%s does not exist", d.Name(), n.ProcedureName)
		}
	}
	return nil
}

func (b *Builder) database(ctx *sql.Context, of sql.Database) *sqllayer.Database {
	found, err := b.Layer.Provider.Database(ctx, of.Name())
	if err != nil {
		return nil
	}
	d, _ := found.(*sqllayer.Database)
	return d
}

const erIllegalHa = 1031

// keptOn answers ALTER TABLE ... ENABLE or DISABLE KEYS, which InnoDB does not have.
func (b *Builder) keptOn(ctx *sql.Context, n *plan.AlterIndex) (sql.RowIter, error) {
	if t := sqllayer.OwnTable(n.Table); t != nil {
		note(ctx, erIllegalHa, "Table storage engine for '%s' doesn't have this option", t.Name())
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// mayMake answers CREATE TABLE IF NOT EXISTS of a table that is there, and refuses foreign keys of
// temporary tables before the table is made.
func (b *Builder) mayMake(ctx *sql.Context, n *plan.CreateTable) (sql.RowIter, error) {
	iter, err := b.unlessThere(ctx, n)
	if iter == nil && err == nil && n.Temporary() && len(n.ForeignKeys()) > 0 {
		return nil, sql.ErrTemporaryTablesForeignKeySupport.New()
	}
	return iter, err
}

// unlessThere is the answer of CREATE TABLE IF NOT EXISTS if the table or a view of its name is
// there; nil if it is not. GMS says nothing, and puts the rows of a SELECT into it.
func (b *Builder) unlessThere(ctx *sql.Context, n *plan.CreateTable) (sql.RowIter, error) {
	if !n.IfNotExists() {
		return nil, nil
	}
	d := b.database(ctx, n.Db)
	if d == nil {
		return nil, nil
	}
	t, there, err := d.GetTableInsensitive(ctx, n.Name())
	if err != nil {
		return nil, err
	}
	if own, ok := t.(sql.TemporaryTable); ok && there {
		there = own.IsTemporary() == n.Temporary()
	} else if !n.Temporary() {
		if _, there, err = d.GetViewDefinition(ctx, n.Name()); err != nil {
			return nil, err
		}
	}
	if !there {
		return nil, nil
	}
	note(ctx, mysql.ERTableExists, "Table '%s' already exists", n.Name())
	return sql.RowsToRowIter(sql.NewRow(types.OkResult{Info: noRecords{}})), nil
}

// noRecords has the OK of a statement that made nothing tell of no records.
type noRecords struct{}

// String implements fmt.Stringer.
func (noRecords) String() string { return "" }
