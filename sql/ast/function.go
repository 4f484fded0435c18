package ast

// Func is a call in plain form: a native, loadable or stored function with its arguments in
// parentheses. Functions whose arguments are separated by words have nodes of their own.
type Func struct {
	Span
	Schema, Name Ident
	Args         []Expr
	Aliases      []Ident // of a loadable function's arguments; nil when none is given
	Keyword      bool    // named by a keyword of the grammar, such as LEFT; a quoted `left` is another function
	NoParens     bool    // CURRENT_USER, CURRENT_DATE and their like without parentheses
}

// Aggregate is an aggregate function. COUNT(*) has a Star as its argument.
type Aggregate struct {
	Span
	Name      Ident
	Distinct  bool
	Args      []Expr
	Nulls     NullClause  // JSON_ARRAYAGG, JSON_OBJECTAGG
	OrderBy   []OrderItem // GROUP_CONCAT
	Separator *Literal    // GROUP_CONCAT
	Over      *Over
}

// NullClause is NULL ON NULL or ABSENT ON NULL.
type NullClause uint8

const (
	NoNullClause NullClause = iota
	NullOnNull
	AbsentOnNull
)

// NullTreatment is RESPECT NULLS or IGNORE NULLS.
type NullTreatment uint8

const (
	NoNullTreatment NullTreatment = iota
	RespectNulls
	IgnoreNulls
)

// WindowFunc is a function that works over a window only.
type WindowFunc struct {
	Span
	Name     Ident
	Args     []Expr
	FromLast FromEnd
	Nulls    NullTreatment
	Over     *Over
}

// FromEnd is FROM FIRST or FROM LAST of NTH_VALUE.
type FromEnd uint8

const (
	NoFrom FromEnd = iota
	FromFirst
	FromLast
)

// Over is OVER name or OVER (window).
type Over struct {
	Span
	Name   Ident
	Window *Window
}

// Window describes a window. Base names the window it extends.
type Window struct {
	Span
	Base        Ident
	PartitionBy []OrderItem
	OrderBy     []OrderItem
	Frame       *Frame
}

// FrameUnit is ROWS, RANGE or GROUPS.
type FrameUnit uint8

const (
	RowsFrame FrameUnit = iota
	RangeFrame
	GroupsFrame
)

// Frame is the frame of a window. End is nil when BETWEEN is not written.
type Frame struct {
	Span
	Unit        FrameUnit
	Start, Stop *FrameBound
	Exclude     FrameExclude
}

// FrameExclude is what a frame leaves out.
type FrameExclude uint8

const (
	NoExclude FrameExclude = iota
	ExcludeCurrentRow
	ExcludeGroup
	ExcludeTies
	ExcludeNoOthers
)

// FrameBoundKind is the kind of a frame's bound.
type FrameBoundKind uint8

const (
	UnboundedPreceding FrameBoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// FrameBound is one end of a frame. X is a number, a parameter or an Interval.
type FrameBound struct {
	Span
	Kind FrameBoundKind
	X    Expr
}

// Cast is CAST(x AS type [ARRAY]) or CONVERT(x, type).
type Cast struct {
	Span
	X            Expr
	Type         *CastType
	Array        bool
	Convert      bool     // written as CONVERT
	Zone         *Literal // AT TIME ZONE
	ZoneInterval bool     // AT TIME ZONE INTERVAL
	Local        bool     // AT LOCAL
}

// ConvertUsing is CONVERT(x USING charset).
type ConvertUsing struct {
	Span
	X       Expr
	Charset Ident
}

// Char is CHAR(codes [USING charset]).
type Char struct {
	Span
	Args    []Expr
	Charset Ident
}

// TrimSide is the side that TRIM works on.
type TrimSide uint8

const (
	TrimDefault TrimSide = iota
	TrimBoth
	TrimLeading
	TrimTrailing
)

// Trim is TRIM([side] [Remove] FROM x).
type Trim struct {
	Span
	Side   TrimSide
	Remove Expr
	X      Expr
}

// Extract is EXTRACT(unit FROM x).
type Extract struct {
	Span
	Unit IntervalUnit
	X    Expr
}

// Position is POSITION(Sub IN x).
type Position struct {
	Span
	Sub, X Expr
}

// GetFormat is GET_FORMAT(DATE, x).
type GetFormat struct {
	Span
	Type Ident
	X    Expr
}

// TimestampFunc is TIMESTAMPADD or TIMESTAMPDIFF(unit, a, b).
type TimestampFunc struct {
	Span
	Diff bool
	Unit IntervalUnit
	A, B Expr
}

// WeightString is WEIGHT_STRING(x [AS CHAR(n) | AS BINARY(n)]), or with the three numbers of its
// internal form.
type WeightString struct {
	Span
	X      Expr
	Binary bool
	Length *Literal
	Flags  []*Literal
}

// Match is MATCH (columns) AGAINST (x mode).
type Match struct {
	Span
	Columns []*Column
	X       Expr
	Mode    MatchMode
}

// MatchMode is the search mode of a Match.
type MatchMode uint8

const (
	MatchDefault MatchMode = iota
	MatchNatural
	MatchBoolean
	MatchNaturalExpansion // IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION
	MatchExpansion        // WITH QUERY EXPANSION
)

// JSONValue is JSON_VALUE(x, path [RETURNING type] [ON EMPTY] [ON ERROR]).
type JSONValue struct {
	Span
	X, Path   Expr
	Returning *CastType
	OnEmpty   *JSONDefault
	OnError   *JSONDefault
}

// JSONAction is what to do when a path finds nothing or the wrong thing.
type JSONAction uint8

const (
	JSONNull JSONAction = iota
	JSONError
	JSONDefaultValue
)

// JSONDefault is NULL, ERROR or DEFAULT value.
type JSONDefault struct {
	Span
	Action JSONAction
	Value  Expr
}

// DefaultOf is DEFAULT(column).
type DefaultOf struct {
	Span
	Column *Column
}

// ValuesOf is VALUES(column) in ON DUPLICATE KEY UPDATE.
type ValuesOf struct {
	Span
	Column *Column
}

// DualityObject is JSON_DUALITY_OBJECT(key: value, ...), which defines a JSON duality view. Tags
// are what its WITH clause allows and forbids.
type DualityObject struct {
	Span
	Tags    []DualityTag
	Members []DualityMember
	Over    *Over
}

// DualityTag is INSERT, UPDATE or DELETE, or NO before it.
type DualityTag struct {
	Span
	No   bool
	Word string
}

// DualityMember is one key of a DualityObject.
type DualityMember struct {
	Span
	Key   *Literal
	Value Expr
}

func (*DualityObject) expr() {}
func (*Func) expr()          {}
func (*Aggregate) expr()     {}
func (*WindowFunc) expr()    {}
func (*Cast) expr()          {}
func (*ConvertUsing) expr()  {}
func (*Char) expr()          {}
func (*Trim) expr()          {}
func (*Extract) expr()       {}
func (*Position) expr()      {}
func (*GetFormat) expr()     {}
func (*TimestampFunc) expr() {}
func (*WeightString) expr()  {}
func (*Match) expr()         {}
func (*JSONValue) expr()     {}
func (*DefaultOf) expr()     {}
func (*ValuesOf) expr()      {}
