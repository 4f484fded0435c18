package ast

// Priority is the word on locks between INSERT, UPDATE, DELETE, LOAD and what follows.
type Priority uint8

const (
	NoPriority Priority = iota
	LowPriority
	HighestPriority // HIGH_PRIORITY
	Delayed
	Concurrent
)

// Insert is INSERT or REPLACE. Exactly one of Rows, Set and Query is given; Rows may hold empty
// rows.
type Insert struct {
	Span
	Replace    bool
	Hints      *Hints
	Priority   Priority
	Ignore     bool
	Table      TableName
	Partitions []Ident
	HasColumns bool // a list of columns is written, maybe an empty one
	Columns    []*Column
	Rows       []ValuesRow
	Set        []Assign
	Query      *Query
	Alias      *RowAlias
	OnConflict []Assign // ON DUPLICATE KEY UPDATE
}

// RowAlias names the new row of an Insert and its columns.
type RowAlias struct {
	Span
	Name    Ident
	Columns []Ident
}

// Assign is column = value; the value may be a DefaultValue.
type Assign struct {
	Span
	Column *Column
	Value  Expr
}

// Update is UPDATE of one table or of several.
type Update struct {
	Span
	With     *With
	Hints    *Hints
	Priority Priority
	Ignore   bool
	Tables   []TableRef
	Set      []Assign
	Where    Expr
	OrderBy  []OrderItem
	Limit    *Limit
}

// Delete is DELETE. From one table, Source is nil and Targets holds the table with its alias and
// partitions. From several, Targets names the tables to delete from and Source where their rows are
// found.
type Delete struct {
	Span
	With     *With
	Hints    *Hints
	Priority Priority
	Quick    bool
	Ignore   bool
	Targets  []DeleteTarget
	Using    bool // FROM targets USING source
	Source   []TableRef
	Where    Expr
	OrderBy  []OrderItem
	Limit    *Limit
}

// DeleteTarget is a table to delete from.
type DeleteTarget struct {
	Span
	Name       TableName
	Wild       bool // written t.*
	Alias      Ident
	Partitions []Ident
}

// LoadConflict is what LOAD does with a row whose key exists.
type LoadConflict uint8

const (
	LoadFails LoadConflict = iota
	LoadReplaces
	LoadIgnores
)

// LoadSource is where LOAD finds its files.
type LoadSource uint8

const (
	LoadInfile LoadSource = iota
	LoadURL
	LoadS3
)

// Load is LOAD DATA or LOAD XML.
type Load struct {
	Span
	XML         bool
	Priority    Priority
	Local       bool
	Source      LoadSource
	File        *Literal
	Files       *Literal // COUNT
	KeyOrder    bool     // IN PRIMARY KEY ORDER
	Conflict    LoadConflict
	Table       TableName
	Partitions  []Ident
	Charset     Ident
	RowTag      *Literal
	Fields      *FieldsFormat
	Lines       *LinesFormat
	Skip        *Literal // IGNORE n LINES
	HasColumns  bool
	Columns     []Expr // *Column or *UserVar
	Set         []Assign
	Compression *Literal
	Parallel    *Literal
	Memory      string // a number, maybe with a unit
	Bulk        bool
}

// Call is CALL procedure.
type Call struct {
	Span
	Name TableName
	Args []Expr
}

// Do is DO expressions.
type Do struct {
	Span
	Items []SelectItem
}

// HandlerAction is what a Handler statement does.
type HandlerAction uint8

const (
	HandlerOpen HandlerAction = iota
	HandlerClose
	HandlerFirst
	HandlerNext
	HandlerPrev
	HandlerLast
	HandlerKey // READ index op (values)
)

// Handler is one of the HANDLER statements.
type Handler struct {
	Span
	Table  TableName
	Action HandlerAction
	Alias  Ident
	Index  Ident
	Op     BinaryOp
	Values []Expr
	Where  Expr
	Limit  *Limit
}

func (*Insert) statement()  {}
func (*Update) statement()  {}
func (*Delete) statement()  {}
func (*Load) statement()    {}
func (*Call) statement()    {}
func (*Do) statement()      {}
func (*Handler) statement() {}
