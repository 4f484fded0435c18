package ast

// RoutineKind tells procedures and functions apart.
type RoutineKind uint8

const (
	Procedure RoutineKind = iota
	Function
)

// CreateRoutine is CREATE PROCEDURE and CREATE FUNCTION of a stored routine.
type CreateRoutine struct {
	Span
	Kind            RoutineKind
	Definer         *Account
	IfNotExists     bool
	Name            TableName
	Params          []RoutineParam
	Returns         *DataType // of a function
	ReturnsCollate  Ident
	Characteristics []Characteristic
	Body            Statement // SQL
	Source          *Literal  // another language
}

// ParamMode is the direction of a parameter.
type ParamMode uint8

const (
	DefaultMode ParamMode = iota // not written: IN
	ParamIn
	ParamOut
	ParamInOut
)

// RoutineParam is a parameter of a routine.
type RoutineParam struct {
	Span
	Mode    ParamMode
	Name    Ident
	Type    *DataType
	Collate Ident
}

// CharacteristicKind is the kind of a Characteristic.
type CharacteristicKind uint8

const (
	RoutineComment  CharacteristicKind = iota // Text
	RoutineLanguage                           // Name
	NoSQL
	ContainsSQL
	ReadsSQLData
	ModifiesSQLData
	Deterministic
	NotDeterministic
	RoutineSecurity // Security
	UsingLibraries  // Libraries
)

// Characteristic is one characteristic of a routine or a library.
type Characteristic struct {
	Span
	Kind      CharacteristicKind
	Text      *Literal
	Name      Ident
	Security  Security
	Libraries []LibraryUse
}

// LibraryUse is a library that a routine uses.
type LibraryUse struct {
	Span
	Name  TableName
	Alias Ident
}

// AlterRoutine is ALTER PROCEDURE and ALTER FUNCTION.
type AlterRoutine struct {
	Span
	Kind            RoutineKind
	Name            TableName
	Characteristics []Characteristic
}

// ProgramKind is the kind of a stored object that DROP names.
type ProgramKind uint8

const (
	DropProcedure ProgramKind = iota
	DropFunction
	DropTrigger
	DropEvent
	DropLibrary
)

// DropProgram is DROP of a routine, a trigger, an event or a library.
type DropProgram struct {
	Span
	Kind     ProgramKind
	IfExists bool
	Name     TableName
}

// Library is CREATE LIBRARY and ALTER LIBRARY.
type Library struct {
	Span
	Alter           bool
	IfNotExists     bool
	Name            TableName
	Characteristics []Characteristic
	Source          *Literal
}

// CreateTrigger is CREATE TRIGGER.
type CreateTrigger struct {
	Span
	Definer     *Account
	IfNotExists bool
	Name        TableName
	After       bool // BEFORE otherwise
	Event       TriggerEvent
	Table       TableName
	Order       TriggerOrder
	Other       Ident
	Body        Statement
}

// TriggerEvent is the change that fires a trigger.
type TriggerEvent uint8

const (
	OnInsert TriggerEvent = iota
	OnUpdate
	OnDelete
)

// TriggerOrder places a trigger among those of its event.
type TriggerOrder uint8

const (
	NoOrder TriggerOrder = iota
	Follows
	Precedes
)

// CreateEvent is CREATE EVENT and ALTER EVENT.
type CreateEvent struct {
	Span
	Alter       bool
	Definer     *Account
	IfNotExists bool
	Name        TableName
	Schedule    *Schedule
	Completion  EventCompletion
	RenameTo    *TableName
	State       EventState
	Comment     *Literal
	Body        Statement
}

// Schedule says when an event runs: once At a time, or every Interval.
type Schedule struct {
	Span
	At           Expr
	Every        *Interval
	Starts, Ends Expr
}

// EventCompletion says whether an event stays after its last run.
type EventCompletion uint8

const (
	NoCompletion EventCompletion = iota
	Preserve
	NotPreserve
)

// EventState says whether an event runs.
type EventState uint8

const (
	NoEventState EventState = iota
	EventEnabled
	EventDisabled
	EventDisabledOnReplica
)

func (*CreateRoutine) statement() {}
func (*AlterRoutine) statement()  {}
func (*DropProgram) statement()   {}
func (*Library) statement()       {}
func (*CreateTrigger) statement() {}
func (*CreateEvent) statement()   {}
