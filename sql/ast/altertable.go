package ast

// AlterTable is ALTER TABLE. At most one of Tail and Partition is there.
type AlterTable struct {
	Span
	Table     TableName
	Actions   []AlterAction
	Tail      *PartitionAction // a partition or tablespace command, which stands last and alone
	Partition *PartitionBy     // PARTITION BY behind the actions
	Remove    bool             // REMOVE PARTITIONING behind the actions
}

// AlterAction is one action of ALTER TABLE.
type AlterAction interface {
	Node
	alterAction()
}

// AddColumns is ADD [COLUMN] column [FIRST | AFTER c], or several elements in parentheses.
type AddColumns struct {
	Span
	Elements []TableElement
	Parens   bool
	Place    *ColumnPlace
}

// ColumnPlace is FIRST, or AFTER a column.
type ColumnPlace struct {
	Span
	First bool
	After Ident
}

// AddKey is ADD of a key, a foreign key or a check.
type AddKey struct {
	Span
	Element TableElement
}

// ChangeColumn is CHANGE, or MODIFY when Old is absent.
type ChangeColumn struct {
	Span
	Old   Ident
	Def   *ColumnDef
	Place *ColumnPlace
}

// AlterObject is what DROP, RENAME and ALTER name within a table.
type AlterObject uint8

const (
	ObjectColumn AlterObject = iota
	ObjectKey
	ObjectPrimaryKey
	ObjectForeignKey
	ObjectCheck
	ObjectConstraint
)

// DropObject is DROP of a part of a table.
type DropObject struct {
	Span
	Object   AlterObject
	Name     Ident
	Behavior DropBehavior
}

// RenameObject is RENAME COLUMN or RENAME KEY.
type RenameObject struct {
	Span
	Object AlterObject
	From   Ident
	To     Ident
}

// RenameTo is RENAME [TO] table.
type RenameTo struct {
	Span
	Table TableName
}

// AlterChangeKind is what AlterChange changes.
type AlterChangeKind uint8

const (
	SetColumnDefault AlterChangeKind = iota
	DropColumnDefault
	SetMaskingPolicy // Policy
	DropMaskingPolicyOf
	SetVisible   // of a column or a key
	SetInvisible // of a column or a key
	SetEnforced
	SetNotEnforced
)

// AlterChange is ALTER COLUMN, ALTER INDEX, ALTER CHECK and ALTER CONSTRAINT.
type AlterChange struct {
	Span
	Object  AlterObject
	Name    Ident
	Change  AlterChangeKind
	Default Expr
	Policy  Ident
	Parens  bool // the default is an expression in parentheses
}

// AlterOptions are options of the table.
type AlterOptions struct {
	Span
	Options []TableOption
}

// ConvertCharset is CONVERT TO CHARACTER SET.
type ConvertCharset struct {
	Span
	Charset Ident // absent: DEFAULT
	Collate Ident
}

// OrderTable is ORDER BY columns.
type OrderTable struct {
	Span
	By []OrderItem
}

// AlterFlag is an action of words only.
type AlterFlag struct {
	Span
	Kind AlterFlagKind
}

// AlterFlagKind is the kind of an AlterFlag.
type AlterFlagKind uint8

const (
	EnableKeys AlterFlagKind = iota
	DisableKeys
	ForceRebuild
	WithValidation
	WithoutValidation
)

// AlterHow is ALGORITHM or LOCK. The word is kept as written: MySQL refuses unknown ones with
// errors of their own.
type AlterHow struct {
	Span
	Lock bool // ALGORITHM otherwise
	Word Ident
}

// PartitionActionKind is the kind of a PartitionAction.
type PartitionActionKind uint8

const (
	DiscardTablespace PartitionActionKind = iota
	ImportTablespace
	DiscardPartition
	ImportPartition
	AddPartition
	DropPartition
	RebuildPartition
	OptimizePartition
	AnalyzePartition
	CheckPartition
	RepairPartition
	CoalescePartition
	TruncatePartition
	ReorganizePartition
	ExchangePartition
	RemovePartitioning
	SecondaryLoad
	SecondaryUnload
)

// PartitionAction is a command of ALTER TABLE on partitions or tablespaces.
type PartitionAction struct {
	Span
	Kind       PartitionActionKind
	NoBinlog   bool
	All        bool
	Names      []Ident
	Count      string // digits of ADD PARTITION PARTITIONS n and of COALESCE
	Defs       []PartitionDef
	Checks     CheckOption
	Table      *TableName // EXCHANGE
	Validation *AlterFlag // EXCHANGE
	Guided     GuidedLoad // SECONDARY_LOAD
}

// GuidedLoad is GUIDED ON or OFF.
type GuidedLoad uint8

const (
	NoGuided GuidedLoad = iota
	GuidedOn
	GuidedOff
)

// CheckOption is a set of words of CHECK and REPAIR.
type CheckOption uint8

const (
	CheckQuick CheckOption = 1 << iota
	CheckFast
	CheckMedium
	CheckExtended
	CheckChanged
	CheckForUpgrade
	RepairUseFrm
)

func (*AlterTable) statement() {}

func (*AddColumns) alterAction()     {}
func (*AddKey) alterAction()         {}
func (*ChangeColumn) alterAction()   {}
func (*DropObject) alterAction()     {}
func (*RenameObject) alterAction()   {}
func (*RenameTo) alterAction()       {}
func (*AlterChange) alterAction()    {}
func (*AlterOptions) alterAction()   {}
func (*ConvertCharset) alterAction() {}
func (*OrderTable) alterAction()     {}
func (*AlterFlag) alterAction()      {}
func (*AlterHow) alterAction()       {}
