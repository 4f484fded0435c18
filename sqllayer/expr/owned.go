package expr

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// ownedName is the function that a parameter of an aggregate function becomes where the block's own
// aggregate would be taken for one of the same text in a block around it: SELECT MAX(a), (SELECT
// MAX(a) FROM t WHERE b < 2) FROM t. go-mysql-server knows aggregates by their texts, and asks the
// blocks around too.
const ownedName = "\x00owned"

// SeparateAggregates gives aggregates within a statement's subqueries texts of their own.
func SeparateAggregates(stmt ast.SQLNode) {
	(&separator{}).walk(stmt)
}

// separator is the walk: the aggregates of the blocks around, and how many these are.
type separator struct {
	around map[string]bool
	depth  int
}

func (s *separator) walk(n ast.SQLNode) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		sel, ok := n.(*ast.Select)
		if ok {
			s.block(sel)
		}
		return !ok, nil
	}, n)
}

// block deals with one SELECT and those within it. Only subqueries beside and behind the aggregates
// ask for them: FROM, WHERE and GROUP BY are read before.
func (s *separator) block(sel *ast.Select) {
	before, behind := separator{s.around, s.depth + 1}, separator{map[string]bool{}, s.depth + 1}
	for text := range s.around {
		behind.around[text] = true
	}
	tables := map[string]bool{}
	names(sel.From, tables)
	var within []*ast.Select
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			within = append(within, n)
			return false, nil
		case *ast.FuncExpr:
			if n.Over == nil && n.IsAggregate() {
				text := bareText(n)
				behind.around[text] = true
				if s.around[text] {
					s.own(n, tables)
				}
			}
		}
		return true, nil
	}, sel.SelectExprs, sel.Having, sel.OrderBy)
	for _, b := range within {
		behind.block(b)
	}
	for _, n := range []ast.SQLNode{sel.With, sel.From, sel.Where, sel.GroupBy} {
		before.walk(n)
	}
}

// own changes an aggregate whose columns can be the block's.
func (s *separator) own(n *ast.FuncExpr, tables map[string]bool) {
	if len(tables) == 0 {
		return
	}
	own := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok && !c.Qualifier.IsEmpty() && !tables[strings.ToLower(c.Qualifier.Name.String())] {
			own = false // a column of a block around: the aggregate is that block's
		}
		return own, nil
	}, n.Exprs)
	if !own {
		return
	}
	for _, e := range n.Exprs {
		if e, ok := e.(*ast.AliasedExpr); ok {
			depth := ast.NewIntVal([]byte(strconv.Itoa(s.depth)))
			e.Expr = operand.CallOf(ownedName, e.Expr, depth)
		}
	}
}

// NamesOf are the names of the tables of FROM, or of a subquery's, in small letters.
func NamesOf(from ast.SQLNode) map[string]bool {
	if q, ok := from.(*ast.Subquery); ok {
		from = q.Select
	}
	tables := map[string]bool{}
	names(from, tables)
	return tables
}

// names notes the tables of FROM by the names they have in the block.
func names(from ast.SQLNode, tables map[string]bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			name := n.As.String()
			if t, ok := n.Expr.(ast.TableName); ok && name == "" {
				name = t.Name.String()
			}
			tables[strings.ToLower(name)] = true
			return false, nil
		case *ast.Subquery:
			return false, nil
		case *ast.ColName:
			return false, nil
		}
		return true, nil
	}, from)
}

// bareText is the text of an aggregate without the tables of its columns.
func bareText(n *ast.FuncExpr) string {
	buf := ast.NewTrackedBuffer(func(buf *ast.TrackedBuffer, n ast.SQLNode) {
		if c, ok := n.(*ast.ColName); ok {
			buf.WriteString(c.Name.Lowered())
			return
		}
		n.Format(buf)
	})
	buf.Myprintf("%v", n)
	return strings.ToLower(buf.String())
}

// owned is its operand; only its text is another one.
type owned struct {
	operand.Like
	depth string
}

func init() {
	operand.Register(sql.FunctionN{Name: ownedName, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New(ownedName, 2, len(args))
		}
		return &owned{operand.LikeOf(args[0]), args[1].String()}, nil
	}})
}

func (o *owned) String() string { return o.Child.String() + " /*" + o.depth + "*/" }

// Eval implements sql.Expression.
func (o *owned) Eval(ctx *sql.Context, row sql.Row) (any, error) { return o.Child.Eval(ctx, row) }

// WithChildren implements sql.Expression.
func (o *owned) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(o, children)
}
