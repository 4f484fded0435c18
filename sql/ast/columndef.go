package ast

// ColumnDef is the definition of a column.
type ColumnDef struct {
	Span
	Name       Ident
	Type       *DataType
	Generated  *Generated
	Attributes []ColumnAttribute // in the order of the text; a later one replaces an earlier one of its kind
	References *References       // accepted and without effect when written at a column, as in MySQL
}

// Generated is [GENERATED ALWAYS] AS (X) [VIRTUAL | STORED].
type Generated struct {
	Span
	X       Expr
	Storage GeneratedStorage
}

// GeneratedStorage says where a generated column is kept.
type GeneratedStorage uint8

const (
	DefaultStorage GeneratedStorage = iota // not written: VIRTUAL
	VirtualStorage
	StoredStorage
)

// ColumnAttributeKind is the kind of a ColumnAttribute.
type ColumnAttributeKind uint8

const (
	AttrNull ColumnAttributeKind = iota
	AttrNotNull
	AttrDefault  // X: a literal, a signed number, NOW(); Parens: any expression
	AttrOnUpdate // X: NOW()
	AttrAutoIncrement
	AttrSerialDefault // SERIAL DEFAULT VALUE
	AttrPrimaryKey
	AttrUnique
	AttrComment // Text
	AttrCollate // Name
	AttrColumnFormat
	AttrStorage
	AttrEngineAttribute          // Text
	AttrSecondaryEngineAttribute // Text
	AttrSRID                     // Text holds the digits
	AttrVisible
	AttrInvisible
	AttrNotSecondary
	AttrCheck          // Check
	AttrExternalFormat // Text
	AttrMaskingPolicy  // Name
)

// ColumnAttribute is one attribute of a column.
type ColumnAttribute struct {
	Span
	Kind   ColumnAttributeKind
	X      Expr
	Parens bool
	Text   *Literal
	Name   Ident
	Word   StorageWord
	Check  *Check
}

// StorageWord is the word behind COLUMN_FORMAT or STORAGE.
type StorageWord uint8

const (
	WordDefault StorageWord = iota
	WordFixed
	WordDynamic
	WordDisk
	WordMemory
)

// Check is [CONSTRAINT [name]] CHECK (X) [[NOT] ENFORCED].
type Check struct {
	Span
	Constraint bool // the word CONSTRAINT is written
	Name       Ident
	X          Expr
	Enforced   Enforcement
}

// Enforcement says whether a constraint is enforced.
type Enforcement uint8

const (
	DefaultEnforcement Enforcement = iota
	Enforced
	NotEnforced
)

// References is REFERENCES table [(columns)] with what may follow.
type References struct {
	Span
	Table    TableName
	Columns  []Ident
	Match    MatchKind
	OnDelete ReferenceAction
	OnUpdate ReferenceAction
}

// MatchKind is what MATCH says.
type MatchKind uint8

const (
	NoMatch MatchKind = iota
	MatchFull
	MatchPartial
	MatchSimple
)

// ReferenceAction is what a foreign key does when its parent changes.
type ReferenceAction uint8

const (
	DefaultAction ReferenceAction = iota // not written: NO ACTION
	Restrict
	Cascade
	SetNull
	NoAction
	SetDefault
)
