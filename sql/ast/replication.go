package ast

// StartReplica is START REPLICA and STOP REPLICA.
type StartReplica struct {
	Span
	Stop    bool
	Threads ReplicaThread
	Until   *ReplicaUntil
	User    *Literal
	Pass    *Literal
	Auth    *Literal
	Plugins *Literal // PLUGIN_DIR
	Channel *Literal
}

// ReplicaThread is a set of threads; none means all.
type ReplicaThread uint8

const (
	ReceiverThread ReplicaThread = 1 << iota // IO_THREAD
	ApplierThread                            // SQL_THREAD
)

// ReplicaUntil is where a replica stops.
type ReplicaUntil struct {
	Span
	Kind  UntilKind
	Text  *Literal    // GTIDs
	Items []UntilItem // files and positions
}

// UntilItem is the name of a file, or a position in it, of the source's log or of the relay log.
type UntilItem struct {
	Span
	Relay    bool
	File     *Literal
	Position string // digits
}

// UntilKind is the kind of a ReplicaUntil.
type UntilKind uint8

const (
	UntilBeforeGTIDs UntilKind = iota
	UntilAfterGTIDs
	UntilLog
	UntilAfterGaps
)

// GroupReplication is START and STOP GROUP_REPLICATION.
type GroupReplication struct {
	Span
	Stop           bool
	User, Pass     *Literal
	Authentication *Literal
}

// ChangeSource is CHANGE REPLICATION SOURCE.
type ChangeSource struct {
	Span
	Options []SourceOption
	Channel *Literal
}

// SourceOption is one option of CHANGE REPLICATION SOURCE. Name is the option's word in capitals.
// One of the other fields holds the value.
type SourceOption struct {
	Span
	Name    string
	Text    *Literal
	Number  *Literal
	IDs     []*Literal // IGNORE_SERVER_IDS
	Account *Account   // PRIVILEGE_CHECKS_USER
	Word    string     // NULL, OFF, LOCAL, ON, STREAM, GENERATE
}

// ChangeFilter is CHANGE REPLICATION FILTER.
type ChangeFilter struct {
	Span
	Filters []ReplicationFilter
	Channel *Literal
}

// FilterKind is the kind of a ReplicationFilter.
type FilterKind uint8

const (
	FilterDoDB FilterKind = iota
	FilterIgnoreDB
	FilterDoTable
	FilterIgnoreTable
	FilterWildDoTable
	FilterWildIgnoreTable
	FilterRewriteDB
)

// ReplicationFilter is one filter with what it holds.
type ReplicationFilter struct {
	Span
	Kind     FilterKind
	Schemas  []Ident // DO_DB, IGNORE_DB
	Tables   []TableName
	Patterns []*Literal
	Rewrites []SchemaRewrite
}

// SchemaRewrite is one pair of REPLICATE_REWRITE_DB.
type SchemaRewrite struct {
	Span
	From, To Ident
}

// XAVerb is what is done to a branch of a distributed transaction.
type XAVerb uint8

const (
	XAStart XAVerb = iota
	XAEnd
	XAPrepare
	XACommit
	XARollback
	XARecover
)

// XA is XA START and its kin.
type XA struct {
	Span
	Verb       XAVerb
	ID         *XID
	Join       bool
	Resume     bool
	Suspend    bool
	Migrate    bool
	OnePhase   bool
	ConvertXID bool // RECOVER CONVERT XID
}

// XID names a branch: global part, branch part, format.
type XID struct {
	Span
	Global, Branch *Literal
	Format         *Literal
}

func (*StartReplica) statement()     {}
func (*GroupReplication) statement() {}
func (*ChangeSource) statement()     {}
func (*ChangeFilter) statement()     {}
func (*XA) statement()               {}
