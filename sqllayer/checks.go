package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/tabledef"
)

// Checks are the CHECKs of a table and of the view that names it, whose fields are the columns of
// the table.
func (t *Table) Checks(ctx *sql.Context) (sql.CheckConstraints, error) {
	checks, err := t.GetChecks(ctx)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	s := SessionOf(ctx)
	var exprs []sql.Expression
	if err := s.WithAllRights(func() (err error) { // who changes rows need not read them
		of := len(t.checks) // those of a view, which come first
		exprs, err = t.planned(ctx, checks[:of], func(ctx *sql.Context, text string) ([]sql.Expression, error) {
			exprs, _, err := s.layer.Expressions(ctx, text, nil)
			return exprs, err
		})
		if err != nil {
			return err
		}
		own, err := t.planned(ctx, checks[of:], s.layer.Stored)
		exprs = append(exprs, own...)
		return err
	}); err != nil {
		return nil, err
	}
	out := make(sql.CheckConstraints, len(exprs))
	for i, e := range exprs {
		if e, _, err = transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if f, ok := e.(*expression.GetField); ok {
				return f.WithIndex(t.Def.Find(f.Name())), transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		}); err != nil {
			return nil, err
		}
		out[i] = &sql.CheckConstraint{Name: checks[i].Name, Expr: e, Enforced: checks[i].Enforced}
	}
	return out, nil
}

// planned plans the expressions of checks, as the columns of one SELECT.
func (t *Table) planned(ctx *sql.Context, checks []sql.CheckDefinition, plan func(ctx *sql.Context, text string) ([]sql.Expression, error)) ([]sql.Expression, error) {
	if len(checks) == 0 {
		return nil, nil
	}
	texts := make([]string, len(checks))
	for i, c := range checks {
		texts[i] = c.CheckExpression
	}
	return plan(ctx, "SELECT "+strings.Join(texts, ", ")+" FROM "+tabledef.QuoteName(t.Def.Def.Schema)+"."+tabledef.QuoteName(t.Def.Def.Name))
}
