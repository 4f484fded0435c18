package server

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// intoVariables runs SELECT ... INTO of user variables.
func (x *execution) intoVariables(ctx *sql.Context, s *sqllayer.Session, q *ast.Query) (taken bool, err error) {
	var names []string
	for _, v := range q.Into.Vars {
		n, ok := v.(*ast.UserVar)
		if c, local := v.(*ast.Column); local && !ok {
			return true, sqlerr.NewError(1327, "Undeclared variable: %s", c.Name.Name)
		}
		names = append(names, n.Name.Name)
	}
	if len(names) == 0 || s.Text("ember_executor") == "OFF" {
		return false, fn.Refuse(fn.ByStatement, "INTO a file")
	}
	in, tree := *x, *q
	in.collect, tree.Into = &collectedRows{plain: true, most: sqllayer.MostInto}, nil
	defer func() { in.collect.kept.Release() }()
	if taken, err = in.execute(ctx, s, &tree, true); !taken || err != nil {
		return taken, err
	}
	rows := in.collect.rows
	switch {
	case len(in.collect.schema) != len(names):
		return true, sqlerr.NewError(1222, "The used SELECT statements have a different number of columns")
	case len(rows) == 0:
		ctx.Warn(1329, "No data - zero rows fetched, selected, or processed")
	default:
		for i, name := range names { // those of the first row, whether there are others or not
			if err := ctx.SetUserVariable(ctx, name, rows[0][i], in.collect.schema[i].Type); err != nil {
				return true, err
			}
		}
	}
	if len(rows) > 1 {
		return true, sqlerr.NewError(1172, "Result consisted of more than one row")
	}
	s.GetLastQueryInfo().RowCount.Store(int64(len(rows)))
	x.told = true
	if err := x.statusFlags(ctx); err != nil {
		return true, err
	}
	return true, x.sendCounts(&sqltypes.Result{RowsAffected: uint64(len(rows))}, "")
}
