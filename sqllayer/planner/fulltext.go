package planner

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// likeRule is the id of likeFullText: no rule of GMS has it.
const likeRule = lateralRule + 1

// likeFullText tells the full-text indexes of a CREATE TABLE ... LIKE by the mark in their
// comments: GMS copies them as ordinary keys.
func likeFullText(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if c, ok := n.(*plan.CreateTable); ok {
		for _, idx := range c.Indexes() {
			if comment, marked := strings.CutPrefix(idx.Comment, tabledef.FullTextMark); marked {
				idx.Comment, idx.Constraint = comment, sql.IndexConstraint_Fulltext
			}
		}
		if made := likeTable(ctx, c); made != nil {
			return made, transform.NewTree, nil
		}
	}
	return n, transform.SameTree, nil
}

// joining hides full-text indexes from the choice of access paths of a plan without MATCH: GMS
// would look for the values of their columns in them.
func joining(ctx *sql.Context, n sql.Node) func() {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return func() {}
	}
	words := false
	transform.InspectExpressions(ctx, n, func(_ *sql.Context, e sql.Expression) bool {
		_, match := e.(*expression.MatchAgainst)
		words = words || match
		return !words
	})
	before := s.Stmt.Joining
	s.Stmt.Joining = !words
	return func() { s.Stmt.Joining = before }
}
