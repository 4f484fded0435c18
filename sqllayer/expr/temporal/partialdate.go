package temporal

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// dateParts are the functions that take dates without a month or a day: the part is 0 there.
var dateParts = map[string]func(m own.Moment) int{
	"year": func(m own.Moment) int { return m.Year }, "quarter": func(m own.Moment) int { return (m.Month + 2) / 3 },
	"month": func(m own.Moment) int { return m.Month },
	"day":   func(m own.Moment) int { return m.Day }, "dayofmonth": func(m own.Moment) int { return m.Day },
}

// datePart is such a function of a text or number, which GMS answers for all other dates.
type datePart struct {
	operand.Like
	of func(m own.Moment) int
}

// withParts is f as a function that takes such dates, if it is one of them.
func withParts(name string, f sql.Expression) sql.Expression {
	of := dateParts[name]
	if of == nil || len(f.Children()) != 1 {
		return f
	}
	d, ok := f.Children()[0].(*dated)
	if _, function := f.(sql.FunctionExpression); !ok || !function {
		return f
	}
	d.parts = true
	return &datePart{operand.LikeOf(f), of}
}

// FunctionName implements sql.FunctionExpression.
func (d *datePart) FunctionName() string { return d.function().FunctionName() }

// Description implements sql.FunctionExpression.
func (d *datePart) Description() string { return d.function().Description() }

func (d *datePart) function() sql.FunctionExpression { return d.Child.(sql.FunctionExpression) }

// Children implements sql.Expression: they are the function's.
func (d *datePart) Children() []sql.Expression { return d.Child.Children() }

// WithChildren implements sql.Expression.
func (d *datePart) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	f, err := d.Child.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &datePart{operand.LikeOf(f), d.of}, nil
}

// Eval implements sql.Expression. The argument is computed once.
func (d *datePart) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	arg := d.Child.Children()[0]
	v, err := arg.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if p, ok := v.(partialDate); ok {
		v, _, err = d.Child.Type(ctx).Convert(ctx, int64(d.of(own.Moment(p))))
		return v, err
	}
	f, err := d.Child.WithChildren(ctx, expression.NewLiteral(v, arg.Type(ctx)))
	if err != nil {
		return nil, err
	}
	return f.Eval(ctx, nil)
}

// partialDate is the value of a date without a month or a day.
type partialDate own.Moment

// partialNumber reads a number that begins with such a date, or with a day that the month lacks: of
// numbers, MySQL takes both.
func partialNumber(digits string) (m own.Moment, ok bool) {
	text := longDate(digits)
	if text == "" && len(digits) < 3 {
		text = strings.Repeat("0", 6-len(digits)) + digits
	}
	read, ok := own.ReadMoment(text)
	m = own.Moment{Year: read.Year, Month: read.Month, Day: read.Day}
	return m, ok && !m.Real()
}

// partialText reads a text that begins with such a date. The date of zeros alone is none.
func partialText(text string) (m own.Moment, cut, ok bool) {
	read, ok := own.ReadMoment(text)
	m = own.Moment{Year: read.Year, Month: read.Month, Day: read.Day}
	return m, read.Cut, ok && m != (own.Moment{}) && (m.Month == 0 || m.Day == 0)
}
