package ast

// Set is SET with its assignments, in order.
type Set struct {
	Span
	Items []SetItem
}

// SetItem is what a Set assigns: *SetVariable, *SetUserVar, *SetNames, *SetCharset.
type SetItem interface {
	Node
	setItem()
}

// SetVariable assigns a system variable, a routine's variable or a field of NEW. At says that it is
// written @@name. Default.Given says that the name is written DEFAULT.name.
type SetVariable struct {
	Span
	Scope     Scope
	At        bool
	Default   Ident // the word in DEFAULT.name
	Component Ident
	Name      Ident
	Value     Expr // DefaultValue for DEFAULT; WordValue for ON, ALL, BINARY, ROW, SYSTEM
}

// WordValue is a keyword that stands for its own text.
type WordValue struct {
	Span
	Word string
}

// SetUserVar assigns a user variable.
type SetUserVar struct {
	Span
	Var   *UserVar
	Value Expr
}

// SetNames is NAMES charset [COLLATE collation]; without a charset it is NAMES DEFAULT.
type SetNames struct {
	Span
	Charset, Collation Ident
}

// SetCharset is CHARACTER SET charset; without one it is CHARACTER SET DEFAULT.
type SetCharset struct {
	Span
	Charset Ident
}

// Isolation is a transaction isolation level.
type Isolation uint8

const (
	NoIsolation Isolation = iota
	ReadUncommitted
	ReadCommitted
	RepeatableRead
	Serializable
)

// AccessMode is READ ONLY or READ WRITE.
type AccessMode uint8

const (
	NoAccessMode AccessMode = iota
	ReadWrite
	ReadOnly
)

// SetTransaction is SET [scope] TRANSACTION.
type SetTransaction struct {
	Span
	Scope     Scope
	Isolation Isolation
	Access    AccessMode
}

// Begin is START TRANSACTION or BEGIN.
type Begin struct {
	Span
	Start    bool // START TRANSACTION
	Snapshot bool // WITH CONSISTENT SNAPSHOT
	Access   AccessMode
}

// Choice is an option that may be left to the session, asked for, or refused with NO.
type Choice uint8

const (
	NoChoice Choice = iota
	Chosen
	Refused
)

// EndTransaction is COMMIT or ROLLBACK.
type EndTransaction struct {
	Span
	Rollback bool
	Chain    Choice
	Release  Choice
}

// SavepointAction is what a Savepoint statement does.
type SavepointAction uint8

const (
	SetSavepoint SavepointAction = iota
	RollbackToSavepoint
	ReleaseSavepoint
)

// Savepoint is SAVEPOINT, ROLLBACK TO or RELEASE SAVEPOINT.
type Savepoint struct {
	Span
	Action SavepointAction
	Name   Ident
}

// Prepare is PREPARE name FROM text; From is a *Literal or a *UserVar.
type Prepare struct {
	Span
	Name Ident
	From Expr
}

// Execute is EXECUTE name USING variables.
type Execute struct {
	Span
	Name Ident
	Vars []*UserVar
}

// Deallocate is DEALLOCATE PREPARE name.
type Deallocate struct {
	Span
	Name Ident
}

func (*WordValue) expr()      {}
func (*SetVariable) setItem() {}
func (*SetUserVar) setItem()  {}
func (*SetNames) setItem()    {}
func (*SetCharset) setItem()  {}

func (*Set) statement()            {}
func (*SetTransaction) statement() {}
func (*Begin) statement()          {}
func (*EndTransaction) statement() {}
func (*Savepoint) statement()      {}
func (*Prepare) statement()        {}
func (*Execute) statement()        {}
func (*Deallocate) statement()     {}
