package aggregate

// GROUP BY ... WITH ROLLUP and GROUPING(). The grammar knows neither: the marker Rollup ends the
// list of GROUP BY, and RollUp rewrites the SELECT:
//
//	SELECT y, c, SUM(p), GROUPING(c) ... GROUP BY y, c, `rollup`()
//	SELECT rolled(y, level, 0) AS y, rolled(c, level, 1) AS c, SUM(p), grouping(level, 1) ...
//	GROUP BY y, c, `rollup`()
//
// level is MAX(`level`()): how many columns of GROUP BY a row is grouped by. Whoever runs the
// grouping makes the rows of all levels and gives them the level.

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// Rollup ends the list of GROUP BY ... WITH ROLLUP.
const Rollup = "\x00rollup"

const (
	rollupLevel = "\x00level"
	rolledUp    = "\x00rolled"
	groupingOf  = "\x00grouping"
)

// RollUp rewrites a SELECT with GROUP BY.
func RollUp(n *ast.Select) error {
	keys := n.GroupBy
	if len(keys) == 0 {
		return nil
	}
	u := &rollup{}
	if last, ok := keys[len(keys)-1].(*ast.FuncExpr); ok && last.Name.Lowered() == Rollup {
		u.all, keys = true, keys[:len(keys)-1]
	}
	for i, k := range keys {
		u.keys = append(u.keys, GroupedBy(n, k))
		if u.all {
			keys[i] = u.keys[i] // the column of the result is going to be another
		}
	}
	for _, e := range n.SelectExprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		name := a.InputExpression
		if c, ok := a.Expr.(*ast.ColName); ok {
			name = c.Name.String()
		}
		if u.value(reflect.ValueOf(a).Elem()); u.changed && a.As.IsEmpty() {
			a.As = ast.NewColIdent(name)
		}
		u.changed = false
	}
	if n.Having != nil {
		u.value(reflect.ValueOf(n.Having))
	}
	u.value(reflect.ValueOf(n.OrderBy))
	u.value(reflect.ValueOf(n.Window))
	return u.err
}

// GroupedBy is the expression that a column of GROUP BY stands for: the number or the alias of a
// column of the result, or itself.
func GroupedBy(n *ast.Select, key ast.Expr) ast.Expr {
	if v, ok := key.(*ast.SQLVal); ok && v.Type == ast.IntVal {
		if i, err := strconv.Atoi(string(v.Val)); err == nil && i > 0 && i <= len(n.SelectExprs) {
			if a, ok := n.SelectExprs[i-1].(*ast.AliasedExpr); ok {
				return keyInPlace(key, a.Expr)
			}
		}
	}
	c, ok := key.(*ast.ColName)
	if !ok || !c.Qualifier.IsEmpty() {
		return key
	}
	for _, e := range n.SelectExprs {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.Equal(c.Name) && !mentions(a.Expr, c.Name) {
			return keyInPlace(key, a.Expr)
		}
	}
	return key
}

// keyInPlace is an expression, or the key that names it if that must not be written out: a window
// function is not computed before the groups are made.
func keyInPlace(key, e ast.Expr) ast.Expr {
	over := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		f, ok := n.(*ast.FuncExpr)
		over = over || ok && f.Over != nil
		return !over, nil
	}, e)
	if over {
		return key
	}
	if _, literal := e.(*ast.SQLVal); literal {
		return &ast.ParenExpr{Expr: e} // a literal alone is the place of a column
	}
	return e
}

// mentions tells whether there is a column of that name in an expression: IFNULL(y, 'all') AS y ...
// GROUP BY y is grouped by the table's column.
func mentions(e ast.Expr, name ast.ColIdent) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		c, ok := n.(*ast.ColName)
		found = found || ok && c.Name.Equal(name)
		return !found, nil
	}, e)
	return found
}

// rollup is the state of one rewrite.
type rollup struct {
	all     bool // WITH ROLLUP; else there is one level
	keys    []ast.Expr
	changed bool
	err     error
}

// keyOf is the place of an expression in GROUP BY, -1 if it is none of it.
func (u *rollup) keyOf(e ast.Expr) int {
	for i, k := range u.keys {
		if SameExpr(e, k) {
			return i
		}
	}
	return -1
}

func SameExpr(a, b ast.Expr) bool {
	if c, ok := a.(*ast.ColName); ok {
		d, ok := b.(*ast.ColName)
		return ok && c.Name.Equal(d.Name) && (c.Qualifier.IsEmpty() || d.Qualifier.IsEmpty() || strings.EqualFold(c.Qualifier.Name.String(), d.Qualifier.Name.String()))
	}
	return strings.EqualFold(ast.String(a), ast.String(b))
}

// value walks a part of the tree, but for subqueries and what aggregate functions look at.
func (u *rollup) value(v reflect.Value) { operand.WalkExprs(v, u.expr) }

// expr tells what comes in the place of an expression; done if nothing within it is to be looked
// at.
func (u *rollup) expr(e ast.Expr) (to ast.Expr, done bool) {
	if i := u.keyOf(e); i >= 0 {
		if _, literal := e.(*ast.SQLVal); !u.all || literal {
			return e, true
		}
		u.changed = true
		return operand.CallOf(rolledUp, e, level(), ast.NewIntVal([]byte(strconv.Itoa(i)))), true
	}
	switch e := e.(type) {
	case *ast.Subquery, *ast.GroupConcatExpr, *ast.ColName:
		return e, true
	case *ast.FuncExpr:
		if e.Name.Lowered() == "grouping" && e.Qualifier.IsEmpty() {
			return u.grouping(e), true
		}
		return e, e.Over == nil && (e.IsAggregate() || e.Name.Lowered() == "any_value")
	}
	return e, false
}

// grouping is GROUPING(a, b, ...): a number with a bit for each.
func (u *rollup) grouping(e *ast.FuncExpr) ast.Expr {
	args := []ast.Expr{level()}
	if !u.all {
		args[0] = ast.NewIntVal([]byte(strconv.Itoa(len(u.keys))))
	}
	for at, arg := range e.Exprs {
		a, ok := arg.(*ast.AliasedExpr)
		i := -1
		if ok {
			i = u.keyOf(a.Expr)
		}
		if i < 0 {
			if u.err == nil {
				u.err = mysql.NewSQLError(3602, "HY000", "Argument #%d of GROUPING function is not in GROUP BY", at+1)
			}
			return e
		}
		args = append(args, ast.NewIntVal([]byte(strconv.Itoa(i))))
	}
	u.changed = true
	return operand.CallOf(groupingOf, args...)
}

func level() ast.Expr { return operand.CallOf("max", operand.CallOf(rollupLevel)) }

func init() {
	operand.Register(
		operand.NewScalar(Rollup, 0, 0, types.Int64, func(*sql.Context, []any) (any, error) { return int64(0), nil }),
		operand.NewScalar(rollupLevel, 0, 0, types.Int64, func(*sql.Context, []any) (any, error) { return int64(0), nil }),
		operand.NewScalar(groupingOf, 2, 65, types.Int64, func(_ *sql.Context, args []any) (any, error) {
			var bits int64
			at := whole(args[0])
			for _, a := range args[1:] {
				bits <<= 1
				if whole(a) >= at {
					bits |= 1
				}
			}
			return bits, nil
		}),
		sql.FunctionN{Name: rolledUp, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			return &Rolled{operand.OverMany(args)}, nil
		}},
	)
}

// whole is a small number of whatever type of integer.
func whole(v any) int64 {
	r := reflect.ValueOf(v)
	if r.CanUint() {
		return int64(r.Uint())
	}
	return r.Int()
}

// IsRollup tells whether an expression of GROUP BY is the marker.
func IsRollup(e sql.Expression) bool { return isCallOf(e, Rollup) }

// IsRollupLevel tells whether an aggregate is the level of a row.
func IsRollupLevel(e sql.Expression) bool {
	m, ok := e.(*Max)
	return ok && isCallOf(m.Child, rollupLevel)
}

func isCallOf(e sql.Expression, name string) bool {
	s, ok := e.(*operand.Scalar)
	return ok && s.Name == name
}

// Rolled is a column of GROUP BY: rolled(e, level, place) is NULL in the rows of the levels that
// are not grouped by it.
type Rolled struct{ operand.Many }

var _ sql.CollationCoercible = (*Rolled)(nil)

// Of is the column as it is grouped by.
func (r *Rolled) Of() sql.Expression { return r.ChildExpressions[0] }

func (r *Rolled) String() string { return r.Of().String() }

// Type implements sql.Expression.
func (r *Rolled) Type(ctx *sql.Context) sql.Type { return r.Of().Type(ctx) }

// IsNullable implements sql.Expression.
func (*Rolled) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (r *Rolled) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, r.Of())
}

// WithChildren implements sql.Expression.
func (r *Rolled) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(r, children)
}

// Eval implements sql.Expression.
func (r *Rolled) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	at, err := r.ChildExpressions[1].Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	place, err := r.ChildExpressions[2].Eval(ctx, row)
	if err != nil || whole(place) >= whole(at) {
		return nil, err
	}
	return r.Of().Eval(ctx, row)
}
