package sqllayer

// What a client is told of a result's columns beyond their types: whether a column is one of a
// table and which, or an expression. GMS's schema forgets it where a column is renamed.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/sql/ast"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// ResultColumns describes the columns of the statement that the session has built last.
func (s *Session) ResultColumns(ctx *sql.Context, schema sql.Schema) []programs.ResultColumn {
	s.Mu.Lock()
	root := s.Stmt.root
	s.Mu.Unlock()
	return ResultColumns(ctx, root, schema)
}

// ResultColumns describes the columns of a plan whose schema is given.
func ResultColumns(ctx *sql.Context, root sql.Node, schema sql.Schema) []programs.ResultColumn {
	out := make([]programs.ResultColumn, len(schema))
	tables := map[string]sourceTable{}
	var exprs []sql.Expression
	if root != nil {
		exprs = ResultExprs(ctx, root, len(schema))
		collectTables(ctx, root, false, tables)
	}
	for i, c := range schema {
		source, name := c.Source, c.Name
		out[i].Shown = source == "" && exprs == nil
		if c == ExplainSchema[explainFiltered] {
			out[i].Stored = twoDigits
			continue
		}
		if i < len(exprs) {
			e := exprs[i]
			if a, ok := e.(*expression.Alias); ok {
				e = a.Child
			}
			f, ok := e.(*expression.GetField)
			if call, ok := e.(*functionCall); ok {
				out[i].Seconds = declaredSeconds(call.f.returns)
				continue // it is of the type that RETURNS says
			}
			if d, ok := e.(*expr.Default); ok {
				out[i].Stored = d.Stored
				continue
			}
			if truth, isCall := expr.Called(e).(*operand.Scalar); isCall && truth.Type(ctx) == types.Int32 && readsColumn(ctx, truth) {
				continue
			}
			if !ok {
				if out[i].Computed = !keepsType(e); !out[i].Computed {
					out[i].Stored = digitsOf(tables, e)
				}
				continue
			}
			source, name = f.Table(), f.Name()
		}
		t, ok := tables[strings.ToLower(source)]
		if !ok || source == "" {
			out[i].Table = source
			continue // a derived table's, or a statement's own, like SHOW
		}
		out[i] = programs.ResultColumn{Table: source, OrgTable: t.name, OrgName: name, Nullable: t.nullable, Computed: false}
		if at := t.schema.IndexOfColName(name); at >= 0 {
			out[i].Base, out[i].OrgName = t.schema[at], t.schema[at].Name
			if t.def != nil {
				out[i].Stored = &t.def.Cols[at]
			}
		}
	}
	return out
}

// DescribeSeconds tells of the columns of a query that are times and no columns of tables how many
// digits of the second they have: go-mysql-server's TIME has none, and its functions know few.
func DescribeSeconds(ctx *sql.Context, q *ast.Query, text string, schema sql.Schema, of []programs.ResultColumn) {
	computed := func(i int) bool {
		t := schema[i].Type
		return of[i].Stored == nil && of[i].OrgTable == "" && (types.IsTimespan(t) || types.IsDatetimeType(t) && !types.IsTimestampType(t))
	}
	var described []*own.Type
	for i := range schema {
		if !computed(i) {
			continue
		}
		if described == nil {
			if described = QueryTypes(ctx, q, text, "", len(schema)); len(described) != len(schema) {
				return
			}
		}
		if t := described[i]; t != nil && t.Kind == own.Time && types.IsTimespan(schema[i].Type) || t != nil && t.Kind == own.DateTime && types.IsDatetimeType(schema[i].Type) {
			of[i].Seconds = 1 + t.Scale
		}
	}
}

// declaredSeconds is Seconds of what a declared column holds: only a TIME needs them.
func declaredSeconds(c *sql.Column) uint8 {
	if !types.IsTimespan(c.Type) {
		return 0
	}
	return 1 + store.ColumnAttributes(c).Digits
}

// readsColumn reports whether an expression is no constant.
func readsColumn(ctx *sql.Context, e sql.Expression) (found bool) {
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, is := e.(*expression.GetField)
		found = found || is
		return !found
	})
	return found
}

// keepsType tells expressions whose type is that of their argument.
func keepsType(e sql.Expression) bool {
	switch e := e.(type) {
	case *aggregate.Rolled:
		_, column := e.Of().(*expression.GetField)
		return column
	case *aggregate.Max, *aggregate.Min, *aggregation.First, *aggregation.Last, *aggregation.AnyValue:
		return true
	}
	return false
}

// digitsOf is the storage of the column whose least or greatest value is shown: with its digits,
// but without its zeros.
func digitsOf(tables map[string]sourceTable, e sql.Expression) *row.Column {
	f, ok := e.Children()[0].(*expression.GetField)
	if !ok {
		return nil
	}
	t := tables[strings.ToLower(f.Table())]
	if t.def == nil {
		return nil
	}
	at := t.def.Find(f.Name())
	if at < 0 {
		return nil
	}
	c := t.def.Cols[at]
	c.Zerofill = 0
	return &c
}

// sourceTable is a table of a statement.
type sourceTable struct {
	name     string
	def      *tabledef.TableDef // nil: not one of the engine's
	schema   sql.Schema
	nullable bool
}

// collectTables finds the tables that a plan reads itself, by alias. inner: on the side of an outer
// join that may be missing.
func collectTables(ctx *sql.Context, n sql.Node, inner bool, into map[string]sourceTable) {
	add := func(alias string, t sql.Table) {
		if alias = strings.ToLower(alias); t != nil {
			if _, taken := into[alias]; !taken {
				source := sourceTable{name: t.Name(), schema: baseSchema(ctx, t), nullable: inner}
				if own, ok := t.(*Table); ok {
					source.def = own.Def
				}
				into[alias] = source
			}
		}
	}
	switch n := n.(type) {
	case *plan.SubqueryAlias, *plan.InsertInto, *plan.SetOp:
		return
	case *plan.TableAlias:
		add(n.Name(), TableBelow(n.Child))
		return
	case *plan.ResolvedTable:
		add(n.Name(), sql.GetUnderlyingTable(n.UnderlyingTable()))
	case *plan.IndexedTableAccess:
		add(n.Name(), sql.GetUnderlyingTable(n.UnderlyingTable()))
	case *plan.JoinNode:
		collectTables(ctx, n.Left(), inner || n.Op.IsFullOuter(), into)
		collectTables(ctx, n.Right(), inner || n.Op.IsLeftOuter() || n.Op.IsFullOuter(), into)
		return
	}
	for _, c := range n.Children() {
		collectTables(ctx, c, inner, into)
	}
}

func TableBelow(n sql.Node) sql.Table {
	for n != nil {
		if t, ok := n.(sql.TableNode); ok {
			return sql.GetUnderlyingTable(t.UnderlyingTable())
		}
		children := n.Children()
		if len(children) != 1 {
			return nil
		}
		n = children[0]
	}
	return nil
}

// baseSchema is the table's schema without projections.
func baseSchema(ctx *sql.Context, t sql.Table) sql.Schema {
	if own, ok := t.(*Table); ok {
		return own.Def.Schema()
	}
	return t.Schema(ctx)
}

// ResultExprs finds the expressions that make the n columns of a result; nil if the plan tells
// none.
func ResultExprs(ctx *sql.Context, node sql.Node, n int) []sql.Expression {
	for node != nil {
		switch p := node.(type) {
		case *plan.Project:
			if len(p.Projections) != n {
				return nil
			}
			return resolveBelow(ctx, p)
		case *plan.SetOp:
			return unite(ResultExprs(ctx, p.Left(), n), ResultExprs(ctx, p.Right(), n))
		case *plan.SubqueryAlias, *plan.JoinNode:
			return nil
		}
		children := node.Children()
		if len(children) != 1 {
			return nil
		}
		node = children[0]
	}
	return nil
}

// unite takes of two SELECTs' columns the one that is computed; a column of a table in the result
// of UNION is no column of that table any more.
func unite(left, right []sql.Expression) []sql.Expression {
	if len(left) != len(right) {
		return nil
	}
	out := make([]sql.Expression, len(left))
	for i, e := range left {
		if out[i] = asDerived(e); out[i] != e && asDerived(right[i]) == right[i] {
			out[i] = right[i]
		}
	}
	return out
}

func asDerived(e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	if f, ok := e.(*expression.GetField); ok {
		return f.WithTable("")
	}
	return e
}

// resolveBelow replaces references to aggregates of the GROUP BY below a projection by the
// aggregates.
func resolveBelow(ctx *sql.Context, p *plan.Project) []sql.Expression {
	var deps []sql.Expression
	for n := p.Child; n != nil; {
		if g, ok := n.(*plan.GroupBy); ok {
			deps = g.SelectDeps
			break
		}
		if w, ok := n.(*plan.Window); ok {
			deps = w.SelectExprs
			break
		}
		children := n.Children()
		if len(children) != 1 {
			break
		}
		n = children[0]
	}
	if deps == nil {
		return p.Projections
	}
	out := make([]sql.Expression, len(p.Projections))
	for i, e := range p.Projections {
		out[i] = e
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		f, ok := e.(*expression.GetField)
		if !ok || f.Table() != "" {
			continue
		}
		for _, d := range deps {
			if _, plain := d.(*expression.GetField); !plain && strings.EqualFold(d.String(), f.Name()) {
				out[i] = d
			}
		}
	}
	return out
}
