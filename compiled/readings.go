package compiled

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/compare"
)

// Dates, times, documents, words of ENUM and SET and bits are numbers, texts and conditions in
// MySQL, too. GMS reads some of them otherwise: digits of a second are missing, a date is false in
// 1970, a word is its number. Package fn reads them as MySQL does, so that a statement has one
// answer: formulas compare such values, hand them on to functions made for them, and do nothing
// else with them.

// readOtherwise tells an expression that takes such a value for something else.
func readOtherwise(ctx *sql.Context, e sql.Expression) bool {
	is := manyfold
	switch f := e.(type) {
	case expression.Comparer, *expression.Between, *expression.IsNull, expression.Tuple, *expression.Alias, *compare.In, *compare.RowOf:
		return false
	case *compare.Comparison: // of a CHECK, where dates stand beside constants
		is = func(t sql.Type) bool { return manyfold(t) && !types.IsTime(t) }
	case sql.FunctionExpression:
		switch name := strings.ToLower(f.FunctionName()); {
		case rowFunctions[name]:
			return false
		case strings.HasPrefix(name, "json_"):
			is = func(t sql.Type) bool { return manyfold(t) && !types.IsJSON(t) }
		case dateFunctions[name]:
			is = func(t sql.Type) bool { return manyfold(t) && !types.IsTime(t) && !types.IsTimespan(t) }
		}
	}
	return slices.ContainsFunc(e.Children(), func(c sql.Expression) bool { return is(c.Type(ctx)) })
}

// manyfold tells types whose values are read in several ways.
func manyfold(t sql.Type) bool {
	return types.IsTime(t) || types.IsTimespan(t) || types.IsEnum(t) || types.IsSet(t) || types.IsBit(t) || types.IsJSON(t)
}

// rowFunctions are functions over rows that give the values as they are, or count them.
var rowFunctions = map[string]bool{"count": true, "min": true, "max": true, "isnull": true}

// dateFunctions are functions of dates and times.
var dateFunctions = map[string]bool{"year": true, "month": true, "day": true, "dayofmonth": true, "dayofyear": true, "dayofweek": true, "weekday": true, "quarter": true,
	"hour": true, "minute": true, "second": true, "date": true, "datediff": true, "date_format": true}
