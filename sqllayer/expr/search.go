package expr

// MATCH ... AGAINST, of which go-mysql-server knows natural language only, and a relevance of fewer
// digits.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

const (
	relevance = "relevance of" // makes a DOUBLE of what MATCH gives
	boolean   = "search boolean "
	expanded  = "search expanded "
)

// BooleanMark and ExpandedMark stand before the text of a search in another mode than natural
// language: constants are folded, so the text has to say so itself.
const (
	BooleanMark  = "\x00boolean\x00"
	ExpandedMark = "\x00expanded\x00"
)

// language notes the mode of a search in what is searched for.
func language(e *ast.MatchExpr) {
	switch strings.ToLower(strings.TrimSpace(e.Option)) {
	case strings.TrimSpace(ast.BooleanModeStr):
		e.Expr = operand.CallOf(boolean, e.Expr)
	case strings.TrimSpace(ast.QueryExpansionStr), strings.TrimSpace(ast.NaturalLanguageModeWithQueryExpansionStr):
		e.Expr = operand.CallOf(expanded, e.Expr)
	}
	e.Option = ""
}

// hoist moves the searches among the conditions of inner joins to WHERE, as the planner looks for
// their tables in a whole FROM only.
func hoist(s *ast.Select) {
	for _, t := range s.From {
		for _, e := range hoistFrom(t) {
			s.AddWhere(e)
		}
	}
}

func hoistFrom(t ast.TableExpr) (out []ast.Expr) {
	j, ok := t.(*ast.JoinTableExpr)
	if !ok {
		return nil
	}
	switch strings.ToLower(j.Join) {
	case ast.JoinStr, ast.StraightJoinStr, "inner join", "cross join":
		var rest ast.Expr
		for _, e := range conjuncts(j.Condition.On) {
			if holdsMatch(e) {
				out = append(out, e)
			} else if rest == nil {
				rest = e
			} else {
				rest = &ast.AndExpr{Left: rest, Right: e}
			}
		}
		if len(out) > 0 {
			j.Condition.On = rest
		}
		return append(append(hoistFrom(j.LeftExpr), out...), hoistFrom(j.RightExpr)...)
	}
	return nil
}

func conjuncts(e ast.Expr) []ast.Expr {
	if and, ok := e.(*ast.AndExpr); ok {
		return append(conjuncts(and.Left), conjuncts(and.Right)...)
	}
	if e == nil {
		return nil
	}
	return []ast.Expr{e}
}

func holdsMatch(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, match := n.(*ast.MatchExpr)
		found = found || match
		return !found, nil
	}, e)
	return found
}

// condition finds the searches that all rows must fulfil.
func (r *replacer) condition(e ast.Expr) {
	switch e := e.(type) {
	case *ast.MatchExpr:
		r.conditions[e] = true
	case *ast.AndExpr:
		r.condition(e.Left)
		r.condition(e.Right)
	case *ast.ParenExpr:
		r.condition(e.Expr)
	}
}

func init() {
	operand.Register(operand.NewScalar(relevance, 1, 1, types.Float64, func(_ *sql.Context, a []any) (any, error) { return a[0], nil }))
	for name, mark := range map[string]string{boolean: BooleanMark, expanded: ExpandedMark} {
		operand.Register(operand.NewScalar(name, 1, 1, types.LongText, func(ctx *sql.Context, a []any) (any, error) {
			text, _, err := types.LongText.Convert(ctx, a[0])
			if err != nil || text == nil {
				return nil, err
			}
			if text, err = sql.UnwrapAny(ctx, text); err != nil {
				return nil, err
			}
			return mark + text.(string), nil
		}))
	}
}
