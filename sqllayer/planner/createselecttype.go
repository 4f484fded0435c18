package planner

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// boundItems are the types of the n columns of the query of the running CREATE TABLE ... SELECT,
// nil for those that package bind does not know. There are none if the statement is not the
// client's.
func boundItems(ctx *sql.Context, n int) []*sqltype.Type {
	s := sqllayer.SessionOf(ctx)
	if s == nil || s.Program != nil {
		return nil
	}
	st := s.RunningStatement(ctx)
	made, ok := st.Tree.(*ast.CreateTable)
	if !ok || made.Query == nil || st.Params > 0 {
		return nil
	}
	return sqllayer.QueryTypes(ctx, made.Query, st.Text, "", n)
}

// checkSelectedDefaults refuses defaults that came with selected columns and name columns that the
// table does not have.
func checkSelectedDefaults(schema sql.Schema) (err error) {
	for _, c := range schema {
		if c.Default == nil || !strings.HasPrefix(c.Default.Expr.String(), "(") {
			continue
		}
		x, failed := parse.ParseExpr(c.Default.Expr.String(), parse.Options{})
		if failed != nil {
			continue
		}
		ast.Inspect(x, func(n ast.Node) bool {
			if ref, ok := n.(*ast.Column); ok && err == nil && schema.IndexOfColName(ref.Name.Name) < 0 {
				err = sqlerr.NewError(1054, "Unknown column '%s' in 'default value expression'", ref.Name.Name)
			}
			return true
		})
	}
	return err
}
