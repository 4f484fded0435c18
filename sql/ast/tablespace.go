package ast

// TablespaceKind tells tablespaces, undo tablespaces and log file groups apart.
type TablespaceKind uint8

const (
	GeneralTablespace TablespaceKind = iota
	UndoTablespace
	LogfileGroup
)

// TablespaceVerb is what a statement does to a tablespace.
type TablespaceVerb uint8

const (
	TablespaceCreate TablespaceVerb = iota
	TablespaceDrop
	TablespaceAddFile
	TablespaceDropFile
	TablespaceRename
	TablespaceAlter // options only
	TablespaceActivate
	TablespaceDeactivate
)

// Tablespace is CREATE, ALTER and DROP of a TABLESPACE, an UNDO TABLESPACE or a LOGFILE GROUP.
type Tablespace struct {
	Span
	Kind    TablespaceKind
	Verb    TablespaceVerb
	Name    Ident
	To      Ident    // RENAME
	File    *Literal // DATAFILE or UNDOFILE
	Group   Ident    // USE LOGFILE GROUP
	Options []TablespaceOption
}

// TablespaceOptionKind is the kind of a TablespaceOption.
type TablespaceOptionKind uint8

const (
	SpaceInitialSize TablespaceOptionKind = iota
	SpaceAutoextendSize
	SpaceMaxSize
	SpaceExtentSize
	SpaceUndoBufferSize
	SpaceRedoBufferSize
	SpaceNodegroup
	SpaceEngine
	SpaceWait
	SpaceNoWait
	SpaceComment
	SpaceFileBlockSize
	SpaceEncryption
	SpaceEngineAttribute
)

// TablespaceOption is one option of a Tablespace.
type TablespaceOption struct {
	Span
	Kind   TablespaceOptionKind
	Number string // digits, or a size with its suffix
	Text   *Literal
	Engine Ident
}

func (*Tablespace) statement() {}
