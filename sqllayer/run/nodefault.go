package run

// Columns that have no default.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/store"
)

// dropDefault runs ALTER ... DROP DEFAULT: an INSERT has to give the column a value from then on,
// also where the column may be NULL.
func (b *Builder) dropDefault(ctx *sql.Context, n *plan.AlterDefaultDrop) (sql.RowIter, error) {
	target := n.TargetSchema()
	at := target.IndexOfColName(n.ColumnName)
	if at < 0 {
		return nil, nil
	}
	found, ok, err := n.Db.GetTableInsensitive(ctx, target[at].Source)
	if err != nil || !ok {
		return nil, err
	}
	t, ok := found.(sql.AlterableTable)
	if !ok {
		return nil, nil
	}
	now := t.Schema(ctx)
	if at = now.IndexOfColName(n.ColumnName); at < 0 {
		return nil, nil
	}
	column := *now[at]
	column.Default = nil
	store.Require(&column)
	if err := t.ModifyColumn(ctx, n.ColumnName, &column, nil); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// lacks tells that the column has no default. An ENUM has its first member.
func (e *storeValue) lacks(ctx *sql.Context) error {
	if !e.column.Nullable && types.IsEnum(e.column.Type) {
		return nil
	}
	return lacks(ctx, e.storer, e.column)
}

// mayLack tells whether a row may be made without a value for the column.
func mayLack(c *sql.Column) bool { return c.Nullable && !store.IsRequired(c) }

// unset warns in lenient mode of a column that may be NULL, but has to be given a value.
func (i *storeIter) unset(ctx *sql.Context, at int, c *sql.Column) {
	if !mayLack(c) && !i.storer.Strict && i.storer.Row == 1 && i.missed(at) {
		_ = lacks(ctx, &i.storer, c) // a warning here
	}
}

// lacks tells that a column has no default.
func lacks(ctx *sql.Context, s *store.Storer, c *sql.Column) error {
	return s.Complain(ctx, mysql.ERNoDefaultForField, "Field '%s' doesn't have a default value", c.Name)
}

// listed tells whether the list of the statement has the column; without a list it has all.
func (i *storeIter) listed(c *sql.Column) bool {
	names := i.node.insert.ColumnNames
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, c.Name) })
}

// isNoDefault tells whether an expression is DEFAULT for a column that has none.
func isNoDefault(e sql.Expression) bool {
	given, ok := e.(*expression.Wrapper)
	if !ok {
		return false
	}
	value, ok := given.Unwrap().(*sql.ColumnDefaultValue)
	return given.Unwrap() == nil || ok && value == nil
}
