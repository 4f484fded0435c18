package planner

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/charset"
	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// binaryTextsRule is the id of binaryTexts: no rule of GMS has it.
const binaryTextsRule = windowColumnsRule + 1

// binaryTexts makes texts of the strings that stand beside texts of a character set.
func binaryTexts(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s := sqllayer.SessionOf(ctx); s == nil || !s.BytesAreStrings() {
		return n, transform.SameTree, nil
	}
	return textsOfBytes(ctx, n)
}

func textsOfBytes(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := transform.NodeExprsWithOpaque(ctx, n, textOfBytes)
	if err != nil {
		return nil, transform.SameTree, err
	}
	n, sameSource, err := transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		into, ok := n.(*plan.InsertInto)
		if !ok {
			return n, transform.SameTree, nil
		}
		source, same, err := textsOfBytes(ctx, into.Source)
		if err != nil || same {
			return n, transform.SameTree, err
		}
		return into.WithSource(source), transform.NewTree, nil
	})
	return n, same && sameSource, err
}

// textOfBytes looks at one expression. A comparison goes by the collation of the text; to other
// functions only bytes that are not ASCII are anything else than before.
func textOfBytes(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if q, ok := e.(*plan.Subquery); ok {
		query, same, err := textsOfBytes(ctx, q.Query)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return q.WithQuery(query), transform.NewTree, nil
	}
	children := e.Children()
	if len(children) < 2 {
		return e, transform.SameTree, nil
	}
	collation := textBeside(ctx, children)
	if collation == sql.Collation_binary {
		return e, transform.SameTree, nil
	}
	compares := false
	switch e.(type) {
	case expression.Comparer, *expression.Like, *expression.Between:
		compares = true
	}
	var out []sql.Expression
	for i, c := range children {
		text := decoded(ctx, c, collation, compares)
		if text == nil {
			continue
		}
		if out == nil {
			out = append(out, children...)
		}
		out[i] = text
	}
	if out == nil {
		return e, transform.SameTree, nil
	}
	e, err := e.WithChildren(ctx, out...)
	return e, transform.NewTree, err
}

// textBeside is the collation of the first operand that is a text and no constant.
func textBeside(ctx *sql.Context, operands []sql.Expression) sql.CollationID {
	for _, o := range operands {
		if _, constant := o.(*expression.Literal); constant || !o.Resolved() {
			continue
		}
		if t, ok := o.Type(ctx).(sql.StringType); ok && t.Collation() != sql.Collation_binary && types.IsTextOnly(t) {
			return t.Collation()
		}
	}
	return sql.Collation_binary
}

// decoded is a string as a text of the collation; nil if it is none, or all ASCII and not compared.
func decoded(ctx *sql.Context, e sql.Expression, collation sql.CollationID, compares bool) sql.Expression {
	if list, ok := e.(expression.Tuple); ok {
		out, changed := append(expression.Tuple(nil), list...), false
		for i, x := range list {
			if text := decoded(ctx, x, collation, compares); text != nil {
				out[i], changed = text, true
			}
		}
		if changed {
			return out
		}
		return nil
	}
	l, ok := e.(*expression.Literal)
	if !ok {
		return nil
	}
	bytes, ok := store.Texted(l.Value())
	if t, isText := l.Type(ctx).(sql.StringType); !ok || !isText || t.Collation() != sql.Collation_binary {
		return nil
	}
	set := charset.Find(collation.CharacterSet().Name())
	if set == nil || !compares && utf8.ValidString(bytes) {
		return nil
	}
	text, read := set.Decode(nil, []byte(bytes))
	if read < len(bytes) {
		return nil
	}
	return expression.NewLiteral(string(text), types.CreateLongText(collation))
}
