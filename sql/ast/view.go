package ast

// ViewKind is the kind of a view.
type ViewKind uint8

const (
	PlainView ViewKind = iota
	MaterializedView
	DualityView // JSON [RELATIONAL] DUALITY VIEW
)

// ViewAlgorithm is the word behind ALGORITHM =.
type ViewAlgorithm uint8

const (
	NoViewAlgorithm ViewAlgorithm = iota
	AlgorithmUndefined
	AlgorithmMerge
	AlgorithmTemptable
)

// Security is SQL SECURITY.
type Security uint8

const (
	NoSecurity Security = iota
	SecurityDefiner
	SecurityInvoker
)

// CheckKind is WITH CHECK OPTION.
type CheckKind uint8

const (
	NoCheckOption CheckKind = iota
	CheckOptionPlain
	CheckOptionLocal
	CheckOptionCascaded
)

// CreateView is CREATE VIEW and ALTER VIEW.
type CreateView struct {
	Span
	Alter       bool
	OrReplace   bool
	IfNotExists bool
	Algorithm   ViewAlgorithm
	Definer     *Account
	Security    Security
	Kind        ViewKind
	Relational  bool // JSON RELATIONAL DUALITY VIEW
	Name        TableName
	Columns     []Ident
	Query       *Query
	Check       CheckKind
}

// DropView is DROP VIEW.
type DropView struct {
	Span
	IfExists bool
	Views    []TableName
	Behavior DropBehavior
}

func (*CreateView) statement() {}
func (*DropView) statement()   {}
