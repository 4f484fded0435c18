package fn

import (
	"bytes"
	"strings"
)

// signature is how a function is called.
type signature struct {
	least, most int
	make        func(args []Expr) (Expr, error)
}

var functions = map[string]signature{
	"substring":        {2, 3, substring},
	"substr":           {2, 3, substring},
	"mid":              {3, 3, substring},
	"left":             {2, 2, left},
	"length":           {1, 1, length},
	"octet_length":     {1, 1, length},
	"char_length":      {1, 1, charLength},
	"character_length": {1, 1, charLength},
	"concat":           {1, 64, concat},
	"upper":            {1, 1, caseOf("upper", bytes.ToUpper)},
	"ucase":            {1, 1, caseOf("upper", bytes.ToUpper)},
	"lower":            {1, 1, caseOf("lower", bytes.ToLower)},
	"lcase":            {1, 1, caseOf("lower", bytes.ToLower)},
	"ltrim":            {1, 1, trimSpace("ltrim", true, false)},
	"rtrim":            {1, 1, trimSpace("rtrim", false, true)},
	"trim":             {1, 1, trimSpace("trim", true, true)},
	"year":             {1, 1, partOf("year")},
	"month":            {1, 1, partOf("month")},
	"day":              {1, 1, partOf("day")},
	"dayofmonth":       {1, 1, partOf("day")},
	"quarter":          {1, 1, partOf("quarter")},
	"date":             {1, 1, dateOf},
	"datediff":         {2, 2, dayDifference},
	"round":            {1, 2, round},
	"abs":              {1, 1, absolute},
	"coalesce":         {1, 64, Coalesce},
	"ifnull":           {2, 2, Coalesce},
	"if":               {3, 3, func(a []Expr) (Expr, error) { return If(a[0], a[1], a[2]) }},
	"nullif":           {2, 2, func(a []Expr) (Expr, error) { return NullIf(a[0], a[1]) }},
}

// Function calls a function by its name.
func Function(name string, args []Expr) (Expr, error) {
	f, ok := functions[strings.ToLower(name)]
	if !ok || len(args) < f.least || len(args) > f.most {
		return nil, Refuse(ByFunction, name)
	}
	return f.make(args)
}
