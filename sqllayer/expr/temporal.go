package expr

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TypedLiteral begins the names of the functions that stand for DATE '...', TIME '...' and
// TIMESTAMP '...' in a text that the parser reads: it drops the word. The word as it was written
// follows.
const TypedLiteral = "\x00literal "

func isTyped(f *ast.FuncExpr) bool { return strings.HasPrefix(f.Name.String(), TypedLiteral) }

// typedLiteral finds the function of a name.
func typedLiteral(name string) (sql.Function, bool) {
	word, ok := strings.CutPrefix(name, TypedLiteral)
	if !ok {
		return nil, false
	}
	if typ, ok := strings.CutPrefix(word, valuePrefix); ok {
		return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			text, _ := args[0].(*expression.Literal).Value().(string)
			return valueOf(ctx, typ, text), nil
		}}, true
	}
	word = strings.TrimSpace(word)
	if escape, ok := strings.CutPrefix(word, "{"); ok {
		word = map[string]string{"d": "date", "t": "time", "ts": "timestamp"}[strings.TrimSpace(escape)]
	}
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		l, ok := args[0].(*expression.Literal)
		if !ok || len(args) != 1 {
			return nil, sql.ErrInvalidArgumentNumber.New(word, "1", len(args))
		}
		text, _ := l.Value().(string)
		return literalOf(ctx, word, text)
	}}, true
}

// literalOf reads a typed literal.
func literalOf(ctx *sql.Context, word, text string) (sql.Expression, error) {
	typ, what := temporalType(word, text)
	v, _, err := typ.Convert(ctx, text)
	if err != nil || v == nil {
		return nil, mysql.NewSQLError(1525, "HY000", "Incorrect %s value: '%s'", what, text)
	}
	return expression.NewLiteral(v, typ), nil
}

// temporalType is the type of a literal, and its name in errors.
func temporalType(word, text string) (sql.Type, string) {
	switch word {
	case "date":
		return types.Date, "DATE"
	case "time":
		return types.Time, "TIME"
	}
	digits := 0
	if _, fraction, ok := strings.Cut(text, "."); ok {
		digits = min(len(fraction), 6)
	}
	return types.MustCreateDatetimeType(types.Datetime.Type(), digits), "DATETIME"
}
