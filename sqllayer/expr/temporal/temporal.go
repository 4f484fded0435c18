package temporal

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

func IsTyped(f *ast.FuncExpr) bool { return strings.HasPrefix(f.Name.String(), operand.TypedLiteral) }

func init() { operand.Family(typedLiteral) }

// typedLiteral finds the function of a name.
func typedLiteral(name string) (sql.Function, bool) {
	word, ok := strings.CutPrefix(name, operand.TypedLiteral)
	if !ok {
		return nil, false
	}
	if typ, ok := strings.CutPrefix(word, operand.ValuePrefix); ok {
		return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			text, _ := args[0].(*expression.Literal).Value().(string)
			return operand.ValueOf(ctx, typ, text), nil
		}}, true
	}
	word = strings.TrimSpace(word)
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		l, ok := args[0].(*expression.Literal)
		if !ok || len(args) != 1 {
			return nil, sql.ErrInvalidArgumentNumber.New(word, "1", len(args))
		}
		text, _ := l.Value().(string)
		return literalOf(ctx, word, text)
	}}, true
}

// literalOf reads a typed literal: a date without a time of day, one with it, or a TIME, and
// nothing behind.
func literalOf(ctx *sql.Context, word, text string) (sql.Expression, error) {
	if word == "time" {
		micros, c, ok := operand.ReadClock(text)
		if !ok || c.Cut || c.Dated || micros > operand.MaxTime || micros < -operand.MaxTime {
			return nil, noLiteral("TIME", text)
		}
		return expression.NewLiteral(types.Timespan(micros), types.Time), nil
	}
	operand.WarnOfDelimiter(ctx, text, 1)
	dates := operand.DatesOf(ctx)
	at, clock, is := operand.ReadMoment(text, dates, operand.Zone(ctx))
	l, err := operand.MomentLiteral(ctx, word == "date", text, at)
	switch {
	case err == nil && is == operand.AMoment && clock == (word != "date") && dates.Take(operand.MomentOf(at)):
		return l, nil
	case word == "date":
		return nil, noLiteral("DATE", text)
	}
	return nil, noLiteral("DATETIME", text)
}

func noLiteral(what, text string) error {
	return mysql.NewSQLError(1525, "HY000", "Incorrect %s value: '%s'", what, text)
}
