package compare

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// comparer compares a value of one expression with one of another.
type comparer struct {
	parts       []comparer // of rows; nil: no row
	left, right sql.Type
	how         method
	text        operand.Collated
}

// method is how two values are compared.
type method uint8

const (
	asGMS     method = iota // go-mysql-server does it like MySQL
	asText                  // by collation
	asInteger               // whole numbers, of which some are unsigned
	asMoment                // a date or time and a number
	asNumber                // numbers of different kinds, or a text and a number
	asDates                 // dates, or a date and a text or a time
	asJSON                  // documents, or one and a text or number, which is one of its kind
)

func newComparer(ctx *sql.Context, l, r sql.Expression) comparer {
	c := comparer{left: l.Type(ctx), right: r.Type(ctx)}
	switch {
	case types.IsTuple(c.left) && types.IsTuple(c.right) && types.NumColumns(c.left) == types.NumColumns(c.right):
		ls, rs := columnsOf(l, c.left), columnsOf(r, c.right)
		for i := range ls {
			c.parts = append(c.parts, newComparer(ctx, ls[i], rs[i]))
		}
	case operand.IsText(c.left) && operand.IsText(c.right):
		c.how, c.text = asText, operand.Collate(operand.CollationOf(ctx, l, r))
	case types.IsInteger(c.left) && types.IsInteger(c.right) && types.IsUnsigned(c.left) != types.IsUnsigned(c.right):
		c.how = asInteger
	case types.IsJSON(c.left) && (isScalar(c.right) || types.IsJSON(c.right)), isScalar(c.left) && types.IsJSON(c.right):
		c.how = asJSON
	case isMoment(c.left) && isMoment(c.right), isMoment(c.left) && isString(c.right), isString(c.left) && isMoment(c.right),
		isMoment(c.left) && types.IsTimespan(c.right), types.IsTimespan(c.left) && isMoment(c.right):
		c.how = asDates
	case isMoment(c.left) && types.IsNumber(c.right), types.IsNumber(c.left) && isMoment(c.right):
		c.how = asMoment
	case operand.IsNumber(c.left) && operand.IsNumber(c.right) && operand.ShapeOfType(ctx, c.left).Kind != operand.ShapeOfType(ctx, c.right).Kind,
		operand.IsNumber(c.left) && operand.IsText(c.right), operand.IsText(c.left) && operand.IsNumber(c.right), operand.IsNumber(c.left) && types.IsEnum(c.right), types.IsEnum(c.left) && operand.IsNumber(c.right):
		c.how = asNumber
	}
	return c
}

// isScalar tells what a document is compared with as with a document of its own kind.
// go-mysql-server knows it on the right side only.
func isScalar(t sql.Type) bool { return operand.IsText(t) || operand.IsNumber(t) }

// columnsOf gives the parts of a row; where they are no expressions, as in a subquery, expressions
// of their types.
func columnsOf(e sql.Expression, t sql.Type) []sql.Expression {
	if tuple, ok := e.(expression.Tuple); ok {
		return tuple
	}
	var out []sql.Expression
	for _, part := range t.(types.TupleType) {
		out = append(out, expression.NewGetField(0, part, "", true))
	}
	return out
}

// own tells that the comparison is not left to go-mysql-server.
func (c *comparer) own() bool { return c.parts != nil || c.how != asGMS }

// compare compares two values. null: the result is NULL; of rows, n != 0 says then that they are
// not equal all the same.
func (c *comparer) compare(ctx *sql.Context, l, r any) (n int, null bool, err error) {
	if l == nil || r == nil {
		return 0, true, nil
	}
	switch {
	case c.parts != nil:
		return c.rows(ctx, l, r)
	case c.how == asText:
		a, okA, err := operand.TextOf(ctx, l)
		if err != nil {
			return 0, false, err
		}
		b, okB, err := operand.TextOf(ctx, r)
		if err != nil {
			return 0, false, err
		}
		if okA && okB {
			return c.text.Compare(a, b), false, nil
		}
	case c.how == asInteger:
		x, nullX, err := operand.NumberOf(ctx, l, c.left)
		if err != nil {
			return 0, false, err
		}
		y, nullY, err := operand.NumberOf(ctx, r, c.right)
		if err != nil {
			return 0, false, err
		}
		if !nullX && !nullY && x.Kind == operand.Integer && y.Kind == operand.Integer {
			return x.CompareInteger(y), false, nil
		}
	}
	if c.how == asJSON {
		return c.documents(ctx, l, r)
	}
	if c.how == asMoment || c.how == asNumber {
		read := operand.NumberOf
		if c.how == asMoment {
			read = momentNumber
		}
		x, nullX, err := read(ctx, l, c.left)
		if err != nil || nullX {
			return 0, nullX, err
		}
		y, nullY, err := read(ctx, r, c.right)
		if err != nil || nullY {
			return 0, nullY, err
		}
		n, err := x.Compare(y)
		return n, false, err
	}
	if c.how == asDates {
		a, okA := DateOf(ctx, l)
		b, okB := DateOf(ctx, r)
		if okA && okB {
			return compareDates(a, b), false, nil
		}
	}
	n, err = expression.NewEquals(expression.NewLiteral(l, c.left), expression.NewLiteral(r, c.right)).Compare(ctx, nil)
	if expression.ErrNilOperand.Is(err) {
		return n, true, nil
	}
	return n, false, err
}

func isMoment(t sql.Type) bool { return types.IsTime(t) }

// isString tells texts and bytes.
func isString(t sql.Type) bool { return operand.IsText(t) || operand.IsBinary(t) }

// compareDates compares dates, whether the calendar has them or not.
func compareDates(a, b time.Time) int {
	if operand.Unreal(a) || operand.Unreal(b) {
		return cmp.Compare(operand.Packed(a), operand.Packed(b))
	}
	return a.Compare(b)
}

// momentNumber gives dates and the numbers that MySQL reads as such the form YYYYMMDDhhmmss. Other
// numbers stay.
func momentNumber(ctx *sql.Context, v any, t sql.Type) (operand.Number, bool, error) {
	n, null, err := operand.NumberOf(ctx, v, t)
	if err != nil || null || n.Kind != operand.Integer || n.Large {
		return n, null, err
	}
	switch i := n.Whole; {
	case i < 101:
	case i <= 691231:
		n.Whole = (i + 20000000) * 1000000
	case i < 700101:
	case i <= 991231:
		n.Whole = (i + 19000000) * 1000000
	case i < 10000101:
	case i <= 99991231:
		n.Whole = i * 1000000
	case i < 101000000:
	case i <= 691231235959:
		n.Whole = i + 20000000000000
	case i < 700101000000:
	case i <= 991231235959:
		n.Whole = i + 19000000000000
	}
	return n, false, nil
}

// rows compares part by part. The first parts that are not equal decide; a NULL before them makes
// an order unknown, not an inequality.
func (c *comparer) rows(ctx *sql.Context, l, r any) (n int, null bool, err error) {
	ls, okL := l.([]any)
	rs, okR := r.([]any)
	if !okL || !okR || len(ls) != len(c.parts) || len(rs) != len(c.parts) {
		return 0, false, sql.ErrInvalidOperandColumns.New(len(c.parts), len(rs))
	}
	for i := range c.parts {
		one, unknown, err := c.parts[i].compare(ctx, ls[i], rs[i])
		if err != nil {
			return 0, false, err
		}
		null = null || unknown
		if one != 0 {
			return one, null, nil
		}
	}
	return 0, null, nil
}

// same is <=>.
func (c *comparer) same(ctx *sql.Context, l, r any) (bool, error) {
	if l == nil || r == nil {
		return l == nil && r == nil, nil
	}
	if c.parts == nil {
		n, null, err := c.compare(ctx, l, r)
		return n == 0 && !null, err
	}
	ls, okL := l.([]any)
	rs, okR := r.([]any)
	if !okL || !okR || len(ls) != len(c.parts) || len(rs) != len(c.parts) {
		return false, sql.ErrInvalidOperandColumns.New(len(c.parts), len(rs))
	}
	for i := range c.parts {
		if equal, err := c.parts[i].same(ctx, ls[i], rs[i]); !equal || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Comparison is = <=> < <= > >= of two expressions.
type Comparison struct {
	operand.Two
	op  string
	cmp comparer
}

var _ sql.Expression = (*Comparison)(nil)

var _ sql.CollationCoercible = (*Comparison)(nil)

// NewComparison returns nil if go-mysql-server compares like MySQL.
func NewComparison(ctx *sql.Context, op string, l, r sql.Expression) sql.Expression {
	readL, readR := readOnce(ctx, l, r), readOnce(ctx, r, l)
	cmp := newComparer(ctx, readL, readR)
	if !cmp.own() {
		if readL == l && readR == r {
			return nil
		}
		cmp.how = asNumber
	}
	l, r = readL, readR
	return &Comparison{operand.OverTwo(l, r), op, cmp}
}

// exactNumber is a text as the exact number that it is, if it is compared with a column of exact
// numbers; nil otherwise. A DOUBLE would be equal to its neighbours beyond 2^53.
func exactNumber(ctx *sql.Context, l *expression.Literal, with sql.Expression) sql.Expression {
	text, ok := l.Value().(string)
	if _, column := with.(*expression.GetField); !ok || !column || types.IsFloat(with.Type(ctx)) {
		return nil
	}
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 65 || strings.Trim(digits, "0123456789") != "" || digits == "" {
		return nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return expression.NewLiteral(n, types.Int64)
	}
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return nil
	}
	t, err := types.CreateDecimalType(uint8(len(digits)), 0)
	if err != nil {
		return nil
	}
	return expression.NewLiteral(d, t)
}

// readOnce gives for a literal text that is compared with a number the number it begins with, so
// that there is one warning of it.
func readOnce(ctx *sql.Context, e, with sql.Expression) sql.Expression {
	l, ok := e.(*expression.Literal)
	if !ok || l.Value() == nil || !operand.IsText(l.Type(ctx)) || !operand.IsNumber(with.Type(ctx)) {
		return e
	}
	if exact := exactNumber(ctx, l, with); exact != nil {
		return exact
	}
	n, null, err := operand.NumberOf(ctx, l.Value(), l.Type(ctx))
	if err != nil || null {
		return e
	}
	return expression.NewLiteral(n.AsFloat(), types.Float64)
}

func (c *Comparison) String() string {
	return fmt.Sprintf("(%s %s %s)", c.LeftChild, c.op, c.RightChild)
}

// Type implements sql.Expression.
func (*Comparison) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (c *Comparison) IsNullable(ctx *sql.Context) bool {
	return c.op != "<=>" && c.Two.IsNullable(ctx)
}

// WithChildren implements sql.Expression.
func (c *Comparison) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *Comparison) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, err := c.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	r, err := c.RightChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if l, err = sql.UnwrapAny(ctx, l); err != nil {
		return nil, err
	}
	if r, err = sql.UnwrapAny(ctx, r); err != nil {
		return nil, err
	}
	if operand.MayBeLarge(l) && operand.MayBeLarge(r) {
		return Aside(ctx, operand.Sum(operand.WeightOf(l), operand.WeightOf(r)), func(ctx *sql.Context) (any, error) { return c.of(ctx, l, r) })
	}
	return c.of(ctx, l, r)
}

// of compares two values.
func (c *Comparison) of(ctx *sql.Context, l, r any) (any, error) {
	if c.op == "<=>" {
		return c.cmp.same(ctx, l, r)
	}
	n, null, err := c.cmp.compare(ctx, l, r)
	switch {
	case err != nil:
		return nil, err
	case null && (c.op != "=" || n == 0):
		return nil, nil
	}
	switch c.op {
	case "=":
		return n == 0, nil
	case "<":
		return n < 0, nil
	case "<=":
		return n <= 0, nil
	case ">":
		return n > 0, nil
	}
	return n >= 0, nil
}

// Aside runs a call, on a goroutine of its own if its operands are of so many bytes together.
func Aside(ctx *sql.Context, size int64, call func(*sql.Context) (any, error)) (any, error) {
	if size < operand.AsideSize {
		return call(ctx)
	}
	return operand.RunAside(ctx, call)
}
