package fn

import (
	"bytes"
	"slices"
	"strings"

	"emberdb/sql/locale"
	"emberdb/sql/types"
)

// Setting is what expressions take from the session.
type Setting struct {
	Collation uint16  // of texts that are made of other values
	Library   Library // nil: there is none
	// Clock is when the statement began, packed, as clocks of the session's zone show it; UTC as
	// those of UTC do. Zero: it is not known.
	Clock, UTC int64
	Dates      types.Dates    // that the session takes
	Locale     *locale.Locale // of the names of months and days; nil: English
	// Describes tells that the types of expressions are asked for, and no values.
	Describes bool
	// Varies tells that functions may stand here that give another value for each row.
	Varies bool

	calls int // of such functions
}

// signature is how a function is called.
type signature struct {
	least, most int
	texts       int // how many operands, from the first on, become texts
	make        func(args []Expr) (Expr, error)
}

// many is more operands than a function is called with.
const many = 64

var functions = map[string]signature{
	"substring":        {2, 3, 1, substring},
	"substr":           {2, 3, 1, substring},
	"mid":              {2, 3, 1, substring},
	"left":             {2, 2, 1, left},
	"length":           {1, 1, 1, length},
	"octet_length":     {1, 1, 1, length},
	"char_length":      {1, 1, 1, charLength},
	"character_length": {1, 1, 1, charLength},
	"concat":           {1, many, many, concat},
	"upper":            {1, 1, 1, caseOf("upper", bytes.ToUpper)},
	"ucase":            {1, 1, 1, caseOf("upper", bytes.ToUpper)},
	"lower":            {1, 1, 1, caseOf("lower", bytes.ToLower)},
	"lcase":            {1, 1, 1, caseOf("lower", bytes.ToLower)},
	"reverse":          {1, 1, 1, reverse},
	"ltrim":            {1, 1, 1, trimSpace("ltrim", true, false)},
	"rtrim":            {1, 1, 1, trimSpace("rtrim", false, true)},
	"trim":             {1, 1, 1, trimSpace("trim", true, true)},
	"year":             {1, 1, 0, partOf("year")},
	"month":            {1, 1, 0, partOf("month")},
	"day":              {1, 1, 0, partOf("day")},
	"dayofmonth":       {1, 1, 0, partOf("day")},
	"quarter":          {1, 1, 0, partOf("quarter")},
	"date":             {1, 1, 0, nil},
	"datediff":         {2, 2, 0, dayDifference},
	"timestamp":        {1, 1, 0, nil},
	"time":             {1, 1, 0, clockOf},
	"round":            {1, 2, 0, round},
	"abs":              {1, 1, 0, absolute},
	"coalesce":         {1, many, 0, Coalesce},
	"ifnull":           {2, 2, 0, Coalesce},
	"if":               {3, 3, 0, func(a []Expr) (Expr, error) { return If(a[0], a[1], a[2]) }},
	"nullif":           {2, 2, 0, func(a []Expr) (Expr, error) { return NullIf(a[0], a[1]) }},
	"mod":              {2, 2, 0, func(a []Expr) (Expr, error) { return Arith("%", a[0], a[1]) }},
	"isnull":           {1, 1, 0, func(a []Expr) (Expr, error) { return IsNull(a[0]), nil }},
}

// taking are those of them whose value is NULL for dates that the session does not take.
var taking = map[string]func(args []Expr, dates types.Dates) (Expr, error){"date": dateOf, "timestamp": stampOf}

// Function calls a function by its name: with a kernel of this package, or one of the library.
func (s *Setting) Function(name string, args []Expr) (Expr, error) {
	name = strings.ToLower(name)
	if c, ok := clocks[name]; ok {
		return s.now(c, args)
	}
	if name == "unix_timestamp" && len(args) == 0 {
		return s.unixNow()
	}
	if Varying(name) && !s.Describes {
		return s.vary(name, args)
	}
	if s.Describes {
		if e := s.describe(name, args); e != nil {
			return e, nil
		}
	}
	if name == "json_extract" {
		if e := extracted(args); e != nil {
			return e, nil
		}
	}
	if name == "json_unquote" && len(args) == 1 && isDocument(args[0]) {
		return unquoted(args[0]), nil
	}
	if name == "json_array" && len(args) == 1 && isDocument(args[0]) {
		return arrayOf(args[0]), nil
	}
	f, ok := functions[name]
	if !ok || len(args) < f.least || len(args) > f.most {
		return s.foreign(name, args)
	}
	if make := taking[name]; make != nil {
		f.make = func(args []Expr) (Expr, error) { return make(args, s.Dates) }
	}
	own, err := s.native(f, args)
	if _, refused := IsRefusal(err); refused {
		if e, err := s.foreign(name, args); err == nil {
			return e, nil
		}
	}
	return own, err
}

func (s *Setting) native(f signature, args []Expr) (Expr, error) {
	if slices.ContainsFunc(args, func(e Expr) bool { return e.Type().Opaque() }) {
		return nil, Refuse(ByType, "a document")
	}
	if f.texts > 0 {
		args = append([]Expr(nil), args...)
		for i := range min(f.texts, len(args)) {
			if args[i].Type().Kind == types.String {
				continue
			}
			text, err := ToText(args[i], s.Collation)
			if err != nil {
				return nil, err
			}
			args[i] = text
		}
	}
	return f.make(args)
}
