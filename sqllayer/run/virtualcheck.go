package run

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/tabledef"
)

// hiddenChecks are the CHECKs of a table with virtual columns that a statement changes: GMS puts
// such a table into another one, where it does not look for them.
func (b *Builder) hiddenChecks(ctx *sql.Context, target sql.Node) (sql.CheckConstraints, error) {
	t := infoschema.OnlyTable(target)
	if t == nil || len(t.Def.Def.Checks) == 0 {
		return nil, nil
	}
	texts := make([]string, len(t.Def.Def.Checks))
	for i, c := range t.Def.Def.Checks {
		texts[i] = c.Expr
	}
	from := tabledef.QuoteName(t.Def.Def.Schema) + "." + tabledef.QuoteName(t.Def.Def.Name)
	var exprs []sql.Expression
	err := sqllayer.SessionOf(ctx).WithAllRights(func() (err error) { // who changes rows need not read them
		exprs, _, err = b.Layer.Expressions(ctx, "SELECT "+strings.Join(texts, ", ")+" FROM "+from, nil)
		return err
	})
	if err != nil {
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
		out[i] = &sql.CheckConstraint{Name: t.Def.Def.Checks[i].Name, Expr: e, Enforced: t.Def.Def.Checks[i].Enforced}
	}
	return out, nil
}

// checkedUpdate builds an UPDATE with such CHECKs; nil for others.
func (b *Builder) checkedUpdate(ctx *sql.Context, n *plan.Update, r sql.Row) (sql.RowIter, error) {
	if len(n.Checks()) > 0 {
		return nil, nil
	}
	checks, err := b.hiddenChecks(ctx, n.Child)
	if err != nil || len(checks) == 0 {
		return nil, err
	}
	return b.Base.Build(ctx, n.WithChecks(checks), r)
}
