package ast

import "encoding/hex"

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// LiteralKind says what a literal is.
type LiteralKind uint8

const (
	NullLiteral LiteralKind = iota
	TrueLiteral
	FalseLiteral
	IntLiteral
	DecimalLiteral
	FloatLiteral
	StringLiteral
	NationalLiteral  // N'text'
	HexLiteral       // Text holds the digits
	BitLiteral       // Text holds the digits
	DateLiteral      // DATE 'text'
	TimeLiteral      // TIME 'text'
	TimestampLiteral // TIMESTAMP 'text'
)

// Literal is a constant. Text holds the decoded bytes of a string and the digits of a number.
type Literal struct {
	Span
	Kind    LiteralKind
	Text    string
	Charset string // of an introducer, without the underscore
}

// Bytes returns the bytes of a string, a hexadecimal or a binary constant.
func (n *Literal) Bytes() string {
	switch n.Kind {
	case HexLiteral:
		digits := n.Text
		if len(digits)%2 == 1 {
			digits = "0" + digits
		}
		raw, _ := hex.DecodeString(digits) // the lexer takes only digits
		return string(raw)
	case BitLiteral:
		raw := make([]byte, (len(n.Text)+7)/8)
		for i := range n.Text {
			if bit := len(n.Text) - 1 - i; n.Text[i] == '1' {
				raw[len(raw)-1-bit/8] |= 1 << (bit % 8)
			}
		}
		return string(raw)
	}
	return n.Text
}

// Param is a parameter of a prepared statement; Index counts from 0 in the order of the text.
type Param struct {
	Span
	Index int
}

// Column names a column, a routine's variable or a field of NEW and OLD.
type Column struct {
	Span
	Schema, Table, Name Ident
}

// Star is * or t.* or d.t.* in a select list, and the argument of COUNT(*).
type Star struct {
	Span
	Schema, Table Ident
}

// UserVar is @name.
type UserVar struct {
	Span
	Name Ident
}

// Scope is the scope that a system variable is named with.
type Scope uint8

const (
	NoScope Scope = iota
	GlobalScope
	SessionScope
	LocalScope
	PersistScope
	PersistOnlyScope
)

// SystemVar is @@name, @@scope.name, @@component.name.
type SystemVar struct {
	Span
	Scope     Scope
	Component Ident
	Name      Ident
}

// Assignment is @name := Value.
type Assignment struct {
	Span
	Var   *UserVar
	Value Expr
}

// UnaryOp is an operator with one operand.
type UnaryOp uint8

const (
	Minus UnaryOp = iota
	Plus
	BitNot
	Not    // NOT x
	Bang   // !x, and NOT under HIGH_NOT_PRECEDENCE
	Binary // BINARY x
)

// Unary is an operator before its operand.
type Unary struct {
	Span
	Op UnaryOp
	X  Expr
}

// BinaryOp is an operator with two operands.
type BinaryOp uint8

const (
	Xor BinaryOp = iota
	Equal
	NullSafeEqual
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	SoundsLike
	BitOr
	BitAnd
	ShiftLeft
	ShiftRight
	Add
	Sub
	Mul
	Div
	IntDiv
	Mod
	BitXor
	Concat // || under PIPES_AS_CONCAT
)

// Logical is a chain of AND or of OR. Chains in parentheses inside a chain of the same kind are
// part of it, unless they are long and stand on the right.
type Logical struct {
	Span
	Or    bool
	Items []Expr
}

// BinaryExpr is an operator between two operands.
type BinaryExpr struct {
	Span
	Op   BinaryOp
	L, R Expr
}

// Quantifier is ALL or ANY.
type Quantifier uint8

const (
	Any Quantifier = iota
	All
)

// Quantified compares with ANY or ALL rows of a query.
type Quantified struct {
	Span
	Op    BinaryOp
	L     Expr
	Quant Quantifier
	Query *Query
}

// IsKind is what IS tests for.
type IsKind uint8

const (
	IsNull IsKind = iota
	IsTrue
	IsFalse
	IsUnknown
)

// Is is x IS [NOT] NULL, TRUE, FALSE or UNKNOWN.
type Is struct {
	Span
	X    Expr
	Not  bool
	What IsKind
}

// Between is x [NOT] BETWEEN Low AND High.
type Between struct {
	Span
	X, Low, High Expr
	Not          bool
}

// In is x [NOT] IN (list), or a query in its place.
type In struct {
	Span
	X     Expr
	Not   bool
	List  []Expr
	Query *Query
}

// Like is x [NOT] LIKE pattern [ESCAPE c].
type Like struct {
	Span
	X, Pattern Expr
	Escape     Expr
	Not        bool
}

// Regexp is x [NOT] REGEXP pattern.
type Regexp struct {
	Span
	X, Pattern Expr
	Not        bool
}

// MemberOf is x MEMBER OF (array).
type MemberOf struct {
	Span
	X, Array Expr
}

// JSONPath is column -> 'path', or ->> which also unquotes.
type JSONPath struct {
	Span
	X       *Column
	Path    *Literal
	Unquote bool
}

// Collate is x COLLATE name.
type Collate struct {
	Span
	X    Expr
	Name Ident
}

// IntervalUnit is the unit of an INTERVAL.
type IntervalUnit uint8

const (
	Microsecond IntervalUnit = iota
	Second
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
	SecondMicrosecond
	MinuteMicrosecond
	MinuteSecond
	HourMicrosecond
	HourSecond
	HourMinute
	DayMicrosecond
	DaySecond
	DayMinute
	DayHour
	YearMonth
)

// Interval is INTERVAL x unit. It is no value: it stands in DateArith, in a window's frame and in
// event schedules.
type Interval struct {
	Span
	X    Expr
	Unit IntervalUnit
}

// DateArith is date + INTERVAL or date - INTERVAL, however it is written.
type DateArith struct {
	Span
	Date     Expr
	Interval *Interval
	Sub      bool
	Form     DateArithForm
}

// DateArithForm is the way in which date arithmetic is written.
type DateArithForm uint8

const (
	OperatorForm      DateArithForm = iota // d + INTERVAL 1 DAY
	IntervalFirstForm                      // INTERVAL 1 DAY + d
	DateAddForm                            // DATE_ADD, DATE_SUB
	AddDateForm                            // ADDDATE, SUBDATE with INTERVAL
)

// Row is (a, b) or ROW(a, b).
type Row struct {
	Span
	Items   []Expr
	Keyword bool
}

// Subquery is a query in parentheses as a value.
type Subquery struct {
	Span
	Query *Query
}

// Exists is EXISTS (query).
type Exists struct {
	Span
	Query *Query
}

// Case is CASE [x] WHEN ... END.
type Case struct {
	Span
	X     Expr
	Whens []When
	Else  Expr
}

// When is one branch of a Case.
type When struct {
	Span
	Cond, Then Expr
}

// OdbcEscape is {name x}; d, t and ts make a literal of x, other names are ignored.
type OdbcEscape struct {
	Span
	Name Ident
	X    Expr
}

// DefaultValue is the word DEFAULT in place of a value.
type DefaultValue struct{ Span }

func (*Literal) expr()      {}
func (*Param) expr()        {}
func (*Column) expr()       {}
func (*Star) expr()         {}
func (*UserVar) expr()      {}
func (*SystemVar) expr()    {}
func (*Assignment) expr()   {}
func (*Unary) expr()        {}
func (*Logical) expr()      {}
func (*BinaryExpr) expr()   {}
func (*Quantified) expr()   {}
func (*Is) expr()           {}
func (*Between) expr()      {}
func (*In) expr()           {}
func (*Like) expr()         {}
func (*Regexp) expr()       {}
func (*MemberOf) expr()     {}
func (*JSONPath) expr()     {}
func (*Collate) expr()      {}
func (*Interval) expr()     {}
func (*DateArith) expr()    {}
func (*Row) expr()          {}
func (*Subquery) expr()     {}
func (*Exists) expr()       {}
func (*Case) expr()         {}
func (*OdbcEscape) expr()   {}
func (*DefaultValue) expr() {}
