package expr

import (
	"strings"
	"time"

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

func init() { family(typedLiteral) }

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

// literalOf reads a typed literal: a date without a time of day, one with it, or a TIME, and
// nothing behind.
func literalOf(ctx *sql.Context, word, text string) (sql.Expression, error) {
	if word == "time" {
		micros, c, ok := ReadClock(text)
		if !ok || c.Cut || c.Dated || micros > maxTime || micros < -maxTime {
			return nil, noLiteral("TIME", text)
		}
		return expression.NewLiteral(types.Timespan(micros), types.Time), nil
	}
	at, clock, is := ReadMoment(text, Zone(ctx))
	l, err := momentLiteral(ctx, word == "date", text, at)
	switch zero := at.Equal(types.ZeroTime); {
	case err == nil && is == AMoment && clock == (word != "date") && !(zero && Mode(ctx).ModeEnabled("NO_ZERO_DATE")):
		return l, nil
	case word == "date":
		return nil, noLiteral("DATE", text)
	}
	return nil, noLiteral("DATETIME", text)
}

// momentLiteral is a DATE, or a DATETIME with as many digits as the text has.
func momentLiteral(ctx *sql.Context, date bool, text string, at time.Time) (sql.Expression, error) {
	if date {
		return expression.NewLiteral(at, types.Date), nil
	}
	typ := types.MustCreateDatetimeType(types.Datetime.Type(), fractionDigits(text))
	v, _, err := typ.Convert(ctx, at)
	return expression.NewLiteral(v, typ), err
}

func noLiteral(what, text string) error {
	return mysql.NewSQLError(1525, "HY000", "Incorrect %s value: '%s'", what, text)
}

// fractionDigits counts the digits behind the last point of a text, at most six.
func fractionDigits(text string) int {
	fraction := text[strings.LastIndexByte(text, '.')+1:]
	if len(fraction) == len(text) {
		return 0
	}
	return min(len(fraction)-len(strings.TrimLeft(fraction, "0123456789")), 6)
}
