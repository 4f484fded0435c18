package ast

// TableElement is what stands between the parentheses of CREATE TABLE: *ColumnDef, *KeyDef,
// *ForeignKey or *Check.
type TableElement interface {
	Node
	tableElement()
}

// KeyKind is the kind of a key.
type KeyKind uint8

const (
	PlainKey KeyKind = iota
	PrimaryKey
	UniqueKey
	FulltextKey
	SpatialKey
)

// KeyDef defines a key of a table.
type KeyDef struct {
	Span
	Kind       KeyKind
	Constraint bool // the word CONSTRAINT is written
	Symbol     Ident
	Name       Ident
	Using      KeyAlgorithm // the algorithm written before the parts
	Parts      []KeyPart
	Options    []KeyOption
}

// KeyAlgorithm is the word behind USING or TYPE.
type KeyAlgorithm uint8

const (
	NoKeyAlgorithm KeyAlgorithm = iota
	BtreeAlgorithm
	RtreeAlgorithm
	HashAlgorithm
)

// KeyPart is one part of a key: a column, with the length of its prefix, or an expression.
type KeyPart struct {
	Span
	Column    Ident
	Length    string // digits; "" is the whole column
	X         Expr
	Direction Direction
}

// KeyOptionKind is the kind of a KeyOption.
type KeyOptionKind uint8

const (
	KeyUsing KeyOptionKind = iota
	KeyBlockSize
	KeyComment
	KeyVisible
	KeyInvisible
	KeyParser
	KeyEngineAttribute
	KeySecondaryEngineAttribute
)

// KeyOption is one option of a key.
type KeyOption struct {
	Span
	Kind      KeyOptionKind
	Algorithm KeyAlgorithm
	Number    string // digits
	Text      *Literal
	Parser    Ident
}

// ForeignKey is a foreign key of a table.
type ForeignKey struct {
	Span
	Constraint bool // the word CONSTRAINT is written
	Symbol     Ident
	Name       Ident
	Columns    []KeyPart
	References *References
}

func (*ColumnDef) tableElement()  {}
func (*KeyDef) tableElement()     {}
func (*ForeignKey) tableElement() {}
func (*Check) tableElement()      {}
