package ast

// FlushKind is what FLUSH flushes.
type FlushKind uint8

const (
	FlushLogs FlushKind = iota
	FlushBinaryLogs
	FlushEngineLogs
	FlushErrorLogs
	FlushGeneralLogs
	FlushSlowLogs
	FlushRelayLogs
	FlushPrivileges
	FlushStatus
	FlushUserResources
	FlushOptimizerCosts
)

// Flush is FLUSH of anything but tables.
type Flush struct {
	Span
	NoBinlog bool
	Items    []FlushItem
}

// FlushItem is one item of FLUSH.
type FlushItem struct {
	Span
	Kind    FlushKind
	Channel *Literal // of relay logs
}

// FlushTables is FLUSH TABLES.
type FlushTables struct {
	Span
	NoBinlog bool
	Tables   []TableName
	ReadLock bool
	Export   bool
}

// Kill is KILL [CONNECTION | QUERY] id.
type Kill struct {
	Span
	Query bool
	ID    Expr
}

// Shutdown is SHUTDOWN, or RESTART.
type Shutdown struct {
	Span
	Restart bool
}

// Reset is RESET of replicas and binary logs.
type Reset struct {
	Span
	Items []ResetItem
}

// ResetItem is one item of RESET.
type ResetItem struct {
	Span
	Replica bool // BINARY LOGS AND GTIDS otherwise
	All     bool
	Channel *Literal
	To      string // digits: the number of the first binary log
}

// ResetPersist is RESET PERSIST [[IF EXISTS] variable].
type ResetPersist struct {
	Span
	IfExists  bool
	Component Ident
	Name      Ident
}

// Maintenance is what is done to tables.
type Maintenance uint8

const (
	AnalyzeTable Maintenance = iota
	CheckTable
	ChecksumTable
	OptimizeTable
	RepairTable
)

// MaintainTables is ANALYZE, CHECK, CHECKSUM, OPTIMIZE and REPAIR TABLE.
type MaintainTables struct {
	Span
	What      Maintenance
	NoBinlog  bool
	Tables    []TableName
	Options   CheckOption
	Histogram *Histogram
}

// Histogram is UPDATE HISTOGRAM and DROP HISTOGRAM.
type Histogram struct {
	Span
	Drop    bool
	Columns []Ident
	Buckets string // digits
	Update  HistogramUpdate
	Data    *Literal // USING DATA
}

// HistogramUpdate says who updates a histogram.
type HistogramUpdate uint8

const (
	NoHistogramUpdate HistogramUpdate = iota
	AutoUpdate
	ManualUpdate
)

// CacheIndex is CACHE INDEX ... IN cache, and LOAD INDEX INTO CACHE when Load is set.
type CacheIndex struct {
	Span
	Load   bool
	Tables []CachedTable
	Cache  Ident // absent: DEFAULT
}

// CachedTable is a table of CACHE INDEX and LOAD INDEX.
type CachedTable struct {
	Span
	Table         TableName
	AllPartitions bool
	Partitions    []Ident
	KeysGiven     bool
	Keys          []Ident
	IgnoreLeaves  bool
}

// InstallPlugin is INSTALL PLUGIN and UNINSTALL PLUGIN.
type InstallPlugin struct {
	Span
	Uninstall bool
	Name      Ident
	Library   *Literal
}

// InstallComponent is INSTALL COMPONENT and UNINSTALL COMPONENT.
type InstallComponent struct {
	Span
	Uninstall bool
	URNs      []*Literal
	Set       []ComponentSetting
}

// ComponentSetting sets a variable of a component that is installed.
type ComponentSetting struct {
	Span
	Scope     Scope
	Component Ident
	Name      Ident
	Value     Expr
}

// CreateLoadable is CREATE FUNCTION ... SONAME.
type CreateLoadable struct {
	Span
	Aggregate   bool
	IfNotExists bool
	Name        Ident
	Returns     LoadableType
	Library     *Literal
}

// LoadableType is the type that a loadable function returns.
type LoadableType uint8

const (
	ReturnsString LoadableType = iota
	ReturnsReal
	ReturnsDecimal
	ReturnsInt
)

// Clone is CLONE LOCAL and CLONE INSTANCE.
type Clone struct {
	Span
	From      *Account // nil: LOCAL
	Port      string   // digits
	Password  *Literal
	Directory *Literal
	SSL       CloneSSL
}

// CloneSSL is what CLONE INSTANCE requires of the connection.
type CloneSSL uint8

const (
	NoCloneSSL CloneSSL = iota
	RequireSSL
	RequireNoSSL
)

// Binlog is BINLOG 'events'.
type Binlog struct {
	Span
	Events *Literal
}

// BackupVerb is what a Backup statement does.
type BackupVerb uint8

const (
	BackupBegin BackupVerb = iota
	BackupPages
	BackupLog
	BackupFinish
	BackupEnd
)

// Backup is BACKUP, a statement that MySQL does not have: a client reads the files of a running
// server.
type Backup struct {
	Span
	Verb   BackupVerb
	Format string   // digits, of BEGIN: the newest format of a data directory that the client reads; "": 1
	ID     *Literal // of all but BEGIN
	Since  string   // digits, of PAGES
	Runs   *Literal // of PAGES
	Row    string   // digits, of PAGES: how many pages a row has at most; "": as many as a chunk
}

// Purge is PURGE BINARY LOGS. One of To and Before is there.
type Purge struct {
	Span
	To     *Literal
	Before Expr
}

// LockTables is LOCK TABLES.
type LockTables struct {
	Span
	Tables []LockedTable
}

// LockedTable is a table of LOCK TABLES.
type LockedTable struct {
	Span
	Table TableName
	Alias Ident
	Kind  TableLock
}

// TableLock is the kind of a table's lock.
type TableLock uint8

const (
	LockRead TableLock = iota
	LockReadLocal
	LockWrite
)

// LockInstance is LOCK INSTANCE FOR BACKUP.
type LockInstance struct{ Span }

// Unlock is UNLOCK TABLES and UNLOCK INSTANCE.
type Unlock struct {
	Span
	Instance bool
}

func (*Flush) statement()            {}
func (*FlushTables) statement()      {}
func (*Kill) statement()             {}
func (*Shutdown) statement()         {}
func (*Reset) statement()            {}
func (*ResetPersist) statement()     {}
func (*MaintainTables) statement()   {}
func (*CacheIndex) statement()       {}
func (*InstallPlugin) statement()    {}
func (*InstallComponent) statement() {}
func (*CreateLoadable) statement()   {}
func (*Clone) statement()            {}
func (*Binlog) statement()           {}
func (*Backup) statement()           {}
func (*Purge) statement()            {}
func (*LockTables) statement()       {}
func (*LockInstance) statement()     {}
func (*Unlock) statement()           {}
