package ast

// Block is [label:] BEGIN ... END.
type Block struct {
	Span
	Label      Ident
	Statements []Statement
	EndLabel   Ident
}

// If is IF ... END IF.
type If struct {
	Span
	Branches []Branch
	Else     []Statement
}

// Branch is a condition and what runs when it holds.
type Branch struct {
	Span
	Cond       Expr
	Statements []Statement
}

// CaseStatement is CASE [x] WHEN ... END CASE.
type CaseStatement struct {
	Span
	X        Expr
	Branches []Branch
	Else     []Statement
}

// LoopKind is the kind of a Loop.
type LoopKind uint8

const (
	PlainLoop LoopKind = iota
	WhileLoop
	RepeatLoop
)

// Loop is LOOP, WHILE and REPEAT.
type Loop struct {
	Span
	Label      Ident
	Kind       LoopKind
	Cond       Expr // of WHILE and UNTIL
	Statements []Statement
	EndLabel   Ident
}

// Leave is LEAVE and ITERATE.
type Leave struct {
	Span
	Iterate bool
	Label   Ident
}

// Return is RETURN.
type Return struct {
	Span
	X Expr
}

// DeclareVariable is DECLARE names type [DEFAULT x].
type DeclareVariable struct {
	Span
	Names   []Ident
	Type    *DataType
	Collate Ident
	Default Expr
}

// DeclareCondition is DECLARE name CONDITION FOR condition.
type DeclareCondition struct {
	Span
	Name      Ident
	Condition *Condition
}

// ConditionKind is the kind of a Condition.
type ConditionKind uint8

const (
	ErrorCondition ConditionKind = iota // Number
	StateCondition                      // State
	NamedCondition                      // Name
	SQLWarning
	NotFound
	SQLException
)

// Condition is what a handler handles.
type Condition struct {
	Span
	Kind   ConditionKind
	Number string
	State  *Literal
	Name   Ident
}

// DeclareHandler is DECLARE CONTINUE HANDLER and DECLARE EXIT HANDLER.
type DeclareHandler struct {
	Span
	Exit       bool // CONTINUE otherwise
	Conditions []Condition
	Body       Statement
}

// DeclareCursor is DECLARE name CURSOR FOR query.
type DeclareCursor struct {
	Span
	Name  Ident
	Query *Query
}

// CursorVerb is what is done to a cursor.
type CursorVerb uint8

const (
	OpenCursor CursorVerb = iota
	FetchCursor
	CloseCursor
)

// Cursor is OPEN, FETCH and CLOSE.
type Cursor struct {
	Span
	Verb CursorVerb
	Name Ident
	Into []Ident
}

func (*Block) statement()            {}
func (*If) statement()               {}
func (*CaseStatement) statement()    {}
func (*Loop) statement()             {}
func (*Leave) statement()            {}
func (*Return) statement()           {}
func (*DeclareVariable) statement()  {}
func (*DeclareCondition) statement() {}
func (*DeclareHandler) statement()   {}
func (*DeclareCursor) statement()    {}
func (*Cursor) statement()           {}
