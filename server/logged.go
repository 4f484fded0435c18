package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// Statements that the binary log gets though they change nothing.

// loggedByText tells statements of which the log gets the text and nothing that they do inside, and
// whether it gets that.
func loggedByText(tree ast.Statement) (is, logged bool) {
	switch n := tree.(type) {
	case *ast.MaintainTables:
		is = n.Histogram == nil && (n.What == ast.AnalyzeTable || n.What == ast.OptimizeTable || n.What == ast.RepairTable)
		return is, is && !n.NoBinlog
	case *ast.AlterTable:
		is = n.Tail != nil && partMaintenance[n.Tail.Kind] != "" && n.Tail.Kind != ast.CheckPartition
		return is, is && !n.Tail.NoBinlog
	case *ast.FlushTables:
		return true, !n.NoBinlog && !n.ReadLock && !n.Export
	case *ast.Flush:
		logged = !n.NoBinlog
		for _, i := range n.Items {
			logged = logged && i.Kind != ast.FlushBinaryLogs && i.Kind != ast.FlushLogs
		}
		return true, logged
	}
	return false, false
}

// runLogged runs an administrative statement, and logs its text if the log gets that.
func (x *execution) runLogged(ctx *sql.Context, run adminFunc) error {
	is, logged := loggedByText(x.stmt.Tree)
	s, ok := ctx.Session.(*sqllayer.Session)
	if !is || !ok {
		return run(x, ctx)
	}
	release := s.HoldLog()
	err := run(x, ctx)
	release()
	if err == nil && logged {
		err = s.LogStatement(ctx, x.query)
	}
	return err
}

// logUnchanged logs a definition that has changed nothing.
func (x *execution) logUnchanged(ctx *sql.Context) error {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return s.LogUnchanged(ctx, x.stmt.Tree, x.query)
	}
	return nil
}
