package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// createReferenceSystem is CREATE SPATIAL REFERENCE SYSTEM.
func (x *execution) createReferenceSystem(ctx *sql.Context, n *ast.CreateReferenceSystem) error {
	changed, err := sqllayer.CreateReferenceSystem(ctx, n)
	return x.defined(ctx, changed, err)
}

// dropReferenceSystem is DROP SPATIAL REFERENCE SYSTEM.
func (x *execution) dropReferenceSystem(ctx *sql.Context, n *ast.DropReferenceSystem) error {
	changed, err := sqllayer.DropReferenceSystem(ctx, n)
	return x.defined(ctx, changed, err)
}

// defined ends an administrative statement that changes the dictionary. One that has found nothing to
// change is logged all the same: a replica may find it otherwise.
func (x *execution) defined(ctx *sql.Context, changed bool, err error) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil || err != nil {
		return err
	}
	if err := s.CommitTransaction(ctx, ctx.GetTransaction()); err != nil || changed {
		return err
	}
	return s.LogStatement(ctx, x.query)
}
