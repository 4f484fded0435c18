package rules

import (
	"bytes"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// EscapePattern does so, and makes LIKE BINARY compare bytes, in a statement that has been parsed,
// as GMS's rules pass by simple statements.
func EscapePattern(n *ast.ComparisonExpr) {
	if n.Operator != ast.LikeStr && n.Operator != ast.NotLikeStr {
		return
	}
	if pattern, ok := n.Right.(*ast.UnaryExpr); ok && pattern.Operator == ast.BinaryStr { // GMS goes by the left side
		n.Left = &ast.UnaryExpr{Operator: ast.BinaryStr, Expr: n.Left}
	}
	if n.Escape != nil {
		return
	}
	switch pattern := n.Right.(type) {
	case *ast.SQLVal:
		if pattern.Type != ast.StrVal || bytes.ContainsAny(pattern.Val, "%_") && !bytes.ContainsRune(pattern.Val, '\\') {
			return
		}
	}
	n.Escape = ast.NewStrVal([]byte(`\`))
}

// EscapeRule is the id of EscapedPatterns: no rule of GMS has it.
const EscapeRule analyzer.RuleId = 1 << 20

// EscapedPatterns writes ESCAPE '\' where a pattern makes use of it, or has no wildcard: without, GMS
// makes comparisons of patterns, by whole texts and with the backslashes.
func EscapedPatterns(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n,
		func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			like, ok := e.(*expression.Like)
			if !ok || like.Escape != nil {
				return e, transform.SameTree, nil
			}
			pattern, ok := like.Right().(*expression.Literal)
			if !ok {
				return e, transform.SameTree, nil
			}
			if text, ok := pattern.Value().(string); !ok || strings.ContainsAny(text, "%_") && !strings.Contains(text, `\`) {
				return e, transform.SameTree, nil
			}
			return expression.NewLike(like.Left(), pattern, expression.NewLiteral(`\`, types.LongText)), transform.NewTree, nil
		})
}
