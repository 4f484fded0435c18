package ast

// TableRef is an item of FROM.
type TableRef interface {
	Node
	tableRef()
}

// Dual is FROM DUAL.
type Dual struct{ Span }

// TableSource is a table with what may follow its name.
type TableSource struct {
	Span
	Name       TableName
	Partitions []Ident
	Sample     *Sample
	Alias      Ident
	Indexes    []IndexHint
}

// Sample is TABLESAMPLE method (percent).
type Sample struct {
	Span
	Bernoulli bool // SYSTEM otherwise
	Percent   Expr
}

// IndexHintKind is USE, FORCE or IGNORE.
type IndexHintKind uint8

const (
	UseIndex IndexHintKind = iota
	ForceIndex
	IgnoreIndex
)

// IndexHintFor is what an index hint is for.
type IndexHintFor uint8

const (
	ForAny IndexHintFor = iota
	ForJoin
	ForOrderBy
	ForGroupBy
)

// IndexHint is one index hint of a table.
type IndexHint struct {
	Span
	Kind  IndexHintKind
	For   IndexHintFor
	Names []Ident
}

// Derived is a query in parentheses as a table.
type Derived struct {
	Span
	Lateral bool
	Query   *Query
	Alias   Ident
	Columns []Ident
}

// JoinKind is the kind of a join.
type JoinKind uint8

const (
	InnerJoin JoinKind = iota
	CrossJoin
	StraightJoinTable
	LeftJoin
	RightJoin
)

// Join joins two table references.
type Join struct {
	Span
	Kind    JoinKind
	Natural bool
	L, R    TableRef
	On      Expr
	Using   []Ident
}

// TableList is a list of table references in parentheses.
type TableList struct {
	Span
	Tables []TableRef
}

// JSONTable is JSON_TABLE(x, path COLUMNS (...)) AS alias.
type JSONTable struct {
	Span
	Lateral bool
	X, Path Expr
	Columns []JSONColumn
	Alias   Ident
}

// JSONColumnKind is the kind of a JSONColumn.
type JSONColumnKind uint8

const (
	JSONOrdinality JSONColumnKind = iota
	JSONPathColumn
	JSONExists
	JSONNested
)

// JSONColumn is one column of a JSONTable.
type JSONColumn struct {
	Span
	Kind    JSONColumnKind
	Name    Ident
	Type    *DataType
	Collate Ident
	Path    Expr
	OnEmpty *JSONDefault
	OnError *JSONDefault
	Nested  []JSONColumn
}

func (*Dual) tableRef()        {}
func (*TableSource) tableRef() {}
func (*Derived) tableRef()     {}
func (*Join) tableRef()        {}
func (*TableList) tableRef()   {}
func (*JSONTable) tableRef()   {}
