package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
)

// call runs a procedure that GMS has planned a CALL of.
func (b *Builder) call(ctx *sql.Context, n *plan.Call, r sql.Row) (sql.RowIter, error) {
	s := sqllayer.SessionOf(ctx)
	passed := s.TakeTargets()
	_, ok := sqllayer.ProgramOf(n.Procedure)
	d, known := sqllayer.OwnDatabase(n.Database())
	if !ok || !known || n.GetRunner() == nil {
		return nil, nil
	}
	p, err := s.ReadyProcedure(ctx, d, n.Procedure.Name)
	if err != nil {
		return nil, err
	}
	if p == nil || len(p.Params) != len(n.Params) {
		return nil, sql.ErrStoredProcedureDoesNotExist.New(n.Procedure.Name)
	}
	c := &sqllayer.Calling{P: p, Ctx: ctx}
	for i, e := range n.Params {
		to := sqllayer.TargetOf(e)
		if i < len(passed) && passed[i] != nil {
			to = passed[i]
		}
		if err := c.Pass(to, func() (any, error) { return e.Eval(ctx, r) }); err != nil {
			s.Done(p, false)
			return nil, err
		}
	}
	a, err := s.RunProcedure(c, n.GetRunner())
	if err != nil {
		return nil, err
	}
	schema, iter := a.Outcome()
	n.SetSchema(schema)
	return iter, nil
}
