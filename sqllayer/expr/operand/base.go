package operand

// The bases of expressions over one, two or many others. A value is no text unless the expression
// says otherwise; WithChildren of an expression that keeps all but its operands is a call of the
// function of that name.

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// One is the base of an expression over one other. It is printed as that one.
type One struct{ expression.UnaryExpressionStub }

// Over makes the base.
func Over(e sql.Expression) One { return One{expression.UnaryExpressionStub{Child: e}} }

func (o *One) String() string { return o.Child.String() }

// CollationCoercibility implements sql.CollationCoercible.
func (*One) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (o *One) Put(children []sql.Expression) { o.Child = children[0] }

// Like is the base of an expression of the type and collation of the one it is over.
type Like struct{ One }

func LikeOf(e sql.Expression) Like { return Like{Over(e)} }

// Type implements sql.Expression.
func (l *Like) Type(ctx *sql.Context) sql.Type { return l.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (l *Like) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, l.Child)
}

// Two is the base of an expression over two others.
type Two struct {
	expression.BinaryExpressionStub
}

func OverTwo(left, right sql.Expression) Two {
	return Two{expression.BinaryExpressionStub{LeftChild: left, RightChild: right}}
}

// CollationCoercibility implements sql.CollationCoercible.
func (*Two) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (t *Two) Put(children []sql.Expression) { t.LeftChild, t.RightChild = children[0], children[1] }

// Many is the base of an expression over any number of others.
type Many struct{ expression.NaryExpression }

func OverMany(of []sql.Expression) Many { return Many{expression.NaryExpression{ChildExpressions: of}} }

// CollationCoercibility implements sql.CollationCoercible.
func (*Many) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (m *Many) Put(children []sql.Expression) { m.ChildExpressions = children }

// WithChildren is an expression over others than e, as many of them, and else like it.
func WithChildren[T any, E interface {
	*T
	sql.Expression
	Put(children []sql.Expression)
}](e E, children []sql.Expression) (sql.Expression, error) {
	if want := len(e.Children()); len(children) != want {
		return nil, sql.ErrInvalidChildrenNumber.New(e, len(children), want)
	}
	changed := *e
	E(&changed).Put(children)
	return E(&changed), nil
}
