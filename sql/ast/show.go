package ast

// ShowKind is what SHOW shows.
type ShowKind uint8

const (
	ShowDatabases ShowKind = iota
	ShowTables
	ShowOpenTables
	ShowTableStatus
	ShowTriggers
	ShowEvents
	ShowColumns
	ShowIndex
	ShowVariables
	ShowStatus
	ShowWarnings
	ShowErrors
	ShowCountWarnings
	ShowCountErrors
	ShowEngines
	ShowPlugins
	ShowPrivileges
	ShowProfiles
	ShowProcesslist
	ShowCharset
	ShowCollation
	ShowFunctionStatus
	ShowProcedureStatus
	ShowLibraryStatus
	ShowFunctionCode
	ShowProcedureCode
	ShowBinaryLogs
	ShowBinaryLogStatus
	ShowBinlogEvents
	ShowRelaylogEvents
	ShowReplicas
	ShowReplicaStatus
)

// Show is SHOW of anything that is a list.
type Show struct {
	Span
	Kind     ShowKind
	Full     bool
	Extended bool
	Scope    Scope // of variables and status
	Table    TableName
	Schema   Ident
	Like     *Literal
	Where    Expr
	Log      *Literal // events of a log
	Position string   // digits
	Limit    *Limit
	Channel  *Literal
}

// ShowCreateKind is the kind of object whose definition is shown.
type ShowCreateKind uint8

const (
	ShowCreateTable ShowCreateKind = iota
	ShowCreateView
	ShowCreateDatabase
	ShowCreateProcedure
	ShowCreateFunction
	ShowCreateTrigger
	ShowCreateEvent
	ShowCreateLibrary
	ShowCreateUser
	ShowCreateMaskingPolicy
)

// ShowCreate is SHOW CREATE.
type ShowCreate struct {
	Span
	Kind        ShowCreateKind
	IfNotExists bool // of a database
	Name        TableName
	Account     *Account
}

// ShowEngine is SHOW ENGINE name, or ALL, with what to show.
type ShowEngine struct {
	Span
	Name Ident // absent: ALL
	What EngineInfo
}

// EngineInfo is what SHOW ENGINE shows.
type EngineInfo uint8

const (
	EngineStatus EngineInfo = iota
	EngineMutex
	EngineLogs
)

// ProfileType is a set of the types of SHOW PROFILE.
type ProfileType uint16

const (
	ProfileAll ProfileType = 1 << iota
	ProfileBlockIO
	ProfileContextSwitches
	ProfileCPU
	ProfileIPC
	ProfileMemory
	ProfilePageFaults
	ProfileSource
	ProfileSwaps
)

// ShowProfile is SHOW PROFILE.
type ShowProfile struct {
	Span
	Types ProfileType
	Query string // digits
	Limit *Limit
}

// ShowGrants is SHOW GRANTS.
type ShowGrants struct {
	Span
	For   *Account // nil: the current user
	Using []Account
}

// Describe is DESCRIBE table [column | pattern].
type Describe struct {
	Span
	Table   TableName
	Column  Ident
	Pattern *Literal
}

// Explain is EXPLAIN of a statement or of a connection.
type Explain struct {
	Span
	Analyze    bool
	Format     Ident // as written
	Into       *UserVar
	Schema     Ident
	Connection Expr // FOR CONNECTION
	Statement  Statement
}

// Help is HELP.
type Help struct {
	Span
	Topic Ident
}

// Use is USE.
type Use struct {
	Span
	Schema Ident
}

func (*Show) statement()        {}
func (*ShowCreate) statement()  {}
func (*ShowEngine) statement()  {}
func (*ShowProfile) statement() {}
func (*ShowGrants) statement()  {}
func (*Describe) statement()    {}
func (*Explain) statement()     {}
func (*Help) statement()        {}
func (*Use) statement()         {}
