package fn

import (
	"strings"

	"emberdb/sql/types"
)

// Of which types dates and times of columns are that are made of a query.

// secondDigits is how many digits of the second an operand has where a time or a date is expected.
func secondDigits(a Expr) uint8 {
	if c, ok := a.(*Const); ok && c.T.Kind == types.String {
		return textFraction(string(c.V.S[0]))
	}
	return numberDigits(a)
}

// numberDigits is how many digits of the second an operand has where a number is expected.
func numberDigits(a Expr) uint8 {
	switch t := a.Type(); t.Kind {
	case types.Null, types.Int, types.Uint, types.Date:
		return 0
	case types.Decimal, types.DateTime, types.Time:
		return min(t.Scale, 6)
	}
	return 6
}

// textFraction is how many digits of the second a constant text has.
func textFraction(text string) uint8 {
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '.':
			return uint8(min(len(text)-1-i, 6))
		case c < '0' || c > '9':
			return 0
		}
	}
	return 0
}

func sysdate(_ *Setting, args []Expr) (types.Type, error) {
	n := int64(0)
	if len(args) > 0 {
		var err error
		if n, err = integer(args[0]); err != nil || n < 0 || n > 6 {
			return types.Type{}, Refuse(ByType, "SYSDATE with so many digits")
		}
	}
	return types.DateTimeType(uint8(n), false), nil
}

// unixSeconds is an integer, or a DECIMAL with eleven digits before the point.
func unixSeconds(_ *Setting, args []Expr) (types.Type, error) {
	if len(args) == 0 {
		return types.IntType(21, false), nil
	}
	null := args[0].Type().Nullable
	if n := secondDigits(args[0]); n > 0 {
		return types.DecimalType(11+int(n), int(n), null), nil
	}
	return types.IntType(21, null), nil
}

func (s *Setting) fromUnix(args []Expr) (types.Type, error) {
	if len(args) == 2 {
		return s.formatted(args)
	}
	return fromSeconds(s, args)
}

func fromSeconds(_ *Setting, args []Expr) (types.Type, error) {
	return types.DateTimeType(numberDigits(args[0]), true), nil
}

func timeOf(_ *Setting, args []Expr) (types.Type, error) {
	return types.TimeType(secondDigits(args[0]), true), nil
}

// timestampOf is TIMESTAMP(date [, time]).
func timestampOf(_ *Setting, args []Expr) (types.Type, error) {
	n := uint8(0)
	for _, a := range args {
		n = max(n, secondDigits(a))
	}
	return types.DateTimeType(n, true), nil
}

// byFormat is STR_TO_DATE. A format that is no constant may have everything.
func byFormat(_ *Setting, args []Expr) (types.Type, error) {
	c, ok := args[1].(*Const)
	if !ok || c.T.Kind != types.String {
		return types.DateTimeType(6, true), nil
	}
	switch kind, digits := FormatKind(string(c.V.S[0])); kind {
	case types.Date:
		return types.DateType(true), nil
	case types.Time:
		return types.TimeType(digits, true), nil
	default:
		return types.DateTimeType(digits, true), nil
	}
}

// FormatKind is the kind of values that STR_TO_DATE reads by a format, and their digits of seconds.
// A day alone makes no date of a time: its hours count.
func FormatKind(format string) (kind types.Kind, digits uint8) {
	var dated, timed bool
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		switch letter := format[i]; {
		case letter == 'f':
			timed, digits = true, 6
		case strings.IndexByte("HISThiklrs", letter) >= 0:
			timed = true
		case strings.IndexByte("MVUXYWabcjmvuxyw", letter) >= 0:
			dated = true
		}
	}
	switch {
	case !timed:
		return types.Date, 0
	case dated:
		return types.DateTime, digits
	}
	return types.Time, digits
}

// timeSum is ADDTIME and SUBTIME: a DATETIME for one, a TIME for a TIME or a number, else a text.
func (s *Setting) timeSum(args []Expr) (types.Type, error) {
	digits := max(secondDigits(args[0]), secondDigits(args[1]))
	switch t := args[0].Type(); t.Kind {
	case types.DateTime, types.Date:
		return types.DateTimeType(digits, true), nil
	case types.Time:
		return types.TimeType(digits, true), nil
	}
	return types.StringType(shownMoment, s.Collation, types.Literal, true), nil
}

func timeDifference(_ *Setting, args []Expr) (types.Type, error) {
	return types.TimeType(max(secondDigits(args[0]), secondDigits(args[1])), true), nil
}

// timeOfNumber is a TIME whose seconds an operand gives.
func timeOfNumber(at int) typeOf {
	return func(_ *Setting, args []Expr) (types.Type, error) {
		return types.TimeType(numberDigits(args[at]), true), nil
	}
}

// momentLike is a DATETIME with the digits of the first operand.
func momentLike(_ *Setting, args []Expr) (types.Type, error) {
	return types.DateTimeType(secondDigits(args[0]), true), nil
}
