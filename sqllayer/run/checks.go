package run

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// checksOf are the CHECKs that a statement holds the rows of its target against. GMS puts a table
// with virtual columns into another one, where it does not look for them.
func checksOf(ctx *sql.Context, target sql.Node, known sql.CheckConstraints, ignore bool) (checks, error) {
	if len(known) == 0 {
		t := infoschema.OnlyTable(target)
		if t == nil {
			return nil, nil
		}
		var err error
		if known, err = t.Checks(ctx); err != nil {
			return nil, err
		}
	}
	storer := store.NewStorer(ctx, ignore)
	out := make(checks, len(known))
	for i, c := range known {
		own := *c
		own.Expr = &condition{Like: operand.LikeOf(c.Expr), storer: &storer, ofView: strings.HasPrefix(c.Name, sqlerr.ViewMark)}
		out[i] = &own
	}
	return out, nil
}

// checks are those of a statement's target, over conditions.
type checks sql.CheckConstraints

// hold refuses a row that does not meet them. GMS does not ask for it again.
func (l checks) hold(ctx *sql.Context, row sql.Row) error {
	for _, c := range l {
		if !c.Enforced {
			continue
		}
		of := c.Expr.(*condition)
		of.held = nil
		met, err := sql.EvaluateCondition(ctx, of, row)
		if err != nil {
			return err
		}
		if sql.IsFalse(met) {
			return sql.ErrCheckConstraintViolated.New(c.Name)
		}
		of.held = row
	}
	return nil
}

// condition is that of a CHECK. A row for which it fails does not meet it, nor does one for which it
// warns of what is an error in strict mode. The condition of a view fails itself.
type condition struct {
	operand.Like
	storer *store.Storer
	ofView bool
	held   sql.Row // the last row for which hold found it met
}

// WithChildren implements sql.Expression.
func (c *condition) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *condition) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if len(c.held) > 0 && &row[0] == &c.held[0] {
		return true, nil
	}
	before := ctx.Session.WarningCount()
	v, err := c.Child.Eval(ctx, row)
	if err == nil {
		err = c.storer.Warned(ctx, before)
	}
	if err == nil && v == false {
		err = c.explain(ctx, row)
	}
	var told *mysql.SQLError
	if err == nil || c.ofView || ctx.Err() != nil || !errors.As(sqlerr.Translate(err, ""), &told) {
		return v, err
	}
	ctx.Session.Warn(&sql.Warning{Level: "Error", Code: told.Num, Message: told.Message})
	return false, nil
}

// unmet is an expression that tells why a row does not meet it.
type unmet interface {
	Unmet(ctx *sql.Context, row sql.Row) (*mysql.SQLError, error)
}

// explain is an error that tells why the condition is false, if its expression knows one.
func (c *condition) explain(ctx *sql.Context, row sql.Row) error {
	e := c.Child
	for {
		if b, ok := e.(*expr.Bounded); ok {
			e = b.Call()
		}
		if call, ok := e.(unmet); ok {
			told, err := call.Unmet(ctx, row)
			if told == nil {
				return err
			}
			return told
		}
		of := e.Children()
		if len(of) != 1 {
			return nil
		}
		e = of[0]
	}
}

// checkedUpdate builds an UPDATE with such CHECKs; nil for others.
func (b *Builder) checkedUpdate(ctx *sql.Context, n *plan.Update, r sql.Row) (sql.RowIter, error) {
	for _, c := range n.Checks() {
		if _, done := c.Expr.(*condition); done {
			return nil, nil
		}
	}
	checks, err := checksOf(ctx, n.Child, n.Checks(), n.Ignore)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	return b.Base.Build(ctx, n.WithChecks(sql.CheckConstraints(checks)), r)
}
