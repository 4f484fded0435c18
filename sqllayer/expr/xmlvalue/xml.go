package xmlvalue

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/xpath"
)

// erUnknown is the code of errors that have no other.
const erUnknown = 1105

// XML is EXTRACTVALUE(fragment, path), or UPDATEXML with a third operand.
type XML struct {
	operand.Many
	name string
	kept atomic.Pointer[compiledPath] // of the last path without variables
}

// compiledPath is a path that was read.
type compiledPath struct {
	text  string
	typ   sql.Type
	nodes nodes // nil: the path is a value
	value sql.Expression
}

func init() {
	for name, args := range map[string]int{"extractvalue": 2, "updatexml": 3} {
		operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, of ...sql.Expression) (sql.Expression, error) {
			if len(of) != args {
				return nil, mysql.NewSQLError(1582, "42000", "Incorrect parameter count in the call to native function '%s'", name)
			}
			return newXML(ctx, name, of)
		}})
	}
}

// newXML reads a path that is a literal at once, so that a statement with a wrong one does not
// begin.
func newXML(ctx *sql.Context, name string, args []sql.Expression) (sql.Expression, error) {
	x := &XML{Many: operand.OverMany(operand.Texts(ctx, args, operand.Anything)), name: name}
	path := args[1]
	if l, ok := path.(*expression.Literal); ok && l.Value() != nil {
		text, err := operand.ShownText(ctx, l.Value())
		if err != nil {
			return nil, err
		}
		_, err = readPath(ctx, text)
		return x, err
	}
	if transform.InspectExpr(ctx, path, func(_ *sql.Context, e sql.Expression) bool {
		_, column := e.(*expression.GetField)
		return column
	}) {
		return nil, mysql.NewSQLError(erUnknown, "HY000", "Only constant XPATH queries are supported")
	}
	return x, nil
}

// readPath reads a path with the errors of a statement.
func readPath(ctx *sql.Context, text string) (*xpath.Expr, error) {
	e, err := xpath.Compile(text, func(name string) bool {
		s, ok := operand.Able[operand.Programs](ctx.Session)
		if ok {
			_, _, ok = s.ProgramVariable(name)
		}
		return ok
	})
	if err != nil {
		return nil, mysql.NewSQLError(erUnknown, "HY000", "%s", err.Error())
	}
	return e, nil
}

// FunctionName implements sql.FunctionExpression.
func (x *XML) FunctionName() string { return x.name }

// Description implements sql.FunctionExpression.
func (x *XML) Description() string { return "MySQL's " + x.name }

func (x *XML) String() string { return (&operand.Scalar{Many: x.Many, Name: x.name}).String() }

// Type implements sql.Expression.
func (x *XML) Type(ctx *sql.Context) sql.Type {
	c, _ := x.CollationCoercibility(ctx)
	if c == sql.Collation_binary {
		return types.LongBlob
	}
	return types.CreateLongText(c)
}

// IsNullable implements sql.Expression.
func (*XML) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (x *XML) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	c, n := sql.Collation_binary, byte(6)
	for _, e := range x.ChildExpressions {
		other, m := sql.GetCoercibility(ctx, e)
		if e.Resolved() && operand.IsBinary(e.Type(ctx)) {
			return sql.Collation_binary, m
		}
		c, n = sql.ResolveCoercibility(c, n, other, m)
	}
	if c == sql.Collation_Unspecified {
		c = ctx.GetCollation()
	}
	return c, n
}

// WithChildren implements sql.Expression.
func (x *XML) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(x.ChildExpressions) {
		return nil, sql.ErrInvalidChildrenNumber.New(x, len(children), len(x.ChildExpressions))
	}
	return newXML(ctx, x.name, children)
}

// Eval implements sql.Expression.
func (x *XML) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := x.result(ctx, row)
	if text, ok := v.(string); ok && err == nil && operand.IsBinary(x.Type(ctx)) {
		return []byte(text), nil
	}
	return v, err
}

// result is the value, as a text.
func (x *XML) result(ctx *sql.Context, row sql.Row) (any, error) {
	args, given := make([]string, len(x.ChildExpressions)), make([]bool, len(x.ChildExpressions))
	for i, e := range x.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if given[i] = v != nil; !given[i] {
			continue
		}
		if args[i], err = operand.ShownText(ctx, v); err != nil {
			return nil, err
		}
	}
	if !given[1] {
		return nil, nil
	}
	path, err := x.path(ctx, args[1])
	if err != nil || slices.Contains(given, false) {
		return nil, err
	}
	document, err := xpath.Parse(args[0])
	if err != nil {
		ctx.Warn(1525, "Incorrect XML value: '%s'", err)
		return nil, nil
	}
	at := xmlPlace{document: document, around: document.Root()}
	if len(args) == 2 {
		return path.extract(ctx, sql.Row{at})
	}
	return path.update(ctx, sql.Row{at}, args[0], args[2])
}

// path is the compiled path.
func (x *XML) path(ctx *sql.Context, text string) (*compiledPath, error) {
	t := x.Type(ctx)
	if p := x.kept.Load(); p != nil && p.text == text && p.typ == t {
		return p, nil
	}
	e, err := readPath(ctx, text)
	if err != nil {
		return nil, err
	}
	p, c := &compiledPath{text: text, typ: t}, &xmlCompiler{ctx: ctx, texts: t}
	if operand.IsBinary(t) {
		c.texts = types.CreateLongText(sql.Collation_utf8mb4_bin) // the order of bytes
	}
	if e.Nodes() {
		p.nodes, err = c.nodes(e)
	} else {
		p.value, err = c.value(e)
	}
	if err == nil && !c.varies {
		x.kept.Store(p)
	}
	return p, err
}

// extract is the text of the nodes, or the value.
func (p *compiledPath) extract(ctx *sql.Context, row sql.Row) (any, error) {
	if p.nodes == nil {
		v, err := p.value.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if is, ok := v.(bool); ok {
			return map[bool]string{true: "1", false: "0"}[is], nil
		}
		return operand.NewText(ctx, expression.NewLiteral(v, p.value.Type(ctx)), operand.Anything).Eval(ctx, nil)
	}
	set, err := p.nodes(ctx, row)
	if err != nil {
		return nil, err
	}
	return placeOf(row).document.Text(set), nil
}

// update replaces the node if there is one.
func (p *compiledPath) update(ctx *sql.Context, row sql.Row, fragment, by string) (any, error) {
	if p.nodes == nil {
		return nil, nil
	}
	set, err := p.nodes(ctx, row)
	if err != nil || len(set) != 1 {
		return fragment, err
	}
	from, to := placeOf(row).document.Span(set[0].Node)
	return fragment[:from] + by + fragment[to:], nil
}

// call makes the call of a function.
func (c *xmlCompiler) call(e *xpath.Expr) (sql.Expression, error) {
	switch e.Text {
	case "true", "false":
		return expression.NewLiteral(e.Text == "true", types.Boolean), nil
	case "position", "last":
		return &xmlLeaf{e.Text, types.Int64, func(_ *sql.Context, row sql.Row) (any, error) {
			m := placeOf(row).around[0]
			if e.Text == "last" {
				return int64(m.Size), nil
			}
			return int64(m.Pos), nil
		}}, nil
	case "count", "sum":
		return c.counted(e)
	case "not", "boolean":
		if len(e.Args) == 0 {
			return expression.NewLiteral(false, types.Boolean), nil
		}
		of, err := c.condition(e.Args[0])
		is := &xmlLeaf{e.Text, types.Boolean, negated(of)}
		if e.Text == "boolean" {
			is.eval = negated(&xmlLeaf{"not", types.Boolean, negated(of)})
		}
		return is, err
	}
	args, err := c.values(e.Args)
	if err != nil {
		return nil, err
	}
	switch e.Text {
	case "number", "floor", "ceiling", "round":
		return c.double(e.Text, args), nil
	case "string-length":
		if len(args) == 0 {
			if args, err = c.values([]*xpath.Expr{{Op: xpath.Around}}); err != nil {
				return nil, err
			}
		}
		return c.sql("char_length", args...)
	case "substring":
		return c.sql("substring", args...)
	case "contains":
		at, err := c.sql("locate", args[1], args[0])
		return c.compare(">", at, expression.NewLiteral(int64(0), types.Int64)), err
	}
	return c.sql("concat", args[:2]...) // of more operands, MySQL takes two
}

// sql is a call of a function of SQL.
func (c *xmlCompiler) sql(name string, args ...sql.Expression) (sql.Expression, error) {
	f, ok := operand.Lookup(name)
	if !ok {
		if f, ok = operand.Builtin(name); !ok {
			return nil, sql.ErrFunctionNotFound.New(name)
		}
	}
	return f.NewInstance(c.ctx, args)
}

// counted makes count or sum. A set that a condition is asked of counts all nodes that are asked.
func (c *xmlCompiler) counted(e *xpath.Expr) (sql.Expression, error) {
	set, err := c.nodes(e.Args[0])
	if e.Text == "count" {
		return &xmlLeaf{"count", types.Int64, func(ctx *sql.Context, row sql.Row) (any, error) {
			found, err := set(ctx, row)
			if len(found) > 0 && found[0].Size > 0 {
				return int64(found[0].Size), err
			}
			return int64(len(found)), err
		}}, err
	}
	return &xmlLeaf{"sum", types.Float64, func(ctx *sql.Context, row sql.Row) (any, error) {
		found, err := set(ctx, row)
		if err != nil {
			return nil, err
		}
		sum := 0.0
		placeOf(row).document.Texts(found, func(text string) bool {
			text = strings.TrimLeft(text, " \t\r\n\v\f")
			n, _ := strconv.ParseFloat(text[:operand.NumberPrefix(text)], 64) // what is no number is zero, without a warning
			sum += n
			return true
		})
		return sum, nil
	}}, err
}

// double makes a function of a DOUBLE. Without an operand it is zero.
func (c *xmlCompiler) double(name string, args []sql.Expression) sql.Expression {
	if len(args) == 0 {
		return expression.NewLiteral(0.0, types.Float64)
	}
	of := map[string]func(float64) float64{"floor": math.Floor, "ceiling": math.Ceil, "round": math.RoundToEven}[name]
	return &xmlLeaf{name, types.Float64, func(ctx *sql.Context, row sql.Row) (any, error) {
		n, null, err := operand.NumberAt(ctx, args[0], row)
		if err != nil || null {
			return nil, err
		}
		if of == nil {
			return n.AsFloat(), nil
		}
		return of(n.AsFloat()), nil
	}}
}
