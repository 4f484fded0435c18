package planner

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer"
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
