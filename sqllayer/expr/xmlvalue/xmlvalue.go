package xmlvalue

import (
	"errors"
	"math"
	"strconv"
	"strings"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/xpath"
)

// The values of XPath expressions. Package xpath reads an expression and finds nodes; here its
// operators become SQL's, whose types, roundings and warnings MySQL gives them. What is made is
// evaluated over rows of a document, the nodes around, and the text that is compared.

// xmlPlace is the value that an XPath expression is evaluated over.
type xmlPlace struct {
	document *xpath.Document
	around   xpath.Set
	text     string // of a node that is compared
}

func placeOf(row sql.Row) xmlPlace { return row[0].(xmlPlace) }

// xmlLeaf is an expression over a place. It has no operands that a planner could see.
type xmlLeaf struct {
	name string
	typ  sql.Type
	eval func(ctx *sql.Context, row sql.Row) (any, error)
}

var _ sql.CollationCoercible = (*xmlLeaf)(nil)

// Resolved implements sql.Expression.
func (*xmlLeaf) Resolved() bool { return true }

func (l *xmlLeaf) String() string { return l.name }

// Type implements sql.Expression.
func (l *xmlLeaf) Type(*sql.Context) sql.Type { return l.typ }

// IsNullable implements sql.Expression.
func (*xmlLeaf) IsNullable(*sql.Context) bool { return true }

// Children implements sql.Expression.
func (*xmlLeaf) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (l *xmlLeaf) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(l, len(children), 0)
	}
	return l, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (l *xmlLeaf) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	if t, ok := l.typ.(sql.StringType); ok {
		return t.Collation(), 4
	}
	return sql.Collation_binary, 5
}

// Eval implements sql.Expression.
func (l *xmlLeaf) Eval(ctx *sql.Context, row sql.Row) (any, error) { return l.eval(ctx, row) }

// nodes finds nodes at a place.
type nodes func(ctx *sql.Context, row sql.Row) (xpath.Set, error)

// xmlCompiler makes expressions of SQL of those of XPath.
type xmlCompiler struct {
	ctx    *sql.Context
	texts  sql.Type // in the collation of the fragment and the path
	varies bool     // a variable was read
}

// value makes an expression of what is no set of nodes, or of its texts.
func (c *xmlCompiler) value(e *xpath.Expr) (sql.Expression, error) {
	if e.Nodes() {
		set, err := c.nodes(e)
		return &xmlLeaf{"nodes", c.texts, func(ctx *sql.Context, row sql.Row) (any, error) {
			found, err := set(ctx, row)
			return placeOf(row).document.Text(found), err
		}}, err
	}
	switch e.Op {
	case xpath.Literal:
		return expression.NewLiteral(e.Text, c.texts), nil
	case xpath.Number:
		return xmlNumber(e.Text)
	case xpath.User, xpath.Variable:
		return c.variable(e)
	case xpath.Compare:
		return c.comparison(e)
	case xpath.Connect:
		return c.connection(e)
	case xpath.Call:
		return c.call(e)
	}
	args, err := c.values(e.Args)
	if err != nil {
		return nil, err
	}
	if e.Op == xpath.Negate {
		return &numbers.Negation{One: operand.Over(args[0])}, nil
	}
	op := e.Text
	if op == "mod" {
		op = "%"
	}
	return numbers.NewArithmetic(op, args[0], args[1]), nil
}

func (c *xmlCompiler) values(list []*xpath.Expr) (out []sql.Expression, err error) {
	for _, e := range list {
		v, err := c.value(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// xmlNumber is a number as it is written: a DECIMAL, or a BIGINT. One that is too large has the bits
// of the unsigned number that is nearest.
func xmlNumber(text string) (sql.Expression, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction == "" {
		n, err := strconv.ParseUint(whole, 10, 64)
		if errors.Is(err, strconv.ErrRange) {
			n, err = math.MaxUint64, nil
		}
		return expression.NewLiteral(int64(n), types.Int64), err
	}
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return nil, err
	}
	scale := min(len(fraction), operand.MaxScale)
	if d, err = operand.Rounded(d, int32(scale)); err != nil {
		return nil, err
	}
	return expression.NewLiteral(d, operand.DecimalType(int32(len(whole)), int32(scale))), nil
}

// variable is the value of a variable as it is when the expression is made.
func (c *xmlCompiler) variable(e *xpath.Expr) (sql.Expression, error) {
	c.varies = true
	var t sql.Type
	var v any
	var err error
	if e.Op == xpath.User {
		t, v, err = c.ctx.GetUserVariable(c.ctx, e.Text)
	} else if s, ok := operand.Able[operand.Programs](c.ctx.Session); ok {
		v, t, _ = s.ProgramVariable(e.Text)
	}
	if err != nil || v == nil || t == nil {
		return expression.NewLiteral(nil, types.Null), err
	}
	return expression.NewLiteral(v, t), nil
}

// compared are the operators of comparisons of GMS, for what it compares like MySQL.
var compared = map[string]func(l, r sql.Expression) sql.Expression{
	"=":  func(l, r sql.Expression) sql.Expression { return expression.NewEquals(l, r) },
	"!=": func(l, r sql.Expression) sql.Expression { return expression.NewNot(expression.NewEquals(l, r)) },
	"<":  func(l, r sql.Expression) sql.Expression { return expression.NewLessThan(l, r) },
	"<=": func(l, r sql.Expression) sql.Expression { return expression.NewLessThanOrEqual(l, r) },
	">":  func(l, r sql.Expression) sql.Expression { return expression.NewGreaterThan(l, r) },
	">=": func(l, r sql.Expression) sql.Expression { return expression.NewGreaterThanOrEqual(l, r) },
}

func (c *xmlCompiler) compare(op string, l, r sql.Expression) sql.Expression {
	if op == "!=" {
		return &xmlLeaf{"compared", types.Boolean, negated(c.compare("=", l, r))}
	}
	if own := compare.NewComparison(c.ctx, op, l, r); own != nil {
		return own
	}
	return compared[op](l, r)
}

// comparison compares two values, or a value with each text directly below some nodes.
func (c *xmlCompiler) comparison(e *xpath.Expr) (sql.Expression, error) {
	slot := &xmlLeaf{"text", c.texts, func(_ *sql.Context, row sql.Row) (any, error) { return placeOf(row).text, nil }}
	sides := make([]sql.Expression, 2)
	var set nodes
	for i, a := range e.Args {
		var err error
		if a.Nodes() {
			sides[i] = slot
			set, err = c.nodes(a)
		} else {
			sides[i], err = c.value(a)
		}
		if err != nil {
			return nil, err
		}
	}
	each := c.compare(e.Text, sides[0], sides[1])
	if set == nil {
		return each, nil
	}
	return &xmlLeaf{"compared", types.Boolean, func(ctx *sql.Context, row sql.Row) (any, error) {
		found, err := set(ctx, row)
		if err != nil {
			return nil, err
		}
		at, any := placeOf(row), false
		at.document.Texts(found, func(text string) bool {
			at.text = text
			var v *bool
			v, err = truthOf(ctx, each, sql.Row{at})
			any = v != nil && *v
			return !any && err == nil
		})
		return any, err
	}}, nil
}

// truthOf is a value as a condition; nil: it is NULL.
func truthOf(ctx *sql.Context, e sql.Expression, row sql.Row) (*bool, error) {
	n, null, err := operand.NumberAt(ctx, e, row)
	if err != nil || null {
		return nil, err
	}
	is := n.AsFloat() != 0
	return &is, nil
}

func negated(e sql.Expression) func(*sql.Context, sql.Row) (any, error) {
	return func(ctx *sql.Context, row sql.Row) (any, error) {
		v, err := truthOf(ctx, e, row)
		if v == nil || err != nil {
			return nil, err
		}
		return !*v, nil
	}
}

// condition makes an expression of a value that is true or false: a set of nodes is true if it has
// one node.
func (c *xmlCompiler) condition(e *xpath.Expr) (sql.Expression, error) {
	if !e.Nodes() {
		return c.value(e)
	}
	set, err := c.nodes(e)
	return &xmlLeaf{"one node", types.Boolean, func(ctx *sql.Context, row sql.Row) (any, error) {
		found, err := set(ctx, row)
		return len(found) == 1, err
	}}, err
}

// connection makes AND or OR.
func (c *xmlCompiler) connection(e *xpath.Expr) (sql.Expression, error) {
	l, err := c.condition(e.Args[0])
	if err != nil {
		return nil, err
	}
	r, err := c.condition(e.Args[1])
	decides := e.Text == "or"
	return &xmlLeaf{e.Text, types.Boolean, func(ctx *sql.Context, row sql.Row) (any, error) {
		a, err := truthOf(ctx, l, row)
		if err != nil || a != nil && *a == decides {
			return decides, err
		}
		b, err := truthOf(ctx, r, row)
		switch {
		case err != nil:
			return nil, err
		case b != nil && *b == decides:
			return decides, nil
		case a == nil || b == nil:
			return nil, nil
		}
		return !decides, nil
	}}, err
}

// nodes makes the search for nodes.
func (c *xmlCompiler) nodes(e *xpath.Expr) (nodes, error) {
	switch e.Op {
	case xpath.Rooted:
		return func(_ *sql.Context, row sql.Row) (xpath.Set, error) { return placeOf(row).document.Root(), nil }, nil
	case xpath.Around:
		return func(_ *sql.Context, row sql.Row) (xpath.Set, error) { return placeOf(row).around, nil }, nil
	}
	from, err := c.nodes(e.Args[0])
	if err != nil {
		return nil, err
	}
	if e.Op == xpath.Union {
		other, err := c.nodes(e.Args[1])
		return func(ctx *sql.Context, row sql.Row) (xpath.Set, error) {
			a, err := from(ctx, row)
			if err != nil {
				return nil, err
			}
			b, err := other(ctx, row)
			return a.Union(b), err
		}, err
	}
	for _, s := range e.Steps {
		if from, err = c.step(from, s); err != nil {
			return nil, err
		}
	}
	return from, nil
}

// step goes one step on, and asks its conditions.
func (c *xmlCompiler) step(from nodes, s xpath.Step) (nodes, error) {
	next := from
	if !s.Stay {
		next = func(ctx *sql.Context, row sql.Row) (xpath.Set, error) {
			set, err := from(ctx, row)
			if err != nil {
				return nil, err
			}
			found, err := placeOf(row).document.Step(set, s.Axis, s.Name, ctx.Err)
			if errors.Is(err, xpath.ErrTooMany) {
				err = mysql.NewSQLError(1041, "HY000", "Out of memory.")
			}
			return found, err
		}
	}
	for _, f := range s.Filter {
		condition, err := c.condition(f)
		if err != nil {
			return nil, err
		}
		next = filtered(next, condition, f.Boolean() || f.Nodes())
	}
	return next, nil
}

// filtered leaves the nodes for which a condition holds, or whose place is the number that it is.
func filtered(from nodes, condition sql.Expression, boolean bool) nodes {
	return func(ctx *sql.Context, row sql.Row) (xpath.Set, error) {
		set, err := from(ctx, row)
		if err != nil {
			return nil, err
		}
		at := placeOf(row)
		var out xpath.Set
		for _, m := range set {
			m.Size = int32(len(set))
			at.around = xpath.Set{m}
			ok, err := chosen(ctx, condition, boolean, sql.Row{at})
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, xpath.Member{Node: m.Node, Pos: int32(len(out) + 1)})
			}
		}
		return out, ctx.Err()
	}
}

func chosen(ctx *sql.Context, condition sql.Expression, boolean bool, row sql.Row) (bool, error) {
	if boolean {
		v, err := truthOf(ctx, condition, row)
		return v != nil && *v, err
	}
	n, null, err := operand.NumberAt(ctx, condition, row)
	if err != nil || null {
		return false, err
	}
	whole, _, ok := n.AsInteger()
	return ok && whole == int64(placeOf(row).around[0].Pos), nil
}
