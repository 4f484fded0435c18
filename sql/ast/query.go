package ast

// QueryBody is what a query is made of: *Select, *Values, *Table, *SetOp, or a *Query in
// parentheses.
type QueryBody interface {
	Node
	queryBody()
}

// Query is a query expression: a body with what may stand around it. As a statement it is SELECT,
// VALUES, TABLE or a set operation.
type Query struct {
	Span
	With    *With
	Body    QueryBody
	OrderBy []OrderItem
	Limit   *Limit
	Locks   []Lock
	Into    *Into
}

// With is WITH [RECURSIVE] tables.
type With struct {
	Span
	Recursive bool
	Tables    []CommonTable
}

// CommonTable is one table of a With.
type CommonTable struct {
	Span
	Name    Ident
	Columns []Ident
	Query   *Query
}

// SelectOption is one word between SELECT and the select list.
type SelectOption uint16

const (
	SelectAll SelectOption = 1 << iota
	SelectDistinct
	StraightJoin
	HighPriority
	SmallResult
	BigResult
	BufferResult
	NoCache
	CalcFoundRows
)

// Select is one query block.
type Select struct {
	Span
	Hints   *Hints
	Options SelectOption
	Items   []SelectItem
	From    []TableRef // empty: no FROM; one Dual: FROM DUAL
	Where   Expr
	GroupBy *GroupBy
	Having  Expr
	Windows []NamedWindow
	Qualify Expr
}

// SelectItem is an expression of a select list with its alias.
type SelectItem struct {
	Span
	X     Expr
	Alias Ident
}

// Hints is the text between /*+ and */.
type Hints struct {
	Span
	Text string
}

// RollupKind is how a GROUP BY asks for totals.
type RollupKind uint8

const (
	NoRollup   RollupKind = iota
	WithRollup            // GROUP BY a, b WITH ROLLUP
	RollupCall            // GROUP BY ROLLUP (a, b)
	CubeCall              // GROUP BY CUBE (a, b)
	SetsCall              // GROUP BY GROUPING SETS (...)
)

// GroupBy is GROUP BY items. With SetsCall each item is a Row or a plain expression.
type GroupBy struct {
	Span
	Items  []OrderItem
	Rollup RollupKind
}

// Direction is ASC or DESC.
type Direction uint8

const (
	NoDirection Direction = iota
	Ascending
	Descending
)

// OrderItem is an expression of ORDER BY or GROUP BY.
type OrderItem struct {
	Span
	X         Expr
	Direction Direction
}

// NamedWindow is one window of a WINDOW clause.
type NamedWindow struct {
	Span
	Name   Ident
	Window *Window
}

// Limit is LIMIT count [OFFSET offset].
type Limit struct {
	Span
	Count, Offset Expr // a number, a parameter or a routine's variable
}

// LockStrength is FOR UPDATE or FOR SHARE.
type LockStrength uint8

const (
	ForUpdate LockStrength = iota
	ForShare
	LockInShareMode
)

// LockWait is what to do when a row is locked.
type LockWait uint8

const (
	LockWaits LockWait = iota
	LockNowait
	LockSkipLocked
)

// Lock is one locking clause.
type Lock struct {
	Span
	Strength LockStrength
	Of       []TableName
	Wait     LockWait
}

// IntoKind is where INTO sends rows.
type IntoKind uint8

const (
	IntoVars IntoKind = iota
	IntoOutfile
	IntoDumpfile
)

// Into is the INTO clause of a query.
type Into struct {
	Span
	Kind    IntoKind
	Vars    []Expr // *UserVar or *Column
	File    *Literal
	Charset Ident
	Fields  *FieldsFormat
	Lines   *LinesFormat
}

// FieldsFormat is the FIELDS clause of OUTFILE and LOAD DATA.
type FieldsFormat struct {
	Span
	Terminated, Enclosed, Escaped          *Literal
	Optionally                             bool
	NotEnclosed                            bool
	NullAs, EmptyValue                     *Literal
	DateFormat, TimeFormat, DatetimeFormat *Literal
}

// LinesFormat is the LINES clause of OUTFILE and LOAD DATA.
type LinesFormat struct {
	Span
	Terminated, Starting *Literal
}

// SetOperator is UNION, INTERSECT or EXCEPT.
type SetOperator uint8

const (
	Union SetOperator = iota
	Intersect
	Except
)

// SetQuantifier is ALL or DISTINCT.
type SetQuantifier uint8

const (
	NoQuantifier SetQuantifier = iota
	SetAll
	SetDistinct
)

// SetOp combines two bodies.
type SetOp struct {
	Span
	Op    SetOperator
	Quant SetQuantifier
	L, R  QueryBody
}

// Values is VALUES ROW(...), ROW(...).
type Values struct {
	Span
	Rows []ValuesRow
}

// ValuesRow is one row of values.
type ValuesRow struct {
	Span
	Items []Expr
}

// Table is TABLE name.
type Table struct {
	Span
	Name TableName
}

func (*Query) statement() {}

func (*Query) queryBody()  {}
func (*Select) queryBody() {}
func (*SetOp) queryBody()  {}
func (*Values) queryBody() {}
func (*Table) queryBody()  {}
