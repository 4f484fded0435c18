package operand

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// longest is the bytes of a value that stands in a tree as a literal.
const longest = 4 << 10

// TextValue is the expression of the text of a parameter or variable; its collation is that of the
// connection.
func TextValue(text string) ast.Expr {
	if len(text) <= longest {
		return ast.NewStrVal([]byte(text))
	}
	return injected(newLongValue(text, types.LongText))
}

// BytesValue is the expression of the bytes of a parameter or variable.
func BytesValue(b []byte) ast.Expr {
	if len(b) <= longest {
		return Value(AsBytes, b)
	}
	return injected(newLongValue(b, types.LongBlob))
}

func injected(l *longValue) ast.Expr {
	return ast.InjectedExpr{Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}, Expression: l}
}

// longValue is a literal that is printed in short. GMS prints the expressions that it plans, each
// with all that is below it: many long values in one expression would take as much memory again at
// every level of it.
type longValue struct {
	expression.Literal
	shown string // as no other value
}

func newLongValue[T string | []byte](v T, t sql.Type) *longValue {
	return &longValue{*expression.NewLiteral(v, t), fmt.Sprintf("'%d bytes %x'", len(v), sha256.Sum256([]byte(v)))}
}

var (
	_ ast.Injectable         = (*longValue)(nil)
	_ sql.Expression         = (*longValue)(nil)
	_ sql.CollationCoercible = (*longValue)(nil)
)

// WithResolvedChildren implements ast.Injectable.
func (l *longValue) WithResolvedChildren(ctx context.Context, _ []any) (any, error) {
	c, ok := ctx.(*sql.Context)
	if !ok || !types.IsTextOnly(l.Typ) {
		return l, nil
	}
	collated := *l
	collated.Typ = types.CreateLongText(c.GetCollation())
	return &collated, nil
}

// WithChildren implements sql.Expression.
func (l *longValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(l, len(children), 0)
	}
	return l, nil
}

func (l *longValue) String() string { return l.shown }

// DebugString implements sql.DebugStringer.
func (l *longValue) DebugString(*sql.Context) string { return l.shown }
