package multivalued

import (
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

func (a *Array) invalid() error {
	return sqlerr.NewError(3903, "Invalid JSON value for CAST for functional index '%s'.", a.index)
}

func (a *Array) beyond() error {
	return sqlerr.NewError(3752, "Value is out of range for functional index '%s' at row 1", a.index)
}

func (a *Array) truncated() error {
	return sqlerr.NewError(3751, "Data truncated for functional index '%s' at row 1", a.index)
}

func (a *Array) tooLong() error {
	return sqlerr.NewError(3907, "Data too long for functional index '%s'.", a.index)
}

// value is an element as it is stored.
func (a *Array) value(ctx *sql.Context, v any) (row.Value, error) {
	switch v.(type) {
	case nil:
		return row.Value{}, a.invalid()
	case []any, map[string]any:
		return row.Value{}, sqlerr.NewError(3908, "Cannot store an array or an object in a scalar key part of the index '%s'.", a.index)
	}
	switch a.codec.Col.Type {
	case row.TInt64, row.TUint64, row.TDecimal:
		return a.numeric(ctx, v)
	case row.TVarchar, row.TVarbinary:
		return a.text(ctx, v)
	}
	return a.clock(ctx, v)
}

// number is an element that a column of numbers takes: a text has to be one.
func (a *Array) number(v any) (any, error) {
	switch x := v.(type) {
	case bool:
		if x {
			return int64(1), nil
		}
		return int64(0), nil
	case string:
		if x == "" || operand.NumberPrefix(x) != len(x) {
			return nil, a.invalid()
		}
		d, err := operand.ParseDecimal(x)
		if err != nil {
			return nil, a.invalid()
		}
		return d, nil
	}
	return v, nil
}

// numeric is an element of a type of numbers.
func (a *Array) numeric(ctx *sql.Context, v any) (row.Value, error) {
	n, err := a.number(v)
	if err != nil {
		return row.Value{}, err
	}
	if f, ok := n.(float64); ok && a.codec.Col.Type != row.TDecimal {
		if f = math.RoundToEven(f); f < math.MinInt64 || f >= 1<<64 || a.codec.Col.Type == row.TInt64 && f >= 1<<63 {
			return row.Value{}, sqlerr.NewError(3904, "Out of range JSON value for CAST for functional index '%s'.", a.index)
		}
	}
	value, err := a.stored(ctx, a.column(), n)
	var known *mysql.SQLError
	switch {
	case err == nil:
		return value, nil
	case errors.As(err, &known) && known.Num != mysql.ERWarnDataOutOfRange:
		return row.Value{}, a.invalid()
	}
	return row.Value{}, a.beyond()
}

// stored is a value as a column stores it.
func (a *Array) stored(ctx *sql.Context, c *sql.Column, v any) (row.Value, error) {
	s := store.NewStorer(ctx, false)
	s.Strict, s.Row = true, 1
	out, err := s.Value(ctx, c, v)
	if err != nil {
		return row.Value{}, err
	}
	return a.codec.Encode(ctx, out)
}

func (a *Array) column() *sql.Column {
	return &sql.Column{Name: a.index, Type: a.codec.Typ, Nullable: true}
}

// text is an element of a type of texts or bytes.
func (a *Array) text(ctx *sql.Context, v any) (row.Value, error) {
	s, err := shown(ctx, v)
	if err != nil {
		return row.Value{}, err
	}
	n := utf8.RuneCountInString(s)
	if a.codec.Col.Type == row.TVarbinary {
		n = len(s)
	}
	if n > int(a.codec.Col.Length) {
		return row.Value{}, a.tooLong()
	}
	return row.BytesValue([]byte(s)), nil
}

// shown is a scalar of a document without quotes.
func shown(ctx *sql.Context, v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	b, err := operand.AppendDocument(ctx, nil, v)
	return string(b), err
}

// clock is an element of a type of dates and times.
func (a *Array) clock(ctx *sql.Context, v any) (row.Value, error) {
	switch x := v.(type) {
	case bool:
		return row.Value{}, a.truncated()
	case *apd.Decimal, float64:
		text, err := shown(ctx, v)
		if err != nil {
			return row.Value{}, err
		}
		v = text
	case string:
		if strings.TrimSpace(x) == "" && a.codec.Col.Type != row.TTime {
			return row.Value{}, a.truncated()
		}
	}
	value, err := a.stored(ctx, a.clockColumn(), v)
	var known *mysql.SQLError
	switch {
	case err == nil && !value.IsNull():
		return value, nil
	case errors.As(err, &known) && known.Num == mysql.ERWarnDataOutOfRange:
		return row.Value{}, a.beyond()
	}
	return row.Value{}, a.truncated()
}

// clockColumn is the column that rounds to the type's digits.
func (a *Array) clockColumn() *sql.Column {
	c := a.column()
	if a.codec.Col.Type == row.TTime {
		c.Extra = store.AttributeMark + a.element
	}
	return c
}
