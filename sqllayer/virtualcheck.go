package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// hiddenChecks are the CHECKs of a table with virtual columns that a statement changes: GMS puts
// such a table into another one, where it does not look for them.
func (b *builder) hiddenChecks(ctx *sql.Context, target sql.Node) (sql.CheckConstraints, error) {
	t := onlyTable(target)
	if t == nil || len(t.def.def.Checks) == 0 {
		return nil, nil
	}
	texts := make([]string, len(t.def.def.Checks))
	for i, c := range t.def.def.Checks {
		texts[i] = c.Expr
	}
	from := quoteName(t.def.def.Schema) + "." + quoteName(t.def.def.Name)
	var exprs []sql.Expression
	err := sessionOf(ctx).WithAllRights(func() (err error) { // who changes rows need not read them
		exprs, _, err = b.layer.Expressions(ctx, "SELECT "+strings.Join(texts, ", ")+" FROM "+from, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make(sql.CheckConstraints, len(exprs))
	for i, e := range exprs {
		if e, _, err = transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if f, ok := e.(*expression.GetField); ok {
				return f.WithIndex(t.def.find(f.Name())), transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		}); err != nil {
			return nil, err
		}
		out[i] = &sql.CheckConstraint{Name: t.def.def.Checks[i].Name, Expr: e, Enforced: t.def.def.Checks[i].Enforced}
	}
	return out, nil
}

// onlyTable is the table of the engine that stands below a node which reads no other; nil if there
// is none.
func onlyTable(n sql.Node) (found *Table) {
	tables := 0
	transform.Inspect(n, func(n sql.Node) bool {
		t, ok := n.(sql.TableNode)
		if ok {
			tables++
			found, _ = sql.GetUnderlyingTable(t.UnderlyingTable()).(*Table)
		}
		return !ok
	})
	if tables != 1 {
		return nil
	}
	return found
}

// checkedUpdate builds an UPDATE with such CHECKs; nil for others.
func (b *builder) checkedUpdate(ctx *sql.Context, n *plan.Update, r sql.Row) (sql.RowIter, error) {
	if len(n.Checks()) > 0 {
		return nil, nil
	}
	checks, err := b.hiddenChecks(ctx, n.Child)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	return b.base.Build(ctx, n.WithChecks(checks), r)
}
