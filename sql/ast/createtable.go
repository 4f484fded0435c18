package ast

// CreateTable is CREATE TABLE in all its forms.
type CreateTable struct {
	Span
	Temporary   bool
	External    bool
	IfNotExists bool
	Name        TableName
	Like        *TableName // of CREATE TABLE ... LIKE: nothing follows
	LikeParens  bool       // LIKE stands in parentheses
	Elements    []TableElement
	Options     []TableOption
	Partition   *PartitionBy
	Duplicates  DuplicateRule
	As          bool // the word AS is written
	Query       *Query
}

// DuplicateRule says what CREATE TABLE ... SELECT does with rows whose key is there.
type DuplicateRule uint8

const (
	FailDuplicates DuplicateRule = iota
	IgnoreDuplicates
	ReplaceDuplicates
)

// TableOptionKind is the kind of a TableOption.
type TableOptionKind uint8

const (
	OptionEngine TableOptionKind = iota
	OptionSecondaryEngine
	OptionMaxRows
	OptionMinRows
	OptionAvgRowLength
	OptionPassword
	OptionComment
	OptionCompression
	OptionEncryption
	OptionAutoIncrement
	OptionPackKeys
	OptionStatsAutoRecalc
	OptionStatsPersistent
	OptionStatsSamplePages
	OptionChecksum
	OptionTableChecksum
	OptionDelayKeyWrite
	OptionRowFormat
	OptionUnion
	OptionCharset
	OptionCollate
	OptionInsertMethod
	OptionDataDirectory
	OptionIndexDirectory
	OptionTablespace
	OptionStorage
	OptionConnection
	OptionKeyBlockSize
	OptionStartTransaction
	OptionAutoextendSize
	OptionVerifyKeyConstraints
	OptionAutoRefresh
	OptionAutoRefreshSource // Text, or NONE
	OptionStrictLoad
	OptionAllowMissingFiles
	OptionFileFormat // Format
	OptionFiles      // Files
	OptionEngineAttribute
	OptionSecondaryEngineAttribute
	OptionNodegroup // of partitions
)

// TableOption is one option of a table or of a partition.
type TableOption struct {
	Span
	Kind      TableOptionKind
	IsDefault bool     // the value is the word DEFAULT, or the character set is named with DEFAULT in front
	Null      bool     // SECONDARY_ENGINE = NULL
	Text      *Literal // a string
	Number    string   // digits, hexadecimal digits with 0x, or a size with its suffix
	Name      Ident    // an engine, a character set, a collation, a tablespace
	Word      OptionWord
	Tables    []TableName // UNION
	Format    *FileFormat
	Files     []ExternalFile
}

// OptionWord is a word that is the value of an option.
type OptionWord uint8

const (
	NoOptionWord OptionWord = iota
	RowDefault
	RowFixed
	RowDynamic
	RowCompressed
	RowRedundant
	RowCompact
	InsertNo
	InsertFirst
	InsertLast
	StorageDisk
	StorageMemory
)

// DropTable is DROP TABLE.
type DropTable struct {
	Span
	Temporary bool
	IfExists  bool
	Tables    []TableName
	Behavior  DropBehavior
}

// DropBehavior is RESTRICT or CASCADE, both without effect.
type DropBehavior uint8

const (
	NoBehavior DropBehavior = iota
	DropRestrict
	DropCascade
)

// RenameTable is RENAME TABLE.
type RenameTable struct {
	Span
	Renames []Rename
}

// Rename is one pair of RENAME TABLE.
type Rename struct {
	Span
	From, To TableName
}

// TruncateTable is TRUNCATE TABLE.
type TruncateTable struct {
	Span
	Table TableName
}

// CreateIndex is CREATE INDEX.
type CreateIndex struct {
	Span
	Key   *KeyDef
	Table TableName
	How   []AlterHow
}

// DropIndex is DROP INDEX.
type DropIndex struct {
	Span
	Name  Ident
	Table TableName
	How   []AlterHow
}

// ImportTable is IMPORT TABLE FROM files.
type ImportTable struct {
	Span
	Files []*Literal
}

func (*CreateTable) statement()   {}
func (*DropTable) statement()     {}
func (*RenameTable) statement()   {}
func (*TruncateTable) statement() {}
func (*CreateIndex) statement()   {}
func (*DropIndex) statement()     {}
func (*ImportTable) statement()   {}
