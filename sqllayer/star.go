package sqllayer

import ast "github.com/dolthub/vitess/go/vt/sqlparser"

// firstStar refuses a * that is not the first of a SELECT's list, which MySQL's grammar does not know and the library's does.
func (r *rewriterAST) firstStar(list ast.SelectExprs) error {
	for i, e := range list {
		if star, ok := e.(*ast.StarExpr); !ok || i == 0 || r.plain || !star.TableName.IsEmpty() {
			continue
		}
		tokens := tokensOf(r.query)
		for n := range tokens[1:] {
			if tokens[n].text == "," && tokens[n+1].text == "*" {
				return errNear(r.query, tokens[n+1].at, r.query[tokens[n+1].at:])
			}
		}
	}
	return nil
}
