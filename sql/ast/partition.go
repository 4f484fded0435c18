package ast

// PartitionMethod is how rows are spread over partitions.
type PartitionMethod uint8

const (
	ByHash PartitionMethod = iota
	ByKey
	ByRange
	ByList
)

// PartitionBy is PARTITION BY with the partitions.
type PartitionBy struct {
	Span
	Method     PartitionMethod
	Linear     bool
	Algorithm  string // digits of ALGORITHM = n; BY KEY only
	X          Expr   // HASH, and RANGE and LIST of an expression
	ColumnList bool   // KEY, RANGE COLUMNS, LIST COLUMNS: Columns counts
	Columns    []Ident
	Partitions string // digits
	Sub        *SubpartitionBy
	Defs       []PartitionDef
}

// SubpartitionBy is SUBPARTITION BY.
type SubpartitionBy struct {
	Span
	Linear        bool
	Algorithm     string
	X             Expr // HASH; nil: KEY
	Columns       []Ident
	Subpartitions string // digits
}

// PartitionDef defines a partition or a subpartition.
type PartitionDef struct {
	Span
	Name    Ident
	Kind    PartitionValues
	Values  []PartitionRow
	Options []TableOption
	Subs    []PartitionDef
}

// PartitionValues says which values a partition holds.
type PartitionValues uint8

const (
	NoPartitionValues PartitionValues = iota
	LessThan
	LessThanMaxValue // without parentheses
	InValues
)

// PartitionRow is one value, or one row of values, of a partition.
type PartitionRow struct {
	Span
	Parens bool // the row has parentheses of its own: IN ((1, 2), (3, 4))
	Items  []Expr
}

// MaxValue is the word MAXVALUE in VALUES LESS THAN.
type MaxValue struct{ Span }

func (*MaxValue) expr() {}
