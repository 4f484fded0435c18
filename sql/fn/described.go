package fn

import (
	"emberdb/sql/types"
)

// Columns that are made of a query have the types of its expressions, also of those that this
// package does not compute. A Setting that Describes binds such an expression as its type alone.

// Described is an expression of which the type is known, and not how it is computed.
type Described struct {
	T types.Type
	// Whole tells that a column is of this very type; others are as wide as their values.
	Whole bool
}

// Type implements Expr.
func (e *Described) Type() types.Type { return e.T }

// Eval implements Expr.
func (e *Described) Eval(*Context, *types.Batch) (*types.Vec, error) {
	return nil, Refuse(ByFunction, "an expression that is only described")
}

// Parts implements Expr.
func (e *Described) Parts() []Expr { return nil }

// With implements Expr.
func (e *Described) With([]Expr) Expr {
	c := *e
	return &c
}

// describe is the type of a function for which MySQL makes a column; nil if it is another one.
func (s *Setting) describe(name string, args []Expr) Expr {
	d, ok := descriptions[name]
	if !ok || len(args) < d.least || len(args) > d.most {
		return nil
	}
	t, err := d.t(s, args)
	if err != nil {
		return nil
	}
	return &Described{T: t, Whole: d.whole}
}

// description says of which type a function is.
type description struct {
	least, most int
	whole       bool
	t           typeOf
}

// The types of functions that are not among those of this package and of the library, or that have
// other lengths there.
var descriptions = map[string]description{
	// Texts.
	"concat":           {1, many, false, (*Setting).concatText},
	"upper":            {1, 1, false, likeText(0)},
	"ucase":            {1, 1, false, likeText(0)},
	"lower":            {1, 1, false, likeText(0)},
	"lcase":            {1, 1, false, likeText(0)},
	"reverse":          {1, 1, false, likeText(0)},
	"left":             {2, 2, false, (*Setting).cutOf},
	"right":            {2, 2, false, (*Setting).cutOf},
	"trim of":          {2, 2, false, likeText(0)},
	"space":            {1, 1, false, (*Setting).spaces},
	"make_set":         {2, many, false, (*Setting).madeSet},
	"export_set":       {3, 5, false, (*Setting).exportedSet},
	"format":           {2, 3, false, (*Setting).formattedNumber},
	"uuid":             {0, 0, false, systemText(36, true)},
	"user":             {0, 0, false, systemText(288, true)},
	"current_user":     {0, 0, false, systemText(288, true)},
	"session_user":     {0, 0, false, systemText(288, true)},
	"system_user":      {0, 0, false, systemText(288, true)},
	"database":         {0, 0, false, systemText(64, true)},
	"schema":           {0, 0, false, systemText(64, true)},
	"charset":          {1, 1, false, systemText(64, true)},
	"collation":        {1, 1, false, systemText(64, true)},
	"format_bytes":     {1, 1, false, systemText(11, true)},
	"format_pico_time": {1, 1, false, systemText(11, true)},
	"st_geometrytype":  {1, 1, false, fixedText(15)},
	"st_geohash":       {2, 3, false, notNull(fixedText(100))},
	"json_quote":       {1, 1, false, (*Setting).quotedDocument},
	"json_pretty":      {1, 1, false, documentText(0)},
	"json_unquote":     {1, 1, false, documentText(0)},
	"date_format":      {2, 2, false, (*Setting).formatted},
	"time_format":      {2, 2, false, (*Setting).formattedTime},
	"get_format":       {1, 1, false, fixedText(17)},
	"compress":         {1, 1, false, binaryText(compressed)},
	"aes_encrypt":      {2, 6, false, binaryText(func(t types.Type) uint32 { return (byteLength(t)/16 + 1) * 16 })},
	"aes_decrypt":      {2, 6, false, binaryText(shownWidth)},
	"from_base64":      {1, 1, false, binaryText(func(t types.Type) uint32 { return byteLength(t) * 3 / 4 })},
	"random_bytes":     {1, 1, false, binaryText(func(types.Type) uint32 { return 1024 })},
	"collate":          {1, 1, false, (*Setting).collated},

	// Numbers.
	"last_insert_id":      {0, 0, false, unsigned(21)},
	"connection_id":       {0, 0, false, unsigned(21)},
	"row_count":           {0, 0, false, integers(21)},
	"found_rows":          {0, 0, false, integers(21)},
	"interval":            {2, many, false, certainIntegers(2)},
	"vector_dim":          {1, 1, false, integers(10)},
	"round":               {1, 2, false, roundedTo(1)},
	"truncate":            {2, 2, false, roundedTo(0)},
	"mod":                 {2, 2, false, remainder},
	"%":                   {2, 2, false, remainder},
	"pi":                  {0, 0, false, pi},
	"bit_count":           {1, 1, true, nullIntegers(21)},
	"uncompressed_length": {1, 1, false, nullIntegers(10)},
	"release_all_locks":   {0, 0, false, func(*Setting, []Expr) (types.Type, error) { return types.UintType(21, false), nil }},
	"sleep":               {1, 1, true, certainIntegers(21)},
	"st_srid":             {1, 1, false, nullIntegers(10)},
	"greatest":            {2, many, false, (*Setting).extremeOf},
	"least":               {2, many, false, (*Setting).extremeOf},

	// Dates and times.
	"sysdate":        {0, 1, false, sysdate},
	"unix_timestamp": {0, 1, false, unixSeconds},
	"from_unixtime":  {1, 2, false, (*Setting).fromUnix},
	"time":           {1, 1, false, timeOf},
	"timestamp":      {1, 2, false, timestampOf},
	"addtime":        {2, 2, false, (*Setting).timeSum},
	"subtime":        {2, 2, false, (*Setting).timeSum},
	"timediff":       {2, 2, false, timeDifference},
	"sec_to_time":    {1, 1, false, timeOfNumber(0)},
	"maketime":       {3, 3, false, timeOfNumber(2)},
	"convert_tz":     {3, 3, false, momentLike},

	// Choices.
	"if":         {3, 3, false, func(s *Setting, args []Expr) (types.Type, error) { return s.Choice(args[1:]) }},
	"coalesce":   {1, many, false, (*Setting).firstOf},
	"ifnull":     {2, 2, true, (*Setting).firstOf},
	"nullif":     {2, 2, false, (*Setting).unless},
	"any_value":  {1, 1, true, func(_ *Setting, args []Expr) (types.Type, error) { return args[0].Type(), nil }},
	"name_const": {2, 2, false, func(_ *Setting, args []Expr) (types.Type, error) { return args[1].Type().Nullify(true), nil }},
}

func notNull(f typeOf) typeOf {
	return func(s *Setting, args []Expr) (types.Type, error) {
		t, err := f(s, args)
		t.Nullable = false
		return t, err
	}
}

// extremeOf is GREATEST or LEAST: NULL if an operand is.
func (s *Setting) extremeOf(args []Expr) (types.Type, error) {
	t, err := s.Choice(args)
	t.Nullable = anyNull(args)
	return t, err
}

// firstOf is NULL if all operands are.
func (s *Setting) firstOf(args []Expr) (types.Type, error) {
	t, err := s.Choice(args)
	for _, a := range args {
		if !a.Type().Nullable {
			t.Nullable = false
		}
	}
	return t, err
}

func (s *Setting) unless(args []Expr) (types.Type, error) {
	t, err := s.Choice(args[:1])
	return t.Nullify(true), err
}

// remainder is the type of a % b where an operand is a DECIMAL: as wide as the wider of them.
func remainder(_ *Setting, args []Expr) (types.Type, error) {
	a, b := args[0].Type(), args[1].Type()
	if a.Kind != types.Decimal && b.Kind != types.Decimal || !a.Kind.Number() || !b.Kind.Number() || a.Kind == types.Float || b.Kind == types.Float {
		return a, Refuse(ByType, "a remainder of no DECIMAL")
	}
	width, scale := max(shownWidth(a), shownWidth(b)), max(a.Decimals(), b.Decimals())
	if scale > 0 {
		width--
	}
	return types.DecimalType(int(width)-1, scale, true), nil
}

// shownWidth is how many characters a value has at most.
func shownWidth(t types.Type) uint32 {
	switch {
	case t.Kind == types.Decimal:
		return t.Width()
	case t.Kind == types.Float && t.Wire == types.WireFloat:
		return 12
	case t.Kind == types.Float && t.Length == 23:
		return 22
	}
	return t.Length
}

// roundedTo is ROUND, which may give one digit more, or TRUNCATE, of a DECIMAL.
func roundedTo(more int) typeOf {
	return func(_ *Setting, args []Expr) (types.Type, error) {
		t := args[0].Type()
		if t.Kind != types.Decimal || len(args) < 2 {
			return t, Refuse(ByType, "a rounding of no DECIMAL, or to an integer")
		}
		n, err := integer(args[1])
		if err != nil {
			return t.Nullify(true), nil
		}
		scale, precision := min(max(int(n), 0), types.MaxScale), int(t.Precision)
		fewer := int(t.Scale) - scale
		if precision -= fewer; fewer > 0 {
			precision += more
		}
		return types.DecimalType(max(precision, 1), scale, t.Nullable || args[1].Type().Nullable), nil
	}
}

func pi(*Setting, []Expr) (types.Type, error) {
	t := types.FloatType(false)
	t.Length, t.Scale = 8, 6
	return t, nil
}
