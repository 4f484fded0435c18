package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/trees"
)

// upsertRule is the id of upsertQueries: no rule of GMS has it.
const upsertRule analyzer.RuleId = likeRule + 1

// upsertQueries plans the subqueries of ON DUPLICATE KEY UPDATE: GMS takes them to be over the old
// row, where they run over the old row and the new one. Here they are planned as those of a
// projection over both.
func upsertQueries(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	insert, ok := n.(*plan.InsertInto)
	if !ok || !scope.IsEmpty() || !insert.OnDupExprs.HasUpdates() {
		return n, transform.SameTree, nil
	}
	exprs := append([]sql.Expression{}, insert.OnDupExprs.AllExpressions()...)
	var queries []sql.Expression
	var at []int
	for i, e := range exprs {
		if set, ok := e.(*expression.SetField); ok && readsQuery(ctx, set.RightChild) {
			queries, at = append(queries, set.RightChild), append(at, i)
		}
	}
	if len(queries) == 0 {
		return n, transform.SameTree, nil
	}
	own := *flags
	analyzed, err := a.Analyze(ctx, plan.NewProject(ctx, queries, newBothRows(ctx, insert, queries)), nil, &own)
	if err != nil {
		return nil, transform.SameTree, err
	}
	project, ok := analyzed.(*plan.Project)
	if !ok || len(project.Projections) != len(queries) {
		return nil, transform.SameTree, errors.New("the projection of ON DUPLICATE KEY UPDATE is lost")
	}
	mended, _, err := transform.OneNodeExpressions(ctx, project, sqllayer.Unsettle)
	if err != nil {
		return nil, transform.SameTree, err
	}
	for i, e := range mended.(*plan.Project).Projections {
		exprs[at[i]] = expression.NewSetField(exprs[at[i]].(*expression.SetField).LeftChild, &finished{e})
	}
	changed := *insert
	changed.OnDupExprs, err = insert.OnDupExprs.WithExpressions(exprs)
	return &changed, transform.NewTree, err
}

// mendHiddenNames lets the assignments that GMS adds to ON DUPLICATE KEY UPDATE name the hidden columns
// of functional keys, as it lets those of an UPDATE.
func mendHiddenNames(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "validateNoHiddenSystemColumns", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			given, _, err := transform.Node(ctx, n, func(_ *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
				insert, ok := n.(*plan.InsertInto)
				if !ok || !insert.OnDupExprs.HasUpdates() {
					return n, transform.SameTree, nil
				}
				own, exprs := *insert, slices.Clone(insert.OnDupExprs.ExplicitUpdateExprs()) // GMS appends to them
				own.OnDupExprs = plan.NewUpdateExprs(exprs, len(exprs))
				return &own, transform.NewTree, nil
			})
			if err == nil {
				_, _, err = rule(ctx, a, given, scope, sel, flags)
			}
			return n, transform.SameTree, err
		}
	})
}

func readsQuery(ctx *sql.Context, e sql.Expression) (found bool) {
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, ok := e.(*plan.Subquery)
		found = found || ok
		return !found
	})
	return found
}

// finished is an expression that was planned: GMS does not look into it.
type finished struct{ sql.Expression }

// Children implements sql.Expression.
func (*finished) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (f *finished) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return f, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (f *finished) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, f.Expression)
}

// bothRows stands for the rows that ON DUPLICATE KEY UPDATE is computed of: the old one and, behind
// it, the new one.
type bothRows struct {
	plan.EmptyTable
	columns []sql.Expression
}

var _ sql.Projector = (*bothRows)(nil)

// newBothRows gives the columns the numbers by which the expressions read them.
func newBothRows(ctx *sql.Context, insert *plan.InsertInto, exprs []sql.Expression) *bothRows {
	schema := insert.Destination.Schema(ctx)
	b := &bothRows{}
	for range 2 {
		for _, c := range schema {
			b.columns = append(b.columns, expression.NewGetField(0, c.Type, c.Name, c.Nullable))
		}
	}
	number := func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			if at := placeOf(insert, schema, f); at >= 0 {
				b.columns[at] = f
			}
		}
		return true
	}
	for _, e := range exprs {
		sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
			if q, ok := e.(*plan.Subquery); ok {
				sql.Inspect(ctx, rules.UsedColumns(ctx, q), number)
			}
			return number(ctx, e)
		})
	}
	return b
}

// placeOf is the place of a column among those of both rows; below zero: it is none of them.
func placeOf(insert *plan.InsertInto, schema sql.Schema, f *expression.GetField) int {
	name := strings.TrimPrefix(f.Name(), trees.NewRows)
	if strings.EqualFold(f.Table(), schema[0].Source) {
		return schema.IndexOfColName(name)
	}
	if v, ok := insert.Source.(*plan.Values); ok {
		for column, alias := range v.ColumnNames {
			if strings.EqualFold(alias, name) {
				name = column
				break
			}
		}
	}
	at := schema.IndexOfColName(name)
	if at >= 0 {
		at += len(schema)
	}
	return at
}

// ProjectedExprs implements sql.Projector.
func (b *bothRows) ProjectedExprs() []sql.Expression { return b.columns }

// Schema implements sql.Node.
func (b *bothRows) Schema(ctx *sql.Context) (out sql.Schema) {
	for _, c := range b.columns {
		out = append(out, transform.ExpressionToColumn(ctx, c, ""))
	}
	return out
}

// WithChildren implements sql.Node.
func (b *bothRows) WithChildren(*sql.Context, ...sql.Node) (sql.Node, error) { return b, nil }
