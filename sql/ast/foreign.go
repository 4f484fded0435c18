package ast

// CreateServer is CREATE SERVER and ALTER SERVER.
type CreateServer struct {
	Span
	Alter   bool
	Name    Ident
	Wrapper Ident // CREATE only
	Options []ServerOption
}

// ServerOption is one option of a server. Port is a number, the others are strings.
type ServerOption struct {
	Span
	Kind   ServerOptionKind
	Text   *Literal
	Number string
}

// ServerOptionKind is the kind of a ServerOption.
type ServerOptionKind uint8

const (
	ServerUser ServerOptionKind = iota
	ServerHost
	ServerDatabase
	ServerOwner
	ServerPassword
	ServerSocket
	ServerPort
)

// DropServer is DROP SERVER.
type DropServer struct {
	Span
	IfExists bool
	Name     Ident
}

// CreateReferenceSystem is CREATE SPATIAL REFERENCE SYSTEM.
type CreateReferenceSystem struct {
	Span
	OrReplace   bool
	IfNotExists bool
	SRID        string // digits
	Attributes  []ReferenceAttribute
}

// ReferenceAttributeKind is the kind of a ReferenceAttribute.
type ReferenceAttributeKind uint8

const (
	ReferenceName ReferenceAttributeKind = iota
	ReferenceDefinition
	ReferenceOrganization
	ReferenceDescription
)

// ReferenceAttribute is one attribute of a spatial reference system. ID is the number of an
// organization.
type ReferenceAttribute struct {
	Span
	Kind ReferenceAttributeKind
	Text *Literal
	ID   string
}

// DropReferenceSystem is DROP SPATIAL REFERENCE SYSTEM.
type DropReferenceSystem struct {
	Span
	IfExists bool
	SRID     string
}

// ResourceGroup is CREATE, ALTER and DROP RESOURCE GROUP.
type ResourceGroup struct {
	Span
	Verb     ObjectVerb
	Name     Ident
	System   bool // TYPE = SYSTEM; USER otherwise
	CPUs     []CPURange
	Priority *Literal // signed integer
	State    ResourceGroupState
	Force    bool
}

// ObjectVerb is CREATE, ALTER or DROP.
type ObjectVerb uint8

const (
	CreateObject ObjectVerb = iota
	AlterObjectVerb
	DropObjectVerb
)

// CPURange is a processor, or a range of them when Last is not "".
type CPURange struct {
	Span
	First, Last string // digits
}

// ResourceGroupState is ENABLE or DISABLE.
type ResourceGroupState uint8

const (
	NoGroupState ResourceGroupState = iota
	GroupEnabled
	GroupDisabled
)

// SetResourceGroup is SET RESOURCE GROUP name [FOR thread ids].
type SetResourceGroup struct {
	Span
	Name    Ident
	Threads []string // digits
}

// AlterInstanceKind is what ALTER INSTANCE does.
type AlterInstanceKind uint8

const (
	RotateInnodbKey AlterInstanceKind = iota
	RotateBinlogKey
	ReloadTLS
	EnableRedoLog
	DisableRedoLog
	ReloadKeyring
)

// AlterInstance is ALTER INSTANCE.
type AlterInstance struct {
	Span
	Kind       AlterInstanceKind
	Channel    Ident // RELOAD TLS FOR CHANNEL
	NoRollback bool  // RELOAD TLS ... NO ROLLBACK ON ERROR
}

func (*CreateServer) statement()          {}
func (*DropServer) statement()            {}
func (*CreateReferenceSystem) statement() {}
func (*DropReferenceSystem) statement()   {}
func (*ResourceGroup) statement()         {}
func (*SetResourceGroup) statement()      {}
func (*AlterInstance) statement()         {}
