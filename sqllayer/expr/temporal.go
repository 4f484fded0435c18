package expr

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TypedLiteral begins the names of the functions that stand for DATE '...', TIME '...' and TIMESTAMP '...' in a text that the parser reads: it drops
// the word. The word as it was written follows.
const TypedLiteral = "\x00literal "

func isTyped(f *ast.FuncExpr) bool { return strings.HasPrefix(f.Name.String(), TypedLiteral) }

// typedLiteral finds the function of a name.
func typedLiteral(name string) (sql.Function, bool) {
	word, ok := strings.CutPrefix(name, TypedLiteral)
	if !ok {
		return nil, false
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
	var typ sql.Type
	what := "DATETIME"
	switch word {
	case "date":
		typ, what = types.Date, "DATE"
	case "time":
		typ, what = types.Time, "TIME"
	default:
		digits := 0
		if _, fraction, ok := strings.Cut(text, "."); ok {
			digits = min(len(fraction), 6)
		}
		typ = types.MustCreateDatetimeType(types.Datetime.Type(), digits)
	}
	v, _, err := typ.Convert(ctx, text)
	if err != nil || v == nil {
		return nil, mysql.NewSQLError(1525, "HY000", "Incorrect %s value: '%s'", what, text)
	}
	return expression.NewLiteral(v, typ), nil
}

// Shifted is a date plus or minus an interval. go-mysql-server makes a time with a date of every date.
type Shifted struct {
	One
	typ sql.Type
}

var _ sql.CollationCoercible = (*Shifted)(nil)

func init() {
	wrap := func(name string) {
		f, _ := builtin(name)
		register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			e, err := f.NewInstance(ctx, args)
			if err != nil {
				return nil, err
			}
			return newShifted(ctx, e), nil
		}})
	}
	wrap("date_add")
	wrap("date_sub")
}

// newShifted gives e itself unless it is of a date or a time with a date.
func newShifted(ctx *sql.Context, e sql.Expression) sql.Expression {
	var date sql.Expression
	var by *expression.Interval
	switch d := e.(type) {
	case *function.DateAdd:
		date, by = d.Date, d.Interval
	case *function.DateSub:
		date, by = d.Date, d.Interval
	default:
		return e
	}
	t, ok := date.Type(ctx).(sql.DatetimeType)
	if !ok {
		return e
	}
	fine := strings.Contains(strings.ToUpper(by.Unit), "MICROSECOND")
	switch unit := strings.ToUpper(by.Unit); {
	case types.IsDateType(t):
		switch unit {
		case "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "YEAR_MONTH":
			return &Shifted{Over(e), types.Date}
		}
		if !fine {
			return &Shifted{Over(e), types.Datetime}
		}
	case !fine:
		return &Shifted{Over(e), types.MustCreateDatetimeType(types.Datetime.Type(), t.Precision())}
	}
	return e
}

// Type implements sql.Expression.
func (s *Shifted) Type(*sql.Context) sql.Type { return s.typ }

// WithChildren implements sql.Expression.
func (s *Shifted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *Shifted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := s.Child.Eval(ctx, row)
	if t, ok := v.(time.Time); ok && types.IsDateType(s.typ) {
		return t.Truncate(24 * time.Hour), err
	}
	return v, err
}
