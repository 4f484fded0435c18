package texts

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// substringIndex is SUBSTRING_INDEX. MySQL looks for the delimiters from the end if a count is
// negative and each character is one byte; else always from the beginning.
func substringIndex() sql.Function {
	return sql.FunctionN{Name: "substring_index", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New("SUBSTRING_INDEX", 3, len(args))
		}
		fromEnd := args[0].Resolved() && operand.SetOf(operand.CharsetOf(ctx, args[0])).MaxLen() == 1
		return newSpliced(ctx, "substring_index", args, func(ctx *sql.Context, a []any, _ bool) (any, error) {
			text, count, delimiter, null, err := spliceArgs(ctx, a[0], a[2], a[1])
			switch {
			case null || err != nil:
				return nil, err
			case delimiter == "" || count == 0:
				return "", nil
			case count > 0:
				return textBefore(text, delimiter, count), nil
			case fromEnd:
				return lastText(text, delimiter, count), nil
			}
			return textBehind(text, delimiter, count), nil
		}), nil
	}}
}

// textBefore is what stands before the delimiter of a number.
func textBefore(text, delimiter string, number int64) string {
	at := 0
	for ; number > 0; number-- {
		next := strings.Index(text[at:], delimiter)
		if next < 0 {
			return text
		}
		at += next + len(delimiter)
	}
	return text[:at-len(delimiter)]
}

// textBehind is what stands behind the delimiter of a number, which is counted from the last one.
func textBehind(text, delimiter string, number int64) string {
	skip := int64(strings.Count(text, delimiter)) + number
	if skip < 0 {
		return text
	}
	for ; skip >= 0; skip-- {
		text = text[strings.Index(text, delimiter)+len(delimiter):]
	}
	return text
}

// lastText is textBehind of delimiters that are found from the end.
func lastText(text, delimiter string, number int64) string {
	end := len(text)
	for ; number < 0; number++ {
		if end = strings.LastIndex(text[:end], delimiter); end < 0 {
			return text
		}
	}
	return text[end+len(delimiter):]
}
