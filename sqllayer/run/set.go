package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// SET of several variables. MySQL evaluates and checks all values before it sets the first
// variable; GMS goes from one assignment to the next, as MySQL does in stored programs.

// setTogether runs a SET of several variables that a client sent.
func (b *Builder) setTogether(ctx *sql.Context, s *sqllayer.Session, n *plan.Set, r sql.Row) (sql.RowIter, error) {
	if _, set := s.RunningTree(ctx).(*ast.Set); !set || len(n.Exprs) < 2 {
		return nil, nil
	}
	known := make([]*plan.Set, len(n.Exprs))
	for i, e := range n.Exprs {
		field, ok := e.(*expression.SetField)
		if !ok {
			return nil, nil
		}
		switch to := field.LeftChild.(type) {
		case *expression.SystemVar, *expression.UserVar:
			v, err := field.RightChild.Eval(ctx, r)
			if variable, ok := to.(*expression.SystemVar); ok && err == nil {
				err = sqllayer.Takes(ctx, variable.Name, v, variable.Scope.IsGlobalOnly())
			}
			if err != nil {
				return nil, err
			}
			known[i] = plan.NewSet([]sql.Expression{expression.NewSetField(to, expression.NewLiteral(v, field.RightChild.Type(ctx)))})
		default:
			return nil, nil
		}
	}
	var iter sql.RowIter
	for _, one := range known {
		var err error
		if iter, err = b.Base.Build(ctx, one, r); err != nil {
			return nil, err
		}
	}
	return iter, nil
}

// checkStopWords refuses a SET of a table of stop words that is none.
func checkStopWords(ctx *sql.Context, n *plan.Set, r sql.Row) error {
	for _, e := range n.Exprs {
		field, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		to, ok := field.LeftChild.(*expression.SystemVar)
		if !ok || !sqllayer.NamesStopWords(to.Name) {
			continue
		}
		v, err := field.RightChild.Eval(ctx, r)
		if err == nil {
			err = sqllayer.CheckStopWords(ctx, to.Name, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
